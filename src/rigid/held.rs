//! What rigid joints hold of velocities: their own rows, not those of motors and limits.

use super::end::End;
use super::joint::Element;
use super::link::{Link, Pose};
use crate::state::{HeldVelocities, VelocityRow};
use std::sync::Arc;

/// What an element holds: nothing where it drives, limits or yields, or holds a particle.
pub(super) fn held(element: &Element, may_break: bool) -> Option<Arc<HeldVelocities>> {
    let Element { joint, block, ends, params, .. } = *element;
    let body = |end| match end {
        End::Body(body) => Some(Some(body)),
        End::World => Some(None),
        End::Particle(_) => None,
    };
    let bodies = [body(ends[0])?, body(ends[1])?];
    let each_row = move |poses: [Pose<f64>; 2], act: &mut dyn FnMut(VelocityRow, f64)| {
        block.each_row(&Link::new(poses, &params), &params, |row| {
            let velocities = VelocityRow { linear: row.linear, turns: row.turn };
            act(velocities, row.c * row.share);
        });
    };
    let breakable = may_break.then_some(joint);
    let held = || Arc::new(HeldVelocities { bodies, breakable, each_row: Box::new(each_row) });
    (block.always_holds() && params.alpha == 0.0).then(held)
}
