//! The machine a figure was taken on.

use crate::math::BACKEND;
use crate::threads::cores;
use std::fmt;

/// The head of every report.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Machine {
    cpu: String,
    /// Cores available to this process.
    cores: usize,
    /// The instruction sets this build may use.
    isa: String,
    /// The instructions that eight lanes compile to.
    backend: &'static str,
    rustc: &'static str,
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let (version, cores, cpu) = (env!("CARGO_PKG_VERSION"), self.cores, &self.cpu);
        let (backend, isa, rustc) = (self.backend, &self.isa, self.rustc);
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
            backend: BACKEND,
            rustc: env!("TAUT_RUSTC"),
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
