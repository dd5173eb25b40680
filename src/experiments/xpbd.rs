//! Compliance: the force of a row against Newton's method (S2-01), PBD beside XPBD (S2-02).

use super::linear::solve;
use super::prelude::*;
use crate::constraints::{NeoHookean, StrainTetrahedron};
use crate::scenes::grid::TETRAHEDRA;
use crate::settings::Precision;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "xpbd-force", ids: &["S2-01"], run: force,
        about: "the force that holds a falling chain, by 50, 100 and 1000 iterations of XPBD, against Newton's method" },
    Experiment { name: "pbd-xpbd", ids: &["S2-02"], run: pbd_and_xpbd,
        about: "how far cloth and beam sag under PBD and XPBD at 20, 40, 80 and 160 iterations" },
];

/// Particles that fall, their links of 0.1 m, compliance (m/N) and step (s).
const LINKS: usize = 20;
const LENGTH: f64 = 0.1;
const ALPHA: f64 = 1e-8;
const STEP: f64 = 1.0 / 120.0;
const GRAVITY: Vec3<f64> = Vec3 { x: 0.0, y: -9.81, z: 0.0 };

/// The force of the pin after each step: what the momentum of all particles of 1 kg gains beside gravity's share (N).
fn pin_force(velocities: &[Vec<Vec3<f64>>]) -> Vec<f64> {
    let sum = |v: &[Vec3<f64>]| v.iter().fold(Vec3::zero(), |sum, v| sum + *v);
    let of = |pair: &[Vec<Vec3<f64>>]| {
        let gained = (sum(&pair[1]) - sum(&pair[0])) * (1.0 / STEP);
        (gained - GRAVITY * LINKS as f64).length()
    };
    velocities.windows(2).map(of).collect()
}

/// The chain by implicit Euler, M (x - x*) = ∇C λ and C + α/h² λ = 0 solved together in each step: velocities from the start.
fn newton(steps: usize) -> Vec<Vec<Vec3<f64>>> {
    let (h, alpha) = (STEP, ALPHA / (STEP * STEP));
    let mut x: Vec<Vec3<f64>> =
        (0..=LINKS).map(|i| Vec3::new(LENGTH * i as f64, 0.0, 0.0)).collect();
    let mut v = vec![Vec3::zero(); LINKS + 1];
    let mut film = vec![v[1..].to_vec()];
    let w = |i: usize| if i == 0 { 0.0 } else { 1.0 };
    for _ in 0..steps {
        let start = x.clone();
        let free = |i: usize| start[i] + (v[i] * h + GRAVITY * (h * h)) * w(i);
        let ahead: Vec<_> = (0..=LINKS).map(free).collect();
        x.clone_from(&ahead);
        let mut lambda = [0.0; LINKS];
        for _ in 0..60 {
            let n: Vec<_> = (0..LINKS).map(|k| unit(x[k + 1] - x[k])).collect();
            // M (x - x*) - ∇C λ of a particle: link k pulls its ends k and k + 1.
            let off = |i: usize| {
                let before = if i > 0 { n[i - 1] * lambda[i - 1] } else { Vec3::zero() };
                let after = if i < LINKS { n[i] * lambda[i] } else { Vec3::zero() };
                (x[i] - ahead[i] - before + after) * w(i)
            };
            let off: Vec<_> = (0..=LINKS).map(off).collect();
            let mut a = vec![vec![0.0; LINKS]; LINKS];
            let mut b = vec![0.0; LINKS];
            for k in 0..LINKS {
                let c = (x[k + 1] - x[k]).length() - LENGTH;
                b[k] = -c - alpha * lambda[k] + n[k].dot(off[k + 1] - off[k]);
                a[k][k] = w(k) + w(k + 1) + alpha;
                if k > 0 {
                    a[k][k - 1] = -n[k].dot(n[k - 1]);
                    a[k - 1][k] = a[k][k - 1];
                }
            }
            let change = solve(a, b).expect("a chain's matrix is positive definite");
            for i in 1..=LINKS {
                let after = if i < LINKS { n[i] * change[i] } else { Vec3::zero() };
                x[i] += n[i - 1] * change[i - 1] - after - off[i];
            }
            (0..LINKS).for_each(|k| lambda[k] += change[k]);
            if largest(change) < 1e-12 {
                break;
            }
        }
        v = (0..=LINKS).map(|i| (x[i] - start[i]) * (1.0 / h)).collect();
        film.push(v[1..].to_vec());
    }
    film
}

