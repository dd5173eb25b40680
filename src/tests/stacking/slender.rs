//! Slender bodies on a floor.

use super::{body, ground, unrest};
use crate::rigid::{Body, Shape};
use crate::tests::sample::Random;
use crate::{Method, Simulation};

/// Rods that fall on a floor make no energy. (Of L kept where contacts turn them: 20 mJ became 118 J, see `rigid/slender.rs`.) In one
/// substep, where they turn by a radian and more, they may have back some of what they lost, never more than they began with.
#[test]
fn fallen_rods_make_no_energy() {
    let mut random = Random(3);
    let rods = [
        (Shape::Box([0.03, 0.3, 0.03]), 0.0),
        (Shape::Box([0.02, 0.3, 0.02]), 0.0),
        (Shape::Box([0.0035, 0.09, 0.0035]), 0.5),
        (Shape::Capsule([0.004, 0.3]), 0.4),
        (Shape::Cylinder([0.003, 0.25]), 0.4),
    ];
    for (shape, friction) in rods {
        for (substeps, iterations) in [(1, 10), (4, 2), (8, 2)] {
            for trial in 0..5 {
                let q: [f64; 4] = std::array::from_fn(|_| random.within(-1.0, 1.0));
                let length = q.iter().map(|v| v * v).sum::<f64>().sqrt();
                let rod =
                    body(shape.clone(), 0.1, [0.0; 3]).at([0.0, 0.5, 0.0], q.map(|v| v / length));
                let rod = Body { friction: Some(friction), ..rod };
                let model = ground(vec![rod], substeps, iterations);
                let mut simulation =
                    Simulation::new(model, Method::Lanes, 1).expect("a simulation");
                let first = simulation.observe().energy;
                let mut least = first;
                for frame in 0..300 {
                    simulation.step();
                    let now = simulation.observe().energy;
                    let name = format!("{shape:?} at {substeps} x {iterations}, {trial}");
                    let most = if substeps == 1 { 1.01 * first } else { least + 0.05 * first };
                    assert!(now < most, "{name}: {now} J of {least} in frame {frame}");
                    least = least.min(now);
                }
                assert!(unrest(&simulation).1 < 3.0, "{shape:?} at {substeps} x {iterations}");
            }
        }
    }
}
