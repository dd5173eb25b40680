//! Rows at arms in packets of eight, for the lanes.

#![allow(clippy::needless_range_loop)] // slots, arms and sites run side by side

use super::arm_rows::{ArmRows, Bunch, Held, Numbers, Packet, point, project_packet};
use super::element::Place;
use super::grip::Anyhow;
use super::packed::{LaneBunch, project_colors};
use crate::coloring::Numbering;
use crate::constraints::Constraint;
use crate::math::{F32x8, Real, Vec3, WIDTH, each_lane, pack, unpack};
use crate::model::Model;
use crate::rows::RowSet;
use crate::rows::Store;
use crate::subsystem::Stage;
use crate::threads::{Cells, Worker};
use std::marker::PhantomData;
use std::ops::Range;

struct Packed<C, const N: usize, const P: usize, const K: usize> {
    kind: PhantomData<C>,
    signature: [Place; N],
    damped: bool,
    packets: Vec<Packet<[u32; WIDTH], F32x8, N, P>>,
    lambda: Cells<[F32x8; K]>,
    authored: Vec<[u32; WIDTH]>,
    colors: Vec<Range<usize>>,
}

impl<C, const N: usize, const P: usize, const K: usize> ArmRows for RowSet<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    fn equations(&self) -> usize {
        K
    }

    fn packed(
        &self,
        places: &[Held],
        first: u32,
        model: &Model,
        numbering: &Numbering,
    ) -> Vec<Box<dyn LaneBunch>> {
        let make = |bunch: Bunch<N>| -> Box<dyn LaneBunch> {
            let mut all = Packed::<C, N, P, K> {
                kind: PhantomData,
                signature: bunch.signature,
                damped: self.damped(&model.settings),
                packets: Vec::new(),
                lambda: Cells::new(0, [F32x8::zero(); K]),
                authored: Vec::new(),
                colors: Vec::new(),
            };
            for color in bunch.coloring.colors() {
                let begin = all.packets.len();
                for eight in color.chunks(WIDTH) {
                    let rows =
                        each_lane(|lane| bunch.rows[eight[lane.min(eight.len() - 1)] as usize]);
                    let numbers: [Numbers<f32, N, P>; WIDTH] =
                        rows.map(|(row, _)| self.numbers_of(row, places, &model.settings));
                    let eight = |of: &dyn Fn(&Numbers<f32, N, P>) -> f32| {
                        pack(each_lane(|lane| of(&numbers[lane])))
                    };
                    let arm = |slot: usize| {
                        Vec3::new(
                            eight(&|n| n.0[slot].x),
                            eight(&|n| n.0[slot].y),
                            eight(&|n| n.0[slot].z),
                        )
                    };
                    all.packets.push(Packet {
                        slots: std::array::from_fn(|slot| rows.map(|(_, slots)| slots[slot])),
                        arms: std::array::from_fn(arm),
                        params: std::array::from_fn(|p| eight(&|n| n.1[p])),
                        response: Anyhow::side_by_side(&numbers.map(|n| n.2)),
                        previous: [Vec3::zero(); N],
                    });
                    all.authored.push(rows.map(|(row, _)| first + row));
                }
                all.colors.push(begin..all.packets.len());
            }
            all.lambda = Cells::new(all.packets.len(), [F32x8::zero(); K]);
            Box::new(all)
        };
        let bunches = self.bunches(places, model, numbering).into_iter();
        bunches.map(make).collect()
    }
}

impl<C, const N: usize, const P: usize, const K: usize> LaneBunch for Packed<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    fn begin(&mut self, stage: &Stage) {
        for i in 0..self.lambda.len() {
            self.lambda.set(i, [F32x8::zero(); K]);
        }
        if !self.damped {
            return;
        }
        for packet in &mut self.packets {
            for slot in 0..N {
                let slots = packet.slots[slot];
                packet.previous[slot] = match self.signature[slot] {
                    Place::World => Vec3::zero(),
                    Place::Particle => stage.places.previous([slots])[0],
                    Place::Body => {
                        let (x, q) = stage.bodies.previous_of(slots);
                        point(x, q, packet.arms[slot])
                    }
                };
            }
        }
    }

    fn project(&self, worker: &Worker, stage: &Stage) {
        project_colors(worker, &self.colors, |packets| {
            self.project_packets(packets, stage);
        });
    }

    fn multipliers(&self, give: &mut dyn FnMut(u32, usize, f32)) {
        for (i, rows) in self.authored.iter().enumerate() {
            for (k, lanes) in self.lambda.get(i).into_iter().enumerate() {
                for (&row, l) in rows.iter().zip(unpack(lanes)) {
                    give(row, k, l);
                }
            }
        }
    }
}

impl<C, const N: usize, const P: usize, const K: usize> Packed<C, N, P, K>
where
    C: Constraint<N, P, K>,
{
    #[inline(never)] // a frame of its own in profiles
    fn project_packets(&self, packets: Range<usize>, stage: &Stage) {
        for i in packets {
            let mut lambda = self.lambda.get(i);
            let packet = &self.packets[i];
            project_packet::<C, _, F32x8, N, P, K>(stage, &self.signature, packet, &mut lambda);
            self.lambda.set(i, lambda);
        }
    }
}
