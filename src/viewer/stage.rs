//! A model as it is drawn: its surfaces; where there is no surface, rods for rows of two and balls for particles; its pins.

use super::body_mesh::BodyMesh;
use super::collider_mesh::ColliderMesh;
use super::joint_lines::JointLines;
use super::overlay::{Overlay, Springs, distance, round_up, speeds, typical_most};
use crate::collision::{Collider, Shape, Solid};
use crate::coloring::Plan;
use crate::error::ModelError;
use crate::model::{Model, Skin};
use crate::render::{Bounds, Camera, Canvas, Ground, Lines, Mesh, Paint, Picture, Points, color};
use crate::state::Snapshot;

/// Segments of one color.
type Rods = (u32, Vec<[u32; 2]>);

/// Bounds where there is nothing to see.
pub(super) const EMPTY: Bounds = Bounds { least: [-0.5; 3], most: [0.5; 3] };
/// Color of surfaces below the rows of the batch overlay, and of colliders.
const PALE: u32 = 0xE8_EAEE;
/// Color of pins and joints.
const PIN: u32 = 0x23_2A34;

/// Color of everything without a color of its own.
fn plain() -> u32 {
    color::distinct(0)
}

/// A model, ready to be drawn in any of its states.
pub struct Stage {
    overlay: Overlay,
    triangles: Vec<[u32; 3]>,
    skins: Vec<Skin>,
    /// Rows to draw, by their color.
    rods: Vec<Rods>,
    /// Particles that no surface shows.
    balls: Vec<u32>,
    pins: Vec<u32>,
    springs: Springs,
    bodies: Vec<BodyMesh>,
    joints: JointLines,
    /// Radius of balls, rods and pins (m).
    radius: f32,
    rod_radius: f32,
    pin_radius: f32,
    ground: Ground,
    colliders: Vec<Collider>,
    /// The overlay's full scale; zero until a state was seen.
    most: f32,
}

/// Whether each of `count` particles is among `particles`.
fn among<'a>(count: usize, particles: impl IntoIterator<Item = &'a u32>) -> Vec<bool> {
    let mut among = vec![false; count];
    for &i in particles {
        among[i as usize] = true;
    }
    among
}

