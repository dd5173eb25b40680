//! A model on its way from a scene file's entries.

use super::place::{Place, SceneError};
use crate::groups::{Pressures, Shapes};
use crate::io::read_mesh;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::rigid::{Attachments, Joints};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// What the entries are added to.
pub(super) struct Builder<'a> {
    pub(super) model: &'a mut Model,
    pub(super) warnings: &'a mut Vec<String>,
    /// The files that were read.
    files: &'a mut Vec<PathBuf>,
    /// Where the files lie that the scene names.
    pub(super) folder: &'a Path,
    /// The triangles of each mesh among the model's.
    pub(super) triangles: Vec<Range<usize>>,
    pub(super) attachments: Attachments,
    pub(super) joints: Joints,
    /// Groups of one kind that follow each other are one subsystem: one of these is the present one.
    pressures: Option<Pressures>,
    shapes: Option<Shapes>,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        model: &'a mut Model,
        warnings: &'a mut Vec<String>,
        files: &'a mut Vec<PathBuf>,
        folder: &'a Path,
    ) -> Self {
        let (attachments, joints) = (Attachments::new(), Joints::new());
        let (triangles, pressures, shapes) = (Vec::new(), None, None);
        Self { model, warnings, files, folder, triangles, attachments, joints, pressures, shapes }
    }

    /// Reads the mesh file that a key of an entry names.
    pub(super) fn mesh(&mut self, place: Place, key: &str, file: &str) -> Result<Mesh, SceneError> {
        let path = self.folder.join(file);
        let mesh = read_mesh(&path).map_err(|error| place.at(key, error))?;
        self.files.push(path);
        self.warnings.extend(mesh.warnings.iter().map(|w| format!("{place}: {w}")));
        Ok(mesh)
    }

    /// The model, and the surfaces under pressure that the next one joins.
    pub(super) fn pressures(&mut self) -> (&Model, &mut Pressures) {
        if self.pressures.is_none() {
            self.finish_groups();
        }
        (self.model, self.pressures.get_or_insert_default())
    }

    /// The model, and the clusters that the next one joins.
    pub(super) fn shapes(&mut self) -> (&Model, &mut Shapes) {
        if self.shapes.is_none() {
            self.finish_groups();
        }
        (self.model, self.shapes.get_or_insert_default())
    }

    /// Puts the groups so far into the model.
    pub(super) fn finish_groups(&mut self) {
        if let Some(pressures) = self.pressures.take() {
            self.model.add_subsystem(pressures).expect("its particles are the model's");
        }
        if let Some(shapes) = self.shapes.take() {
            self.model.add_subsystem(shapes).expect("its particles are the model's");
        }
    }
}
