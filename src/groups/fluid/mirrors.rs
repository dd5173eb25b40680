//! Walls as mirrors: beside a plane that does not move, a fluid meets its own image.
//!
//! ```text
//! image of x   x - 2 a n                            a how far x is from the plane, at least r; n its normal
//! d = x_i - x_j + 2 a_j n,   |d|² = |x_i - x_j|² + 4 a_i a_j
//! ```
//!
//! With its images a fluid fills space, so a lattice is at rest beside a wall; all forces are of one energy; and as pairs push each
//! other along a wall alike, it bears none of the weight. (Ghost particles: Libersky et al., *High Strain Lagrangian Hydrodynamics*,
//! 1993.) An image is farther than what it is of, so a particle sees images of its neighbors and of itself only. Where walls meet, images have images.

use super::kernel::Numbers;
use super::sums::Neighbor;
use super::walls::Wall;
use crate::math::{Real, Vec3};

/// The most walls that a particle sees itself in: a tank one particle wide has four and a floor.
const MOST: usize = 5;
/// Walls that face each other more nearly than this have no common images: those are out of reach.
const FACING: f64 = -0.9;

/// A wall beside particles side by side.
#[derive(Clone, Copy)]
struct Mirror<R> {
    normal: Vec3<R>,
    point: Vec3<R>,
    /// How far they are from it (m).
    depth: R,
}

impl<R: Real> Mirror<R> {
    /// In each lane the nearer of two, and the other.
    #[inline(always)]
    fn sorted([a, b]: [Self; 2]) -> [Self; 2] {
        let swap = b.depth.lt(a.depth);
        let pick = |a: Self, b: Self| Self {
            normal: Vec3::select(swap, b.normal, a.normal),
            point: Vec3::select(swap, b.point, a.point),
            depth: R::select(swap, b.depth, a.depth),
        };
        [pick(a, b), pick(b, a)]
    }
}

/// The walls in which particles side by side see themselves, the nearest first.
pub(super) struct Mirrors<R> {
    all: [Mirror<R>; MOST],
    count: usize,
    /// What images by way of a set of walls count as; the bits of an index say which of them.
    weights: [R; 1 << MOST],
    /// Room for how much farther than a neighbor its image in each wall is: by which way (m), and what that adds to t.
    farther: [(Vec3<R>, R); MOST],
}

impl<R: Real> Mirrors<R> {
    /// Those of particles at `x`, if any of them is near a wall.
    #[inline(always)]
    pub(super) fn beside(walls: &[Wall<R>], numbers: &Numbers<R>, x: Vec3<R>) -> Option<Self> {
        let is_near = |depth: R| !R::all(numbers.mirrored.lt(depth));
        let nearest = |least: R, wall: &Wall<R>| least.min(wall.depth(x));
        if !is_near(walls.iter().fold(R::huge(), nearest)) {
            return None;
        }
        let (zero, one) = (R::zero(), R::of(1.0));
        let nothing = Mirror { normal: Vec3::zero(), point: Vec3::zero(), depth: R::huge() };
        let (mut all, mut count) = ([nothing; MOST], 0);
        for wall in walls.iter().filter(|wall| is_near(wall.depth(x))) {
            let mut next = Mirror { normal: wall.normal, point: wall.point, depth: wall.depth(x) };
            count = MOST.min(count + 1);
            for mirror in &mut all[..count] {
                [*mirror, next] = Mirror::sorted([*mirror, next]);
            }
        }
        while count > 1 && !is_near(all[count - 1].depth) {
            count -= 1;
        }
        let mut weights = [one; 1 << MOST];
        for k in 0..count {
            let cosine = |nearer: &Mirror<R>| all[k].normal.dot(nearer.normal);
            let here = R::select(all[k].depth.lt(numbers.mirrored), one, zero);
            let own = all[..k].iter().fold(here, |own, nearer| own * single(cosine(nearer)));
            for set in 0..1 << k {
                let others = (0..k).filter(|l| set >> l & 1 == 1);
                let both = others.fold(own, |both, l| both * double(cosine(&all[l])));
                weights[set | 1 << k] = weights[set] * both;
            }
        }
        let farther = [(Vec3::zero(), zero); MOST];
        Some(Self { all, count, weights, farther })
    }

    /// Does `act` with the images of a neighbor at `other`, and with what each counts as. Particles nearer to a wall than their radius
    /// count as that far. So images push them along it only, and the contact across; as `ACROSS` they push so too.
    #[inline(always)]
    pub(super) fn each_image<const ACROSS: bool>(
        &mut self,
        numbers: &Numbers<R>,
        near: Neighbor<R>,
        other: Vec3<R>,
        mut act: impl FnMut(Neighbor<R>, Option<R>),
    ) {
        let is_out = |t: R| R::all(R::of(1.0).lt(t));
        // The walls in which its image is within reach: where it is not, those by way of this wall and others are not either.
        let mut within = 0;
        for (k, mirror) in self.all[..self.count].iter().enumerate() {
            let off = (other - mirror.point).dot(mirror.normal).max(numbers.radius);
            let own = mirror.depth.max(numbers.radius);
            let twice = off + off;
            let pushes = match ACROSS {
                true => twice,
                false => R::select(numbers.radius.lt(mirror.depth), twice, R::zero()),
            };
            let t = twice * (own + own) * numbers.inverse_square;
            self.farther[k] = (mirror.normal * pushes, t);
            within |= usize::from(!is_out(near.relative_square() + t)) << k;
        }
        // All sets of these, in ascending order: the next is (set - within) & within.
        let mut set = 0_usize.wrapping_sub(within) & within;
        while set > 0 {
            let (mut across, mut t) = (Vec3::zero(), near.relative_square());
            let mut left = set;
            while left > 0 {
                let by = self.farther[left.trailing_zeros() as usize];
                across += by.0;
                t = t + by.1;
                left &= left - 1;
            }
            if !is_out(t) {
                act(near.image(across, t), Some(self.weights[set]));
            }
            set = set.wrapping_sub(within) & within;
        }
    }
}

/// What the image in a wall counts as beside a nearer wall, c the cosine of the angle between their normals. At an angle α between walls
/// there is room for 2π/α - 1 images: beyond 120 degrees for less than one in each, and for one where both are the same plane.
#[inline(always)]
fn single<R: Real>(c: R) -> R {
    (R::of(2.0) - (c + c)).clamp(R::zero(), R::of(1.0))
}

/// What the image by way of both counts as: up to 120 degrees there is room for it too.
#[inline(always)]
fn double<R: Real>(c: R) -> R {
    let both = (R::of(1.0) - (c + c)).clamp(R::zero(), R::of(1.0));
    R::select(c.lt(R::of(FACING)), R::zero(), both)
}
