//! Objects of several forms: a word of theirs, as `"shape": "sphere"`, says which other keys they have.

use super::message::missing;
use super::place::{Place, SceneError};
use crate::error::ModelError;
use schemars::Schema;
use serde_json::{Value, json};

/// A form: its word, what it is, and of the keys that only some forms have those it must and those it may have.
pub(super) struct Form {
    pub(super) name: &'static str,
    pub(super) about: &'static str,
    pub(super) needs: &'static [&'static str],
    pub(super) may: &'static [&'static str],
}

/// An object of several forms, with the keys of all of them.
pub(super) trait Forms {
    /// The key of the word, and what the words are for.
    const TAG: &'static str;
    const WHAT: &'static str;
    const FORMS: &'static [Form];

    /// Its word.
    fn word(&self) -> &str;
    /// The keys that only some forms have, and whether each is there.
    fn own(&self) -> Vec<(&'static str, bool)>;

    /// Its form, after checking that it has the keys of that form and no others.
    fn form(&self, place: Place) -> Result<&'static str, SceneError> {
        let word = self.word();
        let form = Self::FORMS.iter().find(|form| form.name == word);
        let known = Self::FORMS.iter().map(|form| form.name);
        let unknown = || place.at(Self::TAG, ModelError::unknown(Self::WHAT, word, known));
        let form = form.ok_or_else(unknown)?;
        for (key, given) in self.own() {
            if given && !form.has(key) {
                let has = [form.needs, form.may].concat().join(" ");
                return Err(place.at(key, format!("\"{word}\" has no {key}; it has: {has}")));
            }
            if !given && form.needs.contains(&key) {
                return Err(place.error(missing(key)));
            }
        }
        Ok(form.name)
    }
}

impl Form {
    fn has(&self, key: &str) -> bool {
        self.needs.contains(&key) || self.may.contains(&key)
    }
}

/// `forms! { Type, tag, what; "form": "About it.", [keys it needs], [keys it may have]; .. }`
macro_rules! forms {
    ($type:ty, $tag:ident, $what:literal; $($name:literal: $about:literal, [$($needs:ident)*], [$($may:ident)*];)*) => {
        impl super::form::Forms for $type {
            const TAG: &'static str = super::form::key(stringify!($tag));
            const WHAT: &'static str = $what;
            const FORMS: &'static [super::form::Form] = &[$(super::form::Form {
                name: $name,
                about: $about,
                needs: &[$(super::form::key(stringify!($needs))),*],
                may: &[$(super::form::key(stringify!($may))),*],
            }),*];
            fn word(&self) -> &str {
                &self.$tag
            }
            fn own(&self) -> Vec<(&'static str, bool)> {
                vec![$($((super::form::key(stringify!($needs)), self.$needs.is_some()),)*
                    $((super::form::key(stringify!($may)), self.$may.is_some()),)*)*]
            }
        }
    };
}
pub(super) use forms;

/// A field's key: its name without the mark of a raw identifier.
pub(super) const fn key(name: &'static str) -> &'static str {
    match name.as_bytes() {
        [b'r', b'#', ..] => name.split_at(2).1,
        _ => name,
    }
}

/// Adds the forms to the schema of an object with the keys of all of them.
pub(super) fn list_forms<F: Forms>(schema: &mut Schema) {
    let one_of = F::FORMS.iter().map(|form| {
        let mut properties = json!({ F::TAG: { "const": form.name } });
        let others = F::FORMS.iter().flat_map(|other| [other.needs, other.may].concat());
        for key in others.filter(|key| !form.has(key)) {
            properties[key] = false.into();
        }
        json!({
            "title": form.name, "description": form.about,
            "properties": properties, "required": form.needs,
        })
    });
    schema.insert("oneOf".into(), one_of.collect::<Value>());
}
