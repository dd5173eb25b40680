//! A scene file run from a program: `cargo run --release --example scene_file -- scenes/bridge.json` prints what is in it, and
//! how it is two seconds later.
use taut::runs::Run;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "scenes/swing.json".into());
    // The same names as on the command line: `cloth:64/lanes@2` and `scenes/swing.json/scalar` will do, too.
    let run: Run = name.parse()?;
    let mut opened = run.open(&[("damping", "0.1")])?;
    opened.warnings.iter().for_each(|warning| println!("{warning}"));
    let model = opened.simulation.model();
    let (particles, bodies) = (model.positions().len(), model.bodies().len());
    println!("{name}: {particles} particles, {bodies} bodies, {} rows", model.row_count());
    while opened.simulation.time() < 2.0 {
        opened.simulation.step();
    }
    let (state, seen) = (opened.simulation.snapshot(), opened.simulation.observe());
    println!(
        "after {:.2} s: energy {:.3} J, residual {:.1e} m",
        state.time, seen.energy, seen.residual
    );
    if let Some(last) = state.positions.last() {
        println!("the last particle is at {last:?}");
    }
    if let Some([x, y, z, ..]) = state.bodies.last() {
        println!("the last body is at [{x}, {y}, {z}]");
    }
    Ok(())
}
