//! What the types of this room promise, checked.

use super::{
    Cells, PhaseScheduler, Phased, SharedColumns, SharedSlice, SlotList, Team, Tiling, Worker,
};
use std::cell::Cell;
use std::marker::PhantomData;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether `T` is `Sync`: the constant of the type itself is found first, where its bound holds.
struct Probe<T>(PhantomData<T>);
trait Fallback {
    const IS_SYNC: bool = false;
}
impl<T> Fallback for Probe<T> {}
impl<T: Sync> Probe<T> {
    const IS_SYNC: bool = true;
}

/// Workers hold references to one value: `Cell`, which may be sent but not shared, must not get into shared cells.
#[test]
fn cells_are_shared_only_if_their_values_may_be() {
    const { assert!(Probe::<Cells<u32>>::IS_SYNC) };
    const { assert!(!Probe::<Cells<Cell<u32>>>::IS_SYNC) };
}

#[test]
fn the_halo_is_read_off_the_slots() {
    let halo = |touched: &[(usize, u32)]| {
        let tiling = Tiling::new(40, 8, |touch| touched.iter().for_each(|t| touch(t.0, t.1)));
        assert_eq!(tiling.len(), 5);
        assert_eq!(tiling.slots(4), 32..40);
        tiling.halo()
    };
    assert_eq!(halo(&[]), 0);
    assert_eq!(halo(&[(0, 7), (4, 39)]), 0);
    assert_eq!(halo(&[(0, 8), (1, 31)]), 2);
}

#[test]
#[should_panic = "a slot before its tile"]
fn no_work_lies_before_its_tile() {
    Tiling::new(40, 8, |touch| touch(2, 15));
}

#[test]
#[should_panic = "slot 40 of 40"]
fn no_work_lies_beyond_the_slots() {
    Tiling::new(40, 8, |touch| touch(4, 40));
}

/// Runs `work` on threads that end with it, as Miri asks (those of a team outlive a test).
fn run(threads: usize, work: impl Fn(&Worker) + Sync) {
    let (scheduler, work) = (&PhaseScheduler::new(threads, 0, None), &work);
    std::thread::scope(|scope| {
        for index in 0..threads {
            scope.spawn(move || work(&Worker::new(index, threads, scheduler)));
        }
    });
}

/// In whatever chunks, each index is met once, and a phase is over when all are.
#[test]
fn uneven_work_is_done_once() {
    let phases = if cfg!(miri) { 3 } else { 50 };
    for (threads, len) in [(1, 5), (2, 3), (3, 100), (7, 29)] {
        let met: Vec<_> = (0..len).map(|_| AtomicUsize::new(0)).collect();
        run(threads, |worker| {
            for phase in 1..=phases {
                let meet = |count: &AtomicUsize| _ = count.fetch_add(1, Ordering::Relaxed);
                let length = || len;
                worker.parallel_uneven(length, |range| met[range].iter().for_each(meet));
                assert!(met.iter().all(|count| count.load(Ordering::Relaxed) >= phase));
            }
        });
        let is_met = |count: &AtomicUsize| count.load(Ordering::Relaxed) == phases;
        assert!(met.iter().all(is_met), "{threads} {len}");
    }
}

#[test]
fn cells_hold_what_is_set() {
    let mut cells = Cells::new(9, 1_u32);
    (0..9).for_each(|i| cells.set(i, 10 * i as u32));
    assert_eq!(cells.gather([8, 0, 7, 1, 6, 2, 5, 3]), [80, 0, 70, 10, 60, 20, 50, 30]);
    cells.resize(10, 7);
    assert_eq!((cells.get(8), cells.get(9), cells.len()), (80, 7, 10));
    assert_eq!(cells.as_slice()[7..], [70, 80, 7]);
}

#[test]
#[should_panic = "an index beyond 9"]
fn a_gather_stays_within_the_cells() {
    Cells::new(9, 0_u8).gather([0, 1, 2, 3, 4, 5, 6, 9]);
}

#[test]
fn several_cells_are_gathered_in_order() {
    let [first, second] = [10, 100].map(|by| {
        let cells = Cells::new(9, 0);
        (0..9).for_each(|i| cells.set(i, by * i as u32));
        cells
    });
    let at = [[8, 0, 7, 1, 6, 2, 5, 3], [4; 8]];
    let mut found = Vec::new();
    Cells::gather_all([&first, &second], &at, |values| {
        found.push([0, 1].map(|of| [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| values.get(of, lane))));
    });
    assert_eq!(found, at.map(|at| [10, 100].map(|by| at.map(|i| by * i))));
    Cells::gather_all([&first], &[], |_| unreachable!("nothing is asked for"));
}

#[test]
#[should_panic = "an index beyond 8"]
fn all_that_is_gathered_lies_within_the_shortest_cells() {
    let at = [[0; 8], [0, 1, 2, 8, 4, 5, 6, 7]];
    Cells::gather_all([&Cells::new(9, 0_u8), &Cells::new(8, 0)], &at, |_| ());
}

