//! Surfaces that tear: where, into what, and with the same bits by every order, width and number of threads.

use crate::coloring::{Coloring, RowList, first_fit, recolor};
use crate::constraints::{Bending, Distance, Tether};
use crate::mesh::{survey_surface, unique_edges};
use crate::model::Model;
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::tests::models::simulate;
use crate::{Method, ModelError, Simulation};

/// Columns and rows of the strip's points, and their distance (m).
const SIDES: [usize; 2] = [13, 5];
const STEP: f64 = 0.1;

fn at(x: usize, z: usize) -> u32 {
    (z * SIDES[0] + x) as u32
}

/// A strip with notches in the middle of both sides, its left end held, its right end pulled at 0.6 m/s.
fn strip() -> Model {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    (model.settings.substeps, model.settings.iterations) = (20, 4);
    for z in 0..SIDES[1] {
        for x in 0..SIDES[0] {
            let is_end = x == 0 || x == SIDES[0] - 1;
            let speed = if x == SIDES[0] - 1 { 0.6 } else { 0.0 };
            let place = [x as f64 * STEP, 0.0, z as f64 * STEP];
            let w = if is_end { 0.0 } else { 100.0 };
            model.add_particle(place, [speed, 0.0, 0.0], w).expect("a particle");
        }
    }
    let cells = (0..SIDES[1] - 1).flat_map(|z| (0..SIDES[0] - 1).map(move |x| (x, z)));
    let is_notch = |x, z| x == SIDES[0] / 2 && (z == 0 || z == SIDES[1] - 2);
    let halves = cells.filter(|&(x, z)| !is_notch(x, z)).flat_map(|(x, z)| {
        let [a, b, c, d] = [at(x, z), at(x + 1, z), at(x, z + 1), at(x + 1, z + 1)];
        [[a, c, b], [b, c, d]]
    });
    let triangles: Vec<[u32; 3]> = halves.collect();
    for edge in unique_edges(&triangles) {
        model.add(Distance, edge, [None], Stiffness::Compliance(1e-3)).expect("an edge");
    }
    for hinge in survey_surface(&triangles).interior {
        model.add(Bending, hinge, [None], Stiffness::Damped(1.0, 0.01)).expect("a hinge");
    }
    model.add_triangles(triangles);
    model
}

/// The strip that tears at a strain of 0.3.
fn weak() -> Model {
    let mut model = strip();
    let all = 0..model.triangles().len();
    model.add_tear(all, 0.3, 200).expect("a surface");
    model
}

/// How many parts hang together by vertices.
fn parts(triangles: &[[u32; 3]], particles: usize) -> usize {
    let mut part: Vec<usize> = (0..particles).collect();
    for _ in 0..particles {
        for t in triangles {
            let least = t.iter().map(|&i| part[i as usize]).min().expect("corners");
            t.iter().for_each(|&i| part[i as usize] = least);
        }
    }
    let corners = triangles.as_flattened().iter();
    corners.map(|&i| part[i as usize]).collect::<std::collections::BTreeSet<_>>().len()
}

fn count(simulation: &Simulation, name: &str) -> usize {
    let counts = simulation.counts();
    counts.iter().find(|(known, _)| *known == name).map_or(0, |(_, count)| *count)
}

