//! How long files and functions are.

use super::source::Source;
use super::tokens::{Token, closing, is_word};
use std::collections::BTreeSet;

/// The most lines of a file, tests and comments counted.
const MOST_LINES: usize = 350;

/// The most lines of a function, from `fn` to its last brace; the entries of tables do not count.
const MOST_LINES_OF_FUNCTION: usize = 60;

/// A match, an array or a macro of so many entries of one line each is a table.
const TABLE: usize = 8;

/// What is too long.
pub fn oversized(sources: &[Source]) -> Vec<String> {
    let mut found = Vec::new();
    for source in sources {
        let path = &source.path;
        if source.lines > MOST_LINES {
            found.push(format!("{path}: {} lines", source.lines));
        }
        for (name, line, lines) in functions(&source.tokens()) {
            if lines > MOST_LINES_OF_FUNCTION {
                found.push(format!("{path}:{line}: fn {name} has {lines} lines"));
            }
        }
    }
    found
}

/// Name, first line and number of lines of every function.
fn functions<'a>(tokens: &[Token<'a>]) -> Vec<(&'a str, usize, usize)> {
    let mut functions = Vec::new();
    for at in 0..tokens.len().saturating_sub(1) {
        if tokens[at].text != "fn" || !is_word(tokens[at + 1].text) {
            continue;
        }
        let mut open = at + 2;
        while open < tokens.len() && !matches!(tokens[open].text, "{" | ";") {
            if matches!(tokens[open].text, "(" | "[") {
                open = closing(tokens, open);
            }
            open += 1;
        }
        if tokens.get(open).is_some_and(|token| token.text == "{") {
            let body = &tokens[open..=closing(tokens, open)];
            let line = tokens[at + 1].line;
            let lines = body[body.len() - 1].line - line + 1;
            functions.push((tokens[at + 1].text, line, lines - table_lines(body)));
        }
    }
    functions
}

/// Lines of a function's body that are each an entry of a table.
fn table_lines(body: &[Token]) -> usize {
    let mut lines = BTreeSet::new();
    for open in 1..body.len() {
        let is_table = match body[open].text {
            "[" => true,
            "{" if is_match(&body[..open]) => true,
            "{" | "(" => body[open - 1].text == "!",
            _ => false,
        };
        if is_table {
            let entries = entries(body, open);
            if entries.len() >= TABLE {
                lines.extend(entries);
            }
        }
    }
    lines.len()
}

/// Whether a brace behind these tokens opens a match.
fn is_match(before: &[Token]) -> bool {
    let mut depth = 0;
    for token in before.iter().rev() {
        match token.text {
            ")" | "]" | "}" => depth += 1,
            "(" | "[" | "{" if depth == 0 => return false,
            "(" | "[" | "{" => depth -= 1,
            "match" if depth == 0 => return true,
            ";" | "=" if depth == 0 => return false,
            _ => {}
        }
    }
    false
}

/// Lines between a bracket and its end that hold a whole entry.
fn entries(tokens: &[Token], open: usize) -> BTreeSet<usize> {
    let close = closing(tokens, open);
    let mut lines = BTreeSet::new();
    let mut first = open + 1;
    let mut at = open + 1;
    while at < close {
        if matches!(tokens[at].text, "(" | "[" | "{") {
            at = closing(tokens, at);
        }
        if matches!(tokens[at].text, "," | ";") {
            if tokens[first].line == tokens[at].line {
                lines.insert(tokens[at].line);
            }
            first = at + 1;
        }
        at += 1;
    }
    lines.remove(&tokens[open].line);
    lines.remove(&tokens[close].line);
    lines
}

#[test]
fn size_can_fail() {
    let functions = |lines: usize, entries: usize| {
        let code = "    g();\n".repeat(lines);
        let table = "        1 => f(2, [3]),\n".repeat(entries);
        let text = format!("fn f() {{\n{code}    match a {{\n{table}    }}\n}}\n");
        oversized(&[Source::new("a.rs", &text)])
    };
    assert_eq!(functions(56, 0), [""; 0]);
    assert_eq!(functions(57, 0), ["a.rs:1: fn f has 61 lines"]);
    assert_eq!(functions(56, 70), [""; 0]);
    assert_eq!(functions(56, 7), ["a.rs:1: fn f has 67 lines"]);
    let file = |lines: usize| oversized(&[Source::new("a.rs", &"// a\n".repeat(lines))]);
    assert_eq!(file(350), [""; 0]);
    assert_eq!(file(351), ["a.rs: 351 lines"]);
}
