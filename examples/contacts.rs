//! Particles in contact: a thousand balls with friction fall into a bin and come to rest.
use taut::collision::{Collider, Contacts};
use taut::{Method, Model, Simulation};

/// Radius of a ball, half the width of the bin (m).
const RADIUS: f64 = 0.02;
const HALF: f64 = 0.25;

fn main() -> Result<(), taut::ModelError> {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (4, 5);
    for i in 0..1000 {
        let [x, z, y] = [i % 10, i / 10 % 10, i / 100].map(f64::from);
        let at = |v: f64| 0.045 * (v - 4.5);
        // Every other layer a little aside, so that no ball stands upon another.
        let shift = 0.005 * (y % 2.0);
        model.add_particle(
            [at(x) + shift, 0.05 + 0.045 * y, at(z) - shift],
            [0.0; 3],
            1.0 / 0.05,
        )?;
    }
    model.set_contacts(Contacts {
        colliders: Collider::bin([-HALF, HALF], [-HALF, HALF])?,
        radius: RADIUS,
        friction: Some(0.4),
        pairs: true,
        ..Contacts::default()
    })?;

    let mut simulation = Simulation::new(model, Method::Lanes, 0)?;
    for _ in 0..4 {
        (0..30).for_each(|_| simulation.step());
        let seen = simulation.observe();
        let mean = simulation.positions().iter().map(|x| x[1]).sum::<f32>() / 1000.0;
        let (time, energy) = (simulation.time(), seen.energy);
        println!("after {time:.2} s: mean height {mean:.3} m, energy {energy:.2} J");
    }
    Ok(())
}
