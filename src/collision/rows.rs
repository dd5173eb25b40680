//! Contact rows of one kind: made anew, colored, packed eight side by side, projected, and turned about in the velocity pass.

#![allow(clippy::needless_range_loop)] // slots, shares and points run side by side

use crate::coloring::DynamicColoring;
use crate::constraints::{Contact, Particle, Rebound, Touch, direction, project_contact};
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, pack};
use crate::rows::{Places, Store};
use crate::subsystem::Stage;
use crate::threads::{Cells, Team, Velocities, Worker};
use std::marker::PhantomData;
use std::ops::Range;

/// One contact, or eight: on which particles, with which parameters, and what it has done in this substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactRow<I, R, const N: usize, const P: usize> {
    pub(crate) slots: [I; N],
    pub(crate) params: [R; P],
    /// Σ b start of the points that touch (m).
    pub(crate) start: Vec3<R>,
    /// How fast they came together (m/s).
    pub(crate) approach: R,
    pub(crate) touch: Touch<R>,
}

impl<I: Copy, R: Real, const N: usize, const P: usize> ContactRow<I, R, N, P> {
    pub(crate) fn new(slots: [I; N], params: [R; P]) -> Self {
        Self {
            slots,
            params,
            start: Vec3::zero(),
            approach: R::zero(),
            touch: Touch::none(),
        }
    }

    /// The substep begins: particles were at `previous` and go with `velocities`.
    #[inline(always)]
    pub(crate) fn begin<C: Contact<N, P>>(
        &mut self,
        previous: [Vec3<R>; N],
        velocities: [Particle<R>; N],
    ) {
        let (normal, shares) = direction::<C, R, N, P>(previous, self.params);
        let mut v = Vec3::zero();
        for i in 0..N {
            v += velocities[i].x * shares[i];
        }
        self.start = sum(shares, previous);
        self.approach = normal.dot(v);
        self.touch = Touch::none();
    }

    #[inline(always)]
    pub(crate) fn project<C: Contact<N, P>>(&mut self, store: &impl Store<I, R>, mu: Option<R>) {
        let mut sites = store.load(self.slots);
        let start = |shares| match C::SHARES {
            Some(_) => self.start,
            None => sum(shares, store.previous(self.slots)),
        };
        project_contact::<C, _, R, N, P>(&mut sites, self.params, mu, start, &mut self.touch);
        store.store(self.slots, sites);
    }

    /// Velocities of particles that are now at `x`; `surface` is that of a side that is no particle.
    #[inline(always)]
    pub(crate) fn respond<C: Contact<N, P>>(
        &self,
        x: [Particle<R>; N],
        velocities: &mut [Particle<R>; N],
        surface: Vec3<R>,
        rebound: &Rebound<R>,
    ) {
        let mut points = [Vec3::zero(); N];
        for i in 0..N {
            points[i] = x[i].x;
        }
        let at = direction::<C, R, N, P>(points, self.params);
        rebound.respond(velocities, at, surface, self.approach, &self.touch);
    }
}

#[inline(always)]
fn sum<R: Real, const N: usize>(shares: [R; N], points: [Vec3<R>; N]) -> Vec3<R> {
    let mut sum = Vec3::zero();
    for i in 0..N {
        sum += points[i] * shares[i];
    }
    sum
}

/// A color's packets and single rows.
#[derive(Clone)]
struct Span {
    wide: Range<usize>,
    tail: Range<usize>,
}

/// Fewer packets and rows than this are not worth sharing.
const SHARED: usize = 16;

/// The rows of a kind, for the lanes.
pub(crate) struct LaneRows<C, const N: usize, const P: usize> {
    kind: PhantomData<C>,
    wide: Cells<ContactRow<[u32; WIDTH], F32x8, N, P>>,
    /// Rows that fill no packet, color by color, then the remainder.
    tail: Cells<ContactRow<u32, f32, N, P>>,
    /// Where each packet's and each single row's rows begin in the coloring's order.
    firsts: [Vec<u32>; 2],
    spans: Vec<Span>,
}

impl<C: Contact<N, P>, const N: usize, const P: usize> LaneRows<C, N, P> {
    pub(crate) fn new() -> Self {
        Self {
            kind: PhantomData,
            wide: Cells::new(0, ContactRow::new([[0; WIDTH]; N], [F32x8::zero(); P])),
            tail: Cells::new(0, ContactRow::new([0; N], [0.0; P])),
            firsts: Default::default(),
            spans: Vec::new(),
        }
    }

