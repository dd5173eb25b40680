//! A run as pictures in files: every frame is kept as a state and drawn at the end, so that camera, ground and
//! color scale suit the whole motion and nothing is cut off.

use super::bounds::{EMPTY, collider_points, points_of};
use super::hud::{self, title};
use super::joint_lines::JointLines;
use super::outline::Outline;
use super::overlay::Overlay;
use super::shot::Shot;
use super::stage::Stage;
use crate::error::ModelError;
use crate::files::create_folder;
use crate::render::{Bounds, Camera, Canvas, FileError, MOST, encode_png, write_gif, write_png};
use crate::runs::Opened;
use crate::scenes::Role;
use crate::simulation::Simulation;
use std::path::{Path, PathBuf};
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
/// Lines of a picture that are kept free of what it shows, for text: a half above, a half below.
const MARGIN: f32 = 124.0;
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
    color: u32,
    /// Of all that was seen.
    outline: Outline,
    joints: JointLines,
    /// Where the body that the camera goes along with starts (m).
    followed: Option<[f32; 3]>,
    shots: Vec<Shot>,
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
        let follows = opened.run.catalogue().is_some_and(|scene| scene.role == Role::Followed);
        let first = model.bodies().first().filter(|_| follows);
        let mut outline = Outline::new();
        let joints = JointLines::of(model);
        outline.add(points_of(model, &opened.simulation.visible(), &joints));
        if let (Some(_), Some(bounds)) = (first, outline.bounds()) {
            outline.add(around(bounds).corners());
        }
        Ok(Self {
            overlay,
            title: title(&opened.run),
            counts: hud::counts(&opened.simulation),
            dt: model.settings.dt,
            color: opened.run.look().1,
            outline,
            joints,
            followed: first.map(|body| body.position.map(|v| v as f32)),
            shots: Vec::new(),
        })
    }

    /// Takes the present state as the next frame.
    pub fn add(&mut self, simulation: &Simulation) {
        let shot = self.take(simulation);
        self.shots.push(shot);
    }

    /// Takes the present state as its only frame, if more moves in it than in the one that it has.
    pub fn add_liveliest(&mut self, simulation: &Simulation) {
        let shot = self.take(simulation);
        if self.shots.last().is_none_or(|last| last.motion() < shot.motion()) {
            self.shots = vec![shot];
        }
    }

    /// How many frames it has.
    pub fn frame_count(&self) -> usize {
        self.shots.len()
    }

    /// Looks at the present state, which is no frame: the camera will show where it was.
    pub fn see(&mut self, simulation: &Simulation) {
        if self.followed.is_none() {
            self.take(simulation);
        }
    }

    /// The present state; the camera will show where it was.
    fn take(&mut self, simulation: &Simulation) -> Shot {
        let shot = Shot::of(simulation);
        if self.followed.is_none() {
            self.outline.add(points_of(simulation.model(), &shot.state, &self.joints));
        }
        shot
    }

    /// Writes two frames to two files; returns them without text, a quarter as wide and high.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_pair(
        &self,
        simulation: &Simulation,
        files: [PathBuf; 2],
        size: Size,
    ) -> Result<[Canvas; 2], FilmError> {
        let set = self.set(simulation, size)?;
        let mut small = [Canvas::default(), Canvas::default()];
        for (i, (file, small)) in files.iter().zip(&mut small).enumerate() {
            let mut canvas = self.bare(&set, i, size);
            *small = canvas.halve().halve();
            self.inscribe(&mut canvas, &set.0, i);
            write_png(file, &canvas)?;
        }
        Ok(small)
    }

    /// The last frame as a PNG file, without text.
    ///
    /// # Errors
    /// A model without a coloring to show, a film without frames.
    pub fn last_png(
        &self,
        simulation: &Simulation,
        size: Size,
    ) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
        let last = self.shots.len().checked_sub(1).ok_or("a film without frames")?;
        encode_png(&self.bare(&self.set(simulation, size)?, last, size))
    }

    /// Writes every frame as `frame_0001.png` and so on into a folder, which is made where there is none. `seen` hears how
    /// many of how many pictures are drawn, and says whether to go on; those that are drawn are kept.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write_png(
        &self,
        simulation: &Simulation,
        folder: &Path,
        size: Size,
        seen: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<(), FilmError> {
        create_folder(folder).map_err(FileError::from)?;
        let set = self.set(simulation, size)?;
        for i in 0..self.shots.len() {
            let path = folder.join(format!("frame_{:04}.png", i + 1));
            write_png(path, &self.picture(&set, i, size))?;
            if !seen(i + 1, self.shots.len()) {
                break;
            }
        }
        Ok(())
    }

    /// Writes the film as one looping GIF that runs in real time. `seen` hears how many of how many pictures are drawn, and
    /// says whether to go on: a film that is not drawn to its end leaves no file.
    ///
    /// # Errors
    /// A file that cannot be written, a film that was not to go on.
    pub fn write_gif(
        &self,
        simulation: &Simulation,
        path: &Path,
        size: Size,
        seen: &mut dyn FnMut(usize, usize) -> bool,
    ) -> Result<(), FilmError> {
        let set = self.set(simulation, size)?;
        // Rounded up, but for what dt lacks to a whole frame by rounding.
        let stride =
            ((GIF_STEP / self.dt - 1e-9).ceil() as usize).clamp(1, self.shots.len().max(1));
        let count = self.shots.len().div_ceil(stride);
        let seconds = self.dt * stride as f64;
        let (mut done, mut ended) = (0, false);
        let draw = |i: usize| {
            (!ended).then(|| {
                done += 1;
                let picture = self.picture(&set, i * stride, size);
                ended = !seen(done, 2 * count); // each is drawn twice
                picture
            })
        };
        Ok(write_gif(path, count, seconds, draw)?)
    }

    /// The stage and the camera for the whole motion.
    pub(super) fn set(
        &self,
        simulation: &Simulation,
        size: Size,
    ) -> Result<(Stage, Camera), FilmError> {
        let model = simulation.model();
        let times =
            [self.shots.first(), self.shots.last()].map(|shot| shot.map_or(0.0, |s| s.state.time));
        let mut outline = self.outline.clone();
        let seen = outline.bounds().unwrap_or(EMPTY);
        if self.followed.is_none() {
            outline.add(collider_points(model, seen, times));
        }
        let bounds = outline.bounds().unwrap_or(EMPTY);
        let mut stage = Stage::painted(model, self.overlay, bounds, self.color)?;
        stage.is_fine = true;
        self.shots.iter().for_each(|shot| stage.include(&shot.state));
        let facing = Camera::facing(bounds);
        // Walls go all around.
        let camera = match stage.walls.is_empty() {
            true => facing.frame_points(&outline.points(), size.0, size.1),
            false => facing.frame(bounds, size.0, size.1),
        };
        // What is framed takes 0.9 of the height.
        let height = size.1 as f32;
        let margin = MARGIN * hud::enlargement(size.1) as f32;
        let farther = 0.9 * height / (height - margin).max(0.5 * height);
        Ok((stage, camera.zoom(farther.max(1.0))))
    }

    /// Frame `i`.
    pub(super) fn picture(&self, set: &(Stage, Camera), i: usize, size: Size) -> Canvas {
        let mut canvas = self.bare(set, i, size);
        self.inscribe(&mut canvas, &set.0, i);
        canvas
    }

    /// Frame `i` without text.
    fn bare(&self, (stage, camera): &(Stage, Camera), i: usize, size: Size) -> Canvas {
        let mut large = Canvas::new(2 * size.0, 2 * size.1);
        let shot = &self.shots[i];
        stage.draw_shot(shot, &self.camera(*camera, shot), &mut large);
        large.halve()
    }

    /// The camera at a shot: it goes along with what it follows.
    fn camera(&self, mut camera: Camera, shot: &Shot) -> Camera {
        if let (Some(start), Some(pose)) = (self.followed, shot.state.bodies.first()) {
            for k in 0..3 {
                camera.target[k] += pose[k] - start[k];
            }
        }
        camera
    }

    /// The run, its time and size, and the scale of the colors.
    fn inscribe(&self, canvas: &mut Canvas, stage: &Stage, i: usize) {
        let (time, Self { title, counts, .. }) = (self.shots[i].state.time, self);
        hud::line(canvas, &format!("{title}  {time:.2} s  {counts}"));
        let times = hud::enlargement(canvas.height());
        hud::legend(canvas, stage, times);
    }
}

/// A box half as large again along the floor: room for what is passed by.
fn around(bounds: Bounds) -> Bounds {
    let Bounds { mut least, mut most } = bounds;
    for k in [0, 2] {
        let air = 0.25 * (most[k] - least[k]);
        (least[k], most[k]) = (least[k] - air, most[k] + air);
    }
    Bounds { least, most }
}
