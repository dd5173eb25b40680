//! Who touches whom, in the report of a run (`docs/scene-format.md`, `--json`).

use crate::simulation::Simulation;
use crate::state::{BodyContact, ContactEvent, ContactSide};

/// A body or a collider, by its place in the scene.
#[derive(Clone, Copy, Debug, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    Body(u32),
    Collider(u32),
}

/// Two that touch.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct TouchingPair {
    pub sides: [Side; 2],
    /// What the second does to the first, on average over a frame (N).
    pub force: [f64; 3],
}

/// A contact that began or ended.
#[derive(Clone, Copy, Debug, serde::Serialize)]
pub struct TouchingEvent {
    /// The frame, counted from one.
    pub frame: u64,
    /// Its end (s).
    pub time: f64,
    /// "begin" or "end".
    pub event: &'static str,
    #[serde(flatten)]
    pub pair: TouchingPair,
}

impl From<BodyContact> for TouchingPair {
    fn from(BodyContact { sides, force }: BodyContact) -> Self {
        let side = |side| match side {
            ContactSide::Body(i) => Side::Body(i),
            ContactSide::Collider(i) => Side::Collider(i),
        };
        Self { sides: sides.map(side), force }
    }
}

/// What touches now; nothing where the scene does not ask.
pub fn touching_pairs(simulation: &Simulation) -> Option<Vec<TouchingPair>> {
    let asks = simulation.model().contacts().is_some_and(|contacts| contacts.events);
    asks.then(|| simulation.contacts().into_iter().map(TouchingPair::from).collect())
}

/// What began and ended in the last frame.
pub fn touching_events(simulation: &Simulation) -> impl Iterator<Item = TouchingEvent> {
    let (frame, time) = (simulation.frame(), simulation.time());
    simulation.contact_events().into_iter().map(move |event| {
        let (event, contact) = match event {
            ContactEvent::Begin(contact) => ("begin", contact),
            ContactEvent::End(contact) => ("end", contact),
        };
        TouchingEvent { frame, time, event, pair: contact.into() }
    })
}
