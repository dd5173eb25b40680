//! Three families of dynamics on one chain (S1-01): forces (explicit springs, in this example only), impulses and positions.
//! Where does each blow up?
//!
//! ```sh
//! cargo run --release --example three_families
//! ```

use taut::constraints::Distance;
use taut::{Method, Model, ModelError, Simulation, Stiffness};

const LINKS: usize = 10;
const LENGTH: f64 = 0.1;
const GRAVITY: f64 = 9.81;
/// Stiffness of the explicit springs (N/m); the others hold the links with compliance 1 / k.
const STIFFNESS: f64 = 1e5;
const SECONDS: f64 = 2.0;

fn main() -> Result<(), ModelError> {
    println!(
        "{LINKS} links of {LENGTH} m and 1 kg, k = {STIFFNESS:e} N/m, let go level, {SECONDS} s;"
    );
    println!("largest stretch of a link (%), by the step:\n");
    println!("{:>10} {:>16} {:>12} {:>12}", "step", "forces (explicit)", "impulses", "positions");
    for rate in [15, 30, 60, 100, 200, 500, 1000, 2000, 5000] {
        let h = 1.0 / f64::from(rate);
        let steps = (SECONDS / h) as usize;
        let [forces, impulses, positions] =
            [springs(h, steps), chain(h, steps, Method::Impulse)?, chain(h, steps, Method::Lanes)?]
                .map(|stretch| match stretch < 10.0 {
                    true => format!("{:.3}", 100.0 * stretch),
                    false => "blown up".into(),
                });
        println!("{:>10} {forces:>16} {impulses:>12} {positions:>12}", format!("1/{rate} s"));
    }
    let limit = 2.0 / (4.0 * STIFFNESS).sqrt();
    println!("\nexplicit springs need h < 2 sqrt(m / 4k) = 1/{:.0} s", 1.0 / limit);
    Ok(())
}

/// Forces accumulated, accelerations integrated twice (symplectic Euler): the largest stretch met.
fn springs(h: f64, steps: usize) -> f64 {
    let mut x: Vec<[f64; 2]> = (0..=LINKS).map(|i| [i as f64 * LENGTH, 0.0]).collect();
    let mut v = [[0.0; 2]; LINKS + 1];
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        let mut force = [[0.0, -GRAVITY]; LINKS + 1];
        for i in 0..LINKS {
            let d = [x[i + 1][0] - x[i][0], x[i + 1][1] - x[i][1]];
            let length = d[0].hypot(d[1]);
            for axis in 0..2 {
                let pull = STIFFNESS * (length - LENGTH) * d[axis] / length;
                force[i][axis] += pull;
                force[i + 1][axis] -= pull;
            }
        }
        for i in 1..=LINKS {
            for axis in 0..2 {
                v[i][axis] += h * force[i][axis];
                x[i][axis] += h * v[i][axis];
            }
            let length = (x[i][0] - x[i - 1][0]).hypot(x[i][1] - x[i - 1][1]);
            let stretch = (length / LENGTH - 1.0).abs();
            worst = if stretch <= worst { worst } else { stretch }; // not a number counts
        }
    }
    if worst.is_nan() { f64::INFINITY } else { worst }
}

/// The same chain by a method of the engine, 20 iterations.
fn chain(h: f64, steps: usize, method: Method) -> Result<f64, ModelError> {
    let mut model = Model::new();
    (model.settings.dt, model.settings.iterations) = (h, 20);
    for i in 0..=LINKS {
        let w = if i == 0 { 0.0 } else { 1.0 };
        model.add_particle([i as f64 * LENGTH, 0.0, 0.0], [0.0; 3], w)?;
    }
    for i in 0..LINKS as u32 {
        let stiffness = Stiffness::Compliance(1.0 / STIFFNESS);
        model.add(Distance, [i, i + 1], [None], stiffness)?;
    }
    let mut simulation = Simulation::new(model, method, 1)?;
    let mut worst = 0.0_f64;
    for _ in 0..steps {
        simulation.step();
        for pair in simulation.positions().windows(2) {
            let d: [f64; 3] = std::array::from_fn(|a| f64::from(pair[1][a] - pair[0][a]));
            let length = d.iter().map(|d| d * d).sum::<f64>().sqrt();
            worst = worst.max((length / LENGTH - 1.0).abs());
        }
    }
    Ok(worst)
}
