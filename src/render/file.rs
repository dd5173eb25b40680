//! Pictures as files: PNG stills and looping GIF animations.

use super::canvas::Canvas;
use super::palette::{COLORS, Census, Palette};
use crate::files::{OutputFile, WriteError};
use gif::{DisposalMethod, Encoder, Frame, Repeat};
use std::io::{Error, Write};
use std::path::Path;

/// A picture that could not be written; the message begins with where to.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// An error of the encoder or the file system.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// Frames of an animation differ in size, or a picture has no pixels.
    #[error("{0}")]
    Size(String),
    /// An animation that was not to be drawn to its end.
    #[error("ended before its last frame")]
    Ended,
}

type Outcome = Result<(), Box<dyn std::error::Error + Send + Sync>>;

/// Writes a still.
///
/// # Errors
/// An empty canvas, or what the file system says.
pub fn write_png(path: impl AsRef<Path>, canvas: &Canvas) -> Result<(), FileError> {
    let path = path.as_ref();
    same_size(path, 0, canvas, size(canvas))?;
    put(path, |file| still(file, canvas))
}

/// A still as the bytes of a PNG file.
///
/// # Errors
/// An empty canvas.
pub fn encode_png(canvas: &Canvas) -> Result<Vec<u8>, Box<dyn std::error::Error + Send + Sync>> {
    let mut bytes = Vec::new();
    still(&mut bytes, canvas)?;
    Ok(bytes)
}

/// Writes an animation of `count` frames that loops forever, each shown for `seconds` (browsers slow down what is shorter
/// than 0.02). `draw(i)` gives frame i and is called twice for each: once to find the 255 colors that serve all frames
/// best, once to write it; where it gives none, the animation ends and leaves no file. No more than two frames are in memory.
///
/// # Errors
/// Frames that differ in size or are empty, one that is not given, or what the file system says. No frames write no file.
pub fn write_gif(
    path: impl AsRef<Path>,
    count: usize,
    seconds: f64,
    mut draw: impl FnMut(usize) -> Option<Canvas>,
) -> Result<(), FileError> {
    let path = path.as_ref();
    let mut census = Census::new();
    let mut first = [0, 0];
    for i in 0..count {
        let canvas = draw(i).ok_or(FileError::Ended)?;
        if i == 0 {
            first = size(&canvas);
        }
        same_size(path, i, &canvas, first)?;
        census.count(canvas.pixels());
    }
    if count == 0 {
        return Ok(());
    }
    let palette = Palette::of(&census);
    put(path, |file| {
        let mut colors = palette.colors.clone();
        colors.resize(COLORS + 1, [0; 3]);
        let [width, height] = first.map(|s| s as u16);
        let mut encoder = Encoder::new(file, width, height, colors.as_flattened())?;
        encoder.set_repeat(Repeat::Infinite)?;
        // Hundredths of a second, rounded so that the whole keeps its time.
        let clock = |frame: usize| (100.0 * seconds * frame as f64).round();
        let mut shown = Vec::new();
        for i in 0..count {
            let canvas = draw(i).ok_or(FileError::Ended)?;
            same_size(path, i, &canvas, first)?;
            let pixels: Vec<u8> = canvas.pixels().iter().map(|&p| palette.nearest(p)).collect();
            let frame = Frame {
                delay: (clock(i + 1) - clock(i)) as u16,
                dispose: DisposalMethod::Keep,
                transparent: Some(SAME),
                width,
                height,
                buffer: changes(&shown, &pixels).into(),
                ..Frame::default()
            };
            encoder.write_frame(&frame)?;
            shown = pixels;
        }
        Ok(())
    })
}

pub(super) fn still(file: impl Write, canvas: &Canvas) -> Outcome {
    let rgb = |&pixel: &u32| [16, 8, 0].map(|shift| (pixel >> shift) as u8);
    let bytes: Vec<u8> = canvas.pixels().iter().flat_map(rgb).collect();
    let (width, height) = (canvas.width() as u32, canvas.height() as u32);
    let mut encoder = png::Encoder::new(file, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::Fast);
    encoder.set_filter(png::Filter::Adaptive);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(&bytes)?;
    Ok(writer.finish()?)
}

/// The index that stands for "as in the frame before".
const SAME: u8 = COLORS as u8;

/// The pixels that are other than those shown before: still parts take next to no bytes.
fn changes(shown: &[u8], pixels: &[u8]) -> Vec<u8> {
    let mut buffer = pixels.to_vec();
    for (pixel, shown) in buffer.iter_mut().zip(shown) {
        if pixel == shown {
            *pixel = SAME;
        }
    }
    buffer
}

/// Creates the file and lets `write` fill it.
fn put(path: &Path, write: impl FnOnce(&mut OutputFile) -> Outcome) -> Result<(), FileError> {
    let mut file = OutputFile::create(path)?;
    match write(&mut file).map_err(|source| source.downcast::<FileError>()) {
        Ok(()) => Ok(file.finish()?),
        Err(Ok(own)) => Err(*own),
        Err(Err(source)) => Err(file.failed(Error::other(source)).into()),
    }
}

fn size(canvas: &Canvas) -> [usize; 2] {
    [canvas.width(), canvas.height()]
}

/// The canvas is as large as the first frame, and not empty.
fn same_size(
    path: &Path,
    frame: usize,
    canvas: &Canvas,
    expected: [usize; 2],
) -> Result<(), FileError> {
    let (path, found) = (path.display(), size(canvas));
    if found == expected && !found.contains(&0) {
        return Ok(());
    }
    Err(FileError::Size(format!(
        "{path}: cannot write: frame {frame} has {found:?} pixels, expected {expected:?} and at least [1, 1]"
    )))
}
