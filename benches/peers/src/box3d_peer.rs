//! A scene of taut in box3d.

use super::Engine;
use super::peer::joints;
use super::yardstick::arm;
use box3d::{
    Body, BodyDef, MassData, Matrix3, Quat, ShapeDef, SphericalJointDef, Transform, Vec3, World,
};
use std::error::Error;
use std::mem::forget;
use taut::Model;
use taut::collision::{Shape as Form, Solid};
use taut::rigid::{self, End, JointKind, Shape};

/// Half the size of the box that stands for a plane (m).
const WIDE: f64 = 100.0;

fn vector(v: [f64; 3]) -> Vec3 {
    let [x, y, z] = v.map(|v| v as f32);
    Vec3::new(x, y, z)
}

fn turn(q: [f64; 4]) -> Quat {
    Quat::new(vector([q[0], q[1], q[2]]), q[3] as f32)
}

/// A scene under way in box3d.
pub struct Box3d {
    /// Never freed, as its bodies borrow it.
    world: &'static World,
    bodies: Vec<Body<'static>>,
    dt: f32,
    substeps: i32,
}

/// Gives a body its shape.
fn touch(to: &Body, body: &rigid::Body) -> Result<(), Box<dyn Error>> {
    let friction = body.friction.unwrap_or(0.5) as f32;
    let def = ShapeDef { friction, ..ShapeDef::default() };
    let shape = match body.shape {
        Shape::Box(half) => to.create_box(vector(half), def),
        Shape::Sphere(r) => to.create_sphere(Vec3::ZERO, r as f32, def),
        Shape::Capsule([r, h]) => {
            to.create_capsule(vector([0.0, -h, 0.0]), vector([0.0, h, 0.0]), r as f32, def)
        }
        Shape::None => return Ok(()),
        _ => return Err("of shapes only boxes, spheres and capsules are known here".into()),
    };
    shape.set_restitution(body.restitution.unwrap_or(0.0) as f32);
    // Else it is destroyed.
    forget(shape);
    Ok(())
}

/// The inertia in the body's own frame.
fn mass(body: &rigid::Body) -> MassData {
    let columns = body.principal().columns().map(|c| c.to_array());
    let part = |i: usize, j: usize| {
        (0..3).map(|k| body.inertia[k] * columns[k][i] * columns[k][j]).sum::<f64>()
    };
    let column = |j: usize| vector([part(0, j), part(1, j), part(2, j)]);
    let inertia = Matrix3 { cx: column(0), cy: column(1), cz: column(2) };
    MassData { mass: body.mass as f32, center: Vec3::ZERO, inertia }
}

/// Adds the planes of a model, each the top of a large box.
fn add_planes(world: &World, model: &Model) -> Result<(), Box<dyn Error>> {
    for solid in model.contacts().into_iter().flat_map(|c| &c.colliders) {
        let Solid::Shape(Form::Plane { normal }) = solid.solid() else {
            return Err("of colliders only planes are known here".into());
        };
        let place = solid.pose(0.0);
        let n = place.turn(taut::math::Vec3::<f64>::of(*normal));
        let center = place.world(taut::math::Vec3::zero()) - n * WIDE;
        let [x, y, z] = n.to_array();
        let q = match y > -0.999 {
            true => taut::math::Quat::new(z, 0.0, -x, 1.0 + y).normalized().to_array(),
            false => [1.0, 0.0, 0.0, 0.0],
        };
        let def = BodyDef::static_at(vector(center.to_array())).with_rotation(turn(q));
        let ground = world.create_body(def);
        let friction = solid.against(None, None)[0] as f32;
        let def = ShapeDef { friction, ..ShapeDef::default() };
        forget(ground.create_box(vector([WIDE; 3]), def));
        forget(ground);
    }
    Ok(())
}

impl Box3d {
    pub fn new(model: &Model, substeps: i32, threads: usize) -> Result<Self, Box<dyn Error>> {
        let gravity = vector(model.settings.gravity);
        let world: &'static World =
            Box::leak(Box::new(World::with_workers(gravity, threads as u32)));
        world.set_sleeping_enabled(false);
        let mut bodies = Vec::new();
        for body in model.bodies() {
            let at = vector(body.position);
            let def = if body.fixed { BodyDef::static_at(at) } else { BodyDef::dynamic_at(at) };
            let made = world.create_body(BodyDef {
                rotation: turn(body.orientation),
                linear_velocity: vector(body.velocity),
                angular_velocity: vector(body.angular_velocity),
                ..def
            });
            if model.contacts().is_some() {
                touch(&made, body)?;
            }
            if !body.fixed {
                made.set_mass_data(mass(body));
            }
            bodies.push(made);
        }
        let space: &'static Body<'static> =
            Box::leak(Box::new(world.create_body(BodyDef::default())));
        add_planes(world, model)?;
        for joint in joints(model) {
            if joint.kind != JointKind::Ball || joint.limits.is_some() {
                return Err("of joints only balls without limits are known here".into());
            }
            let end = |end: End| match end {
                End::World => Ok((space, vector(joint.anchor))),
                End::Body(i) => {
                    let i = i as usize;
                    let arm = arm(&model.bodies()[i], joint.anchor);
                    Ok((&bodies[i], vector(arm.to_array())))
                }
                End::Particle(_) => Err("box3d's joints join no particles"),
            };
            let [(a, arm_a), (b, arm_b)] = [end(joint.ends[0])?, end(joint.ends[1])?];
            let mut def = SphericalJointDef::new(a, b);
            def.base.local_frame_a = Transform::new(arm_a, Quat::IDENTITY);
            def.base.local_frame_b = Transform::new(arm_b, Quat::IDENTITY);
            forget(world.create_spherical_joint(def));
        }
        Ok(Self { world, bodies, dt: model.settings.dt as f32, substeps })
    }
}

impl Engine for Box3d {
    fn step(&mut self) {
        self.world.step(self.dt, self.substeps);
    }
    fn poses(&self) -> Vec<[f32; 7]> {
        let pose = |body: &Body| {
            let (x, q) = (body.world_center_of_mass(), body.rotation());
            [x.x, x.y, x.z, q.v.x, q.v.y, q.v.z, q.s]
        };
        self.bodies.iter().map(pose).collect()
    }
}
