//! Sets without rows, by kind.

use super::any_rows::AnyRows;
use super::row_set::RowSet;
use super::stiffness::ResponseKind;
use crate::constraints::{Constraint, Visitor, visit_kinds};
use std::any::TypeId;

/// `fn empty::<C, ..>(response_kind) -> Box<dyn $rows>`: no rows of a kind.
macro_rules! empty {
    ($rows:ident) => {
        /// No rows of a kind.
        pub(crate) fn empty<C, const N: usize, const P: usize, const K: usize>(
            response_kind: ResponseKind,
        ) -> Box<dyn $rows>
        where
            C: Constraint<N, P, K>,
        {
            if C::REGISTERED {
                empty_registered(TypeId::of::<C>(), response_kind)
            } else {
                Box::new(RowSet::<C, N, P, K>::new(response_kind))
            }
        }

        /// The same of a kind that `kinds!` registers: without type parameters, so that it is compiled here, once.
        fn empty_registered(kind: TypeId, response_kind: ResponseKind) -> Box<dyn $rows> {
            struct Empty(TypeId, ResponseKind, Option<Box<dyn $rows>>);
            impl Visitor for Empty {
                fn visit<C, const N: usize, const P: usize, const K: usize>(&mut self)
                where
                    C: Constraint<N, P, K>,
                {
                    if self.0 == TypeId::of::<C>() {
                        self.2 = Some(Box::new(RowSet::<C, N, P, K>::new(self.1)));
                    }
                }
            }
            let mut empty = Empty(kind, response_kind, None);
            visit_kinds(&mut empty);
            empty.2.expect("a registered kind")
        }
    };
}
pub(crate) use empty as empty_of;

empty!(AnyRows);
