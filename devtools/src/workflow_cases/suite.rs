//! Executes many cases one after the other.

use crate::recorded_cases::{CaseFigures, difference};

use super::case::{Case, CaseFile};
use super::execution::execute;

/// Executes all cases, and reports the first difference of each to `tell`. A file without a case is reported as well
/// and counts as different; it does not prevent the following cases.
pub fn run_cases(files: &[CaseFile], tell: impl FnMut(&str)) -> CaseFigures {
    let outcomes = files.iter().map(|file| match &file.case {
        Ok(case) => (case.name.as_str(), first_difference(case)),
        Err(why) => (file.name.as_str(), Some(format!("is no case: {why}"))),
    });
    CaseFigures::count(outcomes, tell)
}

fn first_difference(case: &Case) -> Option<String> {
    let difference = difference(&case.expect, &execute(case))?;
    Some(format!("differs {difference}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_file_that_holds_no_case_differs_and_the_others_are_executed() {
        let file = |name: &str, json: &str| CaseFile {
            name: name.to_owned(),
            case: Case::from_json(json),
        };
        let unreadable = |name: &str, script: &str| {
            let case = format!(
                r#"{{"name": "{name}", "workflow": 7, {script}"expect": {{"status": {{"state": "unreadable"}}}}}}"#
            );
            file(name, &case)
        };
        let files = [
            file("broken", "{"),
            unreadable("no_script", ""),
            unreadable("no_tools", r#""script": {}, "#),
            unreadable("no_results", r#""script": {"tools": {"click": []}}, "#),
            unreadable("odd_tools", r#""script": {"tools": 7}, "#),
            file("no_name", &json!({"workflow": 7}).to_string()),
        ];
        let mut told = Vec::new();
        let figures = run_cases(&files, |line| told.push(line.to_owned()));
        assert_eq!((figures.cases, figures.equal), (6, 2), "{told:?}");
        let expected = ["broken", "no_results", "odd_tools", "no_name"];
        assert_eq!(figures.different, expected, "{told:?}");
        assert_eq!(
            told.last().unwrap(),
            "no_name is no case: `name` is missing"
        );
    }
}
