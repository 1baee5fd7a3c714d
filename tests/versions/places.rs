//! The files that state the version.

use serde_json::Value;

use super::files::{program, read};

/// Returns the version of a Cargo package, which follows its name.
fn of_package<'text>(text: &'text str, name: &str) -> Option<&'text str> {
    let (_, after) = text.split_once(&format!("name = \"{name}\"\nversion = \""))?;
    after.split_once('"').map(|(version, _)| version)
}

#[test]
fn every_place_that_names_the_version_names_the_same() {
    let version = program().to_string();
    let lock = read("Cargo.lock");
    let line = format!("\nversion = \"{version}\"\n");
    assert!(read("Cargo.toml").contains(&line), "Cargo.toml");
    for name in ["visual-degrees", "investigation", "pixels", "sandbox"] {
        assert_eq!(
            of_package(&lock, name),
            Some(&*version),
            "Cargo.lock: {name}"
        );
    }
    for (name, pointers) in [
        ("package.json", &["/version"][..]),
        ("package-lock.json", &["/version", "/packages//version"]),
        ("public/openapi.json", &["/info/version"]),
    ] {
        let file: Value = serde_json::from_str(&read(name)).unwrap();
        for pointer in pointers {
            let found = file.pointer(pointer).and_then(Value::as_str);
            assert_eq!(found, Some(&*version), "{name} {pointer}");
        }
    }
}
