//! Scene files (`SCENE_FORMAT.md`): settings, particles, rows and meshes, every error with its place and value.

use super::bodies::{add_body, add_joint};
use super::colliders::{read_collider, read_contacts};
use super::error::quote;
use super::groups::GroupList;
use super::json::{Json, Node, Object, Wrong};
use super::scene_mesh::add_mesh;
use super::settings::{SETTINGS, apply_setting};
use super::{
    ReadError,
    kinds::{add_arm_row, add_row, is_at_arms},
};
use crate::collision::Contacts;
use crate::error::ModelError;
use crate::model::Model;
use crate::rigid::{Attachments, Joints};
use crate::solvers::Method;
use crate::subsystem::Subsystem;
use std::path::Path;

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

/// A setting given outside the file: its name and its value as text (`--set iterations=20`).
pub type Override<'a> = (&'a str, &'a str);

/// The keys of a scene file beside the settings.
const SECTIONS: [&str; 12] = [
    "taut",
    "name",
    "method",
    "threads",
    "particles",
    "constraints",
    "meshes",
    "bodies",
    "joints",
    "groups",
    "colliders",
    "contacts",
];
/// The most worker threads that may be asked for.
pub(crate) const MOST_THREADS: u32 = 1024;

/// Reads a scene file; `overrides` replace its settings.
///
/// # Errors
/// A file that cannot be read, is not JSON or breaks the format: the file, the place in it and the value.
pub fn read_scene(path: &Path, overrides: &[Override]) -> Result<SceneFile, ReadError> {
    let text = std::fs::read(path).map_err(|source| ReadError::Io {
        path: path.into(),
        source,
    })?;
    let text = text.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&text);
    let json: Json = serde_json::from_slice(text).map_err(|error| ReadError::Line {
        path: path.into(),
        line: error.line(),
        what: format!("not a scene file: {}", bounded(&error.to_string())),
    })?;
    read_root(&json, path, overrides).map_err(|Wrong { place, what }| ReadError::Place {
        path: path.into(),
        place,
        what,
    })
}

/// A parser's message, which may quote the file.
fn bounded(message: &str) -> String {
    message
        .chars()
        .filter(|c| !c.is_control())
        .take(160)
        .collect()
}

fn read_root(json: &Json, path: &Path, overrides: &[Override]) -> Result<SceneFile, Wrong> {
    let root = Node::root(json);
    let known: Vec<&str> = SECTIONS.into_iter().chain(SETTINGS).collect();
    let scene = root.object(&known)?;
    let version = scene.need("taut")?;
    if version.number()? != 1.0 {
        return Err(version.wrong("this program reads version 1"));
    }
    let mut file = SceneFile::new(Model::new());
    file.name = scene.maybe("name", |n| Ok(quote(n.text()?.as_bytes())))?;
    file.method = scene.maybe("method", |n| method(n))?;
    file.threads = scene.maybe("threads", |n| Ok(n.whole(1, MOST_THREADS)? as usize))?;
    for key in SETTINGS {
        if let Some(node) = scene.find(key) {
            apply_setting(&mut file.model.settings, key, &node)?;
        }
    }
    override_settings(&mut file, overrides)?;
    if let Err(error) = file.model.settings.validate() {
        return Err(root.lacks(error));
    }
    if let Some(node) = scene.find("particles") {
        add_particles(&mut file.model, &node)?;
    }
    // Rows may name the particles of meshes; mesh rows come after the authored ones.
    let mut pending = Vec::new();
    let mut triangles = Vec::new();
    let folder = path.parent().unwrap_or(Path::new(""));
    if let Some(node) = scene.find("meshes") {
        node.each(|i, mesh| {
            let first = file.model.triangles().len();
            pending.push(add_mesh(
                &mut file.model,
                &mesh,
                folder,
                i,
                &mut file.warnings,
            )?);
            triangles.push(first..file.model.triangles().len());
            Ok(())
        })?;
    }
    if let Some(node) = scene.find("constraints") {
        node.each(|_, row| match is_at_arms(&row) {
            true => Ok(()), // once there are bodies
            false => add_row(&mut file.model, &row),
        })?;
    }
    // Groups follow all rows: the authored ones, then those of the meshes. Rows at arms follow groups, joints follow those.
    let mut groups = GroupList::default();
    for mesh in &pending {
        let added = mesh.add_rows(&mut file.model);
        added.map_err(|error| root.lacks(error))?;
    }
    if let Some(node) = scene.find("groups") {
        node.each(|_, group| groups.add(&mut file.model, &group))?;
    }
    for (i, mesh) in pending.iter().enumerate() {
        let added = mesh.add_groups(&mut file.model, &mut groups);
        added.map_err(|error| root.lacks(format!("meshes[{i}]: {error}")))?;
    }
    groups.finish(&mut file.model);
    if let Some(node) = scene.find("bodies") {
        let folder = path.parent().unwrap_or(Path::new(""));
        node.each(|_, body| add_body(&mut file.model, &body, folder, &mut file.warnings))?;
    }
    if let Some(node) = scene.find("constraints") {
        let mut arms = Attachments::new();
        node.each(|_, row| match is_at_arms(&row) {
            true => add_arm_row(&file.model, &mut arms, &row),
            false => Ok(()),
        })?;
        if arms.len() > 0 {
            file.model.add_part(arms);
        }
    }
    if let Some(node) = scene.find("joints") {
        let mut joints = Joints::new();
        node.each(|_, joint| add_joint(&file.model, &mut joints, &joint))?;
        if !joints.as_slice().is_empty() {
            file.model.add_part(joints);
        }
    }
    let (colliders, contacts) = (scene.find("colliders"), scene.find("contacts"));
    if colliders.is_some() || contacts.is_some() {
        let warnings = &mut file.warnings;
        let mut all = Contacts::default();
        if let Some(node) = &contacts {
            all = read_contacts(node, &file.model, &triangles, warnings)?;
        }
        if let Some(node) = &colliders {
            node.each(|_, collider| {
                all.colliders
                    .push(read_collider(&collider, folder, warnings)?);
                Ok(())
            })?;
        }
        let node = contacts.as_ref().unwrap_or(&root);
        let set = file.model.set_contacts(all);
        set.map_err(|error| node.lacks(error))?;
    }
    Ok(file)
}

