//! A run as pictures in files: every frame is kept as a state and drawn at the end, so that camera, ground and
//! color scale suit the whole motion and nothing is cut off.

use super::hud::{self, title};
use super::overlay::Overlay;
use super::stage::{EMPTY, Stage, bounds_of};
use crate::error::ModelError;
use crate::files::create_folder;
use crate::io::Opened;
use crate::render::{Bounds, Camera, Canvas, FileError, MOST, write_gif, write_png};
use crate::simulation::Simulation;
use crate::state::Snapshot;
use std::path::Path;
use std::str::FromStr;

/// A film that cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum FilmError {
    /// More frames than fit into memory.
    #[error("{0}: fewer frames, or a smaller scene")]
    Long(String),
    /// A picture that cannot be written.
    #[error(transparent)]
    File(#[from] FileError),
    /// A model without a coloring to show.
    #[error(transparent)]
    Model(#[from] ModelError),
}

/// The most memory that the frames of a film may take (GB).
const MOST_GIGABYTES: f64 = 4.0;
/// Frames of a GIF are at least so far apart (s): more only make it larger.
const GIF_STEP: f64 = 0.03;

/// Width and height of a picture (pixels).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size(pub usize, pub usize);

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let sides = text.split_once('x').and_then(|(w, h)| {
            let (w, h): (usize, usize) = (w.parse().ok()?, h.parse().ok()?);
            let fits = |side: usize| (16..=MOST / 2).contains(&side);
            (fits(w) && fits(h)).then_some(Self(w, h))
        });
        sides.ok_or_else(|| format!("must be WIDTHxHEIGHT, each from 16 to {}", MOST / 2))
    }
}

/// A run being filmed.
pub struct Film {
    overlay: Overlay,
    title: String,
    counts: String,
    dt: f64,
    shots: Vec<Snapshot>,
}

impl Film {
    /// A film of `frames` frames of a run.
    ///
    /// # Errors
    /// Frames that would not fit into memory.
    pub fn new(opened: &Opened, overlay: Overlay, frames: u64) -> Result<Self, FilmError> {
        let model = opened.simulation.model();
        let (particles, bodies) = (model.positions().len(), model.bodies().len());
        let gigabytes = (particles * 24 + bodies * 52) as f64 * frames as f64 / 1e9;
        if gigabytes > MOST_GIGABYTES {
            return Err(FilmError::Long(format!(
                "{frames} frames of {particles} particles take {gigabytes:.1} GB to draw; at most {MOST_GIGABYTES} GB"
            )));
        }
        Ok(Self {
            overlay,
            title: title(&opened.run),
            counts: hud::counts(&opened.simulation),
            dt: model.settings.dt,
            shots: Vec::new(),
        })
    }

    /// Takes the present state as the next frame.
    pub fn add(&mut self, simulation: &Simulation) {
        self.shots.push(simulation.visible());
    }

    /// Writes every frame as `frame_0001.png` and so on into a folder, which is made where there is none.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_png(
        &self,
        simulation: &Simulation,
        folder: &Path,
        size: Size,
    ) -> Result<(), FilmError> {
        create_folder(folder).map_err(FileError::from)?;
        let set = self.set(simulation, size)?;
        for i in 0..self.shots.len() {
            let path = folder.join(format!("frame_{:04}.png", i + 1));
            write_png(path, &self.picture(&set, i, size))?;
        }
        Ok(())
    }

    /// Writes the film as one looping GIF that runs in real time.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_gif(
        &self,
        simulation: &Simulation,
        path: &Path,
        size: Size,
    ) -> Result<(), FilmError> {
        let set = self.set(simulation, size)?;
        // Rounded up, but for what dt lacks to a whole frame by rounding.
        let stride =
            ((GIF_STEP / self.dt - 1e-9).ceil() as usize).clamp(1, self.shots.len().max(1));
        let count = self.shots.len().div_ceil(stride);
        let seconds = self.dt * stride as f64;
        let draw = |i: usize| self.picture(&set, i * stride, size);
        Ok(write_gif(path, count, seconds, draw)?)
    }

    /// The stage and the camera for the whole motion.
    pub(super) fn set(
        &self,
        simulation: &Simulation,
        size: Size,
    ) -> Result<(Stage, Camera), FilmError> {
        let model = simulation.model();
        let start = Bounds::of(model.positions());
        let shots = self.shots.iter().map(|shot| bounds_of(model, shot));
        let all = shots.chain([start]).flatten().reduce(Bounds::and);
        let bounds = all.unwrap_or(EMPTY);
        let mut stage = Stage::new(model, self.overlay, bounds)?;
        self.shots.iter().for_each(|shot| stage.include(shot));
        let camera = Camera::default().frame(bounds, size.0, size.1);
        // A framed box takes 0.9 of the height; above and below is to be room for a line of text.
        let height = size.1 as f32;
        let farther = 0.9 * height / (height - 80.0).max(0.5 * height);
        Ok((stage, camera.zoom(farther.max(1.0))))
    }

    /// Frame `i`.
    pub(super) fn picture(
        &self,
        (stage, camera): &(Stage, Camera),
        i: usize,
        size: Size,
    ) -> Canvas {
        let mut large = Canvas::new(2 * size.0, 2 * size.1);
        stage.draw(&self.shots[i], camera, &mut large);
        let mut canvas = large.halve();
        let (time, Self { title, counts, .. }) = (self.shots[i].time, self);
        hud::line(&mut canvas, &format!("{title}  {time:.2} s  {counts}"));
        hud::legend(&mut canvas, stage);
        canvas
    }
}
