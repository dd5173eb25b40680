//! Which file defines what a path names: modules, the items in them and what `use` hands on.

use super::source::Source;
use super::tokens::{Token, is_word};
use std::collections::{BTreeMap, BTreeSet};

const ITEMS: [&str; 8] = ["struct", "enum", "union", "trait", "fn", "type", "const", "static"];

/// What a path leads to, and in which source.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Target {
    Module(usize),
    Item(usize),
}

impl Target {
    pub fn source(self) -> usize {
        match self {
            Self::Module(at) | Self::Item(at) => at,
        }
    }
}

/// Something of another source that a source names.
pub struct Reference {
    pub what: String,
    pub to: Target,
    /// `pub use` of a `mod.rs`, or of the root of a crate: names are handed on, not used.
    pub is_handed_on: bool,
    pub line: usize,
}

/// A source as a module.
struct Module<'a> {
    parent: usize,
    /// Of the roots of crates all rooms: they are distinct in name.
    children: BTreeMap<&'a str, usize>,
    items: BTreeSet<&'a str>,
    /// What `use` brings in: the name here, and its path.
    imports: BTreeMap<&'a str, Vec<&'a str>>,
    /// Paths of which it brings in all.
    globs: Vec<Vec<&'a str>>,
}

/// All modules; a module has the number of its source.
pub struct Names<'a> {
    sources: &'a [Source],
    root: usize,
    /// The root of the engine's crate, where it has one of its own.
    engine: usize,
    modules: Vec<Module<'a>>,
    /// Sources that define each macro.
    macros: BTreeMap<&'a str, Vec<usize>>,
}

/// The module's path in the crate.
fn module_path(source: &Source) -> Vec<&str> {
    let path = source.path.trim_end_matches(".rs");
    let path = path.split('/').filter(|name| !matches!(*name, "mod" | "lib"));
    path.collect()
}

impl<'a> Names<'a> {
    /// # Panics
    /// Without a `lib.rs`.
    pub fn new(sources: &'a [Source]) -> Self {
        let paths: Vec<_> = sources.iter().map(module_path).collect();
        let of = |path: &[&str]| paths.iter().position(|p| p == path);
        let root = of(&[]).expect("lib.rs");
        let engine = of(&["engine"]).unwrap_or(root);
        let mut macros: BTreeMap<_, Vec<usize>> = BTreeMap::new();
        let mut modules = Vec::new();
        for (at, source) in sources.iter().enumerate() {
            let tokens = source.plain_tokens();
            for made in tokens.windows(3).filter(|t| t[0].text == "macro_rules") {
                macros.entry(made[2].text).or_default().push(at);
            }
            let imports = source.paths().into_iter();
            let imports = imports.filter_map(|named| Some((named.alias?, named.path)));
            let (globs, imports): (Vec<_>, Vec<_>) = imports.partition(|(name, _)| *name == "*");
            let globs = globs.into_iter().map(|(_, path)| path[..path.len() - 1].to_vec());
            let above = paths[at].split_last().map_or(&[][..], |(_, above)| above);
            modules.push(Module {
                parent: of(above).unwrap_or(root),
                children: BTreeMap::new(),
                items: items(&tokens),
                imports: imports.into_iter().collect(),
                globs: globs.collect(),
            });
        }
        for (at, path) in paths.iter().enumerate().filter(|(at, _)| *at != root) {
            let parent = modules[at].parent;
            modules[parent].children.insert(path[path.len() - 1], at);
        }
        modules[engine].children = modules[root].children.clone();
        Self { sources, root, engine, modules, macros }
    }

