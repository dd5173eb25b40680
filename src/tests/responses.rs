//! Responses against closed forms: k', the compliant spring and the damped one.

use super::models::run;
use super::sample::{How, project_once, sites};
use crate::constraints::{
    Compliant, Constraint, Damped, Distance, GenericResponse, Material, Particle, ResponseType,
    Stiff,
};
use crate::math::Vec3;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::settings::ResponseMode;
use crate::solvers::Method;

const REST: f64 = 1.0;

fn spring<A: ResponseType>(
    x: f64,
    previous: f64,
    w: f64,
    how: How,
    iterations: usize,
) -> (f64, f64) {
    let points = |x: f64| [Vec3::zero(), Vec3::new(x, 0.0, 0.0)];
    let mut s: [Particle<f64>; 2] = sites(points(x), [0.0, w]);
    let mut lambda = [0.0];
    for _ in 0..iterations {
        project_once::<Distance, A, _, 2, 1, 1>(&mut s, points(previous), [REST], how, &mut lambda);
    }
    (s[1].x.x, lambda[0])
}

/// After n projections 1 - k of the error is left (S1-18), where plain k would leave (1 - k)^n (S1-17).
#[test]
fn stiffness_does_not_depend_on_the_iterations() {
    for n in 1..=64 {
        let k = 0.7;
        let [k_per_iteration, _] = Stiff::numbers(k, 0.0, 1.0, n);
        let how = How {
            stiffness: k_per_iteration, // project_once has one iteration: taken as it is
            damping: 0.0,
            h: 1.0,
        };
        let (x, _) = spring::<Stiff>(1.5, 1.5, 2.0, how, n as usize);
        assert!((x - REST - 0.5 * (1.0 - k)).abs() < 1e-5, "{n}: {x}");
    }
}

/// XPBD eq. 18 and 26 on one spring and dashpot are implicit Euler: m (x - x̃) / h² = -(x - d) / α - β (x - x_prev) / h.
#[test]
fn compliance_and_damping_are_implicit_euler() {
    let (w, h, alpha) = (2.0, 0.01, 1e-3);
    for beta in [0.0, 0.3, 5.0] {
        let how = How { stiffness: alpha, damping: beta, h };
        let (mut x, mut v) = (1.4_f64, 0.0);
        let (mut exact, mut exact_v) = (x, v);
        for step in 0..300 {
            // The first substeps are solved in one projection, the others in four: the same, as C is linear here.
            let iterations = if step < 100 { 1 } else { 4 };
            let predicted = x + h * v;
            let (next, lambda) = if beta == 0.0 {
                spring::<Compliant>(predicted, x, w, how, iterations)
            } else {
                spring::<Damped>(predicted, x, w, how, iterations)
            };
            // λ / h² is the force.
            let force = -(next - REST) / alpha - beta * (next - x) / h;
            assert!((lambda / (h * h) - force).abs() < 1e-6 * force.abs().max(1.0));
            (x, v) = (next, (next - x) / h);

            let pull = w * h * h / alpha;
            let drag = w * h * beta;
            let predicted = exact + h * exact_v;
            let next = (predicted + pull * REST + drag * exact) / (1.0 + pull + drag);
            (exact, exact_v) = (next, (next - exact) / h);
            assert!((x - exact).abs() < 1e-11, "β {beta} step {step}: {x}, {exact}");
        }
    }
}

/// A coincident pair has no direction: nothing moves, whatever holds it.
#[test]
fn without_gradient_no_response_moves() {
    let x = [Vec3::new(1.0, 2.0, 3.0); 2];
    let how = How { stiffness: 1e-6, damping: 1.0, h: 0.01 };
    let mut s = sites::<f32, 2>(x, [1.0; 2]);
    project_once::<Distance, Damped, _, 2, 1, 1>(&mut s, x, [REST], how, &mut [0.0]);
    assert!(s.iter().all(|s| s.x == Vec3::of([1.0, 2.0, 3.0])));
    assert_eq!(Distance::evaluate(x, [REST])[0].n, 0.0);
}

/// The setting `response` gives the bits of a model whose rows were authored that way (docs/scene-format.md).
#[test]
fn one_response_for_all_rows() {
    use Stiffness::{Compliance, Damped, Factor};
    let given = [Factor(0.5), Compliance(1e-3), Damped(1e-3, 2.0), Factor(0.0)];
    let pbd = [Factor(0.5), Factor(1.0), Factor(1.0), Factor(0.0)];
    let free = Compliance(f64::from(f32::MAX));
    let xpbd = [Compliance(0.0), Compliance(1e-3), Damped(1e-3, 2.0), free];
    let rope = |stiffness: [Stiffness; 4], response| {
        let mut model = Model::new();
        model.settings.response = response;
        for i in 0..5 {
            let w = if i == 0 { 0.0 } else { 1.0 };
            let x = [f64::from(i) * 0.3, 0.0, 0.1 * f64::from(i % 2)];
            model.add_particle(x, [0.0; 3], w).unwrap();
        }
        for (i, stiffness) in (0..4).zip(stiffness) {
            model.add(Distance, [i, i + 1], [Some(0.29)], stiffness).unwrap();
        }
        model
    };
    for method in [Method::Scalar, Method::Ordered] {
        let positions = |model| run(&model, method, 1, 20).positions();
        for (response, authored) in [(ResponseMode::Pbd, pbd), (ResponseMode::Xpbd, xpbd)] {
            let all = positions(rope(given, response));
            assert_eq!(all, positions(rope(authored, ResponseMode::AsGiven)), "{response:?}");
            assert_ne!(all, positions(rope(given, ResponseMode::AsGiven)), "{response:?}");
        }
    }
}

/// A row of a material of compliance α has α/h² per substep (S2-01), by the class of its own and by the one that serves all.
#[test]
fn a_material_is_as_compliant_as_it_says() {
    use crate::constraints::Response;
    let (alpha, h) = (3e-4, 0.02);
    let [of_h, _] = <Material as ResponseType>::numbers(0.0, 0.0, h, 1);
    let own = <Compliant<f64> as Response<f64>>::new([of_h, 0.0]).of_material(alpha).parts();
    let any = GenericResponse::of([of_h, 0.0, -1.0]).of_material(alpha).parts();
    for [found, gamma, k] in [own, any] {
        assert!((found - 0.75).abs() < 1e-12, "{found}");
        assert_eq!((gamma, k), (0.0, 1.0));
    }
}
