//! Balloons at rest stay at rest: edges and pressure, which fight in every iteration, do not make them spin.

use super::methods::sphere;
use crate::Method;
use crate::constraints::Distance;
use crate::groups::Pressures;
use crate::math::Vec3;
use crate::mesh::unique_edges;
use crate::model::Model;
use crate::observe::observe;
use crate::rows::Stiffness;
use crate::tests::models::simulate;

/// Five seconds without gravity: ω = L / I, I = 2/3 m r² of a shell.
#[test]
fn balloons_at_rest_do_not_spin_up() {
    for (splits, pressure, compliance) in [(2, 1.3, 0.0), (3, 2.0, 0.0), (2, 2.0, 1e-6)] {
        let mut model = Model::new();
        model.settings.gravity = [0.0; 3];
        (model.settings.substeps, model.settings.iterations) = (10, 4);
        let triangles = sphere(&mut model, splits, [1.0, 2.0, 0.5], 0.5);
        for edge in unique_edges(&triangles) {
            model.add(Distance, edge, [None], Stiffness::Compliance(compliance)).unwrap();
        }
        let mut pressures = Pressures::new();
        pressures.add(&model, &triangles, pressure, None, Stiffness::Factor(1.0)).unwrap();
        model.add_subsystem(pressures).unwrap();
        let simulation = simulate(model, Method::Lanes, 1, 300);
        let state = simulation.snapshot();
        let center = Vec3::of([1.0, 2.0, 0.5]);
        let arms = state.positions.iter().map(|x| Vec3::<f64>::of(x.map(f64::from)) - center);
        let inertia: f64 = arms.map(|r| r.dot(r) * 2.0 / 3.0).sum();
        let seen = observe(simulation.model(), &state, &[]);
        let momentum: Vec3<f64> = Vec3::of(seen.momentum);
        let own = Vec3::of(seen.angular_momentum) - center.cross(momentum);
        let spin = own.length() / inertia;
        println!("{splits} splits, pressure {pressure}, {compliance}: {spin:.1e} rad/s");
        assert!(spin < 1e-3, "{splits} {pressure}: {spin} rad/s");
    }
}
