//! Output files that are whole or not there: written under another name in the same folder, renamed when they are complete.
//!
//! A run that fails, is interrupted or killed leaves a file as it was before; a kill may leave `.taut-N.tmp` beside it. What
//! is no regular file (a device, a pipe) is written as it is.

use std::fs::{File, OpenOptions};
use std::io::{self, BufWriter, ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot write: {source}", show(.path))]
pub struct WriteError {
    /// The file, or the folder of a file.
    pub path: PathBuf,
    /// What the system says.
    pub source: io::Error,
}

/// An output file under way. Dropped before [`finish`](Self::finish), it leaves nothing behind.
#[derive(Debug)]
pub struct OutputFile {
    /// As it was asked for, for errors.
    path: PathBuf,
    /// Where it is written, and what that is renamed to; nothing once it is done, or of what is no regular file.
    pending: Option<[PathBuf; 2]>,
    out: BufWriter<File>,
}

impl OutputFile {
    /// Begins a file.
    ///
    /// # Errors
    /// A file that cannot be written: its folder does not exist or may not be written to, or there is a file that may not be
    /// replaced.
    pub fn create(path: impl Into<PathBuf>) -> Result<Self, WriteError> {
        let path = path.into();
        match begin(&path) {
            Ok((file, pending)) => Ok(Self { path, pending, out: BufWriter::new(file) }),
            Err(source) => Err(WriteError { path, source }),
        }
    }

    /// Writes a whole file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn write(path: impl Into<PathBuf>, content: &[u8]) -> Result<(), WriteError> {
        let mut file = Self::create(path)?;
        file.attempt(|file| file.write_all(content))?;
        file.finish()
    }

    /// A file for what is to be read back: it lies beside `path`, and is gone when it is dropped. Nothing where `path` is
    /// no regular file: nothing can lie beside a device.
    ///
    /// # Errors
    /// A file that cannot be written.
    #[cfg_attr(not(feature = "files"), allow(dead_code))] // recordings are all that asks
    pub(crate) fn scratch(path: &Path) -> Result<Option<Self>, WriteError> {
        if is_device(path) {
            return Ok(None);
        }
        let made = temporary(folder_of(path));
        let (file, temporary) = made.map_err(|source| WriteError { path: path.into(), source })?;
        let pending = Some([temporary, PathBuf::new()]);
        Ok(Some(Self { path: path.into(), pending, out: BufWriter::new(file) }))
    }

    /// What was written so far, from its beginning.
    #[cfg_attr(not(feature = "files"), allow(dead_code))] // recordings are all that asks
    pub(crate) fn read_back(&mut self) -> io::Result<&mut File> {
        self.out.flush()?;
        let file = self.out.get_mut();
        file.rewind()?;
        Ok(file)
    }

    /// Writes over the beginning of what was written so far; what comes is added behind.
    #[cfg_attr(not(feature = "files"), allow(dead_code))] // recordings are all that asks
    pub(crate) fn rewrite_start(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.read_back()?.write_all(bytes)?;
        self.out.get_mut().seek(SeekFrom::End(0)).map(drop)
    }

    /// Completes the file: what was written is there, then under its name.
    ///
    /// # Errors
    /// A file that cannot be written; the file is then as it was before.
    pub fn finish(mut self) -> Result<(), WriteError> {
        self.complete().map_err(|source| self.failed(source))
    }

    /// [`finish`](Self::finish), when the disk has what was written: a power failure too leaves the file whole.
    ///
    /// # Errors
    /// As `finish`.
    pub fn finish_durably(mut self) -> Result<(), WriteError> {
        let synced = self.out.flush().and_then(|()| match self.pending {
            Some(_) => self.out.get_ref().sync_data(),
            None => Ok(()), // a pipe has no disk
        });
        synced.and_then(|()| self.complete()).map_err(|source| self.failed(source))
    }

    /// Does `write`; what fails of it is an error of writing this file.
    ///
    /// # Errors
    /// A file that cannot be written.
    pub fn attempt<T>(
        &mut self,
        write: impl FnOnce(&mut Self) -> io::Result<T>,
    ) -> Result<T, WriteError> {
        write(self).map_err(|source| self.failed(source))
    }

    /// An error of writing this file.
    pub fn failed(&self, source: io::Error) -> WriteError {
        WriteError { path: self.path.clone(), source }
    }

    fn complete(&mut self) -> io::Result<()> {
        self.out.flush()?;
        if let Some([temporary, path]) = &self.pending {
            std::fs::rename(temporary, path)?;
            self.pending = None;
        }
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.out.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some([temporary, _]) = &self.pending {
            // Nothing is left to be said to anyone.
            let _ = std::fs::remove_file(temporary);
        }
    }
}

