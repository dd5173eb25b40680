//! `--set` of the commands that take it, and numbers on the command line.

use super::output::{Failure, input};
use crate::io::Override;
use clap::Args;
use std::str::FromStr;

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
    /// A setting without "=", one that stands twice.
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
            let (key, value) = text.split_once('=').ok_or_else(wrong)?;
            match value.contains(',') && !value.starts_with(['[', '{', '"']) {
                true => {
                    Err(input(format!("--set {text}: a list stands in brackets: {key}=[{value}]")))
                }
                false => Ok((key, value)),
            }
        };
        let set: Vec<Override> = set.iter().map(pair).collect::<Result<_, _>>()?;
        for (i, (key, _)) in set.iter().enumerate() {
            if set[..i].iter().any(|(other, _)| other == key) {
                let key = crate::io::quote(key.as_bytes());
                return Err(input(format!("--set \"{key}\": stands twice")));
            }
        }
        Ok((run, set))
    }
}

/// A whole number.
pub fn whole<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse().map_err(|_| "must be a whole number, 0 or more".into())
}

/// A whole number, not zero.
pub fn some(text: &str) -> Result<u64, String> {
    let number = whole(text).unwrap_or(0);
    let rule = || "must be a whole number, 1 or more".into();
    Some(number).filter(|number| *number > 0).ok_or_else(rule)
}

/// A time of more than none (s).
pub fn positive_seconds(text: &str) -> Result<f64, String> {
    let seconds = text.parse().ok().filter(|seconds: &f64| *seconds > 0.0 && seconds.is_finite());
    seconds.ok_or_else(|| "must be a number of seconds, more than 0".into())
}
