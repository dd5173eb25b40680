//! The particles' columns as all workers see them. Why this is sound stands in [`parallel`](super).

use crate::constraints::Particle;
use crate::forces::Motion;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, pack, unpack};
use crate::rows::{Sharing, Store};
use crate::state::{Columns3, Particles};
use std::marker::PhantomData;

/// The columns of all particles, for workers that read and write them at once.
#[derive(Clone, Copy)]
pub(crate) struct Shared<'a> {
    position: [*mut f32; 3],
    previous: [*mut f32; 3],
    velocity: [*mut f32; 3],
    inverse_mass: *const f32,
    /// Corrections gathered, and what they are averaged over; the positions themselves where there are none.
    sums: [*mut f32; 3],
    counts: *const f32,
    pub(super) sharing: Option<Sharing>,
    len: usize,
    borrow: PhantomData<&'a mut Particles>,
}

// SAFETY: see the module's comment; all pointers lead into columns borrowed exclusively for 'a.
unsafe impl Sync for Shared<'_> {}
// SAFETY: as above.
unsafe impl Send for Shared<'_> {}

/// One of the three-column states of a particle.
#[derive(Clone, Copy)]
pub(crate) enum State {
    Position,
    Previous,
    Velocity,
    /// Corrections gathered, not yet taken.
    Sum,
}

impl<'a> Shared<'a> {
    pub(crate) fn new(particles: &'a mut Particles) -> Self {
        let len = particles.places();
        let pointers = |columns: &mut Columns3<f32>| {
            columns.as_mut_slices().map(|column| {
                assert_eq!(column.len(), len, "a column of another length");
                column.as_mut_ptr()
            })
        };
        assert_eq!(particles.inverse_mass.as_slice().len(), len);
        let position = pointers(&mut particles.position);
        let inverse_mass = particles.inverse_mass.as_slice().as_ptr();
        Self {
            position,
            previous: pointers(&mut particles.previous),
            velocity: pointers(&mut particles.velocity),
            inverse_mass,
            sums: position,
            counts: inverse_mass,
            sharing: None,
            len,
            borrow: PhantomData,
        }
    }

    /// The same columns with others beside them: their positions are the corrections gathered, their inverse masses what
    /// those are averaged over.
    pub(crate) fn summing(self, sums: Shared<'a>) -> Self {
        assert_eq!(self.len, sums.len, "sums of other columns");
        Self {
            sums: sums.position,
            counts: sums.inverse_mass,
            ..self
        }
    }

    /// The same columns, rows of which start from the same positions.
    pub(crate) fn sharing(self, sharing: Sharing) -> Self {
        Self {
            sharing: Some(sharing),
            ..self
        }
    }

    /// Places, a multiple of eight.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    #[inline(always)]
    fn columns(&self, state: State) -> [*mut f32; 3] {
        match state {
            State::Position => self.position,
            State::Previous => self.previous,
            State::Velocity => self.velocity,
            State::Sum => self.sums,
        }
    }

    #[inline(always)]
    pub(super) fn check(&self, first: usize, count: usize) {
        assert!(
            first < self.len && count <= self.len - first,
            "a place beyond the columns"
        );
    }

    /// Eight entries from place `i`.
    #[inline(always)]
    pub(crate) fn get8(&self, state: State, i: usize) -> Vec3<F32x8> {
        self.check(i, WIDTH);
        let [x, y, z] = self.columns(state);
        // SAFETY: in bounds; no other worker writes these places within the phase.
        let eight = |column: *mut f32| unsafe { column.add(i).cast::<[f32; WIDTH]>().read() };
        Vec3::new(pack(eight(x)), pack(eight(y)), pack(eight(z)))
    }

    /// Replaces eight entries from place `i`.
    #[inline(always)]
    pub(crate) fn set8(&self, state: State, i: usize, v: Vec3<F32x8>) {
        self.check(i, WIDTH);
        let [x, y, z] = self.columns(state);
        let write = |column: *mut f32, v| {
            // SAFETY: in bounds; no other worker touches these places within the phase.
            unsafe { column.add(i).cast::<[f32; WIDTH]>().write(unpack(v)) }
        };
        write(x, v.x);
        write(y, v.y);
        write(z, v.z);
    }

    /// Eight inverse masses from place `i`.
    #[inline(always)]
    pub(crate) fn inverse_mass8(&self, i: usize) -> F32x8 {
        self.check(i, WIDTH);
        // SAFETY: in bounds; nobody writes inverse masses while the view lives.
        pack(unsafe { self.inverse_mass.add(i).cast::<[f32; WIDTH]>().read() })
    }

    /// Eight counts from place `i`.
    #[inline(always)]
    pub(crate) fn count8(&self, i: usize) -> F32x8 {
        self.check(i, WIDTH);
        // SAFETY: in bounds; nobody writes counts while the view lives.
        pack(unsafe { self.counts.add(i).cast::<[f32; WIDTH]>().read() })
    }

    #[inline(always)]
    pub(super) fn count(&self, i: usize) -> f32 {
        self.check(i, 1);
        // SAFETY: in bounds; nobody writes counts while the view lives.
        unsafe { *self.counts.add(i) }
    }

