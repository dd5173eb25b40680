//! The house rules of DESIGN.md ("Must never be"), read off the sources: who may name whom.

use super::source::Source;

/// A rule, and what in a source breaks it.
struct Rule {
    says: &'static str,
    broken: fn(&Source, &[Source]) -> Option<String>,
}

const RULES: [Rule; 10] = [
    Rule {
        says: "`wide` is named in math/wide8.rs only",
        broken: |s, _| (s.path != "math/wide8.rs").then(|| begins(s, "wide"))?,
    },
    Rule {
        says: "`rayon` and `unsafe` stand in the room threads only",
        broken: |s, _| (!within(s, &["threads"])).then(|| word(s, &["rayon", "unsafe"]))?,
    },
    Rule {
        says: "lib.rs denies unsafe code, threads/mod.rs alone allows it",
        broken: allows_unsafe,
    },
    Rule {
        says: "constraints/ imports only math",
        broken: constraint_imports,
    },
    Rule {
        says: "no constraint names another",
        broken: constraint_names_another,
    },
    Rule {
        says: "solvers import no other solver",
        broken: solver_imports_solver,
    },
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
        says: "no clock, environment or global state outside bench, timers and main",
        broken: |s, _| (!within(s, &["main", "cli", "bench", "timers"])).then(|| ambient(s))?,
    },
    Rule {
        says: "files stay short",
        broken: |s, _| (s.lines > MOST_LINES).then(|| format!("{} lines of code", s.lines)),
    },
];

/// The most lines of code in a file, without comments and blank lines.
const MOST_LINES: usize = 350;

/// Whether the source lies in one of the rooms, a folder or a file.
fn within(source: &Source, rooms: &[&str]) -> bool {
    let room = source.path.split(['/', '.']).next();
    rooms.iter().any(|name| room == Some(name))
}

/// The first of `words` in the source.
fn word(source: &Source, words: &[&str]) -> Option<String> {
    let found = words.iter().find(|word| source.has(word));
    found.map(|word| format!("names {word}"))
}

/// A path that begins with the crate's name.
fn begins(source: &Source, name: &str) -> Option<String> {
    let found = source.paths().into_iter().find(|path| path[0] == name);
    found.map(|path| path.join("::"))
}

