//! Rust sources as the house rules read them: without comments and strings, as words and as paths.

use std::path::Path;

/// A source file.
pub struct Source {
    /// Its path below `src`, with `/`.
    pub path: String,
    /// Its words and signs, in order; `::` and lifetimes are one each.
    pub tokens: Vec<String>,
    /// Lines that hold code.
    pub lines: usize,
}

impl Source {
    pub fn new(path: &str, text: &str) -> Self {
        let code = strip(text);
        Self {
            path: path.into(),
            tokens: tokens(&code),
            lines: code.lines().filter(|line| !line.trim().is_empty()).count(),
        }
    }

    /// Every `.rs` file below `src`, tests left out.
    pub fn all() -> Vec<Self> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut folders = vec![root.clone()];
        let mut sources = Vec::new();
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                let name = path.strip_prefix(&root).unwrap().to_str().unwrap();
                let name = name.replace('\\', "/");
                if path.is_dir() {
                    folders.push(path);
                } else if name.ends_with(".rs") && !is_test(&name) {
                    sources.push(Self::new(&name, &std::fs::read_to_string(&path).unwrap()));
                }
            }
        }
        sources
    }

    pub fn has(&self, word: &str) -> bool {
        self.tokens.iter().any(|token| token == word)
    }

    /// Every path of two or more names, and every name that `use` brings in; groups are written out.
    pub fn paths(&self) -> Vec<Vec<&str>> {
        let mut paths = Vec::new();
        let mut at = 0;
        while at < self.tokens.len() {
            let used = at > 0 && self.tokens[at - 1] == "use";
            let before = paths.len();
            at = self.path_at(at, &[], &mut paths);
            let keep = |path: &Vec<&str>| used || path.len() > 1;
            let found = paths.split_off(before);
            paths.extend(found.into_iter().filter(keep));
        }
        paths
    }

    /// Reads the path that begins at `at`; returns where it ends.
    fn path_at<'a>(
        &'a self,
        mut at: usize,
        before: &[&'a str],
        out: &mut Vec<Vec<&'a str>>,
    ) -> usize {
        let mut path = before.to_vec();
        let sign = |at: usize| self.tokens.get(at).map_or("", String::as_str);
        loop {
            if sign(at) == "{" && path.len() > before.len() {
                at += 1;
                while !matches!(sign(at), "}" | "") {
                    at = self.path_at(at, &path, out);
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
        if path
            .last()
            .is_some_and(|name| is_word(name) || *name == "*")
        {
            out.push(path);
        }
        at
    }
}

fn is_test(path: &str) -> bool {
    path.starts_with("tests/") || path.contains("/tests/") || path.ends_with("tests.rs")
}

fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

fn tokens(code: &str) -> Vec<String> {
    let mut tokens: Vec<String> = Vec::new();
    let mut open = false; // whether the last token may grow
    for c in code.chars() {
        let word = c.is_alphanumeric() || c == '_';
        match tokens.last_mut() {
            Some(last) if open && word => last.push(c),
            Some(last) if open && c == ':' && last == ":" => last.push(c),
            _ if c.is_whitespace() => {}
            _ => tokens.push(c.into()),
        }
        // A lifetime is its quote and the word after it.
        let last = tokens.last().map_or("", String::as_str);
        open = !c.is_whitespace() && (word || last == ":" || last == "'");
    }
    tokens
}

/// The text with comments, strings and characters blanked; lines stay where they are.
fn strip(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &text[at..];
        let skipped = comment(rest).or_else(|| literal(rest, text[..at].chars().last()));
        match skipped {
            Some(len) => {
                out.push(' ');
                out.extend(rest[..len].chars().filter(|&c| c == '\n'));
                at += len;
            }
            None => {
                let c = rest.chars().next().unwrap();
                out.push(c);
                at += c.len_utf8();
            }
        }
    }
    out
}

/// The length of the comment that `text` begins with.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    let mut depth = 0;
    for at in 0..text.len() {
        let rest = &text.as_bytes()[at..];
        if rest.starts_with(b"/*") {
            depth += 1;
        } else if depth == 0 {
            return None;
        } else if text.as_bytes()[..at].ends_with(b"*/") && at > 3 {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    (depth > 0).then_some(text.len())
}

/// The length of the string or character that `text` begins with; `before` is what stands before it.
fn literal(text: &str, before: Option<char>) -> Option<usize> {
    let within_word = before.is_some_and(|c| c.is_alphanumeric() || c == '_');
    if let Some(raw) = text
        .strip_prefix('r')
        .filter(|_| !within_word || before == Some('b'))
    {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &raw[hashes + 1..];
            let close = body
                .find(&end)
                .map_or(body.len(), |close| close + end.len());
            return Some(1 + hashes + 1 + close);
        }
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        if !escaped && c == quote {
            return Some(at + 1);
        }
        // 'a' and '\n' are characters, 'a is a lifetime.
        if quote == '\'' && !escaped && c != '\\' && !text[at + c.len_utf8()..].starts_with('\'') {
            return None;
        }
        escaped = !escaped && c == '\\';
    }
    Some(text.len())
}

#[test]
fn prose_is_no_code() {
    let text = "a // rayon\nb /* unsafe /* wide:: */ glam */ c \"std::env \\\" static\" r#\"glam \" \"# '\\'' 'x' &'static d";
    let source = Source::new("x.rs", text);
    assert_eq!(source.tokens, ["a", "b", "c", "&", "'static", "d"]);
    assert_eq!(source.lines, 2);
}

#[test]
fn groups_are_written_out() {
    let source = Source::new(
        "x.rs",
        "use a::{b, c::{self, D}, e::*}; f(g::h::<i>(j), k); use l;",
    );
    let paths: Vec<String> = source.paths().iter().map(|path| path.join("::")).collect();
    assert_eq!(
        paths,
        ["a::b", "a::c::self", "a::c::D", "a::e::*", "g::h", "l"]
    );
}
