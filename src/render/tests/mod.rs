//! Tests of the room: what is drawn, where, in front of what, and that no input stops it.

use super::triangle::scan;
use super::*;

mod broken;
mod camera;
mod flat;
mod liquid;

const SIZE: [usize; 2] = [160, 90];

/// A wavy sheet of `side` x `side` corners around (0, 1, 0).
fn sheet(side: usize) -> (Vec<[f32; 3]>, Vec<[u32; 3]>) {
    let place = |i: usize| {
        let at = |k: usize| 2.0 * k as f32 / (side - 1) as f32 - 1.0;
        let (x, z) = (at(i % side), at(i / side));
        [x, 1.0 + 0.3 * x * x * z - 0.2 * z * z, z]
    };
    let cell = |i: usize| {
        let [a, b] = [i, i + side].map(|i| i as u32);
        [[a, b, a + 1], [a + 1, b, b + 1]]
    };
    let cells = (0..side * (side - 1)).filter(|i| i % side != side - 1);
    ((0..side * side).map(place).collect(), cells.flat_map(cell).collect())
}

/// Seen from the front at distance 5: x right, y up, z towards the eye.
fn front() -> Camera {
    Camera { yaw: 0.0, pitch: 0.0, ..Camera::default() }
}

fn drawn(picture: &Picture, camera: &Camera) -> Canvas {
    let mut canvas = Canvas::new(SIZE[0], SIZE[1]);
    picture.draw(camera, &mut canvas);
    canvas
}

/// The box around everything but the ground, `None` if there is nothing.
fn bounds(picture: &Picture) -> Option<Bounds> {
    let mesh = picture.meshes.iter().flat_map(|m| m.positions);
    let lines = picture.lines.iter().flat_map(|l| l.positions);
    let points = picture.points.iter().flat_map(|p| p.positions);
    Bounds::of(mesh.chain(lines).chain(points))
}

/// The color at column `x`, row `y`.
fn pixel(canvas: &Canvas, x: usize, y: usize) -> u32 {
    canvas.pixels()[y * canvas.width() + x]
}

/// Whether a color is mostly red.
fn red(color: u32) -> bool {
    let [r, g, b] = color::channels(color);
    r > 2.0 * g && r > 2.0 * b
}

/// A bit of everything, with text: what the golden hash is taken of.
fn everything() -> Canvas {
    let (positions, triangles) = sheet(17);
    let paint: Vec<u32> =
        (0..positions.len()).map(|i| color::sequential(i as f32 / 289.0)).collect();
    let meshes = [Mesh { paint: Paint::Each(&paint), ..Mesh::new(&positions, &triangles) }];
    let lines = [Lines {
        positions: &positions,
        segments: &[[0, 288], [16, 272]],
        paint: Paint::One(0xC03030),
        radius: 0.02,
        lifted: true,
    }];
    let points = [Points {
        positions: &positions[..40],
        paint: Paint::Each(&paint),
        radius: Radius::One(0.05),
    }];
    let picture = Picture {
        ground: Some(Ground::default()),
        meshes: &meshes,
        lines: &lines,
        points: &points,
        ..Picture::default()
    };
    let camera = Camera::default().frame(bounds(&picture).unwrap(), SIZE[0], SIZE[1]);
    let mut canvas = drawn(&picture, &camera);
    canvas.panel([2, 2], "Taut");
    canvas
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    assert_eq!(everything(), everything());
}

/// After a wanted change of looks: look at the picture (`write_png`), then put the hash of the failure message here.
#[test]
fn bytes_do_not_depend_on_the_build() {
    assert_eq!(format!("{:016x}", everything().hash()), "1ae79bd4e8b47515");
}

#[test]
fn an_empty_picture_is_the_background() {
    let canvas = drawn(&Picture::default(), &front());
    let [top, bottom] = Picture::default().background;
    assert_eq!(pixel(&canvas, 0, 0), top);
    assert_eq!(pixel(&canvas, 159, 89), bottom);
    assert!(bounds(&Picture::default()).is_none());
}

#[test]
fn the_nearer_surface_is_seen_in_either_order() {
    let square = |z: f32| [[-1.0, -1.0, z], [1.0, -1.0, z], [1.0, 1.0, z], [-1.0, 1.0, z]];
    let (near, far) = (square(0.5), square(-0.5));
    let triangles = [[0, 1, 2], [0, 2, 3]];
    let painted =
        |positions, color| Mesh { paint: Paint::One(color), ..Mesh::new(positions, &triangles) };
    let (a, b) = (painted(&near, 0xFF0000), painted(&far, 0x0000FF));
    let of = |meshes: [Mesh; 2]| {
        let ball = |positions, color| Points {
            positions,
            paint: Paint::One(color),
            radius: Radius::One(0.1),
        };
        let points = [ball(&[[0.0, 0.5, 0.0]], 0x00FF00), ball(&[[0.0, -0.5, 0.6]], 0x00FF00)];
        let picture = Picture { meshes: &meshes, points: &points, ..Picture::default() };
        drawn(&picture, &front())
    };
    let canvas = of([a, b]);
    assert_eq!(canvas.pixels(), of([b, a]).pixels());
    let row = |y: f32| front().view(160, 90).project([0.0, y, 0.5]).unwrap()[1] as usize;
    assert!(red(pixel(&canvas, 80, row(0.0))));
    assert!(red(pixel(&canvas, 80, row(0.5))), "the ball behind is hidden");
    assert!(!red(pixel(&canvas, 80, row(-0.5))), "the ball before is seen");
}

