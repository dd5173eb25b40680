//! Rows at arms made ready: of one kind and signature each, flat for the scalar loops, in packets of eight for lanes.
//!
//! As with joints, a packet's loads and stores depend on the signature only, and lanes beyond the last row repeat it.

#![allow(clippy::needless_range_loop)] // slots, arms and sites run side by side

use super::element::{Ends, FlatBunch, Place};
use super::frame::Frame;
use super::grip::{Anyhow, Grip};
use super::joint::End;
use super::packed::LaneBunch;
use crate::coloring::Numbering;
use crate::coloring::{Coloring, RowList, first_fit};
use crate::constraints::{Compliant, Constraint, Damped, Material, Response, Stiff, project};
use crate::math::{Quat, Real, Scalar, Vec3};
use crate::model::Model;
use crate::rows::Points;
use crate::rows::ResponseKind;
use crate::rows::{AnyRows, RowSet};
use crate::settings::Settings;
use crate::state::Particles;
use std::marker::PhantomData;

/// What holds a place of a row, and the arm in its principal frame (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Held {
    pub(super) end: End,
    pub(super) arm: Vec3<f64>,
}

/// Rows of one kind and class at arms, with their types taken off; `first` is the number of rows in the sets before.
pub(super) trait ArmRows: AnyRows + FlatArms<f32> + FlatArms<f64> {
    /// Multipliers of a row.
    fn equations(&self) -> usize;
    fn packed(
        &self,
        places: &[Held],
        first: u32,
        model: &Model,
        numbering: &Numbering,
    ) -> Vec<Box<dyn LaneBunch>>;
}

/// What makes [`FlatBunch`]es of numbers `R`.
pub(super) trait FlatArms<R: Scalar> {
    fn flat(
        &self,
        places: &[Held],
        first: u32,
        model: &Model,
        numbering: &Numbering,
    ) -> Vec<Box<dyn FlatBunch<R>>>;
}

/// The rows of one signature, colored.
pub(super) struct Bunch<const N: usize> {
    pub(super) signature: [Place; N],
    /// Rows of the set, and the storage slots of their ends.
    pub(super) rows: Vec<(u32, [u32; N])>,
    pub(super) coloring: Coloring,
}

/// The same before it is colored, and what its places are numbered as for that.
type Uncolored<const N: usize> = ([Place; N], Vec<(u32, [u32; N])>, Vec<u32>);

/// A row, or eight side by side.
pub(super) struct Packet<I, R, const N: usize, const P: usize> {
    pub(super) slots: [I; N],
    pub(super) arms: [Vec3<R>; N],
    pub(super) params: [R; P],
    pub(super) response: Anyhow<R>,
    /// The places at the start of the substep, where the response is damped.
    pub(super) previous: [Vec3<R>; N],
}

/// What a row has in numbers: arms, parameters, response.
pub(super) type Numbers<R, const N: usize, const P: usize> = ([Vec3<R>; N], [R; P], Anyhow<R>);

impl<C, const N: usize, const P: usize, const K: usize> RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    pub(super) fn bunches(
        &self,
        places: &[Held],
        model: &Model,
        numbering: &Numbering,
    ) -> Vec<Bunch<N>> {
        let (bodies, count) = (model.bodies().len() as u32, numbering.places() as u32);
        let mut bunches: Vec<Uncolored<N>> = Vec::new();
        for row in 0..AnyRows::len(self) as u32 {
            let ends = self.particles(row).map(|place| places[place as usize].end);
            let signature = ends.map(Place::of);
            let slots = ends.map(|end| match end {
                End::World => 0,
                End::Body(body) => body,
                End::Particle(particle) => numbering.storage(particle),
            });
            let at = bunches.iter().position(|bunch| bunch.0 == signature);
            let at = at.unwrap_or_else(|| {
                bunches.push((signature, Vec::new(), Vec::new()));
                bunches.len() - 1
            });
            let (_, rows, names) = &mut bunches[at];
            rows.push((row, slots));
            // For the coloring everything has a number.
            names.extend((0..N).map(|slot| match signature[slot] {
                Place::Particle => bodies + slots[slot],
                _ => slots[slot],
            }));
        }
        let colored = bunches.into_iter().map(|(signature, rows, names)| {
            let list = RowList {
                particles: &names,
                arity: N,
            };
            let things = (bodies + count) as usize;
            Bunch {
                signature,
                coloring: first_fit(list, things, 0..rows.len() as u32),
                rows,
            }
        });
        colored.collect()
    }

    /// The numbers of a row.
    pub(super) fn numbers_of<R: Scalar>(
        &self,
        row: u32,
        places: &[Held],
        settings: &Settings,
    ) -> Numbers<R, N, P> {
        let arms = self.particles(row).map(|place| {
            let arm = places[place as usize].arm.to_array();
            Vec3::from(arm.map(|v| R::of(f64::from(v as f32))))
        });
        let of = |numbers: [f64; 2]| numbers.map(R::of);
        let response = match self.class_in(settings) {
            _ if C::MATERIAL => Anyhow::new(of(self.numbers::<Material>(row, settings))),
            ResponseKind::Stiff => Anyhow::stiff(of(self.numbers::<Stiff>(row, settings))[0]),
            ResponseKind::Compliant => Anyhow::new(of(self.numbers::<Compliant>(row, settings))),
            ResponseKind::Damped => Anyhow::new(of(self.numbers::<Damped>(row, settings))),
            ResponseKind::Material => unreachable!("refused when the row was added"),
        };
        (
            arms,
            self.params(row).map(|p| R::of(f64::from(p))),
            response,
        )
    }

    pub(super) fn damped(&self, settings: &Settings) -> bool {
        self.class_in(settings) == ResponseKind::Damped
    }
}

