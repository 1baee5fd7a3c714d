//! The runs that a run has begun, by what its object has stored.

use domain::RunToken;
use engine::Engine;
use engine::journal::Entry;

/// Returns the tokens of the runs that these journal entries tell of, each once. One of these runs may
/// not have been begun yet, since its token is written down before.
#[must_use]
pub fn children_of<E: Engine>(entries: &[String]) -> Vec<RunToken> {
    if !E::BEGINS_RUNS {
        return Vec::new();
    }
    let mut children: Vec<RunToken> = entries
        .iter()
        .filter_map(|json| child_begun::<E>(json))
        .collect();
    children.sort();
    children.dedup();
    children
}

fn child_begun<E: Engine>(json: &str) -> Option<RunToken> {
    match Entry::<E>::from_json(json).ok()? {
        Entry::Noted(note) => RunToken::parse(E::child_begun(&note)?).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use workflow::stored::{WorkflowEngine, WorkflowNote};

    const ONE: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";
    const OTHER: &str = "s2.BBBBBBBBBBBBBBBBBBBBBB";

    fn noted(run: &str) -> String {
        let run = run.to_owned();
        Entry::<WorkflowEngine>::Noted(WorkflowNote::Child { command: 1, run }).to_json()
    }

    #[test]
    fn each_run_that_was_begun_is_named_once() {
        let entries = [
            r#"{"woken":{"now":1}}"#.to_owned(),
            noted(OTHER),
            noted(ONE),
            noted(OTHER),
            noted("no token"),
            "of another version".to_owned(),
        ];
        let children: Vec<String> = children_of::<WorkflowEngine>(&entries)
            .iter()
            .map(RunToken::to_string)
            .collect();
        assert_eq!(children, [ONE, OTHER]);
        assert!(children_of::<WorkflowEngine>(&[]).is_empty());
    }
}
