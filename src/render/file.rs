//! Pictures as files: PNG stills and looping GIF animations.

use super::canvas::Canvas;
use super::palette::Palette;
use image::codecs::gif::{GifEncoder, Repeat};
use image::codecs::png::PngEncoder;
use image::{
    Delay, ExtendedColorType, Frame, ImageEncoder, ImageError, ImageResult, Rgba, RgbaImage,
};
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
    put(path, |file| png(file, canvas))
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
    put(path, |file| gif(file, frames, delay))
}

pub(super) fn png(file: impl Write, canvas: &Canvas) -> ImageResult<()> {
    let bytes: Vec<u8> = canvas.pixels().iter().flat_map(|&p| rgb(p)).collect();
    let (width, height) = (canvas.width() as u32, canvas.height() as u32);
    PngEncoder::new(file).write_image(&bytes, width, height, ExtendedColorType::Rgb8)
}

pub(super) fn gif(file: impl Write, frames: &[Canvas], delay: u16) -> ImageResult<()> {
    let palette = Palette::of(frames.iter().map(Canvas::pixels));
    let delay = Delay::from_numer_denom_ms(10 * u32::from(delay), 1);
    let mut encoder = GifEncoder::new(file);
    encoder.set_repeat(Repeat::Infinite)?;
    for frame in frames {
        let mut image = RgbaImage::new(frame.width() as u32, frame.height() as u32);
        for (to, &from) in image.pixels_mut().zip(frame.pixels()) {
            // At most 256 colors in all: the encoder takes them as they are.
            let [r, g, b] = rgb(palette.nearest(from));
            *to = Rgba([r, g, b, 255]);
        }
        encoder.encode_frame(Frame::from_parts(image, 0, 0, delay))?;
    }
    Ok(())
}

fn rgb(pixel: u32) -> [u8; 3] {
    [16, 8, 0].map(|shift| (pixel >> shift) as u8)
}

/// Creates the file and lets `write` fill it.
fn put(
    path: &Path,
    write: impl FnOnce(&mut BufWriter<File>) -> ImageResult<()>,
) -> Result<(), FileError> {
    let fill = || {
        let mut file = BufWriter::new(File::create(path)?);
        write(&mut file)?;
        Ok(file.flush()?)
    };
    fill().map_err(|source| FileError::Write {
        path: path.to_path_buf(),
        source,
    })
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
