//! Curves as SVG files (crate `plotters`): axes with units, a legend beside the curves, nothing cut off.

use crate::files::{OutputFile, WriteError};
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, ValueFormatter};
use plotters::prelude::*;
use std::io::Error;
use std::path::Path;

/// How a curve is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Points joined by a line.
    Line,
    /// Each point by itself.
    Dots,
    /// A thin line in the color of the curve before it, without a place in the legend: what that one should be.
    Expected,
}

/// Points under a name.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The legend's word.
    pub name: String,
    /// x and y; a point that is not finite, or not positive on a logarithmic axis, is left out.
    pub points: Vec<(f64, f64)>,
    /// How it is drawn.
    pub mark: Mark,
}

/// A picture of curves.
#[derive(Clone, Debug)]
pub struct Plot<'a> {
    /// One line above the picture.
    pub title: &'a str,
    /// The axes' names, with units: x and y.
    pub axes: [&'a str; 2],
    /// Which axes are logarithmic: x and y.
    pub logarithmic: [bool; 2],
    /// The curves.
    pub curves: &'a [Curve],
    /// The largest y that is shown; where nothing is said, curves that have diverged leave the picture.
    pub most: Option<f64>,
    /// Lines below the picture.
    pub caption: &'a [String],
}

/// Colors that color-blind readers can distinguish (Okabe and Ito 2008), black first.
#[rustfmt::skip]
const COLORS: [(u8, u8, u8); 8] = [
    (0, 0, 0), (0, 114, 178), (213, 94, 0), (0, 158, 115), (204, 121, 167), (230, 159, 0), (86, 180, 233), (150, 130, 0),
];
const SIZE: (u32, u32) = (1000, 520);
/// Pixels for the legend, right of the curves: at least, and beside a name for each of its letters.
const LEGEND: u32 = 250;
const LEGEND_EDGES: u32 = 52;
const LETTER: u32 = 8;
/// Pixels for a line of the caption.
const CAPTION: u32 = 18;
const FONT: &str = "sans-serif";

/// An axis from the least to the largest value: linear, or in decades.
#[derive(Clone)]
struct Axis {
    from: f64,
    to: f64,
    logarithmic: bool,
}

/// A curve this many times beyond the median one has diverged, and leaves the picture.
const DIVERGED: f64 = 4.0;

impl Axis {
    /// Over the values of all curves up to `most`, else less those of curves that have diverged.
    fn over(curves: &[Vec<f64>], logarithmic: bool, most: Option<f64>) -> Self {
        let size = |c: &Vec<f64>| c.iter().fold(0.0, |most: f64, v| most.max(v.abs()));
        let drawn = curves.iter().filter(|c| !c.is_empty());
        let mut sizes: Vec<f64> = drawn.map(size).collect();
        sizes.sort_by(f64::total_cmp);
        let median = sizes.get(sizes.len() / 2);
        let most = most.or(median.map(|median| DIVERGED * median)).unwrap_or(f64::MAX);
        let values = || curves.iter().flatten().copied();
        let mut from = values().fold(f64::MAX, f64::min).max(-most);
        let mut to = values().fold(f64::MIN, f64::max).min(most);
        if from > to {
            (from, to) = (0.1, 1.0); // no values
        }
        if logarithmic {
            (from, to) = (from / 1.15, to.max(from * 1.5) * 1.15);
        } else {
            let room = (to - from).max(1e-9 * to.abs()).max(1e-12) * 0.04;
            (from, to) = (from - room, to + room);
        }
        Self { from, to, logarithmic }
    }

    /// The position of a value on the axis, 0 to 1.
    fn place(&self, v: f64) -> f64 {
        match self.logarithmic {
            true => (v / self.from).ln() / (self.to / self.from).ln(),
            false => (v - self.from) / (self.to - self.from),
        }
    }
}

impl Ranged for Axis {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, (low, high): (i32, i32)) -> i32 {
        let place = self.place(*value).clamp(-0.001, 1.001);
        low + (f64::from(high - low) * place).round() as i32
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        if !self.logarithmic {
            let range = plotters::coord::types::RangedCoordf64::from(self.from..self.to);
            return range.key_points(hint);
        }
        let decades = self.from.log10().floor() as i32..=self.to.log10().ceil() as i32;
        let steps: &[f64] = match self.to / self.from {
            ratio if ratio > 1e4 => &[1.0],
            ratio if ratio > 10.0 => &[1.0, 2.0, 5.0],
            _ => &[1.0, 1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0],
        };
        let points = decades.flat_map(|d| steps.iter().map(move |s| s * 10_f64.powi(d)));
        points.filter(|v| (self.from..=self.to).contains(v)).collect()
    }

    fn range(&self) -> std::ops::Range<f64> {
        self.from..self.to
    }
}

impl ValueFormatter<f64> for Axis {
    fn format(value: &f64) -> String {
        short(*value)
    }
}

/// A number as an axis shows it.
fn short(v: f64) -> String {
    match v.abs() {
        0.0 => "0".into(),
        a if (1e-3..1e5).contains(&a) => {
            let text = format!("{v:.4}");
            text.trim_end_matches('0').trim_end_matches('.').into()
        }
        _ => format!("{v:.1e}").replace(".0e", "e"),
    }
}

