//! Recordings: every frame of a run in one file, written as it comes; its extension says the form.

mod form;
mod json;
mod npy;
mod pc2;
mod pvd;
mod usda;

use crate::files::{WriteError, show};
use crate::simulation::Simulation;
use form::{Form, Target, refused};
use std::path::Path;

type Begin = fn(&Target) -> Result<Box<dyn Form>, WriteError>;

/// The forms by extension: a new one is one file and one line.
const FORMS: [(&str, Begin); 5] = [
    ("json", json::Json::begin),
    ("npy", npy::Npy::begin),
    ("pc2", pc2::Pc2::begin),
    ("pvd", pvd::Pvd::begin),
    ("usda", usda::Usda::begin),
];

/// Records the frames of a run (`docs/scene-format.md`), in authored order.
pub struct Recorder {
    form: Box<dyn Form>,
}

impl Recorder {
    /// Begins a recording of `run`, of so many frames to come. A path without an extension takes JSON: a pipe has none.
    ///
    /// # Errors
    /// A file that cannot be written, an extension that is not known, a form that has no room for anything of the scene.
    pub fn create(
        path: &Path,
        run: &str,
        simulation: &Simulation,
        frames: u64,
    ) -> Result<Self, WriteError> {
        let begin = begin(path).map_err(|what| refused(path, what))?;
        let form = begin(&Target { path, run, model: simulation.model(), frames })?;
        Ok(Self { form })
    }

    /// What of a model a recording under this name will not hold: a sentence for the user.
    pub fn leaves_out(path: &Path, simulation: &Simulation) -> Option<String> {
        let bodies = simulation.model().bodies().len();
        let is_npy = extension(path).eq_ignore_ascii_case("npy");
        (is_npy && bodies > 0)
            .then(|| format!("{}: without the {bodies} bodies: .npy holds particles", show(path)))
    }

    /// Adds the present state as the next frame.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn add(&mut self, simulation: &Simulation) -> Result<(), WriteError> {
        self.form.add(&simulation.visible())
    }

    /// Ends the recording; `hash` is that of the last state.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn finish(self, hash: &str) -> Result<(), WriteError> {
        self.form.finish(hash)
    }
}

fn extension(path: &Path) -> &str {
    path.extension().map_or("", |extension| extension.to_str().unwrap_or("?"))
}

fn begin(path: &Path) -> Result<Begin, String> {
    let extension = extension(path);
    if extension.is_empty() {
        return Ok(json::Json::begin);
    }
    let form = FORMS.iter().find(|(known, _)| extension.eq_ignore_ascii_case(known));
    form.map(|(_, begin)| *begin).ok_or_else(|| {
        let known = FORMS.map(|(known, _)| format!(".{known}")).join(", ");
        format!("unknown kind of recording; known are {known}")
    })
}