/// Pulled by a third it comes apart where it is notched, in two pieces, with all rows of each; by an eighth it holds.
#[test]
fn a_strip_pulled_past_its_strain_is_two_pieces() {
    for method in [Method::Scalar, Method::Lanes, Method::Jacobi, Method::Hybrid, Method::Impulse] {
        let whole = simulate(weak(), method, 1, 16);
        assert_eq!(whole.model().triangles(), weak().triangles(), "{}", method.name());
        assert_eq!(whole.counts(), []);
        let torn = simulate(weak(), method, 1, 40);
        let (model, name) = (torn.model(), method.name());
        assert_eq!(parts(model.triangles(), model.positions().len()), 2, "{name}");
        // Each edge and hinge that there is has one row.
        let edges = unique_edges(model.triangles()).len();
        let hinges = survey_surface(model.triangles()).interior.len();
        let rows: Vec<usize> = model.rows().iter().map(|set| set.len()).collect();
        assert_eq!(rows, [edges, hinges], "{name}");
        assert!(count(&torn, "broken rows") > 0, "{name}");
        // It has torn between the notches.
        let columns: Vec<_> = model.copies().map(|[_, of]| of as usize % SIDES[0]).collect();
        assert!(columns.iter().all(|x| (6..=7).contains(x)), "{name}: {columns:?}");
        assert!(count(&torn, "split vertices") >= SIDES[1] - 2, "{name}");
    }
}

/// Lanes are colored, ordered is scalar, and threads and widths do not matter: of the strip, and of a sheet with a layout, contacts and
/// a body.
#[test]
fn lanes_equal_scalars_and_threads_do_not_matter_for_what_tears() {
    let ball = || Scene::find("tear").expect("a scene").model(Some(20)).expect("a model");
    for (name, model, frames) in
        [("strip", &weak as &dyn Fn() -> Model, 30), ("ball", &ball as &dyn Fn() -> Model, 24)]
    {
        let hash = |method, threads, width| {
            let mut model = model();
            model.settings.width = width;
            let torn = simulate(model, method, threads, frames);
            assert!(count(&torn, "split vertices") > 2, "{name} {method:?}");
            torn.observe().hash
        };
        let [colored, scalar] = [Method::Colored, Method::Scalar].map(|m| hash(m, 1, None));
        for threads in [1, 2, 3, 7] {
            assert_eq!(hash(Method::Lanes, threads, None), colored, "{name} on {threads}");
            assert_eq!(hash(Method::Ordered, threads, None), scalar, "{name} on {threads}");
        }
        for width in [8, 16] {
            assert_eq!(hash(Method::Lanes, 2, Some(width)), colored, "{name} {width}");
        }
    }
    for method in [Method::Jacobi, Method::Hybrid] {
        let hashes =
            [1, 2, 3, 7].map(|threads| simulate(weak(), method, threads, 30).observe().hash);
        assert_eq!(hashes, [hashes[0]; 4], "{method:?}");
    }
}

/// A vertex amid six like triangles splits in two halves, each with half of its mass, and with it the two ends of the tear on the
/// rim, whose triangles no longer hang together; edges along the tear are there twice, hinges over it no more, and neither
/// momentum changes.
#[test]
fn a_split_keeps_mass_and_momenta() {
    let mut model = Model::new();
    model.settings.gravity = [0.0; 3];
    model.settings.iterations = 0;
    for i in 0..9 {
        let velocity = [0.3 * f64::from(i), 0.1 * f64::from(i * i % 7), -0.2];
        model.add_particle([f64::from(i % 3), 0.0, f64::from(i / 3)], velocity, 0.5).unwrap();
    }
    let triangles: Vec<[u32; 3]> =
        [0, 1, 3, 4].into_iter().flat_map(|a| [[a, a + 3, a + 1], [a + 1, a + 3, a + 4]]).collect();
    for edge in unique_edges(&triangles) {
        // The edge from the middle to the right starts at twice its length.
        let rest = (edge == [4, 5] || edge == [5, 4]).then_some(0.5);
        model.add(Distance, edge, [rest], Stiffness::Factor(1.0)).unwrap();
    }
    for hinge in survey_surface(&triangles).interior {
        model.add(Bending, hinge, [None], Stiffness::Factor(0.1)).unwrap();
    }
    model.add_triangles(triangles.clone());
    model.add_tear(0..8, 0.5, 4).unwrap();
    let mut simulation = Simulation::new(model, Method::Scalar, 1).unwrap();
    let before = simulation.observe();
    assert_eq!(simulation.model().row_count(), 16 + 8);
    simulation.step();
    let (model, seen) = (simulation.model(), simulation.observe());
    let left = |t: &[u32; 3]| t.iter().map(|i| i % 3).sum::<u32>() < 3;
    for (now, of) in model.triangles().iter().zip(&triangles) {
        let copies: &[[u32; 2]] = if left(of) { &[[4, 9]] } else { &[[1, 10], [7, 11]] };
        let copy = |i: u32| copies.iter().find(|[of, _]| *of == i).map_or(i, |[_, copy]| *copy);
        assert_eq!(*now, of.map(copy));
    }
    // Corners at a vertex of 2 kg: three on each side of the middle; of the upper end two are on the left, of the lower one.
    let masses =
        [(0, 0.5), (4, 1.0), (9, 1.0), (1, 0.75), (10, 1.5), (7, 1.5), (11, 0.75), (12, 0.0)];
    for (i, w) in masses {
        assert!((model.inverse_masses()[i] - w).abs() < 1e-6, "particle {i}");
    }
    let rows: Vec<usize> = model.rows().iter().map(|set| set.len()).collect();
    assert_eq!(rows, [16 + 2, 8 - 2]);
    for k in 0..3 {
        assert!((seen.momentum[k] - before.momentum[k]).abs() < 1e-5);
        assert!((seen.angular_momentum[k] - before.angular_momentum[k]).abs() < 1e-4);
    }
    assert!((seen.energy - before.energy).abs() < 1e-4 * before.energy);
}

