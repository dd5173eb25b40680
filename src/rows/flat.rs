//! Flat rows: the scalar loops' form, one record a row, particles as packed `x y z w` records.
//!
//! Packed records are the best layout for a scalar loop (one cache line a particle): 186 M rows/s against 163 for SoA
//! gathers in the colored order; in authored order the dependency chain hides the layout (`MEASURED.md`).

use super::{Motions, Packet, Sharing, Store};
use crate::coloring::Numbering;
use crate::constraints::{Aim, Class, Constraint, Particle, Response};
use crate::math::{Scalar, Vec3};
use crate::rigid::Records;
use crate::rows::RowSet;
use crate::settings::Settings;
use crate::state::Particles;
use crate::state::Substep;
use std::cell::Cell;
use std::ops::Range;

/// All particles as records `[x, y, z, w]`, for one thread.
pub struct Points<'a, R> {
    records: &'a [Cell<[R; 4]>],
    /// Corrections gathered, and what they are averaged over; empty where there are none.
    sums: &'a [Cell<[R; 4]>],
    sharing: Option<Sharing>,
    previous: [&'a [R]; 3],
    bodies: Records<'a, R>,
}

impl<'a, R: Scalar> Points<'a, R> {
    /// A view of `records` beside the particles' previous positions, and of the bodies' records.
    pub fn new(
        records: &'a mut [[R; 4]],
        particles: &'a Particles<R>,
        bodies: Records<'a, R>,
    ) -> Self {
        Self {
            records: Cell::from_mut(records).as_slice_of_cells(),
            sums: &[],
            sharing: None,
            previous: particles.previous.as_slices(),
            bodies,
        }
    }

    /// The rigid bodies.
    #[inline(always)]
    pub fn bodies(&self) -> &Records<'a, R> {
        &self.bodies
    }

    /// The same records, rows of which start from the same positions, and beside them the corrections gathered and (fourth)
    /// what those are averaged over.
    pub fn sharing(self, sums: &'a mut [[R; 4]], sharing: Sharing) -> Self {
        Self {
            sums: Cell::from_mut(sums).as_slice_of_cells(),
            sharing: Some(sharing),
            ..self
        }
    }
}

impl<R: Scalar> Store<u32, R> for Points<'_, R> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<R>; N] {
        read(self.records, slots)
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<R>; N] {
        let [x, y, z] = &self.previous;
        let mut points = [Vec3::zero(); N];
        for (point, slot) in points.iter_mut().zip(slots) {
            let i = slot as usize;
            *point = Vec3::new(x[i], y[i], z[i]);
        }
        points
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<R>; N]) {
        write(self.records, slots, sites);
    }
    #[inline(always)]
    fn sharing(&self) -> Option<Sharing> {
        self.sharing
    }
    #[inline(always)]
    fn sums<const N: usize>(&self, slots: [u32; N]) -> [Particle<R>; N] {
        read(self.sums, slots)
    }
    #[inline(always)]
    fn set_sums<const N: usize>(&self, slots: [u32; N], sums: [Particle<R>; N]) {
        write(self.sums, slots, sums);
    }
}

#[inline(always)]
fn read<R: Scalar, const N: usize>(records: &[Cell<[R; 4]>], slots: [u32; N]) -> [Particle<R>; N] {
    let nothing = Particle {
        x: Vec3::zero(),
        w: R::zero(),
    };
    let mut sites = [nothing; N];
    for (site, slot) in sites.iter_mut().zip(slots) {
        let [x, y, z, w] = records[slot as usize].get();
        *site = Particle {
            x: Vec3::new(x, y, z),
            w,
        };
    }
    sites
}

#[inline(always)]
fn write<R: Scalar, const N: usize>(
    records: &[Cell<[R; 4]>],
    slots: [u32; N],
    sites: [Particle<R>; N],
) {
    for (slot, Particle { x, w }) in slots.into_iter().zip(sites) {
        records[slot as usize].set([x.x, x.y, x.z, w]);
    }
}

/// The rows of one kind and class, ready for a scalar loop.
pub trait FlatRows<R: Scalar>: Send {
    /// Sets every multiplier to zero (XPBD: at the start of a substep).
    fn reset(&mut self);
    /// Makes room for the multipliers of one iteration before, which Chebyshev's acceleration needs.
    fn remember(&mut self);
    /// Projects `rows`, one after another.
    fn project(&mut self, rows: Range<usize>, points: &Points<R>);
    /// The largest residual |C + α/h² λ| / |∇C| of `rows` (m).
    fn residual(&self, rows: Range<usize>, points: &Points<R>) -> R;
    /// One sweep of method `impulse` over `rows`; returns the largest error met.
    fn push(&mut self, rows: Range<usize>, motions: &Motions<R>, aim: Aim) -> R;
    /// Every row's multipliers, in the rows' authored order.
    fn multipliers(&self) -> Vec<f32>;
    /// Bytes an iteration reads: rows and multipliers.
    fn bytes(&self) -> usize;
}

/// What makes [`FlatRows`] of numbers `R`.
pub trait FlatSource<R: Scalar> {
    /// The rows in `order` (a permutation of the authored rows), responding as `settings` say.
    fn flat(
        &self,
        order: &mut dyn Iterator<Item = u32>,
        numbering: &Numbering,
        settings: &Settings,
    ) -> Box<dyn FlatRows<R>>;
}

