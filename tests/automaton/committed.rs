//! The project's own cases, and cases recorded from the original program, if available beside the project.

use std::fs;
use std::path::Path;

use devtools::automaton_cases::{Case, CaseFile, run_cases};
use devtools::recorded_cases::CaseFigures;

/// Executes the cases of a folder, and returns the differences; `None` if there is no folder.
fn execute(folder: &str) -> Option<(CaseFigures, Vec<String>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut paths: Vec<_> = fs::read_dir(folder)
        .ok()?
        .map(|file| file.unwrap().path())
        .collect();
    paths.sort();
    let cases: Vec<CaseFile> = paths
        .iter()
        .map(|path| CaseFile {
            name: path.file_stem().unwrap().to_string_lossy().into_owned(),
            case: Case::from_json(&fs::read_to_string(path).unwrap()),
        })
        .collect();
    let mut differences = Vec::new();
    let figures = run_cases(&cases, |difference| differences.push(difference.to_owned()));
    Some((figures, differences))
}

#[test]
fn every_own_case_comes_out_as_it_is_written() {
    let (figures, differences) = execute("tests/automaton/cases").unwrap();
    assert_eq!(differences, Vec::<String>::new());
    assert!(figures.cases >= 10, "{}", figures.to_json());
}

/// The recorded cases that differ on purpose, each with the intended difference.
const OTHERWISE: [(&str, &str); 13] = [
    (
        "browser-click-fallback",
        "a fallback's box is for an element that was there before",
    ),
    ("check-empty-list", "a state without checks never passes"),
    (
        "check-text-exact",
        "blanks around the words of a text do not count",
    ),
    (
        "check-type-unknown",
        "a check of no known type is refused before the run",
    ),
    ("end-blank-string", "an end of blanks is none"),
    (
        "end-failing-action",
        "an action that fails ends the run, whatever the end of its state",
    ),
    (
        "error-syntax-late",
        "what cannot be read is refused before the run",
    ),
    (
        "none-timeout-zero",
        "a page without a state has one error, whatever the limit",
    ),
    (
        "random-02",
        "the first look comes at once, so its state repeats for too long before the page changes",
    ),
    (
        "random-04",
        "nothing is waited for after a state, so a continuous one runs up to the limit",
    ),
    (
        "repeat-same-name",
        "another state of the same name is another state",
    ),
    (
        "synthesis-runs-twice",
        "models are asked other questions for a state",
    ),
    (
        "walk-cisco-webex",
        "what cannot be read is refused before the run",
    ),
];

#[test]
fn every_recorded_case_comes_out_as_recorded_but_for_what_is_meant_otherwise() {
    let Some((figures, differences)) = execute("../shared/automata/cases") else {
        eprintln!("skipped: there are no recorded cases beside the project");
        return;
    };
    let otherwise = OTHERWISE.map(|(name, _)| name);
    assert_eq!(figures.different, otherwise, "{differences:#?}");
    assert!(figures.cases >= 30, "{}", figures.to_json());
}

#[test]
fn a_case_that_is_wrong_differs() {
    let json = |change: (&str, &str)| {
        let path =
            Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/automaton/cases/run-shop.json");
        let json = fs::read_to_string(path).unwrap();
        assert!(json.contains(change.0), "{change:?}");
        json.replace(change.0, change.1)
    };
    for change in [
        ("\"value\": \"1 item\"", "\"value\": \"2 items\""),
        ("\"Bought\", \"error\"", "\"Sold\", \"error\""),
        ("\"executed\": [2, 1, 0]", "\"executed\": [2, 1]"),
        ("\"line\": 3, \"fn\"", "\"line\": 4, \"fn\""),
        ("\"kind\": \"run\"", "\"kind\": \"dream\""),
        ("\"expect\"", "\"expected\""),
    ] {
        let file = CaseFile {
            name: "changed".to_owned(),
            case: Case::from_json(&json(change)),
        };
        let figures = run_cases(&[file], |_| {});
        assert_eq!(figures.equal, 0, "{change:?}");
    }
}
