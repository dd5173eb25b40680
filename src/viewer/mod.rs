//! Watching a simulation: joins a [`Simulation`](crate::Simulation) to a picture, for files and for windows.
//!
//! [`Stage`] knows what of a model is drawn and how it is painted ([`Overlay`]); `Film` writes a run as PNG or GIF without a
//! display (S0-11, S2-03); `Viewer` is everything about the interactive viewer but its window (S0-12, S1-02).
//! The rasteriser knows nothing of all this, and no clock is read here: pictures of a run are the same bytes every time.

mod body_meshes;
mod collider_mesh;
#[cfg(feature = "files")]
mod film;
#[cfg(feature = "files")]
mod hand;
#[cfg(feature = "files")]
mod hud;
mod joint_lines;
#[cfg(feature = "files")]
mod keys;
mod overlay;
mod stage;
#[cfg(feature = "files")]
#[allow(clippy::module_inception)]
mod viewer;

#[cfg(all(test, feature = "files"))]
mod tests;

#[cfg(feature = "files")]
pub use film::{Film, FilmError, Size};
#[cfg(feature = "files")]
pub use hand::Pointer;
#[cfg(feature = "files")]
pub use hud::Cost;
pub use overlay::Overlay;
pub use stage::Stage;
#[cfg(feature = "files")]
pub use viewer::Viewer;
