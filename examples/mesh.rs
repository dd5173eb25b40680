//! Any OBJ mesh as a net of its edges, hung from its highest vertex:
//! `cargo run --release --example mesh -- bunny.obj` writes `mesh.png`, its state after two seconds; left out, a ball's.
use taut::constraints::Distance;
use taut::io::read_mesh;
use taut::mesh::unique_edges;
use taut::render::{Bounds, Camera, Canvas, write_png};
use taut::viewer::{Overlay, Stage};
use taut::{Method, Model, Simulation, Stiffness};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let path = std::env::args().nth(1).unwrap_or("scenes/ball.obj".into());
    let mesh = read_mesh(path.as_ref())?;
    let top = mesh.positions.iter().fold(f32::MIN, |y, x| y.max(x[1]));
    let mut model = Model::new();
    for x in &mesh.positions {
        let inverse_mass = if x[1] < top { 1.0 } else { 0.0 };
        model.add_particle(x.map(f64::from), [0.0; 3], inverse_mass)?;
    }
    for edge in unique_edges(&mesh.triangles) {
        model.add(Distance, edge, [None], Stiffness::Factor(1.0))?;
    }
    model.add_triangles(mesh.triangles);
    model.settings.substeps = 10;

    let mut simulation = Simulation::new(model, Method::Lanes, 0)?;
    (0..120).for_each(|_| simulation.step());
    let state = simulation.snapshot();
    let bounds = Bounds::of(&state.positions).ok_or("no vertices")?;
    let stage = Stage::new(simulation.model(), Overlay::Plain, bounds)?;
    let mut canvas = Canvas::new(2560, 1440);
    let camera = Camera::default().frame(bounds, 2560, 1440);
    stage.draw(&state, &camera, &mut canvas);
    write_png("mesh.png", &canvas.halve())?;
    println!("mesh.png: {:.1} s of {path}", state.time);
    Ok(())
}
