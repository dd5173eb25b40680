//! Workers that stay inside `rayon`'s pool and awake between steps that follow each other closely.
//!
//! Waking a thread that sleeps costs 12 to 55 µs, as much as a step of a small scene. So a worker that has done its share
//! looks for the next step for a while (about a third of a millisecond) before it sleeps, and the caller works too:
//!
//! ```text
//! caller    job <- work;  open the gate;  wake who sleeps;  work(0);  close the gate;  wait until all inside are through
//! worker i  wait for another job;  if the gate is open: enter, work(i), say that it is through
//! ```

use super::gate::Gate;
use super::waiting::{OFFERS, cores, pause};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::ptr::null_mut;

#[cfg(loom)]
use loom::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    sync::{Arc, Condvar, Mutex},
};
#[cfg(not(loom))]
use std::{
    sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering},
    sync::{Arc, Condvar, Mutex},
};

/// Turns that an idle worker looks for work before it sleeps.
const IDLE_SPINS: u32 = 20_000;
/// Turns that a gate is held open for a worker that is awake (it takes a few), and for one that was just woken (12 to 55 µs).
const TURNS_AWAKE: u32 = 256;
const TURNS_WOKEN: u32 = 8192;
/// Builds of tests wait for all workers: what one alone does shows nothing.
const TESTED: bool = cfg!(all(test, not(loom)));
/// Turns that the caller waits for workers before it offers its core to others.
const CALLER_SPINS: u32 = 4096;

/// What all workers do, each with its index. It lives on the caller's stack, behind a pointer that `AtomicPtr` can hold.
struct Job<'a>(&'a (dyn Fn(usize) + Sync));

/// What the caller and the workers share.
pub(crate) struct Shared {
    pub(crate) gate: Gate,
    job: AtomicPtr<Job<'static>>,
    /// Workers that are through with the job under way.
    through: AtomicUsize,
    /// How many workers sleep that nobody has woken; jobs begin under its lock, so that none falls asleep beside one.
    sleeping: Mutex<usize>,
    wake: Condvar,
    stop: AtomicBool,
    panic: Mutex<Option<Box<dyn Any + Send>>>,
    /// Whether it pays to spin: each worker has a core.
    awake: bool,
}

impl Shared {
    pub(crate) fn new(gate: Gate, awake: bool) -> Self {
        Self {
            gate,
            job: AtomicPtr::new(null_mut()),
            through: AtomicUsize::new(0),
            sleeping: Mutex::new(0),
            wake: Condvar::new(),
            stop: AtomicBool::new(false),
            panic: Mutex::new(None),
            awake,
        }
    }

    /// Lets the caller and the workers that come in time do `work`, each with its index; the caller's is zero. Returns when
    /// all are done.
    ///
    /// # Panics
    /// If one of them does: then all have come back.
    pub(crate) fn run(&self, work: &(dyn Fn(usize) + Sync)) {
        let job = Job(work);
        self.job.store((&raw const job).cast_mut().cast(), Ordering::Relaxed);
        self.through.store(0, Ordering::Relaxed);
        self.begin(true);
        let own = catch_unwind(AssertUnwindSafe(|| work(0)));
        // Tests want all of them.
        let inside = if TESTED { self.gate.close_in_time() } else { self.gate.close() };
        let mut turns = 0;
        // `job` must outlive all who read it: nothing between `begin` and here may leave early.
        while self.through.load(Ordering::Acquire) < inside {
            pause(turns, if self.awake { CALLER_SPINS } else { 0 });
            turns = turns.saturating_add(1);
        }
        self.job.store(null_mut(), Ordering::Relaxed);
        let others = self.panic.lock().expect("nothing panics that holds it").take();
        // A worker that waits for one that panicked panics too, and says less: the caller's own comes first.
        if let Some(panic) = own.err().or(others) {
            resume_unwind(panic);
        }
    }

    /// Begins another job, with the gate open or not, and wakes those who sleep.
    fn begin(&self, open: bool) {
        let mut sleeping = self.sleeping.lock().expect("nothing panics that holds it");
        let slept = std::mem::take(&mut *sleeping) > 0;
        self.gate.begin(open, slept);
        if slept {
            self.wake.notify_all();
        }
    }

