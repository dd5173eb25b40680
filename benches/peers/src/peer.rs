//! A scene of taut in rapier3d.

use super::Engine;
use rapier3d::pipeline::PhysicsWorld;
use rapier3d::prelude::*;
use std::error::Error;
use taut::Model;
use taut::collision::{Shape as Form, Solid};
use taut::math::Vec3;
use taut::rigid::{Body, End, Joint, JointKind, Shape};

/// How rapier is set.
#[derive(Clone, Copy, PartialEq)]
pub enum Tuning {
    /// So many solver iterations (its word for substeps); 4 is its default.
    Iterations(usize),
    /// The same, joints started from the last step's impulses.
    Warm(usize),
    /// A tree of joints in reduced coordinates.
    Reduced,
}

impl Tuning {
    pub fn name(self) -> String {
        match self {
            Self::Iterations(n) => format!("rapier, {n} iterations"),
            Self::Warm(n) => format!("rapier, {n} iterations, warm joints"),
            Self::Reduced => "rapier, reduced coordinates".into(),
        }
    }
}

/// All joints of a model.
pub fn joints(model: &Model) -> Vec<&Joint> {
    model.joints().collect()
}

/// Whether no joint closes a loop.
pub fn is_tree(model: &Model) -> bool {
    let mut seen = vec![false; model.bodies().len()];
    joints(model).iter().all(|joint| match joint.ends[1] {
        End::Body(i) => !std::mem::replace(&mut seen[i as usize], true),
        _ => false,
    })
}

fn vector(v: [f64; 3]) -> Vector {
    Vector::from(v.map(|v| v as f32))
}

fn pose([x, y, z]: [f64; 3], q: [f64; 4]) -> rapier3d::math::Pose {
    let q = q.map(|v| v as f32);
    rapier3d::math::Pose::from_parts(vector([x, y, z]), Rotation::from_xyzw(q[0], q[1], q[2], q[3]))
}

fn collider(body: &Body) -> Option<ColliderBuilder> {
    let collider = match &body.shape {
        Shape::Box([x, y, z]) => ColliderBuilder::cuboid(*x as f32, *y as f32, *z as f32),
        Shape::Sphere(r) => ColliderBuilder::ball(*r as f32),
        Shape::Capsule([r, half]) => ColliderBuilder::capsule_y(*half as f32, *r as f32),
        Shape::Cylinder([r, half]) => ColliderBuilder::cylinder(*half as f32, *r as f32),
        _ => return None,
    };
    let of = |value: Option<f64>, other| value.unwrap_or(other) as f32;
    Some(
        collider
            .density(0.0)
            .friction(of(body.friction, 0.5))
            .restitution(of(body.restitution, 0.0)),
    )
}

/// The bodies of a model, which touch each other and its planes where the model has contacts.
pub fn world(model: &Model) -> Result<(PhysicsWorld, Vec<RigidBodyHandle>), Box<dyn Error>> {
    let mut world = PhysicsWorld::new();
    world.gravity = vector(model.settings.gravity);
    world.integration_parameters.dt = model.settings.dt as f32;
    let mut handles = Vec::new();
    for body in model.bodies() {
        let builder = match body.fixed {
            true => RigidBodyBuilder::fixed(),
            false => RigidBodyBuilder::dynamic(),
        };
        let [x, y, z, w] = body.axes.map(|v| v as f32);
        let mass = MassProperties::with_principal_inertia_frame(
            Vector::ZERO,
            body.mass as f32,
            vector(body.inertia),
            Rotation::from_xyzw(x, y, z, w),
        );
        let builder = builder
            .pose(pose(body.position, body.orientation))
            .linvel(vector(body.velocity))
            .angvel(vector(body.angular_velocity))
            .additional_mass_properties(mass)
            .can_sleep(false);
        let touches = model.contacts().is_some();
        handles.push(match collider(body).filter(|_| touches) {
            Some(collider) => world.insert(builder, collider).0,
            None => world.insert_body(builder),
        });
    }
    for solid in model.contacts().into_iter().flat_map(|c| &c.colliders) {
        let Solid::Shape(Form::Plane { normal }) = solid.solid() else {
            return Err("of colliders only planes are known here".into());
        };
        let place = solid.pose(0.0);
        let [point, normal] = [place.world(Vec3::zero()), place.turn(Vec3::<f64>::of(*normal))];
        let plane = ColliderBuilder::new(SharedShape::halfspace(vector(normal.to_array())))
            .translation(vector(point.to_array()))
            .friction(solid.against(None, None)[0] as f32);
        world.insert_collider(plane, None);
    }
    Ok((world, handles))
}

/// A scene under way in rapier.
pub struct Peer {
    world: PhysicsWorld,
    handles: Vec<RigidBodyHandle>,
    #[cfg(feature = "parallel")]
    pool: rapier3d::rayon::ThreadPool,
}

impl Peer {
    pub fn new(model: &Model, tuning: Tuning, threads: usize) -> Result<Self, Box<dyn Error>> {
        let (mut world, handles) = world(model)?;
        let settings = &mut world.integration_parameters;
        if let Tuning::Iterations(n) | Tuning::Warm(n) = tuning {
            settings.num_solver_iterations = n;
        }
        settings.warmstart_joints = matches!(tuning, Tuning::Warm(_));
        let space = world.insert_body(RigidBodyBuilder::fixed());
        for joint in joints(model) {
            if joint.kind != JointKind::Ball || joint.limits.is_some() {
                return Err("of joints only balls without limits are known here".into());
            }
            let ends = joint.ends.map(|end| match end {
                End::World => Ok((space, vector(joint.anchor))),
                End::Body(i) => {
                    let body = &model.bodies()[i as usize];
                    let arm = super::yardstick::arm(body, joint.anchor);
                    Ok((handles[i as usize], vector(arm.to_array())))
                }
                End::Particle(_) => Err("rapier's joints join no particles"),
            });
            let [(a, arm_a), (b, arm_b)] = [ends[0]?, ends[1]?];
            let ball = SphericalJointBuilder::new().local_anchor1(arm_a).local_anchor2(arm_b);
            match tuning {
                Tuning::Reduced => {
                    let joint = world.insert_multibody_joint(a, b, ball);
                    joint.ok_or("a joint closes a loop")?;
                }
                _ => {
                    world.insert_impulse_joint(a, b, ball);
                }
            }
        }
        #[cfg(feature = "parallel")]
        let pool = rapier3d::rayon::ThreadPoolBuilder::new().num_threads(threads).build()?;
        #[cfg(not(feature = "parallel"))]
        assert_eq!(threads, 1);
        Ok(Self {
            world,
            handles,
            #[cfg(feature = "parallel")]
            pool,
        })
    }
}

impl Engine for Peer {
    #[cfg(feature = "parallel")]
    fn step(&mut self) {
        let world = &mut self.world;
        self.pool.install(|| world.step());
    }
    #[cfg(not(feature = "parallel"))]
    fn step(&mut self) {
        self.world.step();
    }
    fn poses(&self) -> Vec<[f32; 7]> {
        let pose = |handle: &RigidBodyHandle| {
            let body = &self.world.bodies[*handle];
            let (x, q) = (body.translation(), body.rotation());
            [x.x, x.y, x.z, q.x, q.y, q.z, q.w]
        };
        self.handles.iter().map(pose).collect()
    }
}
