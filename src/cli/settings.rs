//! `--set` of the commands that take it.

use super::output::{Failure, input};
use crate::io::Override;
use clap::Args;

#[derive(Args)]
pub struct Settings {
    /// Settings that replace the scene's, as iterations=20
    #[arg(long, value_name = "KEY=VALUE", num_args = 1..)]
    set: Vec<String>,
}

impl Settings {
    /// The run, and key and value of each setting. `--set` takes all that follow it: the last, where it is no setting, is the run.
    ///
    /// # Errors
    /// A setting without "=".
    pub fn split<'a>(
        &'a self,
        run: Option<&'a str>,
    ) -> Result<(Option<&'a str>, Vec<Override<'a>>), Failure> {
        let (run, set) = match (run, self.set.split_last()) {
            (None, Some((last, set))) if !last.contains('=') => (Some(last.as_str()), set),
            (run, _) => (run, &self.set[..]),
        };
        let pair = |text: &'a String| {
            let wrong = || input(format!("--set \"{text}\": must be KEY=VALUE"));
            text.split_once('=').ok_or_else(wrong)
        };
        Ok((run, set.iter().map(pair).collect::<Result<_, _>>()?))
    }
}
