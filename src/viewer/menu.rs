//! What can be clicked beside the picture: all scenes; method, lanes, threads and response, each with the time of a step by it.

use super::setup::{Rates, Setup};
use crate::render::{Canvas, INK, SHADE, cell, text_size};
use crate::scenes::{self, Role};
use crate::settings::ResponseMode;
use crate::solvers::Method;

/// The scene after one of that name, in a circle; the first after a scene file.
pub(super) fn next_scene(name: &str) -> &'static str {
    let mut names = scenes::all().chain(scenes::all()).map(|scene| scene.name);
    names.find(|other| *other == name);
    names.next().or(scenes::all().map(|scene| scene.name).next()).unwrap_or("")
}

/// Something that can be chosen.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Choice {
    Scene(&'static str),
    Setup(Setup),
}

/// A text on the picture that can be clicked.
struct Entry {
    corner: [i32; 2],
    text: String,
    choice: Option<Choice>,
    is_chosen: bool,
}

/// All that can be clicked on a picture of one size.
#[derive(Default)]
pub(super) struct Menu {
    panels: Vec<[[i32; 2]; 2]>,
    entries: Vec<Entry>,
}

const MARGIN: i32 = 8;
/// Color of what is chosen, and of what is chosen behind its text.
const CHOSEN: u32 = 0x3B_78C4;
/// Narrower pictures have no menu: keys do all of it.
const LEAST_WIDTH: usize = 800;

impl Menu {
    /// The menu of a picture of `size` (pixels) where `scene` runs by `setup`, on up to so many threads.
    pub fn of(size: [usize; 2], scene: &str, setup: Setup, threads: usize, rates: &Rates) -> Self {
        let mut menu = Self::default();
        if size[0] >= LEAST_WIDTH {
            let size = size.map(|side| side as i32);
            menu.add_scenes(size, scene);
            menu.add_setups(size, setup, threads, rates);
        }
        menu
    }

    /// Scenes in columns at the right.
    fn add_scenes(&mut self, [width, height]: [i32; 2], scene: &str) {
        let [letter, line] = cell();
        let names: Vec<_> =
            scenes::all().filter(|s| s.role != Role::Timed).map(|s| s.name).collect();
        let rows = ((height - 3 * line) / line).max(1) as usize;
        let longest = names.iter().map(|name| name.len()).max().unwrap_or(0) as i32;
        let columns = names.len().div_ceil(rows);
        let wide = letter * (longest + 2);
        let size = [columns as i32 * wide, names.len().min(rows) as i32 * line];
        let corner = [width - size[0] - 3 * MARGIN, MARGIN];
        self.panels.push([corner, size.map(|side| side + 2 * MARGIN)]);
        for (i, name) in names.into_iter().enumerate() {
            let at = [(i / rows) as i32 * wide, (i % rows) as i32 * line];
            self.entries.push(Entry {
                corner: [0, 1].map(|k| corner[k] + MARGIN + at[k]),
                text: name.into(),
                choice: Some(Choice::Scene(name)),
                is_chosen: name == scene,
            });
        }
    }

    /// A row for each of method, lanes, threads and response, at the lower left.
    fn add_setups(&mut self, [_, height]: [i32; 2], setup: Setup, threads: usize, rates: &Rates) {
        let [letter, line] = cell();
        let methods =
            Method::ALL.map(|method| (method.name().to_string(), Setup { method, ..setup }));
        let widths =
            [8, 16].map(|width| (width.to_string(), Setup { width: Some(width), ..setup }));
        let count = if setup.method.threaded() { threads.min(8) } else { 1 };
        let threads = 1..=count;
        let threads = threads.map(|threads| (threads.to_string(), Setup { threads, ..setup }));
        let responses = ResponseMode::ALL;
        let responses = responses.map(|r| (r.name().to_string(), Setup { response: r, ..setup }));
        let rows: [(&str, Vec<(String, Setup)>); 4] = [
            ("method", methods.into()),
            ("lanes", widths.into()),
            ("threads", threads.collect()),
            ("response", responses.into()),
        ];
        let corner = [MARGIN, height - 5 * line - 3 * MARGIN];
        let mut widest = 0;
        let title = |text: &str, row: i32, menu: &mut Self| {
            let at = [corner[0] + MARGIN, corner[1] + MARGIN + row * line];
            let text = text.to_string();
            menu.entries.push(Entry { corner: at, text, choice: None, is_chosen: false });
        };
        title("ms a step, where it was tried; click to switch", 0, self);
        for (row, (name, choices)) in (1..).zip(rows) {
            title(name, row, self);
            let mut column = corner[0] + MARGIN + 10 * letter;
            for (name, choice) in choices {
                let text = match rates.of(choice) {
                    Some(ms) => format!("{name} {ms:.2}"),
                    None => name,
                };
                let wide = text_size(&text)[0];
                self.entries.push(Entry {
                    corner: [column, corner[1] + MARGIN + row * line],
                    text,
                    is_chosen: choice == setup,
                    choice: Some(Choice::Setup(choice)),
                });
                column += wide + 2 * letter;
            }
            widest = widest.max(column);
        }
        self.panels.push([corner, [widest - corner[0], 5 * line + 2 * MARGIN]]);
    }

    /// Where the lowest panel at the left begins.
    pub fn lower_left(&self, height: usize) -> i32 {
        self.panels.last().map_or(height as i32, |[corner, _]| corner[1])
    }

    /// The part of a picture of `size` that is hidden neither by the menu nor by what is at the left, `left` pixels wide: its
    /// first and last column and row. All of it where too little is left.
    pub fn free(&self, size: [usize; 2], left: i32) -> [[i32; 2]; 2] {
        let whole = size.map(|side| side as i32);
        let right = self.panels.first().map_or(whole[0], |[corner, _]| corner[0]) - MARGIN;
        match right - left >= whole[0] / 4 {
            true => [[left, 0], [right, self.lower_left(size[1])]],
            false => [[0, 0], whole],
        }
    }

    /// What is chosen by a click at a column and row.
    pub fn hit(&self, at: [f32; 2]) -> Option<&Choice> {
        let within = |entry: &&Entry| {
            let size = text_size(&entry.text);
            (0..2).all(|k| {
                let from = entry.corner[k] as f32 - 2.0;
                (from..from + size[k] as f32 + 4.0).contains(&at[k])
            })
        };
        self.entries.iter().filter(within).find_map(|entry| entry.choice.as_ref())
    }

    /// Whether a column and row are on a panel.
    pub fn covers(&self, at: [f32; 2]) -> bool {
        let within = |[corner, size]: &[[i32; 2]; 2]| {
            (0..2).all(|k| (corner[k] as f32..(corner[k] + size[k]) as f32).contains(&at[k]))
        };
        self.panels.iter().any(within)
    }

    pub fn draw(&self, canvas: &mut Canvas) {
        for [corner, size] in &self.panels {
            canvas.rectangle(*corner, *size, SHADE, 0.72);
        }
        for entry in &self.entries {
            if entry.is_chosen {
                let [x, y] = entry.corner;
                let [wide, high] = text_size(&entry.text);
                canvas.rectangle([x - 3, y], [wide + 6, high], CHOSEN, 1.0);
            }
            canvas.text(entry.corner, &entry.text, INK);
        }
    }
}
