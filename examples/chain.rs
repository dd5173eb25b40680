//! A chain of ten heavy links swings from one end (S0-12): `cargo run --release --example chain` writes `chain.gif`. The
//! model is made by hand, and drawn frame by frame.
use taut::constraints::Distance;
use taut::render::{Bounds, Camera, Canvas, write_gif};
use taut::viewer::{Overlay, Stage};
use taut::{Method, Model, Simulation, Stiffness};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut model = Model::new();
    for i in 0..=10 {
        let inverse_mass = if i == 0 { 0.0 } else { 1.0 };
        model.add_particle([0.2 * f64::from(i), 0.0, 0.0], [0.0; 3], inverse_mass)?;
    }
    for i in 0..10 {
        model.add(Distance, [i, i + 1], [None], Stiffness::Compliance(1e-8))?;
    }
    model.settings.substeps = 20;

    let mut simulation = Simulation::new(model, Method::Scalar, 1)?;
    let mut states = Vec::new();
    for _ in 0..180 {
        simulation.step();
        states.push(simulation.snapshot());
    }
    let bounds = Bounds::of(states.iter().flat_map(|s| &s.positions)).ok_or("no motion")?;
    let mut stage = Stage::new(simulation.model(), Overlay::Speed, bounds)?;
    states.iter().for_each(|state| stage.include(state));
    let camera = Camera::default().frame(bounds, 640, 360);
    write_gif("chain.gif", 90, 2.0 / 60.0, |i| {
        let mut canvas = Canvas::new(1280, 720);
        stage.draw(&states[2 * i], &camera, &mut canvas);
        Some(canvas.halve())
    })?;
    println!("chain.gif: {:.1} s of a chain", simulation.time());
    Ok(())
}
