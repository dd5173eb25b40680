//! What the viewer's keys do: one table for the window, the help and the tests.

/// Something a key makes the viewer do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Stops the time, or lets it go on.
    Pause,
    /// One frame step; stops the time.
    Step,
    /// Back to the scene's start.
    Reset,
    /// The next scene of the catalogue.
    NextScene,
    /// The next method.
    NextMethod,
    /// One thread more.
    MoreThreads,
    /// One thread fewer.
    FewerThreads,
    /// One iteration more.
    MoreIterations,
    /// One iteration fewer.
    FewerIterations,
    /// One substep more.
    MoreSubsteps,
    /// One substep fewer.
    FewerSubsteps,
    /// The next color overlay.
    NextOverlay,
    /// The camera back to where all is seen.
    Frame,
    /// Shows or hides the keys.
    Help,
    /// Closes the window.
    Quit,
}

/// Every key by the name minifb gives it, what it does, and in words.
pub const KEYS: [(&str, Action, &str); 15] = [
    ("Space", Action::Pause, "pause, go on"),
    ("S", Action::Step, "single step"),
    ("R", Action::Reset, "reset"),
    ("N", Action::NextScene, "next scene"),
    ("M", Action::NextMethod, "next method"),
    ("PageUp", Action::MoreThreads, "one thread more"),
    ("PageDown", Action::FewerThreads, "one thread fewer"),
    ("Up", Action::MoreIterations, "one iteration more"),
    ("Down", Action::FewerIterations, "one iteration fewer"),
    ("Right", Action::MoreSubsteps, "one substep more"),
    ("Left", Action::FewerSubsteps, "one substep fewer"),
    (
        "C",
        Action::NextOverlay,
        "colors: plain, stretch, batch, speed",
    ),
    ("F", Action::Frame, "frame the scene"),
    ("H", Action::Help, "show or hide this help"),
    ("Escape", Action::Quit, "quit"),
];

impl Action {
    /// What the key of that name does, if anything.
    pub fn of_key(name: &str) -> Option<Self> {
        let found = KEYS.iter().find(|(key, ..)| *key == name);
        found.map(|(_, action, _)| *action)
    }
}

/// The keys and the mouse in words, a line each.
pub(super) fn help() -> String {
    let mouse = [
        ("drag a particle", "pull it"),
        ("drag elsewhere", "turn"),
        ("right drag", "move"),
        ("wheel", "zoom"),
    ];
    let keys = KEYS.iter().map(|(key, _, about)| (*key, *about));
    let lines = keys
        .chain(mouse)
        .map(|(what, does)| format!("{what:<16}{does}"));
    lines.collect::<Vec<_>>().join("\n")
}