#[test]
fn columns_and_records_hold_what_is_written() {
    let (mut a, mut b) = ([0.0_f32; 12], [1.0_f32; 12]);
    let columns = SharedColumns::new([&mut a, &mut b]);
    columns.write(4, [[2.0; 8]; 2]);
    columns.set(3, [5.0]);
    assert_eq!(columns.get(3), [5.0, 1.0]);
    assert_eq!(columns.read(3), [[5.0, 2.0], [1.0, 2.0]]);
    assert_eq!((a[2], a[11], b[11]), (0.0, 2.0, 2.0));
    let mut values = [[0_u16; 4]; 3];
    let records = SharedSlice::new(&mut values);
    records.set(2, [7; 4]);
    records.fetch(2);
    assert_eq!(records.get(2), [7; 4]);
    assert_eq!(values[1..], [[0; 4], [7; 4]]);
}

#[test]
fn packets_hold_what_is_written() {
    let mut values = [0, 1, 2, 3, 4, 5, 6, 7, 8];
    let records = SharedSlice::new(&mut values);
    let list = SlotList::new(vec![[[0, 1, 2, 3, 4, 5, 6, 7]], [[8, 7, 6, 5, 4, 3, 2, 1]]]);
    let packet = records.at(list.of(1));
    packet.set_lane(0, 2, 60);
    records.at([[8, 1, 2, 3, 4, 5, 6, 7]]).set_lane(0, 0, 80);
    assert_eq!([0, 2, 7].map(|lane| packet.get_lane(0, lane)), [80, 60, 1]);
    records.at(SlotList::new(vec![[3, 5]]).of(0)).set(1, 50);
    assert_eq!([0, 1].map(|of| records.at([5, 3]).get(of)), [50, 3]);
}

#[test]
#[should_panic = "slots beyond the records"]
fn a_list_stays_within_the_records() {
    let list = SlotList::new(vec![[[0; 8]], [[0, 0, 0, 0, 0, 9, 0, 0]]]);
    SharedSlice::new(&mut [0; 9]).at(list.of(0));
}

#[test]
#[should_panic = "a slot beyond the records"]
fn a_packet_of_no_list_stays_within_the_records() {
    SharedSlice::new(&mut [0; 9]).at([[0, 0, 0, 0, 0, 9, 0, 0]]).get_lane(0, 5);
}

#[test]
#[should_panic = "a slot beyond the columns"]
fn a_write_ends_within_the_columns() {
    let mut a = [0_u32; 12];
    SharedColumns::new([&mut a]).write(5, [[1; 8]]);
}

/// Chunks of one phase cut from different lengths would overlap; those of other phases have their own.
#[test]
#[should_panic = "workers walk different phases"]
fn workers_walk_the_same_phases() {
    let scheduler = PhaseScheduler::new(2, 0, None);
    scheduler.finish(1, 0, 10);
    assert!(!scheduler.is_done(2, 0, Some(20)));
    scheduler.finish(2, 0, 20);
    assert!(scheduler.is_done(1, 0, Some(10)) && scheduler.is_done(2, 0, Some(20)));
    scheduler.is_done(2, 0, Some(10));
}

#[test]
#[should_panic = "a value changed while it is used"]
fn phased_values_do_not_change_while_read() {
    let value = Phased::new(1);
    let _read = value.read();
    *value.write() = 2;
}

/// What each worker does to cells: the sums of neighbors in phases, then passes over tiles that share a cell.
fn steps(worker: &Worker, cells: &[Cells<u64>; 2]) {
    let len = cells[0].len();
    for phase in 0..3 {
        let (from, to) = (&cells[phase % 2], &cells[(phase + 1) % 2]);
        worker.parallel_for(len, |range| {
            range.for_each(|i| to.set(i, 3 * from.get(i) + from.get((i + 1) % len)));
        });
    }
    worker.single(|| cells[1].set(0, cells[1].as_slice().iter().sum()));
    let tiles = len / 4;
    let next = |tile: usize| (tile + 1 < tiles).then_some((tile, 4 * tile as u32 + 4));
    for passes in [3, 2] {
        let tiling = Tiling::new(len, 4, |touch| {
            (0..tiles).filter_map(next).for_each(|(tile, slot)| touch(tile, slot));
        });
        worker.wavefront(&tiling, passes, 1, |_, tile| {
            let slots = tiling.slots(tile);
            let last = slots.end.min(len - 1);
            for i in slots.start..last {
                cells[1].set(i + 1, (5 * cells[1].get(i) + cells[1].get(i + 1)) % 100_003);
            }
        });
    }
}

fn cells() -> [Cells<u64>; 2] {
    let cells = [Cells::new(24, 1), Cells::new(24, 0)];
    (0..24).for_each(|i| cells[0].set(i, i as u64));
    cells
}

/// Two threads leave what one does; Miri looks for accesses without an order between them.
#[test]
fn two_workers_leave_what_one_does() {
    let alone = cells();
    Team::alone().run(|worker| steps(worker, &alone));
    for _ in 0..if cfg!(miri) { 3 } else { 200 } {
        let shared = cells();
        run(2, |worker| steps(worker, &shared));
        assert_eq!(shared[1].as_slice(), alone[1].as_slice());
    }
}

