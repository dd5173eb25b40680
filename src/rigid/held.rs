//! What rigid joints hold of velocities: their own rows, not those of motors and limits.

use super::end::End;
use super::formula::{ForFormula, Formula, JointBlock};
use super::joint::Element;
use super::link::{Link, Params, Pose};
use crate::state::{HeldVelocities, VelocityRow};
use std::marker::PhantomData;
use std::sync::Arc;

/// A joint of formula F.
struct Held<F> {
    bodies: [Option<u32>; 2],
    breakable: Option<usize>,
    params: Params<f64>,
    formula: PhantomData<F>,
}

impl<F: Formula<K>, const K: usize> HeldVelocities for Of<Held<F>, K> {
    fn bodies(&self) -> [Option<u32>; 2] {
        self.0.bodies
    }

    fn breakable(&self) -> Option<usize> {
        self.0.breakable
    }

    fn add_rows(&self, poses: [Pose<f64>; 2], to: &mut Vec<VelocityRow>) {
        let Self(Held { params, .. }) = self;
        let rows = F::rows(&Link::new(poses, params), params);
        to.extend(rows.map(|row| VelocityRow { linear: row.linear, turns: row.turn }));
    }
}

/// With K rows.
struct Of<T, const K: usize>(T);

impl ForFormula for Held<()> {
    type Made = Arc<dyn HeldVelocities>;

    fn make<F: Formula<K>, const K: usize>(self) -> Self::Made {
        let Self { bodies, breakable, params, .. } = self;
        Arc::new(Of::<_, K>(Held::<F> { bodies, breakable, params, formula: PhantomData }))
    }
}

/// What an element holds: nothing where it drives, limits or yields, or holds a particle.
pub(super) fn held(element: &Element, may_break: bool) -> Option<Arc<dyn HeldVelocities>> {
    use JointBlock::{Angle, AngleAt, Length, Swing, SwingAt, Turn, Way};
    let Element { joint, block, ends, params, .. } = *element;
    let drives = matches!(block, Angle | AngleAt | Length | Swing | SwingAt | Turn | Way);
    let body = |end| match end {
        End::Body(body) => Some(Some(body)),
        End::World => Some(None),
        End::Particle(_) => None,
    };
    let bodies = [body(ends[0])?, body(ends[1])?];
    let breakable = may_break.then_some(joint);
    let held = Held { bodies, breakable, params, formula: PhantomData };
    (!drives && params.alpha == 0.0).then(|| block.make(held))
}
