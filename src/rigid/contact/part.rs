//! Contacts of bodies as a part of a step, for the scalar loops and for the lanes.

#[cfg(any())] // being rewritten over the width
use super::classes::{AllRows, each_class, walk};
use super::colors::CLASSES;
#[cfg(any())] // being rewritten over the width
use super::common::Common;
use super::find::{Finder, PACK, RESPOND};
use super::geometry::Geometry;
#[cfg(any())] // being rewritten over the width
use super::grains::Grains;
#[cfg(any())] // being rewritten over the width
use super::memory::{Memory, Still};
#[cfg(any())] // being rewritten over the width
use super::packets::{FlatGrains, LaneGrains};
#[cfg(any())] // being rewritten over the width
use super::rows::Side;
#[cfg(any())] // being rewritten over the width
use super::sleep::Sleep;
use super::thing::{Standing, Thing};
use super::touch::Pace;
use crate::collision::{Contacts, Detect};
use crate::coloring::Permutation;
use crate::math::{F32x8, Quat, Real, Scalar, Vec3, each_lane, pack};
use crate::model::Model;
use crate::state::Particles;
use crate::state::Width;
use crate::subsystem::{BuildContext, Runtime, Subsystem, runtimes};
#[cfg(any())] // being rewritten over the width
use crate::threads::{State, Team, Worker};

/// How fast what overlaps is parted where nothing is said (m/s).
const MOST_SPEED: f64 = 3.0;
fn moves(velocities: [[f64; 3]; 2]) -> bool {
    velocities.as_flattened().iter().any(|v| *v != 0.0)
}

/// What the bodies of a model may touch: each other and the colliders.
#[derive(Clone, Debug)]
pub struct BodyContacts(Contacts);

impl BodyContacts {
    pub(crate) fn new(contacts: &Contacts) -> Self {
        Self(Contacts {
            cloths: Vec::new(),
            ..contacts.clone()
        })
    }

    /// The particles that may touch bodies, where there are any.
    #[cfg(any())] // being rewritten over the width
    fn grains(&self, model: &Model, permutation: &Permutation) -> Option<Grains> {
        let any = self.0.members(model.positions().len()).next().is_some();
        let ahead = self.ahead(model);
        any.then(|| Grains::new(&self.0, model, permutation, ahead))
    }

    /// The time until things are found again (s).
    fn ahead(&self, model: &Model) -> f64 {
        match self.0.detect {
            Detect::Frame => model.settings.dt,
            Detect::Substep | Detect::Iteration => model.settings.h(),
        }
    }

    #[cfg(any())] // being rewritten over the width
    fn common(&self, model: &Model) -> Common {
        let mut things: Vec<Thing> = Vec::new();
        for body in model.bodies() {
            things.push(Thing {
                geometry: Geometry::of_body(body),
                friction: body.friction,
                restitution: body.restitution,
                still: body.fixed,
                stirs: body.fixed && moves([body.velocity, body.angular_velocity]),
            });
        }
        for collider in &self.0.colliders {
            let [friction, restitution] = collider.material();
            things.push(Thing {
                geometry: Geometry::of_collider(collider),
                friction,
                restitution,
                still: true,
                stirs: moves([
                    collider.motion().velocity,
                    collider.motion().angular_velocity,
                ]),
            });
        }
        let mut apart: Vec<[u32; 2]> = model.parts().flat_map(|part| part.joined()).collect();
        apart.iter_mut().for_each(|pair| pair.sort_unstable());
        apart.sort_unstable();
        let settings = &model.settings;
        let ahead = self.ahead(model);
        let g: f64 = Vec3::of(settings.gravity).length();
        Common {
            detect: self.0.detect,
            stills: vec![Still::nowhere(); things.len()],
            colliders: self.0.colliders.clone(),
            rebounds: things.iter().any(|thing| thing.restitution > Some(0.0)),
            sleep: (self.0.sleep).map(|after| Sleep::new(after, model.bodies(), apart.clone())),
            substeps: [settings.substeps, 0],
            finder: Finder::new(things, apart, &self.0, ahead),
            h: settings.h(),
            most: self.0.max_speed.unwrap_or(MOST_SPEED),
            most_grains: self.0.max_speed.map_or(1e9, |v| v * settings.h()),
            least: 2.0 * g * settings.h(),
            back: false,
        }
    }
}

#[cfg(any())] // being rewritten over the width
struct Flat<R: Scalar + Side> {
    common: Common,
    grains: Option<(Grains, FlatGrains<R>)>,
    team: Team,
    memory: Memory<R>,
    rows: AllRows<R>,
}

#[cfg(any())] // being rewritten over the width
impl<R: Scalar + Side<Slot = u32>> Flat<R> {
    fn sweep(&self, pace: &Pace<R>) {
        each_class!(&self.rows, pace.back, |rows| {
            rows.sweep(0..rows.len(), &self.memory, pace)
        });
    }
}

#[cfg(any())] // being rewritten over the width
struct Lanes {
    common: Common,
    grains: Option<(Grains, LaneGrains)>,
    memory: Memory<f32>,
    rows: AllRows<F32x8>,
}

#[cfg(any())] // being rewritten over the width
impl Lanes {
    fn sweep(&self, worker: &Worker, pace: &Pace<F32x8>) {
        each_class!(&self.rows, pace.back, |rows| {
            walk(worker, &rows.colors, pace.back, |some| {
                rows.sweep(some, &self.memory, pace);
            })
        });
    }
}

impl Subsystem for BodyContacts {
    fn name(&self) -> &'static str {
        "body contacts"
    }

    /// None: how many contacts there are is known in the step only.
    fn len(&self) -> usize {
        0
    }

    runtimes!();
}

impl BodyContacts {
    fn runtime<W: Width>(&self, _context: &BuildContext) -> Box<dyn Runtime<W>> {
        todo!("being rewritten over the width")
    }
}
