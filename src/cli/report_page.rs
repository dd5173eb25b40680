//! The page of a bench report: the ladder, ceilings, colors, phases, sizes, history, machine and pictures.

use super::html::{Bar, Html};
use crate::bench::{BenchReport, Column, Curve, Entry, Mark, Plot, inspect, rows};
use crate::runs::Run;
use crate::viewer::{Film, Overlay, Size};

/// Frames simulated for a picture, at most.
const MOST_FRAMES: f64 = 60.0;
const PICTURE: Size = Size(480, 270);
/// Curves that a legend has room for, beside the ceilings.
const MOST_CURVES: usize = 16;

/// A report, and the name that it goes by in the history.
pub struct Named {
    pub name: String,
    pub report: BenchReport,
}

/// The page of the last of some reports; the others are its history, oldest first. `seen` hears of each scene that is drawn.
pub fn page(reports: &[Named], seen: &mut dyn FnMut(&str)) -> Result<String, String> {
    let Some((Named { report, .. }, earlier)) = reports.split_last() else {
        return Err("no report".into());
    };
    let mut html = Html::new("How fast Taut is");
    let machine = &report.machine;
    html.text(&format!(
        "taut {} on {} cores of {}. {}; built for {} by {}. {}",
        report.taut,
        machine.cores,
        machine.cpu,
        machine.backend,
        machine.isa,
        machine.rustc,
        report.date
    ));
    let scenes = scenes(report);
    scene_pictures(&mut html, &scenes, seen);
    ladder(&mut html, &scenes);
    settings(&mut html, report);
    ceilings(&mut html, report)?;
    colors(&mut html, &scenes, seen);
    phases(&mut html, &scenes);
    sizes(&mut html, report)?;
    if !earlier.is_empty() {
        history(&mut html, reports)?;
    }
    Ok(html.finish())
}

/// The rungs of each scene of one size, under its name.
fn scenes(report: &BenchReport) -> Vec<(String, Vec<&Entry>)> {
    let mut scenes: Vec<(String, Vec<&Entry>)> = Vec::new();
    for entry in &report.runs {
        let name = entry.run.parse::<Run>().map(|run| run.scene().to_string());
        let name = name.unwrap_or_else(|_| entry.scene.clone());
        match scenes.iter_mut().find(|(known, _)| *known == name) {
            Some((_, entries)) => entries.push(entry),
            None => scenes.push((name, vec![entry])),
        }
    }
    scenes
}

/// The method and threads of a run.
fn rung(entry: &Entry) -> String {
    let at = entry.run.rfind('/').map_or(0, |at| at + 1);
    entry.run[at..].into()
}

fn scene_pictures(html: &mut Html, scenes: &[(String, Vec<&Entry>)], seen: &mut dyn FnMut(&str)) {
    let pictures = scenes.iter().filter_map(|(name, _)| {
        seen(name);
        Some((name.clone(), picture(name).ok()?))
    });
    html.pictures(&pictures.collect::<Vec<_>>());
}

/// The scene after a third of its time, as PNG.
fn picture(name: &str) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let mut opened = name.parse::<Run>()?.open(&[])?;
    let frames = opened.run.look().0 / opened.simulation.model().settings.dt / 3.0;
    for _ in 0..frames.min(MOST_FRAMES) as usize {
        opened.simulation.step();
    }
    let mut film = Film::new(&opened, Overlay::Plain, 1)?;
    film.add(&opened.simulation);
    film.last_png(&opened.simulation, PICTURE)
}

fn ladder(html: &mut Html, scenes: &[(String, Vec<&Entry>)]) {
    html.heading("The ladder");
    html.text("Steps a second of each way to run a scene, best of interleaved repeats: a longer bar is faster.");
    for (name, entries) in scenes {
        html.small_heading(name);
        let best = entries.iter().map(|entry| entry.ms_per_step).fold(f64::MAX, f64::min);
        let bar = |(i, entry): (usize, &&Entry)| {
            let speedup = entry.speedup.map_or(String::new(), |x| format!("  {x:.1}x"));
            let rate = entry.projections_per_second / 1e6;
            Bar {
                name: rung(entry),
                pieces: vec![(best / entry.ms_per_step.max(f64::MIN_POSITIVE), i)],
                text: format!("{:.3} ms  {rate:.0} M proj/s{speedup}", entry.ms_per_step),
            }
        };
        html.bars(&entries.iter().enumerate().map(bar).collect::<Vec<_>>());
    }
}

