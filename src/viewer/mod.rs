//! Watching a simulation: joins a [`Simulation`](crate::Simulation) to a picture, for files and for windows.
//!
//! [`Stage`] knows what of a model is drawn and how it is painted ([`Overlay`]); `Film` writes a run as PNG or GIF without a
//! display (S0-11, S2-03); `Viewer` is everything about the interactive viewer but its window (S0-12, S1-02).
//! The rasteriser knows nothing of all this, and no clock is read here: pictures of a run are the same bytes every time.

mod body_mesh;
mod bounds;
mod collider_mesh;
mod drawing;
mod film;
mod grip;
mod hand;
mod hud;
mod interactive;
mod joint_lines;
mod keys;
mod menu;
mod outline;
mod overlay;
mod paints;
mod setup;
mod sheet;
mod shot;
mod stage;
mod switch;
mod torn;
mod walls;

#[cfg(test)]
mod tests;

pub use film::{Film, FilmError, Size};
pub use hand::Pointer;
pub use hud::Cost;
pub use interactive::Viewer;
pub use overlay::Overlay;
pub use sheet::Sheet;
pub use stage::Stage;
