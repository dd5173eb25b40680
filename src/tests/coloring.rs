//! Colorings and permutations: found valid by a check of the test's own, refused when broken on purpose.

use super::models::{Random, run, scene, sheet};
use crate::coloring::{
    Coloring, Permutation, Plan, Policy, RowList, balance, compare_colorings, first_fit,
    reverse_cuthill_mckee,
};
use crate::error::ModelError;
use crate::rows::Stiffness;
use crate::scenes::Scene;
use crate::solvers::{Method, prepare};
use proptest::prelude::*;
use std::collections::HashSet;

/// Rows of 2 to 4 different particles; in some models every row names a hub.
#[derive(Clone, Debug)]
struct Rows {
    particles: usize,
    arity: usize,
    flat: Vec<u32>,
}

impl Rows {
    fn list(&self) -> RowList<'_> {
        RowList { particles: &self.flat, arity: self.arity }
    }

    fn count(&self) -> u32 {
        self.list().len() as u32
    }
}

fn rows() -> impl Strategy<Value = Rows> {
    (2..=4_usize, 4..60_usize, 0..200_usize, any::<bool>(), any::<u64>()).prop_map(
        |(arity, particles, count, hub, seed)| {
            let mut random = Random(seed);
            let mut flat = Vec::new();
            for _ in 0..count {
                let mut row = if hub { vec![0] } else { Vec::new() };
                while row.len() < arity {
                    let i = random.below(particles) as u32;
                    if !row.contains(&i) {
                        row.push(i);
                    }
                }
                flat.extend(row);
            }
            Rows { particles, arity, flat }
        },
    )
}

/// Whether every row stands in one color and no color names a particle twice: slow and plain.
fn valid(rows: RowList, colors: &[Vec<u32>]) -> bool {
    let mut all: Vec<u32> = colors.concat();
    all.sort_unstable();
    let complete = all.iter().copied().eq(0..rows.len() as u32);
    let disjoint = colors.iter().all(|color| {
        let mut seen = HashSet::new();
        let mut named = color.iter().flat_map(|&row| rows.row(row));
        named.all(|particle| seen.insert(particle))
    });
    complete && disjoint
}

/// Rows 01, 12, 23, 30 of a ring.
const RING: [u32; 8] = [0, 1, 1, 2, 2, 3, 3, 0];

