//! The recorded cases beside the project, where they are.

use std::fs;
use std::path::Path;

use devtools::workflow_cases::{Case, CaseFile, run_cases};

#[test]
fn every_recorded_case_comes_out_as_the_original_had_it() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shared/workflows/cases");
    let Ok(files) = fs::read_dir(&folder) else {
        eprintln!("skipped: there are no recorded cases beside the project");
        return;
    };
    let cases: Vec<CaseFile> = files
        .map(|file| {
            let path = file.unwrap().path();
            CaseFile {
                name: path.display().to_string(),
                case: Case::from_json(&fs::read_to_string(path).unwrap()),
            }
        })
        .collect();
    let mut differences = Vec::new();
    let figures = run_cases(&cases, |difference| differences.push(difference.to_owned()));
    assert_eq!(differences, Vec::<String>::new());
    println!("{}", figures.to_json());
    assert!(figures.cases >= 70);
}
