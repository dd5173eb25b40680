//! The element nearest to a point: a tree of boxes around elements, so that not every one is asked.
//!
//! What an element says of its distance may be anything that is no less than that of its box, as the walk leaves out boxes
//! that are further away than the best so far. Of equals the first element is found.

/// A box, and where the walk goes on without what is below it.
struct Node {
    least: [f64; 3],
    most: [f64; 3],
    after: u32,
    /// The first of the elements below it; of a leaf, its own.
    first: u32,
    is_leaf: bool,
}

/// A tree over elements that do not move.
pub(super) struct Nearest {
    nodes: Vec<Node>,
}

impl Nearest {
    /// The tree over elements, each given by its number and its corners.
    pub(super) fn new<const N: usize>(
        elements: impl Iterator<Item = (u32, [[f64; 3]; N])>,
    ) -> Self {
        let mut leaves: Vec<Node> = elements.map(|(i, corners)| leaf(i, corners)).collect();
        let mut nodes = Vec::with_capacity(2 * leaves.len());
        if !leaves.is_empty() {
            grow(&mut leaves, &mut nodes);
        }
        Self { nodes }
    }

    /// The element of the least `distance` from `point`; `guess` is asked first.
    pub(super) fn find(
        &self,
        point: [f64; 3],
        guess: Option<u32>,
        distance: impl Fn(u32) -> Option<f64>,
    ) -> Option<u32> {
        let mut best = guess.and_then(|i| Some((distance(i)?, i)));
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let apart = node.distance(point);
            if best.is_some_and(|(d, i)| apart > d || apart == d && node.first > i) {
                at = node.after as usize;
                continue;
            }
            if node.is_leaf
                && let Some(d) = distance(node.first)
                && best.is_none_or(|(least, i)| d < least || d == least && node.first < i)
            {
                best = Some((d, node.first));
            }
            at += 1;
        }
        best.map(|(_, i)| i)
    }
}

impl Node {
    /// How far a point is from the box.
    fn distance(&self, point: [f64; 3]) -> f64 {
        let along = |k: usize| (self.least[k] - point[k]).max(point[k] - self.most[k]).max(0.0);
        (0..3).map(|k| along(k) * along(k)).sum::<f64>().sqrt()
    }
}

/// The box around an element, wider by more than rounding makes of a distance, and than a point inside may lie outside.
fn leaf<const N: usize>(i: u32, corners: [[f64; 3]; N]) -> Node {
    let mut node = Node {
        least: [f64::INFINITY; 3],
        most: [f64::NEG_INFINITY; 3],
        after: 0,
        first: i,
        is_leaf: true,
    };
    for (k, v) in corners.iter().flat_map(|corner| corner.iter().enumerate()) {
        node.least[k] = node.least[k].min(*v);
        node.most[k] = node.most[k].max(*v);
    }
    let sizes = (0..3).map(|k| node.most[k] - node.least[k]);
    let far = corners.as_flattened().iter().fold(0.0_f64, |far, v| far.max(v.abs()));
    let more = 1e-8 * sizes.fold(0.0, f64::max) + 1e-12 * far;
    for k in 0..3 {
        (node.least[k], node.most[k]) = (node.least[k] - more, node.most[k] + more);
    }
    node
}

/// Adds the tree over `leaves` to `nodes`: halves along the longest axis, so that it is never deep.
fn grow(leaves: &mut [Node], nodes: &mut Vec<Node>) {
    let at = nodes.len();
    let mut all = Node { is_leaf: leaves.len() == 1, ..leaf(u32::MAX, [[0.0; 3]; 0]) };
    for leaf in leaves.iter() {
        all.first = all.first.min(leaf.first);
        for k in 0..3 {
            all.least[k] = all.least[k].min(leaf.least[k]);
            all.most[k] = all.most[k].max(leaf.most[k]);
        }
    }
    let axis = (0..3).max_by(|&a, &b| {
        let size = |k: usize| all.most[k] - all.least[k];
        size(a).total_cmp(&size(b))
    });
    nodes.push(all);
    if leaves.len() > 1 {
        let axis = axis.expect("three axes");
        let middle = |leaf: &Node| leaf.least[axis] + leaf.most[axis];
        let half = leaves.len() / 2;
        leaves.select_nth_unstable_by(half, |a, b| {
            middle(a).total_cmp(&middle(b)).then(a.first.cmp(&b.first))
        });
        let (before, behind) = leaves.split_at_mut(half);
        grow(before, nodes);
        grow(behind, nodes);
    }
    nodes[at].after = nodes.len() as u32;
}
