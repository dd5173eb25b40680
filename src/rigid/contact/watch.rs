//! Which things have moved since their contacts were found, and which boxes around them meet.

use super::broad::{Bounds, Sweep};
use super::manifold::Point;
use super::thing::{Standing, Thing, smallest};
use crate::math::{Quat, Vec3};
use crate::threads::Team;

/// How far a thing may have moved for its contacts to be as they were, in parts of the smallest body's reach.
const STILL: f32 = 0.0025;
/// How much room a box has in which its body may move before boxes are searched again, in the same parts.
const ROOM: f32 = 0.05;
/// How far things are found beyond touching where no margin is given, in the same parts.
const MARGIN: f32 = 0.04;

/// Where things were, and what has moved since.
pub(super) struct Watch {
    /// Pairs that never touch, sorted: what joints join.
    apart: Vec<[u32; 2]>,
    pub(super) margin: f32,
    /// The time until things are found again (s).
    pub(super) ahead: f32,
    /// The reach of the smallest body that moves (m).
    smallest: f32,
    pub(super) sweep: Sweep,
    /// The boxes last searched.
    roomy: Vec<Bounds>,
    /// Where things were when they had last moved, and which have now.
    anchors: Vec<Option<(Point, Quat<f32>)>>,
    pub(super) moved: Vec<bool>,
}

impl Watch {
    pub(super) fn new(
        things: &[Thing],
        apart: Vec<[u32; 2]>,
        margin: Option<f64>,
        ahead: f64,
    ) -> Self {
        let smallest = smallest(things);
        Self {
            apart,
            margin: margin.map_or(MARGIN * smallest, |margin| margin as f32),
            ahead: ahead as f32,
            smallest,
            sweep: Sweep::default(),
            roomy: Vec::new(),
            anchors: Vec::new(),
            moved: vec![true; things.len()],
        }
    }

    /// Looks which things have moved, and which boxes meet; whether anything is other than it was. `passes`: how many times the
    /// way ahead counts.
    pub(super) fn look(
        &mut self,
        team: &Team,
        (things, standings): (&[Thing], &[Standing]),
        passes: f32,
    ) -> bool {
        let mut anew = self.look_who_moved(things, standings);
        let (margin, ahead) = (self.margin, self.ahead);
        let bounds: Vec<_> = (0..things.len())
            .map(|i| {
                let Standing { x, q, v, spin } = standings[i];
                let geometry = &things[i].geometry;
                let reach = geometry.reach();
                if reach == 0.0 || !reach.is_finite() {
                    return None;
                }
                let more = 0.5 * margin + (v.length() + spin * reach) * (passes * ahead);
                let e = geometry.extent(q) + Vec3::new(more, more, more);
                let corners = [x - e, x + e];
                let sum = corners[0] + corners[1];
                (sum.x + sum.y + sum.z).is_finite().then_some(corners)
            })
            .collect();
        // Boxes are searched with room to spare, and again only when something has left its own.
        let held = |(wide, tight): (&Bounds, &Bounds)| match (wide, tight) {
            (Some([low, high]), Some([from, to])) => is_below(*low, *from) && is_below(*to, *high),
            (wide, tight) => wide.is_none() && tight.is_none(),
        };
        if bounds.len() != self.roomy.len() || !self.roomy.iter().zip(&bounds).all(held) {
            let room = ROOM * self.smallest;
            let room = Vec3::new(room, room, room);
            let wider = |[low, high]: [Point; 2]| [low - room, high + room];
            self.roomy = bounds.iter().map(|bounds| bounds.map(wider)).collect();
            let apart = &self.apart;
            let keep = |a: u32, b: u32| {
                let both_still = things[a as usize].still && things[b as usize].still;
                !both_still && apart.binary_search(&[a, b]).is_err()
            };
            self.sweep.find(team, &self.roomy, keep);
            anew = true;
        }
        anew
    }

    /// Marks what has moved since its contacts were found, or may in a step: by so little that none of its pairs can have
    /// come to touch, and that points and normals are what they were.
    fn look_who_moved(&mut self, things: &[Thing], standings: &[Standing]) -> bool {
        let most = (STILL * self.smallest).min(self.margin / 8.0);
        self.anchors.resize(things.len(), None);
        let mut any = false;
        for (i, Standing { x, q, v, spin }) in standings.iter().enumerate() {
            let reach = things[i].geometry.reach();
            let at_reach = |turn: f32| if turn > 0.0 { turn * reach } else { 0.0 };
            let still = self.anchors[i].is_some_and(|(from, turn)| {
                let turned = (*q * turn.conjugate()).vector();
                let way = (*x - from).length() + at_reach(2.0 * turned.length());
                let ahead = (v.length() + at_reach(*spin)) * self.ahead;
                way < most && ahead < self.margin / 4.0
            });
            self.moved[i] = !still;
            any |= !still;
            if !still {
                self.anchors[i] = Some((*x, *q));
            }
        }
        any
    }
}

/// In every coordinate.
fn is_below(a: Point, b: Point) -> bool {
    a.x <= b.x && a.y <= b.y && a.z <= b.z
}
