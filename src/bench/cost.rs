//! The floating-point operations of a row, counted by running its formula on a number that counts.

use crate::constraints::{
    Compliant, Constraint, Particle, Response, ResponseType, Visitor, project, visit_kinds,
};
use crate::math::{Real, Vec3};
use std::cell::RefCell;
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Sub};

/// The cost of projecting one row of a kind with compliance.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    /// Additions, subtractions, multiplications, negations, comparisons and selects.
    pub simple: usize,
    pub divisions: usize,
    pub roots: usize,
}

const FREE: Cost = Cost::new(0, 0, 0);
const SIMPLE: Cost = Cost::new(1, 0, 0);
const DIVISION: Cost = Cost::new(0, 1, 0);
const ROOT: Cost = Cost::new(0, 0, 1);

impl Cost {
    const fn new(simple: usize, divisions: usize, roots: usize) -> Self {
        Self { simple, divisions, roots }
    }

    /// All operations, each counted as one.
    pub fn flops(&self) -> usize {
        self.simple + self.divisions + self.roots
    }
}

thread_local! {
    /// Operations and their operands, each the number of an earlier result; operand 0 is any constant.
    static TAPE: RefCell<Vec<(Cost, [usize; 3])>> = const { RefCell::new(Vec::new()) };
}

/// A number that records the operations done to it, or the outcome of a comparison: the number of its entry. Formulas have
/// no branches, so what it is worth is never asked.
#[derive(Clone, Copy, Debug)]
struct Count(usize);

impl Count {
    /// Records an operation. Never inlined: within all formulas it took 40 % of the crate's compile time.
    #[inline(never)]
    fn made(cost: Cost, operands: [Count; 3]) -> Self {
        TAPE.with_borrow_mut(|tape| {
            tape.push((cost, operands.map(|operand| operand.0)));
            Self(tape.len())
        })
    }
}

/// The cost of computing `results`. Operations that contribute nothing are not counted: the compiler drops them too.
fn cost_of(results: impl Iterator<Item = usize>) -> Cost {
    TAPE.with_borrow_mut(|tape| {
        let mut needed = vec![false; tape.len() + 1];
        results.for_each(|result| needed[result] = true);
        let mut sum = FREE;
        while let Some((cost, operands)) = tape.pop() {
            if needed[tape.len() + 1] {
                sum.simple += cost.simple;
                sum.divisions += cost.divisions;
                sum.roots += cost.roots;
                operands.into_iter().for_each(|i| needed[i] = true);
            }
        }
        sum
    })
}

macro_rules! counted {
    ($($trait:ident $method:ident $cost:expr;)*) => {$(
        impl $trait for Count {
            type Output = Self;
            #[inline(never)]
            fn $method(self, o: Self) -> Self {
                Self::made($cost, [self, o, o])
            }
        }
    )*};
}
counted! {
    Add add SIMPLE;
    Sub sub SIMPLE;
    Mul mul SIMPLE;
    Div div DIVISION;
    // Combining comparisons is free.
    BitAnd bitand FREE;
    BitOr bitor FREE;
}

impl Neg for Count {
    type Output = Self;
    #[inline(never)]
    fn neg(self) -> Self {
        Self::made(SIMPLE, [self; 3])
    }
}

impl Real for Count {
    type Mask = Self;
    fn of(_: f64) -> Self {
        Self(0)
    }
    #[inline(never)]
    fn sqrt(self) -> Self {
        Self::made(ROOT, [self; 3])
    }
    #[inline(never)]
    fn lt(self, o: Self) -> Self {
        Self::made(SIMPLE, [self, o, o])
    }
    #[inline(never)]
    fn select(mask: Self, yes: Self, no: Self) -> Self {
        Self::made(SIMPLE, [mask, yes, no])
    }
    /// What is branched on is rare, and not counted.
    fn all(_: Self) -> bool {
        true
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
    let one = Count::of(1.0);
    let mut sites = [Particle::new(Vec3::zero(), one); N];
    let mut lambda = [Count::of(0.0); K];
    project::<C, _, _, _, N, P, K>(
        &mut sites,
        [Vec3::zero(); N],
        [one; P],
        <Compliant as ResponseType>::At::<Count>::new([Count::of(0.1); 2]),
        &mut lambda,
    );
    let moved = sites.iter().flat_map(|site| [site.x.x, site.x.y, site.x.z]);
    cost_of(moved.chain(lambda).map(|number| number.0))
}