    #[inline(always)]
    pub(super) fn get(&self, state: State, i: usize) -> Vec3<f32> {
        self.check(i, 1);
        let [x, y, z] = self.columns(state);
        // SAFETY: in bounds; no other worker writes this place within the phase.
        unsafe { Vec3::new(*x.add(i), *y.add(i), *z.add(i)) }
    }

    #[inline(always)]
    pub(super) fn set(&self, state: State, i: usize, v: [f32; 3]) {
        self.check(i, 1);
        for (column, v) in self.columns(state).into_iter().zip(v) {
            // SAFETY: in bounds; no other worker touches this place within the phase.
            unsafe { *column.add(i) = v }
        }
    }

    #[inline(always)]
    pub(super) fn inverse_mass(&self, i: usize) -> f32 {
        self.check(i, 1);
        // SAFETY: in bounds; nobody writes inverse masses while the view lives.
        unsafe { *self.inverse_mass.add(i) }
    }

    /// Replaces what place `to` was at the start of the substep by what `from` was.
    pub(crate) fn copy_previous(&self, from: u32, to: u32) {
        let Vec3 { x, y, z } = self.get(State::Previous, from as usize);
        self.set(State::Previous, to as usize, [x, y, z]);
    }

    #[inline(always)]
    pub(super) fn gather(&self, state: State, at: [u32; WIDTH]) -> Vec3<F32x8> {
        let p = each_lane(|lane| self.get(state, at[lane] as usize));
        Vec3::new(
            pack(each_lane(|lane| p[lane].x)),
            pack(each_lane(|lane| p[lane].y)),
            pack(each_lane(|lane| p[lane].z)),
        )
    }
}

impl Shared<'_> {
    #[inline(always)]
    pub(super) fn scatter(&self, state: State, at: [u32; WIDTH], v: Vec3<F32x8>) {
        let (x, y, z) = (unpack(v.x), unpack(v.y), unpack(v.z));
        for lane in 0..WIDTH {
            self.set(state, at[lane] as usize, [x[lane], y[lane], z[lane]]);
        }
    }
}

impl Motion for Shared<'_> {
    fn read(&self, place: u32) -> [Vec3<f64>; 2] {
        [State::Position, State::Velocity].map(|state| {
            let v = self.get(state, place as usize);
            Vec3::of([v.x, v.y, v.z].map(f64::from))
        })
    }
    fn point(&self, place: u32) -> Vec3<f64> {
        let v = self.get(State::Position, place as usize);
        Vec3::of([v.x, v.y, v.z].map(f64::from))
    }
    fn is_free(&self, place: u32) -> bool {
        self.inverse_mass(place as usize) > 0.0
    }
    fn write(&mut self, place: u32, v: Vec3<f64>) {
        let v = [v.x, v.y, v.z].map(|v| v as f32);
        self.set(State::Velocity, place as usize, v);
    }
}

/// Velocities in place of positions, for what acts on them as rows act on positions.
#[derive(Clone, Copy)]
pub(crate) struct Velocities<'a>(pub(crate) Shared<'a>);

/// Loads and stores velocities as [`Shared`] does positions, lane by lane.
impl Store<[u32; WIDTH], F32x8> for Velocities<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Particle<F32x8>; N] {
        each_slot(nothing(), |slot| {
            let at = slots[slot];
            Particle {
                x: self.0.gather(State::Velocity, at),
                w: pack(each_lane(|lane| self.0.inverse_mass(at[lane] as usize))),
            }
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [[u32; WIDTH]; N]) -> [Vec3<F32x8>; N] {
        self.0.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [[u32; WIDTH]; N], sites: [Particle<F32x8>; N]) {
        for (at, Particle { x, .. }) in slots.into_iter().zip(sites) {
            self.0.scatter(State::Velocity, at, x);
        }
    }
}

impl Store<u32, f32> for Velocities<'_> {
    #[inline(always)]
    fn load<const N: usize>(&self, slots: [u32; N]) -> [Particle<f32>; N] {
        each_slot(nothing(), |slot| Particle {
            x: self.0.get(State::Velocity, slots[slot] as usize),
            w: self.0.inverse_mass(slots[slot] as usize),
        })
    }
    #[inline(always)]
    fn previous<const N: usize>(&self, slots: [u32; N]) -> [Vec3<f32>; N] {
        self.0.previous(slots)
    }
    #[inline(always)]
    fn store<const N: usize>(&self, slots: [u32; N], sites: [Particle<f32>; N]) {
        for (i, Particle { x, .. }) in slots.into_iter().zip(sites) {
            self.0.set(State::Velocity, i as usize, [x.x, x.y, x.z]);
        }
    }
}

/// One value for each slot: `load` at slot i; written as a loop so that it is inlined.
#[inline(always)]
pub(super) fn each_slot<T: Copy, const N: usize>(empty: T, load: impl Fn(usize) -> T) -> [T; N] {
    let mut out = [empty; N];
    for (i, out) in out.iter_mut().enumerate() {
        *out = load(i);
    }
    out
}

/// A particle yet to be loaded.
#[inline(always)]
pub(super) fn nothing<R: Real>() -> Particle<R> {
    Particle {
        x: Vec3::zero(),
        w: R::zero(),
    }
}
