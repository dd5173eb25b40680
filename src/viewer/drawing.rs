//! A stage drawn: its parts where a state puts them, and their colors.

use super::body_mesh::BodyMesh;
use super::collider_mesh::ColliderMesh;
use super::overlay::{Overlay, body_speeds};
use super::shot::Shot;
use super::stage::{Stage, THIN};
use super::walls::Wall;
use crate::render::{Camera, Canvas, Lines, Mesh, Paint, Picture, Points, Radius, color};
use crate::state::Snapshot;

/// Color of surfaces below the rows of the batch overlay.
const PALE: u32 = 0xE8_EAEE;
/// Color of colliders: darker than the ground, on which they lie.
const SOLID: u32 = 0xC2_C9D2;
/// Color of pins, and of joints.
const PIN: u32 = 0x23_2A34;
const JOINT: u32 = 0x4A_5462;
/// Color of walls, and of the edges of those that would hide something.
const WALL: u32 = 0xD3_DAE3;
const EDGE: u32 = 0x9A_A6B4;
/// Radius of joints, as a share of the picture's size.
const JOINT_RADIUS: f32 = 0.0014;

/// Bodies that a worker places at a time.
const BODIES: usize = 64;

/// Everything but the particles in a state.
struct Placed {
    skins: Vec<Vec<[f32; 3]>>,
    colliders: Vec<ColliderMesh>,
    /// The corners of all bodies, one after the other, and the color of each body.
    bodies: Vec<[f32; 3]>,
    body_colors: Vec<u32>,
    joints: Vec<[f32; 3]>,
    joint_segments: Vec<[u32; 2]>,
    /// Bodies that are balls: their centers, radii and colors.
    balls: Vec<[f32; 3]>,
    ball_radii: Vec<f32>,
    ball_colors: Vec<u32>,
    /// Ends of the lines along thin bodies, two of each, and their colors.
    spines: Vec<[f32; 3]>,
    spine_segments: Vec<[u32; 2]>,
    spine_colors: Vec<u32>,
}

impl Placed {
    /// Joints and spines in a picture of that size (m).
    fn lines(&self, size: f32) -> [Lines<'_>; 2] {
        [
            Lines {
                positions: &self.joints,
                segments: &self.joint_segments,
                paint: Paint::One(JOINT),
                radius: JOINT_RADIUS * size,
                lifted: false, // within bodies they are not seen
            },
            Lines {
                positions: &self.spines,
                segments: &self.spine_segments,
                paint: Paint::Each(&self.spine_colors),
                radius: THIN * size,
                lifted: true,
            },
        ]
    }

    /// Bodies that are balls.
    fn balls(&self) -> Points<'_> {
        Points {
            positions: &self.balls,
            paint: Paint::Each(&self.ball_colors),
            radius: Radius::Each(&self.ball_radii),
        }
    }
}

/// Some of the particles.
struct Picked {
    positions: Vec<[f32; 3]>,
    colors: Vec<u32>,
}

impl Picked {
    fn of(particles: &[u32], positions: &[[f32; 3]], colors: &[u32]) -> Self {
        Self {
            positions: particles.iter().map(|&i| positions[i as usize]).collect(),
            colors: particles.iter().map(|&i| colors[i as usize]).collect(),
        }
    }

    fn points(&self, radius: f32) -> Points<'_> {
        let (positions, paint) = (&self.positions, Paint::Each(&self.colors));
        Points { positions, paint, radius: Radius::One(radius) }
    }
}

impl Stage {
    /// Draws a state of the model, none of its joints broken.
    pub fn draw(&self, state: &Snapshot, camera: &Camera, canvas: &mut Canvas) {
        self.draw_but(state, &[], camera, canvas);
    }

    /// Draws what is seen of a simulation.
    pub(super) fn draw_shot(&self, shot: &Shot, camera: &Camera, canvas: &mut Canvas) {
        self.draw_but(&shot.state, &shot.broken, camera, canvas);
    }

    /// Draws a state of the model but for the joints that have broken.
    fn draw_but(&self, state: &Snapshot, broken: &[u32], camera: &Camera, canvas: &mut Canvas) {
        let positions = &*self.positions(state);
        let triangles = self.torn.as_ref().and_then(|torn| torn.triangles(state));
        let colors = self.colors(state);
        let placed = self.place(state, broken);
        let fixed = placed.lines(self.size);
        let is_batch = self.overlay == Overlay::Batch;
        let rods = self.rods.iter().map(|(color, segments)| Lines {
            positions,
            segments,
            paint: if is_batch { Paint::One(*color) } else { Paint::Each(&colors) },
            radius: self.rod_radius,
            lifted: true,
        });
        let skin_colors: Vec<Vec<u32>> = self
            .skins
            .iter()
            .map(|(skin, _)| skin.carriers().map(|i| colors[i as usize]).collect())
            .collect();
        let surface = if is_batch { Paint::One(PALE) } else { Paint::Each(&colors) };
        let (seen, hiding): (Vec<&Wall>, Vec<_>) =
            self.walls.iter().partition(|wall| wall.faces(camera.eye()));
        let [balls, water, mut pins] = [&self.balls, &self.paints.water, &self.pins]
            .map(|particles| Picked::of(particles, positions, &colors));
        pins.positions.extend(self.joints.anchors(broken));
        let pins = Points { paint: Paint::One(PIN), ..pins.points(self.pin_radius) };
        let balls = balls.points(self.radius);
        let all = [balls, placed.balls(), pins, water.points(self.paints.water_radius)];
        let solid = if self.is_fine { 3 } else { 4 };
        let picture = Picture {
            ground: Some(self.ground),
            meshes: &self.meshes(
                (positions, triangles.as_ref().unwrap_or(&self.triangles)),
                &placed,
                &seen,
                surface,
                &skin_colors,
            ),
            lines: &rods.chain(fixed).chain(hiding.into_iter().map(outline)).collect::<Vec<_>>(),
            points: &all[..solid],
            liquids: &all[solid..],
            ..Picture::default()
        };
        picture.draw_by(&self.team, camera, canvas);
    }

