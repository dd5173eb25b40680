//! Pages: one file that holds all it shows, light or dark as the reader's system is.

use crate::bench::Plot;
use crate::files::escape;
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use std::fmt::Write;

/// Colors that color-blind readers can tell apart (Okabe and Ito 2008), light enough for both backgrounds.
const COLORS: [&str; 8] =
    ["#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#968200", "#8c8c8c"];

const STYLE: &str = "
:root { color-scheme: light dark; --ink: #1d242c; --pale: #5d6874; --line: #d5dbe2; --paper: #ffffff; --panel: #f3f5f8; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e3e8ee; --pale: #98a4b1; --line: #39434e; --paper: #14181d; --panel: #1d242b; }
}
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 1240px; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.7rem; margin-bottom: .2rem; } h2 { margin-top: 2.2rem; border-bottom: 1px solid var(--line); padding-bottom: .2rem; }
h3 { margin: 1.2rem 0 .3rem; font-size: 1rem; } p { max-width: 80ch; } p, figcaption { color: var(--pale); } a { color: #2f8fd0; }
code { font-size: .93em; } .wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .88rem; white-space: nowrap; }
th, td { padding: .2rem .5rem; text-align: right; border-bottom: 1px solid var(--line); } th { color: var(--pale); font-weight: 600; white-space: normal; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
.bars { display: grid; grid-template-columns: max-content 1fr max-content; gap: .25rem .8rem; align-items: center; font-size: .88rem; }
.bars > div { background: var(--panel); height: 1.1rem; display: flex; } .bars b { font-weight: 400; font-variant-numeric: tabular-nums; text-align: right; }
.bars i { display: block; height: 100%; min-width: 1px; }
.key { display: flex; flex-wrap: wrap; gap: .2rem 1.1rem; font-size: .85rem; color: var(--pale); margin: .5rem 0; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(310px, 1fr)); gap: 1rem; }
figure { margin: .8rem 0; } figure img { width: 100%; border-radius: 4px; } figure svg { width: 100%; height: auto; }
";

/// A page under way.
pub struct Html {
    title: String,
    body: String,
}

/// A bar: its name, its pieces as shares of the whole width and numbers of colors, and what stands behind it.
pub struct Bar {
    pub name: String,
    pub pieces: Vec<(f64, usize)>,
    pub text: String,
}

impl Html {
    pub fn new(title: impl Into<String>) -> Self {
        Self { title: title.into(), body: String::new() }
    }

    pub fn heading(&mut self, text: &str) {
        self.element("h2", text);
    }

    pub fn small_heading(&mut self, text: &str) {
        self.element("h3", text);
    }

    pub fn text(&mut self, text: &str) {
        self.element("p", text);
    }

    /// Links to files beside the page.
    pub fn links(&mut self, before: &str, files: &[&str], after: &str) {
        let link = |file: &&str| format!("<a href=\"{0}\">{0}</a>", escape(file));
        let links: Vec<String> = files.iter().map(link).collect();
        let (before, after) = (escape(before), escape(after));
        let _ = writeln!(self.body, "<p>{before}{}{after}</p>", links.join(", "));
    }

    /// A table; the first row is its header.
    pub fn table(&mut self, rows: &[Vec<String>]) {
        self.body += "<div class=\"wide\"><table>\n";
        for (i, row) in rows.iter().enumerate() {
            let mark = if i == 0 { "th" } else { "td" };
            let cells = row.iter().map(|cell| format!("<{mark}>{}</{mark}>", escape(cell)));
            let _ = writeln!(self.body, "<tr>{}</tr>", cells.collect::<String>());
        }
        self.body += "</table></div>\n";
    }

    /// Bars below each other.
    pub fn bars(&mut self, bars: &[Bar]) {
        self.body += "<div class=\"bars\">\n";
        for Bar { name, pieces, text } in bars {
            let piece = |(share, color): &(f64, usize)| {
                let (width, color) = (100.0 * share.clamp(0.0, 1.0), color_of(*color));
                format!("<i style=\"width:{width:.2}%;background:{color}\"></i>")
            };
            let pieces: String = pieces.iter().map(piece).collect();
            let (name, text) = (escape(name), escape(text));
            let _ = writeln!(self.body, "<code>{name}</code><div>{pieces}</div><b>{text}</b>");
        }
        self.body += "</div>\n";
    }

    /// What the colors of bars stand for.
    pub fn key(&mut self, names: &[String]) {
        let entry = |(i, name): (usize, &String)| {
            format!("<span><i style=\"background:{}\"></i>{}</span>", color_of(i), escape(name))
        };
        let entries: String = names.iter().enumerate().map(entry).collect();
        let _ = writeln!(self.body, "<div class=\"key\">{entries}</div>");
    }

    /// Curves; their black and white are the page's ink and paper.
    pub fn plot(&mut self, plot: &Plot) -> Result<(), String> {
        let svg = plot.svg()?;
        let svg = svg.replace("\"#000000\"", "\"currentColor\"").replace("\"#FFFFFF\"", "\"none\"");
        let _ = writeln!(self.body, "<figure>{svg}</figure>");
        Ok(())
    }

    /// Pictures side by side, with their names.
    pub fn pictures(&mut self, pictures: &[(String, Vec<u8>)]) {
        self.body += "<div class=\"pictures\">\n";
        for (name, png) in pictures {
            let (name, data) = (escape(name), BASE64_STANDARD.encode(png));
            let _ = writeln!(
                self.body,
                "<figure><img alt=\"{name}\" src=\"data:image/png;base64,{data}\"><figcaption>{name}</figcaption></figure>"
            );
        }
        self.body += "</div>\n";
    }

    pub fn finish(&self) -> String {
        let (title, body) = (escape(&self.title), &self.body);
        format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n\
             <title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n{body}</html>\n"
        )
    }

    fn element(&mut self, name: &str, text: &str) {
        let _ = writeln!(self.body, "<{name}>{}</{name}>", escape(text));
    }
}

/// Beyond the first eight, colors come again.
fn color_of(i: usize) -> &'static str {
    COLORS[i % COLORS.len()]
}
