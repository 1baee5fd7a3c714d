//! The project's own cases, and the recorded ones beside the project, where they are.

use std::fs;
use std::path::Path;

use devtools::automaton_cases::{Case, CaseFile, run_cases};
use devtools::recorded_cases::CaseFigures;

/// Executes the cases of a folder, and returns what is different; `None` where there is no folder.
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
            name: path.display().to_string(),
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

#[test]
fn every_recorded_case_comes_out_as_the_original_had_it() {
    let Some((figures, differences)) = execute("../shared/automata/cases") else {
        eprintln!("skipped: there are no recorded cases beside the project");
        return;
    };
    assert_eq!(differences, Vec::<String>::new());
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
        ("\"then\": \"wait\"", "\"then\": \"repeat\""),
        ("\"Bought\", \"error\"", "\"Sold\", \"error\""),
        ("\"executed\": [2, 1, 0]", "\"executed\": [2, 1]"),
        ("\"line\": 3, \"at\": 12.5", "\"line\": 3, \"at\": 13.5"),
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