    /// Packs `rows` as colored; `params` of each.
    pub(crate) fn pack(
        &mut self,
        team: &Team,
        coloring: &DynamicColoring,
        rows: &[[u32; N]],
        params: impl Fn(u32) -> [f32; P] + Sync,
    ) {
        if rows.is_empty() && self.is_empty() {
            return;
        }
        self.spans.clear();
        self.firsts.iter_mut().for_each(Vec::clear);
        let mut first = 0;
        for color in coloring.colors() {
            let end = first + color.len();
            let packed = end - color.len() % WIDTH;
            let before = self.firsts.each_ref().map(Vec::len);
            let [wide, tail] = &mut self.firsts;
            wide.extend((first as u32..packed as u32).step_by(WIDTH));
            tail.extend(packed as u32..end as u32);
            self.spans.push(Span {
                wide: before[0]..wide.len(),
                tail: before[1]..tail.len(),
            });
            first = end;
        }
        self.firsts[1].extend(first as u32..rows.len() as u32);
        let wide = ContactRow::new([[0; WIDTH]; N], [F32x8::zero(); P]);
        self.wide.resize(self.firsts[0].len(), wide);
        let single = ContactRow::new([0; N], [0.0; P]);
        self.tail.resize(self.firsts[1].len(), single);
        let order = coloring.order();
        let this = &*self;
        team.run(|worker| {
            worker.share(this.wide.len(), |part| {
                for k in part {
                    let first = this.firsts[0][k] as usize;
                    let eight = &order[first..first + WIDTH];
                    let mut row = wide;
                    for (slot, slots) in row.slots.iter_mut().enumerate() {
                        *slots = each_lane(|lane| rows[eight[lane] as usize][slot]);
                    }
                    let all = each_lane(|lane| params(eight[lane]));
                    for (p, out) in row.params.iter_mut().enumerate() {
                        *out = pack(each_lane(|lane| all[lane][p]));
                    }
                    this.wide.set(k, row);
                }
            });
            worker.share(this.tail.len(), |part| {
                for k in part {
                    let row = order[this.firsts[1][k] as usize];
                    let single = ContactRow::new(rows[row as usize], params(row));
                    this.tail.set(k, single);
                }
            });
        });
    }

    fn is_empty(&self) -> bool {
        self.tail.len() + self.wide.len() == 0
    }

    /// Every row's substep begins.
    pub(crate) fn begin(&self, team: &Team, stage: &Stage) {
        if self.is_empty() {
            return;
        }
        let velocities = Velocities(stage.particles);
        team.run(|worker| {
            worker.share(self.wide.len(), |part| {
                for k in part {
                    let mut row = self.wide.get(k);
                    let previous = stage.places.previous(row.slots);
                    row.begin::<C>(previous, velocities.load(row.slots));
                    self.wide.set(k, row);
                }
            });
            worker.share(self.tail.len(), |part| {
                for k in part {
                    let mut row = self.tail.get(k);
                    let previous = stage.places.previous(row.slots);
                    row.begin::<C>(previous, velocities.load(row.slots));
                    self.tail.set(k, row);
                }
            });
        });
    }

    /// One iteration: color by color, then the remainder one after another.
    pub(crate) fn project(&self, worker: &Worker, places: &Places, mu: Option<f32>) {
        let wide_mu = mu.map(|mu| F32x8::of(f64::from(mu)));
        let wide = |k: usize| {
            let mut row = self.wide.get(k);
            row.project::<C>(places, wide_mu);
            self.wide.set(k, row);
        };
        let single = |k: usize| {
            let mut row = self.tail.get(k);
            row.project::<C>(places, mu);
            self.tail.set(k, row);
        };
        self.walk(worker, wide, single);
    }

    /// The velocity pass, in the same order; positions are in the columns.
    pub(crate) fn respond(&self, worker: &Worker, stage: &Stage, rebound: [f64; 3]) {
        let velocities = Velocities(stage.particles);
        let (of_eight, of_one) = (rebound_of(rebound), rebound_of(rebound));
        let wide = |k: usize| {
            let row = self.wide.get(k);
            let mut v = velocities.load(row.slots);
            let x = stage.particles.load(row.slots);
            row.respond::<C>(x, &mut v, Vec3::zero(), &of_eight);
            velocities.store(row.slots, v);
        };
        let single = |k: usize| {
            let row = self.tail.get(k);
            let mut v = velocities.load(row.slots);
            let x = stage.particles.load(row.slots);
            row.respond::<C>(x, &mut v, Vec3::zero(), &of_one);
            velocities.store(row.slots, v);
        };
        self.walk(worker, wide, single);
    }

    fn walk(&self, worker: &Worker, wide: impl Fn(usize), single: impl Fn(usize)) {
        for span in &self.spans {
            let packets = span.wide.len();
            let units = packets + span.tail.len();
            let act = |part: Range<usize>| {
                let split = |unit: usize| unit.min(packets);
                for k in split(part.start)..split(part.end) {
                    wide(span.wide.start + k);
                }
                for k in part.start.max(packets)..part.end {
                    single(span.tail.start + k - packets);
                }
            };
            match units < SHARED {
                true => worker.alone(|| act(0..units)),
                false => worker.share(units, act),
            }
        }
        let colored = self.spans.last().map_or(0, |span| span.tail.end);
        if colored < self.tail.len() {
            worker.alone(|| (colored..self.tail.len()).for_each(&single));
        }
    }
}

/// Restitution, friction and the least speed, rounded to `R`.
pub(crate) fn rebound_of<R: Real>([restitution, friction, least]: [f64; 3]) -> Rebound<R> {
    Rebound {
        restitution: R::of(restitution),
        friction: R::of(friction),
        least: R::of(least),
    }
}
