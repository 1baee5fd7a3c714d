//! Executes many cases one after the other, and parses files of states.

use std::collections::BTreeSet;

use automaton::machine::Parameters;
use automaton::machine::states::Automaton;
use automaton::machine::validation::check;

use crate::recorded_cases::CaseFigures;

use super::case::{Case, CaseFile, CaseKind};
use super::execution::execute;
use super::expectation::run_difference;
use super::grammar_case;

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
    let expected = case.member("expect");
    match case.kind {
        CaseKind::Grammar => grammar_case::first_difference(case),
        CaseKind::Run | CaseKind::Browser => match execute(case) {
            Ok(found) => {
                let difference = run_difference(expected, &found)?;
                Some(format!("differs {difference}"))
            }
            Err(why) => Some(format!("is refused: {why}")),
        },
    }
}

/// Parses files of states, and reports the result for each to `tell`. Every parameter that a file names counts as
/// present. Returns the number of refused files.
pub fn read_files(files: &[(String, Vec<u8>)], mut tell: impl FnMut(&str)) -> usize {
    let mut refused = 0;
    for (name, text) in files {
        let said = match Automaton::parse(text) {
            Ok(automaton) => {
                let states = automaton.states.len();
                match check(&automaton, &parameters(&automaton)) {
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

/// Returns every parameter to which the actions of an automaton refer.
fn parameters(automaton: &Automaton) -> Parameters {
    let mut open = BTreeSet::default();
    for name in automaton.parameters() {
        open.insert(name.to_owned());
    }
    Parameters {
        open,
        secret: BTreeSet::default(),
    }
}