fn allows_unsafe(source: &Source, _: &[Source]) -> Option<String> {
    let tokens: Vec<&str> = source.tokens.iter().map(String::as_str).collect();
    let lint = tokens.iter().position(|token| *token == "unsafe_code");
    match source.path.as_str() {
        "threads/mod.rs" => None,
        "lib.rs" => {
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
        head => [
            "bytemuck",
            "glam",
            "rayon",
            "serde",
            "serde_json",
            "thiserror",
            "wide",
        ]
        .contains(&head),
    };
    let found = source.paths().into_iter().find(foreign);
    within(source, &["constraints"]).then(|| found.map(|path| path.join("::")))?
}

fn constraint_names_another(source: &Source, all: &[Source]) -> Option<String> {
    let kinds = registered(all);
    let own = source
        .path
        .strip_prefix("constraints/")?
        .strip_suffix(".rs")?;
    kinds.iter().find(|(file, _)| file == own)?;
    let other = kinds.iter().filter(|(file, _)| file != own);
    let paths = source.paths();
    let named = |file: &str| {
        paths
            .iter()
            .any(|path| path[0] == "super" && path[1] == file)
    };
    let mut found = other.filter(|(file, kind)| source.has(kind) || named(file));
    found.next().map(|(_, kind)| format!("names {kind}"))
}

/// File and type of every registered kind, from `kinds! { file::Kind, .. }`.
fn registered(all: &[Source]) -> Vec<(String, String)> {
    let list = all
        .iter()
        .find(|source| source.path == "constraints/mod.rs");
    let tokens = list.map_or(&[][..], |source| &source.tokens[..]);
    let begin = tokens.windows(3).position(|t| t == ["kinds", "!", "{"]);
    let begin = begin.map_or(tokens.len(), |at| at + 3);
    let entries = tokens[begin..].split(|token| token == ",");
    let entry = |entry: &[String]| match entry {
        [file, colons, kind] if colons == "::" => Some((file.clone(), kind.clone())),
        _ => None,
    };
    entries.map_while(entry).collect()
}

fn solver_imports_solver(source: &Source, _: &[Source]) -> Option<String> {
    if !within(source, &["solvers"]) || source.path == "solvers/mod.rs" {
        return None;
    }
    let other = |path: &Vec<&str>| match path[..] {
        ["crate", "solvers", name, ..] | ["super", name, ..] => {
            // The crew is what solvers in lanes are made of, no solver.
            !["Solver", "Method", "crew", "convergence"].contains(&name)
        }
        _ => false,
    };
    let found = source.paths().into_iter().find(other);
    found.map(|path| path.join("::"))
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
    let found = source.paths().into_iter().find(environment);
    word(source, &words).or(found.map(|path| path.join("::")))
}

/// Every rule that a source breaks.
fn broken(sources: &[Source]) -> Vec<String> {
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

/// The house as it stands keeps every rule.
#[test]
fn the_house_keeps_its_rules() {
    let sources = Source::all();
    assert!(sources.len() > 30, "the sources are not where they were");
    assert!(
        !registered(&sources).is_empty(),
        "no kind is registered any more"
    );
    let broken = broken(&sources);
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

/// Each rule can fail, and does not where it should not.
#[test]
fn each_rule_can_fail() {
    let kinds = "kinds! { distance::Distance, volume::Volume, }";
    let long = "fn f();\n".repeat(351);
    let cases = [
        ("a.rs", "use wide::f32x8;", 0),
        ("a.rs", "let x = wide::f32x8::ZERO;", 0),
        ("a.rs", "use rayon::prelude::*;", 1),
        ("a.rs", "unsafe { f() }", 1),
        ("a.rs", "#![allow(unsafe_code)]", 2),
        ("lib.rs", "#![deny(missing_docs)]", 2),
        ("lib.rs", "#![warn(unsafe_code)]", 2),
        (
            "constraints/volume.rs",
            "use crate::{math::Real, model::Model};",
            3,
        ),
        ("constraints/volume.rs", "let v = glam::Vec3::ZERO;", 3),
        ("constraints/volume.rs", "use super::Distance;", 4),
        ("constraints/volume.rs", "super::distance::length(a)", 4),
        ("solvers/lanes.rs", "use super::{Solver, scalar};", 5),
        ("solvers/lanes.rs", "crate::solvers::Scalar::new()", 5),
        ("scenes/cloth.rs", "use crate::Method;", 6),
        ("render/line.rs", "use crate::solvers::prepare;", 6),
        ("threads/mod.rs", "use glam::Vec3;", 7),
        ("rows/packed.rs", "use glam::Vec3;", 7),
        ("step.rs", "let t = std::time::Instant::now();", 8),
        ("step.rs", "use std::env; env::var(a)", 8),
        (
            "step.rs",
            "static COUNT: AtomicUsize = AtomicUsize::new(0);",
            8,
        ),
        ("step.rs", long.as_str(), 9),
    ];
    for (path, text, rule) in cases {
        let sources = [
            Source::new(path, text),
            Source::new("constraints/mod.rs", kinds),
        ];
        let broken = broken(&sources);
        let says = RULES[rule].says;
        assert!(
            broken
                .iter()
                .any(|b| b.starts_with(path) && b.contains(says)),
            "{path}: {text}: {broken:?}"
        );
    }
    let allowed = [
        ("lib.rs", "#![deny(missing_docs, unsafe_code)]"),
        (
            "threads/mod.rs",
            "#![allow(unsafe_code)] use rayon::ThreadPool; unsafe { f() }",
        ),
        ("math/wide8.rs", "use wide::f32x8;"),
        (
            "rows/packed.rs",
            "let wide = |rows| rows; wide(a) // wide::f32x8, unsafe, rayon",
        ),
        (
            "constraints/distance.rs",
            "use super::{Constraint, Row}; use crate::math::{Real, Vec3}; struct Distance;",
        ),
        (
            "solvers/lanes.rs",
            "use super::Solver; use crate::math::{F32x8, WIDTH};",
        ),
        ("timers.rs", "use std::time::Instant; static A: u32 = 1;"),
        (
            "step.rs",
            "fn f(name: &'static str) -> Duration { env!(\"A\") }",
        ),
    ];
    for (path, text) in allowed {
        let broken = broken(&[
            Source::new(path, text),
            Source::new("constraints/mod.rs", kinds),
        ]);
        assert!(broken.is_empty(), "{broken:?}");
    }
}
