//! A kind of constraint defined outside the crate: it runs in lanes, on threads, with stiffness or compliance, as it is.
use taut::constraints::{Constraint, Param, Range, Row, Sense, Source};
use taut::math::{Real, Vec3};
use taut::{Method, Model, Simulation, Stiffness};

/// A floor at a height: C = y - height >= 0.
struct Floor;

impl Constraint<1, 1> for Floor {
    const NAME: &'static str = "floor";
    const EQUATION: &'static str = "y - height >= 0";
    const SENSE: Sense = Sense::Inequality;
    const PARAMS: [Param; 1] = [Param::new("height", "m", Range::ANY, Source::Required)];

    fn evaluate<R: Real>([x]: [Vec3<R>; 1], [height]: [R; 1]) -> [Row<R, 1>; 1] {
        [Row { c: x.y - height, g: [Vec3::of([0.0, 1.0, 0.0])], n: R::of(1.0) }]
    }
}

fn main() -> Result<(), taut::ModelError> {
    let mut model = Model::new();
    for i in 0..1000 {
        let drop = model.add_particle([f64::from(i), f64::from(i % 10), 0.0], [0.0; 3], 1.0)?;
        model.add(Floor, [drop], [Some(0.0)], Stiffness::Factor(1.0))?;
    }
    let mut simulation = Simulation::new(model, Method::Lanes, 2)?;
    for _ in 0..120 {
        simulation.step();
    }
    let highest = simulation.positions().into_iter().map(|x| x[1]).fold(0.0, f32::max);
    println!("1000 particles fell from up to 9 m: after two seconds none is above {highest} m");
    Ok(())
}
