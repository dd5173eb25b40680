//! A flamegraph of any run: `cargo run --release --example flamegraph -- cloth:256/lanes@1 [seconds]` writes
//! `cloth:256_lanes@1.svg` and prints the samples of each phase beside the engine's own phase timers.

#[cfg(not(unix))]
fn main() {
    eprintln!("flamegraph: the sampling profiler runs on Unix only");
    std::process::exit(2);
}

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    match profile::main() {
        Ok(()) => std::process::ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("flamegraph: {error}");
            std::process::ExitCode::from(2)
        }
    }
}

#[cfg(unix)]
mod profile {
    use pprof::{Frames, ProfilerGuardBuilder, Symbol};
    use std::collections::BTreeMap;
    use std::error::Error;
    use std::fs::File;
    use std::time::{Duration, Instant};
    use taut::io::Run;
    use taut::timers::PhaseTime;

    /// Samples a second of processor time; prime, so that it does not beat with the steps.
    const FREQUENCY: i32 = 997;
    /// Sampled, unless said otherwise (s): many systems give no more than 250 samples a second.
    const SECONDS: f64 = 15.0;

    pub fn main() -> Result<(), Box<dyn Error>> {
        let mut arguments = std::env::args().skip(1);
        let name = arguments.next().unwrap_or("cloth:256/lanes@1".into());
        let seconds = arguments.next().map_or(Ok(SECONDS), |s| s.parse())?;
        let length = Duration::try_from_secs_f64(seconds)?;
        let mut opened = name.parse::<Run>()?.open(&[])?;
        let simulation = &mut opened.simulation;
        for _ in 0..10 {
            simulation.step(); // caches, clocks and pages warm
        }
        simulation.timers().clear();

        // Unwinding must not meet a lock that a library holds, so what is in these is not sampled.
        let profiler = ProfilerGuardBuilder::default()
            .frequency(FREQUENCY)
            .blocklist(&["libc", "libgcc", "pthread", "vdso"])
            .build()?;
        let (started, mut steps) = (Instant::now(), 0);
        while started.elapsed() < length {
            simulation.step();
            steps += 1;
        }
        let report = profiler.report().frames_post_processor(shorten).build()?;
        drop(profiler);

        let file = format!("{}.svg", opened.run).replace(['/', '\\'], "_");
        report.flamegraph(File::create(&file)?)?;
        let mut samples: BTreeMap<String, usize> = BTreeMap::new();
        for (frames, &count) in &report.data {
            *samples.entry(phase(frames)).or_default() += count as usize;
        }
        println!("{}: {steps} steps, {file}", opened.run);
        print(&samples, simulation.timers().phases());
        Ok(())
    }

    /// Keeps of each frame the function itself, by a short name. Functions inlined into it are counted as part of it: all
    /// samples of a function share one record.
    fn shorten(frames: &mut Frames) {
        let mut projecting = false;
        for inlined in frames.frames.iter_mut().rev() {
            inlined.drain(..inlined.len().saturating_sub(1));
            for symbol in inlined {
                let name = read(symbol, projecting);
                projecting |= name.starts_with(PROJECT);
                symbol.name = Some(name.into_bytes());
            }
        }
    }

    const PROJECT: &str = "project ";

    /// A phase by its own name (`predict`, `project distance`, `velocity`, `wait`), any other function without its modules.
    fn read(symbol: &Symbol, projecting: bool) -> String {
        let function = without_modules(&symbol.name());
        let file = symbol.filename().replace('\\', "/");
        let (name, types) = function.split_once('<').unwrap_or((&function, ""));
        let steps = ["src/solvers/", "src/state/"].iter().any(|room| file.contains(room));
        match name {
            "predict" | "predict_range" if steps => "predict".into(),
            "velocity" | "update_range" if steps => "velocity".into(),
            "wait" | "wait_group" if file.contains("src/threads/") => "wait".into(),
            "project" if file.contains("src/rows/") && !projecting => {
                let kind = types.split([',', '<', '>']).next().unwrap_or_default();
                format!("{PROJECT}{}", word(kind))
            }
            _ => function,
        }
    }

    /// `a::b::C<d::E>::f` as `C<E>::f`.
    fn without_modules(path: &str) -> String {
        let mut out = String::new();
        let mut rest = path;
        while !rest.is_empty() {
            let end = rest.find(|c: char| !(c.is_alphanumeric() || c == '_'));
            let (name, after) = rest.split_at(end.unwrap_or(rest.len()));
            let module = name.starts_with(|c: char| c.is_lowercase());
            match after.strip_prefix("::") {
                Some(after) if module && !after.starts_with(['<', '{']) => rest = after,
                _ => {
                    let next = after.chars().next().map_or(0, char::len_utf8);
                    out += name;
                    out += &after[..next];
                    rest = &after[next..];
                }
            }
        }
        out
    }

    /// `IsometricBending` as `isometric_bending`: a kind's type as its word.
    fn word(kind: &str) -> String {
        let mut word = String::new();
        for c in kind.chars() {
            if c.is_uppercase() && !word.is_empty() {
                word.push('_');
            }
            word.extend(c.to_lowercase());
        }
        word
    }

    /// The phase a sample fell into: the outermost that its stack names.
    fn phase(frames: &Frames) -> String {
        let names = frames.frames.iter().flatten().rev().map(|symbol| symbol.name());
        let phases = ["predict", "velocity", "wait"];
        let mut found = names.filter(|n| phases.contains(&n.as_str()) || n.starts_with(PROJECT));
        found.next().unwrap_or_else(|| OTHER.into())
    }

    const OTHER: &str = "(no phase)";

    /// Shares of samples beside shares of the first worker's time.
    fn print(samples: &BTreeMap<String, usize>, timers: &[PhaseTime]) {
        let all: usize = samples.values().sum();
        let total: f64 = timers.iter().map(|p| p.time.as_secs_f64()).sum();
        let mut names: Vec<&str> = timers.iter().map(|p| p.name.as_str()).collect();
        names.extend(samples.keys().map(String::as_str));
        names.sort_unstable();
        names.dedup();
        let percent = |part: f64, whole: f64| format!("{:.1} %", 100.0 * part / whole.max(1e-9));
        println!("{:<28} {:>8} {:>10} {:>8}", "phase", "samples", "flamegraph", "timers");
        for name in names {
            let count = samples.get(name).copied().unwrap_or(0);
            let of_name = || timers.iter().filter(|p| p.name == name);
            let time: f64 = of_name().map(|p| p.time.as_secs_f64()).sum();
            let time = of_name().next().map_or("-".into(), |_| percent(time, total));
            let share = percent(count as f64, all as f64);
            println!("{name:<28} {count:>8} {share:>10} {time:>8}");
        }
        let named = all - samples.get(OTHER).copied().unwrap_or(0);
        let named = percent(named as f64, all as f64);
        println!("{all} samples, {named} in named phases");
    }
}
