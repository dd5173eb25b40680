//! Scene files (`docs/scene-format.md`): every error with its place and value.

mod bodies;
mod builder;
mod colliders;
mod contacts;
mod document;
mod emitters;
mod file;
mod forces;
mod form;
mod groups;
mod indices;
mod joints;
mod mesh_rows;
mod meshes;
mod message;
mod place;
mod rows;
mod strict;
mod tears;
mod values;

pub use document::Override;
pub use document::{MOST_THREADS, override_settings};
pub use file::SceneFile;

use super::text::{load, without_mark};
use crate::collision::Contacts;
use crate::io::ReadError;
use crate::io::quote;
use crate::model::Model;
use crate::subsystem::Subsystem;
use builder::Builder;
use document::{Document, Particles};
use message::{INVERSE, Shown, missing, refused, sentence};
use place::{Place, SceneError};
use schemars::Schema;
use schemars::transform::{RecursiveTransform, Transform};
use serde_json::Value;
use serde_json::error::Category;
use std::path::Path;
use strict::read;
use values::Plain;

/// The schema of scene files: an editor that knows it completes and explains their keys.
pub fn scene_schema() -> String {
    let mut schema = schemars::schema_for!(Document);
    RecursiveTransform(refuse_null).transform(&mut schema);
    serde_json::to_string_pretty(&schema).expect("a schema is JSON")
}

/// schemars lets `null` stand for what is left out; scene files do not.
fn refuse_null(schema: &mut Schema) {
    schema.remove("format"); // the numbers' types in Rust
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.retain(|word| !word.is_null());
    }
    if let Some(Value::Array(types)) = schema.get_mut("type") {
        let only = types.swap_remove(0);
        schema.insert("type".into(), only);
    }
    if let Some(Value::Array(any)) = schema.get_mut("anyOf") {
        any.retain(|one| one["type"] != "null");
        if let [Value::Object(only)] = &mut any[..] {
            let only = std::mem::take(only);
            schema.remove("anyOf");
            schema.ensure_object().extend(only);
        }
    }
}

/// Reads a scene file; `overrides` replace its settings.
///
/// # Errors
/// A file that cannot be read, is not JSON or breaks the format: the file, the place in it and the value.
pub fn read_scene(path: &Path, overrides: &[Override]) -> Result<SceneFile, ReadError> {
    parse_scene(path, &read_scene_text(path)?, overrides)
}

/// A scene file's text, whatever it holds.
pub fn read_scene_text(path: &Path) -> Result<Vec<u8>, ReadError> {
    load(path)
}

/// [`read_scene`] of a text that was read from `path`.
pub fn parse_scene(
    path: &Path,
    text: &[u8],
    overrides: &[Override],
) -> Result<SceneFile, ReadError> {
    let document = parse(path, without_mark(text))?;
    build(&document, path, overrides).map_err(|SceneError { place, what }| ReadError::Place {
        path: path.into(),
        place,
        what,
    })
}

fn parse(path: &Path, text: &[u8]) -> Result<Document, ReadError> {
    let mut json = serde_json::Deserializer::from_slice(text);
    let document = read::<Document, _>(&mut json);
    let document = document.and_then(|document| match json.end() {
        Ok(()) => Ok(document),
        Err(error) => Err((String::new(), error)),
    });
    document.map_err(|(place, error)| {
        if let Some(what) = no_text(text) {
            return ReadError::File { path: path.into(), what };
        }
        let (path, line) = (path.into(), error.line());
        let what = sentence(&error);
        match error.classify() {
            Category::Data if place.is_empty() => ReadError::Line { path, line, what },
            Category::Data => ReadError::Place { path, place, what },
            _ => ReadError::Line { path, line, what: not_json(&what, &error) },
        }
    })
}

/// What ends the reading of the text: the message names the line before it.
fn not_json(what: &str, error: &serde_json::Error) -> String {
    format!("not a scene file: {what} at column {}", error.column())
}

/// What is wrong with bytes that are no text at all.
fn no_text(bytes: &[u8]) -> Option<String> {
    if bytes.trim_ascii().is_empty() {
        return Some("the file is empty".into());
    }
    let is_wide = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let wrong = std::str::from_utf8(bytes).err()?;
    Some(match is_wide {
        true => "not UTF-8 text but UTF-16: save it as UTF-8".into(),
        false => format!("not UTF-8 text: byte {} belongs to no letter", wrong.valid_up_to() + 1),
    })
}

