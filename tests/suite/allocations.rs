//! A step allocates next to nothing once its buffers have grown, however many bodies touch.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use taut::io::Run;

/// The system's allocator, which counts what each thread asks of it.
struct Counting;

thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

fn count() {
    // A thread that ends has none any more.
    let _ = COUNT.try_with(|count| count.set(count.get() + 1));
}

// SAFETY: all is done by the system's allocator; counting touches a number of the thread's own and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        unsafe { System.alloc(layout) }
    }
    unsafe fn realloc(&self, at: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        unsafe { System.realloc(at, layout, size) }
    }
    unsafe fn dealloc(&self, at: *mut u8, layout: Layout) {
        unsafe { System.dealloc(at, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What a step takes by itself: the workers' meeting place.
const OF_A_STEP: usize = 2;

/// Boxes, balls and capsules fall in a heap, stones on a ground of triangles; then they do the same again in the same simulation,
/// whose buffers have grown. Contacts are found in every step.
#[test]
fn a_step_allocates_nothing_for_contacts() {
    for (run, frames) in
        [("heap:60/lanes@1", 70), ("stones:12/lanes@1", 70), ("pyramid:5/lanes@1", 20)]
    {
        let run: Run = run.parse().expect("a run");
        let mut simulation = run.open(&[]).expect("a simulation").simulation;
        let start = simulation.snapshot();
        (0..frames).for_each(|_| simulation.step());
        simulation.restore(&start);
        let before = COUNT.get();
        (0..frames).for_each(|_| simulation.step());
        let found = COUNT.get() - before;
        assert!(found <= frames * OF_A_STEP, "{found} in {frames} frames");
    }
}
