//! What an island of contacts is like: how high its bodies lie on each other, how unequal they are, and what its solution takes.

use super::direct_point::Place;
use super::manifold::{self, Manifold};
use super::settings::ContactSettings;
use crate::math::Vec3;
use crate::state::Body;
use crate::subsystem::BuildContext;

/// How many times a body outweighs another that it touches, at least.
const RATIO: f64 = 8.0;
/// A tower of L bodies of height a, half as wide as r, falls faster than n passes hold it where this times L³ g h² a / r² is more
/// than n: 0.4 of what makes twenty boxes fall. Where they are not equal, L is the most that one carries in parts of its own mass.
const TIPS: f64 = 0.32;
/// Where a is more than this times r, a tower does not fall, but trembles: five boxes of 0.2 m x 0.6 m by 3 cm/s at 8 x 2.
const SLIM: f64 = 4.0;
/// Fewer on each other are no tower.
pub(super) const LEAST: f64 = 4.0;

/// A manifold that is solved.
#[derive(Clone, Copy)]
pub(super) struct Contact {
    pub(super) island: usize,
    pub(super) level: u32,
    pub(super) row: u32,
    pub(super) place: Place,
    /// How many points it may have while contacts are not others: [`Manifold::is_like`].
    pub(super) most: usize,
    /// b only if contacts move it.
    pub(super) bodies: [Option<u32>; 2],
}

/// Of islands one by one.
pub(super) struct IslandMeasures {
    /// 1 / m of each instance; 0 of what no contact moves (1/kg).
    inverse_masses: Vec<f64>,
    /// `TIPS` g h² / n (m).
    tips: f64,
    /// Room, of each instance: how many contacts it is from what never moves, and its first point.
    levels: Vec<u32>,
    firsts: Vec<usize>,
    members: Vec<u32>,
}

impl IslandMeasures {
    /// For so many instances, bodies first.
    pub(super) fn new(
        context: &BuildContext,
        instances: usize,
        settings: &ContactSettings,
    ) -> Self {
        let mass = |body: &Body| if body.fixed { 0.0 } else { 1.0 / body.mass };
        let mut inverse_masses: Vec<f64> = context.bodies.iter().map(mass).collect();
        inverse_masses.resize(instances, 0.0);
        Self {
            inverse_masses,
            tips: TIPS * settings.falls / f64::from(settings.iterations),
            levels: vec![0; instances],
            firsts: vec![0; instances],
            members: Vec::new(),
        }
    }

    /// Orders an island's contacts from what never moves on, the same whatever lies side by side, so that the factor is thin; how
    /// many lie on each other.
    pub(super) fn order(&mut self, island: &mut [Contact]) -> u32 {
        let levels = &mut self.levels;
        let bodies = |contact: &Contact| contact.bodies.map(|body| body.map(|i| i as usize));
        island.iter().flat_map(bodies).flatten().for_each(|i| levels[i] = u32::MAX);
        let mut is_done = false;
        while !is_done {
            is_done = true;
            for contact in island.iter_mut() {
                let [a, b] = bodies(contact);
                let [of_a, of_b] = [a, b].map(|end| end.map_or(0, |i| levels[i]));
                contact.level = of_a.min(of_b);
                for i in [a, b].into_iter().flatten() {
                    let next = contact.level.saturating_add(1);
                    if next < levels[i] {
                        levels[i] = next;
                        is_done = false;
                    }
                }
            }
        }
        island.sort_unstable_by_key(|contact| (contact.level, contact.row));
        let highest = island.iter().map(|contact| contact.level).filter(|level| *level < u32::MAX);
        highest.max().map_or(0, |level| level + 1)
    }

