//! The same bar and cloth under PBD and XPBD at more and more iterations (S2-02), as a Markdown table:
//! `cargo run --release --example pbd_against_xpbd`.

use taut::constraints::Distance;
use taut::{Method, Model, ModelError, Simulation, Stiffness};

/// A block of points 0.1 m apart, 0.01 kg each, every point linked with all its neighbors, `pinned` ones held.
fn block(
    size: [i32; 3],
    pinned: fn([i32; 3]) -> bool,
    stiffness: Stiffness,
) -> Result<Model, ModelError> {
    let mut model = Model::new();
    model.settings.damping = 2.0;
    let at = |[x, y, z]: [i32; 3]| ((z * size[1] + y) * size[0] + x) as u32;
    let points = || {
        (0..size[0] * size[1] * size[2])
            .map(|i| [i % size[0], i / size[0] % size[1], i / size[0] / size[1]])
    };
    for point in points() {
        let w = if pinned(point) { 0.0 } else { 100.0 };
        model.add_particle(point.map(|v| f64::from(v) * 0.1), [0.0; 3], w)?;
    }
    for point in points() {
        for i in 14..27 {
            let step = [i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1];
            let next: [i32; 3] = std::array::from_fn(|axis| point[axis] + step[axis]);
            if next.iter().zip(size).all(|(&v, n)| (0..n).contains(&v)) {
                model.add(Distance, [at(point), at(next)], [None], stiffness)?;
            }
        }
    }
    Ok(model)
}

/// The height that the lowest particle has lost after five seconds (m).
fn sag(mut model: Model, iterations: u32) -> Result<f32, ModelError> {
    model.settings.iterations = iterations;
    let mut simulation = Simulation::new(model, Method::Lanes, 0)?;
    (0..300).for_each(|_| simulation.step());
    let lowest = |x: &[[f32; 3]]| x.iter().map(|x| x[1]).fold(f32::INFINITY, f32::min);
    Ok(lowest(simulation.model().positions()) - lowest(&simulation.positions()))
}

fn main() -> Result<(), ModelError> {
    println!("| iterations | cloth, PBD (m) | cloth, XPBD (m) | bar, PBD (m) | bar, XPBD (m) |");
    println!("|---|---|---|---|---|");
    for n in [20, 40, 80, 160] {
        // The 2006 method applies k in every projection: what is left of an error is (1 - k)^n.
        let pbd = Stiffness::Factor(1.0 - (1.0 - 0.02_f64).powi(n as i32));
        let mut row = format!("| {n} |");
        // A cloth hung from two corners; a bar held at one end, lying.
        let cloth = |stiffness| block([13, 1, 13], |[x, _, z]| z == 0 && x % 12 == 0, stiffness);
        let bar = |stiffness| block([17, 5, 5], |[x, ..]| x == 0, stiffness);
        for (body, alpha) in [(&cloth as &dyn Fn(Stiffness) -> _, 3e-3), (&bar, 5e-3)] {
            for stiffness in [pbd, Stiffness::Compliance(alpha)] {
                row += &format!(" {:.3} |", sag(body(stiffness)?, n)?);
            }
        }
        println!("{row}");
    }
    Ok(())
}