/// A state saved amid the tear goes on in a new simulation, by another method of the same bits and on other threads; and one that
/// has torn goes back to before it did.
#[test]
fn a_torn_state_is_saved_and_restored() {
    let ball = || Scene::find("tear").expect("a scene").model(Some(20)).expect("a model");
    let mut goes_on = false;
    for model in [&weak as &dyn Fn() -> Model, &ball as &dyn Fn() -> Model] {
        let mut simulation = simulate(model(), Method::Lanes, 2, 3);
        let early = simulation.snapshot();
        while count(&simulation, "split vertices") == 0 && simulation.frame() < 60 {
            simulation.step();
        }
        let copies = count(&simulation, "split vertices");
        assert!(copies > 0);
        let (middle, end) = (simulation.frame(), simulation.frame() + 8);
        let mut file = Vec::new();
        simulation.save(&mut file).expect("memory takes all");
        (middle..end).for_each(|_| simulation.step());
        goes_on |= count(&simulation, "split vertices") > copies;
        let mut expected = Vec::new();
        simulation.save(&mut expected).expect("memory takes all");
        for (method, threads) in [(Method::Lanes, 3), (Method::Colored, 1)] {
            let mut other = Simulation::new(model(), method, threads).expect("a simulation");
            other.load(&mut &file[..]).expect("a state of this model");
            (middle..end).for_each(|_| other.step());
            let mut found = Vec::new();
            other.save(&mut found).expect("memory takes all");
            assert!(found == expected, "{method:?}");
        }
        simulation.restore(&early);
        (3..end).for_each(|_| simulation.step());
        let mut again = Vec::new();
        simulation.save(&mut again).expect("memory takes all");
        assert!(again == expected);
        // Corners that no tear has made are refused, and change nothing.
        let mut wrong = simulation.checkpoint();
        wrong.state.triangles[0][0] = wrong.state.triangles[3][1] + 1;
        assert!(simulation.resume(&wrong).is_err());
        let mut kept = Vec::new();
        simulation.save(&mut kept).expect("memory takes all");
        assert!(kept == expected);
    }
    assert!(goes_on);
}