    /// The most that bodies of one level carry, themselves included, in parts of their own mass: of equal bodies on each other their
    /// number.
    pub(super) fn load(&mut self, island: &[Contact]) -> f64 {
        let Self { members, levels, inverse_masses, .. } = self;
        members.clear();
        members.extend(island.iter().flat_map(|contact| contact.bodies).flatten());
        members.retain(|&i| inverse_masses[i as usize] > 0.0);
        members.sort_unstable_by_key(|&i| (std::cmp::Reverse(levels[i as usize]), i));
        members.dedup();
        let mut carried = 0.0;
        let level = |i: &u32| levels[*i as usize];
        let loads = members.chunk_by(|a, b| level(a) == level(b)).map(|level| {
            let mass: f64 = level.iter().map(|&i| 1.0 / inverse_masses[i as usize]).sum();
            carried += mass;
            carried / mass
        });
        loads.fold(0.0, f64::max)
    }

    pub(super) fn is_unequal(&self, island: &[Contact]) -> bool {
        island.iter().any(|contact| match contact.bodies.map(|body| body.map(|i| i as usize)) {
            [Some(a), Some(b)] => {
                let [a, b] = [a, b].map(|i| self.inverse_masses[i]);
                a.max(b) >= RATIO * a.min(b)
            }
            _ => false,
        })
    }

    /// Whether bodies lie so high on each other that the passes do not hold them, or are so slim that they tremble.
    pub(super) fn is_tower(&self, island: &[Contact], height: f64, manifolds: &[Manifold]) -> bool {
        if height < LEAST {
            return false;
        }
        let faces = island.iter().filter_map(|contact| stance(&manifolds[contact.row as usize]));
        let mut sums = [0.0; 4];
        for [a, square] in faces {
            let each = [1.0, square / a, a * a, square];
            sums.iter_mut().zip(each).for_each(|(sum, each)| *sum += each);
        }
        let [count, width, high, across] = sums;
        let falls = height.powi(3) * self.tips * count > width;
        count > 0.0 && (falls || high > SLIM * SLIM * across)
    }

    /// What the factor takes, in products.
    pub(super) fn work(&mut self, island: &[Contact], is_jointed: bool) -> usize {
        if is_jointed {
            // All that hangs together meets.
            let points: usize = island.iter().map(|contact| contact.most).sum();
            return 9 * points.pow(3);
        }
        let mut points = 0;
        let mut work = 0;
        for i in island.iter().flat_map(|contact| contact.bodies).flatten() {
            self.firsts[i as usize] = usize::MAX;
        }
        for contact in island {
            let mut begin = points;
            for i in contact.bodies.into_iter().flatten() {
                let first = &mut self.firsts[i as usize];
                *first = points.min(*first);
                begin = begin.min(*first);
            }
            for _ in 0..contact.most {
                points += 1;
                work += 3 * (3 * (points - begin)).pow(2);
            }
        }
        work
    }
}

/// Of bodies that meet by a face, a from center to center (m), or twice that to what does not move, and r² the mean square of the
/// points' way across it, along its narrower side (m²).
fn stance(manifold: &Manifold) -> Option<[f64; 2]> {
    let points = &manifold.points[..manifold.count];
    if points.len() < 3 {
        return None;
    }
    let n = points.len() as f64;
    let all = points.iter().map(|point| point.anchors[0].to_f64());
    let center = all.clone().fold(Vec3::zero(), |sum, p| sum + p) * (1.0 / n);
    let mut arms = [Vec3::zero(); manifold::MOST];
    arms.iter_mut().zip(all).for_each(|(arm, p)| *arm = p - center);
    // The smaller of two eigenvalues, by their sum and product.
    let half = arms.iter().map(|arm| arm.dot(*arm)).sum::<f64>() / (2.0 * n);
    let pairs = (0..arms.len()).flat_map(|i| (0..i).map(move |j| [i, j]));
    let crossed = pairs.map(|[i, j]| arms[i].cross(arms[j]));
    let product = crossed.map(|c| c.dot(c)).sum::<f64>() / (n * n);
    let narrow = half - (half * half - product).max(0.0).sqrt();
    Some([2.0 * center.length(), narrow])
}
