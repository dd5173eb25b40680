//! The catalogue: scenes by name, each built to any size and checked against physics. No scene names a method.

mod grid;

#[cfg(test)]
pub(crate) use coupling::car_of;
pub use grains::mean_height;

use crate::error::ModelError;
use crate::model::Model;
use crate::state::Snapshot;

/// A scene of the catalogue.
#[derive(Clone, Copy)]
pub struct Scene {
    /// The word on the command line.
    pub name: &'static str,
    /// One line for `taut list`.
    pub about: &'static str,
    /// The size where none is given.
    pub size: usize,
    /// The least and the largest size.
    pub sizes: (usize, usize),
    /// Builds the model.
    pub build: fn(size: usize) -> Result<Model, ModelError>,
    /// Says what is wrong with a state of the model, if anything.
    pub check: fn(&Model, &Snapshot) -> Result<(), String>,
}

macro_rules! scenes {
    ($($file:ident: $($scene:ident),*;)*) => {
        $(pub(crate) mod $file;)*

        /// All scenes, in the order of `taut list`.
        pub const SCENES: &[Scene] = &[$($($file::$scene,)*)*];
    };
}

// A new scene is one file and one line.
scenes! {
    cloth: CLOTH;
    rope: ROPE;
    sheet: SHEET;
    sphere: SPHERE, SPHERE_BENDING;
    limits: ITERATIONS, AVERAGING;
    sheets: FLAG, STIFF_CLOTH;
    inflated: BALLOON, PRESSURE;
    solids: BAR, JELLY, BENT_METAL, BUNNY, SHAPE;
    touching: DRAPE, FOLD, TWIST, CURTAIN;
    grains: PILE, LIMITS_DELAY, LIMITS_FLOW;
    fluid: DAM, FOUNTAIN;
    world: UNIFIED, MELT;
    rigid: MOBILE, CHAIN, NET, JOINTS, PENDULUM, TUMBLE;
    stacking: STACK, PYRAMID, HEAP, DOMINOES, CRADLE;
    stones: STONES, SHROUD;
    coupling: COUPLING, CAR;
    kind_surface: DISTANCE, TETHER, BENDING, ISOMETRIC_BENDING, STRAIN_TRIANGLE;
    kind_solid: VOLUME, STRAIN_TETRAHEDRON, NEO_HOOKEAN;
    kind_contact: PLANE, PAIR, TRIANGLE, EDGE_EDGE;
}

impl Scene {
    /// The scene of that name.
    ///
    /// # Errors
    /// An unknown name, listing the known ones.
    pub fn find(name: &str) -> Result<&'static Scene, ModelError> {
        let found = SCENES.iter().find(|scene| scene.name == name);
        found.ok_or_else(|| ModelError::unknown("scene", name, SCENES.iter().map(|s| s.name)))
    }

    /// Builds the scene at a size, or at its own.
    ///
    /// # Errors
    /// A size out of range.
    pub fn model(&self, size: Option<usize>) -> Result<Model, ModelError> {
        let size = size.unwrap_or(self.size);
        if size < self.sizes.0 || size > self.sizes.1 {
            return Err(ModelError::Value {
                place: format!(
                    "{}: size (from {} to {})",
                    self.name, self.sizes.0, self.sizes.1
                ),
                value: size as f64,
                rule: "out of range",
            });
        }
        (self.build)(size)
    }
}

/// The state is finite.
fn finite(state: &Snapshot) -> Result<(), String> {
    match state.finite() {
        true => Ok(()),
        false => Err("the state is not finite".into()),
    }
}

/// What holds of everything: the state is finite, and pins are where they were.
fn keeps_its_pins(model: &Model, state: &Snapshot) -> Result<(), String> {
    finite(state)?;
    for (i, (x, start)) in state.positions.iter().zip(model.positions()).enumerate() {
        let pinned = model.inverse_masses()[i] == 0.0 && model.velocities()[i] == [0.0; 3];
        if pinned && x != start {
            return Err(format!("pinned particle {i} moved to {x:?}"));
        }
    }
    Ok(())
}

/// What holds of everything that hangs: it keeps its pins, and nothing has fallen faster than gravity takes it.
fn hangs(model: &Model, state: &Snapshot) -> Result<(), String> {
    keeps_its_pins(model, state)?;
    let [_, g, _] = model.settings.gravity;
    // The scheme's own fall: h² g n (n + 1) / 2 (S0-02). Gravity that does not point down promises nothing.
    let fall = match g < 0.0 {
        true => 0.5 * g * state.time * (state.time + model.settings.h()) * 1.001 - 0.01,
        false => f64::NEG_INFINITY,
    };
    for (i, (x, start)) in state.positions.iter().zip(model.positions()).enumerate() {
        if f64::from(x[1]) < f64::from(start[1]) + fall {
            return Err(format!("particle {i} fell faster than gravity, to {x:?}"));
        }
    }
    Ok(())
}

/// What holds of what bends or presses, where a lever may outrun gravity: it keeps its pins, and nothing has gone further
/// than `most` metres.
fn stays_within(most: f32, model: &Model, state: &Snapshot) -> Result<(), String> {
    keeps_its_pins(model, state)?;
    for (i, (x, start)) in state.positions.iter().zip(model.positions()).enumerate() {
        let moved = glam::Vec3::from(*x).distance((*start).into());
        if moved > most {
            return Err(format!("particle {i} is {moved} m from its start"));
        }
    }
    Ok(())
}

/// For rows that alone hold nothing up: no gravity, damping, and the velocities that the points were given.
fn tremble(mut model: Model) -> Model {
    model.settings.gravity = [0.0; 3];
    model.settings.damping = 5.0;
    model
}

/// [`stays_within`] half a metre.
fn near_its_start(model: &Model, state: &Snapshot) -> Result<(), String> {
    stays_within(0.5, model, state)
}
