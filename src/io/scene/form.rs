//! Objects of several forms: a word of theirs, as `"shape": "sphere"`, says which other keys they have.

use super::strict::{Place, Wrong, missing};
use crate::error::ModelError;
use schemars::Schema;
use serde_json::{Map, Value, json};

/// A form, and the keys that only some forms have.
pub(super) struct Form {
    /// Its word.
    pub(super) name: &'static str,
    /// What it is, for the schema.
    pub(super) about: &'static str,
    /// The keys that it must have.
    pub(super) needs: &'static [&'static str],
    /// The keys that it may have beside them.
    pub(super) may: &'static [&'static str],
}

/// An object of several forms, with the keys of all of them.
pub(super) trait Forms {
    /// The key of the word, and what the words are for.
    const TAG: &'static str;
    const WHAT: &'static str;
    const FORMS: &'static [Form];

    /// Its word.
    fn tag(&self) -> &str;
    /// Those of the keys that only some forms have, and whether each is there.
    fn own(&self) -> Vec<(&'static str, bool)>;

    /// Its form's name, after checking that it has the keys of that form and no others.
    fn form(&self, place: Place) -> Result<&'static str, Wrong> {
        let word = self.tag();
        let form = Self::FORMS.iter().find(|form| form.name == word);
        let known = Self::FORMS.iter().map(|form| form.name);
        let unknown = || place.at(Self::TAG, ModelError::unknown(Self::WHAT, word, known));
        let Form {
            name, needs, may, ..
        } = form.ok_or_else(unknown)?;
        for (key, given) in self.own() {
            if given && !needs.contains(&key) && !may.contains(&key) {
                let has = [*needs, may].concat().join(" ");
                return Err(place.at(key, format!("\"{name}\" has no {key}; it has: {has}")));
            }
            if !given && needs.contains(&key) {
                return Err(place.lacks(missing(key)));
            }
        }
        Ok(name)
    }
}

/// Lists fields by name, and whether each holds a value.
macro_rules! own {
    ($object:ident: $($key:ident)*) => {
        vec![$((stringify!($key).trim_start_matches("r#"), $object.$key.is_some())),*]
    };
}
pub(super) use own;

/// One form in a schema: its word, what it is, the keys that are its own, and which of these it must have.
pub(super) struct Variant {
    pub(super) name: String,
    pub(super) about: String,
    pub(super) own: Map<String, Value>,
    pub(super) required: Vec<String>,
}

/// Turns the schema of the object with the keys of all forms into one that lists the forms.
pub(super) fn list_forms<F: Forms>(schema: &mut Schema) {
    let all = take_object(schema, "properties");
    let keys = |form: &Form| [form.needs, form.may].concat();
    let some: Vec<&str> = F::FORMS.iter().flat_map(keys).collect();
    let variants = F::FORMS.iter().map(|form| Variant {
        name: form.name.into(),
        about: form.about.into(),
        own: keys(form)
            .into_iter()
            .map(|key| (key.into(), all[key].clone()))
            .collect(),
        required: form.needs.iter().map(|key| String::from(*key)).collect(),
    });
    let variants = variants.collect();
    let common = all
        .into_iter()
        .filter(|(key, _)| !some.contains(&key.as_str()));
    schema.insert("properties".into(), Value::Object(common.collect()));
    list_variants(schema, F::TAG, variants);
}

/// Turns the schema of the keys that all forms have into one that lists the forms.
pub(super) fn list_variants(schema: &mut Schema, tag: &str, variants: Vec<Variant>) {
    let common = take_object(schema, "properties");
    let always = schema.remove("required");
    schema.remove("additionalProperties");
    let forms = variants.into_iter().map(|variant| {
        let mut properties = common.clone();
        properties.insert(tag.into(), json!({ "const": variant.name }));
        properties.extend(variant.own);
        let mut required = always.clone().unwrap_or_else(|| json!([]));
        let list = required.as_array_mut().expect("a schema's list of keys");
        list.extend(variant.required.into_iter().map(Value::from));
        json!({
            "title": variant.name, "description": variant.about,
            "properties": properties, "required": required, "additionalProperties": false,
        })
    });
    schema.insert("oneOf".into(), forms.collect());
}

/// An object of a schema, which then has it no longer.
fn take_object(schema: &mut Schema, key: &str) -> Map<String, Value> {
    match schema.remove(key) {
        Some(Value::Object(object)) => object,
        _ => Map::new(),
    }
}