    /// Tells all workers to come out.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
        self.begin(false);
    }

    /// What worker `index`, from one on, does until it is told to stop.
    pub(crate) fn work(&self, index: usize) {
        let mut seen = 0;
        loop {
            self.await_job(seen);
            let (entered, job) = self.gate.enter();
            seen = job;
            match entered {
                true => self.take_part(index),
                false if self.stop.load(Ordering::Relaxed) => return,
                false => {}
            }
        }
    }

    /// Does the job under way, inside its gate.
    fn take_part(&self, index: usize) {
        let job = self.job.load(Ordering::Relaxed);
        // SAFETY: the pointer was stored before the gate was opened, which `enter` saw, and `run` keeps the job alive until
        // all who entered are `through`, this worker too. Only the lifetime was erased.
        let Job(work) = unsafe { &*job };
        if let Err(panic) = catch_unwind(AssertUnwindSafe(|| work(index))) {
            self.panic.lock().expect("nothing panics that holds it").get_or_insert(panic);
        }
        self.through.fetch_add(1, Ordering::Release);
    }

    /// Returns when the last job begun is another than `seen`; what the caller wrote before it is then seen.
    fn await_job(&self, seen: u64) {
        let is_new = || self.gate.job() != seen;
        let turns = if self.awake { IDLE_SPINS } else { 0 };
        for _ in 0..turns {
            if is_new() {
                return;
            }
            std::hint::spin_loop();
        }
        let mut sleeping = self.sleeping.lock().expect("nothing panics that holds it");
        if !is_new() {
            *sleeping += 1;
        }
        while !is_new() {
            sleeping = self.wake.wait(sleeping).expect("nothing panics that holds it");
        }
    }
}

/// Threads that wait for jobs.
pub(super) struct Pool {
    shared: Arc<Shared>,
    /// One caller at a time.
    entry: std::sync::Mutex<()>,
}

/// A thread's stack. Without optimisation a projection of six rows has a frame of 2 MB.
const STACK: usize = if cfg!(debug_assertions) { 8 << 20 } else { 2 << 20 };
/// What must be free before a thread is started: its stack, what threads that run still ask for, and the 64 MB that glibc takes for
/// a thread's own heap (128 MB until it has found 64 that are aligned).
const ROOM: usize = 160 << 20;

/// Starts a thread and waits until it runs. Where memory ends the next one is refused while there is still room: a thread that gets
/// none for its own values aborts the process.
fn started(worker: rayon::ThreadBuilder) -> std::io::Result<()> {
    let mut room = Vec::<u8>::new();
    room.try_reserve_exact(ROOM).map_err(|_| std::io::ErrorKind::OutOfMemory)?;
    // Else the compiler would leave it out.
    drop(std::hint::black_box(room));
    let (up, is_up) = std::sync::mpsc::channel();
    let thread = move || {
        drop(up);
        worker.run();
    };
    std::thread::Builder::new().stack_size(STACK).spawn(thread)?;
    // It sends nothing, and hangs up when it runs.
    is_up.recv().unwrap_or(());
    Ok(())
}

impl Pool {
    /// `workers` threads beside the caller's; `spins`: turns that one waits for another before it offers its core to others, none
    /// where they have too few cores.
    pub(super) fn new(workers: usize, spins: u32) -> Result<Self, String> {
        let threads = rayon::ThreadPoolBuilder::new().num_threads(workers);
        let threads = threads.spawn_handler(started).build();
        let threads = threads.map_err(|error| error.to_string())?;
        let patience = match (spins, cores()) {
            _ if TESTED => [u32::MAX; 2],
            (0, 1) => [0; 2],
            (0, _) => [OFFERS; 2],
            _ => [TURNS_AWAKE, TURNS_WOKEN],
        };
        let gate = Gate::new(workers, patience, spins);
        let shared = Arc::new(Shared::new(gate, spins > 0));
        for index in 1..=workers {
            let shared = shared.clone();
            threads.spawn(move || shared.work(index));
        }
        // The threads end when their work does, which is when this pool is dropped.
        Ok(Self { shared, entry: std::sync::Mutex::new(()) })
    }

    pub(super) fn run(&self, work: &(dyn Fn(usize) + Sync)) {
        // Of an entry that panicked all workers have come back.
        let entry = self.entry.lock();
        let _alone = entry.unwrap_or_else(std::sync::PoisonError::into_inner);
        self.shared.run(work);
    }

    pub(super) fn gate(&self) -> &Gate {
        &self.shared.gate
    }
}

impl Drop for Pool {
    fn drop(&mut self) {
        self.shared.stop();
    }
}
