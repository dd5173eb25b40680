//! The frames of a stack by the phases of a step.
//!
//! A function's symbol has its path but not its types, so the rows of all kinds share a name, and so do subsystems of one
//! type. What a subsystem does is known by where its code begins.

use crate::simulation::Simulation;
use pprof::{Frames, Symbol};
use std::collections::HashMap;

/// The name of rows of more kinds than one.
const ROWS: &str = "project rows";
/// The name of what lies in no phase.
pub const OTHER: &str = "(no phase)";

/// Functions by the rooms that they are in, and the phases that they are.
const FUNCTIONS: [(&str, &str, &str); 10] = [
    ("solvers::core::Core<", "::predict", "predict"),
    ("state::advance::", "::predict_range", "predict"),
    ("solvers::core::Core<", "::update", "velocity"),
    ("state::advance::", "::update_range", "velocity"),
    ("solvers::core::Core<", "::begin", "search"),
    ("solvers::core::Core<", "::respond", "respond"),
    ("rows::batch::Batch<", "::project", ROWS),
    ("rows::batch::Batch<", "::push", ROWS),
    ("threads::", "::wait", "wait"),
    ("threads::", "::wait_block", "wait"),
];

/// How frames of one simulation are named.
pub struct Phases {
    /// Phases of subsystems by the symbols of their functions.
    symbols: HashMap<Vec<u8>, String>,
    /// The name of rows: of their kind, where there is one kind only.
    rows: String,
}

impl Phases {
    pub fn of(simulation: &Simulation) -> Self {
        let mut symbols: HashMap<Vec<u8>, String> = HashMap::new();
        for (name, address) in simulation.entries() {
            // As of a frame, it looks at what lies before the address.
            backtrace::resolve((address + 1) as *mut _, |symbol| {
                let Some(symbol) = symbol.name() else { return };
                // One function for two phases is named after neither.
                let known =
                    symbols.entry(symbol.as_bytes().to_vec()).or_insert_with(|| name.clone());
                if *known != name {
                    name.split(' ').next().unwrap_or_default().clone_into(known);
                }
            });
        }
        let mut kinds: Vec<&str> = simulation.model().row_sets().map(|rows| rows.kind).collect();
        kinds.dedup();
        let rows = if let [kind] = kinds[..] { format!("project {kind}") } else { ROWS.into() };
        Self { symbols, rows }
    }

    /// Whether a frame has the name of a phase.
    pub fn is_phase(name: &str) -> bool {
        let first = name.split(' ').next().unwrap_or_default();
        ["predict", "search", "project", "velocity", "respond", "wait"].contains(&first)
    }

    /// Keeps of each frame the function itself, by a short name. Functions inlined into it are counted as part of it: all
    /// samples of a function share one record.
    pub fn name(&self, frames: &mut Frames) {
        for inlined in frames.frames.iter_mut().rev() {
            inlined.drain(..inlined.len().saturating_sub(1));
            for symbol in inlined {
                let name = self.phase(symbol).unwrap_or_else(|| without_modules(&symbol.name()));
                symbol.name = Some(name.into_bytes());
            }
        }
    }

    fn phase(&self, symbol: &Symbol) -> Option<String> {
        if let Some(phase) = symbol.name.as_ref().and_then(|name| self.symbols.get(name)) {
            return Some(phase.clone());
        }
        let name = symbol.name();
        let function =
            FUNCTIONS.iter().find(|(room, end, _)| name.contains(room) && name.ends_with(end));
        function.map(|(.., phase)| if *phase == ROWS { self.rows.clone() } else { (*phase).into() })
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