struct Flat<C, R, A, const N: usize, const P: usize, const K: usize> {
    kind: std::marker::PhantomData<C>,
    rows: Vec<Packet<u32, R, A, N, P>>,
    lambda: Vec<[R; K]>,
    /// The multipliers of one iteration before; empty unless they are remembered.
    earlier: Vec<[R; K]>,
    authored: Vec<u32>,
}

/// Flat rows of class `A`.
pub(crate) fn flatten_rows<A, C, R, const N: usize, const P: usize, const K: usize>(
    set: &RowSet<C, N, P, K>,
    order: &mut dyn Iterator<Item = u32>,
    numbering: &Numbering,
    settings: &Settings,
) -> Box<dyn FlatRows<R>>
where
    A: Class,
    C: Constraint<N, P, K>,
    R: Scalar,
{
    let authored: Vec<u32> = order.collect();
    let rows = authored.iter().map(|&row| Packet {
        slots: set.particles(row).map(|i| numbering.storage(i)),
        params: set.params(row).map(|p| R::of(f64::from(p))),
        response: Response::new(set.numbers::<A>(row, settings).map(R::of)),
    });
    Box::new(Flat::<C, R, A::At<R>, N, P, K> {
        kind: std::marker::PhantomData,
        rows: rows.collect(),
        lambda: vec![[R::zero(); K]; authored.len()],
        earlier: Vec::new(),
        authored,
    })
}

impl<C, R, A, const N: usize, const P: usize, const K: usize> FlatRows<R> for Flat<C, R, A, N, P, K>
where
    C: Constraint<N, P, K>,
    R: Scalar,
    A: Response<R>,
{
    fn reset(&mut self) {
        self.lambda.fill([R::zero(); K]);
    }

    fn remember(&mut self) {
        self.earlier = vec![[R::zero(); K]; self.lambda.len()];
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&mut self, rows: Range<usize>, points: &Points<R>) {
        if let Some(sharing) = points.sharing {
            for i in rows {
                let earlier = self.earlier.get_mut(i);
                self.rows[i].share::<C, K>(points, sharing, &mut self.lambda[i], earlier);
            }
            return;
        }
        let lambda = &mut self.lambda[rows.clone()];
        for (row, lambda) in self.rows[rows].iter().zip(lambda) {
            row.project::<C, K>(points, lambda);
        }
    }

    fn residual(&self, rows: Range<usize>, points: &Points<R>) -> R {
        let each = self.rows[rows.clone()].iter().zip(&self.lambda[rows]);
        each.fold(R::zero(), |largest, (row, lambda)| {
            largest.max(row.residual::<C, K>(points, lambda))
        })
    }

    fn push(&mut self, rows: Range<usize>, motions: &Motions<R>, aim: Aim) -> R {
        let lambda = &mut self.lambda[rows.clone()];
        let mut largest = R::zero();
        for (row, lambda) in self.rows[rows].iter().zip(lambda) {
            largest = largest.max(row.push::<C, K>(motions, aim, lambda));
        }
        largest
    }

    fn multipliers(&self) -> Vec<f32> {
        let mut out = vec![0.0; self.lambda.len() * K];
        for (lambda, &row) in self.lambda.iter().zip(&self.authored) {
            for (k, l) in lambda.iter().enumerate() {
                out[row as usize * K + k] = l.to_f32();
            }
        }
        out
    }

    fn bytes(&self) -> usize {
        size_of_val(&*self.rows) + size_of_val(&*self.lambda)
    }
}

// Phases are calls of their own, so that a profile names them.
impl<R: Scalar> Substep<R> {
    /// x_prev <- x, v <- v + h a; the predicted positions go to the records.
    #[inline(never)]
    pub fn predict_records(&self, particles: &mut Particles<R>, records: &mut [[R; 4]]) {
        let w = particles.inverse_mass.as_slice();
        let [vx, vy, vz] = particles.velocity.as_mut_slices();
        let [px, py, pz] = particles.previous.as_mut_slices();
        let [x, y, z] = particles.position.as_slices();
        for (i, record) in records.iter_mut().enumerate() {
            let at = Vec3::new(x[i], y[i], z[i]);
            let v = Vec3::new(vx[i], vy[i], vz[i]);
            let (x, v) = self.predict(at, v, w[i]);
            (px[i], py[i], pz[i]) = (at.x, at.y, at.z);
            (vx[i], vy[i], vz[i]) = (v.x, v.y, v.z);
            *record = [x.x, x.y, x.z, w[i]];
        }
    }

    /// The records come back as positions; v <- (x - x_prev) / h.
    #[inline(never)]
    pub fn update_records(&self, particles: &mut Particles<R>, records: &[[R; 4]]) {
        let [vx, vy, vz] = particles.velocity.as_mut_slices();
        let [px, py, pz] = particles.previous.as_slices();
        let [qx, qy, qz] = particles.position.as_mut_slices();
        for (i, &[x, y, z, w]) in records.iter().enumerate() {
            (qx[i], qy[i], qz[i]) = (x, y, z);
            let previous = Vec3::new(px[i], py[i], pz[i]);
            let v = Vec3::new(vx[i], vy[i], vz[i]);
            let v = self.update(Vec3::new(x, y, z), previous, v, w);
            (vx[i], vy[i], vz[i]) = (v.x, v.y, v.z);
        }
    }
}
