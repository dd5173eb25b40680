//! Packets of one color, or neighbors of one block, some at a time under way.

use std::ops::Range;

/// Loads, projects and stores packets: one is loaded while the one before it is projected and the one before that is stored, so
/// that the processor need not wait for roots and divisions, whose results are the last thing a packet needs. `nothing` is
/// what is loaded before the first.
///
/// Loads pass stores: no packet may load what another of them stores. Rows of a color share no particle.
#[inline(always)]
pub(super) fn overlap<S: Copy>(
    packets: Range<usize>,
    nothing: S,
    load: impl Fn(usize) -> S,
    project: impl Fn(usize, S) -> S,
    store: impl Fn(usize, S),
) {
    let Range { start, end } = packets;
    let (mut loaded, mut projected) = (nothing, nothing);
    // One loop with conditions, which cost little: each copy of a projection costs a tenth of a second to compile.
    for i in start..end + 2 {
        if i >= start + 2 {
            store(i - 2, projected);
        }
        if i > start && i <= end {
            projected = project(i - 1, loaded);
        }
        if i < end {
            loaded = load(i);
        }
    }
}

/// The same where a projection has two halves that each wait for a root and a division: four packets are under way. Each
/// `nothing` is what is loaded before the first, and what half a projection makes of it.
#[inline(always)]
pub(crate) fn overlap_halves<S: Copy, H: Copy>(
    packets: Range<usize>,
    (nothing, half_of_nothing): (S, H),
    load: impl Fn(usize) -> S,
    first_half: impl Fn(usize, S) -> H,
    second_half: impl Fn(usize, H) -> S,
    store: impl Fn(usize, S),
) {
    let Range { start, end } = packets;
    let (mut loaded, mut half, mut projected) = (nothing, half_of_nothing, nothing);
    for i in start..end + 3 {
        if i >= start + 3 {
            store(i - 3, projected);
        }
        if i >= start + 2 && i < end + 2 {
            projected = second_half(i - 2, half);
        }
        if i > start && i <= end {
            half = first_half(i - 1, loaded);
        }
        if i < end {
            loaded = load(i);
        }
    }
}
