//! Who falls asleep and wakes, against the rules; who is said to touch.

use super::super::events::Events;
use super::super::instance::InstanceState;
use super::super::manifold::{Manifold, ReferenceBody};
use super::super::sleep::{Motion, Sleep};
use crate::math::Vec3;
use crate::state::{Body, ContactEvent, ContactSide, Shape, Weight};

const DT: f64 = 0.1;
/// Four steps are as long.
const AFTER: f64 = 0.35;

fn sleep(bodies: usize, joined: Vec<[u32; 2]>) -> Sleep {
    let ball = Body::new(Shape::Sphere(0.1), Weight::Mass(1.0), None).expect("a body");
    Sleep::new(AFTER, &vec![ball; bodies], joined, [Vec::new(), Vec::new()])
}

fn motion(v: f32, turns: f32, busy: bool) -> Motion {
    Motion { v: Vec3::new(0.0, v, 0.0), turns, busy }
}

/// In which step of six each body has fallen asleep, of bodies that all go on as `motions` say. What is beyond the bodies is fixed.
fn falls(sleep: &mut Sleep, motions: &[Motion], touching: &[[u32; 2]]) -> Vec<Option<usize>> {
    let bodies = sleep.asleep.len();
    let mut at = vec![None; bodies];
    for step in 1..=6 {
        let changes = sleep.update(DT, touching.iter().copied(), |i| i >= bodies, |i| motions[i]);
        for (i, resistance) in changes {
            assert!(resistance.is_none() && at[i].replace(step).is_none(), "{i} at {step}");
        }
    }
    at
}

/// A body sleeps once it has been slow for the time, at its center and its surface together, and not while it is busy.
#[test]
fn what_is_slow_for_a_while_sleeps() {
    let cases = [
        (0.0, 0.0, false, true),
        (0.029, 0.0, false, true),
        (0.031, 0.0, false, false),
        (0.0, 0.029, false, true),
        (0.0, 0.031, false, false),
        (0.02, 0.02, false, true),
        (0.022, 0.022, false, false),
        (0.0, 0.0, true, false),
    ];
    let ground = [motion(0.0, 0.0, false)];
    let moves = cases.map(|(v, turns, busy, _)| motion(v, turns, busy));
    let motions = [&moves[..], &ground].concat();
    let resting: Vec<_> = (0..cases.len()).map(|i| [i as u32, cases.len() as u32]).collect();
    let found = falls(&mut sleep(cases.len(), Vec::new()), &motions, &resting);
    let expected = cases.map(|(.., sleeps)| sleeps.then_some(4));
    assert_eq!(found, expected);
}

/// What moves slowly sleeps only where something fixed holds its island: a fixed body that it touches or is joined to, or the world.
#[test]
fn what_nothing_holds_sleeps_only_where_it_stands_still() {
    let (still, slow) = (motion(0.0, 0.0, false), motion(0.002, 0.0, false));
    let turning = motion(0.0, 0.002, false);
    // 0 flies, 1 turns, 2 does not move; 3-4 fly joined; 5-6 touch, and 6 the fixed 10; 7 is joined to a fixed one; 8 is tied; of 9 and
    // 2, which touch, one moves.
    let motions = [slow, turning, still, slow, slow, slow, slow, slow, slow, slow, still];
    let free = || sleep(10, Vec::new());
    let mut sleep = sleep(10, vec![[3, 4], [7, 10]]);
    sleep.tied.push(8);
    let yes = Some(4);
    let alone = [None, None, yes, None, None, yes, yes, yes, yes, None];
    assert_eq!(falls(&mut sleep, &motions, &[[5, 6], [10, 6]]), alone);
    assert_eq!(falls(&mut free(), &motions, &[[2, 9]])[2], None);
}

/// What touches or is joined sleeps together or not at all; what is fixed joins nothing, but keeps awake while it moves.
#[test]
fn islands_sleep_as_one() {
    let (still, fast) = (motion(0.0, 0.0, false), motion(1.0, 0.0, false));
    let yes = Some(4);
    // Six bodies: 0-1-2 in a chain, 3 beside them, 4-5 joined; 6 and 7 are fixed.
    let run = |motions: [Motion; 8], more: &[[u32; 2]]| {
        let mut sleep = sleep(6, vec![[4, 5]]);
        let touching = [&[[0, 1], [2, 1]], more].concat();
        let found = falls(&mut sleep, &motions, &touching);
        (found, sleep.islands())
    };
    let all = [still; 8];
    assert_eq!(run(all, &[]), (vec![yes; 6], 3));
    let with = |i: usize| {
        let mut motions = all;
        motions[i] = fast;
        motions
    };
    assert_eq!(run(with(2), &[]).0, [None, None, None, yes, yes, yes]);
    assert_eq!(run(with(5), &[]).0, [yes, yes, yes, yes, None, None]);
    assert_eq!(run(with(3), &[[3, 0]]), (vec![None, None, None, None, yes, yes], 2));
    // By way of what is fixed nothing is joined.
    assert_eq!(run(with(3), &[[3, 6], [6, 0]]), (vec![yes, yes, yes, None, yes, yes], 3));
    for pair in [[3, 6], [6, 3]] {
        assert_eq!(run(with(6), &[pair]).0, [yes, yes, yes, None, yes, yes]);
        assert_eq!(run(with(7), &[pair]).0, [yes; 6]);
    }
}

