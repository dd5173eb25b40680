//! The viewer's keys: one table for the window, the help and the tests.

/// Something a key makes the viewer do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Action {
    Pause,
    Step,
    Reset,
    NextScene,
    NextMethod,
    NextWidth,
    NextResponse,
    MoreThreads,
    FewerThreads,
    MoreIterations,
    FewerIterations,
    MoreSubsteps,
    FewerSubsteps,
    NextOverlay,
    Frame,
    Help,
    Quit,
}

/// A key by the name minifb gives it, what it does, whether it goes on while it is held down, and its help.
#[rustfmt::skip]
pub(super) const KEYS: [(&str, Action, bool, &str); 17] = [
    ("Space", Action::Pause, false, "pause, go on"),
    ("S", Action::Step, true, "single step"),
    ("R", Action::Reset, false, "reset"),
    ("N", Action::NextScene, false, "next scene"),
    ("M", Action::NextMethod, false, "next method"),
    ("W", Action::NextWidth, false, "eight lanes, sixteen"),
    ("X", Action::NextResponse, false, "response: as given, PBD, XPBD"),
    ("PageUp", Action::MoreThreads, false, "one thread more"),
    ("PageDown", Action::FewerThreads, false, "one thread fewer"),
    ("Up", Action::MoreIterations, true, "one iteration more"),
    ("Down", Action::FewerIterations, true, "one iteration fewer"),
    ("Right", Action::MoreSubsteps, true, "one substep more"),
    ("Left", Action::FewerSubsteps, true, "one substep fewer"),
    ("C", Action::NextOverlay, false, "colors: plain, stretch, batch, speed"),
    ("F", Action::Frame, false, "frame the scene"),
    ("H", Action::Help, false, "show or hide this help"),
    ("Escape", Action::Quit, false, "quit"),
];

/// The mouse in words.
const MOUSE: [(&str, &str); 5] = [
    ("click on a word", "choose scene, method, lanes, threads"),
    ("drag something", "pull it"),
    ("drag elsewhere", "turn"),
    ("right drag", "move"),
    ("wheel", "zoom"),
];

/// The action of a key by its name; `again` says that the key was held down.
pub(super) fn action(name: &str, again: bool) -> Option<Action> {
    let found = KEYS.iter().find(|(key, ..)| *key == name);
    found.and_then(|(_, action, repeats, _)| (!again || *repeats).then_some(*action))
}

/// The keys and the mouse in words, a line each.
pub(super) fn help() -> String {
    let keys = KEYS.iter().map(|(key, .., about)| (*key, *about));
    let lines = keys.chain(MOUSE).map(|(what, does)| format!("{what:<16}{does}"));
    lines.collect::<Vec<_>>().join("\n")
}
