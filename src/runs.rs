//! The one name of a run: `cloth:256/lanes@2` is scene, size, method and threads; the same in the CLI, the benches, the
//! profiler and file names.

use crate::error::ModelError;
use crate::io::{Override, ReadError, SceneFile};
use crate::io::{override_settings, parse_scene, read_scene, read_scene_text};
use crate::math::SIXTEEN;
use crate::scenes::{CLOTH, Scene};
use crate::simulation::Simulation;
use crate::solvers::Method;
use crate::threads::cores;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

/// How long pictures of a scene file are shown (s), and the color of what has none of its own.
const USUAL_LOOK: (f64, u32) = (4.0, CLOTH);

/// What a run simulates.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    /// A scene of the catalogue.
    Catalogue(&'static str),
    /// A scene file.
    File(PathBuf),
}

/// A run by name: `SCENE[:SIZE][/METHOD][@THREADS]` (`docs/scene-format.md`).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    /// The scene.
    pub source: Source,
    /// Its size; left out, the scene's own.
    pub size: Option<usize>,
    /// The method; left out, what the file or the default says.
    pub method: Option<Method>,
    /// The number of threads; left out, the engine chooses.
    pub threads: Option<usize>,
    /// The size as it was typed (`100k`).
    size_text: String,
    /// The text of a scene file that has been read.
    text: Option<Arc<[u8]>>,
}

/// Why a run cannot begin.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A name that is no run's name.
    #[error("run \"{name}\": {what}")]
    Name {
        /// The name.
        name: String,
        /// What is wrong with it.
        what: String,
    },
    /// A file that cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A setting given beside the run: which, and what is wrong with it.
    #[error("{0}")]
    Setting(String),
    /// A model that cannot be simulated.
    #[error("{run}: {error}")]
    Model {
        /// The run.
        run: String,
        /// What is wrong.
        error: ModelError,
    },
}

impl FromStr for Run {
    type Err = RunError;

    fn from_str(name: &str) -> Result<Self, RunError> {
        let wrong = |what: String| RunError::Name { name: crate::io::quote(name.as_bytes()), what };
        // A path ends at its last `.json`; what stands before belongs to it.
        let path_end = name.rfind(".json").map(|at| at + ".json".len());
        let scene_end = path_end.unwrap_or(name.find([':', '/', '@']).unwrap_or(name.len()));
        if path_end.is_none() && is_path(name, scene_end) {
            return Err(wrong("a scene file's name ends in .json".into()));
        }
        let (scene, rest) = name.split_at(scene_end);
        let (rest, threads) = match rest.split_once('@') {
            Some((rest, text)) => (rest, Some(parse_threads(text).map_err(wrong)?)),
            None => (rest, None),
        };
        let (rest, method) = match rest.split_once('/') {
            Some((rest, text)) => {
                let method = Method::parse(text).map_err(|e| wrong(e.to_string()))?;
                (rest, Some(method))
            }
            None => (rest, None),
        };
        let size_text = match rest.strip_prefix(':') {
            Some(text) => text,
            None if rest.is_empty() => "",
            None => return Err(wrong(format!("\"{rest}\" is not understood"))),
        };
        let size = match rest.is_empty() {
            true => None,
            false => Some(parse_size(size_text).map_err(wrong)?),
        };
        let source = match path_end {
            Some(_) if size.is_some() => return Err(wrong("a scene file has no size".into())),
            Some(_) => Source::File(scene.into()),
            None => {
                let scene = Scene::find(scene).map_err(|e| wrong(format!("{e}: `taut list`")))?;
                Source::Catalogue(scene.name)
            }
        };
        if let (Some(method), Some(threads)) = (method, threads)
            && !method.threaded()
            && threads != 1
        {
            let alone = method.name();
            let what = format!("{alone} runs on one thread; meant `lanes@{threads}`?");
            return Err(wrong(what));
        }
        Ok(Self { source, size, method, threads, size_text: size_text.into(), text: None })
    }
}

