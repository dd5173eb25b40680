//! What is wrong, in words that are the same everywhere.

pub(super) use crate::error::Shown;
use crate::error::list;
use crate::io::quote;
use std::fmt::Display;

/// The rule of masses.
pub(super) const INVERSE: &str = "its inverse must be finite in f32";

/// A value that is refused.
pub(super) fn refused(value: impl Display, rule: impl Display) -> String {
    format!("{value} is not allowed ({rule})")
}

/// A key that is left out.
pub(super) fn missing(key: &str) -> String {
    format!("\"{key}\" is missing")
}

/// serde's sentence for a key left out in the words of the other messages.
fn reword(message: &str) -> String {
    let key = message.strip_prefix("missing field `");
    let key = key.and_then(|key| key.strip_suffix('`'));
    key.map_or_else(|| message.into(), missing)
}

/// A parser's message, which may quote the file.
fn bounded(message: &str) -> String {
    let printable = message.chars().filter(|c| !c.is_control());
    printable.take(400).collect()
}

/// What is wrong, without the place in the text, with which serde_json ends its messages.
pub(super) fn sentence(error: &serde_json::Error) -> String {
    let message = bounded(&error.to_string());
    let end = format!(" at line {} column {}", error.line(), error.column());
    reword(message.strip_suffix(&end).unwrap_or(&message))
}

/// A key that no object there has, and those it may have.
pub(super) fn unknown_key(key: &str, known: &[&str]) -> String {
    let key = quote(key.as_bytes());
    format!("unknown key \"{key}\"; {}", list(&key, known))
}

/// A text as a message shows it.
pub(super) fn quoted(text: &str) -> String {
    format!("\"{}\"", quote(text.as_bytes()))
}
