//! Which joints are solved at once: islands of which passes would leave some open.
//!
//! ```text
//! n passes of substeps of h leave open      A_kk |λ_k| / n      λ = A⁻¹ J g h², what the joints bear at rest, A = J M⁻¹ Jᵀ + α̃
//!                                           M / m g h² / n      between bodies of m and M, whatever bears them
//! ```
//!
//! as a row takes what it meets in a pass, and the load comes again in each substep. g is taken along each axis: what lies level now
//! may hang later.

use super::end::{End, EndKind};
use super::joint::Element;
use super::joint_island::{Island, Member};
use super::link::Params;
use crate::coloring::UnionFind;
use crate::constraints::per_substep;
use crate::math::Vec3;
use crate::mesh::point;
use crate::settings::Settings;
use crate::state::MovingBody;
use crate::subsystem::BuildContext;
use std::collections::{BTreeMap, BTreeSet};

/// What passes may leave open, in parts of the joint's arm or in radians; less where bodies are unequal: what is taut bears many
/// times the load.
const OPEN: f64 = 0.03;
const OPEN_UNEQUAL: f64 = 0.003;
/// A body that outweighs another that it is joined to so many times is a load, whatever bears it.
const RATIO: f64 = 8.0;
/// What falls where nothing pulls (m/s²): loads swing there too.
const EARTH: f64 = 9.81;
/// Islands of more joints than this are left to the passes.
const MOST: usize = 512;
/// So are islands whose factorisation takes more products than this.
const MOST_WORK: usize = 310_000;

/// The joints of an island, and what they join.
type Parts = (Vec<Member>, Vec<(EndKind, u32)>);

/// The islands that are to be solved at once.
pub(super) fn islands(all: &[&Element], context: &BuildContext) -> Vec<Parts> {
    let settings = context.settings;
    if settings.iterations == 0 {
        return Vec::new();
    }
    let bodies = context.bodies.len();
    // A number of each end that moves.
    let name = |end: &End| match *end {
        End::World => None,
        End::Body(i) => (!context.bodies[i as usize].fixed).then_some(i),
        End::Particle(i) => (context.inverse_masses[i as usize] > 0.0).then_some(bodies as u32 + i),
    };
    // Joints, each with those of its elements that hold with any force.
    let mut joints: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
    for (i, element) in (0..).zip(all).filter(|(_, element)| element.params.most.is_infinite()) {
        joints.entry(element.joint).or_default().push(i);
    }
    let mut sets = UnionFind::new(bodies + context.positions.len());
    let bond = |elements: Vec<u32>| {
        let names = all[elements[0] as usize].ends.map(|end| name(&end));
        Bond { elements, names }
    };
    let bonds: Vec<Bond> = joints.into_values().map(bond).collect();
    for bond in &bonds {
        if let [Some(a), Some(b)] = bond.names {
            sets.join(a, b);
        }
    }
    let mut of_roots: BTreeMap<u32, Vec<Bond>> = BTreeMap::new();
    for bond in bonds {
        if let Some(any) = bond.names.into_iter().flatten().next() {
            of_roots.entry(sets.root(any)).or_default().push(bond);
        }
    }
    // One joint by itself is solved at once by a pass.
    let islands = of_roots.into_values().filter(|bonds| (2..=MOST).contains(&bonds.len()));
    let made = islands.filter_map(|bonds| {
        let (members, ends) = parts(all, &order(&bonds), settings);
        let mut island = Island::new(members, ends.iter().map(|end| (end.kind(), 0)).collect());
        island.bodies.extend(ends.iter().map(|end| at_rest(*end, context)));
        island.take_pulls();
        island.take_rows();
        let is_direct = island.begin_matrix() <= MOST_WORK && is_left_open(&mut island, settings);
        let place = |end: &End| (end.kind(), end.slot(context.permutation));
        is_direct.then(|| (island.members, ends.iter().map(place).collect()))
    });
    made.collect()
}

/// A joint's elements, and the numbers of those of its ends that move.
struct Bond {
    elements: Vec<u32>,
    names: [Option<u32>; 2],
}

