//! Views read back what they wrote, one lane and eight, runs and anywhere; for Miri, which sees every access.

use super::carried::Carried;
use super::{
    Averaging, Bodies, BodyRecords, BodyView, Column3, Gather, Integrator, Lanes, MovingBody,
    ParticleView, Particles, PositionView, RecordView, Run, Store, Width,
};
use crate::constraints::Particle;
use crate::math::{F32x8, F32x16, Quat, Vec3, WIDTH, both};
use crate::settings::Settings;
use crate::tests::models::sheet;
use crate::threads::Cells;
use crate::{Model, Stiffness};

/// 20 particles in 24 slots.
fn particles(model: &Model) -> Particles {
    let permutation = crate::coloring::Permutation::identity(model.positions().len());
    model.particles(permutation)
}

/// Eight slots, last before first.
fn backwards(first: u32) -> [u32; WIDTH] {
    std::array::from_fn(|lane| first + 7 - lane as u32)
}

fn vector(from: usize) -> Vec3<F32x8> {
    F32x8::single_vectors(|lane| Vec3::new((from + lane) as f32, 1.0, -2.0))
}

#[test]
fn columns_are_read_as_written() {
    let model = sheet(5, 4, Stiffness::Factor(1.0));
    let mut particles = particles(&model);
    let view = ParticleView::new(&mut particles);
    for column in [Column3::Position, Column3::Previous, Column3::Velocity] {
        view.write(column, 8, vector(0));
        let found: Vec3<F32x8> = view.gather(column, backwards(8));
        assert_eq!(found.x.lane(2), 5.0);
        view.scatter(column, backwards(16), vector(0));
        assert_eq!(view.read::<f32>(column, 17).x, 6.0);
        view.write::<f32>(column, 23, Vec3::new(0.5, 0.25, 0.125));
        assert_eq!(view.read::<F32x8>(column, 16).y.lane(7), 0.25);
    }
    assert_eq!(view.inverse_masses::<F32x8>(backwards(0)).lane(0), view.inverse_mass::<f32>(7));
}

#[test]
#[should_panic = "a slot beyond the columns"]
fn a_run_ends_within_the_columns() {
    let model = sheet(5, 4, Stiffness::Factor(1.0));
    let mut particles = particles(&model);
    ParticleView::new(&mut particles).read::<F32x8>(Column3::Position, 17);
}

#[test]
#[should_panic = "a slot beyond the columns"]
fn a_slot_lies_within_the_columns() {
    let model = sheet(5, 4, Stiffness::Factor(1.0));
    let mut particles = particles(&model);
    let view = ParticleView::new(&mut particles);
    view.scatter(Column3::Position, backwards(24), vector(0));
}

/// Prediction, a store of rows and the velocities' phase leave the same state through columns and records.
#[test]
fn records_hold_what_columns_do() {
    let model = sheet(5, 4, Stiffness::Factor(1.0));
    let integrator = Integrator::<F32x8>::new(&Settings::default());
    let state = |is_packed: bool, is_carried: bool| {
        let mut particles = particles(&model);
        if is_carried {
            particles.carry();
        }
        let [mut records, mut bases] = [(); 2].map(|()| vec![[0.0; 4]; particles.slot_count()]);
        let columns = ParticleView::new(&mut particles);
        let packed = RecordView::new(&mut records, columns, true);
        let positions = match (is_packed, is_carried) {
            (false, false) => PositionView::Columns(columns),
            (true, false) => PositionView::Records(packed),
            (false, true) => PositionView::CarriedColumns(Carried(columns)),
            (true, true) => PositionView::CarriedRecords(Carried(packed.correcting(&mut bases))),
        };
        integrator.predict_range(0..24, &columns, &positions);
        let slots = [backwards(0), backwards(8)];
        positions.fetch::<F32x8>(&slots);
        let mut sites: [Particle<F32x8>; 2] = PositionView::load(&positions, slots);
        sites[0].correct(sites[1].x);
        PositionView::store(&positions, slots, sites);
        let run = F32x8::consecutive(4);
        let [mut eight]: [Particle<F32x8>; 1] = match is_packed {
            true => PositionView::load(&positions, [run]),
            false => Store::load(&positions, [Run { first: 4 }].into()),
        };
        eight.correct(vector(3));
        match is_packed {
            true => PositionView::store(&positions, [run], [eight]),
            false => Store::store(&positions, [Run { first: 4 }].into(), [eight]),
        }
        let [mut one]: [Particle<f32>; 1] = PositionView::load(&positions, [19]);
        one.correct(Vec3::new(0.0, 1.0, 0.0));
        PositionView::store(&positions, [19], [one]);
        integrator.update_range(0..24, &columns, &positions);
        let read = positions.read::<F32x8>(8);
        assert_eq!(read.x.lane(3), PositionView::load::<f32, 1>(&positions, [11])[0].x.x);
        (particles.positions(), particles.velocities())
    };
    assert_eq!(state(false, false), state(true, false));
    assert_eq!(state(false, true), state(true, true));
}

