//! Which words may stand in which room.

use super::{names::Names, source::Source};

/// A rule, and what in a source breaks it.
struct Rule {
    says: &'static str,
    broken: fn(&Source, &[Source]) -> Option<String>,
}

const RULES: [Rule; 10] = [
    Rule {
        says: "`wide` is named in math/wide8.rs and math/wide16.rs only",
        broken: |s, _| (!s.path.starts_with("math/wide")).then(|| begins(s, "wide"))?,
    },
    Rule {
        says: "`rayon` and `unsafe` stand in the room threads only",
        broken: |s, _| (!within(s, &["threads"])).then(|| word(s, &["rayon", "unsafe"]))?,
    },
    Rule {
        says: "lib.rs and engine.rs deny unsafe code, threads/mod.rs alone allows it",
        broken: allows_unsafe,
    },
    Rule { says: "constraints/ imports only math", broken: constraint_imports },
    Rule { says: "no constraint names another", broken: constraint_names_another },
    Rule { says: "solvers import no other solver", broken: solver_imports_solver },
    Rule {
        says: "scenes name no method, render knows no solver",
        broken: |s, _| {
            let blind = within(s, &["scenes", "render"]);
            blind.then(|| word(s, &["solvers", "Solver", "Method", "Simulation"]))?
        },
    },
    Rule {
        says: "`glam` stays at the door",
        broken: |s, _| {
            let inside = ["math", "constraints", "rows", "threads", "solvers"];
            within(s, &inside).then(|| word(s, &["glam"]))?
        },
    },
    Rule {
        says: "no clock, environment or global state outside bench, timers, main and rows/width.rs, which times both widths",
        broken: |s, _| {
            let may = within(s, &["main", "cli", "bench", "timers"]) || s.path == "rows/width.rs";
            (!may).then(|| ambient(s))?
        },
    },
    Rule {
        says: "functions that platforms round differently are those of math/functions.rs",
        broken: |s, _| {
            let may = within(s, &["cli", "bench", "experiments"]);
            (!may).then(|| platform_function(s))?
        },
    },
];

/// Whether the source lies in one of the rooms, a folder or a file.
fn within(source: &Source, rooms: &[&str]) -> bool {
    let room = source.path.split(['/', '.']).next();
    rooms.iter().any(|name| room == Some(name))
}

/// The first of `words` in the source.
fn word(source: &Source, words: &[&str]) -> Option<String> {
    let tokens = source.plain_tokens();
    let found = tokens.iter().find(|token| words.contains(&token.text));
    found.map(|token| format!("line {} names {}", token.line, token.text))
}

/// Every path of the source.
fn paths(source: &Source) -> Vec<Vec<&str>> {
    let named = source.paths().into_iter();
    named.map(|named| named.path).collect()
}

fn words(source: &Source) -> Vec<&str> {
    let tokens = source.plain_tokens();
    tokens.iter().map(|token| token.text).collect()
}

/// A path that begins with the crate's name.
fn begins(source: &Source, name: &str) -> Option<String> {
    let found = paths(source).into_iter().find(|path| path[0] == name);
    found.map(|path| path.join("::"))
}

fn allows_unsafe(source: &Source, _: &[Source]) -> Option<String> {
    let tokens = words(source);
    let lint = tokens.iter().position(|token| *token == "unsafe_code");
    match source.path.as_str() {
        "threads/mod.rs" => None,
        "lib.rs" | "engine.rs" => {
            let before = &tokens[..lint.unwrap_or(0)];
            let denied = before.rsplitn(2, |token| *token == "[").next();
            let denied = denied.is_some_and(|attribute| attribute.contains(&"deny"));
            (!denied).then(|| "does not deny unsafe_code".into())
        }
        _ => lint.map(|_| "changes the lint unsafe_code".into()),
    }
}

