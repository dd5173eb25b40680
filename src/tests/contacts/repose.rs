//! Grains in a slope: how steep they lie, and how much they overlap, by their friction.
//!
//! Particles do not turn, so they do not roll either: friction alone resists. Grains rain between two smooth panes on a floor with a wall at one
//! end; what is too steep runs off over the other, and the slope that stays is the angle of repose.

use super::simulate;
use crate::collision::{Collider, Contacts};
use crate::math::Real;
use crate::model::Model;
use crate::scenes::Scene;
use crate::solvers::Method;
use crate::tests::sample::Random;

const RADIUS: f64 = 0.02;
/// Of the floor (m).
const LENGTH: f64 = 40.0 * RADIUS;

/// The angle of repose (degrees) and how many grains lie there; the largest overlap and the mean of those that touch, in radii.
fn repose(friction: f64) -> [f64; 4] {
    let mut model = Model::new();
    (model.settings.substeps, model.settings.iterations) = (8, 16);
    let (columns, rows, deep) = (15, 24, 4);
    let mut random = Random(3);
    for i in 0..columns * rows * deep {
        let mut place = |k: usize| (2.6 * k as f64 + 1.3 + random.within(-0.29, 0.29)) * RADIUS;
        let at = [place(i % columns), place(i / columns / deep), place(i / columns % deep)];
        model.add_particle(at, [0.0; 3], 20.0).expect("a grain");
    }
    let depth = 2.6 * deep as f64 * RADIUS;
    let smooth = |point, normal| {
        let plane = Collider::plane(point, normal).expect("a plane");
        plane.of_material(Some(0.0), None).expect("a material")
    };
    let half = [0.5 * LENGTH, 0.1, 1.0];
    let floor = Collider::cuboid([half[0], -half[1], 0.0], half, [0.0, 0.0, 0.0, 1.0]);
    let colliders = vec![
        floor.expect("a floor"),
        smooth([0.0; 3], [1.0, 0.0, 0.0]),
        smooth([0.0; 3], [0.0, 0.0, 1.0]),
        smooth([0.0, 0.0, depth], [0.0, 0.0, -1.0]),
    ];
    let friction = Some(friction);
    let contacts =
        Contacts { colliders, radius: RADIUS, friction, pairs: true, ..Contacts::default() };
    model.set_contacts(contacts).expect("contacts");
    let x = simulate(model, Method::Lanes, 240).positions();
    let x: Vec<[f64; 3]> = x.iter().map(|x| x.map(f64::from)).filter(|x| x[1] > 0.0).collect();
    let [largest, mean] = overlaps(&x);
    [slope(&x), x.len() as f64, largest, mean]
}

/// The angle of a straight line through the highest grains of each column (degrees).
fn slope(x: &[[f64; 3]]) -> f64 {
    let width = 2.0 * RADIUS;
    let tops = (0..(LENGTH / width) as usize).filter_map(|k| {
        let column = x.iter().filter(|x| (x[0] / width) as usize == k);
        let top = column.map(|x| x[1]).reduce(f64::max)?;
        // Neither the foot, one grain high, nor where the wall holds.
        (top > 3.0 * RADIUS && k > 1).then_some([(k as f64 + 0.5) * width, top])
    });
    let tops: Vec<[f64; 2]> = tops.collect();
    let mean = |f: &dyn Fn(&[f64; 2]) -> f64| tops.iter().map(f).sum::<f64>() / tops.len() as f64;
    let [x, y] = [mean(&|p| p[0]), mean(&|p| p[1])];
    let along = mean(&|p| (p[0] - x) * (p[1] - y)) / mean(&|p| (p[0] - x) * (p[0] - x));
    Real::atan2(-along, 1.0).to_degrees()
}

/// The largest overlap, and the mean of all pairs that overlap, in radii.
fn overlaps(x: &[[f64; 3]]) -> [f64; 2] {
    let mut found = Vec::new();
    for (i, a) in x.iter().enumerate() {
        for b in &x[..i] {
            let square = (0..3).map(|k| (a[k] - b[k]) * (a[k] - b[k])).sum::<f64>();
            let overlap = 2.0 - square.sqrt() / RADIUS;
            found.extend((overlap > 0.0).then_some(overlap));
        }
    }
    let mean = found.iter().sum::<f64>() / found.len().max(1) as f64;
    [found.into_iter().fold(0.0, f64::max), mean]
}

/// Of spheres that rub and do not roll a slope stands at the angle of friction and more, as grains lie in the gaps of those below: it grows with
/// friction (Zhou, Xu, Yu and Zulli, *Numerical Investigation of the Angle of Repose of Monosized Spheres*, 2001), from 5.8 degrees without any (Peyneau
/// and Roux, *Frictionless Bead Packs Have Macroscopic Friction, But No Dilatancy*, 2008). With a friction of 0.8 the bank is not filled up to
/// its slope: more lie there.
#[test]
fn the_angle_of_repose_follows_the_friction() {
    let mut before = [0.0; 2];
    for friction in [0.1, 0.2, 0.4, 0.8] {
        let [angle, count, largest, mean] = repose(friction);
        let own = Real::atan2(friction, 1.0_f64).to_degrees();
        println!("µ = {friction}: {angle:.1} degrees, of friction {own:.1}; {count} grains");
        println!("overlaps {largest:.3} at most and {mean:.4} radii in the mean");
        assert!(count > 1.1 * before[1], "µ = {friction}: {count} after {} grains", before[1]);
        if friction < 0.5 {
            assert!(angle > before[0] + 2.0, "µ = {friction}: {angle} after {} degrees", before[0]);
            assert!(
                (own - 3.0..2.0 * own + 5.8).contains(&angle),
                "{angle} degrees, of friction {own}"
            );
        }
        assert!(largest < 0.1 && mean < 0.01, "overlaps {largest} and {mean} radii");
        before = [angle, count];
    }
}

/// What is left out of a margin is wide enough: a pile overlaps no more than one whose pairs are found from half a radius off.
#[test]
fn the_margin_of_pairs_is_wide_enough() {
    let pile = |margin: Option<f64>| {
        let mut model = Scene::find("pile").unwrap().model(Some(3000)).unwrap();
        let contacts = Contacts { margin, ..model.contacts().unwrap().clone() };
        model.set_contacts(contacts).unwrap();
        let mut simulation = simulate(model, Method::Lanes, 90);
        let mut sums = [0.0; 3];
        for _ in 0..10 {
            simulation.step();
            let counts = &simulation.subsystem_statistics()[0].counts;
            let pairs = counts.iter().find(|count| count.0 == "pairs").unwrap().1;
            let x: Vec<_> = simulation.positions().iter().map(|x| x.map(f64::from)).collect();
            let [largest, mean] = overlaps(&x);
            sums = [sums[0] + largest, sums[1] + mean, sums[2] + pairs as f64];
        }
        sums
    };
    let [left_out, wide] = [None, Some(0.5 * RADIUS)].map(pile);
    println!("largest and mean overlaps and pairs {left_out:.3?} beside {wide:.3?}");
    assert!(left_out[0] < 1.1 * wide[0] && left_out[1] < 1.1 * wide[1], "{left_out:?} {wide:?}");
    assert!(left_out[2] < 0.95 * wide[2], "{left_out:?} {wide:?}");
}
