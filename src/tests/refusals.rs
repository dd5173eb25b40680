//! Bad parameters, stiffness and rest states of every kind are refused by name and value; no method refuses a subsystem.

use super::every_kind;
use super::sample::{Random, at_rest};
use crate::constraints::{Constraint, Distance, IsometricBending, NeoHookean, Plane, Source};
use crate::constraints::{StrainTetrahedron, StrainTriangle};
use crate::error::ModelError;
use crate::model::Model;
use crate::rows::Stiffness;
use crate::solvers::Method;
use crate::state::Width;
use crate::subsystem::{BuildContext, Note, Runtime, StepContext, StepPhase, Subsystem, runtimes};
use crate::threads::Worker;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// A model of the particles at `x`.
fn model(x: &[[f64; 3]]) -> Model {
    let mut model = Model::new();
    for &x in x {
        model.add_particle(x, [0.0; 3], 1.0).expect("a particle");
    }
    model
}

/// The kind's own sort of stiffness.
fn stiffness_of<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>()
-> Stiffness {
    match C::MATERIAL {
        true => Stiffness::Material,
        false => Stiffness::Factor(1.0),
    }
}

/// The parameters that must be given, and the rest positions.
fn required<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>()
-> ([Option<f64>; P], [[f64; 3]; N]) {
    let (x, p) = at_rest::<C, N, P, K>(&mut Random(10));
    let is_required = |i: usize| C::PARAMS[i].given == Source::Required;
    let good = std::array::from_fn(|i| is_required(i).then_some(p[i]));
    (good, x.map(|x| [x.x, x.y, x.z]))
}

/// Adds a row of the first particles to a model of particles at `x`.
fn add<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
    x: &[[f64; 3]; N],
    params: [Option<f64>; P],
    stiffness: Stiffness,
) -> Result<(), ModelError> {
    let ids = std::array::from_fn(|i| i as u32);
    model(x).add_as::<C, N, P, K>(ids, params, stiffness)
}

#[test]
fn values_out_of_range_are_refused() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let (good, x) = required::<C, N, P, K>();
        let add = |params, stiffness| add::<C, N, P, K>(&x, params, stiffness);
        let stiffness = stiffness_of::<C, N, P, K>();
        add(good, stiffness).expect("good parameters");
        for (i, param) in C::PARAMS.iter().enumerate() {
            let range = param.range;
            let mut bad = vec![range.least - 1e-3, range.most + 1e-3, f64::NAN, 1e300];
            if range.open {
                bad.extend([range.least, range.most]);
            }
            if param.given == Source::Derived {
                bad.push(1.0);
            }
            for value in bad {
                let mut params = good;
                params[i] = Some(value);
                let error = add(params, stiffness).expect_err(param.name).to_string();
                let names = error.contains(C::NAME) && error.contains(param.name);
                assert!(names, "{error}");
            }
            if param.given == Source::Required {
                let mut params = good;
                params[i] = None;
                let missing = ModelError::Missing { kind: C::NAME, row: 0, name: param.name };
                assert_eq!(add(params, stiffness), Err(missing));
            }
        }
    }
    every_kind!(check);
}

#[test]
fn strengths_out_of_range_are_refused() {
    fn check<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() {
        let (good, x) = required::<C, N, P, K>();
        let add = |params, stiffness| add::<C, N, P, K>(&x, params, stiffness);
        for (bad, name) in [
            (Stiffness::Factor(-0.1), "stiffness -0.1"),
            (Stiffness::Factor(f64::NAN), "stiffness NaN"),
            (Stiffness::Compliance(-1.0), "compliance -1"),
            (Stiffness::Damped(1.0, f64::INFINITY), "inf"),
        ] {
            let error = add(good, bad).expect_err(name).to_string();
            let right = error.contains(name) || C::MATERIAL;
            assert!(right, "{error}");
        }
        let other = match C::MATERIAL {
            true => Stiffness::Compliance(0.0),
            false => Stiffness::Material,
        };
        add(good, other).expect_err("the other sort of stiffness");
    }
    every_kind!(check);
}

