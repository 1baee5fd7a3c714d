//! Ties the version to the recorded behaviour of the engines: neither changes alone.
//!
//! `behaviour.txt` has a line for each version in which an engine's behaviour changed. If an engine's records changed
//! but the version did not, its test fails with instructions.

mod cases;
mod changelog;
mod files;
mod ledger;
mod places;
mod recorded;
mod version;

use std::fs;

use files::{path, program, read};
use ledger::Ledger;
use recorded::{RECORDED, digest, records};

fn ledger() -> Ledger {
    Ledger::read(&read(ledger::FILE)).unwrap()
}

/// `UPDATE_VERSIONS=1` adds a missing line; it changes no existing one.
#[test]
fn an_engine_that_does_otherwise_has_a_new_version() {
    let mut ledger = ledger();
    let mut complaints = Vec::new();
    for (engine, sources) in RECORDED {
        let digest = digest(&records(sources));
        let is_renewed = std::env::var_os("UPDATE_VERSIONS").is_some();
        let held = if is_renewed {
            ledger.add(engine, program(), &digest)
        } else {
            ledger.check(engine, program(), &digest)
        };
        complaints.extend(held.err());
    }
    assert!(complaints.is_empty(), "\n{}\n", complaints.join("\n"));
    let text = ledger.to_text();
    if text != read(ledger::FILE) {
        fs::write(path(ledger::FILE), text).unwrap();
    }
}

#[test]
fn the_changelog_has_a_dated_section_for_the_version_and_for_each_change_of_behaviour() {
    let sections = changelog::sections(&read("CHANGELOG.md")).unwrap();
    let newest = sections.first().unwrap();
    assert_eq!(
        *newest,
        program(),
        "the newest section is of Cargo.toml's version"
    );
    for version in ledger().versions() {
        let is_told = sections.contains(&version);
        assert!(is_told, "CHANGELOG.md has no section of {version}");
    }
}