/// Whether a name looks like a path: no scene's name has a point, and a slash stands before a method.
fn is_path(name: &str, scene_end: usize) -> bool {
    let (scene, rest) = name.split_at(scene_end);
    let method = rest.strip_prefix('/').map(|rest| rest.split('@').next().unwrap_or_default());
    let is_method = |word: &str| Method::parse(word).is_ok() || Scene::find(scene).is_ok();
    scene.contains(['.', '\\']) || method.is_some_and(|word| !is_method(word))
}

fn parse_threads(text: &str) -> Result<usize, String> {
    let most = crate::io::MOST_THREADS as usize;
    match text.parse() {
        Ok(threads) if (1..=most).contains(&threads) => Ok(threads),
        _ => Err(format!("threads must be a whole number from 1 to {most}")),
    }
}

/// A whole number; `k` is a thousand, `M` a million.
fn parse_size(text: &str) -> Result<usize, String> {
    let (digits, unit) = match text.strip_suffix(['k', 'M']) {
        Some(digits) if text.ends_with('k') => (digits, 1_000),
        Some(digits) => (digits, 1_000_000),
        None => (text, 1),
    };
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    let number = digits.parse().ok().filter(|_| plain);
    let size = number.and_then(|n: usize| n.checked_mul(unit));
    size.ok_or_else(|| "a size is a whole number, as 64, 16k or 1M".into())
}

/// A simulation ready to step, with what its run was.
pub struct Opened {
    /// The simulation.
    pub simulation: Simulation,
    /// The run in full: scene, size, method, and the threads where they were asked for.
    pub run: Run,
    /// What a user should know: one sentence each.
    pub warnings: Vec<String>,
    /// The files that were read.
    pub files: Vec<PathBuf>,
}

impl Opened {
    /// What is wrong with the present state: what the scene's check says, of a file whether it is finite.
    ///
    /// # Errors
    /// What is wrong.
    pub fn check(&self) -> Result<(), String> {
        let state = self.simulation.visible();
        match self.run.catalogue() {
            Some(scene) => (scene.check)(self.simulation.model(), &state),
            None if state.finite() => Ok(()),
            None => Err("the state is not finite".into()),
        }
    }
}

impl Run {
    /// The scene alone, without method and threads: what a ladder's rungs share.
    pub fn scene(&self) -> Self {
        Self { method: None, threads: None, ..self.clone() }
    }

    /// The same scene by another method.
    pub fn with(&self, method: Method, threads: Option<usize>) -> Self {
        Self { method: Some(method), threads, ..self.clone() }
    }

