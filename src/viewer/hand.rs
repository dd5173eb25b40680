//! The mouse in the viewer: it pulls particles and bodies, turns, moves and zooms (S1-02).

use super::grip::Grip;
use crate::render::{Bounds, Camera};
use crate::simulation::Simulation;

/// The mouse at one moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pointer {
    /// Column and row (pixels).
    pub at: [f32; 2],
    /// Whether the left button is down: it pulls a particle or a body, or turns.
    pub left: bool,
    /// Whether the right button is down: it moves the camera.
    pub right: bool,
    /// How far the wheel was turned; forward zooms in.
    pub wheel: f32,
}

/// The mouse's grasp: it moves a particle, a body, or the camera.
#[derive(Default)]
pub(super) struct Hand {
    pub camera: Camera,
    /// Whether somebody has moved the camera: it does not follow the scene and the window's shape any more.
    moved: bool,
    size: [usize; 2],
    /// The part of the window that no panel hides: its first and last column and row.
    free: [[i32; 2]; 2],
    pointer: Pointer,
    /// The particle being pulled, and its distance along the view.
    pub held: Option<(u32, f32)>,
    /// The body being pulled, and the distance of where it is held along the view.
    pub grip: Option<(Grip, f32)>,
    /// The camera's eye stays above this (m).
    pub ground: f32,
}

/// A particle nearer to the pointer than this is taken in the hand (pixels).
const REACH: f32 = 14.0;
/// Turn for a pixel of mouse (rad).
const TURN: f32 = 0.008;
/// The share of the way to where all is seen that the camera takes for a picture.
const FOLLOW: f32 = 0.08;

impl Hand {
    /// A hand whose camera stays above a floor at `ground` (m).
    pub fn above(ground: f32) -> Self {
        Self { ground, ..Self::default() }
    }

    /// Puts the camera where all of `bounds` is seen beside the panels.
    pub fn frame(&mut self, bounds: Bounds) {
        self.camera = self.framing(Camera::facing(bounds), bounds);
        self.moved = false;
    }

    fn framing(&self, camera: Camera, bounds: Bounds) -> Camera {
        camera.frame_within(&bounds.corners(), self.size, self.free).above(self.ground)
    }

    /// Takes the size of the window and what of it is free, and lets the camera follow the scene.
    pub fn follow(&mut self, size: [usize; 2], free: [[i32; 2]; 2], bounds: Bounds) {
        self.free = free;
        if self.size != size {
            self.size = size;
            if !self.moved {
                self.frame(bounds);
            }
        } else if !self.moved {
            let goal = self.framing(self.camera, bounds);
            // Standing still it sees the ground as the last picture did, which is kept (`render`).
            if !self.camera.is_beside(&goal) {
                self.camera = self.camera.toward(goal, FOLLOW);
            }
        }
    }

    /// The same window and mouse, over another scene.
    pub fn over(&self, bounds: Bounds, ground: f32) -> Self {
        let mut hand = Self {
            size: self.size,
            free: self.free,
            pointer: self.pointer,
            ground,
            ..Self::default()
        };
        hand.frame(bounds);
        hand
    }

    /// Where the mouse is.
    pub fn pointer(&self) -> Pointer {
        self.pointer
    }

    /// Takes the mouse's next moment: moves the particle, the body or the camera.
    pub fn point(&mut self, pointer: Pointer, simulation: &mut Simulation) {
        let before = std::mem::replace(&mut self.pointer, pointer);
        let moved = [0, 1].map(|k| pointer.at[k] - before.at[k]);
        match (before.left, pointer.left) {
            (false, true) => self.take(simulation),
            (true, false) => self.let_go(simulation),
            _ => {}
        }
        let camera = self.camera;
        if let Some((particle, distance)) = self.held {
            simulation.drag(particle, self.under(distance));
        } else if before.left && pointer.left && self.grip.is_none() {
            self.camera = self.camera.orbit(-TURN * moved[0], TURN * moved[1]);
        }
        if before.right && pointer.right {
            self.camera = self.camera.pan(moved, self.size[1]);
        }
        if pointer.wheel != 0.0 {
            let factor = if pointer.wheel > 0.0 { 0.9 } else { 1.0 / 0.9 };
            self.camera = self.camera.zoom(factor);
        }
        if camera != self.camera {
            self.camera = self.camera.above(self.ground);
            self.moved = true;
        }
    }

    /// The point under the pointer, so far along the view (m).
    fn under(&self, distance: f32) -> [f32; 3] {
        let [x, y] = self.pointer.at;
        self.camera.view(self.size[0], self.size[1]).unproject([x, y, distance])
    }

    /// Pulls the body in the hand, for the next step.
    pub fn pull(&self, simulation: &mut Simulation) {
        if let Some((grip, distance)) = &self.grip {
            grip.pull(simulation, self.under(*distance));
        }
    }

    /// Takes what lies in front under the pointer in the hand: the nearest particle, or a body.
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
        let [from, through] = [self.camera.eye(), self.under(1.0)];
        self.grip = Grip::take(simulation, from, through);
        match (self.held, &self.grip) {
            (Some((_, particle)), Some((_, body))) if *body < particle => self.held = None,
            (Some(_), _) => self.grip = None,
            (None, _) => {}
        }
        if let Some((particle, _)) = self.held {
            simulation.grab(particle);
        }
    }

    /// Lets go of what is in the hand.
    pub fn let_go(&mut self, simulation: &mut Simulation) {
        if let Some((particle, _)) = self.held.take() {
            simulation.release(particle);
        }
        if let Some((grip, _)) = self.grip.take() {
            grip.let_go(simulation);
        }
    }
}
