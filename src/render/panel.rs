//! Panels over a picture: text, and bars for the times of a step's phases.

use super::canvas::Canvas;
use super::text::{cell, text_size};

/// One bar of a chart.
#[derive(Clone, Copy, Debug)]
pub struct Bar<'a> {
    /// The name of the quantity.
    pub label: &'a str,
    /// The bar's length in the chart's own unit; zero or less draws none.
    pub value: f32,
    /// The figure as it is to be read, beside the bar.
    pub figure: &'a str,
    /// Color of the bar.
    pub color: u32,
}

/// Letters.
pub const INK: u32 = 0xF4_F6F8;
/// What is behind them.
pub const SHADE: u32 = 0x18_1D26;
const MARGIN: i32 = 8;

impl Canvas {
    /// Light text on a dark translucent rectangle, `at` its upper left corner. Returns the row below it.
    pub fn panel(&mut self, at: [i32; 2], text: &str) -> i32 {
        self.panel_enlarged(at, text, 1)
    }

    /// The same, so many times as large.
    pub fn panel_enlarged(&mut self, at: [i32; 2], text: &str, times: usize) -> i32 {
        let margin = MARGIN * times as i32;
        let size = text_size(text).map(|side| side * times as i32 + 2 * margin);
        self.rectangle(at, size, SHADE, 0.72);
        self.text_enlarged(at.map(|c| c + margin), text, INK, times);
        at[1] + size[1]
    }

    /// A bar chart on a dark translucent rectangle `width` pixels wide; a bar of value `full` has the whole length between
    /// labels and figures, and none is longer. Returns the row below it.
    pub fn bars(&mut self, at: [i32; 2], width: i32, bars: &[Bar], full: f32) -> i32 {
        let [letter, line] = cell();
        let widest = |text: fn(&Bar) -> usize| bars.iter().map(text).max().unwrap_or(0) as i32;
        let left = at[0] + 2 * MARGIN + letter * widest(|b| b.label.chars().count());
        let right = at[0] + width - 2 * MARGIN - letter * widest(|b| b.figure.chars().count());
        let height = bars.len() as i32 * line + 2 * MARGIN;
        self.rectangle(at, [width, height], SHADE, 0.72);
        for (y, bar) in (at[1] + MARGIN..).step_by(line as usize).zip(bars) {
            let share = (bar.value / full).max(0.0).min(1.0);
            let length = (share * (right - left).max(0) as f32) as i32;
            self.text([at[0] + MARGIN, y], bar.label, INK);
            self.rectangle([left, y + 2], [length, line - 4], bar.color, 1.0);
            let figure = letter * bar.figure.chars().count() as i32;
            let column = at[0] + width - MARGIN - figure;
            self.text([column, y], bar.figure, INK);
        }
        at[1] + height
    }
}
