//! The rules, case by case.

use super::changelog::sections;
use super::ledger::Ledger;
use super::recorded::{behaviour_of_sealed, digest};
use super::version::Version;

/// The records of two moments.
const OLD: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const NEW: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn ledger(lines: &[&str]) -> Result<Ledger, String> {
    Ledger::read(&format!("# head\n{}", lines.concat()))
}

/// Returns a line of the file.
fn line(version: &str, engine: &str, digest: &str) -> String {
    format!("{version} {engine} {digest}\n")
}

/// The inputs, the result of an engine's test, and the number of lines after the update.
struct Case<'lines> {
    lines: &'lines [&'lines str],
    program: &'static str,
    recorded: &'static str,
    says: &'static str,
    left: Option<usize>,
}

impl Case<'_> {
    fn check(&self) {
        let (program, recorded) = (version(self.program), self.recorded);
        let what = format!("{:?}, {program}, {recorded}", self.lines);
        let mut ledger = ledger(self.lines).unwrap();
        let before = ledger.to_text();
        match ledger.check("search", program, recorded) {
            Ok(()) => assert_eq!(self.says, "", "{what}"),
            Err(sentence) => {
                assert!(!self.says.is_empty(), "{what}: {sentence}");
                assert!(sentence.contains(self.says), "{what}: {sentence}");
                assert!(sentence.contains("search engine"), "{what}: {sentence}");
            }
        }
        let added = ledger.add("search", program, recorded);
        assert_eq!(added.is_ok(), self.left.is_some(), "{what}");
        let text = ledger.to_text();
        assert!(text.starts_with(&before), "{what}: a line changed");
        let left = self.left.unwrap_or(self.lines.len());
        assert_eq!(text.lines().count() - 1, left, "{what}");
        let held = ledger.check("search", program, recorded);
        assert_eq!(held.is_ok(), self.left.is_some(), "{what}: all is said");
    }
}

#[test]
fn a_change_of_behaviour_needs_a_version_and_a_line() {
    let old = &*line("0.4.0", "search", OLD);
    let new = &*line("0.5.0", "search", NEW);
    let other = &*line("0.9.0", "other", NEW);
    let no_version = "Raise the version in Cargo.toml";
    let no_line = "has no line of it. Run UPDATE_VERSIONS=1";
    let fell = "A version never falls";
    for (lines, program, recorded, says, left) in [
        (&[old][..], "0.4.0", OLD, "", Some(1)),
        (&[old], "0.10.0", OLD, "", Some(1)),
        (&[old], "0.4.0", NEW, no_version, None),
        (&[old], "0.4.1", NEW, no_line, Some(2)),
        (&[old], "0.3.9", OLD, fell, None),
        (&[old], "0.3.9", NEW, fell, None),
        (&[old, new], "0.5.0", OLD, no_version, None),
        (&[old, new], "0.6.0", OLD, no_line, Some(3)),
        (&[], "0.4.0", OLD, no_line, Some(1)),
        (&[other, old], "0.9.0", NEW, no_line, Some(3)),
    ] {
        let case = Case {
            lines,
            program,
            recorded,
            says,
            left,
        };
        case.check();
    }
}

#[test]
fn lines_that_do_not_rise_or_are_none_are_refused() {
    let old = line("0.4.0", "search", OLD);
    for (after, says) in [
        (line("0.4.0", "search", NEW), "0.4.0 stands after 0.4.0"),
        (line("0.3.9", "search", NEW), "0.3.9 stands after 0.4.0"),
        (line("0.5", "search", NEW), "is no line of it"),
        (line("0.05.0", "search", NEW), "is no line of it"),
        (line("0.5.0", " search", NEW), "is no line of it"),
        (line("0.5.0", "search", "abc"), "is no line of it"),
        ("\n".to_owned(), "is no line of it"),
    ] {
        let sentence = ledger(&[&old, &after]).unwrap_err();
        assert!(sentence.contains(says), "{after}: {sentence}");
    }
    assert!(ledger(&[&old, &line("0.4.0", "other", NEW)]).is_ok());
}

#[test]
fn a_changelog_has_versions_with_their_dates_the_newest_first() {
    let good = "# Changelog\n\n## 0.10.0 (2026-11-25)\n\n- a\n\n## 0.9.1 (2026-11-25)\n";
    assert_eq!(sections(good).unwrap(), ["0.10.0", "0.9.1"].map(version));
    let next = format!("## 0.11.0 (not released yet)\n\n- b\n\n{good}");
    assert_eq!(sections(&next), sections(good));
    for (bad, says) in [
        (
            "## Unreleased\n",
            "'Unreleased' is no version with its date",
        ),
        ("## 0.4.0\n", "'0.4.0' is no version with its date"),
        ("## 0.4.0 (soon)\n", "is no version with its date"),
        (
            "## 0.4.0 (2026-11-25)\n## 0.3.0 (not released yet)\n",
            "is no version with its date",
        ),
        (
            "## 0.4.0 (2026-11-25)\n## 0.4.1 (2026-11-25)\n",
            "the newest section stands first",
        ),
        (
            "## 0.4.1 (2026-11-24)\n## 0.4.0 (2026-11-25)\n",
            "the newest section stands first",
        ),
    ] {
        let sentence = sections(bad).unwrap_err();
        assert!(sentence.contains(says), "{bad}: {sentence}");
    }
}

#[test]
fn a_digest_is_of_names_and_texts() {
    let of = |records: &[(&str, &str)]| {
        let records = records
            .iter()
            .map(|(name, text)| ((*name).into(), (*text).into()));
        digest(&records.collect())
    };
    let one = of(&[("a", "x"), ("b", "y")]);
    assert_eq!(one.len(), 64);
    assert_eq!(
        one,
        of(&[("b", "y"), ("a", "x")]),
        "whatever order they are found in"
    );
    for other in [
        &[("a", "x"), ("b", "z")][..],
        &[("a", "x"), ("c", "y")],
        &[("a", "x")],
        &[("a", "xb"), ("", "y")],
        &[("a", "y"), ("b", "x")],
    ] {
        assert_ne!(one, of(other), "{other:?}");
    }
}

#[test]
fn a_sealed_run_counts_with_what_was_asked_decided_and_told_alone() {
    let sealed = |engine: &str, answer: &str, asked: &str, decided: &str, told: &str| {
        behaviour_of_sealed(&format!(
            r#"{{"digest":"{engine}","body":{{"engine":"{engine}","decisions":["{decided}"],
                "journal":[{{"input":1}},{{"answer":{{"asked":"{asked}","outcome":"{answer}"}}}}],
                "events":["{told}"]}}}}"#
        ))
    };
    let one = sealed("0.4.0", "photos", "Ann", "Xia", "final");
    assert_eq!(one, sealed("0.5.0", "none", "Ann", "Xia", "final"));
    assert_ne!(one, sealed("0.4.0", "photos", "Bob", "Xia", "final"));
    assert_ne!(one, sealed("0.4.0", "photos", "Ann", "Yan", "final"));
    assert_ne!(one, sealed("0.4.0", "photos", "Ann", "Xia", "no_path"));
}
