//! Contacts of one kind between particles: found, colored, packed and projected.

use super::Contacts;
use super::cloth::Cloth;
use super::contact_rows::{ContactRows, Packet};
use super::impacts::Impacts;
use super::narrow_phase::{Detector, Search, SubstepMotion};
use super::parting::Parting;
use super::repair::Repairs;
use crate::coloring::DynamicColoring;
use crate::constraints::{Contact, Rebound};
use crate::math::{Real, Scalar};
use crate::state::{PositionView, Width};
use crate::subsystem::{BuildContext, Note, StepContext};
use crate::threads::{Phased, Worker};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};

/// A round of impacts.
pub(super) struct Round<'a, E> {
    pub(super) impacts: &'a Impacts<E>,
    /// Friction and restitution.
    pub(super) material: [f64; 2],
    /// Raised where anything was struck.
    pub(super) struck: &'a AtomicBool,
}

/// A kind of contact with its types taken off. What takes a worker is called by all of them together.
pub(super) trait ContactKind<W: Width>: Send + Sync {
    /// Sorts what may touch.
    fn sort(&self, worker: &Worker, step: &StepContext<W::Element>, motion: SubstepMotion);
    /// Finds what touches.
    fn find(&self, worker: &Worker, motion: SubstepMotion);
    /// Colors what was found, but for what would hold a tangled cloth where it is wrong.
    fn color(&self, worker: &Worker, repairs: &Repairs);
    /// Makes the rows of what was found; their substep begins.
    fn pack(&self, worker: &Worker, step: &StepContext<W::Element>);
    /// A substep begins in which all contacts stay.
    fn begin(&self, worker: &Worker, step: &StepContext<W::Element>);
    /// One iteration, with friction µ if there is any; overlaps part as `parting` says.
    fn project(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        mu: Option<f64>,
        parting: &Parting<f64>,
    );
    /// Tells `note` how far contacts are violated (m).
    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note);
    /// Takes back what all contacts did in this substep of `h` (s).
    fn undo(&self, worker: &Worker, step: &StepContext<W::Element>, h: f64);
    /// One round of impacts; raises the flag where there was any.
    fn strike(&self, worker: &Worker, step: &StepContext<W::Element>, round: &Round<W::Element>);
    /// Impacts are over.
    fn settle(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        impacts: &Impacts<W::Element>,
    );
    /// The velocity pass.
    fn respond(&self, worker: &Worker, step: &StepContext<W::Element>, rebound: &Rebound<f64>);
    /// The kind, and how many contacts, colors and uncolored contacts there are.
    fn count(&self) -> (&'static str, [usize; 3]);
}

/// What was found, colored.
struct Found<const N: usize, const P: usize> {
    rows: Vec<[u32; N]>,
    params: Vec<[f32; P]>,
    coloring: DynamicColoring,
}

/// The contacts that detectors of one kind find.
struct KindContacts<D: Detector<N, P>, W: Width, const N: usize, const P: usize> {
    searches: Vec<Search<D, N, P>>,
    found: Phased<Found<N, P>>,
    rows: Phased<ContactRows<W, N, P>>,
}

/// The contacts that `D` finds, where `contacts` ask for any.
pub(super) fn contact_kind<D: Detector<N, P>, W: Width, const N: usize, const P: usize>(
    contacts: &Contacts,
    cloths: &[Cloth],
    context: &BuildContext,
) -> Box<dyn ContactKind<W>> {
    let searches = D::all(contacts, cloths, context);
    let searches: Vec<_> = searches.into_iter().map(Search::new).collect();
    let slots = match searches.is_empty() {
        true => 0,
        false => context.permutation.slot_count(),
    };
    Box::new(KindContacts::<D, W, N, P> {
        searches,
        found: Phased::new(Found {
            rows: Vec::new(),
            params: Vec::new(),
            coloring: DynamicColoring::new(slots),
        }),
        rows: Phased::new(ContactRows::new()),
    })
}

