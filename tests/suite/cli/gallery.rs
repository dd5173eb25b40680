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