fn settings(html: &mut Html, report: &BenchReport) {
    html.heading("Runs and settings");
    let times = |x: Option<f64>| x.map_or("-".into(), |x| format!("{x:.2}"));
    let columns: [Column<Entry>; 14] = [
        ("run", &|e| e.run.clone()),
        ("particles", &|e| e.particles.to_string()),
        ("constraints", &|e| e.constraints.to_string()),
        ("bodies", &|e| e.bodies.to_string()),
        ("substeps", &|e| e.substeps.to_string()),
        ("iterations", &|e| e.iterations.to_string()),
        ("threads", &|e| e.threads.to_string()),
        ("best [ms/step]", &|e| format!("{:.3}", e.ms_per_step)),
        ("median [ms/step]", &|e| format!("{:.3}", e.ms_per_step_median)),
        ("M projections/s", &|e| format!("{:.1}", e.projections_per_second / 1e6)),
        ("x scalar", &|e| times(e.speedup)),
        ("residual [m]", &|e| format!("{:.2e}", e.residual)),
        ("overlap [m]", &|e| e.penetration.map_or("-".into(), |depth| format!("{depth:.1e}"))),
        ("hash", &|e| e.hash.clone()),
    ];
    // Of what no run has there is no column.
    let has = |of: &dyn Fn(&Entry) -> String| {
        report.runs.iter().any(|entry| !["0", "-"].contains(&of(entry).as_str()))
    };
    let columns: Vec<_> = columns.into_iter().filter(|(_, of)| has(of)).collect();
    html.table(&rows(&report.runs, &columns));
}

fn ceilings(html: &mut Html, report: &BenchReport) -> Result<(), String> {
    html.heading("Ceilings");
    html.text("What one core of this machine does at most, measured in the same call: memory read and written, and projections of distance rows that never leave the registers. Below it the share of its limit that each run reaches, where it is 1 % or more: of others most time goes to what is no row.");
    let limits = &report.ceilings;
    let memory = [
        ("L2", limits.l2_bytes_per_second),
        ("L3", limits.l3_bytes_per_second),
        ("DRAM", limits.dram_bytes_per_second),
    ];
    let most = memory.iter().map(|(_, bytes)| *bytes).fold(1.0, f64::max);
    let bar = |(i, (name, bytes)): (usize, &(&str, f64))| Bar {
        name: (*name).into(),
        pieces: vec![(bytes / most, i)],
        text: format!("{:.1} GB/s", bytes / 1e9),
    };
    html.bars(&memory.iter().enumerate().map(bar).collect::<Vec<_>>());
    let bounded = report.runs.iter().filter_map(|entry| Some((entry, entry.bound.as_ref()?)));
    let bounded = bounded.filter(|(_, bound)| bound.tells());
    let bar = |(entry, bound): (&Entry, &crate::bench::Bound)| Bar {
        name: entry.run.clone(),
        pieces: vec![(bound.share, color_of(&bound.what))],
        text: format!("{:.0} % of {}", 100.0 * bound.share, bound.what),
    };
    html.small_heading("Share of the limit");
    html.bars(&bounded.map(bar).collect::<Vec<_>>());
    roofline(html, report)
}

/// The color of a level of memory among the bars of all.
fn color_of(level: &str) -> usize {
    let levels = ["L2", "L3", "DRAM"];
    levels.iter().position(|known| *known == level).unwrap_or(levels.len())
}