impl<D: Detector<N, P>, W: Width, const N: usize, const P: usize> ContactKind<W>
    for KindContacts<D, W, N, P>
{
    fn sort(&self, worker: &Worker, step: &StepContext<W::Element>, motion: SubstepMotion) {
        for search in &self.searches {
            let now = |slot: u32| {
                let x = step.positions.read::<W::Element>(slot as usize);
                x.to_array().map(Scalar::to_f32)
            };
            search.detector.sort(worker, now, motion);
        }
    }

    fn find(&self, worker: &Worker, motion: SubstepMotion) {
        for search in &self.searches {
            search.find(worker, motion);
        }
    }

    fn color(&self, worker: &Worker, repairs: &Repairs) {
        worker.single(|| {
            let Found { rows, params, coloring } = &mut *self.found.write();
            rows.clear();
            params.clear();
            for search in &self.searches {
                search.collect(rows, params);
            }
            repairs.keep_right(D::Kind::SIDE, rows, params);
            coloring.color(rows);
            self.rows.write().resize(coloring);
        });
    }

    fn pack(&self, worker: &Worker, step: &StepContext<W::Element>) {
        let Found { rows, params, coloring } = &*self.found.read();
        let order = |place: Range<usize>| &coloring.order()[place];
        self.rows.read().each(
            worker,
            |place, packet| {
                *packet = Packet::new(order(place), rows, params);
                packet.begin::<D::Kind>(step);
            },
            |place, single| {
                *single = Packet::new(order(place), rows, params);
                single.begin::<D::Kind>(step);
            },
        );
    }

    fn begin(&self, worker: &Worker, step: &StepContext<W::Element>) {
        self.rows.read().each(
            worker,
            |_, packet| packet.begin::<D::Kind>(step),
            |_, single| single.begin::<D::Kind>(step),
        );
    }

    fn project(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        mu: Option<f64>,
        parting: &Parting<f64>,
    ) {
        let rows = self.rows.read();
        let single = |single: &mut Packet<W::Element, N, P>| {
            single.project::<D::Kind>(step, mu.map(Real::of), &parting.in_lanes());
        };
        let (mu, parting) = (mu.map(W::of), &parting.in_lanes());
        match &step.positions {
            PositionView::Records(records) => {
                rows.project_records::<D::Kind>(worker, (step, records), mu, parting, single);
            }
            _ => rows.walk(worker, |packet| packet.project::<D::Kind>(step, mu, parting), single),
        }
    }

    fn residual(&self, worker: &Worker, step: &StepContext<W::Element>, note: Note) {
        self.rows.read().each(
            worker,
            |_, packet| note(packet.residual::<D::Kind>(step)),
            |_, single| note(single.residual::<D::Kind>(step)),
        );
    }

    fn undo(&self, worker: &Worker, step: &StepContext<W::Element>, h: f64) {
        self.rows.read().walk(
            worker,
            |packet| packet.undo::<D::Kind>(step, h),
            |single| single.undo::<D::Kind>(step, h),
        );
    }

    fn strike(&self, worker: &Worker, step: &StepContext<W::Element>, round: &Round<W::Element>) {
        let &Round { impacts, material, struck } = round;
        let note = |any: bool| {
            if any {
                struck.store(true, Ordering::Relaxed);
            }
        };
        self.rows.read().walk(
            worker,
            |packet| note(packet.strike::<D::Kind>(step, impacts, material)),
            |single| note(single.strike::<D::Kind>(step, impacts, material)),
        );
    }

    fn settle(
        &self,
        worker: &Worker,
        step: &StepContext<W::Element>,
        impacts: &Impacts<W::Element>,
    ) {
        self.rows.read().walk(
            worker,
            |packet| packet.settle::<D::Kind>(step, impacts),
            |single| single.settle::<D::Kind>(step, impacts),
        );
    }

    fn respond(&self, worker: &Worker, step: &StepContext<W::Element>, rebound: &Rebound<f64>) {
        self.rows.read().walk(
            worker,
            |packet| packet.respond::<D::Kind>(step, rebound),
            |single| single.respond::<D::Kind>(step, rebound),
        );
    }

    fn count(&self) -> (&'static str, [usize; 3]) {
        let Found { rows, coloring, .. } = &*self.found.read();
        let colors = coloring.colors().count();
        (D::NAME, [rows.len(), colors, coloring.remainder().len()])
    }
}
