//! Files that other programs have written; `tests/photos/metadata/README.md` says how.

use domain::{Making, Statement};

use super::{is_captured, is_generated};

macro_rules! file {
    ($name:literal) => {
        include_bytes!(concat!("../../../../tests/photos/metadata/", $name))
    };
}

fn date_of(file: &[u8]) -> Option<String> {
    crate::read(file).taken.map(|taken| taken.date.to_string())
}

#[test]
fn manifests_of_the_sdk_are_read() {
    for file in [
        &file!("c2pa-generated.jpg")[..],
        file!("c2pa-generated.png"),
        file!("c2pa-generated.webp"),
        file!("c2pa-edited.jpg"),
    ] {
        is_generated(file, Statement::ContentCredentials, Some("GPT-4o"));
    }
    let first = file!("c2pa-first-version.jpg");
    is_generated(first, Statement::ContentCredentials, Some("DALL·E"));
    is_captured(file!("c2pa-captured.jpg"), Some("A Camera"), true);
}

#[test]
fn cameras_files_of_exiftool_are_read() {
    for file in [
        &file!("exiftool-camera.jpg")[..],
        file!("exiftool-camera.png"),
        file!("exiftool-camera.webp"),
    ] {
        is_captured(file, Some("NIKON D700"), false);
        assert_eq!(date_of(file).as_deref(), Some("2009-05-17"));
    }
    let scan = file!("exiftool-iptc.jpg");
    is_captured(scan, None, false);
    assert_eq!(date_of(scan).as_deref(), Some("1955-05-17"));
}

#[test]
fn generators_files_of_exiftool_pillow_and_piexif_are_read() {
    for file in [&file!("exiftool-xmp.jpg")[..], file!("exiftool-xmp.webp")] {
        is_generated(file, Statement::Iptc, Some("ChatGPT DALL-E"));
        assert_eq!(date_of(file).as_deref(), Some("2026-11-01"));
    }
    is_generated(
        file!("exiftool-text.png"),
        Statement::Software,
        Some("NovelAI"),
    );
    is_generated(file!("pillow-prompt.png"), Statement::GeneratorText, None);
    is_generated(
        file!("piexif-parameters.jpg"),
        Statement::GeneratorText,
        None,
    );
}

#[test]
fn a_composite_of_exiftool_is_read() {
    let file = file!("exiftool-composite.jpg");
    let composed = Making::Composed {
        by: None,
        statement: Statement::Iptc,
    };
    assert_eq!(crate::read(file).making, Some(composed));
    assert_eq!(date_of(file), None);
}
