//! A model as it is drawn: its surfaces; where there is no surface, rods for rows of two and balls for particles; its pins.

use super::body_mesh::BodyMesh;
use super::joint_lines::JointLines;
use super::overlay::{Overlay, Springs, body_speeds, distance, round_up, speeds, typical_most};
use super::paints::Paints;
use super::torn::Torn;
use super::walls::{Wall, walls};
use crate::collision::{Collider, Shape, Solid};
use crate::error::ModelError;
use crate::groups::Pressures;
use crate::mesh::{enclosed_volume, surface_triangles, survey_surface};
use crate::model::{Model, Skin};
use crate::render::{Bounds, Ground, color};
use crate::state::Snapshot;
use crate::threads::{Team, cores};
use std::borrow::Cow;

/// Segments of one color.
type Rods = (u32, Vec<[u32; 2]>);

/// The least radius that a body looks like it has, as a share of the picture's size.
pub(super) const THIN: f32 = 0.007;
/// Walls go so much farther than what moves, as a share of the picture's size, and by the width of a ball.
const AIR: f32 = 0.02;

/// Color of everything without a color of its own.
fn plain() -> u32 {
    color::distinct(0)
}

/// A model, ready to be drawn in any of its states.
pub struct Stage {
    pub(super) overlay: Overlay,
    /// Who draws.
    pub(super) team: Team,
    pub(super) triangles: Vec<[u32; 3]>,
    pub(super) torn: Option<Torn>,
    /// Whether they are closed around what is within, and stay so.
    pub(super) is_closed: bool,
    /// Skins, and whether each is closed around what is within.
    pub(super) skins: Vec<(Skin, bool)>,
    /// Rows to draw, by their color.
    pub(super) rods: Vec<Rods>,
    /// Particles that no surface shows, but for those of water.
    pub(super) balls: Vec<u32>,
    pub(super) paints: Paints,
    pub(super) walls: Vec<Wall>,
    /// Largest side and height of all that is shown (m).
    pub(super) size: f32,
    pub(super) height: f32,
    pub(super) pins: Vec<u32>,
    pub(super) springs: Springs,
    pub(super) bodies: Vec<BodyMesh>,
    pub(super) joints: JointLines,
    /// Radius of balls, pins and rods (m).
    pub(super) radius: f32,
    pub(super) pin_radius: f32,
    pub(super) rod_radius: f32,
    pub(super) ground: Ground,
    pub(super) colliders: Vec<Collider>,
    /// Whether water is drawn as a surface, which takes longer than balls do.
    pub(super) is_fine: bool,
    /// The overlay's full scale; zero until a state was seen.
    pub(super) most: f32,
}

/// Whether each of `count` particles is among `particles`.
fn among<'a>(count: usize, particles: impl IntoIterator<Item = &'a u32>) -> Vec<bool> {
    let mut among = vec![false; count];
    for &i in particles {
        among[i as usize] = true;
    }
    among
}

/// Which particles a surface shows: copies that a tear may make too, as it will then.
fn shown(model: &Model, surface: &[[u32; 3]]) -> Vec<bool> {
    let corners = model.triangles().iter().chain(surface).flatten();
    let mut shown = among(model.positions().len(), corners);
    let copies = model.tears().iter().flat_map(|tear| tear.copies.clone());
    copies.for_each(|i| shown[i as usize] = true);
    shown
}

/// Particles that are drawn as water, or as pins: a ball would hide the pin in it. Those that touch others as balls are balls too.
fn others(model: &Model, water: &[u32]) -> Vec<u32> {
    match model.contacts().is_some_and(|contacts| contacts.pairs) {
        true => water.to_vec(),
        false => [water, &pins(model)].concat(),
    }
}

/// Particles that are seen by themselves, and are no others.
fn balls(shown: &[bool], inside: &[bool], others: &[u32]) -> Vec<u32> {
    let other = among(shown.len(), others);
    let bare = |&i: &usize| !(shown[i] || inside[i] || other[i]);
    (0..shown.len()).filter(bare).map(|i| i as u32).collect()
}

impl Stage {
    /// A stage for all states of `model` within `bounds`.
    ///
    /// # Errors
    /// A model that cannot be colored, where the overlay shows the coloring; threads that the system refuses.
    pub fn new(model: &Model, overlay: Overlay, bounds: Bounds) -> Result<Self, ModelError> {
        Self::painted(model, overlay, bounds, plain())
    }