/// The same by the engine.
fn by_iterations(iterations: u32, steps: usize) -> Result<Vec<Vec<Vec3<f64>>>, ModelError> {
    let mut model = chain(LINKS, LENGTH, [1.0, 0.0, 0.0], Stiffness::Compliance(ALPHA))?;
    let settings = &mut model.settings;
    (settings.dt, settings.iterations, settings.precision) = (STEP, iterations, Precision::Carried);
    let mut simulation = Simulation::new(model, Method::Scalar, 1)?;
    let now =
        |simulation: &Simulation| simulation.velocities()[1..].iter().map(|v| point(*v)).collect();
    let mut film = vec![now(&simulation)];
    for _ in 0..steps {
        simulation.step();
        film.push(now(&simulation));
    }
    Ok(film)
}

fn force() -> Outcome {
    let mut report = Report::default();
    let steps = (0.5 / STEP) as usize;
    let at = |forces: &[f64]| -> Vec<(f64, f64)> {
        forces.iter().enumerate().map(|(i, f)| ((i + 1) as f64 * STEP, *f)).collect()
    };
    let settings = "20 links of 0.1 m, 1 kg each, α = 1e-8 m/N, let go level, h = 1/120 s, scalar";
    let title = "Force at the pin of a falling chain: XPBD against Newton's method";
    let mut figure = Figure::new("", title, ["time [s]", "force [N]"], [false; 2]).under(settings);
    let exact = pin_force(&newton(steps));
    let norm = |forces: &[f64]| forces.iter().map(|f| f * f).sum::<f64>().sqrt();
    let mut errors = Vec::new();
    figure.line("Newton", at(&exact));
    for iterations in [50, 100, 1000] {
        let found = pin_force(&by_iterations(iterations, steps)?);
        let off: Vec<f64> = found.iter().zip(&exact).map(|(a, b)| a - b).collect();
        errors.push((f64::from(iterations), norm(&off) / norm(&exact)));
        figure.line(format!("XPBD, {iterations} iterations"), at(&found));
    }
    report.figures.push(figure);
    let title = "Error of the force, root mean square, as a share of the force";
    let mut figure =
        Figure::new("error", title, ["iterations", "error"], [true; 2]).under(settings);
    figure.line("XPBD", errors.clone());
    // The paper's figures.
    figure.dots("XPBD 2016", vec![(50.0, 0.06), (100.0, 0.02), (1000.0, 0.005)]);
    report.figures.push(figure);
    let [few, more, many] = [0, 1, 2].map(|i| 100.0 * errors[i].1);
    report.claim(
        few > more && more > many && many < 0.5,
        format!("the error falls with iterations, to less than 0.5 %: {few:.2}, {more:.2}, {many:.3} % at 50, 100, 1000"),
    );
    Ok(report)
}

/// How long cloth and beam hang (s).
const SECONDS: f64 = 1.0;

/// 64 x 64 vertices, a metre square of 0.3 kg, held at two corners: edges, diagonals, and links over one vertex.
fn cloth(stiffness: Stiffness) -> Result<Model, ModelError> {
    const N: i32 = 64;
    let mut model = Model::new();
    let at = |x: i32, z: i32| (z * N + x) as u32;
    for i in 0..N * N {
        let (x, z) = (i % N, i / N);
        let w = if z == 0 && x % (N - 1) == 0 { 0.0 } else { f64::from(N * N) / 0.3 };
        model.add_particle([x, 0, z].map(|v| f64::from(v) / f64::from(N - 1)), [0.0; 3], w)?;
    }
    for (dx, dz) in [(1, 0), (0, 1), (1, 1), (-1, 1), (2, 0), (0, 2)] {
        for i in 0..N * N {
            let (x, z) = (i % N, i / N);
            if (0..N).contains(&(x + dx)) && z + dz < N {
                model.add(Distance, [at(x, z), at(x + dx, z + dz)], [None], stiffness)?;
            }
        }
    }
    (model.settings.damping, model.settings.substeps) = (2.0, 4);
    Ok(model)
}

