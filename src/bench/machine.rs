//! The machine a figure was taken on.

use crate::math::BACKEND;
use crate::threads::cores;

/// What stands at the head of every report.
#[derive(Clone, Debug)]
#[cfg_attr(feature = "files", derive(serde::Serialize))]
pub struct Machine {
    /// The processor's name.
    pub cpu: String,
    /// Cores available to this process.
    pub cores: usize,
    /// The instruction sets this build may use.
    pub isa: String,
    /// What the lanes compile to.
    pub backend: &'static str,
    /// The compiler.
    pub rustc: &'static str,
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
        let present = isa.into_iter().filter(|(_, on)| *on).map(|(name, _)| name);
        Self {
            cpu: cpu_name(),
            cores: cores(),
            isa: std::iter::once(std::env::consts::ARCH)
                .chain(present)
                .collect::<Vec<_>>()
                .join(" "),
            backend: BACKEND,
            rustc: env!("TAUT_RUSTC"),
        }
    }
}

/// The processor's name and model numbers, as far as the system tells.
fn cpu_name() -> String {
    let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let field = |key: &str| {
        let line = info
            .lines()
            .find(|line| line.split(':').next().map(str::trim) == Some(key))?;
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
