//! Many cases, one after the other.

use serde::Serialize;

use super::case::Case;
use super::comparison::difference;
use super::execution::execute;

/// What came of many cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CaseFigures {
    /// How many there were.
    pub cases: usize,
    /// How many came out as recorded.
    pub equal: usize,
    /// The names of those that came out otherwise than recorded.
    pub different: Vec<String>,
}

impl CaseFigures {
    /// One line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // Texts and counts: writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// Executes each case; tells where one differs first.
pub fn run_cases(cases: &[Case], mut tell: impl FnMut(&str)) -> CaseFigures {
    let mut figures = CaseFigures::default();
    for case in cases {
        figures.cases += 1;
        let found = execute(case);
        match difference(&case.expect, &found) {
            None => figures.equal += 1,
            Some(difference) => {
                tell(&format!("{} differs {difference}", case.name));
                figures.different.push(case.name.clone());
            }
        }
    }
    figures
}