/// Corrections are gathered beside the positions, and taken once.
#[test]
fn sums_are_taken_once() {
    let model = sheet(5, 4, Stiffness::Factor(1.0));
    let (mut particles, mut sums) = (particles(&model), particles(&model));
    let columns = ParticleView::new(&mut particles).summing(ParticleView::new(&mut sums));
    let positions = PositionView::Columns(columns);
    let averaging = Averaging { omega: 1.0, momentum: 0.0, gather: Gather::Sum };
    assert_eq!(positions.averaging(), None);
    assert_eq!(positions.with_averaging(averaging).averaging(), Some(averaging));
    let one = F32x8::singles(|_| 1.0);
    columns.write_sums(8, Particle::new(vector(3), one + one));
    let take = || {
        let begin = Particle::new(Vec3::zero(), one);
        let Particle { x, w, .. } = positions.replace_sums(8, begin);
        [x.x.lane(4), w.lane(4)]
    };
    assert_eq!([take(), take()], [[7.0, 2.0], [0.0, 1.0]]);
}

#[test]
fn bodies_are_loaded_as_stored() {
    let mut bodies = Bodies::<f32>::none();
    let records = BodyRecords::new(bodies.slot_count());
    assert_eq!(BodyView::new(&mut bodies, &records).len(), 0);
    let records = BodyRecords::<f32>::new(16);
    let v = |n: f32| Vec3::new(n, n + 1.0, n + 2.0);
    let body = |n: f32| MovingBody {
        x: v(n),
        q: Quat::new(0.0, 0.0, 0.0, 1.0),
        push: v(-n),
        turn: v(2.0 * n),
        precession: v(3.0 * n),
        previous: Quat::new(n, 0.0, 0.0, 1.0),
        w: n,
        inverse_inertia: v(n),
    };
    (0..16).for_each(|i| records.begin(i, body(i as f32)));
    let eight: MovingBody<F32x8> = F32x8::load_bodies(records.cells(), backwards(4));
    assert_eq!((eight.x.x.lane(1), eight.push.z.lane(1)), (10.0, -8.0));
    F32x8::store_bodies(records.cells(), backwards(8), eight);
    let one: MovingBody<f32> = f32::load_bodies(records.cells(), 14);
    assert_eq!((one.x.x, one.turn.y, one.w), (10.0, 21.0, 14.0));
    assert_eq!((one.precession.z, one.previous.x), (32.0, 14.0));
}

/// Sixteen lanes load and store what twice eight do.
#[test]
fn sixteen_lanes_are_twice_eight() {
    let slots = |lanes: [usize; 16]| lanes.map(|lane| lane as u32);
    let all = slots([5, 9, 2, 14, 0, 7, 11, 4, 13, 1, 8, 15, 3, 10, 6, 12]);
    let halves: [[u32; WIDTH]; 2] = bytemuck::cast(all);
    let number = |slot: u32, k: usize| slot as f32 + 0.125 * k as f32;

    let cells = Cells::new(16, [0.0; 8]);
    (0..16).for_each(|slot| cells.set(slot, std::array::from_fn(|k| number(slot as u32, k))));
    let wide = F32x16::load_records(&cells, all);
    let [low, high] = halves.map(|half| F32x8::load_records(&cells, half));
    for (k, of) in wide.iter().enumerate() {
        assert_eq!(both([low[k], high[k]]), *of);
        (0..16).for_each(|lane| assert_eq!(of.lane(lane), number(all[lane], k)));
    }
    F32x16::store_records(&cells, all.map(|slot| 15 - slot), wide);
    (0..16).for_each(|slot| assert_eq!(cells.get(slot)[3], number(15 - slot as u32, 3)));
}
