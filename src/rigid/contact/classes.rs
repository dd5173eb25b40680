//! The rows of all classes, and the ways through them.

use super::colors::CLASSES;
use super::find::{Finder, PACK};
use super::rows::{Rows, Side};
use super::thing::Standing;
use crate::threads::{Team, Worker};
use std::ops::Range;

/// Fewer rows than this a thread are not worth a meeting of the workers (`docs/measured.md`, size and threads).
const WORTH_SHARING: usize = 4;

/// Does `$do` with the rows of each class, in their order or from the last to the first.
macro_rules! each_class {
    ($all:expr, |$rows:ident| $do:expr) => {
        each_class!($all, false, |$rows| $do)
    };
    ($all:expr, $back:expr, |$rows:ident| $do:expr) => {{
        let all = $all;
        for class in 0..CLASSES.len() {
            match if $back { CLASSES.len() - 1 - class } else { class } {
                0 => each_class!(@ $do, $rows = &all.0),
                1 => each_class!(@ $do, $rows = &all.1),
                2 => each_class!(@ $do, $rows = &all.2),
                3 => each_class!(@ $do, $rows = &all.3),
                4 => each_class!(@ $do, $rows = &all.4),
                _ => each_class!(@ $do, $rows = &all.5),
            }
        }
    }};
    (@ $do:expr, $rows:ident = $one:expr) => {{
        let $rows = $one;
        $do;
    }};
}

pub(super) use each_class;

/// The rows of all classes.
pub(super) struct AllRows<R: Side>(
    pub(super) Rows<R, 4, false>,
    pub(super) Rows<R, 2, false>,
    pub(super) Rows<R, 1, false>,
    pub(super) Rows<R, 4, true>,
    pub(super) Rows<R, 2, true>,
    pub(super) Rows<R, 1, true>,
);

impl<R: Side> AllRows<R> {
    pub(super) fn new() -> Self {
        Self(
            Rows::new(),
            Rows::new(),
            Rows::new(),
            Rows::new(),
            Rows::new(),
            Rows::new(),
        )
    }

    /// Looks where things touch, and whether that is anything new: then rows are to be filled anew, else aimed.
    pub(super) fn renew(&mut self, finder: &mut Finder, team: &Team, at: Vec<Standing>) -> bool {
        let anew = finder.look(team, at);
        if anew {
            each_class!(&*self, |rows| rows.harvest(&mut finder.manifolds));
            finder.timers.lap(PACK);
            finder.find(team);
            self.lay_out(finder);
        }
        anew
    }

    fn lay_out(&mut self, finder: &Finder) {
        self.0.lay_out(&finder.colors.classes[0]);
        self.1.lay_out(&finder.colors.classes[1]);
        self.2.lay_out(&finder.colors.classes[2]);
        self.3.lay_out(&finder.colors.classes[3]);
        self.4.lay_out(&finder.colors.classes[4]);
        self.5.lay_out(&finder.colors.classes[5]);
    }
}

/// Every row of every color, those of a color shared among the workers; colors from the last to the first where it goes `back`.
pub(super) fn walk(
    worker: &Worker,
    colors: &[Range<usize>],
    back: bool,
    act: impl Fn(Range<usize>),
) {
    let rows = colors.last().map_or(0, |last| last.end);
    let largest = colors.iter().map(|color| color.len()).max().unwrap_or(0);
    if worker.count() == 1 || largest < WORTH_SHARING * worker.count() {
        if rows > 0 {
            worker.alone(|| act(0..rows));
        }
        return;
    }
    for k in 0..colors.len() {
        let color = &colors[if back { colors.len() - 1 - k } else { k }];
        worker.share(color.len(), |part| {
            act(color.start + part.start..color.start + part.end);
        });
    }
}
