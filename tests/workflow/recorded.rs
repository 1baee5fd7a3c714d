//! The recorded cases beside the project, if available.

use std::fs;
use std::path::Path;

use devtools::workflow_cases::{Case, CaseFile, run_cases};
use serde_json::Value;
use workflow::machine::Dialect;
use workflow::machine::graph::Workflow;

use super::table::Table;

/// Returns the recorded cases with their names, as written.
fn recorded() -> Option<Vec<(String, String)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/workflows/cases");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("skipped: there are no recorded cases beside the project");
        return None;
    };
    let cases = files.map(|file| {
        let path = file.unwrap().path();
        let text = fs::read_to_string(&path).unwrap();
        (path.display().to_string(), text)
    });
    Some(cases.collect())
}

#[test]
fn what_is_refused_is_in_no_recorded_case() {
    let Some(cases) = recorded() else { return };
    for (name, text) in cases {
        let case: Value = serde_json::from_str(&text).unwrap();
        let state = &case["expect"]["status"]["state"];
        if state == "invalid" || Workflow::from_json(&case["workflow"]).is_err() {
            continue;
        }
        let finding = Table::of(Dialect::Clickweave, &case["workflow"]).finding();
        assert_eq!(finding, None, "{name}");
    }
}

#[test]
fn every_recorded_case_comes_out_as_the_original_had_it() {
    let Some(cases) = recorded() else { return };
    let cases = cases.into_iter().map(|(name, text)| CaseFile {
        name,
        case: Case::from_json(&text),
    });
    let cases: Vec<CaseFile> = cases.collect();
    let mut differences = Vec::new();
    let figures = run_cases(&cases, |difference| differences.push(difference.to_owned()));
    assert_eq!(differences, Vec::<String>::new());
    println!("{}", figures.to_json());
    assert!(figures.cases >= 70);
}