#[inline(always)]
pub(super) fn project_packet<C, I, R, const N: usize, const P: usize, const K: usize>(
    ends: &impl Ends<I, R>,
    signature: &[Place; N],
    packet: &Packet<I, R, N, P>,
    lambda: &mut [R; K],
) where
    C: Constraint<N, P, K>,
    I: Copy,
    R: Real,
{
    let world = Grip {
        body: super::Moving::world(),
        arm: Vec3::zero(),
    };
    let mut sites = [world; N];
    for slot in 0..N {
        sites[slot] = Grip {
            body: ends.load(signature[slot], packet.slots[slot]),
            arm: packet.arms[slot],
        };
    }
    let (params, response) = (packet.params, packet.response);
    project::<C, _, _, R, N, P, K>(&mut sites, packet.previous, params, response, lambda);
    for slot in 0..N {
        ends.store(signature[slot], packet.slots[slot], sites[slot].body);
    }
}

/// A place of a body that lies so.
pub(super) fn point<R: Real>(x: Vec3<R>, q: Quat<R>, arm: Vec3<R>) -> Vec3<R> {
    x + Frame::new(q).turn(arm)
}

struct Flat<C, R, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    signature: [Place; N],
    damped: bool,
    rows: Vec<Packet<u32, R, N, P>>,
    lambda: Vec<[R; K]>,
    /// Each row's number among those of all sets.
    authored: Vec<u32>,
}

impl<C, R, const N: usize, const P: usize, const K: usize> FlatArms<R> for RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
    R: Scalar,
{
    fn flat(
        &self,
        places: &[Held],
        first: u32,
        model: &Model,
        numbering: &Numbering,
    ) -> Vec<Box<dyn FlatBunch<R>>> {
        let make = |bunch: Bunch<N>| -> Box<dyn FlatBunch<R>> {
            let order = || bunch.coloring.colors().iter().flatten();
            let row = |&row: &u32| {
                let (row, slots) = bunch.rows[row as usize];
                let (arms, params, response) = self.numbers_of(row, places, &model.settings);
                Packet {
                    slots,
                    arms,
                    params,
                    response,
                    previous: [Vec3::zero(); N],
                }
            };
            Box::new(Flat::<C, R, N, P, K> {
                kind: PhantomData,
                signature: bunch.signature,
                damped: self.damped(&model.settings),
                rows: order().map(row).collect(),
                lambda: vec![[R::zero(); K]; bunch.rows.len()],
                authored: order()
                    .map(|&row| first + bunch.rows[row as usize].0)
                    .collect(),
            })
        };
        let bunches = self.bunches(places, model, numbering).into_iter();
        bunches.map(make).collect()
    }
}

impl<C, R, const N: usize, const P: usize, const K: usize> FlatBunch<R> for Flat<C, R, N, P, K>
where
    C: Constraint<N, P, K>,
    R: Scalar,
{
    fn begin(&mut self, particles: &Particles<R>) {
        self.lambda.fill([R::zero(); K]);
        if !self.damped {
            return;
        }
        let bodies = &particles.bodies;
        for row in &mut self.rows {
            for slot in 0..N {
                let i = row.slots[slot] as usize;
                row.previous[slot] = match self.signature[slot] {
                    Place::World => Vec3::zero(),
                    Place::Particle => Vec3::from(particles.previous.read(i)),
                    Place::Body => point(
                        Vec3::from(bodies.previous.read(i)),
                        Quat::from(bodies.previous_orientation.read(i)),
                        row.arms[slot],
                    ),
                };
            }
        }
    }

    #[inline(never)] // a frame of its own in profiles
    fn project(&mut self, points: &Points<R>) {
        for (row, lambda) in self.rows.iter().zip(&mut self.lambda) {
            project_packet::<C, _, R, N, P, K>(points, &self.signature, row, lambda);
        }
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (lambda, &row) in self.lambda.iter().zip(&self.authored) {
            for (k, l) in lambda.iter().enumerate() {
                give(row, k, l.to_f32());
            }
        }
    }
}
