//! The machine a figure was taken on.

use crate::math::BACKEND;
use crate::threads::cores;
use std::fmt;
use std::time::{SystemTime, UNIX_EPOCH};

/// The head of every report.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize, serde::Serialize)]
#[serde(default)]
pub struct Machine {
    pub cpu: String,
    /// Cores available to this process.
    pub cores: usize,
    /// The instruction sets this build may use.
    pub isa: String,
    /// The instructions that eight lanes compile to.
    pub backend: String,
    pub rustc: String,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (version, cores, cpu) = (env!("CARGO_PKG_VERSION"), self.cores, &self.cpu);
        let (backend, isa, rustc) = (&self.backend, &self.isa, &self.rustc);
        write!(f, "taut {version}, {cores} cores of {cpu}\n{backend}; {isa}; {rustc}")
    }
}

impl Machine {
    /// This machine and this build.
    pub fn here() -> Self {
        let isa = [
            ("avx512vl", cfg!(target_feature = "avx512vl")),
            ("avx2", cfg!(target_feature = "avx2")),
            ("fma", cfg!(target_feature = "fma")),
            ("avx", cfg!(target_feature = "avx")),
            ("sse2", cfg!(target_feature = "sse2")),
            ("neon", cfg!(target_feature = "neon")),
        ];
        let present = isa.into_iter().filter(|(_, on)| *on);
        let present = present.map(|(name, _)| format!(" {name}"));
        Self {
            cpu: cpu_name(),
            cores: cores(),
            isa: std::env::consts::ARCH.to_owned() + &present.collect::<String>(),
            backend: BACKEND.into(),
            rustc: env!("TAUT_RUSTC").into(),
        }
    }
}

/// The processor's name and model numbers, as far as the system tells.
fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        let line = info.lines().find(|line| line.split(':').next().map(str::trim) == Some(key))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    };
    match (field("model name"), field("cpu family"), field("model")) {
        (Some(name), Some(family), Some(model)) => {
            format!("{name} (family {family} model {model})")
        }
        (Some(name), ..) => name,
        _ => "unknown".into(),
    }
}

/// The day, year-month-day in UTC; nothing where the clock stands before 1970.
pub fn today() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(String::new(), |since| day(since.as_secs() / 86_400))
}

/// The day so many days after 1970-01-01, by the rules of the Gregorian calendar.
fn day(days: u64) -> String {
    let leap =
        |year: u64| year.is_multiple_of(4) && !year.is_multiple_of(100) || year.is_multiple_of(400);
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(leap(year)) {
        left -= 365 + u64::from(leap(year));
        year += 1;
    }
    let lengths = [31, 28 + u64::from(leap(year)), 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    let mut month = 0;
    while left >= lengths[month] {
        left -= lengths[month];
        month += 1;
    }
    format!("{year}-{:02}-{:02}", month + 1, left + 1)
}

#[cfg(test)]
#[test]
fn days_of_the_calendar() {
    let known =
        [(0, "1970-01-01"), (58, "1970-02-28"), (789, "1972-02-29"), (11_016, "2000-02-29")];
    for (days, expected) in
        known.into_iter().chain([(20_818, "2026-12-31"), (47_541, "2100-03-01")])
    {
        assert_eq!(day(days), expected);
    }
}
