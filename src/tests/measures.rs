//! What is measured of rows against numbers worked out by hand: residuals, energies, bytes, and the color that is free most.

use super::models::{run, scene, sheet};
use crate::coloring::{Permutation, RowList, best_color};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rigid::{At, Attachments, Body, Shape, Weight};
use crate::rows::{Residual, Stiffness};
use crate::settings::JacobiMode;
use crate::solvers::Method;
use crate::state::Snapshot;
use crate::subsystem::{Measurement, Subsystem};

/// An error is divided by the length of its gradient; without one, C itself is what is wrong.
#[test]
fn an_error_is_as_long_as_its_gradient_says() {
    let mut sum = Residual::default();
    sum.add(3.0, 2.0);
    sum.add(-0.5, 0.0);
    assert_eq!((sum.squares, sum.largest, sum.count), (1.5 * 1.5 + 0.5 * 0.5, 1.5, 2));
}

/// A weight m on a spring of compliance α: C = m g α, so that C + α/h² λ = 0 and the energy is (m g)² α / 2.
#[test]
fn a_spring_that_bears_has_no_residual_and_its_energy() {
    let (mass, alpha) = (0.5, 1e-3);
    for length in [0.0, 0.25] {
        let mut model = Model::new();
        (model.settings.damping, model.settings.iterations) = (20.0, 50);
        model.add_particle([0.0; 3], [0.0; 3], 0.0).unwrap();
        // The potential energy is measured from the height zero.
        model.add_particle([0.0, -length - 0.01, 0.0], [0.0; 3], 1.0 / mass).unwrap();
        let stiffness = Stiffness::Compliance(alpha);
        model.add(Distance, [0, 1], [Some(length)], stiffness).unwrap();
        let outcome = run(&model, Method::Lanes, 1, 600);
        let seen = outcome.observe(&model);
        let weight = 9.81 * mass;
        let stretch = -f64::from(outcome.positions()[1][1]) - length;
        assert!((stretch - weight * alpha).abs() < 1e-6, "{stretch} m");
        let expected = 0.5 * weight * weight * alpha - weight * (length + stretch);
        assert!((seen.energy - expected).abs() < 1e-6, "{} J for {expected}", seen.energy);
        assert!(seen.residual_max < 1e-6, "{} m", seen.residual_max);
    }
}

/// Rows take so many bytes: of each its indices, its parameters and its numbers, in packets of no more than twice as many.
#[test]
fn bytes_of_rows_are_theirs() {
    for (name, size) in [("cloth", 33), ("sphere", 3), ("sheet", 9)] {
        let model = scene(name, size);
        for method in [Method::Scalar, Method::Lanes, Method::Jacobi] {
            let outcome = run(&model, method, 1, 0);
            let (bytes, rows) = (outcome.solver.core().row_bytes(), model.constraint_count());
            // Two indices of a run are 8 bytes for eight rows; λ and rest length are a number each.
            assert!((9 * rows..128 * rows).contains(&bytes), "{name}: {bytes} for {rows} rows");
        }
    }
}

/// Rows of one response share it; where a single one has another, each has its own: four bytes.
#[test]
fn rows_of_one_response_share_it() {
    for method in [Method::Scalar, Method::Lanes] {
        let bytes = |other: f64| {
            let mut model = sheet(20, 20, Stiffness::Compliance(1e-4));
            let row = model.add(Distance, [0, 399], [None], Stiffness::Compliance(other));
            row.expect("a row");
            let core = run(&model, method, 1, 0);
            (core.solver.core().row_bytes(), model.constraint_count())
        };
        let ((one, rows), (each, _)) = (bytes(1e-4), bytes(2e-4));
        // Two of each form of packets were there before, of up to eight rows.
        let more = 4 * rows - 128..6 * rows;
        assert!(more.contains(&(each - one)), "{one} and {each} bytes for {rows} rows");
    }
}

/// Of colors that are free at some of a row's particles that at most of them; the first of equals, and of all that are free at each.
#[test]
fn a_row_takes_the_color_that_is_free_most() {
    for (free, color) in [
        (&[0b0110, 0b0100, 0b1000][..], 2),
        (&[0b0110, 0b1110, 0b0111], 1),
        (&[0b1000, 0b0010], 1),
        (&[0b1000_0000, 0, 0], 7),
        (&[0, 0], 0),
    ] {
        assert_eq!(best_color(free.iter().copied()), color, "{free:?}");
    }
}

/// A list is empty where it has no row; a permutation that is extended has all its slots, in whole blocks of eight.
#[test]
fn lists_and_permutations_know_their_lengths() {
    assert!(RowList { particles: &[], arity: 2 }.is_empty());
    assert!(!RowList { particles: &[3, 4], arity: 2 }.is_empty());
    let extended = Permutation::identity(11).extended(4);
    assert_eq!((extended.as_slice().len(), extended.slot_count()), (15, 24));
    let mut slots: Vec<u32> = extended.as_slice().to_vec();
    slots.sort_unstable();
    slots.dedup();
    assert_eq!(slots.len(), 15);
}

/// Springs between particles and points of bodies hold C² / 2α each, where the body is turned too.
#[test]
fn springs_at_arms_have_their_energies() {
    let mut model = Model::new();
    let body = Body::new(Shape::Sphere(0.5), Weight::Mass(1.0), None).expect("a ball");
    model.add_body(body).expect("a body");
    let mut springs = Attachments::new();
    for (x, alpha) in [(2.0, 1e-2), (-3.0, 4e-3)] {
        let i = model.add_particle([x, 0.0, 0.0], [0.0; 3], 1.0).expect("a particle");
        let at = [At::Particle(i), At::Body(0, [0.0, 0.5, 0.0])];
        let stiffness = Stiffness::Compliance(alpha);
        springs.add(&model, Distance, at, [Some(1.0)], stiffness).expect("a spring");
    }
    assert_eq!((springs.len(), springs.equations()), (2, 2));
    let half = std::f32::consts::FRAC_1_SQRT_2;
    // As authored, with the arm up; and with the arm along x: a quarter turn about -z.
    for (pose, ends) in [
        ([0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0], [0.0_f64, 0.5]),
        ([0.0, 0.0, 0.0, 0.0, 0.0, -half, half], [0.5, 0.0]),
    ] {
        let state = Snapshot {
            positions: vec![[2.0, 0.0, 0.0], [-3.0, 0.0, 0.0]],
            bodies: vec![pose],
            ..Snapshot::default()
        };
        let stretch = |x: f64| (x - ends[0]).hypot(ends[1]) - 1.0;
        let expected = stretch(2.0).powi(2) / 2e-2 + stretch(-3.0).powi(2) / 8e-3;
        let found = springs.elastic_energy(&Measurement {
            state: &state,
            lambda: &[],
            settings: &model.settings,
        });
        assert!((found / expected - 1.0).abs() < 1e-5, "{found} J for {expected}");
    }
}

/// Chebyshev's acceleration remembers each row's multiplier once more: four bytes for each, in whole packets.
#[test]
fn what_is_remembered_has_its_bytes() {
    for (name, size) in [("cloth", 33), ("sphere", 3)] {
        let mut model = scene(name, size);
        let mut bytes = |mode| {
            model.settings.jacobi = mode;
            let outcome = run(&model, Method::Jacobi, 1, 0);
            (outcome.solver.core().row_bytes(), model.constraint_count())
        };
        let ((plain, rows), (more, _)) = (bytes(JacobiMode::Average), bytes(JacobiMode::Chebyshev));
        let remembered = more - plain;
        assert!((4 * rows..=6 * rows).contains(&remembered), "{name}: {remembered} for {rows}");
    }
}