fn roofline(html: &mut Html, report: &BenchReport) -> Result<(), String> {
    let limits = &report.ceilings;
    let point = |entry: &Entry| {
        let rate = entry.projections_per_second / 1e6 / entry.threads.max(1) as f64;
        let bytes = entry.bytes_per_projection?;
        Some(Curve { name: entry.run.clone(), points: vec![(1.0 / bytes, rate)], mark: Mark::Dots })
    };
    // By one thread and the lanes, one of each scene: beside them the others are far below.
    let lanes = report.runs.iter().filter(|e| e.method == "lanes" && e.threads == 1);
    let runs: Vec<Curve> = lanes.filter_map(point).take(MOST_CURVES).collect();
    if runs.is_empty() {
        return Ok(());
    }
    let places = || runs.iter().map(|run| run.points[0].0);
    let ends = [places().fold(f64::MAX, f64::min) / 4.0, places().fold(0.0, f64::max) * 4.0];
    let registers = limits.most_rows_per_second() / 1e6;
    let roof = |(name, bytes): (&str, f64)| {
        let at = |x: f64| (x, (x * bytes / 1e6).min(registers));
        let knee = (registers * 1e6 / bytes).clamp(ends[0], ends[1]);
        Curve {
            name: name.into(),
            points: vec![at(ends[0]), at(knee), at(ends[1])],
            mark: Mark::Line,
        }
    };
    let roofs = [
        ("registers, L2", limits.l2_bytes_per_second),
        ("L3", limits.l3_bytes_per_second),
        ("DRAM", limits.dram_bytes_per_second),
    ];
    let curves: Vec<Curve> = roofs.into_iter().map(roof).chain(runs).collect();
    html.plot(&Plot {
        title: "Roofline of one thread: limits, and where lanes@1 is",
        axes: ["projections a byte read or written [1/B]", "projections a second [M/s]"],
        logarithmic: [true; 2],
        curves: &curves,
        most: Some(f64::MAX),
        caption: &[],
    })
}

fn colors(html: &mut Html, scenes: &[(String, Vec<&Entry>)], seen: &mut dyn FnMut(&str)) {
    let mut found = Vec::new();
    for (name, _) in scenes {
        seen(name);
        let model = name.parse::<Run>().and_then(|run| run.load(&[]));
        let parts = model.ok().and_then(|file| inspect(&file.model).ok());
        let kinds = parts.into_iter().flat_map(|parts| parts.kinds);
        found.extend(kinds.map(|kind| (name.clone(), kind)));
    }
    if found.is_empty() {
        return;
    }
    html.heading("Colors");
    html.text("Rows of one color share no particle, so they are projected side by side. No coloring has fewer colors than the bound, the most rows that one particle is in; a tile may do with some of them.");
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    html.table(&rows(
        &found,
        &[
            ("scene", &|(scene, _)| scene.clone()),
            ("kind", &|(_, kind)| kind.kind.into()),
            ("rows", &|(_, kind)| kind.rows.to_string()),
            ("colors of a tile", &|(_, kind)| kind.colors.to_string()),
            ("bound", &|(_, kind)| kind.clique_bound.to_string()),
            ("largest / mean", &|(_, kind)| format!("{:.2}", kind.balance)),
            ("lanes filled", &|(_, kind)| percent(kind.lane_fill)),
            ("in run packets", &|(_, kind)| percent(kind.run_share)),
            ("bytes a row", &|(_, kind)| format!("{:.1}", kind.bytes_per_row)),
            ("flops a row", &|(_, kind)| kind.flops_per_row.to_string()),
        ],
    ));
}

