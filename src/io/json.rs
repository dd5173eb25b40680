//! JSON as the scene reader wants it: exact numbers, objects in the order of the file, no key twice, and every value
//! knowing its place.

use serde::de::{Deserialize, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use std::collections::HashSet;
use std::fmt;

/// A JSON value.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// The value as a message may show it: short, on one line.
    fn show(&self) -> String {
        match self {
            Self::Null => "null".into(),
            Self::Bool(b) => b.to_string(),
            Self::Number(v) if v.abs() >= 1e16 || (*v != 0.0 && v.abs() < 1e-6) => format!("{v:e}"),
            Self::Number(v) => v.to_string(),
            Self::Text(text) => format!("\"{}\"", super::error::quote(text.as_bytes())),
            Self::List(list) => format!("a list of {}", list.len()),
            Self::Object(_) => "an object".into(),
        }
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(JsonVisitor)
    }
}

struct JsonVisitor;

impl<'de> Visitor<'de> for JsonVisitor {
    type Value = Json;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str("a JSON value")
    }
    fn visit_unit<E>(self) -> Result<Json, E> {
        Ok(Json::Null)
    }
    fn visit_bool<E>(self, v: bool) -> Result<Json, E> {
        Ok(Json::Bool(v))
    }
    fn visit_i64<E>(self, v: i64) -> Result<Json, E> {
        Ok(Json::Number(v as f64))
    }
    fn visit_u64<E>(self, v: u64) -> Result<Json, E> {
        Ok(Json::Number(v as f64))
    }
    fn visit_f64<E>(self, v: f64) -> Result<Json, E> {
        Ok(Json::Number(v))
    }
    fn visit_str<E>(self, v: &str) -> Result<Json, E> {
        Ok(Json::Text(v.into()))
    }
    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Json, A::Error> {
        let mut list = Vec::new();
        while let Some(value) = seq.next_element()? {
            list.push(value);
        }
        Ok(Json::List(list))
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Json, A::Error> {
        let mut seen = HashSet::new();
        let mut object = Vec::new();
        while let Some((key, value)) = map.next_entry::<String, Json>()? {
            if !seen.insert(key.clone()) {
                let key = super::error::quote(key.as_bytes());
                return Err(A::Error::custom(format!("key \"{key}\" stands twice")));
            }
            object.push((key, value));
        }
        Ok(Json::Object(object))
    }
}

/// Where a value stands in a document, as `constraints[3].rest_length`.
#[derive(Clone, Copy, Debug)]
enum Place<'p> {
    Root,
    Key(&'p Place<'p>, &'p str),
    Index(&'p Place<'p>, usize),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Root => Ok(()),
            Self::Key(Self::Root, key) => f.write_str(key),
            Self::Key(parent, key) => write!(f, "{parent}.{key}"),
            Self::Index(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}

/// What is wrong, and where in the document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wrong {
    pub(crate) place: String,
    pub(crate) what: String,
}

/// A value and its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node<'p> {
    value: &'p Json,
    place: Place<'p>,
}

impl<'p> Node<'p> {
    pub(crate) fn root(value: &'p Json) -> Self {
        let place = Place::Root;
        Self { value, place }
    }

    /// A value given under a name outside any document (`--set`).
    pub(crate) fn named(name: &'p str, value: &'p Json) -> Self {
        let place = Place::Key(&Place::Root, name);
        Self { value, place }
    }

    /// An error at this value: what was wrong with it.
    pub(crate) fn wrong(&self, rule: impl fmt::Display) -> Wrong {
        Wrong {
            place: self.place.to_string(),
            what: format!("{} is not allowed ({rule})", self.value.show()),
        }
    }

    /// An error at this object as a whole.
    pub(crate) fn lacks(&self, what: impl fmt::Display) -> Wrong {
        Wrong {
            place: self.place.to_string(),
            what: what.to_string(),
        }
    }

    /// An object's entries; every key must be one of `known`.
    pub(crate) fn object(&'p self, known: &[&str]) -> Result<Object<'p>, Wrong> {
        let entries = self.entries()?;
        for (key, _) in entries {
            if !known.contains(&key.as_str()) {
                let key = super::error::quote(key.as_bytes());
                return Err(
                    self.lacks(format!("unknown key \"{key}\"; known: {}", known.join(" ")))
                );
            }
        }
        Ok(Object {
            node: self,
            entries,
        })
    }

    /// An object's entries, whatever its keys.
    pub(crate) fn entries(&self) -> Result<&'p [(String, Json)], Wrong> {
        match self.value {
            Json::Object(entries) => Ok(entries),
            _ => Err(self.wrong("must be an object")),
        }
    }