    /// The catalogue's scene, if it is one.
    pub fn catalogue(&self) -> Option<&'static Scene> {
        match self.source {
            Source::Catalogue(name) => Scene::find(name).ok(),
            Source::File(_) => None,
        }
    }

    /// How long it is shown (s), and the color of what has none of its own: the scene says, for files they are usual ones.
    pub fn look(&self) -> (f64, u32) {
        self.catalogue().map_or(USUAL_LOOK, |scene| (scene.seconds, scene.color))
    }

    /// Reads a scene file's text, if it has not been read: all models of the run are then made from it, and what can be
    /// read once only (a pipe) is a scene file too.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read(&mut self) -> Result<(), RunError> {
        if let (Source::File(path), None) = (&self.source, &self.text) {
            self.text = Some(read_scene_text(path)?.into());
        }
        Ok(())
    }

    /// The text of a scene file that has been read.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) fn text(&self) -> Option<String> {
        self.text.as_ref().map(|text| String::from_utf8_lossy(text).into_owned())
    }

    /// The same, of a scene file whose text is known already.
    #[cfg_attr(not(feature = "cli"), allow(dead_code))]
    pub(crate) fn with_text(mut self, text: &str) -> Self {
        if matches!(self.source, Source::File(_)) {
            self.text = Some(text.as_bytes().into());
        }
        self
    }

    /// Reads the text of every scene file once, however many of the runs name it.
    ///
    /// # Errors
    /// A file that cannot be read.
    pub fn read_all(runs: &mut [Self]) -> Result<(), RunError> {
        for i in 0..runs.len() {
            let (before, rest) = runs.split_at_mut(i);
            let same = before.iter().find(|run| run.source == rest[0].source);
            rest[0].text = same.and_then(|run| run.text.clone());
            rest[0].read()?;
        }
        Ok(())
    }

    /// Reads or builds the model, with `overrides` in place of its settings.
    ///
    /// # Errors
    /// A file that cannot be read, a size or setting out of range.
    pub fn load(&self, overrides: &[Override]) -> Result<SceneFile, RunError> {
        match &self.source {
            Source::File(path) => match &self.text {
                Some(text) => Ok(parse_scene(path, text, overrides)?),
                None => Ok(read_scene(path, overrides)?),
            },
            Source::Catalogue(name) => {
                let failed = |error| RunError::Model { run: self.to_string(), error };
                let model = Scene::find(name).and_then(|s| s.model(self.size));
                let mut file = SceneFile::new(model.map_err(failed)?);
                override_settings(&mut file, overrides)
                    .map_err(|wrong| RunError::Setting(wrong.to_string()))?;
                Ok(file)
            }
        }
    }

    /// Loads the model and makes it ready for the method. The run's name overrides `overrides`, which override the file,
    /// which overrides the defaults.
    ///
    /// # Errors
    /// As [`load`](Run::load), and a model that cannot be simulated.
    pub fn open(&self, overrides: &[Override]) -> Result<Opened, RunError> {
        let file = self.load(overrides)?;
        let mut warnings = file.warnings;
        let method = self.method.or(file.method).unwrap_or(Method::Lanes);
        if file.model.positions().is_empty() && file.model.bodies().is_empty() {
            warnings.push("nothing is in it: no particle and no body".into());
        }
        let omega = file.model.settings.omega;
        if omega < 1.0 && method == Method::Jacobi {
            warnings.push(format!("omega {omega} is under-relaxation: 1..2 converges faster"));
        }
        if file.model.settings.width == Some(16) && !SIXTEEN {
            let what = "this build's registers hold eight lanes, so eight are used";
            warnings.push(format!("width 16: {what}"));
        }
        let mut threads = self.threads.or(file.threads);
        if let Some(asked) = threads
            && asked != 1
            && !method.threaded()
        {
            warnings.push(format!("{} runs on one thread, not {asked}", method.name()));
            threads = Some(1);
        }
        if let Some(asked) = threads
            && asked > cores()
        {
            let here = cores();
            warnings.push(format!("{asked} threads take turns on {here} cores; @{here} is faster"));
        }
        let failed = |error| RunError::Model { run: self.to_string(), error };
        let simulation = Simulation::new(file.model, method, threads.unwrap_or(0));
        let simulation = simulation.map_err(failed)?;
        Ok(Opened {
            run: self.with(method, threads.filter(|_| method.threaded())),
            simulation,
            warnings,
            files: file.files,
        })
    }

    /// The scene's name: of the catalogue, or the file's path.
    pub fn scene_name(&self) -> String {
        match &self.source {
            Source::Catalogue(name) => (*name).into(),
            Source::File(path) => show(path),
        }
    }
}

fn show(path: &Path) -> String {
    let text = path.to_string_lossy();
    text.chars().map(|c| if c.is_control() { '?' } else { c }).collect()
}

impl fmt::Display for Run {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.scene_name())?;
        if !self.size_text.is_empty() {
            write!(f, ":{}", self.size_text)?;
        }
        if let Some(method) = self.method {
            write!(f, "/{}", method.name())?;
        }
        if let Some(threads) = self.threads {
            write!(f, "@{threads}")?;
        }
        Ok(())
    }
}
