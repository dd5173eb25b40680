//! The mouse in the viewer: it pulls particles, turns, moves and zooms (S1-02).

use super::viewer::Viewer;

/// The mouse at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// Column and row (pixels).
    pub at: [f32; 2],
    /// Whether the left button is down: it pulls a particle, or turns.
    pub left: bool,
    /// Whether the right button is down: it moves the camera.
    pub right: bool,
    /// How far the wheel was turned; forward zooms in.
    pub wheel: f32,
}

/// A particle in the hand, at this distance along the view.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hand {
    pub particle: u32,
    distance: f32,
}

/// A particle nearer to the pointer than this is taken in the hand (pixels).
const REACH: f32 = 14.0;
/// Turn for a pixel of mouse (rad).
const TURN: f32 = 0.008;
impl Viewer {
    /// Moves what the mouse moves: a particle, or the camera.
    pub fn point(&mut self, pointer: Pointer) {
        let before = std::mem::replace(&mut self.pointer, pointer);
        let moved = [0, 1].map(|k| pointer.at[k] - before.at[k]);
        match (before.left, pointer.left) {
            (false, true) => self.take(),
            (true, false) => self.let_go(),
            _ => {}
        }
        let [x, y] = pointer.at;
        let view = self.camera.view(self.size[0], self.size[1]);
        let camera = self.camera;
        if let Some(Hand { particle, distance }) = self.hand {
            let to = view.unproject([x, y, distance]);
            self.opened.simulation.drag(particle, to);
        } else if before.left && pointer.left {
            self.camera = self.camera.orbit(-TURN * moved[0], TURN * moved[1]);
        }
        if before.right && pointer.right {
            self.camera = self.camera.pan(moved, self.size[1]);
        }
        if pointer.wheel != 0.0 {
            self.camera = self
                .camera
                .zoom(if pointer.wheel > 0.0 { 0.9 } else { 1.0 / 0.9 });
        }
        self.framed &= camera == self.camera;
    }

    /// Takes the nearest particle under the pointer in the hand.
    fn take(&mut self) {
        let view = self.camera.view(self.size[0], self.size[1]);
        let [x, y] = self.pointer.at;
        let near = |(i, p): (usize, [f32; 3])| {
            let [px, py, distance] = view.project(p)?;
            let off = (px - x) * (px - x) + (py - y) * (py - y);
            (off < REACH * REACH).then_some((i as u32, distance))
        };
        let positions = self.opened.simulation.positions();
        let under = positions.into_iter().enumerate().filter_map(near);
        // The one in front, of all that are under the pointer.
        if let Some((particle, distance)) = under.min_by(|a, b| a.1.total_cmp(&b.1)) {
            self.opened.simulation.grab(particle);
            self.hand = Some(Hand { particle, distance });
        }
    }

    pub(super) fn let_go(&mut self) {
        if let Some(hand) = self.hand.take() {
            self.opened.simulation.release(hand.particle);
        }
    }
}