/// Applies `--set key=value` to what a file or a catalogue scene says.
pub(crate) fn override_settings(file: &mut SceneFile, overrides: &[Override]) -> Result<(), Wrong> {
    for (key, text) in overrides {
        // A bare word is a string: `--set method=scalar`.
        let value = serde_json::from_str(text).unwrap_or_else(|_| Json::Text((*text).into()));
        let node = Node::named(key, &value);
        match *key {
            "method" => file.method = Some(method(&node)?),
            "threads" => file.threads = Some(node.whole(1, MOST_THREADS)? as usize),
            key if SETTINGS.contains(&key) => {
                apply_setting(&mut file.model.settings, key, &node)?;
            }
            key => {
                let known = ["method", "threads"].into_iter().chain(SETTINGS);
                let error = ModelError::unknown("setting", key, known);
                return Err(Wrong {
                    place: "--set".into(),
                    what: error.to_string(),
                });
            }
        }
    }
    Ok(())
}

fn method(node: &Node) -> Result<Method, Wrong> {
    Method::parse(node.text()?).map_err(|error| node.lacks(error))
}

fn add_particles(model: &mut Model, node: &Node) -> Result<(), Wrong> {
    let keys = ["position", "velocity", "inverse_mass", "mass"];
    let columns = node.object(&keys)?;
    let points = |key| columns.maybe(key, |n| n.list(|p| p.vector()));
    let positions = points("position")?.unwrap_or_default();
    let count = positions.len();
    let velocities = points("velocity")?;
    check_length(
        &columns,
        "velocity",
        velocities.as_ref().map(Vec::len),
        count,
    )?;
    let inverse = columns.maybe("inverse_mass", |n| n.list(|w| w.at_least(0.0)))?;
    let masses = columns.maybe("mass", |n| n.list(|m| Ok(1.0 / m.positive()?)))?;
    check_length(
        &columns,
        "inverse_mass",
        inverse.as_ref().map(Vec::len),
        count,
    )?;
    check_length(&columns, "mass", masses.as_ref().map(Vec::len), count)?;
    if inverse.is_some() && masses.is_some() {
        return Err(node.lacks("both \"mass\" and \"inverse_mass\" are given"));
    }
    let inverse = inverse.or(masses);
    for (i, x) in positions.into_iter().enumerate() {
        let v = velocities.as_ref().map_or([0.0; 3], |v| v[i]);
        let w = inverse.as_ref().map_or(1.0, |w| w[i]);
        model
            .add_particle(x, v, w)
            .map_err(|error| node.lacks(error))?;
    }
    Ok(())
}

fn check_length(
    columns: &Object,
    key: &str,
    found: Option<usize>,
    expected: usize,
) -> Result<(), Wrong> {
    match found {
        Some(found) if found != expected => {
            let what = format!("{found} entries for {expected} particles");
            Err(columns.need(key)?.lacks(what))
        }
        _ => Ok(()),
    }
}
