//! Coarse levels: how long cloth hangs against iterations, with and without them (S1-40).

use super::prelude::*;
use crate::scenes::Scene;

#[rustfmt::skip]
pub(super) const EXPERIMENTS: &[Experiment] = &[
    Experiment { name: "hierarchy", ids: &["S1-40"], run: hierarchy,
        about: "how long a hanging sheet is against iterations, with coarse levels and without" },
];

/// Vertices along a side.
const SIDE: usize = 64;
const ITERATIONS: [u32; 7] = [5, 10, 20, 40, 80, 160, 320];
/// With levels it hangs as it should from ten on, so that more than these show nothing new.
const WITH_LEVELS: usize = 4;

/// From a pin to the corner that hangs below it, after five seconds in air that slows it down (m).
fn side(levels: u32, iterations: u32) -> Result<f64, ModelError> {
    let mut model = Scene::find("cloth").expect("a scene").model(Some(SIDE))?;
    let settings = &mut model.settings;
    (settings.hierarchy, settings.iterations, settings.damping) = (levels, iterations, 1.0);
    let x = after(model, Method::Lanes, 300)?.positions();
    Ok((point(x[SIDE * (SIDE - 1)]) - point(x[0])).length())
}

fn hierarchy() -> Outcome {
    let mut report = Report::default();
    let title = "A metre of cloth hung from two corners: coarse levels hold it in few iterations";
    let mut figure = Figure::new("", title, ["iterations", "side [m]"], [true; 2])
        .under("cloth:64, lanes, 1 substep of 1/60 s, 5 s, damping 1/s; line: the length at rest");
    for (levels, name) in [(0, "no levels"), (2, "2 levels"), (6, "as many levels as there are")] {
        let mut found = Vec::new();
        let shown = if levels == 0 { ITERATIONS.len() } else { WITH_LEVELS };
        for &iterations in &ITERATIONS[..shown] {
            found.push((f64::from(iterations), side(levels, iterations)?));
        }
        let (_, ten) = found[1];
        match levels {
            0 => report.claim(ten > 1.2, format!("without levels ten iterations leave {ten:.2} m")),
            2 => {}
            _ => {
                let what = format!("with levels ten iterations leave {ten:.3} m (at most 1.05)");
                report.claim(ten < 1.05, what);
            }
        }
        figure.dots(name, found);
    }
    figure.expected(ITERATIONS.map(|n| (f64::from(n), 1.0)).to_vec());
    report.figures.push(figure);
    Ok(report)
}