/// What a rest state of no area, volume or direction is refused with.
#[test]
fn flat_rest_states_are_refused() {
    let flat = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.7, 0.9, 0.0]];
    let line = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [2.0, 0.0, 0.0], [3.0, 1.0, 0.0]];
    let stiff = Stiffness::Factor(1.0);
    let errors = [
        model(&line).add(StrainTriangle, [0, 1, 2], [None; 3], stiff),
        model(&flat).add(StrainTetrahedron, [0, 1, 2, 3], [None; 6], stiff),
        model(&line).add(IsometricBending, [0, 1, 2, 3], [None; 3], stiff),
        model(&flat).add(
            NeoHookean,
            [0, 1, 2, 3],
            NeoHookean::material(1e5, 0.3),
            Stiffness::Material,
        ),
        model(&flat).add(Plane, [0], [0.0, 0.0, 0.0, 0.0, 0.0, 0.0].map(Some), stiff),
    ];
    let said = [
        "strain_triangle row 0: rest_area 0 is not allowed (the triangle must not be flat at rest)",
        "strain_tetrahedron row 0: rest_volume 0 is not allowed (the tetrahedron must not be flat at rest)",
        "isometric_bending row 0: rest_area 0 is not allowed (the triangle must not be flat at rest)",
        "neo_hookean row 0: rest_volume 0 is not allowed (the tetrahedron must not be flat at rest)",
        "plane row 0: length of normal 0 is not allowed (must not be zero)",
    ];
    for (error, said) in errors.into_iter().zip(said) {
        assert_eq!(error.expect_err(said).to_string(), said);
    }
}

#[test]
fn a_material_sets_its_own_strength() {
    let tetrahedron = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let steel = NeoHookean::material(2e11, 0.3);
    let add = |stiffness| model(&tetrahedron).add(NeoHookean, [0, 1, 2, 3], steel, stiffness);
    let refused = [
        (
            Stiffness::Factor(0.5),
            "neo_hookean row 0: stiffness 0.5 is not allowed (it follows from the material)",
        ),
        (
            Stiffness::Damped(0.25, 1.0),
            "neo_hookean row 0: compliance 0.25 is not allowed (it follows from the material)",
        ),
    ];
    for (stiffness, said) in refused {
        assert_eq!(add(stiffness).expect_err(said).to_string(), said);
    }
    let distance = model(&tetrahedron).add(Distance, [0, 1], [None], Stiffness::Material);
    let missing = ModelError::Missing { kind: "distance", row: 0, name: "stiffness or compliance" };
    assert_eq!(distance, Err(missing));
}

/// How often a subsystem was called: to begin a substep and an iteration, to project, to respond.
type Calls = Arc<[AtomicUsize; 4]>;

/// A subsystem that only counts how often it is called.
struct Counted(Calls);

impl Counted {
    fn runtime<W: Width>(&self, _: &BuildContext) -> Box<dyn Runtime<W>> {
        Box::new(Counted(self.0.clone()))
    }
}

impl Subsystem for Counted {
    runtimes!();
    fn name(&self) -> &'static str {
        "counted"
    }
    fn len(&self) -> usize {
        0
    }
    fn describe(&self, _: &mut dyn fmt::Write) -> fmt::Result {
        Ok(())
    }
    fn needs(&self) -> [usize; 2] {
        [0; 2]
    }
}

impl<W: Width> Runtime<W> for Counted {
    fn each_iteration(&self) -> bool {
        true
    }
    fn begin(&self, phase: StepPhase, _: &Worker, _: &StepContext<W::Element>) {
        self.0[usize::from(phase == StepPhase::Iteration)].fetch_add(1, Relaxed);
    }
    fn project(&self, _: &Worker, _: &StepContext<W::Element>) {
        self.0[2].fetch_add(1, Relaxed);
    }
    fn respond(&self, _: &Worker, _: &StepContext<W::Element>) {
        self.0[3].fetch_add(1, Relaxed);
    }
    fn residual(&self, _: &Worker, _: &StepContext<W::Element>, _: Note) {}
}

/// Every method calls a subsystem at the same points of a step, as often as there are substeps and iterations.
#[test]
fn every_method_runs_every_subsystem() {
    for method in Method::ALL {
        let calls = Calls::default();
        let mut model = Model::new();
        model.add_particle([0.0; 3], [0.0; 3], 1.0).unwrap();
        model.add_subsystem(Counted(calls.clone())).unwrap();
        (model.settings.substeps, model.settings.iterations) = (3, 5);
        let (mut particles, mut solver) = crate::solvers::prepare(&model, method, 1).unwrap();
        solver.step(&mut particles);
        let counted = calls.each_ref().map(|calls| calls.load(Relaxed));
        assert_eq!(counted, [3, 3 * 4, 3 * 5, 3], "{method:?}");
    }
}
