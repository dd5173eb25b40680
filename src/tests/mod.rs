//! The tests of the whole: what crosses rooms, and what holds of every kind by its registration alone.

mod attachments;
pub(crate) mod bits;
mod bodies;
mod closed_forms;
mod coloring;
mod contacts;
mod coupled;
#[cfg(feature = "files")]
mod differential;
mod dual;
mod edges;
mod emitters;
mod every_method;
mod far;
mod forces;
mod foreign_parts;
mod geometry;
mod gradients;
mod grid;
mod hierarchy;
mod hulls;
mod hybrid;
mod impulse;
mod internal_torque;
mod jacobi;
mod joints;
mod limits;
mod linkages;
mod machines;
mod measures;
pub(crate) mod models;
mod nonfinite;
mod numbers;
#[cfg(feature = "files")]
mod oracle;
mod order;
mod packets;
mod penetration;
mod physics;
mod plans;
mod precision;
mod refusals;
mod responses;
mod rigid_damping;
pub(crate) mod sample;
mod scenes;
mod sheets;
mod silent;
mod solids;
mod spin;
mod stacking;
mod stiffness;
mod still;
mod tearing;
mod tolerance;
mod whole_state;
mod widths;
mod wind;

/// Calls a function generic over a kind, `fn f<C, N, P, K>()`, for every registered kind.
macro_rules! every_kind {
    ($check:ident) => {{
        struct All;
        impl crate::constraints::Visitor for All {
            fn visit<
                C: crate::constraints::Constraint<N, P, K>,
                const N: usize,
                const P: usize,
                const K: usize,
            >(
                &mut self,
            ) {
                $check::<C, N, P, K>();
            }
        }
        crate::constraints::visit_kinds(&mut All);
    }};
}
pub(crate) use every_kind;
