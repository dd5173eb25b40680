//! Colors of the materials that scenes are made of.

pub(crate) const CLOTH: u32 = 0x3B_78C4;
pub(super) const FLAG: u32 = 0xC9_3A3F;
pub(super) const ROPE: u32 = 0xB5_7A32;
pub(super) const RUBBER: u32 = 0xE0_7B2C;
pub(super) const JELLY: u32 = 0x4F_AE5B;
pub(super) const METAL: u32 = 0x7F_8A99;
pub(super) const FUR: u32 = 0xB0_8A66;
pub(super) const STONE: u32 = 0xA8_9478;
pub(crate) const WATER: u32 = 0x2E_7FB8;
pub(super) const WAX: u32 = 0xE3_A63A;
