//! The house rules, read off the sources: floors, circles, sizes, and words that stand in one room only.
//!
//! Own tokens, no `syn`: it would be compiled once more (for macros it is built without optimisation), and paths inside
//! macros would still have to be read off tokens.

mod names;
mod size;
mod source;
mod tokens;
mod words;

use names::{Names, Target};
use source::Source;
use std::collections::{BTreeMap, BTreeSet};

/// Floors and their rooms: a file imports from lower floors, or from rooms of its own floor that stand before its own.
const FLOORS: [(usize, &[&str]); 8] = [
    (1, &["math", "error", "settings", "materials", "timers", "files", "mesh"]),
    (2, &["constraints", "coloring", "threads", "render"]),
    (3, &["state"]),
    (4, &["rows", "subsystem"]),
    (5, &["collision", "groups", "rigid", "forces"]),
    (6, &["model"]),
    (7, &["observe", "solvers", "simulation"]),
    (8, &["io", "scenes", "runs", "bench", "experiments", "viewer", "cli"]),
];

/// Whether it is the root of a crate.
fn is_root(source: &Source) -> bool {
    matches!(source.path.as_str(), "engine.rs" | "lib.rs" | "main.rs")
}

/// The floor of a source, and where its room stands among all; the roots of crates stand on none.
fn floor(source: &Source) -> Result<Option<(usize, usize)>, String> {
    if is_root(source) {
        return Ok(None);
    }
    let room = source.path.split(['/', '.']).next();
    let rooms =
        FLOORS.iter().flat_map(|(floor, rooms)| rooms.iter().map(move |room| (*floor, *room)));
    let found = rooms.enumerate().find(|(_, (_, name))| room == Some(name));
    let found = found.map(|(at, (floor, _))| Some((floor, at)));
    found.ok_or(format!("{}: the room stands on no floor", source.path))
}

/// Imports that climb, and modules that no import can be read through.
fn climbs(sources: &[Source]) -> Vec<String> {
    let names = Names::new(sources);
    let mut found = BTreeSet::new();
    for (at, source) in sources.iter().enumerate() {
        let here = match floor(source) {
            Ok(Some(here)) => here,
            Ok(None) => continue,
            Err(unknown) => {
                found.insert(unknown);
                continue;
            }
        };
        for reference in names.references(at) {
            let to = &sources[reference.to.source()];
            if let Ok(Some(there)) = floor(to)
                && there.1 > here.1
            {
                found.insert(format!(
                    "{}:{}: {}: floor {} imports {} of floor {}",
                    source.path, reference.line, reference.what, here.0, to.path, there.0
                ));
            }
        }
        found.extend(opaque(source));
    }
    found.into_iter().collect()
}

/// A module inside a file: names are not told through it.
fn opaque(source: &Source) -> Option<String> {
    let tokens = source.plain_tokens();
    let mut threes = tokens.windows(3);
    let inner = threes.find(|t| t[0].text == "mod" && t[2].text == "{")?;
    Some(format!("{}:{}: a module inside a file", source.path, inner[0].line))
}

/// Circles of files: each uses items that the next defines. What a `mod.rs` hands on is used by those who name it, not by it.
fn circles(sources: &[Source]) -> Vec<String> {
    let names = Names::new(sources);
    let mut uses = vec![BTreeMap::new(); sources.len()];
    for (at, uses) in uses.iter_mut().enumerate() {
        let references = names.references(at).into_iter();
        for reference in references.filter(|reference| !reference.is_handed_on) {
            match reference.to {
                Target::Item(to) if to != at && !is_root(&sources[to]) => {
                    uses.entry(to).or_insert(reference.what);
                }
                _ => {}
            }
        }
    }
    let reached: Vec<_> = (0..uses.len()).map(|at| reached(&uses, at)).collect();
    let mut found = Vec::new();
    for (at, uses) in uses.iter().enumerate() {
        for (to, what) in uses.iter().filter(|(to, _)| reached[**to].contains(&at)) {
            let (user, used) = (&sources[at].path, &sources[*to].path);
            found.push(format!("{user} uses {used} ({what})"));
        }
    }
    found
}

/// All that can be reached from `from`.
fn reached(uses: &[BTreeMap<usize, String>], from: usize) -> BTreeSet<usize> {
    let mut reached = BTreeSet::new();
    let mut next = vec![from];
    while let Some(at) = next.pop() {
        next.extend(uses[at].keys().filter(|&&to| reached.insert(to)));
    }
    reached
}

fn assert_none(found: &[String]) {
    assert!(found.is_empty(), "{}\n{} in all", found.join("\n"), found.len());
}

#[test]
fn no_import_climbs() {
    let sources = Source::of_crate();
    assert!(sources.len() > 30, "the sources are not where they were");
    assert_none(&climbs(&sources));
}

#[test]
fn no_circle_of_files() {
    assert_none(&circles(&Source::of_crate()));
}