fn constraint_imports(source: &Source, _: &[Source]) -> Option<String> {
    let foreign = |path: &Vec<&str>| match path[0] {
        "crate" => !matches!(path[1], "math" | "constraints"),
        head => ["bytemuck", "glam", "rayon", "serde", "serde_json", "thiserror", "wide"]
            .contains(&head),
    };
    let found = paths(source).into_iter().find(foreign);
    within(source, &["constraints"]).then(|| found.map(|path| path.join("::")))?
}

fn constraint_names_another(source: &Source, all: &[Source]) -> Option<String> {
    let kinds = registered(all);
    let own = source.path.strip_prefix("constraints/")?.strip_suffix(".rs")?;
    kinds.iter().find(|(file, _)| file == own)?;
    let other = kinds.iter().filter(|(file, _)| file != own);
    let paths = paths(source);
    let named = |file: &str| paths.iter().any(|path| path[0] == "super" && path[1] == file);
    let mut found = other.filter(|(file, kind)| word(source, &[kind]).is_some() || named(file));
    found.next().map(|(_, kind)| format!("names {kind}"))
}

/// File and type of every registered kind, from `kinds! { file::Kind, .. }`.
pub fn registered(all: &[Source]) -> Vec<(String, String)> {
    let list = all.iter().find(|source| source.path == "constraints/mod.rs");
    let tokens = list.map_or(Vec::new(), words);
    let begin = tokens.windows(3).position(|t| t == ["kinds", "!", "{"]);
    let begin = begin.map_or(tokens.len(), |at| at + 3);
    let entries = tokens[begin..].split(|token| *token == ",");
    let entry = |entry: &[&str]| match entry {
        [file, "::", kind] => Some((file.to_string(), kind.to_string())),
        _ => None,
    };
    entries.map_while(entry).collect()
}

/// A solver is a file that implements `Solver`; what several share stands in others.
fn solver_imports_solver(source: &Source, all: &[Source]) -> Option<String> {
    if !is_solver(source) {
        return None;
    }
    let at = all.iter().position(|other| other.path == source.path)?;
    let references = Names::new(all).references(at);
    let other = |to: usize| to != at && is_solver(&all[to]);
    let found = references.into_iter().find(|r| other(r.to.source()));
    found.map(|reference| reference.what)
}

pub fn is_solver(source: &Source) -> bool {
    let implements = |pair: &[&str]| pair == ["Solver", "for"];
    within(source, &["solvers"]) && words(source).windows(2).any(implements)
}

fn ambient(source: &Source) -> Option<String> {
    let words = [
        "Instant",
        "SystemTime",
        "static",
        "thread_local",
        "LazyLock",
        "OnceLock",
        "OnceCell",
        "LazyCell",
    ];
    let environment = |path: &Vec<&str>| path.contains(&"env");
    let found = paths(source).into_iter().find(environment);
    word(source, &words).or(found.map(|path| path.join("::")))
}

/// The first call of a function of the platform's mathematics library, as a method or by its type. `atan2` is also one of
/// `Real`, and called as `Real::atan2`: as a method of a plain `f64` it would be the platform's.
fn platform_function(source: &Source) -> Option<String> {
    let functions = [
        "sin", "cos", "tan", "sin_cos", "asin", "acos", "atan", "atan2", "sinh", "cosh", "tanh",
        "exp", "exp2", "exp_m1", "ln", "ln_1p", "log", "log2", "log10", "powf", "cbrt", "hypot",
    ];
    let tokens = source.plain_tokens();
    let mut named = tokens.windows(3).filter_map(|t| match [t[0].text, t[1].text, t[2].text] {
        [".", name, "("] | ["f32" | "f64", "::", name] => Some((name, t[1].line)),
        _ => None,
    });
    let (name, line) = named.find(|(name, _)| functions.contains(name))?;
    Some(format!("line {line} names {name}"))
}

/// Every rule that a source breaks.
pub fn broken(sources: &[Source]) -> Vec<String> {
    let mut broken = Vec::new();
    for source in sources {
        for rule in &RULES {
            if let Some(what) = (rule.broken)(source, sources) {
                broken.push(format!("{}: {what} ({})", source.path, rule.says));
            }
        }
    }
    broken
}

