//! The files that a run's frames are written to.

use super::output::{Failure, input, note, progress_bar, unwritten};
use crate::files::{check_output, create_folder, is_same_file};
use crate::io::{ObjSequence, Recorder};
use crate::render::FileError;
use crate::runs::Opened;
use crate::simulation::Simulation;
use crate::viewer::{Film, FilmError, Overlay, Size};
use clap::{ArgGroup, Args};
use std::cell::Cell;
use std::path::{Path, PathBuf};

/// The files that are asked for.
#[derive(Args)]
#[command(group = ArgGroup::new("pictures").args(["png", "gif"]).multiple(true))]
pub struct Outputs {
    /// Write every frame's positions and bodies to FILE, as its extension says: .json, .npy, .pc2, .pvd or .usda; without one, JSON
    #[arg(long, value_name = "FILE")]
    record: Option<PathBuf>,
    /// Write every frame as a picture into DIR
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,
    /// Write every frame's surfaces and bodies as an OBJ file into DIR
    #[arg(long, value_name = "DIR")]
    obj: Option<PathBuf>,
    /// Write an animation to FILE
    #[arg(long, value_name = "FILE")]
    gif: Option<PathBuf>,
    /// What the pictures' colors show
    #[arg(long, value_name = "WHAT", requires = "pictures", default_value = "plain", value_parser = Overlay::ALL.map(Overlay::name))]
    color: String,
    /// Pixels of the pictures; left out: 1280x720, of an animation 640x360
    #[arg(long, value_name = "WxH", requires = "pictures")]
    size: Option<Size>,
}

impl Outputs {
    /// Refuses, before the first step, what cannot be written, and what would replace a file of the run.
    fn check(&self, others: &[Option<&Path>], read: &[PathBuf]) -> Result<(), Failure> {
        let files = [self.record.as_deref(), self.gif.as_deref()].into_iter();
        let files: Vec<&Path> = files.chain(others.iter().copied()).flatten().collect();
        for (i, path) in files.iter().enumerate() {
            let refuse = |what| Err(input(format!("{}: cannot write: {what}", path.display())));
            if *path == Path::new("-") {
                return refuse("only --json writes to standard output");
            }
            if read.iter().any(|read| is_same_file(path, read)) {
                return refuse("the scene is read from it");
            }
            if files[..i].iter().any(|other| is_same_file(path, other)) {
                return refuse("two outputs are asked for under this name");
            }
            check_output(path).map_err(input)?;
        }
        let ends_in = |path: &Path, word: &str| {
            path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(word))
        };
        let refuse =
            |path: &Path, what| Err(input(format!("{}: cannot write: {what}", path.display())));
        // A device has the name that it has.
        let is_device = |path: &Path| path.metadata().is_ok_and(|found| !found.is_file());
        let is_named = |path: &&Path| ends_in(path, "gif") || is_device(path);
        if let Some(path) = self.gif.as_deref().filter(|path| !is_named(path)) {
            return refuse(path, "an animation is a GIF, its name ends in .gif");
        }
        for (folder, word) in [(&self.png, "png"), (&self.obj, "obj")] {
            let Some(path) = folder.as_deref() else { continue };
            if path.is_file() {
                return refuse(path, "it is a file, not a folder");
            }
            if ends_in(path, word) && !path.is_dir() {
                return refuse(
                    path,
                    "frames are written into a folder, whose name has no extension",
                );
            }
        }
        Ok(())
    }
}

/// The files under way.
pub struct Sinks {
    recorder: Option<Recorder>,
    sequence: Option<ObjSequence>,
    film: Option<Film>,
}

impl Sinks {
    /// Begins the outputs of a run of so many frames; `others` are files that the caller writes.
    pub fn open(
        outputs: &Outputs,
        others: &[Option<&Path>],
        opened: &Opened,
        frames: u64,
    ) -> Result<Self, Failure> {
        outputs.check(others, &opened.files)?;
        // Before any folder is made: it may take too much memory.
        let overlay = Overlay::ALL.into_iter().find(|o| o.name() == outputs.color);
        let is_filmed = outputs.png.is_some() || outputs.gif.is_some();
        let film = is_filmed.then(|| Film::new(opened, overlay.unwrap_or_default(), frames));
        let film = film.transpose().map_err(input)?;
        outputs.png.as_deref().map_or(Ok(()), create_folder).map_err(input)?;
        let (name, simulation) = (opened.run.to_string(), &opened.simulation);
        let record = outputs.record.as_deref();
        let recorder = record.map(|path| Recorder::create(path, &name, simulation, frames));
        let recorder = recorder.transpose().map_err(input)?;
        let left_out = record.and_then(|path| Recorder::leaves_out(path, simulation));
        left_out.into_iter().for_each(|what| note!("{what}"));
        let folder = outputs.obj.as_deref();
        let sequence = folder.map(|folder| ObjSequence::create(folder, simulation));
        let sequence = sequence.transpose().map_err(input)?;
        Ok(Self { recorder, sequence, film })
    }

    /// Adds the present state as the next frame.
    pub fn add(&mut self, simulation: &Simulation) -> Result<(), Failure> {
        if let Some(recorder) = &mut self.recorder {
            recorder.add(simulation).map_err(unwritten)?;
        }
        if let Some(sequence) = &mut self.sequence {
            sequence.add(simulation).map_err(input)?;
        }
        if let Some(film) = &mut self.film {
            film.add(simulation);
        }
        Ok(())
    }

    /// Completes all of them. Where `is_ended` comes true while pictures are drawn, the one under way is the last: what was
    /// drawn until then is said.
    pub fn finish(
        self,
        outputs: &Outputs,
        simulation: &Simulation,
        hash: &str,
        is_ended: impl Fn() -> bool,
    ) -> Result<Option<String>, Failure> {
        self.recorder.map_or(Ok(()), |recorder| recorder.finish(hash).map_err(unwritten))?;
        let size = |width, height| outputs.size.unwrap_or(Size(width, height));
        let bar = progress_bar(0, "drawing {bar:30} {pos}/{len} pictures, {eta} left");
        let early = Cell::new(None);
        let mut seen = |done: usize, all: usize| {
            bar.set_length(all as u64);
            bar.set_position(done as u64);
            let goes_on = done == all || !is_ended();
            if !goes_on {
                early.set(Some([done, all]));
            }
            goes_on
        };
        if let (Some(film), Some(folder)) = (&self.film, &outputs.png) {
            let written = film.write_png(simulation, folder, size(1280, 720), &mut seen);
            written.map_err(input)?;
        }
        if let (Some(film), Some(path), None) = (&self.film, &outputs.gif, early.get()) {
            match film.write_gif(simulation, path, size(640, 360), &mut seen) {
                Err(FilmError::File(FileError::Ended)) => {}
                written => written.map_err(input)?,
            }
        }
        bar.finish_and_clear();
        if let Some([done, all]) = early.get() {
            return Ok(Some(format!("{done} of {all} pictures")));
        }
        let frames = self.film.map_or(0, |film| film.frame_count());
        outputs.png.iter().for_each(|folder| tell_of_earlier(folder, frames, "png"));
        let frames = self.sequence.map_or(0, |sequence| sequence.frame_count());
        outputs.obj.iter().for_each(|folder| tell_of_earlier(folder, frames, "obj"));
        Ok(None)
    }
}

/// Says where files of an earlier, longer run follow those of so many frames.
fn tell_of_earlier(folder: &Path, frames: usize, extension: &str) {
    let next = folder.join(format!("frame_{:04}.{extension}", frames + 1));
    if next.exists() {
        note!("{} and what follows it are of an earlier run", next.display());
    }
}