/// An island wakes as a whole, with its resistance, and then takes its time again.
#[test]
fn an_island_wakes_as_one() {
    let mut sleep = sleep(4, vec![[0, 2]]);
    let still = [motion(0.0, 0.0, false); 4];
    assert_eq!(falls(&mut sleep, &still, &[]), [Some(4); 4]);
    let woken = sleep.wake(2);
    assert_eq!(woken.iter().map(|(i, _)| *i).collect::<Vec<_>>(), [0, 2]);
    assert!(woken.iter().all(|(_, r)| r.inverse_mass == 1.0));
    assert!(sleep.wake(0).is_empty());
    assert_eq!(sleep.asleep, [false, true, false, true]);
    assert_eq!(falls(&mut sleep, &still, &[]), [Some(4), None, Some(4), None]);
    // One that is no longer slow wakes.
    let mut motions = still;
    motions[1] = motion(1.0, 0.0, false);
    let changes = sleep.update(DT, std::iter::empty(), |_| false, |i| motions[i]);
    assert!(matches!(changes[..], [(1, Some(r))] if r.inverse_mass == 1.0));
}

/// A manifold of two instances whose points are so far apart along y; a's radius is 0.1.
fn manifold(pair: [u32; 2], gaps: &[f32], is_sensor: bool) -> Manifold {
    let point = |gap: &f32| ([Vec3::new(0.0, 0.1 + gap, 0.0), Vec3::zero()], *gap);
    let found: Vec<_> = gaps.iter().map(point).collect();
    let n = Vec3::new(0.0, 1.0, 0.0);
    let m = Manifold::new(n, ReferenceBody::A, [0.1, 0.0], &found).expect("points");
    Manifold { pair, is_sensor, ..m }
}

/// A pair touches where it presses, a sensor where a point is inside; its force is the sum of a frame over its time, on the first of
/// the two; what begins and ends is told.
#[test]
fn what_touches_is_told() {
    let states = [InstanceState::still(); 4];
    let mut events = Events::new(2, 0.5);
    // Two bodies, a collider and a sensor.
    let apart = [manifold([0, 3], &[0.01, 0.02], true)];
    let all = [
        manifold([1, 0], &[0.0], false),
        manifold([0, 2], &[0.0], false),
        manifold([1, 2], &[0.0], false),
        manifold([1, 3], &[0.01, -0.01], true),
        apart[0],
    ];
    let impulses = [[1.0, 2.0, 0.0, 2.0], [0.0, 3.0, 0.0, 3.0], [0.0; 4], [0.0; 4], [0.0; 4]];
    events.begin_frame();
    events.add(&all, &impulses, &states, |_| false);
    events.add(&all[..2], &impulses[..2], &states, |_| false);
    let (body, collider) = (ContactSide::Body, ContactSide::Collider);
    let told: Vec<_> = events.contacts().iter().map(|c| (c.sides, c.force)).collect();
    let expected = [
        ([body(0), body(1)], [-4.0, -8.0, 0.0]),
        ([body(0), collider(0)], [0.0, 12.0, 0.0]),
        ([body(1), collider(1)], [0.0; 3]),
    ];
    assert_eq!(told, expected);
    assert!(events.changes().iter().all(|e| matches!(e, ContactEvent::Begin(_))));
    assert_eq!(events.changes().len(), 3);
    events.begin_frame();
    events.add(&[all[1], apart[0]], &[impulses[1], [0.0; 4]], &states, |_| false);
    let changes = events.changes();
    let ended: Vec<_> = changes
        .iter()
        .map(|e| match e {
            ContactEvent::End(contact) => contact.sides,
            ContactEvent::Begin(contact) => panic!("{contact:?} begins"),
        })
        .collect();
    assert_eq!(ended, [expected[0].0, expected[2].0]);
}
