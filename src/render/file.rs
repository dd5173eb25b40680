//! Pictures as files: PNG stills and looping GIF animations.

use super::canvas::Canvas;
use super::palette::Palette;
use image::codecs::gif::{GifEncoder, Repeat};
use image::{Delay, Frame, ImageError, RgbImage, RgbaImage};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

/// A picture that could not be written.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The encoder or the file system refused.
    #[error("cannot write the picture {}: {source}", path.display())]
    Write {
        /// Where to.
        path: PathBuf,
        /// Why not.
        source: ImageError,
    },
    /// Frames of an animation differ in size, or a picture has no pixels.
    #[error("cannot write the picture {}: frame {frame} has {found:?} pixels, expected {expected:?} and at least [1, 1]", path.display())]
    Size {
        /// Where to.
        path: PathBuf,
        /// Counted from 0.
        frame: usize,
        /// Width and height of the frame.
        found: [usize; 2],
        /// Width and height of the first frame.
        expected: [usize; 2],
    },
}

/// Writes a still.
///
/// # Errors
/// An empty canvas, or what the file system says.
pub fn write_png(path: impl AsRef<Path>, canvas: &Canvas) -> Result<(), FileError> {
    let path = path.as_ref();
    same_size(path, core::slice::from_ref(canvas))?;
    let bytes = canvas
        .pixels()
        .iter()
        .flat_map(|&pixel| rgb(pixel))
        .collect();
    let (width, height) = (canvas.width() as u32, canvas.height() as u32);
    let image = RgbImage::from_raw(width, height, bytes).expect("three bytes per pixel");
    image
        .save_with_format(path, image::ImageFormat::Png)
        .map_err(at(path))
}

/// Writes an animation that loops forever, each frame shown for `delay` hundredths of a second (browsers slow down what is
/// shorter than 2). One palette of 256 colors serves all frames.
///
/// # Errors
/// Frames that differ in size or are empty, or what the file system says. No frames write no file.
pub fn write_gif(path: impl AsRef<Path>, frames: &[Canvas], delay: u16) -> Result<(), FileError> {
    let path = path.as_ref();
    same_size(path, frames)?;
    if frames.is_empty() {
        return Ok(());
    }
    let palette = Palette::of(frames.iter().map(|frame| frame.pixels()));
    let file = File::create(path).map_err(|e| at(path)(e.into()))?;
    let mut buffer = BufWriter::new(file);
    let mut encoder = GifEncoder::new(&mut buffer);
    encoder.set_repeat(Repeat::Infinite).map_err(at(path))?;
    for frame in frames {
        let colors = frame.pixels().iter().map(|&pixel| palette.nearest(pixel));
        // At most 256 colors in all: the encoder takes them as they are.
        let bytes = colors.flat_map(|c| {
            let [r, g, b] = rgb(c);
            [r, g, b, 255]
        });
        let (width, height) = (frame.width() as u32, frame.height() as u32);
        let image = RgbaImage::from_raw(width, height, bytes.collect());
        let image = image.expect("four bytes per pixel");
        let delay = Delay::from_numer_denom_ms(10 * u32::from(delay), 1);
        let frame = Frame::from_parts(image, 0, 0, delay);
        encoder.encode_frame(frame).map_err(at(path))?;
    }
    drop(encoder);
    buffer.flush().map_err(|e| at(path)(e.into()))
}

fn rgb(pixel: u32) -> [u8; 3] {
    [16, 8, 0].map(|shift| (pixel >> shift) as u8)
}

fn at(path: &Path) -> impl Fn(ImageError) -> FileError {
    let path = path.to_path_buf();
    move |source| FileError::Write {
        path: path.clone(),
        source,
    }
}

/// All frames as large as the first, and not empty.
fn same_size(path: &Path, frames: &[Canvas]) -> Result<(), FileError> {
    let size = |canvas: &Canvas| [canvas.width(), canvas.height()];
    let expected = frames.first().map(size).unwrap_or_default();
    for (frame, canvas) in frames.iter().enumerate() {
        let found = size(canvas);
        if found != expected || found.contains(&0) {
            let path = path.to_path_buf();
            return Err(FileError::Size {
                path,
                frame,
                found,
                expected,
            });
        }
    }
    Ok(())
}
