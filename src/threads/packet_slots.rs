//! The slots of packets, and the proof that they lie within what they are slots of: a list is searched for its last slot once, so
//! that a view holds the list, and not each slot, against its own length.

use std::ops::Deref;

/// What names the slots of one particle of a packet.
pub(crate) trait Slots: Copy {
    /// The least length that has them all.
    fn end(self) -> usize;
}

impl Slots for u32 {
    fn end(self) -> usize {
        self as usize + 1
    }
}

impl<const LANES: usize> Slots for [u32; LANES] {
    fn end(self) -> usize {
        self.into_iter().fold(0, |end, slot| end.max(slot.end()))
    }
}

/// The slots of packets of N particles.
pub(crate) struct SlotList<I, const N: usize> {
    packets: Vec<[I; N]>,
    end: usize,
}

impl<I: Slots, const N: usize> SlotList<I, N> {
    pub(crate) fn new(packets: Vec<[I; N]>) -> Self {
        let end = packets.as_flattened().iter().fold(0, |end, slots| end.max(slots.end()));
        Self { packets, end }
    }

    /// Those of a packet.
    #[inline(always)]
    pub(crate) fn of(&self, i: usize) -> PacketSlots<I, N> {
        PacketSlots { slots: self.packets[i], end: Some(self.end) }
    }
}

impl<I, const N: usize> Deref for SlotList<I, N> {
    type Target = [[I; N]];
    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.packets
    }
}

/// The slots of one packet.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PacketSlots<I, const N: usize> {
    slots: [I; N],
    /// That of their list, if they are of one.
    end: Option<usize>,
}

impl<I, const N: usize> PacketSlots<I, N> {
    /// A length that has them all, if one is known.
    #[inline(always)]
    pub(super) fn end(&self) -> Option<usize> {
        self.end
    }
}

impl<I, const N: usize> From<[I; N]> for PacketSlots<I, N> {
    #[inline(always)]
    fn from(slots: [I; N]) -> Self {
        Self { slots, end: None }
    }
}

impl<I, const N: usize> Deref for PacketSlots<I, N> {
    type Target = [I; N];
    #[inline(always)]
    fn deref(&self) -> &Self::Target {
        &self.slots
    }
}
