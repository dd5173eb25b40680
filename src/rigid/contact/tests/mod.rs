//! What only this room sees.

mod bits;
mod capsule;
mod collide;
mod coloring;
mod constraint;
mod distance;
mod frustum;
mod hull;
mod hull_hull;
mod inherit;
mod kinematic;
mod manifold;
mod mesh;
mod pairs;
mod particle;
mod pivoting;
mod polygon;
mod reduction;
mod residual;
mod rolling;
mod segment;
mod sleep;
mod solids;
mod sweep;
mod wholes;
mod width;

use super::pass::PassParameters;

/// A pass over positions by substeps of `h`, in which nothing is soft, creeps or parts.
fn hard_pass(h: f64) -> PassParameters<f64> {
    PassParameters {
        h,
        parts: true,
        rate: 0.0,
        max_speed: 1.0,
        parting: [0.0, 1e9],
        deep: -1.0,
        fast: f64::INFINITY,
        softness: 0.0,
        creep_rate: 0.0,
        creep: 0.0,
        ways: 1,
        reversed: false,
    }
}
