//! What a row costs, counted: floating-point operations by running its formula on a number that counts, and bytes.

use crate::constraints::{
    Class, Compliant, Constraint, Particle, Response, Visitor, project, visit_kinds,
};
use crate::lanes::{Real, Vec3};
use std::cell::Cell;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// The cost of projecting one row of a kind with compliance.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cost {
    /// Additions, subtractions, multiplications, negations, comparisons and selects.
    pub simple: usize,
    /// Divisions.
    pub divisions: usize,
    /// Square roots.
    pub roots: usize,
}

impl Cost {
    /// All operations, each counted as one.
    pub fn flops(&self) -> usize {
        self.simple + self.divisions + self.roots
    }
}

thread_local! {
    static COUNTED: Cell<Cost> = const { Cell::new(Cost { simple: 0, divisions: 0, roots: 0 }) };
}

/// A number that counts what is done to it.
#[derive(Clone, Copy, Debug)]
struct Count(f64);

fn count(operation: impl Fn(&mut Cost) -> &mut usize) {
    let mut cost = COUNTED.get();
    *operation(&mut cost) += 1;
    COUNTED.set(cost);
}

macro_rules! counted {
    ($($trait:ident $method:ident $op:tt $field:ident)*) => {$(
        impl $trait for Count {
            type Output = Self;
            fn $method(self, o: Self) -> Self {
                count(|cost| &mut cost.$field);
                Self(self.0 $op o.0)
            }
        }
    )*};
}
counted! { Add add + simple  Sub sub - simple  Mul mul * simple  Div div / divisions }

impl Neg for Count {
    type Output = Self;
    fn neg(self) -> Self {
        count(|cost| &mut cost.simple);
        Self(-self.0)
    }
}

impl Real for Count {
    type Mask = bool;
    fn of(v: f64) -> Self {
        Self(v)
    }
    fn sqrt(self) -> Self {
        count(|cost| &mut cost.roots);
        Self(self.0.sqrt())
    }
    fn lt(self, o: Self) -> bool {
        count(|cost| &mut cost.simple);
        self.0 < o.0
    }
    fn select(mask: bool, yes: Self, no: Self) -> Self {
        count(|cost| &mut cost.simple);
        if mask { yes } else { no }
    }
}

/// The cost of each registered kind, by name.
pub fn costs() -> Vec<(&'static str, Cost)> {
    struct Collect(Vec<(&'static str, Cost)>);
    impl Visitor for Collect {
        fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
            &mut self,
        ) {
            self.0.push((C::NAME, cost::<C, N, P, K>()));
        }
    }
    let mut collect = Collect(Vec::new());
    visit_kinds(&mut collect);
    collect.0
}

fn cost<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>() -> Cost {
    // Points in general position; formulas have no branches, so any will do.
    let corner = |i: usize| [i as f64 * 0.7, (i % 2) as f64 + 0.1, (i * i) as f64 * 0.3];
    let mut sites = std::array::from_fn(|i| Particle {
        x: Vec3::of(corner(i)),
        w: Count(1.0),
    });
    COUNTED.set(Cost::default());
    project::<C, _, _, _, N, P, K>(
        &mut sites,
        [Vec3::zero(); N],
        [Count(1.0); P],
        <Compliant as Class>::At::<Count>::new([Count(0.1); 2]),
        &mut [Count(0.0); K],
    );
    COUNTED.get()
}
