//! Workers that share a color leave what one alone would have left, wherever one ends and the next begins.

use crate::coloring::{Coloring, Permutation};
use crate::constraints::Distance;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::rows::grouping::ColorStats;
use crate::state::{ParticleView, PositionView};

/// 43 rungs: two runs that are a pair, a gap, two more and a fifth, and three rows of a partial run; and two rows of ends in the
/// gaps.
fn rungs() -> Model {
    let mut model = Model::new();
    for i in 0..112 {
        let place = [f64::from(i % 56), 0.0, f64::from(i / 56)];
        model.add_particle(place, [0.0; 3], 1.0 + f64::from(i % 5)).unwrap();
    }
    let across = (0..16).chain(24..51).map(|i| [i, i + 56]);
    for ends in across.chain([[16, 79], [17, 78]]) {
        let stiffness = Stiffness::Compliance(1e-3);
        model.add(Distance, ends, [Some(0.5)], stiffness).unwrap();
    }
    model
}

#[test]
fn a_color_may_be_split_anywhere() {
    let mut model = rungs();
    let permutation = Permutation::identity(112);
    let list = model.rows()[0].row_list();
    let coloring = Coloring::verify(list, 112, vec![(0..45).collect()]).expect("rungs apart");
    let mut found = Vec::new();
    for width in [8, 16] {
        model.settings.width = Some(width);
        let batch = model.rows()[0].pack(&coloring, &permutation, true, &model.settings);
        let stats = ColorStats { rows: 45, runs: 5, partial_runs: 1, gathers: 0, tail: 2 };
        assert_eq!(batch.colors(), [stats]);
        for split in 0..=8 {
            let mut particles = model.particles::<f32>(permutation.clone());
            let view = ParticleView::new(&mut particles);
            let positions = PositionView::Columns(view);
            for first in [true, false] {
                batch.project(0, 0..split, first, &positions);
                batch.project(0, split..8, first, &positions);
            }
            found.push((particles.positions(), batch.multipliers()));
        }
    }
    assert!(found[0].0[0] != model.positions()[0]);
    assert!(found.iter().all(|other| *other == found[0]));
}
