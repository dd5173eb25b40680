//! Text over the picture: the run, its time and size, and the scale of the colors.

use super::overlay::scale_color;
use super::stage::Stage;
use crate::render::{Bar, Canvas, INK, SHADE, cell, color, text_size};
use crate::runs::Run;
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::timers::PhaseTime;

/// The time that simulation and drawing took lately, by the window's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    /// One frame step (ms).
    pub step: f64,
    /// One picture (ms).
    pub draw: f64,
}

impl Cost {
    /// What was shown, a tenth of the way to the last time (ms).
    pub fn smoothed(shown: f64, last: f64) -> f64 {
        if shown == 0.0 { last } else { 0.9 * shown + 0.1 * last }
    }
}

/// The name of a run in a picture: scene, size and method, a file without its folders. Thread counts change no picture.
pub(super) fn title(run: &Run) -> String {
    let method = run.method.unwrap_or(Method::Lanes);
    let name = run.with(method, None).to_string();
    if run.catalogue().is_some() {
        return name;
    }
    let method = name.rfind('/').unwrap_or(name.len());
    let folder = name[..method].rfind('/').map_or(0, |at| at + 1);
    name[folder..].into()
}

/// What the model has of particles, constraints, bodies and joints (S0-11).
pub(super) fn counts(simulation: &Simulation) -> String {
    let model = simulation.model();
    // Joints are constraints, but are told by themselves.
    let joints = model.joints().count();
    let all = [
        (model.positions().len(), ["particle", "particles"]),
        (model.constraint_count().saturating_sub(joints), ["constraint", "constraints"]),
        (model.bodies().len(), ["body", "bodies"]),
        (joints, ["joint", "joints"]),
    ];
    let counted = all.into_iter().filter(|(count, _)| *count > 0);
    let text = |(count, [one, many]): (usize, [&str; 2])| {
        format!("{count} {}", if count == 1 { one } else { many })
    };
    counted.map(text).collect::<Vec<_>>().join("  ")
}

/// How many times as large the text of a film's picture is, of so many lines: as readable on a large screen as on a small one.
pub(super) fn enlargement(height: usize) -> usize {
    (height / 540).max(1)
}

/// One line at the upper left, as much of it as there is room for.
pub(super) fn line(canvas: &mut Canvas, text: &str) {
    let times = enlargement(canvas.height());
    let [letter, _] = cell();
    let room = (canvas.width() as i32 / (letter * times as i32) - 4).max(0) as usize;
    let text: String = text.chars().take(room).collect();
    canvas.panel_enlarged([8 * times as i32; 2], &text, times);
}

/// The scale of the overlay's colors at the lower right, its text enlarged.
pub(super) fn legend(canvas: &mut Canvas, stage: &Stage, times: usize) {
    let Some([least, most]) = stage.scale() else {
        return;
    };
    let scaled = |pixels: i32| pixels * times as i32;
    let high = scaled(cell()[1]);
    let width = |text: &str| scaled(text_size(text)[0]);
    let bar = scaled(120);
    let before = format!("{}  {least} ", stage.overlay().name());
    let after = format!(" {most}");
    let wide = width(&before) + bar + width(&after) + scaled(16);
    let x = canvas.width() as i32 - wide - scaled(8);
    let y = canvas.height() as i32 - high - scaled(24);
    canvas.rectangle([x, y], [wide, high + scaled(16)], SHADE, 0.72);
    canvas.text_enlarged([x + scaled(8), y + scaled(8)], &before, INK, times);
    let from = x + scaled(8) + width(&before);
    for i in 0..bar {
        let color = scale_color(stage.overlay(), i as f32 / (bar - 1) as f32);
        canvas.rectangle([from + i, y + scaled(10)], [1, high - scaled(4)], color, 1.0);
    }
    canvas.text_enlarged([from + bar, y + scaled(8)], &after, INK, times);
}

/// Simulated time, cost, sizes and settings, at the upper left (S0-11).
pub(super) fn figures(
    run: &Run,
    simulation: &Simulation,
    cost: Cost,
    penetration: Option<f64>,
) -> String {
    let settings = &simulation.model().settings;
    let (method, threads) = (simulation.method().name(), simulation.threads());
    let (substeps, iterations) = (settings.substeps, settings.iterations);
    let found = simulation.counts().into_iter();
    let found = found.map(|(name, count)| format!("{count} {name}")).collect::<Vec<_>>();
    let mut lines = vec![
        title(run),
        format!("time    {:.2} s", simulation.time()),
        format!("step    {:.2} ms", cost.step),
        format!("draw    {:.2} ms", cost.draw),
        counts(simulation),
        format!("method  {method}, {threads} threads"),
        format!("{substeps} substeps, {iterations} iterations"),
    ];
    lines.extend(found.chunks(3).map(|some| some.join("  ")));
    lines.extend(penetration.map(|depth| format!("overlap {:.2} mm", 1e3 * depth)));
    lines.join("\n")
}

/// Columns that bars take.
const BARS: i32 = 320;

/// Columns that these figures take, or the bars below them, where those are wider.
pub(super) fn columns(figures: &str) -> i32 {
    8 + BARS.max(text_size(figures)[0] + 16) + 8
}

/// The phases of a step as bars between two rows, as many as there is room for.
pub(super) fn bars(canvas: &mut Canvas, [y, bottom]: [i32; 2], phases: &[PhaseTime]) {
    let [_, line] = cell();
    let phases = &phases[..phases.len().min(((bottom - y) / line - 1).max(0) as usize)];
    let ms = |phase: &PhaseTime| phase.time.as_secs_f64() * 1e3;
    let figures = phases.iter().map(|phase| format!("{:.3} ms", ms(phase)));
    let figures: Vec<String> = figures.collect();
    let rows = phases.iter().zip(&figures).enumerate();
    let bars = rows.map(|(i, (phase, figure))| Bar {
        label: &phase.name,
        value: ms(phase) as f32,
        figure,
        color: color::distinct(i),
    });
    let full = phases.iter().map(ms).fold(1e-6, f64::max);
    if !phases.is_empty() {
        canvas.bars([8, y], BARS, &bars.collect::<Vec<_>>(), full as f32);
    }
}
