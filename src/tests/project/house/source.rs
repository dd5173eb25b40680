//! Rust sources as the house rules read them: without comments and strings, as words and as paths.

use super::tokens::{Token, closing, is_word, strip, tokens};
use std::path::Path;

/// A path that a source names.
pub struct Named<'a> {
    pub path: Vec<&'a str>,
    /// What `use` brings it in as; nothing for a path written where it is used.
    pub alias: Option<&'a str>,
    /// Whether `pub use` hands it on.
    pub is_public: bool,
    pub line: usize,
}

/// A source file.
pub struct Source {
    /// Its path below the root, with `/`.
    pub path: String,
    pub lines: usize,
    /// Without comments and literals, and as many lines.
    code: String,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        Self { path: path.into(), lines: text.lines().count(), code: strip(text) }
    }

    /// Every `.rs` file of the folders, tests too; paths begin with the folder.
    pub fn all(folders: &[&str]) -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders: Vec<_> = folders.iter().map(|folder| root.join(folder)).collect();
        let mut sources = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(root).unwrap().to_str().unwrap();
                let name = name.replace('\\', "/");
                if path.is_dir() && !name.ends_with("target") {
                    folders.push(path);
                } else if name.ends_with(".rs") {
                    sources.push(Self::new(&name, &std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
        sources.sort_by(|a, b| a.path.cmp(&b.path));
        sources
    }

    /// The sources of the crate, paths below `src`; tests left out: files by name, and what `#[cfg(test)]` guards.
    pub fn of_crate() -> Vec<Self> {
        let mut sources = Self::all(&["src"]);
        for source in &mut sources {
            source.path = source.path["src/".len()..].into();
        }
        Self::without_tests(sources)
    }

    pub fn without_tests(mut sources: Vec<Self>) -> Vec<Self> {
        let mut tests = Vec::new();
        for source in &sources {
            let of_file = source.path.strip_suffix(".rs").unwrap();
            let of_folder = source.path.strip_suffix("mod.rs");
            let folder = of_folder.map_or(format!("{of_file}/"), String::from);
            let folder = if source.path == "lib.rs" { "" } else { &folder };
            for module in guarded(&tokens(&source.code)).1 {
                tests.push(format!("{folder}{module}.rs"));
                tests.push(format!("{folder}{module}/"));
            }
        }
        sources.retain(|source| !tests.iter().any(|test| source.path.starts_with(test.as_str())));
        sources
    }

    /// Its words and signs, in order; `::` and lifetimes are one each.
    pub fn tokens(&self) -> Vec<Token<'_>> {
        tokens(&self.code)
    }

    /// The same without what `#[cfg(test)]` guards.
    pub fn plain_tokens(&self) -> Vec<Token<'_>> {
        guarded(&tokens(&self.code)).0
    }

    /// Every path of two or more names, and every name that `use` brings in; groups are written out.
    pub fn paths(&self) -> Vec<Named<'_>> {
        let tokens = self.plain_tokens();
        let mut paths = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let is_used = at > 0 && tokens[at - 1].text == "use";
            let line = tokens[at].line;
            let mut found = Vec::new();
            let begin = at;
            at = path_at(&tokens, at, &[], &mut found);
            let is_public = is_used && is_public(&tokens[..begin - 1]);
            paths.extend(found.into_iter().filter_map(|(path, alias)| {
                (is_used || path.len() > 1).then_some(Named {
                    path,
                    alias: alias.filter(|_| is_used),
                    is_public,
                    line,
                })
            }));
        }
        paths
    }
}

/// Whether the tokens end with `pub` or `pub(..)`.
fn is_public(tokens: &[Token]) -> bool {
    match tokens {
        [.., last] if last.text == "pub" => true,
        [.., Token { text: "pub", .. }, open, _, close] => open.text == "(" && close.text == ")",
        _ => false,
    }
}

