//! A cloth hung from two corners, filmed in the colors of its stretch: `cargo run --release --example cloth` writes
//! `cloth.gif`. The scene comes from the catalogue, under smaller steps than it asks for, which hold it much stiffer.
use taut::runs::Run;
use taut::viewer::{Film, Overlay, Size};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let run: Run = "cloth:64/lanes".parse()?;
    let mut opened = run.open(&[("substeps", "20"), ("iterations", "2"), ("damping", "0.5")])?;
    let frames = 240;
    let mut film = Film::new(&opened, Overlay::Stretch, frames)?;
    for _ in 0..frames {
        opened.simulation.step();
        film.add(&opened.simulation);
    }
    film.write_gif(&opened.simulation, "cloth.gif".as_ref(), Size(640, 360), &mut |_, _| true)?;
    let seen = opened.simulation.observe();
    println!("cloth.gif: {:.1} s, residual {:.1e} m", opened.simulation.time(), seen.residual);
    Ok(())
}