fn phases(html: &mut Html, scenes: &[(String, Vec<&Entry>)]) {
    let mut names: Vec<String> = Vec::new();
    for phase in scenes.iter().flat_map(|(_, entries)| entries).flat_map(|entry| &entry.phases) {
        if !names.contains(&phase.name) {
            names.push(phase.name.clone());
        }
    }
    if names.is_empty() {
        return;
    }
    html.heading("Phases");
    html.text("What the time of a step goes to, as its first thread sees it: averages over all timed steps, so that their sum is more than the best step above.");
    html.key(&names);
    let color = |name: &String| names.iter().position(|known| known == name).unwrap_or(0);
    let all = scenes.iter().flat_map(|(_, entries)| entries);
    let bar = |entry: &&Entry| {
        let sum: f64 = entry.phases.iter().map(|phase| phase.ms).sum();
        let piece = |phase: &crate::bench::Phase| (phase.ms / sum.max(1e-12), color(&phase.name));
        let pieces = entry.phases.iter().map(piece).collect();
        Bar { name: entry.run.clone(), pieces, text: format!("{sum:.3} ms") }
    };
    html.bars(&all.map(bar).collect::<Vec<_>>());
}

/// Scenes that were run in more than one size.
fn sizes(html: &mut Html, report: &BenchReport) -> Result<(), String> {
    let mut curves: Vec<Curve> = Vec::new();
    for entry in report.runs.iter().filter(|entry| entry.constraints > 0) {
        let name = format!("{}/{}", entry.scene, rung(entry));
        let point = (entry.constraints as f64, entry.projections_per_second / 1e6);
        match curves.iter_mut().find(|curve| curve.name == name) {
            Some(curve) => curve.points.push(point),
            None => curves.push(Curve { name, points: vec![point], mark: Mark::Line }),
        }
    }
    curves.retain(|curve| curve.points.len() > 1);
    curves.truncate(MOST_CURVES);
    if curves.is_empty() {
        return Ok(());
    }
    curves.iter_mut().for_each(|curve| curve.points.sort_by(|a, b| a.0.total_cmp(&b.0)));
    html.heading("With size");
    html.plot(&Plot {
        title: "Projections a second against the size of the scene",
        axes: ["constraints", "projections a second [M/s]"],
        logarithmic: [true; 2],
        curves: &curves,
        most: Some(f64::MAX),
        caption: &[],
    })
}

/// The time of each run of the last report in all of them.
fn history(html: &mut Html, reports: &[Named]) -> Result<(), String> {
    html.heading("History");
    let last = &reports[reports.len() - 1].report;
    for named in reports.iter().filter(|named| named.report.machine != last.machine) {
        html.text(&format!(
            "{} is of another machine or build: {}.",
            named.name, named.report.machine.cpu
        ));
    }
    let of = |report: &BenchReport, run: &str| report.runs.iter().find(|e| e.run == run).cloned();
    let mut header: Vec<String> = vec!["run, ms/step".into()];
    header.extend(reports.iter().map(|named| named.name.clone()));
    header.extend(["last against first".into(), "bits".into()]);
    let (mut table, mut curves) = (vec![header], Vec::new());
    for entry in &last.runs {
        let found: Vec<Option<Entry>> =
            reports.iter().map(|named| of(&named.report, &entry.run)).collect();
        let mut row = vec![entry.run.clone()];
        row.extend(
            found
                .iter()
                .map(|e| e.as_ref().map_or("-".into(), |e| format!("{:.3}", e.ms_per_step))),
        );
        let first =
            found.iter().flatten().next().map_or(entry.ms_per_step, |first| first.ms_per_step);
        row.push(format!("{:.2}x", first / entry.ms_per_step));
        let before = found.iter().rev().skip(1).flatten().next();
        row.push(
            before
                .map_or("-", |before| if before.hash == entry.hash { "same" } else { "new" })
                .into(),
        );
        table.push(row);
        let points = (1..)
            .zip(&found)
            .filter_map(|(i, e)| Some((f64::from(i), first / e.as_ref()?.ms_per_step)));
        curves.push(Curve { name: entry.run.clone(), points: points.collect(), mark: Mark::Line });
    }
    html.table(&table);
    curves.truncate(MOST_CURVES);
    html.plot(&Plot {
        title: "Speed against the first report",
        axes: ["report", "times as fast"],
        logarithmic: [false; 2],
        curves: &curves,
        most: Some(f64::MAX),
        caption: &[],
    })
}