fn build(
    document: &Document,
    path: &Path,
    overrides: &[Override],
) -> Result<SceneFile, SceneError> {
    if document.taut.is_none() {
        return Err(ROOT.error(missing("taut")));
    }
    let mut file = SceneFile::new(Model::new());
    file.name = document.name.as_ref().map(|name| quote(name.as_bytes()));
    document.apply(&mut file);
    override_settings(&mut file, overrides)?;
    ROOT.accept(file.model.settings.validate())?;
    let folder = path.parent().unwrap_or(Path::new(""));
    file.files.push(path.into());
    let SceneFile { model, warnings, files, .. } = &mut file;
    if let Some(particles) = &document.particles {
        add_particles(model, particles)?;
    }
    let to = &mut Builder::new(model, warnings, files, folder);
    // Rows may name the particles of meshes; mesh rows come after the authored ones.
    let mut meshes = Vec::new();
    for (place, mesh) in places("meshes", &document.meshes) {
        meshes.push(mesh.add(to, place)?);
    }
    add_emitters(document, to)?;
    // Groups follow all rows, those of the meshes too; rows attached to bodies follow groups, joints follow those, contacts are last.
    let rows = places("constraints", &document.constraints);
    for (place, row) in rows.filter(|(_, row)| !row.is_attached()) {
        row.add(to, place)?;
    }
    for (place, mesh) in places("meshes", &meshes) {
        place.accept(mesh.add_rows(to.model))?;
    }
    for (place, group) in places("groups", &document.groups) {
        group.add(to, place)?;
    }
    for (place, mesh) in places("meshes", &meshes) {
        place.accept(mesh.add_groups(to))?;
    }
    to.finish_groups();
    add_bodies(document, to)?;
    for (place, force) in places("forces", &document.forces) {
        force.add(to, place)?;
    }
    if document.colliders.is_some() || document.contacts.is_some() {
        add_contacts(document, to)?;
    }
    // Behind all: what tears knows what holds it together, and copies come after the particles that the file can name.
    for (place, tear) in places("tears", &document.tears) {
        tear.add(to, place)?;
    }
    let triangles = to.triangles.clone();
    for ((place, mesh), triangles) in places("meshes", &document.meshes).zip(triangles) {
        mesh.add_tear(to, place, triangles)?;
    }
    Ok(file)
}

/// The document as a whole.
const ROOT: Place = Place { section: "", index: None };

/// Emitters with the particles that they send out, and what takes those back.
fn add_emitters(document: &Document, to: &mut Builder) -> Result<(), SceneError> {
    let sinks = places("sinks", &document.sinks).map(|(place, sink)| sink.sink(place));
    let sinks = sinks.collect::<Result<Vec<_>, _>>()?;
    if !sinks.is_empty() && document.emitters.is_empty() {
        to.warnings.push("sinks: there are no emitters, so they take nothing".into());
    }
    for (place, emitter) in places("emitters", &document.emitters) {
        emitter.add(to, place, &sinks)?;
    }
    Ok(())
}

/// Bodies, and what holds them: rows attached to them, then joints.
fn add_bodies(document: &Document, to: &mut Builder) -> Result<(), SceneError> {
    for (place, body) in places("bodies", &document.bodies) {
        body.add(to, place)?;
    }
    let rows = places("constraints", &document.constraints);
    for (place, row) in rows.filter(|(_, row)| row.is_attached()) {
        row.add(to, place)?;
    }
    if to.attachments.len() > 0 {
        ROOT.accept(to.model.add_subsystem(std::mem::take(&mut to.attachments)))?;
    }
    for (place, joint) in places("joints", &document.joints) {
        joint.add(to, place)?;
    }
    if !to.joints.as_slice().is_empty() {
        ROOT.accept(to.model.add_subsystem(std::mem::take(&mut to.joints)))?;
    }
    Ok(())
}

fn add_contacts(document: &Document, to: &mut Builder) -> Result<(), SceneError> {
    let mut contacts = Contacts::default();
    let mut place = ROOT;
    if let Some(given) = &document.contacts {
        place.section = "contacts";
        contacts = given.contacts(to, place)?;
    }
    let colliders = document.colliders.as_deref().unwrap_or_default();
    for (place, entry) in places("colliders", colliders) {
        contacts.colliders.push(entry.collider(to, place)?);
    }
    place.accept(to.model.set_contacts(contacts))
}

/// The entries of a section, each with its place.
fn places<'a, T>(section: &'a str, list: &'a [T]) -> impl Iterator<Item = (Place<'a>, &'a T)> {
    let place = move |index| Place { section, index: Some(index) };
    list.iter().enumerate().map(move |(i, entry)| (place(i), entry))
}

fn add_particles(model: &mut Model, particles: &Particles) -> Result<(), SceneError> {
    let place = Place { section: "particles", index: None };
    let Particles { position, velocity, inverse_mass, mass } = particles;
    let count = position.len();
    let lengths = [
        ("velocity", velocity.as_ref().map(Vec::len)),
        ("inverse_mass", inverse_mass.as_ref().map(Vec::len)),
        ("mass", mass.as_ref().map(Vec::len)),
    ];
    for (key, length) in lengths {
        if let Some(found) = length.filter(|found| *found != count) {
            return Err(place.at(key, format!("{found} entries for {count} particles")));
        }
    }
    if inverse_mass.is_some() && mass.is_some() {
        return Err(place.error("both \"mass\" and \"inverse_mass\" are given"));
    }
    for (i, x) in position.iter().enumerate() {
        let v = velocity.as_ref().map_or([0.0; 3], |v| v[i].plain());
        let w = inverse_mass.as_ref().map_or(1.0, |w| w[i].plain());
        let w = mass.as_ref().map_or(w, |m| 1.0 / m[i].plain());
        if let (Some(mass), false) = (mass, (w as f32).is_finite()) {
            let refused = refused(Shown(mass[i].plain()), INVERSE);
            return Err(place.at(format!("mass[{i}]"), refused));
        }
        place.accept(model.add_particle(x.plain(), v, w))?;
    }
    Ok(())
}
