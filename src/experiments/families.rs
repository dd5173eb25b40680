//! Positions beside impulses: PBD and IBDS on one chain (S3-08).

use super::prelude::*;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "pbd-ibds", ids: &["S3-08"], run: pbd_and_ibds,
        about: "energy and residual of a swinging chain by PBD and by impulses" },
];

/// Links of the chain, one metre together.
const LINKS: usize = 10;
const FRAMES: usize = 240;

fn swinging(links: usize) -> Result<Model, ModelError> {
    let stiff = Stiffness::Factor(1.0);
    let mut model = chain(links, 1.0 / links as f64, [1.0, 0.0, 0.0], stiff)?;
    (model.settings.substeps, model.settings.iterations) = (4, 20);
    Ok(model)
}

/// How far positions are apart after one step of one row, of which both methods make the same projection (m).
fn one_row_apart() -> Result<f64, ModelError> {
    let positions = |method| -> Result<_, ModelError> {
        let mut model = swinging(1)?;
        (model.settings.substeps, model.settings.iterations) = (1, 1);
        Ok(after(model, method, 1)?.positions())
    };
    let (pbd, ibds) = (positions(Method::Scalar)?, positions(Method::Impulse)?);
    Ok((point(pbd[1]) - point(ibds[1])).length())
}

fn pbd_and_ibds() -> Outcome {
    let mut report = Report::default();
    let settings = "chain of 10 stiff links, 1 m, 1 kg a particle, let go level; 4 substeps x 20 iterations of 1/60 s";
    let time = "time [s]";
    let title = "Energy of a swinging chain: none is put in, all that is lost is the method's";
    let mut energy = Figure::new("energy", title, [time, "energy [J]"], [false; 2]).under(settings);
    let title = "The largest error of a link";
    let mut error =
        Figure::new("residual", title, [time, "error [m]"], [false, true]).under(settings);
    let mut ends = Vec::new();
    for (name, method) in [("PBD (scalar)", Method::Scalar), ("IBDS (impulse)", Method::Impulse)] {
        let mut simulation = Simulation::new(swinging(LINKS)?, method, 1)?;
        let start = simulation.observe().energy;
        let (mut energies, mut errors) = (Vec::new(), Vec::new());
        for _ in 0..FRAMES {
            simulation.step();
            let seen = simulation.observe();
            energies.push((simulation.time(), seen.energy - start));
            errors.push((simulation.time(), seen.residual_max));
        }
        let gained = largest(energies.iter().map(|p| p.1.max(0.0)));
        let lost = -energies[FRAMES - 1].1;
        ends.push((name, gained, lost, largest(errors.iter().map(|p| p.1))));
        energy.line(name, energies);
        error.line(name, errors);
    }
    report.figures.extend([energy, error]);
    // The chain's center of mass can fall by about half a metre.
    let most = 9.81 * LINKS as f64 * 0.55;
    for (name, gained, lost, error) in &ends {
        report.claim(
            *gained < 0.02 * most,
            format!("{name}: gains no energy ({gained:.2} J at most), loses {lost:.1} J in 4 s"),
        );
        report.note(format!("{name}: a link is off by {error:.1e} m at most"));
    }
    let apart = one_row_apart()?;
    report.claim(
        apart < 1e-6,
        format!(
            "of one row the position loop is a projection of PBD: {apart:.1e} m apart after a step"
        ),
    );
    Ok(report)
}