#[test]
fn neighbors_share_no_pixel_and_leave_none_out() {
    // A fan of slivers around random centers: every pixel of the square belongs to exactly one of its triangles.
    let mut state = crate::tests::sample::Random(7);
    let mut random = || state.unit() as f32;
    for _ in 0..50 {
        let hub = [60.0 * random() + 2.0, 60.0 * random() + 2.0];
        let mut rim: Vec<[f32; 2]> = (0..20).map(|_| random() * 64.0).map(|x| [x, 0.0]).collect();
        rim.sort_by(|a, b| a[0].total_cmp(&b[0]));
        let rim = [&[[0.0, 0.0]], &rim[..], &[[64.0, 0.0], [64.0, 64.0], [0.0, 64.0], [0.0, 0.0]]]
            .concat();
        let mut count = vec![0; 64 * 64];
        for pair in rim.windows(2) {
            scan([hub, pair[0], pair[1]], 64, 0..64, |y, columns| {
                columns.for_each(|x| count[y * 64 + x] += 1);
            });
        }
        assert!(count.iter().all(|&c| c == 1), "hub {hub:?}");
    }
}

#[test]
fn front_and_back_of_a_cloth_differ() {
    let positions = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [0.0, 1.0, 0.0]];
    let seen = |triangle| {
        let triangles = [triangle];
        let meshes = [Mesh::new(&positions, &triangles)];
        let picture = Picture { meshes: &meshes, ..Picture::default() };
        pixel(&drawn(&picture, &front()), 80, 45)
    };
    assert_ne!(seen([0, 1, 2]), seen([0, 2, 1]));
}

#[test]
fn the_ground_is_darker_under_what_stands_on_it() {
    let points = [Points {
        positions: &[[0.0, 1.0, 0.0]],
        paint: Paint::One(0xFF0000),
        radius: Radius::One(0.4),
    }];
    // One grid line lies at 0, the next out of sight.
    let ground = Some(Ground { spacing: 1e3, ..Ground::default() });
    let above = Camera { pitch: 1.5, ..front() };
    let bare = Picture { ground, ..Picture::default() };
    let shaded = Picture { points: &points, ..bare };
    let seen = |picture: &Picture, x: f32, z: f32| {
        let place = above.view(SIZE[0], SIZE[1]).project([x, 0.0, z]).unwrap();
        let color = pixel(&drawn(picture, &above), place[0] as usize, place[1] as usize);
        color::channels(color)[0]
    };
    // Away from the key light, which stands to the right and in front.
    assert!(seen(&shaded, -0.45, -0.6) < seen(&bare, -0.45, -0.6) - 20.0);
    assert_eq!(seen(&shaded, 0.9, 0.6), seen(&bare, 0.9, 0.6));
}

#[test]
fn pictures_do_not_depend_on_threads() {
    let (positions, triangles) = sheet(65);
    let meshes = [Mesh::new(&positions, &triangles)];
    let points =
        [Points { positions: &positions, paint: Paint::One(0x40_80C0), radius: Radius::One(0.05) }];
    let lines = [Lines {
        positions: &positions,
        segments: &[[0, 64], [64, 4224]],
        paint: Paint::One(0xC03030),
        radius: 0.02,
        lifted: true,
    }];
    let ground = Some(Ground::default());
    let picture =
        Picture { ground, meshes: &meshes, points: &points, lines: &lines, ..Picture::default() };
    let draw = |threads: usize| {
        let mut canvas = Canvas::new(SIZE[0], SIZE[1]);
        let team = Team::new(threads).expect("threads");
        picture.draw_by(&team, &Camera::default(), &mut canvas);
        canvas
    };
    let one = draw(1);
    assert!([2, 3].into_iter().all(|threads| draw(threads) == one));
}

/// The ground is kept from picture to picture: not where a shadow was, nor where the camera was.
#[test]
fn pictures_do_not_depend_on_those_before() {
    let picture =
        |points| Picture { ground: Some(Ground::default()), points, ..Picture::default() };
    let ball = |at: &'static [[f32; 3]]| {
        [Points { positions: at, paint: Paint::One(0xFF0000), radius: Radius::One(0.4) }]
    };
    let (left, right) = (ball(&[[-1.0, 0.5, 0.0]]), ball(&[[1.0, 0.5, 0.0]]));
    let away = Camera { yaw: 1.0, ..Camera::default() };
    let mut canvas = Canvas::new(SIZE[0], SIZE[1]);
    for camera in [Camera::default(), away, Camera::default()] {
        for points in [&left, &right, &left, &right] {
            picture(points).draw(&camera, &mut canvas);
            assert_eq!(canvas.pixels(), drawn(&picture(points), &camera).pixels());
        }
    }
}
