//! The catalogue: scenes by name, each built to any size and checked against physics. No scene names a method.
//!
//! **Adding a scene is one file and one line** (in `catalogue!` below): `taut list`, the tests of all scenes and the viewer
//! then know it. A file has a table `SCENES`; its names are those of `prelude`.

mod bodies;
mod checks;
pub(crate) mod grid;
mod paint;
mod prelude;
mod random;
mod scene;

#[cfg_attr(not(feature = "cli"), allow(unused_imports))]
pub(crate) use checks::mean_height;
#[cfg(test)]
#[allow(unused_imports)]
pub(crate) use coupling::car_of;
#[cfg_attr(any(test, not(feature = "render")), allow(unused_imports))]
pub(crate) use paint::{CLOTH, WATER};
pub use scene::{Role, Scene};
#[cfg(test)]
#[allow(unused_imports)]
pub(crate) use world::unified;

use crate::error::ModelError;

macro_rules! catalogue {
    ($($file:ident,)*) => {
        $(mod $file;)*
        const FILES: &[&[Scene]] = &[$($file::SCENES,)*];
    };
}

catalogue! {
    cloth,
    rope,
    sphere,
    limits,
    inflated,
    solids,
    bunny,
    cloth_contact,
    tear,
    balls,
    hourglass,
    fluid,
    world,
    rigid,
    stacking,
    stones,
    wrecking,
    coupling,
    flagships,
    city,
    kind_surface,
    kind_solid,
    kind_contact,
    kind_group,
}

/// All scenes, in the order of `taut list`.
pub fn all() -> impl Iterator<Item = &'static Scene> + Clone {
    FILES.iter().copied().flatten()
}

impl Scene {
    /// The scene of that name.
    ///
    /// # Errors
    /// An unknown name, listing the known ones.
    pub fn find(name: &str) -> Result<&'static Scene, ModelError> {
        let found = all().find(|scene| scene.name == name);
        found.ok_or_else(|| ModelError::unknown("scene", name, all().map(|s| s.name)))
    }
}
