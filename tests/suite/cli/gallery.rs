//! `taut gallery`: pictures of scenes, and one of all.

use crate::common::{folder, taut, write};
use std::path::Path;

/// Width, height and the bytes of red, green and blue.
fn read(path: &Path) -> ([usize; 2], Vec<u8>) {
    let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
    let mut reader = png::Decoder::new(file).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut bytes).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    ([info.width as usize, info.height as usize], bytes)
}

/// Each small picture on the sheet is its large one, 4 x 4 pixels to one, but for the line of text.
#[test]
fn two_pictures_of_each_scene_and_one_of_all() {
    let folder = folder("gallery");
    let out = folder.join("out");
    let call = taut(&["gallery", "cloth:6", "rope:5", "--out", out.to_str().unwrap()]);
    assert_eq!(call.done().lines().count(), 3);
    let ([width, height], sheet) = read(&out.join("gallery.png"));
    assert_eq!([width, height], [2 * (2 * 320 + 8), 180 + 24]);
    let names = ["cloth-6-1.png", "cloth-6-2.png", "rope-5-1.png", "rope-5-2.png"];
    for (name, left) in names.iter().zip([0, 320, 648, 968]) {
        let (size, large) = read(&out.join(name));
        assert_eq!(size, [1280, 720], "{name}");
        for (x, y, k) in (0..320 * 168 * 3).map(|i| (i / 3 % 320, 12 + i / 960, i % 3)) {
            let block = (0..16).map(|i| (4 * y + i / 4) * 1280 + 4 * x + i % 4);
            let sum: i32 = block.map(|at| i32::from(large[3 * at + k])).sum();
            let small = i32::from(sheet[3 * (y * width + left + x) + k]);
            assert!((16 * small - sum).abs() <= 24, "{name}: {x} {y}");
        }
        assert!(large.chunks(3).any(|p| p[0].abs_diff(p[2]) > 90), "{name}: nothing blue or brown");
    }
}

/// The first picture is of the time at which most moves: of a box that falls by a metre and then lies still, before it has landed.
#[test]
fn the_first_picture_shows_what_moves() {
    let folder = folder("liveliest");
    let body = r#"{"shape": "box", "size": [0.4, 0.4, 0.4], "mass": 1, "position": [0, 1.2, 0]}"#;
    let floor = r#"{"shape": "plane", "point": [0, 0, 0], "normal": [0, 1, 0]}"#;
    let scene = format!(r#"{{"taut": 1, "bodies": [{body}], "colliders": [{floor}]}}"#);
    let (scene, out) = (write(&folder, "box.json", scene), folder.join("out"));
    taut(&["gallery", &scene, "--out", out.to_str().unwrap()]).done();
    let picture = |end: &str| {
        let files = std::fs::read_dir(&out).unwrap().map(|file| file.unwrap().path());
        let mut named = files.filter(|path| path.to_str().unwrap().ends_with(end));
        read(&named.next().unwrap()).1
    };
    let (first, last) = (picture("-1.png"), picture("-2.png"));
    let differ = first.iter().zip(&last).filter(|(a, b)| a.abs_diff(**b) > 30).count();
    assert!(differ > 10_000, "{differ}");
}

#[test]
fn what_cannot_be_shown_is_refused_before_anything_is_run() {
    let folder = folder("no gallery");
    let out = folder.join("out");
    let refused = taut(&["gallery", "rope", "clth", "--out", out.to_str().unwrap()]);
    assert!(refused.refused(2).contains("meant `cloth`?"));
    assert!(!out.exists());
    let size = taut(&["gallery", "rope", "cloth:1", "--out", out.to_str().unwrap()]);
    assert!(size.refused(2).contains("out of range"));
    let file = write(&folder, "file", "");
    let into = Path::new(&file).join("out");
    let refused = taut(&["gallery", "rope", "--out", into.to_str().unwrap()]);
    assert!(refused.refused(2).contains("cannot write"));
}
