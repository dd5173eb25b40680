//! Packets of one form, column by column: what a pass over them reads is what memory gives it, and a response that all rows
//! share lies there once.

use super::packet::Packet;
use crate::constraints::Response;
use crate::math::Real;
use crate::threads::Team;

/// Where the numbers of packets come from, of rows side by side.
pub(super) struct Numbers<'a, R, A, const P: usize> {
    /// Their parameters.
    pub(super) params: &'a (dyn Fn(&[u32]) -> [R; P] + Sync),
    /// Their response.
    pub(super) response: &'a (dyn Fn(&[u32]) -> A + Sync),
    /// Whether that is the same for all rows.
    pub(super) is_uniform: bool,
}

/// Packets of one form.
pub(super) struct Packets<I, R, A, const N: usize, const P: usize> {
    slots: Vec<[I; N]>,
    params: Vec<[R; P]>,
    /// One for each packet, or one for all.
    responses: Vec<A>,
}

impl<I: Copy, R: Real, A: Response<R>, const N: usize, const P: usize> Packets<I, R, A, N, P> {
    /// The packets at `slots`, of `lanes` of the `rows` each, made by a team.
    pub(super) fn new(
        slots: Vec<[I; N]>,
        rows: &[u32],
        lanes: usize,
        numbers: &Numbers<R, A, P>,
        team: &Team,
    ) -> Self {
        let rows_of = |i: usize| &rows[i * lanes..(i + 1) * lanes];
        let differing = if numbers.is_uniform { slots.len().min(1) } else { slots.len() };
        Self {
            params: team.collect(slots.len(), |i| (numbers.params)(rows_of(i))),
            responses: team.collect(differing, |i| (numbers.response)(rows_of(i))),
            slots,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.slots.len()
    }

    /// Where packets lie.
    #[inline(always)]
    pub(super) fn slots(&self) -> &[[I; N]] {
        &self.slots
    }

    /// A packet.
    #[inline(always)]
    pub(super) fn get(&self, i: usize) -> Packet<I, R, A, N, P> {
        let own = if self.responses.len() > 1 { i } else { 0 };
        Packet { slots: self.slots[i], params: self.params[i], response: self.responses[own] }
    }

    /// Parameters and responses of two packets side by side, and where the first lies.
    #[inline(always)]
    pub(super) fn get_two(&self, i: usize) -> ([I; N], [[R; P]; 2], [A; 2]) {
        let params = &self.params[i..i + 2];
        let responses = match &self.responses[..] {
            [one] => [*one; 2],
            all => {
                let two = &all[i..i + 2];
                [two[0], two[1]]
            }
        };
        (self.slots[i], [params[0], params[1]], responses)
    }

    /// Bytes that a pass over all of them reads.
    pub(super) fn bytes(&self) -> usize {
        size_of_val(&*self.slots) + size_of_val(&*self.params) + size_of_val(&*self.responses)
    }
}