    /// The same, what has no color of its own painted with `color`.
    pub(super) fn painted(
        model: &Model,
        overlay: Overlay,
        bounds: Bounds,
        color: u32,
    ) -> Result<Self, ModelError> {
        let surface = solid_surface(model);
        let shown = shown(model, &surface);
        let inside = inside(model, &shown);
        let size = bounds.longest_side().max(1e-3);
        let ground = ground(model, bounds.least[1], size);
        let reach = model.contacts().map_or(0.0, |contacts| contacts.radius as f32);
        let pairs = pairs(model);
        let length = mean_length(model, &pairs).unwrap_or(size);
        let hidden = |[a, b]: [usize; 2]| inside[a] || inside[b] || (shown[a] && shown[b]);
        let rods = match overlay {
            Overlay::Batch => batches(model)?,
            _ => {
                let bare = pairs.into_iter().filter(|pair| !hidden(pair.map(|i| i as usize)));
                vec![(plain(), bare.collect())]
            }
        };
        let paints = Paints::of(model, color);
        let triangles: Vec<_> = model.bare_triangles().into_iter().chain(surface).collect();
        Ok(Self {
            overlay,
            team: Team::new(cores())?,
            balls: balls(&shown, &inside, &others(model, &paints.water)),
            is_closed: is_inflated(model)
                && model.tears().is_empty()
                && is_closed(model.positions(), &triangles),
            springs: Springs::of(model, &triangles),
            triangles,
            torn: Torn::of(model),
            skins: skins(model),
            rods,
            pins: pins(model),
            radius: match model.contacts() {
                Some(contacts) if contacts.pairs => contacts.radius as f32,
                _ => (0.3 * length).clamp(0.006 * size, 0.012 * size),
            },
            paints,
            // Pins side by side are not to hide what they hold.
            pin_radius: (0.3 * length).clamp(0.005 * size, 0.011 * size),
            walls: walls(colliders(model), room(bounds, ground.height, AIR * size + 2.0 * reach)),
            size,
            height: bounds.most[1] - bounds.least[1],
            bodies: BodyMesh::all(model, THIN * size),
            joints: JointLines::of(model),
            rod_radius: match overlay {
                Overlay::Batch => 0.08 * length, // thin enough to tell the rows apart
                _ => (0.12 * length).clamp(0.004 * size, 0.005 * size),
            },
            ground,
            colliders: colliders(model).to_vec(),
            is_fine: false,
            most: 0.0,
        })
    }

    /// What the colors show.
    pub fn overlay(&self) -> Overlay {
        self.overlay
    }

    /// The overlay's full scale as a text, and nothing where colors have no scale.
    pub fn scale(&self) -> Option<[String; 2]> {
        let most = self.most;
        match self.overlay {
            Overlay::Stretch => {
                let percent = f64::from((1000.0 * most).round()) / 10.0;
                Some([-percent, percent].map(|p| format!("{p:+} %")))
            }
            Overlay::Speed => Some(["0".into(), format!("{most} m/s")]),
            Overlay::Plain | Overlay::Batch => None,
        }
    }

    /// Widens the overlay's scale, where a state goes beyond it.
    pub fn include(&mut self, state: &Snapshot) {
        if let Some(mut values) = self.values(state) {
            if self.overlay == Overlay::Speed {
                values.extend(body_speeds(state));
            }
            self.most = self.most.max(round_up(typical_most(&values)));
        }
    }

    /// Where particles are drawn (m).
    pub(super) fn positions<'a>(&self, state: &'a Snapshot) -> Cow<'a, [[f32; 3]]> {
        let torn = self.torn.as_ref().map(|torn| torn.positions(state));
        torn.unwrap_or(Cow::Borrowed(&state.positions))
    }

    /// What the colors of particles show.
    pub(super) fn values(&self, state: &Snapshot) -> Option<Vec<f32>> {
        match self.overlay {
            Overlay::Stretch => Some(self.springs.strains(&self.positions(state))),
            Overlay::Speed => Some(speeds(state)),
            Overlay::Plain | Overlay::Batch => None,
        }
    }
}

/// The box that walls are shown in: from the ground, a little larger than what moves.
fn room(bounds: Bounds, ground: f32, air: f32) -> Bounds {
    let [x, _, z] = bounds.least;
    Bounds { least: [x - air, ground, z - air], most: bounds.most.map(|v| v + air) }
}

/// Which particles lie within a solid, but for those of its skin: rods to them would stand out of it.
fn inside(model: &Model, shown: &[bool]) -> Vec<bool> {
    let fours = model.row_sets().map(|set| set.particles).filter(|list| list.arity == 4);
    let mut inside = among(shown.len(), fours.flat_map(|list| list.particles));
    for (inside, &shown) in inside.iter_mut().zip(shown) {
        *inside &= !shown;
    }
    inside
}

