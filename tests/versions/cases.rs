//! The rules, case by case.

use super::changelog::sections;
use super::ledger::Ledger;
use super::recorded::{behaviour_of_sealed, digest};
use super::version::Version;

/// What was recorded at two moments.
const OLD: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
const NEW: &str = "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb";

fn version(text: &str) -> Version {
    Version::parse(text).unwrap()
}

fn ledger(lines: &[&str]) -> Result<Ledger, String> {
    let lines: String = lines.iter().map(|line| format!("{line}\n")).collect();
    Ledger::read(&format!("# head\n{lines}"))
}

/// The lines before, Cargo's version and what is recorded now; what the test of an engine says, and how
/// many lines the update leaves.
#[test]
fn a_change_of_behaviour_needs_a_version_and_a_line() {
    let old = format!("0.4.0 search {OLD}");
    let new = format!("0.5.0 search {NEW}");
    let other = format!("0.9.0 other {NEW}");
    let cases: [(&[&str], &str, &str, &str, Option<usize>); 9] = [
        (&[&old], "0.4.0", OLD, "", Some(1)),
        (&[&old], "0.10.0", OLD, "", Some(1)),
        (
            &[&old],
            "0.4.0",
            NEW,
            "still says 0.4.0. Raise the version",
            None,
        ),
        (&[&old], "0.4.1", NEW, "new in 0.4.1, and", Some(2)),
        (&[&old], "0.3.9", OLD, "A version never falls", None),
        (&[&old], "0.3.9", NEW, "A version never falls", None),
        (
            &[&old, &new],
            "0.5.0",
            OLD,
            "still says 0.5.0. Raise the version",
            None,
        ),
        (
            &[],
            "0.4.0",
            OLD,
            "has no line of it. Run UPDATE_VERSIONS=1",
            Some(1),
        ),
        (
            &[&other, &old],
            "0.9.0",
            NEW,
            "the search engine is new in 0.9.0",
            Some(3),
        ),
    ];
    for (lines, program, recorded, says, left) in cases {
        let what = format!("{lines:?}, {program}, {recorded}");
        let mut ledger = ledger(lines).unwrap();
        let before = ledger.to_text();
        let held = ledger.check("search", version(program), recorded);
        match &held {
            Ok(()) => assert_eq!(says, "", "{what}"),
            Err(sentence) => {
                assert!(
                    !says.is_empty() && sentence.contains(says),
                    "{what}: {sentence}"
                );
                assert!(sentence.contains("search engine"), "{what}: {sentence}");
            }
        }
        let added = ledger.add("search", version(program), recorded);
        assert_eq!(added.is_ok(), left.is_some(), "{what}");
        assert!(
            ledger.to_text().starts_with(&before),
            "{what}: a line changed"
        );
        let count = ledger.to_text().lines().count() - 1;
        assert_eq!(count, left.unwrap_or(lines.len()), "{what}");
        let is_held = ledger.check("search", version(program), recorded).is_ok();
        assert_eq!(
            is_held,
            left.is_some(),
            "{what}: the update is all that was missing"
        );
    }
}

#[test]
fn lines_that_do_not_rise_or_are_none_are_refused() {
    let old = format!("0.4.0 search {OLD}");
    for (line, says) in [
        (format!("0.4.0 search {NEW}"), "0.4.0 stands after 0.4.0"),
        (format!("0.3.9 search {NEW}"), "0.3.9 stands after 0.4.0"),
        (format!("0.5 search {NEW}"), "is no line of it"),
        (format!("0.05.0 search {NEW}"), "is no line of it"),
        (format!("0.5.0  search {NEW}"), "is no line of it"),
        ("0.5.0 search abc".to_owned(), "is no line of it"),
        (String::new(), "is no line of it"),
    ] {
        let sentence = ledger(&[&old, &line]).unwrap_err();
        assert!(sentence.contains(says), "{line}: {sentence}");
    }
    assert!(ledger(&[&old, &format!("0.4.0 other {NEW}")]).is_ok());
}

#[test]
fn a_changelog_has_versions_with_their_dates_the_newest_first() {
    let good = "# Changelog\n\n## 0.10.0 (2026-11-25)\n\n- a\n\n## 0.9.1 (2026-11-25)\n";
    assert_eq!(sections(good).unwrap(), ["0.10.0", "0.9.1"].map(version));
    for (bad, says) in [
        (
            "## Unreleased\n",
            "'Unreleased' is no version with its date",
        ),
        ("## 0.4.0\n", "'0.4.0' is no version with its date"),
        ("## 0.4.0 (soon)\n", "is no version with its date"),
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