fn verify(colors: &[&[u32]]) -> Result<Coloring, ModelError> {
    let rows = RowList { particles: &RING, arity: 2 };
    Coloring::verify(rows, 4, colors.iter().map(|color| color.to_vec()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    /// First fit gives a coloring, with at least as many colors as the clique bound and at most one more than the rows that
    /// any row meets (S1-28).
    #[test]
    fn first_fit_is_valid(rows in rows(), seed: u64) {
        let list = rows.list();
        let mut order: Vec<u32> = (0..rows.count()).collect();
        order.sort_by_cached_key(|&row| Random(seed ^ u64::from(row) << 20).below(1 << 20));
        let coloring = first_fit(list, rows.particles, order.into_iter());
        prop_assert!(valid(list, coloring.colors()));
        let bound = list.clique_bound(rows.particles);
        let most = rows.arity * bound.saturating_sub(1) + 1;
        prop_assert!((bound..=most.max(bound)).contains(&coloring.colors().len()));
        prop_assert!(coloring.colors().iter().all(|color| !color.is_empty()));
    }

    /// `verify` agrees with the plain check on any partition, good or bad.
    #[test]
    fn verify_is_the_plain_check(rows in rows(), seed: u64, colors in 1..40_usize) {
        let mut random = Random(seed);
        let mut partition = vec![Vec::new(); colors];
        for row in 0..rows.count() {
            for _ in 0..[1, 1, 1, 1, 1, 1, 1, 1, 0, 2][random.below(10)] {
                partition[random.below(colors)].push(row);
            }
        }
        let good = valid(rows.list(), &partition);
        prop_assert_eq!(Coloring::verify(rows.list(), rows.particles, partition).is_ok(), good);
    }

    /// Reverse Cuthill-McKee is a permutation of the particles.
    #[test]
    fn renumbering_is_a_permutation(rows in rows()) {
        let permutation = reverse_cuthill_mckee(&[rows.list()], rows.particles);
        let mut places = permutation.as_slice().to_vec();
        places.sort_unstable();
        prop_assert!(places.into_iter().eq(0..rows.particles as u32));
        prop_assert_eq!(permutation.slot_count(), rows.particles.next_multiple_of(8));
    }
}

/// More colors than a round of bit masks: a hub whose rows are 300 (S1-28).
#[test]
fn a_hub_takes_a_color_a_row() {
    let flat: Vec<u32> = (1..=300).flat_map(|i| [0, i]).collect();
    let rows = RowList { particles: &flat, arity: 2 };
    let coloring = first_fit(rows, 301, 0..300);
    assert_eq!(coloring.colors().len(), 300);
    assert!(valid(rows, coloring.colors()));
}

/// Each way to break a coloring is refused, and says what broke it (S1-28).
#[test]
fn a_broken_coloring_is_refused() {
    assert!(verify(&[&[0, 2], &[1, 3]]).is_ok());
    assert!(verify(&[&[0, 2], &[], &[3, 1]]).is_ok());
    for (colors, says) in [
        (&[&[0, 2, 2][..], &[1, 3]][..], "row 2 is in it twice"),
        (&[&[0, 2], &[1, 3, 0]], "row 0 is in it twice"),
        (&[&[0, 2], &[1]], "row 3 has no color"),
        (&[], "row 0 has no color"),
        (&[&[0, 2], &[1, 3, 4]], "row 4 of 4 does not exist"),
        (&[&[0, 2], &[1, u32::MAX]], "does not exist"),
        (&[&[0, 1], &[2, 3]], "two rows of color 0 share particle 1"),
        (&[&[0, 2], &[3, 1, 0]], "row 0 is in it twice"),
    ] {
        let error = verify(colors).unwrap_err();
        assert!(matches!(error, ModelError::Coloring(_)));
        assert!(error.to_string().contains(says), "{error}, not {says}");
    }
    let beyond = RowList { particles: &[0, 9], arity: 2 };
    assert!(Coloring::verify(beyond, 4, vec![vec![0]]).is_err());
}

/// A generator's hint that is no coloring is refused when a solver is built, by every method that uses it.
#[test]
fn a_broken_layout_is_refused() {
    let cloth = || Scene::find("cloth").unwrap().model(Some(9)).unwrap();
    let good = cloth().layout().unwrap().clone();
    let broken = |corrupt: &dyn Fn(&mut crate::coloring::GridLayout)| {
        let mut layout = good.clone();
        corrupt(&mut layout);
        let mut model = cloth();
        model.set_layout(layout);
        [Method::Colored, Method::Lanes].map(|method| prepare(&model, method, 1).is_err())
    };
    assert_eq!(broken(&|_| ()), [false; 2]);
    assert_eq!(broken(&|s| s.colors[0][5] = s.colors[0][8]), [true; 2], "one row recolored");
    assert_eq!(broken(&|s| s.colors[0].fill(0)), [true; 2], "one color");
    assert_eq!(broken(&|s| s.colors[0].truncate(200)), [true; 2], "a color missing");
    assert_eq!(broken(&|s| s.colors[0].push(0)), [true; 2], "a color too many");
    assert_eq!(
        broken(&|s| s.permutation = Permutation::identity(80)),
        [true; 2],
        "80 of 81 particles"
    );
    // A color of a row's own is a worse coloring, and a coloring.
    assert_eq!(broken(&|s| s.colors[0][5] = 999), [false; 2]);
}

/// Every row recolored to every color: refused exactly where the plain check finds two rows sharing a particle.
#[test]
fn every_recolored_row_is_judged() {
    let model = sheet(4, 3, Stiffness::Factor(1.0));
    let rows = model.rows()[0].row_list();
    let good = first_fit(rows, 12, 0..rows.len() as u32);
    for row in 0..rows.len() as u32 {
        for color in 0..good.colors().len() {
            let mut colors = good.colors().to_vec();
            colors.iter_mut().for_each(|color| color.retain(|&r| r != row));
            colors[color].push(row);
            let expected = valid(rows, &colors);
            assert_eq!(
                Coloring::verify(rows, 12, colors).is_ok(),
                expected,
                "row {row}, color {color}"
            );
        }
    }
}

/// A permutation that is none is refused: two particles on one place, or one beyond the places.
#[test]
fn a_broken_numbering_is_refused() {
    assert!(Permutation::new(vec![3, 0, 7], 8).is_some());
    assert!(Permutation::new(vec![3, 0, 3], 8).is_none());
    assert!(Permutation::new(vec![3, 0, 8], 8).is_none());
    assert_eq!(Permutation::new(vec![], 9).unwrap().slot_count(), 16);
}

/// Balanced colors are no more than those of first fit, and the largest is at most a tenth above the mean (S1-29).
#[test]
fn balanced_colors_are_even() {
    for (name, size) in [("sphere", 5), ("bunny", 16), ("sphere", 3)] {
        let mut model = scene(name, size);
        let plain = Plan::new(&model.plan_input()).unwrap();
        model.settings.balanced_colors = true;
        let even = Plan::new(&model.plan_input()).unwrap();
        for (set, rows) in model.rows().iter().enumerate().filter(|(_, rows)| rows.len() > 400) {
            let sizes = even.color_sizes(set);
            let worst = balance(&sizes);
            assert!(worst <= 1.1, "{name}: {}: {sizes:?}", rows.name());
            assert!(sizes.len() <= plain.color_sizes(set).len());
            assert!(balance(&plain.color_sizes(set)) > worst);
        }
        let bits = |method, threads| run(&model, method, threads, 2).bits();
        let expected = bits(Method::Colored, 1);
        assert!([1, 3].iter().all(|&threads| bits(Method::Lanes, threads) == expected), "{name}");
    }
}

/// Every policy gives a coloring (it is verified there), of any rows; balanced colors are the most even.
#[test]
fn policies_give_colorings() {
    let mut random = Random(9);
    for arity in [2, 3, 4] {
        for particles in [5, 40, 300] {
            let mut flat = Vec::new();
            for _ in 0..4 * particles {
                let mut row = Vec::new();
                while row.len() < arity {
                    let i = random.below(particles) as u32;
                    if !row.contains(&i) {
                        row.push(i);
                    }
                }
                flat.extend(row);
            }
            let list = RowList { particles: &flat, arity };
            let bound = list.clique_bound(particles);
            for trial in compare_colorings(list, particles, |i| i, None).unwrap() {
                assert!(trial.colors >= bound && trial.balance >= 1.0, "{trial:?}");
            }
        }
    }
    for name in ["cloth", "sphere", "sheet"] {
        let size = if name == "sphere" { 3 } else { 20 };
        let model = Scene::find(name).unwrap().model(Some(size)).unwrap();
        for (set, rows) in model.rows().iter().enumerate() {
            let hint = model.layout().map(|s| &s.colors[set][..]);
            let list = rows.row_list();
            let trials = compare_colorings(list, model.positions().len(), |i| i, hint).unwrap();
            let of = |policy| trials.iter().find(|t| t.policy == policy).unwrap();
            // Neither is sure to be the better one; both are near.
            let (dsatur, first_fit) = (of(Policy::Dsatur).colors, of(Policy::FirstFit).colors);
            assert!(dsatur <= first_fit + 2, "{name}: {trials:?}");
            let least = trials.iter().map(|t| t.balance).fold(f64::MAX, f64::min);
            assert!(of(Policy::Balanced).balance < least + 0.1, "{name}: {trials:?}");
            assert_eq!(trials.len(), 4 + usize::from(hint.is_some()));
        }
    }
    // A hint that is no coloring is refused.
    let model = Scene::find("cloth").unwrap().model(Some(3)).unwrap();
    let list = model.rows()[0].row_list();
    assert!(compare_colorings(list, 9, |i| i, Some(&vec![0; list.len()])).is_err());
}
