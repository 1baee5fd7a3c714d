//! What a fork takes from a journal: answers, but no failures.

use domain::{Failure, FailureKind};
use engine::journal::AnswerEntry;
use investigation::machine::Outcome;
use investigation::wire::{CallKey, InvestigationEngine};
use kernel::{Answer, CommandId};
use providers::calls::AnswerSource;

#[test]
fn failures_are_asked_again() {
    let key = CallKey::Search {
        query: "A".into(),
        count: 5,
        wikidata: Vec::new(),
        source: None,
        page: 0,
    };
    let success = |outcome| {
        let answer = Answer {
            command: CommandId(1),
            attempts: 1,
            throttled: 0,
            nano_usd: 5,
            outcome,
            remarks: Vec::new(),
        };
        AnswerEntry::<InvestigationEngine>::new(key.clone(), &answer, AnswerSource::default())
            .into_success()
    };
    let failure = Failure::new(FailureKind::Down, "no connection");
    assert_eq!(success(Outcome::Searched(Err(failure))), None);
    let found = Outcome::Searched(Ok(Vec::new()));
    assert_eq!(success(found.clone()), Some((key.clone(), found)));
}
