//! Formulas: what must hold, one file per kind.
//!
//! A [`Constraint`] says what C and its gradient are, and nothing else: no index, mass, thread, memory or time. How
//! strongly it holds is a [`Response`]; where the correction lands is a [`Site`]; [`project`] joins the three, once for all
//! kinds, widths and methods.
//!
//! **Adding a kind is one file and one line** (in `kinds!` below): the gradient, width and momentum tests, the cost table,
//! the projection bench, the scene files and `taut list` then cover it.

mod constraint;
mod contact;
mod element;
mod impulse;
mod param;
mod project;
mod response;

pub use constraint::{Constraint, Row, Sense, Solve, Visitor};
pub use contact::{Contact, ContactImpulse, Rebound, across, direction, project_contact, within};
pub(crate) use contact::{Sliding, press, project_normal};
pub(crate) use impulse::push;
pub use param::{Param, Range, Source, ValidationError};
pub use project::{Particle, Site, project, solve};
pub use response::{
    Compliant, Damped, GenericResponse, Material, Response, ResponseType, Stiff, per_substep,
};

/// A registered kind with its types taken off, for lists.
#[derive(Clone, Debug)]
pub struct KindInfo {
    /// The kind's word.
    pub name: &'static str,
    /// C in one line.
    pub equation: &'static str,
    /// Particles of a row.
    pub particles: usize,
    /// The parameters that authors give or leave out.
    pub params: Vec<Param>,
}

/// Every registered kind.
pub fn kinds() -> Vec<KindInfo> {
    struct Collect(Vec<KindInfo>);
    impl Visitor for Collect {
        fn visit<C: Constraint<N, P, K>, const N: usize, const P: usize, const K: usize>(
            &mut self,
        ) {
            self.0.push(KindInfo {
                name: C::NAME,
                equation: C::EQUATION,
                particles: N,
                params: C::PARAMS.into_iter().filter(Param::is_authored).collect(),
            });
        }
    }
    let mut collect = Collect(Vec::new());
    visit_kinds(&mut collect);
    collect.0
}

macro_rules! kinds {
    ($($file:ident::$kind:ident,)*) => {
        $(mod $file; pub use $file::$kind;)*

        /// Visits every registered kind, in the order of registration.
        pub fn visit_kinds(visitor: &mut impl Visitor) {
            $(visitor.visit::<$kind, _, _, _>();)*
        }
    };
}

kinds! {
    distance::Distance,
    tether::Tether,
    bending::Bending,
    isometric_bending::IsometricBending,
    volume::Volume,
    strain_triangle::StrainTriangle,
    strain_tetrahedron::StrainTetrahedron,
    neo_hookean::NeoHookean,
    plane::Plane,
    pair::Pair,
    triangle::Triangle,
    edge_edge::EdgeEdge,
}
