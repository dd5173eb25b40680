//! Checkpoints of `taut run`: written while it runs, and gone on from.

use super::output::{Failure, input, note};
use super::settings::some;
use crate::error::CheckpointError;
use crate::io::{Override, read_checkpoint, write_checkpoint};
use crate::runs::{Opened, Run};
use crate::state::Checkpoint;
use clap::Args;
use std::path::{Path, PathBuf};

/// Where checkpoints are written, and which is gone on from.
#[derive(Args)]
pub struct Checkpoints {
    /// Write the whole state to FILE before the first frame, every N frames and after the last: a run that is killed can go on
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// Frames between checkpoints [default: 1]
    #[arg(long, value_name = "N", requires = "checkpoint", value_parser = some, allow_negative_numbers = true)]
    every: Option<u64>,
    /// Go on from the state in FILE: its run, or RUN of the same scene, by any method and on any number of threads
    #[arg(long, value_name = "FILE", conflicts_with = "set")]
    resume: Option<PathBuf>,
}

/// A checkpoint to go on from, and the file it was in.
pub struct Resumed<'a>(&'a Path, Checkpoint);

impl Checkpoints {
    /// The file that is written.
    pub fn file(&self) -> Option<&Path> {
        self.checkpoint.as_deref()
    }

    /// Reads the checkpoint to go on from.
    pub fn read(&self) -> Result<Option<Resumed<'_>>, Failure> {
        let path = self.resume.as_deref();
        let read = path.map(|path| Ok(Resumed(path, read_checkpoint(path).map_err(input)?)));
        read.transpose()
    }

    /// Writes the state, unless it has been written after this frame or is not due: before the first frame, after every so
    /// many, and after the `last`.
    pub fn write(
        &self,
        opened: &Opened,
        progress: &mut Progress,
        last: bool,
    ) -> Result<(), Failure> {
        let frame = opened.simulation.frame();
        let since = progress.written.map(|written| frame - written);
        let due = match since {
            None => true,
            Some(since) => since >= self.every.unwrap_or(1) || last && since > 0,
        };
        let Some(path) = self.file().filter(|_| due) else {
            return Ok(());
        };
        let mut checkpoint = opened.simulation.checkpoint();
        checkpoint.run = opened.run.to_string();
        checkpoint.scene = opened.run.text().unwrap_or_default();
        checkpoint.overrides.clone_from(&progress.overrides);
        checkpoint.last_frame = progress.last_frame;
        progress.written = Some(frame);
        write_checkpoint(path, &checkpoint).map_err(input)
    }
}

impl Resumed<'_> {
    /// The run that it is of, with the scene file's text as it was.
    pub fn run(&self) -> Result<Run, Failure> {
        let run: Run = self.1.run.parse().map_err(input)?;
        Ok(run.with_text(&self.1.scene))
    }

    /// The settings given beside the run.
    pub fn overrides(&self) -> Vec<Override<'_>> {
        let overrides = self.1.overrides.iter();
        overrides.map(|[key, value]| (&key[..], &value[..])).collect()
    }

    /// Takes up the state; gives the frames that its run had left.
    pub fn resume(&self, opened: &mut Opened) -> Result<u64, Failure> {
        let Self(path, checkpoint) = self;
        opened.simulation.resume(checkpoint).map_err(|error| {
            let what = match error {
                CheckpointError::Other { what: "model", .. } => self.of_another_model(&opened.run),
                error => error.to_string(),
            };
            input(format!("{}: {what}", path.display()))
        })?;
        let frame = opened.simulation.frame();
        let left = checkpoint.last_frame.saturating_sub(frame);
        note!("{}: goes on after frame {frame}; its run had {left} left", opened.run);
        Ok(left)
    }

    /// Whose checkpoint it is, and why that is not the run asked for.
    fn of_another_model(&self, asked: &Run) -> String {
        let saved = &self.1.run;
        let scene = saved.parse().map(|run: Run| run.scene().to_string());
        match scene.is_ok_and(|scene| scene == asked.scene().to_string()) {
            true => {
                format!("a checkpoint of {saved}, which is another model now: its files differ")
            }
            false => format!("a checkpoint of {saved}; {asked} is another model"),
        }
    }
}

/// How far checkpoints are.
pub struct Progress {
    overrides: Vec<[String; 2]>,
    /// The frame that the run is to go to, and that of the last checkpoint.
    last_frame: u64,
    written: Option<u64>,
}

impl Progress {
    /// Of a run of so many more frames.
    pub fn new(opened: &Opened, overrides: &[Override], frames: u64) -> Self {
        let overrides = overrides.iter().map(|(key, value)| [(*key).into(), (*value).into()]);
        Self {
            overrides: overrides.collect(),
            last_frame: opened.simulation.frame().saturating_add(frames),
            written: None,
        }
    }
}
