//! `tear`: a cloth between two posts, and a ball that is thrown through it.

use super::prelude::*;
use crate::rigid::{Shape, Weight};

#[rustfmt::skip]
pub(super) const SCENES: &[Scene] = &[
    Scene { name: "tear", role: Watched, size: 40, seconds: 2.4, color: CLOTH, sizes: (12, 512), build: tear, check: lets_the_ball_through,
        about: "N x N cloth between two posts, torn by a ball of 10 kg that is thrown through it" },
];

/// Half the side of the cloth, and its height (m).
const HALF: f64 = 0.9;
const TOP: f64 = 2.1;
/// Radius of the ball, how far from the cloth it starts (m), and how fast it is towards it (m/s).
const BALL: f64 = 0.24;
const AWAY: f64 = 1.2;
const SPEED: f64 = 5.0;
/// Radius around the points of the cloth (m).
const ROUND: f64 = 0.01;
/// An edge longer than 1 + this times its rest length breaks.
const STRAIN: f64 = 0.3;

fn tear(n: usize) -> Result<Model, ModelError> {
    let grid = Grid::sheet(n);
    let place = |x: f64, z: f64| [HALF * (2.0 * x - 1.0), TOP - 2.0 * HALF * z, 0.0];
    let mut model = grid.cloth(0.6, place, |x, _| x == 0 || x == n - 1)?;
    (model.settings.substeps, model.settings.iterations) = (8, 2);
    model.settings.damping = 0.5;
    let soft = Stiffness::Compliance(1e-5);
    let links = add(&mut model, Distance, grid.links(), [None], soft)?;
    let bending = Stiffness::Damped(100.0, 1e-3);
    let hinges = add(&mut model, Bending, grid.hinges(), [None], bending)?;
    model.set_layout(grid.layout(vec![links, hinges]));
    let mut ball = rough(Shape::Sphere(BALL), Weight::Mass(10.0));
    ball.velocity = [0.0, 2.0, -SPEED];
    model.add_body(ball.at([0.0, TOP - 1.1 * HALF, AWAY], UPRIGHT))?;
    let (_, contacts) = on_the_floor(1, Detect::Substep)?;
    model.set_contacts(Contacts { radius: ROUND, friction: Some(0.4), ..contacts })?;
    model.add_tear(0..model.triangles().len(), STRAIN, grid.len())?;
    Ok(model)
}

/// Nothing has torn before the ball is there; where it is through, something has; and in a second it is.
fn lets_the_ball_through(model: &Model, state: &Snapshot) -> Outcome {
    finite(model, state)?;
    let has_torn = model.copies().next().is_some();
    let is_early = state.time * SPEED < AWAY - BALL - ROUND;
    ensure!(!(has_torn && is_early); "it has torn before the ball is there");
    let through = f64::from(state.bodies[0][2]) < -HALF;
    ensure!(has_torn || !through; "the ball is through, and nothing has torn");
    let is_late = state.time >= 1.0 && is_as_built(model);
    ensure!(through || !is_late; "the cloth holds the ball");
    for (i, x, _) in particles(model, state) {
        ensure!(x[1] >= 0.0; "particle {i} is below the floor");
    }
    Ok(())
}
