//! The smallest use of the engine: a chain of three particles, one second of it.
use taut::constraints::Distance;
use taut::{Method, Model, Simulation, Stiffness};

fn main() -> Result<(), taut::ModelError> {
    let mut model = Model::new();
    let pin = model.add_particle([0.0, 0.0, 0.0], [0.0; 3], 0.0)?; // inverse mass 0: held
    let a = model.add_particle([1.0, 0.0, 0.0], [0.0; 3], 1.0)?;
    let b = model.add_particle([2.0, 0.0, 0.0], [0.0; 3], 1.0)?;
    model.add(Distance, [pin, a], [None], Stiffness::Factor(1.0))?; // PBD, rest length measured
    model.add(Distance, [a, b], [Some(1.0)], Stiffness::Compliance(1e-6))?; // XPBD

    let mut simulation = Simulation::new(model, Method::Lanes, 1)?;
    for _ in 0..60 {
        simulation.step();
    }
    println!("after {:.2} s: {:?}", simulation.time(), simulation.positions());
    Ok(())
}
