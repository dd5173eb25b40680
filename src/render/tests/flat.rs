//! Tests of what is flat: text, rectangles, bars, colors, files.

use crate::render::file::still;
use crate::render::palette::{Census, Palette};
use crate::render::*;
use std::io::Cursor;

/// Where a text in white on black is bright, as rows of `#` and `.`.
fn letters(text: &str) -> Vec<String> {
    let [width, height] = text_size(text).map(|s| s as usize);
    let mut canvas = Canvas::new(width, height);
    canvas.text([0, 0], text, 0xFFFFFF);
    let bright = |&p: &u32| if p > 0x60_0000 { '#' } else { '.' };
    (canvas.pixels().chunks(canvas.width())).map(|row| row.iter().map(bright).collect()).collect()
}

#[test]
fn a_letter_looks_like_itself() {
    let rows = letters("L");
    let stem = rows.iter().position(|r| r.contains('#')).expect("something is drawn");
    let foot = rows.iter().rposition(|r| r.contains('#')).unwrap();
    let left = rows[stem].find('#').unwrap();
    assert!((7..=12).contains(&(foot - stem)), "a capital's height: {rows:#?}");
    for row in &rows[stem..foot] {
        assert_eq!(row.find('#'), Some(left), "one straight stem: {rows:#?}");
        assert!(row.matches('#').count() <= 2, "nothing beside the stem: {rows:#?}");
    }
    assert!(rows[foot].matches('#').count() >= 4, "a foot: {rows:#?}");
}

/// Each pixel of a letter becomes a square.
#[test]
fn enlarged_text_has_larger_pixels() {
    let [width, height] = text_size("Ag").map(|side| side as usize);
    let mut canvas = [Canvas::new(width, height), Canvas::new(3 * width, 3 * height)];
    canvas[0].text([0, 0], "Ag", 0xFFFFFF);
    canvas[1].text_enlarged([0, 0], "Ag", 0xFFFFFF, 3);
    let [small, large] = &canvas;
    for (i, pixel) in large.pixels().iter().enumerate() {
        let [x, y] = [i % large.width() / 3, i / large.width() / 3];
        assert_eq!(*pixel, small.pixels()[y * width + x]);
    }
}

#[test]
fn text_is_cut_at_the_border_and_unknown_letters_are_question_marks() {
    let mut canvas = Canvas::new(20, 10);
    for at in [[-9, -9], [15, 5], [i32::MAX, i32::MIN], [i32::MIN, i32::MAX]] {
        canvas.text(at, "W\nW", 0xFFFFFF);
    }
    assert!(canvas.pixels().iter().any(|&p| p > 0));
    assert_eq!(letters("α\u{1F600}"), letters("??"));
    assert_eq!(text_size("two\nlines"), [5 * cell()[0], 32]);
}

#[test]
fn a_bar_is_as_long_as_its_share() {
    let orange = 0xE8862E;
    let length = |value: f32| {
        let mut canvas = Canvas::new(200, 40);
        let bar = Bar { label: "a", value, figure: "1", color: orange };
        assert_eq!(canvas.bars([0, 0], 200, &[bar], 2.0), 32);
        canvas.pixels()[16 * 200..17 * 200].iter().filter(|&&p| p == orange).count()
    };
    let full = length(2.0);
    assert!(full > 100 && length(1.0).abs_diff(full / 2) <= 1);
    assert_eq!([length(99.0), length(-1.0), length(f32::NAN)], [full, 0, 0]);
}

#[test]
fn rectangles_are_cut_at_the_border() {
    let mut canvas = Canvas::new(8, 8);
    canvas.rectangle([6, -3], [100, 5], 0xFF, 1.0);
    canvas.rectangle([2, 2], [-4, 3], 0xFF, 1.0);
    canvas.rectangle([i32::MAX, 0], [i32::MAX, 9], 0xFF, 1.0);
    assert_eq!(canvas.pixels().iter().filter(|&&p| p == 0xFF).count(), 2 * 2);
}

#[test]
fn halving_takes_the_mean() {
    let mut canvas = Canvas::new(4, 2);
    canvas.pixels.copy_from_slice(&[0xFF0000, 0xFF0000, 8, 0, 0, 0, 0, 0]);
    assert_eq!(canvas.halve().pixels(), [0x800000, 2]);
}

