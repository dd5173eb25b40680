//! A bounding volume hierarchy: a tree of boxes that do not move, eight children a node, asked side by side (Wald, Benthin and
//! Boulos, *Getting Rid of Packets*, 2008).
//!
//! A part of the boxes is split in the middle of the longest axis of its middles, the fullest part of a node first, until it has
//! eight. A binary tree that was split alike took a third of the time of `parry3d` 0.31 to build over 200 000 triangles and two thirds to
//! find 28 of them, so that is not used; with eight children a node what is nearest is found faster still (profiling/README.md).

use super::boxes::{Bounds, NOTHING, join};
use crate::math::{F32x8, Real, WIDTH, each, lane_bits, pack, splat, unpack};

/// Marks the number of a box among the numbers of nodes.
const ITEM: u32 = 1 << 31;

/// A box and its number.
#[derive(Clone, Copy)]
struct Leaf {
    bounds: Bounds,
    item: u32,
}

struct Node {
    boxes: Bounds<F32x8>,
    /// A bit for each lane that has a child.
    filled: u32,
    /// The node of each, or the box it is.
    children: [u32; WIDTH],
}

impl Node {
    /// Which children meet a box.
    #[inline(always)]
    fn meets(&self, [least, most]: Bounds) -> u32 {
        let [from, to] = &self.boxes;
        let misses = |k: usize| splat(most[k]).lt(from[k]) | to[k].lt(splat(least[k]));
        self.filled & !lane_bits(misses(0) | misses(1) | misses(2))
    }

    /// The squares of how far a point is from each (m²).
    #[inline(always)]
    fn squares_to(&self, x: [f32; 3]) -> F32x8 {
        let [from, to] = &self.boxes;
        let along = |k: usize| {
            let x = splat(x[k]);
            (from[k] - x).max(x - to[k]).max(F32x8::zero())
        };
        let [x, y, z] = [along(0), along(1), along(2)];
        x * x + y * y + z * z
    }
}

/// A tree of boxes.
pub(crate) struct Bvh {
    nodes: Vec<Node>,
    /// The box around all.
    bounds: Bounds,
}

impl Bvh {
    /// The tree over `boxes`; the same for the same boxes.
    pub(crate) fn new(boxes: impl Iterator<Item = Bounds>) -> Self {
        let (leaves, nodes) = grown(boxes);
        Self { nodes, bounds: around(&leaves) }
    }

    /// The box around all.
    pub(super) fn bounds(&self) -> Bounds {
        self.bounds
    }

    /// Does `act` with the number of each box that meets `bounds`, in the [order](order_of) of the tree.
    #[inline(always)]
    pub(super) fn meet(&self, bounds: Bounds, mut act: impl FnMut(u32)) {
        if !self.nodes.is_empty() {
            self.descend(0, bounds, &mut act);
        }
    }

    fn descend(&self, at: u32, bounds: Bounds, act: &mut impl FnMut(u32)) {
        let node = &self.nodes[at as usize];
        let mut met = node.meets(bounds);
        while met != 0 {
            let child = node.children[met.trailing_zeros() as usize];
            met &= met - 1;
            match child & ITEM {
                0 => self.descend(child, bounds, act),
                _ => act(child ^ ITEM),
            }
        }
    }

    /// Does `act` with the numbers of boxes that reach as near to `x` as `square` (m²), of those of a node with the nearest first; it
    /// says how near those to come must reach then, if it knows better.
    pub(crate) fn nearest(
        &self,
        x: [f32; 3],
        mut square: f32,
        act: &mut impl FnMut(u32) -> Option<f32>,
    ) {
        if !self.nodes.is_empty() {
            self.approach(0, x, &mut square, act);
        }
    }

    fn approach(
        &self,
        at: u32,
        x: [f32; 3],
        square: &mut f32,
        act: &mut impl FnMut(u32) -> Option<f32>,
    ) {
        let node = &self.nodes[at as usize];
        let squares = node.squares_to(x);
        let mut left = node.filled & !lane_bits(splat(*square).lt(squares));
        let squares = unpack(squares);
        while left != 0 {
            let lane = nearest_lane(left, &squares);
            left &= !(1 << lane);
            if squares[lane] > *square {
                return;
            }
            match node.children[lane] {
                child if child & ITEM == 0 => self.approach(child, x, square, act),
                item => *square = act(item ^ ITEM).unwrap_or(*square),
            }
        }
    }
}