/// The surface of all tetrahedra, where a model shows no triangles of its own.
fn solid_surface(model: &Model) -> Vec<[u32; 3]> {
    if !model.triangles().is_empty() {
        return Vec::new();
    }
    let solid = |name| ["volume", "neo_hookean", "strain_tetrahedron"].contains(&name);
    let sets = model.row_sets().filter(|set| solid(set.kind)).map(|set| set.particles);
    let corners = |row: &[u32]| [row[0], row[1], row[2], row[3]];
    let tetrahedra: Vec<[u32; 4]> = sets.flat_map(|list| list.rows()).map(corners).collect();
    surface_triangles(model.positions(), &tetrahedra)
}

/// The skins of a model, and whether each is closed and wound outward.
fn skins(model: &Model) -> Vec<(Skin, bool)> {
    let skins = model.skins().iter().cloned();
    let closed = skins.map(|skin| {
        let is_closed = is_closed(&skin.positions(model.positions()), skin.triangles());
        (skin, is_closed)
    });
    closed.collect()
}

/// Whether something keeps closed surfaces from turning inside out.
fn is_inflated(model: &Model) -> bool {
    model.subsystems_of::<Pressures>().next().is_some()
}

/// Whether a surface is closed and wound outward.
fn is_closed(positions: &[[f32; 3]], triangles: &[[u32; 3]]) -> bool {
    let surface = survey_surface(triangles);
    let is_closed = surface.unbalanced == 0 && surface.boundary == 0;
    is_closed && enclosed_volume(positions, triangles) > 0.0
}

/// Particles that cannot move, of all that constraints join.
fn pins(model: &Model) -> Vec<u32> {
    let masses = model.inverse_masses();
    let mut joined = vec![false; masses.len()];
    model.each_joined(&mut |particles| particles.iter().for_each(|&i| joined[i as usize] = true));
    (0..masses.len() as u32).filter(|&i| masses[i as usize] == 0.0 && joined[i as usize]).collect()
}

/// What a model is held by.
pub(super) fn colliders(model: &Model) -> &[Collider] {
    let contacts = model.contacts();
    contacts.map_or(&[], |contacts| &contacts.colliders)
}

fn is_plane(collider: &Collider) -> bool {
    matches!(collider.solid(), Solid::Shape(Shape::Plane { .. }))
}

/// The ground: at the highest level floor, or a little below everything.
fn ground(model: &Model, least: f32, size: f32) -> Ground {
    let level = colliders(model).iter().filter_map(Collider::still_plane);
    let level = level.filter(|[_, normal]| normal[1] > 0.999);
    let level = level.map(|[point, _]| point[1] as f32).reduce(f32::max);
    let radius = match model.contacts() {
        Some(contacts) if contacts.colliders.iter().any(is_plane) => contacts.radius as f32,
        _ => 0.0,
    };
    let below = least - radius - 0.04 * size * f32::from(u8::from(radius == 0.0));
    Ground { height: level.unwrap_or(below), ..Ground::default() }
}

/// All rows of two particles.
fn pairs(model: &Model) -> Vec<[u32; 2]> {
    let lists = model.row_sets().map(|set| set.particles);
    let twos = lists.filter(|list| list.arity == 2);
    twos.flat_map(|list| list.rows()).map(|row| [row[0], row[1]]).collect()
}

fn mean_length(model: &Model, pairs: &[[u32; 2]]) -> Option<f32> {
    let length = |&pair: &[u32; 2]| distance(model.positions(), pair);
    let sum: f32 = pairs.iter().map(length).sum();
    (!pairs.is_empty()).then(|| sum / pairs.len() as f32)
}

/// The rows of two particles by the color they have in their tile; where there are none, the edges of all other rows.
fn batches(model: &Model) -> Result<Vec<Rods>, ModelError> {
    let plan = model.plan()?;
    let lists: Vec<_> = model.row_sets().map(|set| set.particles).collect();
    let twos = lists.iter().any(|list| list.arity == 2);
    let mut out: Vec<Rods> = Vec::new();
    for tile in plan.phases.chunk_by(|a, b| a.tile == b.tile) {
        let drawn = tile.iter().filter(|p| !twos || lists[p.set].arity == 2);
        for (i, phase) in drawn.enumerate() {
            if out.len() <= i {
                out.push((color::distinct(i), Vec::new()));
            }
            for &row in &plan.colorings[phase.set].colors()[phase.color] {
                let row = lists[phase.set].row(row);
                let edges = (1..row.len()).flat_map(|b| (0..b).map(move |a| [row[a], row[b]]));
                out[i].1.extend(edges);
            }
        }
    }
    Ok(out)
}
