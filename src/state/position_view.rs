//! Where a step's projections find the particles.

use super::carried::Carried;
use super::store::{added, placed};
use super::{Averaging, Column3, OneLane, PartialRun, ParticleView, RecordView, Run, Store, Width};
use crate::constraints::Particle;
use crate::math::{F32x8, Scalar, Vec3, WIDTH, each};
use crate::threads::{PacketSlots, SharedSlice};

/// Positions and inverse masses while rows are projected: columns for runs, records for gathers and scalar loops.
#[derive(Clone, Copy)]
pub(crate) enum PositionView<'a, E> {
    Columns(ParticleView<'a, E>),
    Records(RecordView<'a, E>),
    CarriedColumns(Carried<ParticleView<'a, E>>),
    CarriedRecords(Carried<RecordView<'a, E>>),
}

impl<'a, E: Scalar> PositionView<'a, E> {
    /// Columns, or records beside them where there are any; `predicted` as many records, where what is rounded off is carried.
    pub(crate) fn new(
        columns: ParticleView<'a, E>,
        records: &'a mut [[E; 4]],
        predicted: &'a mut [[E; 4]],
        far: bool,
    ) -> Self {
        match (records.is_empty(), columns.is_carried()) {
            (true, false) => Self::Columns(columns),
            (true, true) => Self::CarriedColumns(Carried(columns)),
            (false, false) => Self::Records(RecordView::new(records, columns, far)),
            (false, true) => {
                let records = RecordView::new(records, columns, far);
                Self::CarriedRecords(Carried(records.correcting(predicted)))
            }
        }
    }

    /// What is stored: positions, or corrections since the prediction.
    #[inline(always)]
    pub(crate) fn stored(&self) -> Self {
        match *self {
            Self::CarriedColumns(Carried(columns)) => Self::Columns(columns),
            Self::CarriedRecords(Carried(records)) => Self::Records(records),
            of_positions => of_positions,
        }
    }

    /// The same with other columns, where there are columns.
    pub(crate) fn map_columns(
        self,
        map: impl FnOnce(ParticleView<'a, E>) -> ParticleView<'a, E>,
    ) -> Self {
        match self {
            Self::Columns(columns) => Self::Columns(map(columns)),
            Self::CarriedColumns(Carried(columns)) => Self::CarriedColumns(Carried(map(columns))),
            records => records,
        }
    }

    /// The same with other records, where there are records.
    pub(crate) fn map_records(
        self,
        map: impl FnOnce(RecordView<'a, E>) -> RecordView<'a, E>,
    ) -> Self {
        match self {
            Self::Records(records) => Self::Records(map(records)),
            Self::CarriedRecords(Carried(records)) => Self::CarriedRecords(Carried(map(records))),
            columns => columns,
        }
    }

    /// The same positions with sums beside them: in `columns` those of their positions, in `records` where rows gather.
    pub(crate) fn summing(
        self,
        columns: ParticleView<'a, E>,
        records: SharedSlice<'a, [E; 4]>,
    ) -> Self {
        let of_columns = self.map_columns(|view| view.summing(columns));
        of_columns.map_records(|view| view.summing(records))
    }

    /// The same positions, rows of which start from the same ones.
    pub(crate) fn with_averaging(self, averaging: Averaging) -> Self {
        let of_columns = self.map_columns(|columns| columns.with_averaging(averaging));
        of_columns.map_records(|records| records.with_averaging(averaging))
    }

    /// Set where rows start from the same positions, and their corrections must be put together.
    pub(crate) fn averaging(&self) -> Option<Averaging> {
        match self {
            Self::Columns(columns) | Self::CarriedColumns(Carried(columns)) => columns.averaging,
            Self::Records(records) | Self::CarriedRecords(Carried(records)) => records.averaging,
        }
    }

    /// Whether corrections are stored in place of positions.
    #[inline(always)]
    pub(crate) fn is_carried(&self) -> bool {
        matches!(self, Self::CarriedColumns(_) | Self::CarriedRecords(_))
    }
}

impl<E: Scalar> PositionView<'_, E> {
    /// Positions and inverse masses.
    #[inline(always)]
    pub(crate) fn load<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Particle<W>; N] {
        match self {
            Self::Columns(columns) => columns.load(slots),
            Self::Records(records) => records.load(slots),
            // Copied: what a call fills lies in memory, and with it what the others give.
            _ => each(
                self.load_placed(slots),
                #[inline(always)]
                |site| site,
            ),
        }
    }

    #[inline(never)] // for all that is not hot, and the same for all kinds of as many particles
    fn load_placed<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
    ) -> [Particle<W>; N] {
        match self {
            Self::Columns(columns) => columns.load(slots),
            Self::Records(records) => records.load(slots),
            Self::CarriedColumns(Carried(columns)) => {
                placed(columns.load_predicted(slots), columns.load(slots))
            }
            Self::CarriedRecords(Carried(records)) => records.load_placed(slots),
        }
    }

    /// Begins to fetch what [`load`](Self::load) will read, where that is far away.
    #[inline(always)]
    pub(crate) fn fetch<W: Width<Element = E>>(&self, slots: &[W::Slots]) {
        if let Self::Records(records) | Self::CarriedRecords(Carried(records)) = self {
            slots.iter().for_each(|&slots| records.fetch::<W>(slots));
        }
    }

    /// Positions at the start of the substep.
    #[inline(always)]
    pub(crate) fn previous<W: Width<Element = E>>(&self, slots: W::Slots) -> Vec3<W> {
        match self {
            Self::Columns(columns) | Self::CarriedColumns(Carried(columns)) => {
                columns.gather(Column3::Previous, slots)
            }
            Self::Records(records) | Self::CarriedRecords(Carried(records)) => {
                records.columns.gather(Column3::Previous, slots)
            }
        }
    }

    /// Replaces positions.
    #[inline(always)]
    pub(crate) fn store<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        sites: [Particle<W>; N],
    ) {
        match self {
            Self::Columns(columns) => columns.store(slots, sites),
            Self::Records(records) => records.store(slots, sites),
            _ => self.add(slots, sites),
        }
    }

    #[inline(never)] // as `load_placed`
    fn add<W: Width<Element = E>, const N: usize>(
        &self,
        slots: [W::Slots; N],
        sites: [Particle<W>; N],
    ) {
        match self.stored() {
            Self::Records(records) => records.add(slots, sites),
            columns => columns.store(slots, added(columns.load(slots), sites)),
        }
    }

    /// Puts a particle where it was not led by corrections.
    pub(crate) fn place(&self, slot: u32, x: Vec3<f64>)
    where
        E: OneLane,
    {
        let stored = self.stored();
        let [mut site]: [Particle<E>; 1] = stored.load([slot]);
        let [from] = match self {
            Self::CarriedColumns(Carried(columns)) => columns.load_predicted([slot]),
            Self::CarriedRecords(Carried(records)) => records.load_predicted([slot]),
            _ => [Vec3::zero()],
        };
        site.x = (x - Vec3::<E>::to_f64(from)).rounded();
        stored.store([slot], [site]);
    }

    /// Puts consecutive particles elsewhere, and where they come from with them: it gives no velocity.
    pub(crate) fn shift<W: Width<Element = E>>(&self, i: usize, by: Vec3<W>) {
        let columns = match self {
            Self::Columns(columns) | Self::CarriedColumns(Carried(columns)) => columns,
            Self::Records(records) | Self::CarriedRecords(Carried(records)) => &records.columns,
        };
        let previous = columns.read::<W>(Column3::Previous, i);
        columns.write(Column3::Previous, i, previous + by);
        match self {
            Self::Columns(columns) => {
                columns.write(Column3::Position, i, columns.read::<W>(Column3::Position, i) + by);
            }
            Self::Records(records) => {
                records.write(i, Particle::new(records.read::<W>(i) + by, columns.inverse_mass(i)));
            }
            Self::CarriedColumns(Carried(columns)) => {
                let x = columns.read::<W>(Column3::Predicted, i);
                columns.write(Column3::Predicted, i, x + by);
            }
            Self::CarriedRecords(Carried(records)) => {
                records.write_predicted(i, records.read_predicted::<W>(i) + by);
            }
        }
    }

    /// Positions of consecutive particles.
    #[inline(always)]
    pub(crate) fn read<W: Width<Element = E>>(&self, i: usize) -> Vec3<W> {
        match self {
            Self::Columns(columns) => columns.read(Column3::Position, i),
            Self::Records(records) => records.read(i),
            _ => self.read_predicted::<W>(i) + self.stored().read(i),
        }
    }

    /// Where consecutive particles were predicted, of a view that holds corrections from there.
    #[inline(always)]
    pub(crate) fn read_predicted<W: Width<Element = E>>(&self, i: usize) -> Vec3<W> {
        match self {
            Self::Columns(columns) | Self::CarriedColumns(Carried(columns)) => {
                columns.read(Column3::Predicted, i)
            }
            Self::Records(records) | Self::CarriedRecords(Carried(records)) => {
                records.read_predicted(i)
            }
        }
    }

    /// Replaces the positions of consecutive particles.
    #[inline(always)]
    pub(crate) fn write<W: Width<Element = E>>(&self, i: usize, site: Particle<W>) {
        match self {
            Self::Columns(columns) => columns.write(Column3::Position, i, site.x),
            Self::Records(records) => records.write(i, site),
            _ => {
                let stored = self.stored();
                let correction = Particle::new(stored.read(i), site.w);
                let [sum] = added([correction], [site]);
                stored.write(i, sum);
            }
        }
    }

    /// The sums at consecutive slots and what they are averaged over, which begin again with `begin`.
    #[inline(always)]
    pub(crate) fn replace_sums<W: Width<Element = E>>(
        &self,
        i: usize,
        begin: Particle<W>,
    ) -> Particle<W> {
        match self {
            Self::Columns(columns) | Self::CarriedColumns(Carried(columns)) => {
                let sums = columns.read_sums(i);
                columns.write_sums(i, begin);
                sums
            }
            Self::Records(records) | Self::CarriedRecords(Carried(records)) => {
                let (sums, slots) = (records.of_sums(), W::consecutive(i));
                let [sum] = sums.load([slots]);
                sums.store([slots], [begin]);
                sum
            }
        }
    }
}

/// What is loaded slot by slot, wherever the positions are: `$view` is each view that has such slots, the others are met
/// by no row. Inlined for packets alone, as it takes long to compile: of single rows a color has few.
macro_rules! store {
    ($inline:ident [$($generic:tt)*] $element:ty, $slots:ty, $number:ty, $views:tt) => {
        impl<$($generic)*> Store<$slots, $number> for PositionView<'_, $element> {
            #[inline($inline)]
            fn load<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Particle<$number>; N] {
                by_view!(self, view, $views, Store::load(view, slots))
            }
            #[inline($inline)]
            fn previous<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Vec3<$number>; N] {
                by_view!(self, view, $views, Store::previous(view, slots))
            }
            #[inline($inline)]
            fn store<const N: usize>(&self, slots: PacketSlots<$slots, N>, sites: [Particle<$number>; N]) {
                by_view!(self, view, $views, Store::store(view, slots, sites))
            }
            #[inline($inline)]
            fn stored<const N: usize>(
                &self,
                slots: PacketSlots<$slots, N>,
                sites: [Particle<$number>; N],
            ) -> [Vec3<$number>; N] {
                by_view!(self, view, $views, Store::stored(view, slots, sites))
            }
            #[inline($inline)]
            fn sums<const N: usize>(&self, slots: PacketSlots<$slots, N>) -> [Particle<$number>; N] {
                by_view!(self, view, $views, Store::sums(view, slots))
            }
            #[inline($inline)]
            fn set_sums<const N: usize>(&self, slots: PacketSlots<$slots, N>, sums: [Particle<$number>; N]) {
                by_view!(self, view, $views, Store::set_sums(view, slots, sums))
            }
        }
    };
}
macro_rules! by_view {
    ($self:ident, $of:ident, [$($view:ident)+ $(, $others:pat)?], $act:expr) => {
        match $self {
            $(Self::$view($of) => $act,)+
            $($others => unreachable!("runs lie in columns"),)?
        }
    };
}
store!(always [] f32, Run, F32x8, [Columns CarriedColumns, _]);
store!(always [] f32, PartialRun, F32x8, [Columns CarriedColumns, _]);
store!(always [] f32, [u32; WIDTH], F32x8, [Columns Records CarriedColumns CarriedRecords]);
store!(never [E: OneLane] E, u32, E, [Columns Records CarriedColumns CarriedRecords]);
