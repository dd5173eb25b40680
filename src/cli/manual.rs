//! `taut completions` and `taut man`: what is made from the command line itself.

use super::output::{Failure, input, print};
use clap::{Args, Command};
use clap_complete::Shell;

#[derive(Args)]
pub struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    shell: Shell,
}

#[derive(Args)]
pub struct ManArgs {
    /// The command; left out: taut itself
    command: Option<String>,
}

/// Prints what a shell reads to complete the command line `program`.
pub fn completions(args: &CompletionsArgs, mut program: Command) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut program, "taut", &mut script);
    show(&script)
}

/// Prints a manual page of `program`, or of one of its commands.
pub fn man(args: &ManArgs, mut program: Command) -> Result<(), Failure> {
    program.build(); // commands then know their full names
    let page = match &args.command {
        None => program,
        Some(name) => {
            let found = program.find_subcommand(name).cloned();
            found.ok_or_else(|| {
                input(format!("man: taut has no command \"{}\"", name.escape_debug()))
            })?
        }
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).map_err(input)?;
    show(&text)
}

fn show(text: &[u8]) -> Result<(), Failure> {
    print(format_args!("{}", String::from_utf8_lossy(text)))
}
