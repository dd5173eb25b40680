//! Fluid: particles kept from being denser than they are at rest.
//!
//! ```text
//! ρ_i/ρ0 = Σ_j V W(x_i - x_j) + walls,   V = (2r)³        C_i = ρ_i/ρ0 - 1 <= 0
//! λ_i <- min(0, λ_i - ω C_i / (Σ_k w_k |∇_k C_i|² + ε))          from where all particles are
//! Δx_i = w_i Σ_j (Δλ_i + Δλ_j) (1 + s_corr) V ∇W(x_i - x_j)      all at once
//! ```
//!
//! (Macklin and Müller, *Position Based Fluids*, 2013, eq. 1-14; S1-11, S1-19, S1-40; W scaled so that a lattice two radii apart
//! is at rest.) ω keeps the iterations
//! from overshooting; λ begins a substep with the part that lasts (`lasting`). Particles of mass ρ0 (2r)³ give the
//! paper's ρ_i = Σ m_j W; others of the same radius displace as much and press as hard, so that fluids of different density
//! mix and part. The corrections of a pair are opposite but for their inverse masses: the momentum stays.
//!
//! Density is an inequality: what is packed too tightly is parted, and what is thin is not pulled together (Macklin et al.,
//! *Unified Particle Physics*, 2014, section 7.1), so that a surface does not clump; s_corr = k (W(r)/W(0.2 h))⁴ parts
//! close pairs where there is pressure, and adds nothing to water at rest. In walls, the plane colliders that do not move, the fluid sees its
//! own image, so that no particles lie behind them (`mirrors`); rigid bodies and other colliders hold fluid at rest (`solids`).
//!
//! Particles at one position have no direction to part in. So each is taken to lie a little (r/5000, another direction for each) off
//! where it is: no two are at one position, what a pair does is still opposite, and the order decides nothing.
//!
//! Velocities are then smoothed by XSPH and given their eddies back by vorticity confinement (eq. 15-17). Neighbors are
//! found once a substep, after prediction. Units: metres, kilograms, seconds.

mod authored;
mod block;
mod columns;
mod crowded;
mod depth;
mod excess;
mod flow;
mod kernel;
mod lasting;
mod mirrors;
mod neighbor_search;
mod packets;
mod passing;
mod pressure;
mod records;
mod runtime;
mod shape;
mod solids;
mod subsystem;
mod sums;
mod surfaces;
mod survey;
#[cfg(test)]
mod tests;
mod walls;

pub use authored::{Fluid, FluidNumbers};
