//! What a scene file holds.

use crate::model::Model;
use crate::solvers::Method;
use std::path::PathBuf;

/// A model as a file gives it.
pub struct SceneFile {
    /// What is simulated.
    pub model: Model,
    /// The scene's name, if it has one.
    pub name: Option<String>,
    /// The method asked for.
    pub method: Option<Method>,
    /// The number of threads asked for.
    pub threads: Option<usize>,
    /// What a user should know: one sentence each.
    pub warnings: Vec<String>,
    /// The files that were read: the scene's, and those of its meshes.
    pub files: Vec<PathBuf>,
}

impl SceneFile {
    /// A model that asks for nothing in particular.
    pub fn new(model: Model) -> Self {
        let (warnings, files) = (Vec::new(), Vec::new());
        Self { model, name: None, method: None, threads: None, warnings, files }
    }
}
