//! What reports and pictures ask of a model: what it is made of, and how it is packed.

use super::Model;
use crate::coloring::{Plan, RowList};
use crate::error::ModelError;
use crate::forces::Components;
use crate::rigid::Body;
use crate::rows::{ColorStats, RowView};
use crate::state::Snapshot;
use std::any::Any;

/// How the rows of a set are packed.
pub struct PackedSet {
    /// Its colors.
    pub colors: Vec<ColorStats>,
    /// Rows of a packet.
    pub lanes: usize,
    /// What packets and multipliers take.
    pub bytes: usize,
}

impl Model {
    /// The state that it starts in.
    pub fn start(&self) -> Snapshot {
        let row = |a: &[f64], b: &[f64]| a.iter().chain(b).map(|&v| v as f32).collect::<Vec<_>>();
        let pose = |b: &Body| row(&b.position, &b.orientation).try_into();
        let motion = |b: &Body| row(&b.velocity, &b.angular_velocity).try_into();
        Snapshot {
            positions: self.positions().to_vec(),
            velocities: self.velocities().to_vec(),
            bodies: self.bodies().iter().flat_map(pose).collect(),
            body_velocities: self.bodies().iter().flat_map(motion).collect(),
            ..Snapshot::default()
        }
    }

    /// The rows as authored, a set for each kind and response kind: kind, particles, parameters.
    pub fn row_sets(&self) -> impl Iterator<Item = RowView<'_>> {
        self.rows().iter().map(|set| RowView {
            kind: set.name(),
            response: set.response_kind(),
            particles: set.row_list(),
            params: set.param_list(),
        })
    }

    /// Its subsystems of one type, in authored order.
    pub fn subsystems_of<S: Any>(&self) -> impl Iterator<Item = &S> {
        self.subsystems().filter_map(|subsystem| (subsystem as &dyn Any).downcast_ref())
    }

    /// The particles that rows, subsystems and `also` join to one another, of each body more than one.
    pub fn components(&self, also: &[RowList]) -> Vec<Vec<u32>> {
        let (masses, lists) = (self.inverse_masses(), [&self.row_lists(), also].concat());
        Components::new(masses, &lists, self.subsystems()).members(masses)
    }

    /// Does `act` with the particles of each constraint that joins some to one another.
    pub fn each_joined(&self, act: &mut dyn FnMut(&[u32])) {
        for list in self.row_lists() {
            list.rows().for_each(&mut *act);
        }
        self.subsystems().for_each(|subsystem| subsystem.each_joined(act));
    }

    /// Order and colors of its rows, as `lanes` takes them.
    ///
    /// # Errors
    /// Colors that a grid promises and does not keep.
    #[doc(hidden)]
    pub fn plan(&self) -> Result<Plan, ModelError> {
        Plan::new(&self.plan_input())
    }

    /// How `lanes` packs a set of rows by a plan.
    #[doc(hidden)]
    pub fn packed(&self, set: usize, plan: &Plan) -> PackedSet {
        let (coloring, structured) = (&plan.colorings[set], plan.structured);
        let batch = self.rows()[set].pack(coloring, &plan.permutation, structured, &self.settings);
        PackedSet { colors: batch.colors().to_vec(), lanes: batch.lanes(), bytes: batch.bytes() }
    }
}