impl<'a> Plot<'a> {
    /// A picture without a caption, in which curves that have diverged are cut off.
    pub fn new(
        title: &'a str,
        axes: [&'a str; 2],
        logarithmic: [bool; 2],
        curves: &'a [Curve],
    ) -> Self {
        Self { title, axes, logarithmic, curves, most: None, caption: &[] }
    }

    /// Writes the picture.
    ///
    /// # Errors
    /// A file that cannot be written, with its name.
    pub fn write(&self, path: &Path) -> Result<(), WriteError> {
        let failed = |what: String| WriteError { path: path.into(), source: Error::other(what) };
        OutputFile::write(path, self.svg().map_err(failed)?.as_bytes())
    }

    /// The picture as SVG.
    ///
    /// # Errors
    /// What the drawing library says.
    pub fn svg(&self) -> Result<String, String> {
        let mut text = String::new();
        self.draw(&mut text).map_err(|error| error.to_string())?;
        Ok(text)
    }

    fn draw(&self, text: &mut String) -> Result<(), Box<dyn std::error::Error + '_>> {
        let below = CAPTION * self.caption.len() as u32;
        let legend = self.legend_width();
        let size = (SIZE.0 - LEGEND + legend, SIZE.1 + below);
        let area = SVGBackend::with_string(text, size).into_drawing_area();
        let (x, y) = self.ranges();
        area.fill(&WHITE)?;
        let (above, caption) = area.split_vertically(SIZE.1);
        for (line, text) in self.caption.iter().enumerate() {
            let at = (12, CAPTION as i32 * line as i32);
            let font = (FONT, 12).into_font().color(&BLACK.mix(0.6));
            caption.draw(&Text::new(text.as_str(), at, font))?;
        }
        let (left, right) = above.split_horizontally(size.0 - legend);
        let mut chart = ChartBuilder::on(&left)
            .caption(self.title, (FONT, 20))
            .margin(12)
            .x_label_area_size(48)
            .y_label_area_size(76)
            .build_cartesian_2d(x, y.clone())?;
        chart
            .configure_mesh()
            .x_desc(self.axes[0])
            .y_desc(self.axes[1])
            .axis_desc_style((FONT, 16))
            .label_style((FONT, 13))
            .light_line_style(TRANSPARENT)
            .draw()?;
        let mut named = 0;
        for curve in self.curves {
            if curve.mark != Mark::Expected {
                named += 1;
            }
            let i = usize::max(named, 1) - 1;
            // A curve ends where it leaves the picture.
            let inside = |p: &&(f64, f64)| self.shows(p) && (0.0..=1.0).contains(&y.place(p.1));
            let points: Vec<(f64, f64)> = curve.points.iter().filter(inside).copied().collect();
            // Beyond the first of each color curves are dashed, so that equal ones show below each other too.
            let dashed = i >= COLORS.len();
            let style = style(i);
            match curve.mark {
                Mark::Dots => {
                    let dot = |p| Circle::new(p, 3, style.filled());
                    chart.draw_series(points.into_iter().map(dot))?;
                }
                Mark::Expected => {
                    let thin = style.color.mix(0.6).stroke_width(1);
                    chart.draw_series(LineSeries::new(points, thin))?;
                    continue;
                }
                Mark::Line if dashed => {
                    chart.draw_series(DashedLineSeries::new(points, 6, 4, style))?;
                }
                Mark::Line => drop(chart.draw_series(LineSeries::new(points, style))?),
            }
            self.legend(&right, i, curve)?;
        }
        area.present()?;
        Ok(())
    }

    /// What the axes reach over.
    fn ranges(&self) -> (Axis, Axis) {
        let of = |pick: fn(&(f64, f64)) -> f64| -> Vec<Vec<f64>> {
            let values = |c: &Curve| c.points.iter().filter(|p| self.shows(p)).map(pick).collect();
            self.curves.iter().map(values).collect()
        };
        let x = of(|p| p.0).concat();
        let x = Axis::over(&[x], self.logarithmic[0], Some(f64::MAX));
        (x, Axis::over(&of(|p| p.1), self.logarithmic[1], self.most))
    }

    /// Whether a point has a place on the axes.
    fn shows(&self, &(x, y): &(f64, f64)) -> bool {
        let fits = |v: f64, log: bool| v.is_finite() && (!log || v > 0.0);
        fits(x, self.logarithmic[0]) && fits(y, self.logarithmic[1])
    }

    /// Whether no point of it is shown.
    pub fn is_empty(&self) -> bool {
        !self.curves.iter().flat_map(|curve| &curve.points).any(|point| self.shows(point))
    }

    fn legend_width(&self) -> u32 {
        let longest = self.curves.iter().map(|curve| curve.name.chars().count()).max();
        LEGEND.max(LEGEND_EDGES + LETTER * longest.unwrap_or(0) as u32)
    }

    /// The i-th line of the legend.
    fn legend<B: DrawingBackend>(
        &self,
        area: &DrawingArea<B, plotters::coord::Shift>,
        i: usize,
        curve: &Curve,
    ) -> Result<(), DrawingAreaErrorKind<B::ErrorType>> {
        let (at, style) = (56 + 24 * i as i32, style(i));
        let dashes = if i < COLORS.len() { 1 } else { 3 };
        match curve.mark {
            Mark::Dots => area.draw(&Circle::new((19, at), 4, style.filled()))?,
            _ => {
                for dash in 0..dashes {
                    let from = 4 + dash * 30 / dashes;
                    let to = from + 30 / dashes - if dashes > 1 { 4 } else { 0 };
                    area.draw(&PathElement::new(vec![(from, at), (to, at)], style))?;
                }
            }
        }
        let font = (FONT, 14).into_font().color(&BLACK);
        area.draw(&Text::new(curve.name.clone(), (42, at - 8), font))
    }
}

fn style(i: usize) -> ShapeStyle {
    let (r, g, b) = COLORS[i % COLORS.len()];
    RGBColor(r, g, b).stroke_width(2)
}
