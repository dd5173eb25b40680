//! JSON as scene files want it, over any source of values: an object is an object and no list of its fields, no key
//! stands twice or is unknown, `null` is no value, and what is refused is named with its value and its place.
//!
//! The types say what is read (`#[derive(Deserialize)]`); this says how strictly. serde's derive alone would take lists for
//! objects and `null` for what is left out.

use crate::error::list;
use crate::io::quote;
use serde::de::value::StringDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;
use serde_path_to_error::{Segment, Track};
use std::collections::HashSet;
use std::fmt;

/// What is wrong, and where in the document.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wrong {
    pub(crate) place: String,
    pub(crate) what: String,
}

/// Where something stands in a document: an entry of a section, as `constraints[3]`, or a section as a whole.
#[derive(Clone, Copy)]
pub(super) struct Place<'a> {
    pub(super) section: &'a str,
    pub(super) index: Option<usize>,
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(self.section)?;
        self.index.map_or(Ok(()), |i| write!(f, "[{i}]"))
    }
}

impl Place<'_> {
    /// An error at the entry as a whole.
    pub(super) fn lacks(&self, what: impl fmt::Display) -> Wrong {
        Wrong {
            place: self.to_string(),
            what: what.to_string(),
        }
    }

    /// An error at one of its keys.
    pub(super) fn at(&self, key: impl fmt::Display, what: impl fmt::Display) -> Wrong {
        Wrong {
            place: format!("{self}.{key}"),
            what: what.to_string(),
        }
    }

    /// The value of a key that must be there.
    pub(super) fn need<T>(&self, key: &str, value: Option<T>) -> Result<T, Wrong> {
        value.ok_or_else(|| self.lacks(missing(key)))
    }

    /// Reads the value of a key, of which only the entry as a whole says what it must be.
    pub(super) fn read<'v, T: Deserialize<'v>>(
        &self,
        key: impl fmt::Display,
        value: &'v Value,
    ) -> Result<T, Wrong> {
        read(value).map_err(|(place, error)| {
            let inner = if place.starts_with('[') || place.is_empty() {
                ""
            } else {
                "."
            };
            Wrong {
                place: format!("{self}.{key}{inner}{place}"),
                what: reword(&error.to_string()),
            }
        })
    }
}

pub(super) fn missing(key: &str) -> String {
    format!("\"{key}\" is missing")
}

/// A key that no object there has, and those it may have.
pub(super) fn unknown_key<'a>(key: &str, known: impl IntoIterator<Item = &'a str>) -> String {
    let key = quote(key.as_bytes());
    format!("unknown key \"{key}\"; known: {}", list(&key, known))
}

/// A value that is refused.
pub(super) fn refused(value: impl fmt::Display, rule: impl fmt::Display) -> String {
    format!("{value} is not allowed ({rule})")
}

/// A number as a message shows it.
pub(super) struct Shown(pub(super) f64);

impl fmt::Display for Shown {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self.0 {
            v if v.abs() >= 1e16 || (v != 0.0 && v.abs() < 1e-6) => write!(f, "{v:e}"),
            v => write!(f, "{v}"),
        }
    }
}

/// Reads a `T`; an error comes with its place, empty where it is the whole.
pub(super) fn read<'de, T, D>(source: D) -> Result<T, (String, D::Error)>
where
    T: Deserialize<'de>,
    D: Deserializer<'de>,
{
    let mut track = Track::new();
    let tracked = serde_path_to_error::Deserializer::new(source, &mut track);
    let read = T::deserialize(Strict(tracked));
    read.map_err(|error| {
        let mut place = String::new();
        for segment in track.path().iter() {
            match segment {
                Segment::Seq { index } => place += &format!("[{index}]"),
                Segment::Map { key } if place.is_empty() => place = quote(key.as_bytes()),
                Segment::Map { key } => place = format!("{place}.{}", quote(key.as_bytes())),
                Segment::Enum { .. } | Segment::Unknown => {}
            }
        }
        (place, error)
    })
}

/// serde's sentence for a key left out in the words of the other messages.
pub(super) fn reword(message: &str) -> String {
    let key = message.strip_prefix("missing field `");
    let key = key.and_then(|key| key.strip_suffix('`'));
    key.map_or_else(|| message.into(), missing)
}

/// What the type being read takes.
#[derive(Clone, Copy)]
enum Takes {
    Anything,
    Truth,
    Number,
    Text,
    List,
    /// A list of so many.
    Array(usize),
    Object,
    /// An object of these keys.
    Keys(&'static [&'static str]),
}

impl Takes {
    fn refuse<E: Error>(self, value: impl fmt::Display) -> E {
        let rule = match self {
            Self::Truth => "must be true or false".into(),
            Self::Number => "must be a number".into(),
            Self::Text => "must be a string".into(),
            Self::List => "must be a list".into(),
            Self::Array(len) => format!("must be a list of {len}"),
            Self::Object | Self::Keys(_) => "must be an object".into(),
            Self::Anything => String::from("must be a value"),
        };
        E::custom(refused(value, rule))
    }
}

/// A source of values that is strict about them, and about those inside.
struct Strict<D>(D);

