//! The program as a user meets it, and what only real files and other people's numbers show. One test program: each one
//! more would link the whole crate again.
#![cfg(feature = "cli")]

mod bad_scenes;
mod cli;
mod common;
mod contacts;
mod mesh_forms;
mod meshes;
mod oracle;
mod real_meshes;
mod scene_files;
#[cfg(target_os = "linux")]
mod viewer;