/// The elements of an island as a walk into the depth leaves their joints, each after what hangs on it: so the factor of a tree is thin.
fn order(bonds: &[Bond]) -> Vec<u32> {
    let mut of_ends: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for (at, bond) in bonds.iter().enumerate() {
        bond.names.iter().flatten().for_each(|name| of_ends.entry(*name).or_default().push(at));
    }
    // From what is held outside, if anything is.
    let anchored = bonds.iter().find(|bond| bond.names.contains(&None)).unwrap_or(&bonds[0]);
    let first = anchored.names.into_iter().flatten().next().unwrap_or(0);
    let (mut order, mut is_taken) = (Vec::new(), vec![false; bonds.len()]);
    let mut is_seen = BTreeSet::from([first]);
    // Each end on the way, how many of its joints were looked at, and the elements that come after all that hangs on it: the joint
    // that leads there last.
    let mut way = vec![(first, 0, Vec::new())];
    while let Some((end, looked, after)) = way.last_mut() {
        let Some(&at) = of_ends[end].get(*looked) else {
            order.extend(after.iter().rev());
            way.pop();
            continue;
        };
        *looked += 1;
        if std::mem::replace(&mut is_taken[at], true) {
            continue;
        }
        let Bond { elements, names } = &bonds[at];
        match names.iter().flatten().find(|name| *name != end) {
            Some(next) if is_seen.insert(*next) => way.push((*next, 0, elements.clone())),
            _ => after.extend(elements),
        }
    }
    order
}

/// Members in this order, and their ends.
fn parts(all: &[&Element], order: &[u32], settings: &Settings) -> (Vec<Member>, Vec<End>) {
    let mut ends: Vec<End> = Vec::new();
    let mut place = |end: End| match ends.iter().position(|known| *known == end) {
        Some(at) => at as u32,
        None => {
            ends.push(end);
            ends.len() as u32 - 1
        }
    };
    let member = |&element: &u32| {
        let Element { block, params, ends, .. } = *all[element as usize];
        let params = Params { alpha: per_substep(params.alpha, settings.h()), ..params };
        let ends = ends.map(&mut place);
        Member { element, block, params, ends, lambda: [0.0; 6], push: [Vec3::zero(); 2] }
    };
    (order.iter().map(member).collect(), ends)
}

/// An end as authored.
fn at_rest(end: End, context: &BuildContext) -> MovingBody<f64> {
    match end {
        End::World => MovingBody::world(),
        End::Particle(i) => {
            let w = f64::from(context.inverse_masses[i as usize]);
            MovingBody::particle(point(context.positions, i), w)
        }
        End::Body(i) => {
            let body = &context.bodies[i as usize];
            let moves = if body.fixed { 0.0 } else { 1.0 };
            MovingBody {
                x: Vec3::of(body.position),
                q: body.principal(),
                w: moves / body.mass,
                inverse_inertia: Vec3::from(body.inertia.map(|i| moves / i)),
                ..MovingBody::world()
            }
        }
    }
}

/// Whether passes would leave a joint of an island open that is at rest.
fn is_left_open(island: &mut Island, settings: &Settings) -> bool {
    let gravity = Vec3::<f64>::of(settings.gravity).length();
    let fall = if gravity > 0.0 { gravity } else { EARTH } * settings.h().powi(2);
    let passes = f64::from(settings.iterations);
    let ratios = island.members.iter().map(|member| ratio(member, island));
    let is_unequal = ratios.fold(1.0, f64::max) >= RATIO;
    let most = passes * if is_unequal { OPEN_UNEQUAL } else { OPEN };
    let is_load = |member: &Member| {
        let ratio = ratio(member, island);
        ratio >= RATIO && ratio * fall > most * arms(member, island)[1]
    };
    island.members.iter().any(is_load)
        || (0..3).any(|axis| is_open(island, Vec3::axis(axis) * fall, most))
}

/// How many times one of a joint's bodies outweighs the other; 1 where only one moves.
fn ratio(member: &Member, island: &Island) -> f64 {
    let [a, b] = member.ends.map(|i| island.bodies[i as usize].w);
    if a > 0.0 && b > 0.0 { a.max(b) / a.min(b) } else { 1.0 }
}

/// A joint's longer arm, and that of its lighter body, or the longer where that has none (m).
fn arms(member: &Member, island: &Island) -> [f64; 2] {
    let moves = member.ends.map(|i| island.bodies[i as usize].w);
    let arms = [0, 1].map(|k| if moves[k] > 0.0 { member.params.arms[k].length() } else { 0.0 });
    let longer = arms[0].max(arms[1]);
    let lighter = arms[usize::from(moves[1] > moves[0])];
    [longer, if lighter > 0.0 { lighter } else { longer }]
}

/// Whether a row would be open by more than `most` where the island falls so far in a substep (m).
fn is_open(island: &mut Island, fall: Vec3<f64>, most: f64) -> bool {
    island.solution.clear();
    for row in &island.rows {
        let [a, b] = row.ends.map(|end| if end.is_some() { 1.0 } else { 0.0 });
        island.solution.push(row.row.linear.dot(fall) * (a - b));
    }
    island.solve();
    let island = &*island;
    island.rows.iter().zip(&island.solution).zip(&island.places).any(|((row, lambda), place)| {
        let [arm, _] = arms(&island.members[place.0], island);
        let unit = if row.row.linear.length() > 0.0 { arm } else { 1.0 };
        row.met(row) * lambda.abs() > most * unit
    })
}
