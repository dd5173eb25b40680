//! Broad phase, which boxes around bodies meet: sorted along one axis, then eight at a time against those that begin before each ends
//! (sweep and prune; Cohen et al., *I-COLLIDE*, 1995).
//!
//! The axis is the one along which the boxes are spread most. Many are cut into strips across it first, by where they begin along the
//! axis of the second widest spread: a box meets those of its own strip, and of the strips behind it that it reaches into. Pairs come sorted by their numbers, so that nothing depends on
//! the threads. Where more bodies lie in one place than can touch each other, a box keeps [`MOST_MET`] pairs with boxes no
//! smaller than its own, so that memory is bounded by the number of bodies: a floor below many keeps them all.

use super::manifold::Point;
use crate::math::{Real, WIDTH, eight, lane_bits, lanes_below, set_lanes, splat};
use crate::threads::lock;
use std::ops::Range;
use std::sync::Mutex;

/// Boxes that one thread sweeps at a time.
const CHUNK: usize = 128;

/// The most pairs of a box with others no smaller than itself, where there are more than so many a box. A body between equal
/// ones touches twelve of them, with a margin 26.
const MOST_MET: usize = 32;
/// The most pairs that a chunk lists before they are counted.
const MOST_OF_A_CHUNK: usize = CHUNK * 512;

/// Fewer boxes than this are one strip.
const WORTH_CUTTING: usize = 1024;
/// The most strips, and how many boxes wide one is.
const MOST_STRIPS: usize = 64;
const STRIP: f32 = 2.0;
/// Bits of a box's number in its key.
const NUMBER_BITS: u32 = 26;

/// The least and the largest corner of a box (m); of what touches nothing, none.
pub(super) type Bounds = Option<[Point; 2]>;

/// Pairs of boxes that meet.
#[derive(Default)]
pub(super) struct Sweep {
    order: Vec<u32>,
    /// Room to sort the boxes in: the strip of each, its least coordinate and its number.
    keys: Vec<u64>,
    cuts: Cuts,
    strips: Vec<Strip>,
    /// Least and largest coordinates in the order: of the sweep's axis, of that across which strips are cut, and of the third.
    columns: [[Vec<f32>; 2]; 3],
    /// What is found of each chunk, to [search](Self::search).
    pub(super) chunks: Vec<Mutex<Vec<[u32; 2]>>>,
    /// The pairs last found, the lower number first.
    pub(super) pairs: Vec<[u32; 2]>,
    /// Room to sort them in.
    room: Vec<[u32; 2]>,
    starts: Vec<usize>,
}

impl Sweep {
    /// Sorts boxes for a [search](Self::search).
    pub(super) fn sort(&mut self, bounds: &[Bounds]) {
        assert!(bounds.len() < 1 << NUMBER_BITS, "more boxes than keys tell apart");
        let axes = axes_by_spread(bounds);
        self.cuts = Cuts::new(bounds, axes[1]);
        let boxes = (0..).zip(bounds).filter_map(|(i, corners)| Some((i, corners.as_ref()?[0])));
        self.keys.clear();
        self.keys.extend(boxes.map(|(i, low)| {
            let low = low.to_array();
            key(self.cuts.strip(low[axes[1]]), low[axes[0]], i)
        }));
        self.keys.sort_unstable();
        let Self { order, keys, columns, .. } = self;
        order.clear();
        order.extend(keys.iter().map(|key| *key as u32 & ((1 << NUMBER_BITS) - 1)));
        for (sides, axis) in columns.iter_mut().zip(axes) {
            for (side, column) in sides.iter_mut().enumerate() {
                let at = |i: &u32| match &bounds[*i as usize] {
                    Some(corners) => corners[side].to_array()[axis],
                    None => f32::NAN,
                };
                column.clear();
                column.extend(order.iter().map(at));
                // Begins behind everything.
                column.extend([f32::INFINITY; WIDTH]);
            }
        }
        self.chunks.resize_with(order.len().div_ceil(CHUNK), Mutex::default);
        self.list_strips();
    }

    /// Lists where each strip's boxes are.
    fn list_strips(&mut self) {
        let Self { keys, strips, columns: [[begins, ends], ..], .. } = self;
        strips.clear();
        let mut first = 0;
        for strip in 0..self.cuts.count {
            let count = keys[first..].partition_point(|key| strip_of(*key) <= strip);
            let range = first..first + count;
            let lengths = range.clone().map(|i| ends[i] - begins[i]);
            strips.push(Strip { longest: lengths.fold(0.0, f32::max), range });
            first += count;
        }
    }

