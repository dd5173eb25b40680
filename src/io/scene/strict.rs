//! JSON as scene files want it, over any source of values: an object is an object and no list of its fields, no key
//! stands twice or is unknown, `null` is no value, and what is refused is named with its value and its place.
//!
//! The types say what is read (`#[derive(Deserialize)]`); this says how strictly. serde's derive alone would take lists for
//! objects and `null` for what is left out.

use super::message::{Shown, quoted, refused, unknown_key};
use crate::io::quote;
use serde::de::value::StringDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, forward_to_deserialize_any};
use serde_json::Value;
use serde_path_to_error::{Segment, Track};
use std::collections::BTreeSet;
use std::fmt::{self, Display};

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
    fn refuse<E: Error>(self, value: impl Display) -> E {
        E::custom(match self {
            Self::Truth => refused(value, "must be true or false"),
            Self::Number => refused(value, "must be a number"),
            Self::Text => refused(value, "must be a string"),
            Self::List => refused(value, "must be a list"),
            Self::Array(len) => refused(value, format_args!("must be a list of {len}")),
            Self::Object | Self::Keys(_) => refused(value, "must be an object"),
            Self::Anything => refused(value, "must be a value"),
        })
    }
}

/// A source of values that is strict about them, and about those inside.
struct Strict<D>(D);

/// Deserializes by JSON type, after checking it.
macro_rules! takes {
    ($($method:ident($($before:ident: $type:ty),*): $takes:expr;)*) => {$(
        fn $method<V: Visitor<'de>>(self, $($before: $type,)* visitor: V) -> Result<V::Value, D::Error> {
            self.0.deserialize_any(Checked { visitor, takes: $takes })
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Strict<D> {
    type Error = D::Error;

    takes! {
        deserialize_any(): Takes::Anything;
        deserialize_bool(): Takes::Truth;
        deserialize_f64(): Takes::Number;
        deserialize_str(): Takes::Text;
        deserialize_string(): Takes::Text;
        deserialize_seq(): Takes::List;
        deserialize_tuple(len: usize): Takes::Array(len);
        deserialize_map(): Takes::Object;
        deserialize_struct(_name: &'static str, keys: &'static [&'static str]): Takes::Keys(keys);
    }

    /// What is left out is not read at all: `null` is refused by the type inside.
    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, D::Error> {
        visitor.visit_some(self)
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 u8 u16 u32 u64 f32 char bytes byte_buf unit unit_struct newtype_struct tuple_struct enum identifier
        ignored_any
    }
}

/// Hands a value to `visitor` if it is of a type that is taken.
struct Checked<V> {
    visitor: V,
    takes: Takes,
}

/// Hands on a value of one type, or refuses it as it is shown.
macro_rules! scalars {
    ($($visit:ident($v:ident: $type:ty): $takes:pat, $shown:expr;)*) => {$(
        fn $visit<E: Error>(self, $v: $type) -> Result<V::Value, E> {
            match self.takes {
                Takes::Anything | $takes => self.visitor.$visit($v),
                takes => Err(takes.refuse($shown)),
            }
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Checked<V> {
    type Value = V::Value;

    scalars! {
        visit_bool(v: bool): Takes::Truth, v;
        visit_f64(v: f64): Takes::Number, Shown(v);
        visit_str(v: &str): Takes::Text, quoted(v);
    }
    fn visit_i64<E: Error>(self, v: i64) -> Result<V::Value, E> {
        self.visit_f64(v as f64)
    }
    fn visit_u64<E: Error>(self, v: u64) -> Result<V::Value, E> {
        self.visit_f64(v as f64)
    }
    fn visit_unit<E: Error>(self) -> Result<V::Value, E> {
        match self.takes {
            Takes::Anything => self.visitor.visit_unit(),
            takes => Err(takes.refuse("null")),
        }
    }
    fn visit_seq<A: SeqAccess<'de>>(self, seq: A) -> Result<V::Value, A::Error> {
        let (count, short) = (0, false);
        let mut items = Items { seq, count, short };
        let (read, len) = match self.takes {
            Takes::Anything | Takes::List => return self.visitor.visit_seq(items),
            Takes::Array(len) => (Some(self.visitor.visit_seq(&mut items)), len),
            _ => (None, 0),
        };
        // What nobody reads: what is wrong with the text itself is said first.
        if !matches!(read, Some(Err(_))) {
            items.pass_over()?;
        }
        match read {
            Some(read) if !items.short && items.count <= len => read,
            _ => Err(self.takes.refuse(format_args!("a list of {}", items.count))),
        }
    }
    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<V::Value, A::Error> {
        let keys = match self.takes {
            Takes::Keys(keys) => Some(keys),
            Takes::Anything | Takes::Object => None,
            takes => {
                pass_over(map)?;
                return Err(takes.refuse("an object"));
            }
        };
        let seen = BTreeSet::new();
        self.visitor.visit_map(Entries { map, keys, seen })
    }
    fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
        self.visitor.expecting(f)
    }
}

/// The items of a list, each read strictly, and counted.
struct Items<A> {
    seq: A,
    count: usize,
    /// Whether the reader asked for more than there are.
    short: bool,
}

// Functions of their own are compiled once, not for each type that is read.
impl<'de, A: SeqAccess<'de>> Items<A> {
    /// Counts what nobody reads.
    #[inline(never)]
    fn pass_over(&mut self) -> Result<(), A::Error> {
        while self.seq.next_element::<Value>()?.is_some() {
            self.count += 1;
        }
        Ok(())
    }
}

/// Leaves an object.
#[inline(never)]
fn pass_over<'de, A: MapAccess<'de>>(mut map: A) -> Result<(), A::Error> {
    while map.next_entry::<String, Value>()?.is_some() {}
    Ok(())
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
}

/// The entries of an object, each read strictly.
struct Entries<A> {
    map: A,
    keys: Option<&'static [&'static str]>,
    seen: BTreeSet<String>,
}

impl<'de, A: MapAccess<'de>> Entries<A> {
    /// The next key, if it is known and stands once.
    #[inline(never)]
    fn known_key(&mut self) -> Result<Option<String>, A::Error> {
        let Some(key) = self.map.next_key::<String>()? else {
            return Ok(None);
        };
        let known = self.keys.filter(|keys| !keys.contains(&key.as_str()));
        if let Some(known) = known {
            self.map.next_value::<Value>()?; // what is wrong with the text itself is said first
            return Err(A::Error::custom(unknown_key(&key, known)));
        }
        if !self.seen.insert(key.clone()) {
            return Err(A::Error::custom(format!("key {} stands twice", quoted(&key))));
        }
        Ok(Some(key))
    }
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Entries<A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(
        &mut self,
        seed: K,
    ) -> Result<Option<K::Value>, A::Error> {
        let Some(key) = self.known_key()? else {
            return Ok(None);
        };
        seed.deserialize(StringDeserializer::<A::Error>::new(key)).map(Some)
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
