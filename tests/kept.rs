//! Transcripts stored as files, so that they can be read and their changes reviewed.

use std::path::Path;

/// Compares a transcript with the stored file of this name, line by line. `UPDATE_TRANSCRIPTS=1` rewrites the files, to
/// be reviewed in the diff.
#[track_caller]
pub fn check(found: &str, name: &str) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var_os("UPDATE_TRANSCRIPTS").is_some() {
        let parent = file.parent().expect("a folder");
        std::fs::create_dir_all(parent).expect("the folder can be made");
        std::fs::write(&file, found).expect("the transcript can be written");
        return;
    }
    let kept = std::fs::read_to_string(&file).unwrap_or_default();
    let mut lines = (1..).zip(found.lines().zip(kept.lines()));
    let different = lines.find(|(_, (one, other))| one != other);
    assert!(
        found == kept,
        "{name}: first difference {different:?} in\n{found}"
    );
}