    /// Finds the pairs of boxes in some chunks that meet and that `keep` keeps.
    pub(super) fn search(&self, chunks: Range<usize>, keep: impl Fn(u32, u32) -> bool) {
        for chunk in chunks {
            let mut pairs = lock(&self.chunks[chunk]);
            pairs.clear();
            let first = chunk * CHUNK;
            for i in first..(first + CHUNK).min(self.order.len()) {
                self.meet(i, &keep, &mut pairs);
                if pairs.len() > MOST_OF_A_CHUNK {
                    break;
                }
            }
        }
    }

    /// Collects the pairs of all chunks, those of them that `keep` kept, where the boxes are `bounds`.
    pub(super) fn collect(&mut self, bounds: &[Bounds], keep: impl Fn(u32, u32) -> bool) {
        self.pairs.clear();
        let (mut all, mut largest) = (0, 0);
        for chunk in &mut self.chunks {
            let found = chunk.get_mut().expect("no worker panicked").len();
            (all, largest) = (all + found, largest.max(found));
        }
        if largest > MOST_OF_A_CHUNK || all > MOST_MET * self.order.len() {
            self.collect_some(bounds, keep);
        } else {
            for chunk in &mut self.chunks {
                let found = chunk.get_mut().expect("no worker panicked");
                self.pairs.extend_from_slice(found);
            }
        }
        self.sort_pairs(bounds.len());
    }

    /// Sorts the pairs: counted by their first box, then those of each by the second.
    fn sort_pairs(&mut self, boxes: usize) {
        let Self { pairs, room, starts, .. } = self;
        starts.clear();
        starts.resize(boxes + 1, 0);
        for [a, _] in &*pairs {
            starts[*a as usize + 1] += 1;
        }
        for i in 0..boxes {
            starts[i + 1] += starts[i];
        }
        room.clear();
        room.resize(pairs.len(), [0; 2]);
        for pair in &*pairs {
            let at = &mut starts[pair[0] as usize];
            room[*at] = *pair;
            *at += 1;
        }
        room.chunk_by_mut(|p, q| p[0] == q[0]).for_each(<[_]>::sort_unstable);
        std::mem::swap(pairs, room);
    }

    /// Collects as many pairs as the smaller of their boxes may have, the first along the axis.
    fn collect_some(&mut self, bounds: &[Bounds], keep: impl Fn(u32, u32) -> bool) {
        for chunk in &mut self.chunks {
            *chunk.get_mut().expect("no worker panicked") = Vec::new();
        }
        let size = |i: u32| {
            let corners = bounds[i as usize].expect("a box that is searched");
            let [x, y, z] = (corners[1] - corners[0]).to_array();
            x + y + z
        };
        let mut counts = vec![0; bounds.len()];
        let (mut some, mut met) = (Vec::new(), Vec::new());
        for i in 0..self.order.len() {
            met.clear();
            self.meet(i, &keep, &mut met);
            for &[a, b] in &met {
                let count = &mut counts[if size(b) < size(a) { b } else { a } as usize];
                if *count < MOST_MET {
                    *count += 1;
                    some.push([a, b]);
                }
            }
        }
        self.pairs = some;
    }

    /// Adds the pairs of the i-th box and those that begin behind it, or in a strip behind its own.
    fn meet(&self, i: usize, keep: &impl Fn(u32, u32) -> bool, pairs: &mut Vec<[u32; 2]>) {
        let [[begins, _], [_, across], _] = &self.columns;
        let own = strip_of(self.keys[i]);
        self.meet_some(i, i + 1..self.strips[own].range.end, false, keep, pairs);
        for Strip { range, longest } in &self.strips[own + 1..=self.cuts.strip(across[i]).max(own)]
        {
            // And what rounding may make of it.
            let longest = longest + 1e-6 * (longest + begins[i].abs());
            let from = begins[range.clone()].partition_point(|b| *b < begins[i] - longest);
            self.meet_some(i, range.start + from..range.end, true, keep, pairs);
        }
    }