#[test]
fn maps_run_from_end_to_end() {
    assert_eq!(color::mix(0x102030, 0xFFEEDD, 0.0), 0x102030);
    assert_eq!(color::mix(0x102030, 0xFFEEDD, 1.0), 0xFFEEDD);
    assert_eq!(color::mix(0x102030, 0xFFEEDD, f32::NAN), 0x102030);
    assert_eq!(color::sequential(f32::INFINITY), 0xFDE725);
    assert_eq!(color::sequential(f32::NAN), color::sequential(0.0));
    assert_eq!(color::diverging(-2.0), color::diverging(-1.0));
    let seen: std::collections::BTreeSet<u32> = (0..36).map(color::distinct).collect();
    assert_eq!(seen.len(), 36);
}

#[test]
fn a_still_survives_its_file() {
    let mut canvas = Canvas::new(5, 3);
    canvas
        .pixels
        .chunks_mut(5)
        .zip([0x123456, 0x778899, 0xFEDCBA])
        .for_each(|(row, c)| row.fill(c));
    let mut bytes = Vec::new();
    still(&mut bytes, &canvas).unwrap();
    let mut reader = png::Decoder::new(Cursor::new(bytes)).read_info().unwrap();
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut bytes).unwrap();
    let pixels: Vec<u32> =
        (bytes.chunks(3)).map(|p| u32::from_be_bytes([0, p[0], p[1], p[2]])).collect();
    assert_eq!(pixels, canvas.pixels());
}

#[test]
fn an_animation_loops_and_keeps_its_frames() {
    let frame = |i: usize| {
        let mut canvas = Canvas::new(6, 4);
        canvas.rectangle([i as i32, 0], [2, 4], 0xE8862E, 1.0);
        canvas
    };
    let path = std::env::temp_dir().join(format!("taut-{}.gif", std::process::id()));
    write_gif(&path, 3, 0.035, |i| Some(frame(i))).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    std::fs::remove_file(&path).unwrap();
    assert!(bytes.windows(11).any(|w| w == b"NETSCAPE2.0"), "it loops");
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::RGBA);
    let mut decoder = options.read_info(Cursor::new(bytes)).unwrap();
    let mut shown = vec![0; 24];
    for (i, delay) in [4, 3, 4].into_iter().enumerate() {
        let next = decoder.read_next_frame().unwrap().unwrap();
        assert_eq!(next.delay, delay, "0.035 s on average");
        for (shown, p) in shown.iter_mut().zip(next.buffer.chunks_exact(4)) {
            if p[3] > 0 {
                *shown = u32::from_be_bytes([0, p[0], p[1], p[2]]);
            }
        }
        assert_eq!(shown, frame(i).pixels());
    }
}

#[test]
fn a_palette_has_255_colors_close_to_all() {
    let noise: Vec<u32> = (0..40_000u32).map(|i| i.wrapping_mul(2_654_435_761) >> 8).collect();
    let mut census = Census::new();
    census.count(&noise);
    let palette = Palette::of(&census);
    let used = palette.colors.len();
    assert!(used <= 255 && used > 200, "{used}");
    let off = |c: u32| {
        let near = palette.colors[usize::from(palette.nearest(c))].map(f32::from);
        (0..3).map(|k| (color::channels(c)[k] - near[k]).abs()).fold(0.0, f32::max)
    };
    assert!(noise.iter().all(|&c| off(c) < 48.0));
}

#[test]
fn pictures_without_pixels_are_refused() {
    let nothing = Canvas::new(0, 4);
    assert!(matches!(write_png("unwritten.png", &nothing), Err(FileError::Size(_))));
    let unlike = [Canvas::new(2, 2), Canvas::new(3, 2)];
    let error =
        write_gif("unwritten.gif", 2, 0.04, |i| Some(unlike[i].clone())).unwrap_err().to_string();
    assert!(error.contains("unwritten.gif: cannot write: frame 1 has [3, 2] pixels"), "{error}");
    assert!(write_gif("unwritten.gif", 0, 0.04, |i| Some(unlike[i].clone())).is_ok());
}

/// A picture without pixels, or none, ends an animation while it is written too, and leaves no file.
#[test]
fn a_broken_animation_leaves_no_file() {
    let path = std::env::temp_dir().join(format!("taut-broken-{}.gif", std::process::id()));
    for (whole, other) in (1..4).flat_map(|whole| [(whole, Some(Canvas::default())), (whole, None)])
    {
        let mut drawn = 0;
        let draw = |_| {
            drawn += 1;
            if drawn > whole { other.clone() } else { Some(Canvas::new(2, 2)) }
        };
        let error = write_gif(&path, 2, 0.04, draw).unwrap_err();
        assert_eq!(matches!(error, FileError::Ended), other.is_none());
        assert!(!path.exists(), "{whole} pictures");
    }
}