/// The lane of `left` with the least of `squares`.
#[inline(always)]
fn nearest_lane(mut left: u32, squares: &[f32; WIDTH]) -> usize {
    let mut lane = left.trailing_zeros() as usize;
    left &= left - 1;
    while left != 0 {
        let other = left.trailing_zeros() as usize;
        lane = if squares[other] < squares[lane] { other } else { lane };
        left &= left - 1;
    }
    lane
}

/// The numbers of boxes in the order of their tree: what lies together is near in it.
pub(super) fn order_of(boxes: impl Iterator<Item = Bounds>) -> impl Iterator<Item = u32> {
    let (leaves, _) = grown(boxes);
    leaves.into_iter().map(|leaf| leaf.item)
}

/// Boxes in the order of their tree, and its nodes.
fn grown(boxes: impl Iterator<Item = Bounds>) -> (Vec<Leaf>, Vec<Node>) {
    let leaf = |(i, bounds): (usize, Bounds)| Leaf { bounds, item: i as u32 };
    let mut leaves: Vec<Leaf> = boxes.enumerate().map(leaf).collect();
    let mut nodes = Vec::new();
    if !leaves.is_empty() {
        grow(&mut leaves, &mut nodes);
    }
    (leaves, nodes)
}

/// Adds the tree over `leaves` to `nodes`, and sorts them along it; the number of its root.
fn grow(leaves: &mut [Leaf], nodes: &mut Vec<Node>) -> u32 {
    let at = nodes.len();
    let mut ends = vec![0, leaves.len()];
    while ends.len() <= WIDTH {
        let sizes = ends.windows(2).map(|pair| pair[1] - pair[0]);
        let (k, size) =
            sizes.enumerate().fold((0, 0), |best, part| if part.1 > best.1 { part } else { best });
        if size < 2 {
            break;
        }
        let (first, end) = (ends[k], ends[k + 1]);
        ends.insert(k + 1, first + split(&mut leaves[first..end]));
    }
    let mut lanes = [NOTHING; WIDTH];
    for (lane, pair) in lanes.iter_mut().zip(ends.windows(2)) {
        *lane = around(&leaves[pair[0]..pair[1]]);
    }
    let column = |corner: usize, k: usize| pack(each(lanes, |bounds| bounds[corner][k]));
    let boxes = each([0, 1], |corner| each([0, 1, 2], |k| column(corner, k)));
    let filled = (1 << (ends.len() - 1)) - 1;
    nodes.push(Node { boxes, filled, children: [0; WIDTH] });
    for (lane, pair) in ends.windows(2).enumerate() {
        nodes[at].children[lane] = match &mut leaves[pair[0]..pair[1]] {
            [leaf] => leaf.item | ITEM,
            part => grow(part, nodes),
        };
    }
    at as u32
}

/// Sorts into those before the center of their longest axis and the others; how many come first. Neither part is empty.
fn split(leaves: &mut [Leaf]) -> usize {
    // Twice the middles.
    let middle = |Leaf { bounds: [least, most], .. }: &Leaf, axis: usize| least[axis] + most[axis];
    let middles = |leaf: &Leaf| [[0, 1, 2].map(|axis| middle(leaf, axis)); 2];
    let [least, most] = leaves.iter().map(middles).fold(NOTHING, join);
    let size = [0, 1, 2].map(|axis| most[axis] - least[axis]);
    let axis = (1..3).fold(0, |axis, k| if size[k] > size[axis] { k } else { axis });
    let center = 0.5 * least[axis] + 0.5 * most[axis];
    let mut count = 0;
    for i in 0..leaves.len() {
        if middle(&leaves[i], axis) < center {
            leaves.swap(i, count);
            count += 1;
        }
    }
    // All in one place: any half.
    if count == 0 { leaves.len() / 2 } else { count }
}

/// The box around leaves.
fn around(leaves: &[Leaf]) -> Bounds {
    leaves.iter().map(|leaf| leaf.bounds).fold(NOTHING, join)
}
