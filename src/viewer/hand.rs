//! The mouse in the viewer: it pulls particles, turns, moves and zooms (S1-02).

use crate::render::{Bounds, Camera};
use crate::simulation::Simulation;

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

/// The mouse's grasp: it moves a particle, or the camera.
#[derive(Default)]
pub(super) struct Hand {
    pub camera: Camera,
    /// Whether somebody has moved the camera: it does not follow the window's shape any more.
    moved: bool,
    size: [usize; 2],
    pointer: Pointer,
    /// The particle being pulled, and its distance along the view.
    pub held: Option<(u32, f32)>,
}

/// A particle nearer to the pointer than this is taken in the hand (pixels).
const REACH: f32 = 14.0;
/// Turn for a pixel of mouse (rad).
const TURN: f32 = 0.008;

impl Hand {
    /// Puts the camera where all of `bounds` is seen.
    pub fn frame(&mut self, bounds: Bounds) {
        let [width, height] = self.size;
        self.camera = Camera::facing(bounds).frame(bounds, width, height);
        self.moved = false;
    }

    /// Takes the size of the window.
    pub fn resize(&mut self, size: [usize; 2], bounds: Bounds) {
        if self.size != size {
            self.size = size;
            if !self.moved {
                self.frame(bounds);
            }
        }
    }

    /// The same window and mouse, over another scene.
    pub fn over(&self, bounds: Bounds) -> Self {
        let mut hand = Self { size: self.size, pointer: self.pointer, ..Self::default() };
        hand.frame(bounds);
        hand
    }

    /// Takes the mouse's next moment: moves the particle or the camera.
    pub fn point(&mut self, pointer: Pointer, simulation: &mut Simulation) {
        let before = std::mem::replace(&mut self.pointer, pointer);
        let moved = [0, 1].map(|k| pointer.at[k] - before.at[k]);
        match (before.left, pointer.left) {
            (false, true) => self.take(simulation),
            (true, false) => self.let_go(simulation),
            _ => {}
        }
        let [x, y] = pointer.at;
        let camera = self.camera;
        if let Some((particle, distance)) = self.held {
            let view = camera.view(self.size[0], self.size[1]);
            simulation.drag(particle, view.unproject([x, y, distance]));
        } else if before.left && pointer.left {
            self.camera = self.camera.orbit(-TURN * moved[0], TURN * moved[1]);
        }
        if before.right && pointer.right {
            self.camera = self.camera.pan(moved, self.size[1]);
        }
        if pointer.wheel != 0.0 {
            let factor = if pointer.wheel > 0.0 { 0.9 } else { 1.0 / 0.9 };
            self.camera = self.camera.zoom(factor);
        }
        self.moved |= camera != self.camera;
    }

    /// Takes the nearest particle under the pointer in the hand.
    fn take(&mut self, simulation: &mut Simulation) {
        let view = self.camera.view(self.size[0], self.size[1]);
        let [x, y] = self.pointer.at;
        let near = |(i, p): (usize, [f32; 3])| {
            let [px, py, distance] = view.project(p)?;
            let off = (px - x) * (px - x) + (py - y) * (py - y);
            (off < REACH * REACH).then_some((i as u32, distance))
        };
        let positions = simulation.positions().into_iter().enumerate();
        // The one in front, of all that are under the pointer.
        self.held = positions.filter_map(near).min_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((particle, _)) = self.held {
            simulation.grab(particle);
        }
    }

    /// Lets go of the particle in the hand.
    pub fn let_go(&mut self, simulation: &mut Simulation) {
        if let Some((particle, _)) = self.held.take() {
            simulation.release(particle);
        }
    }
}