    /// What `name` is in a module; `met` are the names on the way here, which must not come again.
    fn look(
        &self,
        module: usize,
        name: &'a str,
        met: &mut Vec<(usize, &'a str)>,
    ) -> Option<Target> {
        if met.contains(&(module, name)) {
            return None;
        }
        met.push((module, name));
        let this = &self.modules[module];
        if let Some(&child) = this.children.get(name) {
            return Some(Target::Module(child));
        }
        if this.items.contains(name) {
            return Some(Target::Item(module));
        }
        if let Some(path) = this.imports.get(name) {
            return self.resolve(module, path, met);
        }
        this.globs.iter().find_map(|glob| match self.resolve(module, glob, met)? {
            Target::Module(all) => self.look(all, name, met),
            Target::Item(_) => None,
        })
    }

    fn resolve(
        &self,
        module: usize,
        path: &[&'a str],
        met: &mut Vec<(usize, &'a str)>,
    ) -> Option<Target> {
        let mut rest = path;
        let mut at = module;
        match path[0] {
            "crate" => (at, rest) = (self.root, &path[1..]),
            "taut_engine" => (at, rest) = (self.engine, &path[1..]),
            "self" | "super" => {
                while let Some((name @ ("self" | "super"), after)) =
                    rest.split_first().map(|(n, a)| (*n, a))
                {
                    at = if name == "super" { self.modules[at].parent } else { at };
                    rest = after;
                }
            }
            first => match self.look(at, first, met)? {
                Target::Module(found) => (at, rest) = (found, &path[1..]),
                item => return Some(item),
            },
        }
        for name in rest {
            match self.look(at, name, met) {
                Some(Target::Module(found)) => at = found,
                Some(item) => return Some(item),
                // A macro makes it there.
                None => return Some(Target::Item(at)),
            }
        }
        Some(Target::Module(at))
    }

    /// Everything of the crate that a source names.
    pub fn references(&self, source: usize) -> Vec<Reference> {
        let here = &self.sources[source];
        let hands_on = here.path.ends_with("mod.rs") || [self.root, self.engine].contains(&source);
        let mut found = Vec::new();
        let mut handed_on = Vec::new();
        for named in here.paths() {
            if named.is_public {
                handed_on.extend(named.alias);
            }
            let path = match named.path.split_last() {
                Some((&"*", all)) => all,
                _ => &named.path,
            };
            let to = self.resolve(source, path, &mut Vec::new());
            found.extend(to.map(|to| Reference {
                what: named.path.join("::"),
                to,
                is_handed_on: named.is_public && hands_on,
                line: named.line,
            }));
        }
        let tokens = here.plain_tokens();
        for at in 0..tokens.len() {
            let to = self.macro_at(source, &tokens[at..]).or_else(|| {
                let name = tokens[at].text;
                let is_brought = handed_on.contains(&name) || self.is_from_glob(source, name);
                let is_used = is_brought && is_use(&tokens, at);
                is_used.then(|| self.look(source, name, &mut Vec::new()))?
            });
            found.extend(to.map(|to| Reference {
                what: tokens[at].text.into(),
                to,
                is_handed_on: false,
                line: tokens[at].line,
            }));
        }
        found
    }

    /// Whether a name can only come from `use ..::*`.
    fn is_from_glob(&self, source: usize, name: &str) -> bool {
        let this = &self.modules[source];
        let is_told = this.items.contains(name) || this.imports.contains_key(name);
        !this.globs.is_empty() && is_word(name) && !is_told && !this.children.contains_key(name)
    }

    /// The macro of another source that the tokens begin by calling.
    fn macro_at(&self, source: usize, tokens: &[Token]) -> Option<Target> {
        let [name, mark, after, ..] = tokens else {
            return None;
        };
        let homes = self.macros.get(name.text)?;
        let is_call = mark.text == "!" && after.text != "=" && !homes.contains(&source);
        is_call.then(|| Target::Item(homes[0]))
    }
}

/// Whether the word at `at` is used there: not part of `use`, the rest of a path, a field or a definition.
fn is_use(tokens: &[Token], at: usize) -> bool {
    let before = at.checked_sub(1).map_or("", |before| tokens[before].text);
    let after = tokens.get(at + 1).map_or("", |after| after.text);
    let is_type = tokens[at].text.starts_with(char::is_uppercase);
    let in_use = tokens[..at].iter().rev().map(|t| t.text);
    let in_use = in_use
        .take_while(|t| is_word(t) || matches!(*t, "::" | "{" | "}" | "," | "*"))
        .any(|t| t == "use");
    let is_named = matches!(before, "." | "::" | "fn" | "mod" | "let" | "mut" | "ref");
    !in_use && !is_named && (is_type || matches!(after, "(" | "::"))
}

/// Names of the items that a module defines itself.
fn items<'a>(tokens: &[Token<'a>]) -> BTreeSet<&'a str> {
    let mut depth = 0;
    let mut items = BTreeSet::new();
    for pair in tokens.windows(2) {
        match pair[0].text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            word if depth == 0 && ITEMS.contains(&word) && is_word(pair[1].text) => {
                items.insert(pair[1].text);
            }
            _ => {}
        }
    }
    items
}