#[test]
fn files_and_functions_are_short() {
    let folders = ["src", "tests", "benches", "examples", "profiling", "web"];
    assert_none(&size::oversized(&Source::all(&folders)));
}

#[test]
fn words_stand_in_their_rooms() {
    let sources = Source::of_crate();
    assert!(!words::registered(&sources).is_empty(), "no kind is registered");
    assert!(sources.iter().any(words::is_solver), "no solver is found");
    assert_none(&words::broken(&sources));
}

fn sources(texts: &[(&str, &str)]) -> Vec<Source> {
    let sources = texts.iter().map(|(path, text)| Source::new(path, text));
    sources.chain([Source::new("lib.rs", "pub use model::Model;")]).collect()
}

#[test]
fn floors_can_fail() {
    let house = |path: &str, text: &str| {
        let defined = [
            ("model/mod.rs", "mod part; pub use part::Model;"),
            ("model/part.rs", "pub struct Model;"),
        ];
        let mut sources = sources(&defined);
        sources.push(Source::new("state/mod.rs", "mod a; pub(crate) use a::{A as B};"));
        sources.push(Source::new("state/a.rs", "pub struct A;"));
        sources.push(Source::new(path, text));
        climbs(&sources)
    };
    let climbing = [
        ("rows/set.rs", "use crate::Model;"),
        ("rows/set.rs", "use crate::{state::B, model};"),
        ("rows/set.rs", "fn f() { crate::model::made_by_macro() }"),
        ("rows/set.rs", "macro_rules! m { () => { super::super::model::Model }; }"),
        ("rows/mod.rs", "pub use crate::model::part::Model;"),
        ("threads/mod.rs", "use crate::state::B;"),
        ("rows/set.rs", "use crate::model::*;"),
        ("rows/set.rs", "use crate::*; fn f() -> Model { todo!() }"),
    ];
    for (path, text) in climbing {
        let found = house(path, text);
        assert!(
            !found.is_empty() && found.iter().all(|f| f.starts_with(path)),
            "{text}: {found:?}"
        );
    }
    let handed = [
        ("model.rs", "pub struct Model;"),
        ("engine.rs", "pub use model::Model;"),
        ("lib.rs", "pub use taut_engine::Model;"),
        ("rows/set.rs", "use crate::Model;"),
    ];
    assert_eq!(climbs(&handed.map(|(path, text)| Source::new(path, text))).len(), 1);
    let both = "rows/set.rs:1: crate::Model: floor 4 imports model/part.rs of floor 6";
    assert_eq!(house(climbing[0].0, climbing[0].1), [both]);
    assert!(house("attic.rs", "")[0].contains("no floor"));
    assert!(house("io/a.rs", "mod b { }")[0].contains("inside a file"));
    assert_none(&house("io/a.rs", "use crate::{Model, state::B}; #[cfg(test)] mod b { }"));
    assert_none(&house(
        "rows/set.rs",
        "use crate::state::B; /* crate::Model */ #[cfg(test)] use crate::Model;",
    ));
}

/// Rooms of one floor stand in an order.
#[test]
fn neighbors_can_climb() {
    let both = |rigid: &str, groups: &str| {
        climbs(&sources(&[("rigid/mod.rs", rigid), ("groups/mod.rs", groups)]))
    };
    assert_none(&both("pub use crate::groups::G;", "pub struct G;"));
    assert_eq!(both("pub struct R;", "use crate::rigid::R;").len(), 1);
}

#[test]
fn circles_can_fail() {
    let round = |room: &str, a: &str, b: &str| {
        circles(&sources(&[("rows/mod.rs", room), ("rows/a.rs", a), ("rows/b.rs", b)]))
    };
    let hands_on = "mod a; mod b; pub use a::A; pub(crate) use b::B;";
    assert_none(&round(hands_on, "pub struct A;", "use super::A; pub struct B;"));
    let found = round(hands_on, "use super::B; pub struct A;", "use super::A; pub struct B;");
    assert_eq!(
        found,
        ["rows/a.rs uses rows/b.rs (super::B)", "rows/b.rs uses rows/a.rs (super::A)"]
    );
    let used = "mod a; pub use a::A; pub struct C; fn f() -> A { todo!() }";
    assert_eq!(round(used, "use super::C; pub struct A;", "").len(), 2);
    assert_none(&round(used, "pub struct A;", "use super::C;"));
    let glob = "use super::b::*; pub struct A; fn f() -> B { todo!() }";
    assert_eq!(round(hands_on, glob, "use super::A; pub struct B;").len(), 2);
    assert_none(&round(hands_on, "use super::b::*; pub struct A;", "use super::A;"));
    let called = "pub struct C; fn f() { a::m!(); }";
    assert_eq!(round(called, "use super::C; macro_rules! m { () => {}; }", "").len(), 2);
}
