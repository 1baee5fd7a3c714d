//! The project's files, and its version.

use std::fs;
use std::path::{Path, PathBuf};

use super::version::Version;

/// Returns the path of a file or folder of the project.
pub fn path(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(name)
}

pub fn read(name: &str) -> String {
    fs::read_to_string(path(name)).expect(name)
}

/// Returns the version in `Cargo.toml`.
pub fn program() -> Version {
    Version::parse(env!("CARGO_PKG_VERSION")).unwrap()
}
