//! Drives the built program, as a user would: arguments in, exit code and both streams out.

use serde_json::Value;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// What a call of `taut` came to.
pub struct Call {
    pub code: i32,
    pub stdout: String,
    pub stderr: String,
    said: String,
}

/// Runs `taut` and checks what holds of every call: it ends by itself, and neither stream speaks of a panic.
pub fn taut(arguments: &[&str]) -> Call {
    let output = command(arguments).output().expect("the program was built");
    call(arguments, output)
}

/// [`taut`], which must end within so many seconds.
pub fn taut_within(arguments: &[&str], seconds: u64) -> Call {
    let mut command = command(arguments);
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    Call::within(arguments, child, seconds)
}

/// `taut` with `arguments`, nothing on its standard input.
pub fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_taut"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// Judges a call that has ended.
pub fn call(arguments: &[&str], output: Output) -> Call {
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("the streams are UTF-8");
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    let said = format!("taut {arguments:?}: {:?}\n{stderr}", output.status);
    let code = output.status.code().expect(&said);
    for sign in ["panicked", "RUST_BACKTRACE", "stack overflow"] {
        assert!(!stdout.contains(sign) && !stderr.contains(sign), "{said}");
    }
    Call { code, stdout, stderr, said }
}

/// Reads a stream beside the program, so that a full pipe holds nothing up.
fn read(stream: Option<impl Read + Send + 'static>) -> JoinHandle<Vec<u8>> {
    std::thread::spawn(|| {
        let mut text = Vec::new();
        stream.map(|mut stream| stream.read_to_end(&mut text).unwrap());
        text
    })
}

impl Call {
    /// Judges a call under way, which must end within so many seconds.
    pub fn within(arguments: &[&str], mut child: Child, seconds: u64) -> Self {
        let (stdout, stderr) = (read(child.stdout.take()), read(child.stderr.take()));
        let begun = Instant::now();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if begun.elapsed().as_secs() >= seconds {
                child.kill().unwrap();
                child.wait().unwrap();
                panic!("taut {arguments:?} has not ended after {seconds} s");
            }
            std::thread::sleep(Duration::from_millis(10));
        };
        let [stdout, stderr] = [stdout, stderr].map(|stream| stream.join().unwrap());
        call(arguments, Output { status, stdout, stderr })
    }

    /// The call succeeded; returns standard output.
    pub fn done(&self) -> &str {
        assert_eq!(self.code, 0, "{}", self.said);
        &self.stdout
    }

    /// The call succeeded and standard output is one JSON document, and nothing else.
    pub fn json(&self) -> Value {
        serde_json::from_str(self.done()).expect(&self.said)
    }

    /// The call ended with `code` and printed nothing but an error: its first line, which is short and printable.
    pub fn refused(&self, code: i32) -> &str {
        assert_eq!(self.code, code, "{}", self.said);
        assert!(self.stdout.is_empty(), "{}", self.said);
        let line = self.stderr.lines().next().expect(&self.said);
        assert!(line.chars().count() < 700, "too long: {}", self.said);
        assert!(!line.chars().any(char::is_control), "{line:?}");
        line
    }
}

/// A new empty folder for one test, below the build's own.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Writes a file into a folder; returns its path as text.
pub fn write(folder: &Path, name: &str, content: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(&path, content).unwrap();
    path.to_str().unwrap().into()
}

/// The folder of that name beside the project: large files. Tests that need it are ignored, with the reason.
pub fn shared(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../shared")).join(name)
}

/// A file of numbers computed outside this project.
pub fn data(folder: &Path, name: &str) -> Value {
    let path = folder.join(format!("{name}.json"));
    let text = std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// Runs a scene for some frames; the call, and what it recorded.
pub fn recorded(folder: &Path, scene: impl AsRef<[u8]>, frames: usize) -> (Call, Value) {
    let path = write(folder, "scene.json", scene);
    let target = folder.join("record.json");
    let target = target.to_str().unwrap();
    let call = taut(&["run", &path, "--frames", &frames.to_string(), "--record", target]);
    call.done();
    let recording = serde_json::from_slice(&std::fs::read(target).unwrap()).unwrap();
    (call, recording)
}

/// The frames of a recording, bit for bit: a number reads back to the f32 it was.
pub fn frames(recording: &Value) -> Vec<Vec<[f32; 3]>> {
    let point =
        |x: &Value| std::array::from_fn(|axis| x[axis].as_f64().expect("a finite number") as f32);
    let frame = |frame: &Value| frame.as_array().unwrap().iter().map(point).collect();
    recording["frames"].as_array().unwrap().iter().map(frame).collect()
}

/// FNV-1a, 64 bit, over the little-endian f32 bits (docs/scene-format.md, `hash`): written here again, from its definition.
pub fn fnv(positions: &[[f32; 3]]) -> String {
    let mut hash: u64 = 14_695_981_039_346_656_037;
    for value in positions.as_flattened() {
        for byte in value.to_bits().to_le_bytes() {
            hash ^= u64::from(byte);
            hash = hash.wrapping_mul(1_099_511_628_211);
        }
    }
    format!("{hash:016x}")
}
