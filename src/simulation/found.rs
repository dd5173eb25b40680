//! What subsystems have found: how many contacts and neighbors, which bodies touch what.

use super::Simulation;
use crate::state::{BodyContact, ContactEvent};
use crate::subsystem::SubsystemStatistics;

impl Simulation {
    /// What each subsystem did, in authored order.
    pub fn subsystem_statistics(&self) -> Vec<SubsystemStatistics> {
        let mut found = self.solver.core().subsystem_statistics();
        for (found, before) in found.iter_mut().zip(&self.spent) {
            found
                .times
                .iter_mut()
                .zip(before)
                .for_each(|(phase, before)| phase.time += before.time);
        }
        found
    }

    /// What has torn: names and numbers; nothing where no surface may tear.
    pub fn torn(&self) -> Option<[(&'static str, usize); 2]> {
        let tearing = self.tearing.as_ref()?;
        let copies = tearing.copies_in(self.model.triangles()).len();
        Some([("split vertices", copies), ("broken rows", tearing.broken_rows())])
    }

    /// What has torn, and what subsystems have found, such as contacts and neighbors: names and numbers, zeros left out.
    pub fn counts(&self) -> Vec<(&'static str, usize)> {
        let mut counts: Vec<(&'static str, usize)> = self.torn().into_iter().flatten().collect();
        for (name, count) in self.subsystem_statistics().into_iter().flat_map(|found| found.counts)
        {
            match counts.iter_mut().find(|(known, _)| *known == name) {
                Some((_, sum)) => *sum += count,
                None => counts.push((name, count)),
            }
        }
        counts.retain(|(_, count)| *count > 0);
        counts
    }

    /// Bodies that touched each other or a collider in the last frame, and with what force; those near sensors too. Empty
    /// unless [`Contacts::events`](crate::collision::Contacts::events) asks for it.
    pub fn contacts(&self) -> Vec<BodyContact> {
        self.subsystem_statistics().into_iter().flat_map(|found| found.contacts).collect()
    }

    /// Joints that have broken, by their places among the joints of the model, of all its sets one after another.
    pub fn broken_joints(&self) -> Vec<u32> {
        let (mut first, mut broken) = (0, Vec::new());
        for (subsystem, found) in self.model.subsystems().zip(self.subsystem_statistics()) {
            broken.extend(found.broken.iter().map(|joint| first + joint));
            if subsystem.name() == "joints" {
                first += subsystem.len() as u32;
            }
        }
        broken
    }

    /// Contacts that began or ended in the last frame, in the order of their bodies; empty unless asked for,
    /// and right after a state is taken up.
    pub fn contact_events(&self) -> Vec<ContactEvent> {
        self.subsystem_statistics().into_iter().flat_map(|found| found.events).collect()
    }
}
