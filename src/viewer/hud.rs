//! Text over the picture: the run, its time and size, and the scale of the colors.

use super::overlay::scale_color;
use super::stage::Stage;
use super::viewer::{Cost, Viewer};
use crate::io::Run;
use crate::render::{Bar, Canvas, Font, color};
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::timers::PhaseTime;

const INK: u32 = 0xF4_F6F8;
const SHADE: u32 = 0x18_1D26;

/// What a run is called in a picture: scene, size and method, a file without its folders. Thread counts change no picture.
pub(super) fn title(run: &Run) -> String {
    let name = run
        .with(run.method.unwrap_or(Method::Lanes), None)
        .to_string();
    match run.catalogue() {
        Some(_) => name,
        None => {
            let method = name.rfind('/').unwrap_or(name.len());
            let folder = name[..method].rfind('/').map_or(0, |at| at + 1);
            name[folder..].into()
        }
    }
}

/// Particles and constraints, as the HUD counts them (S0-11).
pub(super) fn counts(simulation: &Simulation) -> String {
    let model = simulation.model();
    let (particles, constraints) = (model.positions().len(), model.constraint_count());
    format!("{particles} particles  {constraints} constraints")
}

/// One line at the upper left, as much of it as there is room for.
pub(super) fn line(canvas: &mut Canvas, text: &str) {
    let [letter, _] = Font::Small.cell();
    let room = (canvas.width() as i32 / letter - 4).max(0) as usize;
    let text: String = text.chars().take(room).collect();
    canvas.panel([8, 8], &text);
}

/// The scale of the overlay's colors at the lower right.
pub(super) fn legend(canvas: &mut Canvas, stage: &Stage) {
    let Some([least, most]) = stage.scale() else {
        return;
    };
    let name = stage.overlay().name();
    let [letter, high] = Font::Small.cell();
    let width = |text: &str| letter * text.chars().count() as i32;
    let bar = 120;
    let before = format!("{name}  {least} ");
    let after = format!(" {most}");
    let wide = width(&before) + bar + width(&after) + 16;
    let x = canvas.width() as i32 - wide - 8;
    let y = canvas.height() as i32 - high - 24;
    canvas.rectangle([x, y], [wide, high + 16], SHADE, 0.72);
    canvas.text([x + 8, y + 8], &before, INK, Font::Small);
    let from = x + 8 + width(&before);
    for i in 0..bar {
        let color = scale_color(stage.overlay(), i as f32 / (bar - 1) as f32);
        canvas.rectangle([from + i, y + 10], [1, high - 4], color, 1.0);
    }
    canvas.text([from + bar, y + 8], &after, INK, Font::Small);
}

/// What the viewer says at the upper left: simulated time, cost, sizes, settings (S0-11).
pub(super) fn figures(viewer: &Viewer, cost: Cost) -> String {
    let simulation = viewer.simulation();
    let settings = &simulation.model().settings;
    let lines = [
        title(viewer.run()),
        format!("time    {:.2} s", simulation.time()),
        format!("step    {:.2} ms", cost.step),
        format!("draw    {:.2} ms", cost.draw),
        counts(simulation),
        format!(
            "method  {}, {} threads",
            simulation.method().name(),
            simulation.threads()
        ),
        format!(
            "{} substeps, {} iterations",
            settings.substeps, settings.iterations
        ),
        format!("colors  {}", viewer.overlay().name()),
        format!("{}H: keys", if viewer.paused() { "paused, " } else { "" }),
    ];
    lines.join("\n")
}

/// The phases of a step as bars.
pub(super) fn bars(canvas: &mut Canvas, y: i32, phases: &[PhaseTime]) {
    let ms = |phase: &PhaseTime| phase.time.as_secs_f64() * 1e3;
    let figure = |phase: &PhaseTime| format!("{:.3} ms", ms(phase));
    let figures: Vec<String> = phases.iter().map(figure).collect();
    let rows = phases.iter().zip(&figures).enumerate();
    let bars: Vec<Bar> = rows
        .map(|(i, (phase, figure))| Bar {
            label: &phase.name,
            value: ms(phase) as f32,
            figure,
            color: color::distinct(i),
        })
        .collect();
    let full = phases.iter().map(ms).fold(1e-6, f64::max);
    if !bars.is_empty() {
        canvas.bars([8, y], 360, &bars, full as f32);
    }
}
