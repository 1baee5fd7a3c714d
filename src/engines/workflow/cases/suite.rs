//! The execution of many cases, one after the other.

use serde::Serialize;

use crate::json::difference;

use super::case::{Case, CaseFile};
use super::execution::execute;

/// The figures of many cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CaseFigures {
    /// The number of cases.
    pub cases: usize,
    /// The number of cases that came out as recorded.
    pub equal: usize,
    /// The names of the cases that came out otherwise than recorded.
    pub different: Vec<String>,
}

impl CaseFigures {
    /// Returns the figures as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // The figures are texts and counts, so writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Executes each case, and tells the first difference of each. A file that holds no case is told,
/// too, and counts as one that differs: the others are executed all the same.
pub fn run_cases(files: &[CaseFile], mut tell: impl FnMut(&str)) -> CaseFigures {
    let mut figures = CaseFigures::default();
    for file in files {
        figures.cases += 1;
        let (name, outcome) = match &file.case {
            Ok(case) => (&case.name, first_difference(case)),
            Err(why) => (&file.name, Some(format!("is no case: {why}"))),
        };
        match outcome {
            None => figures.equal += 1,
            Some(what) => {
                tell(&format!("{name} {what}"));
                figures.different.push(name.clone());
            }
        }
    }
    figures
}

fn first_difference(case: &Case) -> Option<String> {
    let difference = difference(&case.expect, &execute(case))?;
    Some(format!("differs {difference}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

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
