//! Contacts of bodies: found in one discrete pass, colored on the fly, projected in lanes, for both sides by their generalised
//! inverse masses (Deul et al. 2014, section 6; Müller et al., *Detailed Rigid Body Simulation with Extended Position Based
//! Dynamics*, 2020; S4-02, S4-03, S4-21).
//!
//! ```text
//! begin      which boxes meet, where shapes touch, colors, rows; what the last substep did is done again
//! project    normal and friction of every point, four of a pair as one element                    `touch`
//! respond    restitution
//! ```

mod boxes;
mod broad;
#[cfg(any())] // being rewritten over the width
mod classes;
mod colors;
#[cfg(any())] // being rewritten over the width
mod common;
mod cores;
mod find;
#[cfg(any())] // being rewritten over the width
mod frame;
mod geometry;
#[cfg(any())] // being rewritten over the width
mod grain;
#[cfg(any())] // being rewritten over the width
mod grains;
mod hull;
mod hulls;
mod manifold;
#[cfg(any())] // being rewritten over the width
mod memory;
mod net;
mod nets;
#[cfg(any())] // being rewritten over the width
mod packets;
mod part;
mod quickhull;
mod round;
#[cfg(any())] // being rewritten over the width
mod rows;
#[cfg(any())] // being rewritten over the width
mod sleep;
mod thing;
mod touch;
mod watch;

pub(crate) use hull::untouchable;
pub use part::BodyContacts;