    /// The color of each particle.
    fn colors(&self, state: &Snapshot) -> Vec<u32> {
        let map = match self.overlay {
            Overlay::Stretch => color::diverging,
            _ => color::sequential,
        };
        let mut colors: Vec<u32> = match self.values(state) {
            Some(values) => return values.iter().map(|v| map(v / self.most)).collect(),
            None => self.paints.in_state(state, self.height),
        };
        self.torn.iter().for_each(|torn| torn.paint(state, &mut colors));
        colors
    }

    /// The color of each body: its own, or its speed's.
    fn body_colors(&self, state: &Snapshot) -> Vec<u32> {
        match self.overlay {
            Overlay::Speed if state.body_velocities.len() == self.bodies.len() => {
                let speeds = body_speeds(state).into_iter();
                speeds.map(|v| color::sequential(v / self.most)).collect()
            }
            _ => self.bodies.iter().map(|body| body.color).collect(),
        }
    }

    fn place(&self, state: &Snapshot, broken: &[u32]) -> Placed {
        let skins = self.skins.iter().map(|(skin, _)| skin.positions(&state.positions));
        let mesh = |collider| ColliderMesh::of(collider, state.time);
        let bodies = || self.bodies.iter().zip(&state.bodies);
        let colors = self.body_colors(state);
        let colored = || bodies().zip(&colors).map(|((body, pose), color)| (body, *pose, *color));
        let spine =
            |(body, pose, color): (&BodyMesh, _, u32)| Some((body.place_spine(pose)?, color));
        let spines: Vec<_> = colored().filter_map(spine).collect();
        let ball = |(body, pose, color): (&BodyMesh, _, u32)| Some((body.place_ball(pose)?, color));
        let balls: Vec<_> = colored().filter_map(ball).collect();
        Placed {
            skins: skins.collect(),
            colliders: self.colliders.iter().map(mesh).collect(),
            bodies: self.place_bodies(&state.bodies),
            joints: self.joints.places(state).collect(),
            joint_segments: self.joints.segments(broken),
            balls: balls.iter().map(|((center, _), _)| *center).collect(),
            ball_radii: balls.iter().map(|((_, radius), _)| *radius).collect(),
            ball_colors: balls.iter().map(|(_, color)| *color).collect(),
            spine_colors: spines.iter().flat_map(|(_, color)| [*color; 2]).collect(),
            spine_segments: (0..spines.len() as u32).map(|i| [2 * i, 2 * i + 1]).collect(),
            spines: spines.iter().flat_map(|(ends, _)| *ends).collect(),
            body_colors: colors,
        }
    }

    /// The corners of all bodies, one after the other.
    fn place_bodies(&self, poses: &[[f32; 7]]) -> Vec<[f32; 3]> {
        let mut corners = vec![[0.0; 3]; self.bodies.iter().map(BodyMesh::corner_count).sum()];
        let mut rest = &mut corners[..];
        let parts = self.bodies.iter().zip(poses).map(|(body, pose)| {
            let (own, others) = std::mem::take(&mut rest).split_at_mut(body.corner_count());
            rest = others;
            (body, *pose, own)
        });
        let mut parts: Vec<_> = parts.collect();
        self.team.each(parts.chunks_mut(BODIES), |some| {
            some.iter_mut().for_each(|(body, pose, places)| body.place(*pose, places));
        });
        corners
    }

    fn meshes<'a>(
        &'a self,
        (positions, triangles): (&'a [[f32; 3]], &'a [[u32; 3]]),
        placed: &'a Placed,
        walls: &[&'a Wall],
        paint: Paint<'a>,
        skin_colors: &'a [Vec<u32>],
    ) -> Vec<Mesh<'a>> {
        let closed = self.is_closed;
        // Particles without triangles would be turned and lit for nothing.
        let mut meshes = Vec::new();
        if !triangles.is_empty() {
            meshes.push(Mesh { paint, closed, ..Mesh::new(positions, triangles) });
        }
        let flat = |wall: &&'a Wall| Mesh {
            paint: Paint::One(WALL),
            smooth: false,
            ..Mesh::new(&wall.corners, &wall.triangles)
        };
        meshes.extend(walls.iter().map(flat));
        let skins = self.skins.iter().zip(&placed.skins).zip(skin_colors);
        meshes.extend(skins.map(|(((skin, closed), at), colors)| Mesh {
            paint: Paint::Each(colors),
            closed: *closed,
            ..Mesh::new(at, skin.triangles())
        }));
        meshes.extend(placed.colliders.iter().map(|mesh| Mesh {
            paint: Paint::One(SOLID),
            smooth: mesh.smooth,
            ..Mesh::new(&mesh.positions, &mesh.triangles)
        }));
        let mut rest = &placed.bodies[..];
        meshes.extend(self.bodies.iter().zip(&placed.body_colors).map(|(body, color)| {
            let (own, others) = rest.split_at(body.corner_count());
            rest = others;
            body.mesh(own, *color)
        }));
        meshes
    }
}

/// The edges of a wall.
fn outline(wall: &Wall) -> Lines<'_> {
    Lines {
        positions: &wall.corners,
        segments: &wall.edges,
        paint: Paint::One(EDGE),
        radius: 0.0, // hairlines
        lifted: true,
    }
}
