//! The execution of many cases, one after the other, and the reading of files of states.

use serde::Serialize;

use crate::engines::automaton::machine::states::Automaton;
use crate::engines::automaton::machine::validation::check;
use crate::engines::automaton::machine::{Dialect, Parameters};
use crate::sorted::SortedSet;

use super::case::{Case, CaseFile, CaseKind};
use super::execution::execute;
use super::expectation::{is_crash_without_actions, run_difference};
use super::grammar_case;

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
    let expected = case.member("expect");
    match case.kind {
        CaseKind::Grammar => grammar_case::first_difference(case),
        CaseKind::Run | CaseKind::Browser | CaseKind::Synthesis => match execute(case) {
            Ok(found) => {
                let difference = run_difference(case.kind, expected, &found)?;
                Some(format!("differs {difference}"))
            }
            Err(_) if is_crash_without_actions(expected) => None,
            Err(why) => Some(format!("is refused: {why}")),
        },
    }
}

/// Reads files of states, each by its name, and tells of each what the strict dialect says to it.
/// Every parameter that a file refers to counts as there. Returns the number of files that it refuses.
pub fn read_files(files: &[(String, Vec<u8>)], mut tell: impl FnMut(&str)) -> usize {
    let mut refused = 0;
    for (name, text) in files {
        let said = match Automaton::parse(text) {
            Ok(automaton) => {
                let states = automaton.states.len();
                match check(&automaton, &parameters(&automaton), Dialect::Strict) {
                    Ok(()) => Ok(format!("{states} states")),
                    Err(finding) => Err(finding.to_string()),
                }
            }
            Err(error) => Err(error.to_string()),
        };
        match said {
            Ok(states) => tell(&format!("{name}: read, {states}")),
            Err(why) => {
                refused += 1;
                tell(&format!("{name}: refused, {why}"));
            }
        }
    }
    refused
}

/// Returns every parameter that the actions of an automaton refer to.
fn parameters(automaton: &Automaton) -> Parameters {
    let mut open = SortedSet::default();
    for name in automaton.parameters() {
        open.insert(name.to_owned());
    }
    Parameters {
        open,
        secret: SortedSet::default(),
    }
}