/// Checks that a file can be written, and leaves everything as it is. A device or a pipe is not opened: that may wait for its
/// reader.
///
/// # Errors
/// A file that cannot be written.
pub fn check_output(path: &Path) -> Result<(), WriteError> {
    match is_device(path) {
        true => Ok(()),
        false => OutputFile::create(path).map(drop),
    }
}

/// Makes a folder where there is none, and checks that files can be written to it.
///
/// # Errors
/// A folder that cannot be made or written to.
pub fn create_folder(path: &Path) -> Result<(), WriteError> {
    let failed = |source| WriteError { path: path.into(), source };
    std::fs::create_dir_all(path).map_err(failed)?;
    let (_, probe) = temporary(path).map_err(failed)?;
    std::fs::remove_file(probe).map_err(failed)
}

/// Whether two paths lead to one file, which need not exist yet.
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    let real = |path: &Path| {
        let to_be = || Some(folder_of(path).canonicalize().ok()?.join(path.file_name()?));
        path.canonicalize().ok().or_else(to_be)
    };
    real(a).is_some_and(|a| real(b) == Some(a))
}

/// Whether there is something that is neither a regular file nor a folder.
fn is_device(path: &Path) -> bool {
    path.metadata().is_ok_and(|found| !found.is_file() && !found.is_dir())
}

/// The file to write to, and what it is renamed from and to.
fn begin(path: &Path) -> io::Result<(File, Option<[PathBuf; 2]>)> {
    let found = match path.metadata() {
        Ok(found) => Some(found),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    let mut target = path.to_path_buf();
    if let Some(found) = &found {
        // A file that may not be written is not replaced either; a folder is refused here.
        let file = OpenOptions::new().write(true).open(path)?;
        if !found.is_file() {
            return Ok((file, None));
        }
        // A link keeps leading to the file.
        target = path.canonicalize()?;
    }
    if target.file_name().is_none() || path.as_os_str().as_encoded_bytes().ends_with(b"/") {
        return Err(ErrorKind::IsADirectory.into());
    }
    let (file, temporary) = temporary(folder_of(&target))?;
    let pending = [temporary, target];
    if let Some(found) = found
        && let Err(error) = file.set_permissions(found.permissions())
    {
        let _ = std::fs::remove_file(&pending[0]);
        return Err(error);
    }
    Ok((file, Some(pending)))
}

fn folder_of(path: &Path) -> &Path {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    folder.unwrap_or(Path::new("."))
}

/// A new file under a name that no other writer has.
fn temporary(folder: &Path) -> io::Result<(File, PathBuf)> {
    let mut number = 0_u32;
    loop {
        let path = folder.join(format!(".taut-{number}.tmp"));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
            opened => return opened.map(|file| (file, path)),
        }
    }
}

/// The most characters of a path that a message prints.
const SHOWN: usize = 1000;

/// The path as a message may print it: a name may hold line breaks and escape codes, and be as long as one likes.
pub(crate) fn show(path: &Path) -> String {
    let path = path.to_string_lossy();
    let mut shown = String::new();
    // What says most of a long one is its end.
    let count = path.chars().count();
    if count > SHOWN {
        shown.push('…');
    }
    for c in path.chars().skip(count.saturating_sub(SHOWN)) {
        if c.is_control() {
            shown.extend(c.escape_default());
        } else {
            shown.push(c);
        }
    }
    shown
}

/// Text as it stands in XML and HTML: a path may hold what a reader would take for marks.
#[cfg(feature = "files")]
pub fn escape(text: &str) -> String {
    let marks = [('&', "&amp;"), ('<', "&lt;"), ('>', "&gt;"), ('"', "&quot;")];
    marks.into_iter().fold(text.into(), |text, (mark, name)| text.replace(mark, name))
}