    /// Adds the pairs of the i-th box with some of a strip; `before`: which may begin before it.
    #[inline(always)]
    fn meet_some(
        &self,
        i: usize,
        range: Range<usize>,
        before: bool,
        keep: &impl Fn(u32, u32) -> bool,
        pairs: &mut Vec<[u32; 2]>,
    ) {
        let Self { order, columns, .. } = self;
        let one = |k: usize, side: usize| splat(columns[k][side][i]);
        let lanes = |k: usize, side: usize, at: usize| eight(&columns[k][side], at);
        let own = [0, 1, 2].map(|k| [one(k, 0), one(k, 1)]);
        for at in range.clone().step_by(WIDTH) {
            let begins = lanes(0, 0, at).lt(own[0][1]) & lanes_below(range.end - at);
            let mut met = begins;
            for k in [1, 2] {
                met = met & lanes(k, 0, at).lt(own[k][1]) & own[k][0].lt(lanes(k, 1, at));
            }
            if before {
                met &= own[0][0].lt(lanes(0, 1, at));
            }
            for lane in set_lanes(met) {
                let (a, b) = (order[i], order[at + lane]);
                let (a, b) = (a.min(b), a.max(b));
                if keep(a, b) {
                    pairs.push([a, b]);
                }
            }
            if lane_bits(begins) != 0xff {
                break;
            }
        }
    }
}

/// Boxes that begin in one strip.
struct Strip {
    range: Range<usize>,
    /// The longest along the sweep's axis (m).
    longest: f32,
}

/// Where strips are cut.
#[derive(Default)]
struct Cuts {
    /// Where the first begins (m), and how many there are in a metre.
    first: f32,
    per_metre: f32,
    count: usize,
}

impl Cuts {
    fn new(bounds: &[Bounds], axis: usize) -> Self {
        let sides =
            bounds.iter().flatten().map(|[low, high]| [low, high].map(|v| v.to_array()[axis]));
        let begins = sides.clone().map(|[low, _]| low).filter(|v| v.is_finite());
        let first = begins.clone().fold(f32::INFINITY, f32::min);
        let range = begins.fold(f32::NEG_INFINITY, f32::max) - first;
        // What is as long as many strips is not what they are made for.
        let lengths = sides.map(|[low, high]| high - low).filter(|length| *length < 0.1 * range);
        let (sum, count) =
            lengths.fold((0.0, 0.0), |(sum, count), length| (sum + length, count + 1.0));
        let per_metre = count / (STRIP * sum);
        match bounds.len() >= WORTH_CUTTING && per_metre.is_finite() && range.is_finite() {
            true => Self {
                first,
                per_metre,
                count: ((range * per_metre) as usize + 1).min(MOST_STRIPS),
            },
            false => Self { first: 0.0, per_metre: 0.0, count: 1 },
        }
    }

    /// The strip of what begins or ends at `v`.
    fn strip(&self, v: f32) -> usize {
        (((v - self.first) * self.per_metre) as usize).min(self.count - 1)
    }
}

/// A number by which boxes sort by their strips, in each as by `least` (`f32::total_cmp`), and those that begin together by their own
/// number.
fn key(strip: usize, least: f32, number: u32) -> u64 {
    let bits = least.to_bits();
    let ordered = bits ^ if bits >> 31 == 1 { u32::MAX } else { 1 << 31 };
    (strip as u64) << (32 + NUMBER_BITS) | u64::from(ordered) << NUMBER_BITS | u64::from(number)
}

fn strip_of(key: u64) -> usize {
    (key >> (32 + NUMBER_BITS)) as usize
}

/// The axes, first those along which the boxes' middles vary most.
fn axes_by_spread(bounds: &[Bounds]) -> [usize; 3] {
    let (mut sum, mut squares, mut count) = ([0.0_f64; 3], [0.0_f64; 3], 0.0);
    for [least, most] in bounds.iter().flatten() {
        for (k, (a, b)) in least.to_array().into_iter().zip(most.to_array()).enumerate() {
            let middle = 0.5 * (f64::from(a) + f64::from(b));
            sum[k] += middle;
            squares[k] += middle * middle;
        }
        count += 1.0;
    }
    let variance = |k: usize| squares[k] - sum[k] * sum[k] / count;
    let mut axes = [0, 1, 2];
    axes.sort_by(|a, b| variance(*b).total_cmp(&variance(*a)));
    axes
}