impl Stage {
    /// A stage for all states of `model` within `bounds`.
    ///
    /// # Errors
    /// A model that cannot be colored, where the overlay shows the coloring.
    pub fn new(model: &Model, overlay: Overlay, bounds: Bounds) -> Result<Self, ModelError> {
        let count = model.positions().len();
        let lists = || model.rows().iter().map(|set| set.row_list());
        let shown = among(count, model.triangles().as_flattened());
        let fours = lists().filter(|list| list.arity == 4);
        // Within a solid: rods to its skin would stand out of it.
        let mut inside = among(count, fours.flat_map(|list| list.particles));
        for (inside, &shown) in inside.iter_mut().zip(&shown) {
            *inside &= !shown;
        }
        let linked = among(count, lists().flat_map(|list| list.particles));
        let all = || 0..count as u32;
        let size = (0..3).map(|k| bounds.most[k] - bounds.least[k]);
        let size = size.fold(1e-3, f32::max);
        let pairs = pairs(model);
        let length = mean_length(model, &pairs).unwrap_or(size);
        let rods = match overlay {
            Overlay::Batch => batches(model)?,
            _ => {
                let hidden = |[a, b]: &[u32; 2]| {
                    let [a, b] = [*a as usize, *b as usize];
                    inside[a] || inside[b] || (shown[a] && shown[b])
                };
                let bare = pairs.into_iter().filter(|pair| !hidden(pair));
                vec![(plain(), bare.collect())]
            }
        };
        let bare = |&i: &u32| !shown[i as usize] && !inside[i as usize];
        let pinned = |&i: &u32| model.inverse_masses()[i as usize] == 0.0 && linked[i as usize];
        Ok(Self {
            overlay,
            balls: all().filter(bare).collect(),
            triangles: model.bare_triangles(),
            skins: model.skins().to_vec(),
            rods,
            pins: all().filter(pinned).collect(),
            springs: Springs::of(model),
            radius: match model.contacts() {
                Some(contacts) if contacts.pairs => contacts.radius as f32,
                _ => (0.3 * length).clamp(0.006 * size, 0.012 * size),
            },
            bodies: BodyMesh::all(model),
            joints: JointLines::of(model),
            rod_radius: match overlay {
                Overlay::Batch => 0.08 * length, // thin enough to tell the rows apart
                _ => (0.12 * length).clamp(0.004 * size, 0.005 * size),
            },
            pin_radius: 0.011 * size,
            ground: ground(model, bounds.least[1], size),
            colliders: colliders(model).to_vec(),
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
        if let Some(values) = self.values(state) {
            self.most = self.most.max(round_up(typical_most(&values)));
        }
    }

    fn values(&self, state: &Snapshot) -> Option<Vec<f32>> {
        match self.overlay {
            Overlay::Stretch => Some(self.springs.strains(&state.positions)),
            Overlay::Speed => Some(speeds(state)),
            Overlay::Plain | Overlay::Batch => None,
        }
    }

    fn colors(&self, state: &Snapshot) -> Option<Vec<u32>> {
        let map = match self.overlay {
            Overlay::Stretch => color::diverging,
            _ => color::sequential,
        };
        let values = self.values(state)?;
        Some(values.iter().map(|v| map(v / self.most)).collect())
    }

    /// Draws a state of the model.
    pub fn draw(&self, state: &Snapshot, camera: &Camera, canvas: &mut Canvas) {
        let positions = &state.positions;
        let colors = self.colors(state);
        let paint = |plain: u32| colors.as_deref().map_or(Paint::One(plain), Paint::Each);
        let placed = self.place(state);
        let joints = Lines {
            positions: &placed.joints,
            segments: &self.joints.segments,
            paint: Paint::One(PIN),
            radius: 0.0, // hairlines: rods would hide thin bodies
        };
        let rods = self.rods.iter().map(|(color, segments)| Lines {
            positions,
            segments,
            paint: paint(*color),
            radius: self.rod_radius,
        });
        let pick = |of: &[u32]| of.iter().map(|&i| positions[i as usize]).collect();
        let [balls, pins]: [Vec<_>; 2] = [pick(&self.balls), pick(&self.pins)];
        let ball_colors = colors.as_ref().map(|colors| {
            let of = |&i: &u32| colors[i as usize];
            self.balls.iter().map(of).collect::<Vec<_>>()
        });
        let ball_paint = ball_colors.as_deref().map(Paint::Each);
        let points = [
            Points {
                positions: &balls,
                paint: ball_paint.unwrap_or(Paint::One(plain())),
                radius: self.radius,
            },
            Points { positions: &pins, paint: Paint::One(PIN), radius: self.pin_radius },
        ];
        let surface = match self.overlay {
            Overlay::Batch => PALE,
            _ => plain(),
        };
        let picture = Picture {
            ground: Some(self.ground),
            meshes: &self.meshes(positions, &placed, paint(surface)),
            lines: &rods.chain([joints]).collect::<Vec<_>>(),
            points: &points,
            ..Picture::default()
        };
        picture.draw(camera, canvas);
    }

    fn place(&self, state: &Snapshot) -> Placed {
        let skins = self.skins.iter().map(|skin| skin.positions(&state.positions));
        let mesh = |collider| ColliderMesh::of(collider, state.time);
        let bodies = self.bodies.iter().zip(&state.bodies);
        Placed {
            skins: skins.collect(),
            colliders: self.colliders.iter().map(mesh).collect(),
            bodies: bodies.map(|(body, pose)| body.place(*pose)).collect(),
            joints: self.joints.place(state),
        }
    }

    fn meshes<'a>(
        &'a self,
        positions: &'a [[f32; 3]],
        placed: &'a Placed,
        paint: Paint<'a>,
    ) -> Vec<Mesh<'a>> {
        let mut meshes = vec![Mesh { paint, ..Mesh::new(positions, &self.triangles) }];
        let skins = self.skins.iter().zip(&placed.skins);
        meshes.extend(skins.map(|(skin, at)| Mesh::new(at, skin.triangles())));
        meshes.extend(placed.colliders.iter().map(|mesh| Mesh {
            paint: Paint::One(PALE),
            smooth: mesh.smooth,
            ..Mesh::new(&mesh.positions, &mesh.triangles)
        }));
        let bodies = self.bodies.iter().zip(&placed.bodies);
        meshes.extend(bodies.map(|(body, corners)| body.mesh(corners)));
        meshes
    }
}

/// Corners of everything but the particles in a state (m).
struct Placed {
    skins: Vec<Vec<[f32; 3]>>,
    colliders: Vec<ColliderMesh>,
    bodies: Vec<Vec<[f32; 3]>>,
    joints: Vec<[f32; 3]>,
}

fn colliders(model: &Model) -> &[Collider] {
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

/// The box around every particle and every body of a state.
pub(super) fn bounds_of(model: &Model, state: &Snapshot) -> Option<Bounds> {
    let bodies = model.bodies().iter().zip(&state.bodies);
    let corners = bodies.flat_map(|(body, [x, y, z, ..])| {
        let reach = body.shape.reach() as f32;
        [-reach, reach].map(|r| [x + r, y + r, z + r])
    });
    let corners: Vec<_> = corners.collect();
    Bounds::of(state.positions.iter().chain(&corners))
}

/// All rows of two particles.
fn pairs(model: &Model) -> Vec<[u32; 2]> {
    let lists = model.rows().iter().map(|set| set.row_list());
    let twos = lists.filter(|list| list.arity == 2);
    let rows = twos.flat_map(|list| list.particles.chunks_exact(2));
    rows.map(|row| [row[0], row[1]]).collect()
}

fn mean_length(model: &Model, pairs: &[[u32; 2]]) -> Option<f32> {
    let length = |&pair: &[u32; 2]| distance(model.positions(), pair);
    let sum: f32 = pairs.iter().map(length).sum();
    (!pairs.is_empty()).then(|| sum / pairs.len() as f32)
}

/// The rows of two particles by the color they have in their tile; where there are none, the edges of all other rows.
fn batches(model: &Model) -> Result<Vec<Rods>, ModelError> {
    let plan = Plan::new(&model.plan_input())?;
    let lists: Vec<_> = model.rows().iter().map(|set| set.row_list()).collect();
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
