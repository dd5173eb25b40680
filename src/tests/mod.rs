//! Tests across rooms. Those of the kinds cover every registered kind, by its registration alone.

mod closed_forms;
mod dual;
mod geometry;
mod gradients;
mod numbers;
mod oracle;
mod refusals;
mod responses;
mod sample;
mod still;
mod widths;

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
