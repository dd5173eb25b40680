//! Water: a column breaks in a trough. `fluid` prints how far it has come and how dense it is.
use taut::collision::{Collider, Contacts};
use taut::groups::{Fluid, FluidNumbers};
use taut::{Method, Model, Simulation};

fn main() -> Result<(), taut::ModelError> {
    let mut model = Model::new();
    model.settings.dt = 1.0 / 240.0;
    model.settings.iterations = 5;
    // 1000 kg/m³ in particles of 2.5 cm radius, each half a decimetre from the next.
    let numbers = FluidNumbers { radius: 0.025, viscosity: 0.02, ..FluidNumbers::default() };
    for i in 0..4000 {
        let [x, z, y] = [i % 16, i / 16 % 10, i / 160].map(|c| 0.05 * (f64::from(c) + 0.5));
        model.add_particle([x, y, z], [0.0; 3], 1.0 / numbers.mass())?;
    }
    let water = Fluid::new(&model, (0..4000).collect(), numbers.clone())?;
    model.add_subsystem(water)?;
    model.set_contacts(Contacts {
        colliders: Collider::bin([0.0, 2.4], [0.0, 0.5])?,
        radius: numbers.radius,
        ..Contacts::default()
    })?;

    let mut simulation = Simulation::new(model, Method::Lanes, 0)?;
    for _ in 0..5 {
        (0..48).for_each(|_| simulation.step());
        let x = simulation.positions();
        let front = x.iter().map(|x| x[0]).fold(0.0, f32::max);
        let depth = 2.0 * x.iter().map(|x| x[1]).sum::<f32>() / x.len() as f32;
        println!(
            "after {:.1} s: front at {front:.2} m, mean depth {depth:.2} m",
            simulation.time()
        );
    }
    Ok(())
}
