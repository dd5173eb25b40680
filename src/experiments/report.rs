//! What an experiment says: figures to draw, and claims that hold or do not.

use crate::bench::{Curve, Mark};

/// A picture, and a table of the same numbers.
pub struct Figure {
    /// The name of its files, after the experiment's.
    pub name: &'static str,
    /// One line above it.
    pub title: String,
    /// The axes' names, with units: x and y.
    pub axes: [&'static str; 2],
    /// Which axes are logarithmic: x and y.
    pub logarithmic: [bool; 2],
    /// The settings, for the caption.
    pub settings: String,
    /// The curves.
    pub curves: Vec<Curve>,
    /// The largest y that is shown.
    pub most: f64,
}

impl Figure {
    /// A figure without curves.
    pub fn new(
        name: &'static str,
        title: impl Into<String>,
        axes: [&'static str; 2],
        logarithmic: [bool; 2],
    ) -> Self {
        let (title, settings) = (title.into(), String::new());
        Self { name, title, axes, logarithmic, settings, curves: Vec::new(), most: f64::MAX }
    }

    /// The settings that the caption names.
    pub fn under(mut self, settings: impl Into<String>) -> Self {
        self.settings = settings.into();
        self
    }

    /// Adds points that are joined.
    pub fn line(&mut self, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { name: name.into(), points, mark: Mark::Line });
    }

    /// Adds points.
    pub fn dots(&mut self, name: impl Into<String>, points: Vec<(f64, f64)>) {
        self.curves.push(Curve { name: name.into(), points, mark: Mark::Dots });
    }

    /// Adds what the curve before it should be.
    pub fn expected(&mut self, points: Vec<(f64, f64)>) {
        let of = self.curves.last().map_or("", |curve| curve.name.as_str());
        let name = format!("{of} (expected)").trim_start().to_owned();
        self.curves.push(Curve { name, points, mark: Mark::Expected });
    }

    /// The table: curve, x, y.
    pub fn csv(&self) -> String {
        let quoted = |text: &str| match text.contains([',', '"']) {
            true => format!("\"{}\"", text.replace('"', "\"\"")),
            false => text.to_owned(),
        };
        let [x, y] = self.axes.map(quoted);
        let mut csv = format!("curve,{x},{y}\n");
        for curve in &self.curves {
            let name = quoted(&curve.name);
            for (x, y) in &curve.points {
                csv += &format!("{name},{x:e},{y:e}\n");
            }
        }
        csv
    }
}

/// A sentence, and whether it is true.
pub struct Claim {
    /// What is claimed, with the number that was found.
    pub what: String,
    /// Whether it holds.
    pub holds: bool,
}

/// What came out of an experiment.
#[derive(Default)]
pub struct Report {
    /// Its pictures.
    pub figures: Vec<Figure>,
    /// A table for the documents, in Markdown.
    pub table: Option<String>,
    /// What it checks.
    pub claims: Vec<Claim>,
    /// What it found beside that.
    pub notes: Vec<String>,
}

impl Report {
    /// Adds a claim.
    pub fn claim(&mut self, holds: bool, what: impl Into<String>) {
        self.claims.push(Claim { what: what.into(), holds });
    }

    /// Adds a number that is no claim.
    pub fn note(&mut self, what: impl Into<String>) {
        self.notes.push(what.into());
    }
}