/// Deserializes by JSON type, after checking it.
macro_rules! takes {
    ($($method:ident: $takes:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
            self.0.deserialize_any(Checked { visitor, takes: $takes })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    takes! {
        deserialize_any: Takes::Anything;
        deserialize_bool: Takes::Truth;
        deserialize_f64: Takes::Number;
        deserialize_str: Takes::Text;
        deserialize_string: Takes::Text;
        deserialize_seq: Takes::List;
        deserialize_map: Takes::Object;
    }

    fn deserialize_tuple<V: Visitor<'de>>(
        self,
        len: usize,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let takes = Takes::Array(len);
        self.0.deserialize_any(Checked { visitor, takes })
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        keys: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        let takes = Takes::Keys(keys);
        self.0.deserialize_any(Checked { visitor, takes })
    }

    /// What is left out is not read at all: `null` is refused by the type inside.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(self)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        visitor: V,
    ) -> Result<V::Value, D::Error> {
        visitor.visit_newtype_struct(self)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u32 u64 f32 char bytes byte_buf unit unit_struct tuple_struct enum identifier ignored_any
    }
}

/// Hands a value to `visitor` if it is of a type that is taken.
struct Checked<V> {
    visitor: V,
    takes: Takes,
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Checked<V> {
    type Value = V::Value;

    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.visitor.expecting(f)
    }
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        match self.takes {
            Takes::Anything => self.visitor.visit_unit(),
            takes => Err(takes.refuse("null")),
        }
    }
    fn visit_bool<E: Error>(self, v: bool) -> Result<V::Value, E> {
        match self.takes {
            Takes::Anything | Takes::Truth => self.visitor.visit_bool(v),
            takes => Err(takes.refuse(v)),
        }
    }
    fn visit_i64<E: Error>(self, v: i64) -> Result<V::Value, E> {
        self.visit_f64(v as f64)
    }
    fn visit_u64<E: Error>(self, v: u64) -> Result<V::Value, E> {
        self.visit_f64(v as f64)
    }
    fn visit_f64<E: Error>(self, v: f64) -> Result<V::Value, E> {
        match self.takes {
            Takes::Anything | Takes::Number => self.visitor.visit_f64(v),
            takes => Err(takes.refuse(Shown(v))),
        }
    }
    fn visit_str<E: Error>(self, v: &str) -> Result<V::Value, E> {
        match self.takes {
            Takes::Anything | Takes::Text => self.visitor.visit_str(v),
            takes => Err(takes.refuse(format!("\"{}\"", quote(v.as_bytes())))),
        }
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        let mut items = Items {
            seq,
            count: 0,
            short: false,
        };
        match self.takes {
            Takes::Anything | Takes::List => self.visitor.visit_seq(items),
            Takes::Array(len) => {
                let read = self.visitor.visit_seq(&mut items);
                if read.is_ok() {
                    items.rest()?;
                }
                match items.short || items.count > len {
                    true => Err(self.takes.refuse(format!("a list of {}", items.count))),
                    false => read,
                }
            }
            takes => {
                items.rest()?;
                Err(takes.refuse(format!("a list of {}", items.count)))
            }
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<V::Value, A::Error> {
        let keys = match self.takes {
            Takes::Keys(keys) => Some(keys),
            Takes::Anything | Takes::Object => None,
            takes => {
                while map.next_entry::<String, Value>()?.is_some() {}
                return Err(takes.refuse("an object"));
            }
        };
        let seen = HashSet::new();
        self.visitor.visit_map(Entries { map, keys, seen })
    }
}

/// The items of a list, each read strictly, and counted.
struct Items<A> {
    seq: A,
    count: usize,
    /// Whether the reader asked for more than there are.
    short: bool,
}

impl<'de, A: SeqAccess<'de>> Items<A> {
    /// Passes the items that nobody reads; what is wrong with the text itself is said first.
    fn rest(&mut self) -> Result<(), A::Error> {
        while self.seq.next_element::<Value>()?.is_some() {
            self.count += 1;
        }
        Ok(())
    }
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<A> {
    type Error = A::Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(
        &mut self,
        seed: T,
    ) -> Result<Option<T::Value>, A::Error> {
        let item = self.seq.next_element_seed(Inside(seed))?;
        match item {
            Some(_) => self.count += 1,
            None => self.short = true,
        }
        Ok(item)
    }
    fn size_hint(&self) -> Option<usize> {
        self.seq.size_hint()
    }
}

/// The entries of an object, each read strictly.
struct Entries<A> {
    map: A,
    keys: Option<&'static [&'static str]>,
    seen: HashSet<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(key) = self.map.next_key::<String>()? else {
            return Ok(None);
        };
        if let Some(keys) = self.keys
            && !keys.contains(&key.as_str())
        {
            self.map.next_value::<Value>()?; // what is wrong with the text itself is said first
            return Err(A::Error::custom(unknown_key(&key, keys.iter().copied())));
        }
        if !self.seen.insert(key.clone()) {
            let key = quote(key.as_bytes());
            return Err(A::Error::custom(format!("key \"{key}\" stands twice")));
        }
        seed.deserialize(StringDeserializer::<A::Error>::new(key))
            .map(Some)
    }
    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, A::Error> {
        self.map.next_value_seed(Inside(seed))
    }
}

/// What lies inside a list or object is read as strictly.
struct Inside<S>(S);

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Inside<S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<S::Value, D::Error> {
        self.0.deserialize(Strict(deserializer))
    }
}
