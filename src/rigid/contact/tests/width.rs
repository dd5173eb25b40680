//! Which width packets of contacts have.

use super::super::batch::{Batch, ContactBatch};
use super::super::width::{contacts, is_wide, measure};
use crate::math::{F32x8, F32x16, SIXTEEN};
use crate::settings::Settings;
use crate::state::Lanes;
use std::collections::BTreeSet;
use std::time::Duration;

/// The width that settings name is taken, of however few; else the faster one, of so many as fill packets.
#[test]
fn the_width_is_what_settings_say() {
    let chosen = |width, count| is_wide(&Settings { width, ..Settings::default() }, count);
    assert_eq!([Some(8), Some(16)].map(|width| chosen(width, 1)), [false, true]);
    assert!(!chosen(None, 63));
    assert!(SIXTEEN || !chosen(None, 64));
}

/// What is measured is as many manifolds by either width, none of which shares a body with another.
#[test]
fn both_widths_are_measured_on_as_many_contacts() {
    fn bodies<W: Lanes<Element = f32>>(of: &ContactBatch<W, 4, false>) -> BTreeSet<u32> {
        let slots = of.constraints.as_slice().iter().flat_map(|constraint| constraint.slots);
        slots.flat_map(|slots| (0..W::LANES).map(move |lane| W::slot(slots, lane))).collect()
    }
    let (eight, sixteen) = (contacts::<F32x8>(), contacts::<F32x16>());
    assert_eq!([eight.packets().len(), sixteen.packets().len()], [16, 8]);
    assert!(bodies(&eight).into_iter().eq(0..256) && bodies(&sixteen).into_iter().eq(0..256));
    // Ten sweeps over 128 manifolds: longer than an instruction each, shorter than forever.
    let plausible = Duration::from_nanos(1280)..Duration::from_secs(1);
    assert!(measure().iter().all(|time| plausible.contains(time)));
}
