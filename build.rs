//! Tells reports which compiler built them.
fn main() {
    let rustc = std::env::var("RUSTC").unwrap_or_else(|_| "rustc".into());
    let version = std::process::Command::new(rustc).arg("--version").output();
    let version = version.map_or_else(
        |_| "rustc (unknown)".into(),
        |output| String::from_utf8_lossy(&output.stdout).trim().to_owned(),
    );
    println!("cargo:rustc-env=TAUT_RUSTC={version}");
    println!("cargo:rerun-if-changed=build.rs");
}