    /// The value under a key that the object has.
    pub(crate) fn child(&'p self, entry: &'p (String, Json)) -> Node<'p> {
        Node {
            value: &entry.1,
            place: Place::Key(&self.place, &entry.0),
        }
    }

    /// Does `act` with every item of a list; returns how many there are.
    pub(crate) fn each(
        &self,
        mut act: impl FnMut(usize, Node) -> Result<(), Wrong>,
    ) -> Result<usize, Wrong> {
        let Json::List(list) = self.value else {
            return Err(self.wrong("must be a list"));
        };
        for (i, value) in list.iter().enumerate() {
            let place = Place::Index(&self.place, i);
            act(i, Node { value, place })?;
        }
        Ok(list.len())
    }

    /// A list, each item read by `read`.
    pub(crate) fn list<T>(&self, read: impl Fn(Node) -> Result<T, Wrong>) -> Result<Vec<T>, Wrong> {
        let mut out = Vec::new();
        self.each(|_, node| {
            out.push(read(node)?);
            Ok(())
        })?;
        Ok(out)
    }

    /// A list of exactly N items.
    pub(crate) fn array<T: Copy + Default, const N: usize>(
        &self,
        read: impl Fn(Node) -> Result<T, Wrong>,
    ) -> Result<[T; N], Wrong> {
        let mut out = [T::default(); N];
        let mut count = 0;
        self.each(|i, node| {
            count = i + 1;
            if i < N {
                out[i] = read(node)?;
            }
            Ok(())
        })?;
        match count == N {
            true => Ok(out),
            false => Err(self.wrong(format!("must be a list of {N}"))),
        }
    }

    pub(crate) fn text(&self) -> Result<&'p str, Wrong> {
        match self.value {
            Json::Text(text) => Ok(text),
            _ => Err(self.wrong("must be a string")),
        }
    }

    /// A number that is finite in f32.
    pub(crate) fn boolean(&self) -> Result<bool, Wrong> {
        match self.value {
            Json::Bool(b) => Ok(*b),
            _ => Err(self.wrong("must be true or false")),
        }
    }

    pub(crate) fn number(&self) -> Result<f64, Wrong> {
        match self.value {
            Json::Number(v) if (*v as f32).is_finite() => Ok(*v),
            Json::Number(_) => Err(self.wrong("must be finite in f32")),
            _ => Err(self.wrong("must be a number")),
        }
    }

    /// A number of at least `least`.
    pub(crate) fn at_least(&self, least: f64) -> Result<f64, Wrong> {
        match self.number()? {
            v if v < least && least == 0.0 => Err(self.wrong("must not be negative")),
            v if v < least => Err(self.wrong(format!("must be at least {least}"))),
            v => Ok(v),
        }
    }

    /// A number above zero.
    pub(crate) fn positive(&self) -> Result<f64, Wrong> {
        match self.number()? {
            v if v > 0.0 => Ok(v),
            _ => Err(self.wrong("must be positive")),
        }
    }

    /// A whole number in `least..=most`.
    pub(crate) fn whole(&self, least: u32, most: u32) -> Result<u32, Wrong> {
        match self.value {
            Json::Number(v)
                if v.fract() == 0.0 && (f64::from(least)..=f64::from(most)).contains(v) =>
            {
                Ok(*v as u32)
            }
            _ => Err(self.wrong(format!("must be a whole number from {least} to {most}"))),
        }
    }

    /// Three finite numbers.
    pub(crate) fn vector(&self) -> Result<[f64; 3], Wrong> {
        self.array(|node| node.number())
    }
}

/// An object whose keys are all known.
#[derive(Clone, Copy)]
pub(crate) struct Object<'p> {
    node: &'p Node<'p>,
    entries: &'p [(String, Json)],
}

impl<'p> Object<'p> {
    /// The value under `key`, if there is one.
    pub(crate) fn find(&self, key: &str) -> Option<Node<'p>> {
        let entry = self.entries.iter().find(|(k, _)| k == key)?;
        Some(self.node.child(entry))
    }

    /// The value under `key`.
    pub(crate) fn need(&self, key: &str) -> Result<Node<'p>, Wrong> {
        let missing = || self.node.lacks(format!("\"{key}\" is missing"));
        self.find(key).ok_or_else(missing)
    }

    /// The value under `key`, read by `read`, if there is one.
    pub(crate) fn maybe<T>(
        &self,
        key: &str,
        read: impl Fn(&Node<'p>) -> Result<T, Wrong>,
    ) -> Result<Option<T>, Wrong> {
        self.find(key).map(|node| read(&node)).transpose()
    }

    /// The object itself, for errors.
    pub(crate) fn node(&self) -> &'p Node<'p> {
        self.node
    }
}
