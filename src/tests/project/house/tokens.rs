//! Rust as words and signs, without comments and literals.

/// A word or a sign, and its line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Token<'a> {
    pub text: &'a str,
    pub line: usize,
}

pub fn is_word(token: &str) -> bool {
    token.starts_with(|c: char| c.is_alphanumeric() || c == '_')
}

/// Words and signs of code without comments and literals.
pub fn tokens(code: &str) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for (line, text) in code.lines().enumerate() {
        let mut rest = text.trim_start();
        while let Some(first) = rest.chars().next() {
            let begin = if first == '\'' { 1 } else { 0 };
            let word = rest[begin..].find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let len = match begin + word.unwrap_or(rest.len() - begin) {
                _ if rest.starts_with("::") => 2,
                0 => first.len_utf8(),
                len => len,
            };
            tokens.push(Token { text: &rest[..len], line: line + 1 });
            rest = rest[len..].trim_start();
        }
    }
    tokens
}

/// The bracket that closes the one at `open`.
pub fn closing(tokens: &[Token], open: usize) -> usize {
    let mut depth = 0;
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match token.text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return at;
        }
    }
    tokens.len() - 1
}

/// The text with comments, strings and characters blanked; lines stay where they are.
pub fn strip(text: &str) -> String {
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
    if let Some(raw) = text.strip_prefix('r').filter(|_| !within_word || before == Some('b')) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        if raw[hashes..].starts_with('"') {
            let end = format!("\"{}", "#".repeat(hashes));
            let body = &raw[hashes + 1..];
            let close = body.find(&end).map_or(body.len(), |close| close + end.len());
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