/// A team makes values in their order, whoever makes them.
#[test]
#[cfg_attr(miri, ignore = "rayon's threads outlive the test")]
fn a_team_collects_values_in_order() {
    for (threads, len) in [(1, 0), (1, 5000), (3, 0), (3, 4096), (3, 20_000)] {
        let team = Team::new(threads).unwrap();
        let values = team.collect(len, |i| i.to_string());
        assert!(values.iter().enumerate().all(|(i, value)| *value == i.to_string()));
        assert_eq!(values.len(), len);
        let ranges: Vec<_> = team.ranges(len, usize::MAX).collect();
        assert!(ranges.len() == threads && ranges.into_iter().flatten().eq(0..len));
    }
    assert_eq!(Team::new(3).unwrap().ranges(7, 100).count(), 1);
}

/// A job that panics on one worker or the caller comes out of the run as a panic, and the team goes on.
#[test]
#[cfg_attr(miri, ignore = "rayon's threads outlive the test")]
fn a_team_survives_a_panic() {
    let team = Team::new(3).unwrap();
    for broken in 0..3 {
        let run = || {
            team.run(|worker| worker.parallel_for(3, |chunks| assert!(!chunks.contains(&broken))))
        };
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
        assert!(panic.is_err(), "{broken}");
        let sum = AtomicUsize::new(0);
        team.run(|worker| {
            worker.parallel_for(9, |range| {
                sum.fetch_add(range.sum(), Ordering::Relaxed);
            })
        });
        assert_eq!(sum.into_inner(), 36);
    }
}

/// Workers that fell asleep wake for the next job.
#[test]
#[cfg_attr(miri, ignore = "rayon's threads outlive the test")]
fn a_team_wakes_after_a_rest() {
    let team = Team::new(2).unwrap();
    for _ in 0..3 {
        std::thread::sleep(std::time::Duration::from_millis(20));
        let done = AtomicUsize::new(0);
        team.run(|worker| {
            worker.parallel_for(2, |range| {
                done.fetch_add(range.len(), Ordering::Relaxed);
            })
        });
        assert_eq!(done.into_inner(), 2);
    }
}

/// Lets all chunks of a phase do `work`, which is then refused. One after another: notes made in the same nanoseconds may miss each other.
#[cfg(not(any(loom, miri)))]
fn refused(work: impl Fn(std::ops::Range<usize>) + Sync) {
    let turn = Mutex::new(());
    let run = || {
        Team::new(2).unwrap().run(|worker| {
            worker.parallel_for(2, |range| {
                let _turn = turn.lock().unwrap_or_else(PoisonError::into_inner);
                work(range);
            })
        })
    };
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).is_err());
}

#[test]
#[cfg(not(any(loom, miri)))] // which find races by themselves
fn chunks_that_write_one_value_are_found_in_builds_of_tests() {
    let cells = Cells::new(3, 0);
    refused(|_| cells.set(2, 1));
    refused(|_| cells.update(2, |value| *value += 1));
    let (mut x, mut records) = ([0.0; 9], [0; 3]);
    let columns = SharedColumns::new([&mut x[..]]);
    refused(|_| columns.set(1, [2.0]));
    refused(|range| columns.write(range.start, [[0.0; 8]]));
    let records = SharedSlice::new(&mut records);
    refused(|_| records.set(1, 2));
    refused(|_| records.at([1]).set(0, 2));
}

#[test]
#[cfg(not(any(loom, miri)))] // which find races by themselves
fn chunks_that_read_what_another_writes_are_found_in_builds_of_tests() {
    let cells = Cells::new(3, 0);
    refused(|range| cells.set(range.start, cells.get(1 - range.start)));
    refused(|range| cells.set(range.start, cells.as_slice()[range.start]));
    refused(|range| cells.set(range.start, cells.gather([0, 1, 2, 0, 0, 0, 0, 0])[0]));
    refused(|range| {
        Cells::gather_all([&cells], &[[0, 1, 2, 0, 0, 0, 0, 0]], |found| {
            cells.set(range.start, found.get(0, 0));
        });
    });
    let (mut x, mut records) = ([0.0; 9], [0; 3]);
    let columns = SharedColumns::new([&mut x[..]]);
    refused(|range| columns.set(range.start, columns.get(1 - range.start)));
    refused(|range| columns.set(range.start, [columns.read::<8>(0)[0][1]]));
    let records = SharedSlice::new(&mut records);
    refused(|range| records.set(range.start, records.get(1 - range.start)));
    refused(|range| {
        records.set(range.start, records.at([[0, 1, 2, 0, 0, 0, 0, 0]]).get_lane(0, 1))
    });
}

#[test]
fn chunks_that_keep_to_their_own_are_not_refused() {
    let cells = Cells::new(64, 0);
    run(3, |worker| {
        worker.parallel_for(64, |range| range.for_each(|i| cells.set(i, i)));
        worker.parallel_for(64, |range| range.for_each(|i| cells.set(i, 1 + cells.get(i))));
        worker.single(|| cells.set(0, cells.as_slice()[1..].iter().sum()));
    });
    assert_eq!(cells.get(0), 64 * 65 / 2 - 1);
}