/// A beam of 12 x 3 x 3 cells, 1 x 0.25 x 0.25 m and 100 kg/m³, held at one end: elements of E = 1e5 Pa and ν = 0.3, or of
/// strains with a stiffness.
fn beam(stiffness: Option<f64>) -> Result<Model, ModelError> {
    const CELLS: [usize; 3] = [12, 3, 3];
    let size = 1.0 / CELLS[0] as f64;
    let mut model = Model::new();
    (model.settings.dt, model.settings.damping) = (0.008, 2.0);
    let at = |[x, y, z]: [usize; 3]| ((x * (CELLS[1] + 1) + y) * (CELLS[2] + 1) + z) as u32;
    let places = |count: [usize; 3]| {
        let of = move |i: usize| [i / (count[1] * count[2]), i / count[2] % count[1], i % count[2]];
        (0..count.iter().product()).map(of)
    };
    for place in places(CELLS.map(|n| n + 1)) {
        // A corner has an eighth of each cell around it.
        let shares = (0..3).map(|k| if place[k] == 0 || place[k] == CELLS[k] { 0.5 } else { 1.0 });
        let mass = 100.0 * size.powi(3) * shares.product::<f64>();
        let w = if place[0] == 0 { 0.0 } else { 1.0 / mass };
        model.add_particle(place.map(|v| v as f64 * size), [0.0; 3], w)?;
    }
    for cell in places(CELLS) {
        for corners in TETRAHEDRA[cell.iter().sum::<usize>() % 2] {
            let corner = |i: usize| at([cell[0] + i % 2, cell[1] + i / 2 % 2, cell[2] + i / 4]);
            let corners = corners.map(corner);
            match stiffness {
                None => {
                    let material = NeoHookean::material(1e5, 0.3);
                    model.add(NeoHookean, corners, material, Stiffness::Material)?;
                }
                Some(k) => {
                    model.add(StrainTetrahedron, corners, [None; 6], Stiffness::Factor(k))?;
                }
            }
        }
    }
    Ok(model)
}

/// How far the lowest particle has come down in the end (m).
fn sag(mut model: Model, iterations: u32) -> Result<f64, ModelError> {
    (model.settings.iterations, model.settings.plain_stiffness) = (iterations, true);
    let frames = (SECONDS / model.settings.dt) as usize;
    let simulation = after(model, Method::Lanes, frames)?;
    let start = simulation.model().positions();
    let fall = |(x, start): (&[f32; 3], &[f32; 3])| f64::from(start[1] - x[1]);
    Ok(simulation.positions().iter().zip(start).map(fall).fold(0.0, f64::max))
}

/// What is built, and whether by PBD.
type Case = (&'static str, bool, fn() -> Result<Model, ModelError>);

const CLOTH: [Case; 2] = [
    ("PBD, k = 0.01", true, || cloth(Stiffness::Factor(0.01))),
    ("XPBD, α = 0.03 m/N", false, || cloth(Stiffness::Compliance(0.03))),
];
const BEAM: [Case; 2] = [
    ("PBD, strains, k = 0.05", true, || beam(Some(0.05))),
    ("XPBD, E = 1e5 Pa, ν = 0.3", false, || beam(None)),
];

fn pbd_and_xpbd() -> Outcome {
    let mut report = Report::default();
    let rows = cloth(Stiffness::Factor(1.0))?.row_count();
    report.claim(rows == 23_938, format!("the cloth has about 24 000 constraints: {rows}"));
    for (name, title, settings, cases) in [
        (
            "cloth",
            "Cloth: PBD stiffens with iterations, XPBD does not (S2-02)",
            "64 x 64 vertices, 23 938 distance rows, 1 m square, 0.3 kg, two corners held, after 1 s; 4 substeps, k in every projection; lanes",
            CLOTH,
        ),
        (
            "beam",
            "Beam: PBD stiffens with iterations, XPBD does not (S2-02)",
            "12 x 3 x 3 cells of five tetrahedra, 1 x 0.25 x 0.25 m, 100 kg/m³, one end held, after 1 s of 0.008 s steps; lanes",
            BEAM,
        ),
    ] {
        let axes = ["iterations", "sag [m]"];
        let mut figure = Figure::new(name, title, axes, [true; 2]).under(settings);
        for (case, pbd, build) in cases {
            let mut found = Vec::new();
            for iterations in [20, 40, 80, 160] {
                found.push((f64::from(iterations), sag(build()?, iterations)?));
            }
            let change = found[3].1 / found[0].1 - 1.0;
            let (holds, claim) = match pbd {
                true => (change < -0.2, "sags less and less, by more than a fifth"),
                false => (change.abs() < 0.05, "sags alike, within 5 %"),
            };
            let percent = 100.0 * change;
            report.claim(
                holds,
                format!("{name}, {case}: {claim}, from 20 to 160 iterations: {percent:+.1} %"),
            );
            figure.line(case, found);
        }
        report.figures.push(figure);
    }
    Ok(report)
}
