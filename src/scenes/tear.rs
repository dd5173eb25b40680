//! `tear`: a cloth in a frame, and a ball that falls through it.

use super::prelude::*;
use crate::rigid::{Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "tear", role: Watched, size: 40, seconds: 2.4, color: FLAG, sizes: (8, 512), build: tear, check: lets_the_ball_through,
        about: "N x N cloth held along its edges, torn by a ball of 20 kg that falls through it" },
];

/// Half the side of the cloth, and its height above the floor (m).
const HALF: f64 = 0.8;
const HEIGHT: f64 = 1.1;
/// Radius of the ball, and how far above the cloth it starts (m).
const BALL: f64 = 0.22;
const ABOVE: f64 = 0.25;
/// Radius around the points of the cloth (m).
const ROUND: f64 = 0.01;
/// An edge longer than 1 + this times its rest length breaks.
const STRAIN: f64 = 0.3;

fn tear(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let place = |x: f64, z: f64| [HALF * (2.0 * x - 1.0), HEIGHT, HALF * (2.0 * z - 1.0)];
    let rim = |i: usize| i == 0 || i == n - 1;
    let mut model = grid.cloth(0.5, place, |x, z| rim(x) || rim(z))?;
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    model.settings.damping = 0.5;
    let soft = Stiffness::Compliance(1e-5);
    let links = add(&mut model, Distance, grid.links(), [None], soft)?;
    let hinges =
        add(&mut model, Bending, grid.hinges(), [None], Stiffness::Damped(10.0, 1e-3))?;
    model.set_layout(grid.layout(vec![links, hinges]));
    let ball = rough(Shape::Sphere(BALL), Weight::Mass(20.0));
    model.add_body(ball.at([0.0, HEIGHT + BALL + ABOVE, 0.0], UPRIGHT))?;
    let (_, contacts) = on_the_floor(1, Detect::Substep)?;
    model.set_contacts(Contacts { radius: ROUND, friction: Some(0.4), ..contacts })?;
    let all = 0..model.triangles().len();
    model.add_tear(all, STRAIN, grid.len())?;
    Ok(model)
}

/// Nothing has torn before the ball is there; in the end it lies on the floor.
fn lets_the_ball_through(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let has_torn = model.copies().next().is_some();
    let reaches = (2.0 * ABOVE / 9.81).sqrt();
    ensure!(!has_torn || state.time > reaches; "it has torn before the ball is there");
    let through = state.bodies[0][1] < (HEIGHT - 2.0 * BALL) as f32;
    ensure!(has_torn || !through; "the ball is through, and nothing has torn");
    let late = state.time > 2.0 && is_as_built(model);
    ensure!(!late || through; "the cloth holds the ball");
    for (i, x, _) in particles(model, state) {
        ensure!(x[1] >= 0.0; "particle {i} is below the floor");
    }
    Ok(())
}