/// The file in a house that keeps the rules.
fn house(path: &str, text: &str) -> Vec<Source> {
    let others = [
        ("lib.rs", "#![deny(unsafe_code)]"),
        ("constraints/mod.rs", "kinds! { distance::Distance, volume::Volume, }"),
        ("solvers/mod.rs", "mod scalar; pub use scalar::Scalar; pub trait Solver {}"),
        ("solvers/scalar.rs", "pub struct Scalar; impl Solver for Scalar {}"),
    ];
    let others = others.into_iter().filter(|other| other.0 != path);
    let all = others.chain([(path, text)]);
    all.map(|(path, text)| Source::new(path, text)).collect()
}

/// Each rule can fail.
#[test]
fn words_can_fail() {
    let cases = [
        ("a.rs", "use wide::f32x8;", 0),
        ("a.rs", "let x = wide::f32x8::ZERO;", 0),
        ("a.rs", "use rayon::prelude::*;", 1),
        ("a.rs", "unsafe { f() }", 1),
        ("a.rs", "#![allow(unsafe_code)]", 2),
        ("lib.rs", "#![deny(missing_docs)]", 2),
        ("lib.rs", "#![warn(unsafe_code)]", 2),
        ("constraints/volume.rs", "use crate::{math::Real, model::Model};", 3),
        ("constraints/volume.rs", "let v = glam::Vec3::ZERO;", 3),
        ("constraints/volume.rs", "use super::Distance;", 4),
        ("constraints/volume.rs", "super::distance::length(a)", 4),
        ("solvers/lanes.rs", "use super::Scalar; impl Solver for Lanes {}", 5),
        ("solvers/lanes.rs", "impl Solver for Lanes { crate::solvers::scalar::new() }", 5),
        ("scenes/cloth.rs", "use crate::Method;", 6),
        ("render/line.rs", "use crate::solvers::prepare;", 6),
        ("threads/mod.rs", "use glam::Vec3;", 7),
        ("rows/packed.rs", "use glam::Vec3;", 7),
        ("step.rs", "let t = std::time::Instant::now();", 8),
        ("step.rs", "use std::env; env::var(a)", 8),
        ("step.rs", "let s = angle.sin();", 9),
        ("step.rs", "xs.map(f64::exp)", 9),
        ("step.rs", "static COUNT: AtomicUsize = AtomicUsize::new(0);", 8),
    ];
    for (path, text, rule) in cases {
        let sources = house(path, text);
        let broken = broken(&sources);
        let says = RULES[rule].says;
        assert!(
            broken.iter().any(|b| b.starts_with(path) && b.contains(says)),
            "{path}: {text}: {broken:?}"
        );
    }
}

#[test]
fn words_in_their_rooms_are_kept() {
    let allowed = [
        ("lib.rs", "#![deny(missing_docs, unsafe_code)]"),
        ("threads/mod.rs", "#![allow(unsafe_code)] use rayon::ThreadPool; unsafe { f() }"),
        ("math/wide8.rs", "use wide::f32x8;"),
        ("rows/packed.rs", "let wide = |rows| rows; wide(a) // wide::f32x8, unsafe, rayon"),
        (
            "constraints/distance.rs",
            "use super::{Constraint, Row}; use crate::math::{Real, Vec3}; struct Distance;",
        ),
        ("solvers/lanes.rs", "use super::{Scalar, Solver}; use crate::math::{F32x8, WIDTH};"),
        ("timers.rs", "use std::time::Instant; static A: u32 = 1;"),
        ("bench/plot.rs", "let decade = 10_f64.powf(d);"),
        ("step.rs", "let (sin, cos) = sine_cosine(x.sqrt().powi(2)); self.cos; Quat::exp(v)"),
        ("step.rs", "fn f(name: &'static str) -> Duration { env!(\"A\") }"),
    ];
    for (path, text) in allowed {
        let broken = broken(&house(path, text));
        assert!(broken.is_empty(), "{broken:?}");
    }
}
