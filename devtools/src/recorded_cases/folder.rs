//! Reads the files of a folder.

use std::fmt::Display;
use std::fs;
use std::path::{Path, PathBuf};

/// Reads all `.json` files of a folder. Returns each file's name without the extension, and its content. The error is a
/// sentence that names the file or the folder.
pub fn json_files(folder: &Path) -> Result<Vec<(String, Vec<u8>)>, String> {
    let of_file = |path: &Path, why: &dyn Display| format!("{}: {why}", path.display());
    let entries = fs::read_dir(folder).map_err(|error| of_file(folder, &error))?;
    let mut paths: Vec<PathBuf> = Vec::new();
    for entry in entries {
        let path = entry.map_err(|error| of_file(folder, &error))?.path();
        let extension = path.extension();
        if extension.is_some_and(|extension| extension == "json") {
            paths.push(path);
        }
    }
    if paths.is_empty() {
        return Err(format!("{} holds no .json file", folder.display()));
    }
    paths.sort();
    let files = paths.iter().map(|path| {
        let text = fs::read(path).map_err(|error| of_file(path, &error))?;
        let name = path.file_stem().unwrap_or_default();
        Ok((name.to_string_lossy().into_owned(), text))
    });
    files.collect()
}