/// The pieces of a cloth that touch floor and body touch them still: no particle is below, copies neither.
#[test]
fn copies_touch_what_their_vertices_touch() {
    let mut model = weak();
    model.settings.gravity = [0.0, -9.81, 0.0];
    let floor = crate::collision::Collider::plane([0.0, -0.1, 0.0], [0.0, 1.0, 0.0]).unwrap();
    let colliders = vec![floor];
    model.set_contacts(crate::collision::Contacts { colliders, ..Default::default() }).unwrap();
    let waiting = model.positions().len() - model.tears()[0].copies.len();
    assert_eq!(model.contacts().unwrap().particles.as_ref().unwrap().len(), waiting);
    let torn = simulate(model, Method::Lanes, 1, 90);
    assert!(count(&torn, "split vertices") > 2);
    let lowest = torn.positions().iter().map(|x| x[1]).fold(0.0, f32::min);
    assert!(lowest > -0.101, "{lowest}");
}

#[test]
fn what_cannot_tear_is_refused() {
    let said = |refused: Result<(), ModelError>| refused.expect_err("refused").to_string();
    let mut model = strip();
    let all = model.triangles().len();
    let count = model.positions().len();
    for (refused, words) in [
        (
            model.add_tear(0..all + 1, 0.3, 5),
            "tears[0].triangles: 92 is not allowed (no such triangle)",
        ),
        (
            model.add_tear(2..2, 0.3, 5),
            "tears[0].triangles: 0 is not allowed (a surface has triangles)",
        ),
        (model.add_tear(0..all, -0.1, 5), "tears[0].strain: -0.1 is not allowed"),
        (model.add_tear(0..all, f64::NAN, 5), "tears[0].strain: NaN is not allowed"),
    ] {
        assert!(said(refused.clone()).starts_with(words), "{}", said(refused));
    }
    model.add(Tether, [at(1, 1), at(8, 2)], [None], Stiffness::Factor(1.0)).unwrap();
    let tether = said(model.add_tear(0..all, 0.3, 5));
    assert!(
        tether.starts_with("tether row 0: particle 34 is not allowed (no triangle"),
        "{tether}"
    );
    // What is refused leaves nothing behind.
    assert_eq!((model.positions().len(), model.tears().len()), (count, 0));
    let mut model = weak();
    let overlap = said(model.add_tear(3..4, 0.2, 1));
    assert!(overlap.contains("another surface that tears"), "{overlap}");
    model.add(Distance, [0, count as u32], [None], Stiffness::Factor(1.0)).unwrap();
    let late = Simulation::new(model, Method::Scalar, 1).err().expect("refused").to_string();
    assert!(late.contains("it waits to be a copy"), "{late}");
    let mut model = strip();
    let mut shapes = crate::groups::Shapes::new();
    shapes.add(&model, &[0, 1, 2, 13], None, Stiffness::Factor(1.0), None).unwrap();
    model.add_subsystem(shapes).unwrap();
    let group = said(model.add_tear(0..all, 0.3, 5));
    assert!(group.starts_with("shape.particles: 1 is not allowed"), "{group}");
}

/// Rows that keep their color, and the others, are colored together.
#[test]
fn rows_that_changed_are_colored_among_the_others() {
    let particles: Vec<u32> = (0..40).flat_map(|i| [i / 2, 20 + i * 8 % 23]).collect();
    let rows = RowList { particles: &particles, arity: 2 };
    let mut known = vec![0_u16; 40];
    for (color, members) in (0..).zip(first_fit(rows, 43, 0..40).colors()) {
        members.iter().for_each(|&row| known[row as usize] = color);
    }
    let kept: Vec<Option<u16>> =
        known.iter().enumerate().map(|(row, color)| (row % 3 > 0).then_some(*color)).collect();
    let colors = recolor(rows, &kept);
    assert!(kept.iter().zip(&colors).all(|(kept, now)| kept.is_none_or(|kept| kept == *now)));
    let most = usize::from(*colors.iter().max().expect("rows"));
    let mut lists = vec![Vec::new(); most + 1];
    (0..).zip(&colors).for_each(|(row, color)| lists[usize::from(*color)].push(row));
    assert!(Coloring::verify(rows, 43, lists).is_ok());
    assert!(most < 4, "{most} {known:?} {colors:?}");
}
