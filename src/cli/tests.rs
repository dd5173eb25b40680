//! The commands that the documents print are understood as they stand.

use super::output::{agreed, figure};
use super::{Cli, Command};
use crate::runs::Run;
use clap::Parser;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// What stands before a command of the program in the documents.
const STARTS: [&str; 2] = ["cargo run --release -- ", "taut "];

/// The arguments of every command in the blocks of shell lines, and of those between backquotes.
fn commands(text: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for (i, block) in text.split("```").enumerate() {
        let is_shell = i % 2 == 1 && block.starts_with("sh\n");
        let pieces: Vec<&str> = match i % 2 {
            0 => block.split('`').skip(1).step_by(2).collect(),
            _ if is_shell => block.lines().collect(),
            _ => Vec::new(),
        };
        for piece in pieces {
            let command = piece.split(" #").next().unwrap_or_default().trim();
            let arguments = STARTS.iter().find_map(|start| command.strip_prefix(start));
            let words = arguments.map(|words| words.split_whitespace().map(str::to_owned));
            let words: Vec<String> = words.into_iter().flatten().collect();
            // Between backquotes a single word names a command.
            if words.len() > usize::from(!is_shell) {
                found.push(words);
            }
        }
    }
    found
}

#[test]
fn commands_of_the_documents_are_understood() {
    let mut count = 0;
    let guide = ["getting-started", "scenes", "tuning"].map(|page| format!("docs/{page}.md"));
    for page in guide.iter().map(String::as_str).chain(["README.md", "CONTRIBUTING.md"]) {
        let text = std::fs::read_to_string(format!("{ROOT}/{page}")).expect(page);
        for words in commands(&text) {
            // `RUN`, `FILE`: words to be replaced stand between backquotes only.
            let cli = Cli::try_parse_from(["taut".to_string()].into_iter().chain(words.clone()));
            let cli = cli.unwrap_or_else(|error| panic!("{page}: {words:?}: {error}"));
            if let Some(Command::Run(args)) = cli.command
                && let Some(run) = args.run_and_settings().unwrap_or_else(|_| panic!("{page}")).0
                && run != "RUN"
            {
                assert!(run.parse::<Run>().is_ok(), "{page}: {run}");
            }
            count += 1;
        }
    }
    assert!(count > 20, "{count} commands");
}

#[test]
fn one_thing_is_told_as_one() {
    let told = [(1, "contact points"), (2, "contact points"), (1, "split vertices"), (1, "asleep")];
    let told = told.map(|(count, plural)| agreed(count, plural));
    assert_eq!(told, ["1 contact point", "2 contact points", "1 split vertex", "1 asleep"]);
    assert_eq!([0.0, 0.001_234].map(figure), ["0", "1.23e-3"]);
}