/// Reads the path that begins at `at`: its names and what it is called here; returns where it ends.
fn path_at<'a>(
    tokens: &[Token<'a>],
    mut at: usize,
    before: &[&'a str],
    out: &mut Vec<(Vec<&'a str>, Option<&'a str>)>,
) -> usize {
    let mut path = before.to_vec();
    let sign = |at: usize| tokens.get(at).map_or("", |token| token.text);
    loop {
        if sign(at) == "{" && path.len() > before.len() {
            at += 1;
            while !matches!(sign(at), "}" | "") {
                at = path_at(tokens, at, &path, out);
            }
            return at + 1;
        }
        path.push(sign(at));
        at += 1;
        let next = sign(at + 1);
        if sign(at) != "::" || !(is_word(next) || next == "{" || next == "*") {
            break;
        }
        at += 1;
    }
    if path.last() == Some(&"self") && path.len() > 1 {
        path.pop();
    }
    let name = path.last().copied().unwrap_or("");
    if is_word(name) || name == "*" {
        let is_renamed = sign(at) == "as";
        out.push((path, Some(if is_renamed { sign(at + 1) } else { name })));
        at += if is_renamed { 2 } else { 0 };
    }
    at
}

/// The tokens without what `#[cfg(test)]` guards, and the modules among that.
fn guarded<'a>(tokens: &[Token<'a>]) -> (Vec<Token<'a>>, Vec<&'a str>) {
    let (mut plain, mut modules) = (Vec::new(), Vec::new());
    let attribute = |at: usize| tokens[at..].iter().take(2).map(|t| t.text).eq(["#", "["]);
    let mut at = 0;
    while at < tokens.len() {
        if attribute(at) && is_for_tests(&tokens[at + 2..closing(tokens, at + 1)]) {
            while attribute(at) {
                at = closing(tokens, at + 1) + 1;
            }
            // One item, statement or field.
            while at < tokens.len() && !matches!(tokens[at].text, ";" | ",") {
                let text = tokens[at].text;
                if text == "mod" {
                    modules.push(tokens[at + 1].text);
                }
                if matches!(text, "(" | "[" | "{") {
                    at = closing(tokens, at);
                }
                if text == "{" {
                    break;
                }
                at += 1;
            }
        } else {
            plain.push(tokens[at]);
        }
        at += 1;
    }
    (plain, modules)
}

/// Whether the words of an attribute are `cfg(test)` or `cfg(all(test, ..))`.
fn is_for_tests(attribute: &[Token]) -> bool {
    let has = |word: &str| attribute.iter().any(|token| token.text == word);
    attribute[0].text == "cfg" && has("test") && !has("not") && !has("any")
}

#[test]
fn prose_is_no_code() {
    let text = "a // rayon\nb /* unsafe /* wide:: */ glam */ c \"std::env \\\" static\" r#\"glam \" \"# '\\'' 'x' &'static d";
    let source = Source::new("x.rs", text);
    let words: Vec<&str> = source.tokens().iter().map(|token| token.text).collect();
    assert_eq!(words, ["a", "b", "c", "&", "'static", "d"]);
    assert_eq!(source.tokens()[1].line, 2);
    assert_eq!(source.lines, 2);
}

#[test]
fn groups_are_written_out() {
    let text = "pub(crate) use a::{b, c::{self as s, D}, e::*}; f(g::h::<i>(j), k); use l;";
    let source = Source::new("x.rs", text);
    let paths: Vec<String> = source.paths().iter().map(|p| p.path.join("::")).collect();
    assert_eq!(paths, ["a::b", "a::c", "a::c::D", "a::e::*", "g::h", "l"]);
    let aliases: Vec<_> = source.paths().iter().map(|p| (p.alias, p.is_public)).collect();
    let public = |alias| (Some(alias), true);
    let expected = [public("b"), public("s"), public("D"), public("*"), (None, false)];
    assert_eq!(aliases[..5], expected);
    assert_eq!(aliases[5], (Some("l"), false));
}

#[test]
fn tests_are_left_out() {
    let text = "#[cfg(test)] mod edges; #[cfg(test)] #[allow(a)] fn f<T>(a: [u8; 2]) { g(); } struct A { #[cfg(test)] b: B, c: C }";
    let sources = [
        ("a/mod.rs", text),
        ("a/edges.rs", ""),
        ("a/edge.rs", ""),
        ("lib.rs", "#[cfg(all(test, a))] mod tests;"),
        ("tests/b.rs", ""),
    ];
    let sources = sources.map(|(path, text)| Source::new(path, text));
    let left = Source::without_tests(sources.into());
    let paths: Vec<&str> = left.iter().map(|source| source.path.as_str()).collect();
    assert_eq!(paths, ["a/mod.rs", "a/edge.rs", "lib.rs"]);
    let words: Vec<&str> = left[0].plain_tokens().iter().map(|token| token.text).collect();
    assert_eq!(words.concat(), "structA{c:C}");
}
