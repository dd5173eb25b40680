//! What a scene file holds.

use crate::model::Model;
use crate::solvers::Method;

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
}

impl SceneFile {
    /// A model that asks for nothing in particular.
    pub fn new(model: Model) -> Self {
        Self {
            model,
            name: None,
            method: None,
            threads: None,
            warnings: Vec::new(),
        }
    }
}
