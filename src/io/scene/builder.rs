//! A model on its way from a scene file's entries.

use super::message::refused;
use super::place::{Place, SceneError};
use crate::groups::{Pressures, Shapes};
use crate::io::read_mesh;
use crate::mesh::Mesh;
use crate::model::Model;
use crate::rigid::{Attachments, Joints};
use std::ops::Range;
use std::path::{Path, PathBuf};

/// The most particles that emitters and tears may ask for by number, all together: all others stand in files, one by one.
pub(super) const MOST_WAITING: u32 = 1 << 24;

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
    /// How many particles emitters and tears have asked for.
    waiting: usize,
}

impl<'a> Builder<'a> {
    pub(super) fn new(
        model: &'a mut Model,
        warnings: &'a mut Vec<String>,
        files: &'a mut Vec<PathBuf>,
        folder: &'a Path,
    ) -> Self {
        Self {
            model,
            warnings,
            files,
            folder,
            triangles: Vec::new(),
            attachments: Attachments::new(),
            joints: Joints::new(),
            pressures: None,
            shapes: None,
            waiting: 0,
        }
    }

    /// Counts particles that a key asks for by number: a short file may not ask for more than memory holds.
    pub(super) fn ask_for(
        &mut self,
        place: Place,
        key: &str,
        count: u32,
    ) -> Result<(), SceneError> {
        self.waiting += count as usize;
        match self.waiting > MOST_WAITING as usize {
            true => {
                let sum = format!("{count}, with those before it {},", self.waiting);
                let rule = format!("all emitters and tears have at most {MOST_WAITING} together");
                Err(place.at(key, refused(sum, rule)))
            }
            false => Ok(()),
        }
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
