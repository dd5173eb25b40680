//! The engine's side of the page: plain functions on numbers, called by `page.js`. Texts are left in memory, and told by
//! address and length.

// An exported name must be the only one of its kind: that is all that `unsafe` says here.
#![deny(unsafe_op_in_unsafe_fn)]

use std::cell::{Cell, RefCell};
use std::fmt::Write;
use taut::render::Canvas;
use taut::runs::Run;
use taut::viewer::{Pointer, Viewer};

/// The scenes: a run, its title, and a line about it.
#[rustfmt::skip]
const SCENES: [[&str; 3]; 10] = [
    ["flag/lanes@1", "Flag", "Cloth in a wind of six metres a second, bending at every hinge."],
    ["drape/lanes@1", "Drape", "A cloth falls on a ball, with friction and against itself."],
    ["hourglass:2000/lanes@1", "Hourglass", "Balls with friction run out of a hopper and heap up."],
    ["jelly/lanes@1", "Jelly", "A block of overlapping clusters that match their rest shapes."],
    ["balloon/lanes@1", "Balloon", "A rubber ball, hung from its top and blown up by half."],
    ["dam:4000/lanes@1", "Dam", "A column of four thousand particles of water breaks."],
    ["unified/lanes@1", "Unified", "Jelly, grains and cloth meet in water, all of them particles."],
    ["net:16/lanes@1", "Net", "Balls joined to their neighbors by ball joints."],
    ["heap:150/lanes@1", "Heap", "Boxes, balls and capsules dropped between four walls."],
    ["dominoes/lanes@1", "Dominoes", "A spiral of dominoes, the first pushed over."],
];

#[derive(Default)]
struct Page {
    viewer: Option<Viewer>,
    canvas: Canvas,
    /// Red, green, blue and opacity of each pixel.
    bytes: Vec<[u8; 4]>,
}

thread_local! {
    static PAGE: RefCell<Page> = RefCell::default();
    /// The last answer that is a text; after a panic, what it said.
    static TEXT: RefCell<String> = RefCell::default();
    static HAS_HOOK: Cell<bool> = const { Cell::new(false) };
}

fn answer(text: String) {
    TEXT.with(|answer| *answer.borrow_mut() = text);
}

/// What `with` makes of the scene that is open; nothing where none is.
fn opened<T: Default>(with: impl FnOnce(&mut Viewer) -> T) -> T {
    PAGE.with(|page| page.borrow_mut().viewer.as_mut().map(with).unwrap_or_default())
}

/// The address of the last text.
#[unsafe(no_mangle)]
pub extern "C" fn text_address() -> usize {
    TEXT.with(|text| text.borrow().as_ptr().addr())
}

/// The bytes of the last text.
#[unsafe(no_mangle)]
pub extern "C" fn text_length() -> usize {
    TEXT.with(|text| text.borrow().len())
}

/// Answers all scenes, a line each: run, title and what it is, set apart by tabs.
#[unsafe(no_mangle)]
pub extern "C" fn scenes() {
    answer(SCENES.map(|scene| scene.join("\t")).join("\n"));
}

/// Opens a scene; 0 where that fails, and then answers why.
#[unsafe(no_mangle)]
pub extern "C" fn open(scene: usize) -> u32 {
    if !HAS_HOOK.replace(true) {
        std::panic::set_hook(Box::new(|panic| answer(panic.to_string())));
    }
    let opened = SCENES.get(scene).ok_or("there is no such scene".to_string());
    let opened = opened.and_then(|[run, ..]| run.parse::<Run>().map_err(|error| error.to_string()));
    let opened = opened.and_then(|run| Viewer::open(&run).map_err(|error| error.to_string()));
    let is_open = opened.is_ok();
    match opened {
        Ok(viewer) => PAGE.with(|page| page.borrow_mut().viewer = Some(viewer)),
        Err(why) => answer(why),
    }
    is_open.into()
}

/// A frame step.
#[unsafe(no_mangle)]
pub extern "C" fn step() {
    opened(|viewer| viewer.advance());
}

/// Draws the scene; returns the address of its `width` x `height` pixels, four bytes each.
#[unsafe(no_mangle)]
pub extern "C" fn draw(width: usize, height: usize) -> usize {
    PAGE.with(|page| {
        let Page { viewer, canvas, bytes } = &mut *page.borrow_mut();
        if (canvas.width(), canvas.height()) != (width, height) {
            *canvas = Canvas::new(width, height);
        }
        viewer.as_mut().into_iter().for_each(|viewer| viewer.draw_bare(canvas));
        bytes.clear();
        let opaque = |pixel: &u32| (pixel << 8 | 0xff).to_be_bytes();
        bytes.extend(canvas.pixels().iter().map(opaque));
        bytes.as_ptr().addr()
    })
}

/// Moves the pointer to a column and a row of the picture, its buttons down or not.
#[unsafe(no_mangle)]
pub extern "C" fn point(x: f32, y: f32, left: u32, right: u32, wheel: f32) {
    let pointer = Pointer { at: [x, y], left: left != 0, right: right != 0, wheel };
    opened(|viewer| viewer.point(pointer));
}

/// Presses the key of a letter of the viewer's.
#[unsafe(no_mangle)]
pub extern "C" fn press(letter: u32) {
    let letter = char::from_u32(letter).map(String::from).unwrap_or_default();
    opened(|viewer| viewer.press(&letter, false));
}

/// Answers figures, a line each: name and value, set apart by a tab.
#[unsafe(no_mangle)]
pub extern "C" fn figures() {
    let text = opened(|viewer| {
        let simulation = viewer.simulation();
        let (model, mut text) = (simulation.model(), String::new());
        let projections = model.constraint_count() as u64
            * u64::from(model.settings.substeps)
            * u64::from(model.settings.iterations);
        let bits = taut::hash(&simulation.positions(), &simulation.bodies());
        let _ = write!(
            text,
            "run\t{}\nframe\t{}\ntime\t{}\ndt\t{}\nhash\t{bits:016x}\nparticles\t{}\nbodies\t{}\nconstraints\t{}\nprojections\t{projections}\nmethod\t{}",
            viewer.run(),
            simulation.frame(),
            simulation.time(),
            model.settings.dt,
            model.positions().len(),
            model.bodies().len(),
            model.constraint_count(),
            simulation.method().name(),
        );
        text
    });
    answer(text);
}
