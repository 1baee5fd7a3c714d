//! Throttled attempts in the journal.

use engine::journal::rebuild;
use investigation::machine::{Answer, Input};
use kernel::{CommandId, LostCall, Millis};
use providers::calls::AnswerSource;

use crate::search_forms::{AnswerEntry, Entry};

use super::journal::{answer, check, entries, search};

/// The attempt after a throttled one has the same number, and the throttled one costs nothing.
#[test]
fn throttled_attempts_are_counted_apart_and_cost_nothing() {
    let told = Answer {
        throttled: 3,
        ..answer()
    };
    let entry = AnswerEntry::new(search(), &told, AnswerSource::default());
    let json = Entry::Answer(entry.clone()).to_json();
    assert!(json.contains(r#""attempts":2,"throttled":3,"nanoUsd":5000000"#));
    assert_eq!(entry.into_answer(), told);
    let intent = |attempt, nano_usd| Entry::intent(CommandId(1), attempt, &search(), nano_usd);
    let start = Entry::input(&Input::Start, Millis(1));
    let sent = [
        start,
        intent(1, 5),
        intent(1, 7),
        intent(2, 7),
        intent(2, 5),
    ];
    let rebuilt = rebuild(entries(&sent)).unwrap();
    let lost = LostCall {
        command: CommandId(1),
        attempts: 2,
        throttled: 2,
        nano_usd: 12,
    };
    assert_eq!(rebuilt.in_flight().collect::<Vec<_>>(), [&lost]);
    check(
        &Entry::input(&Input::Resumed { lost: vec![lost] }, Millis(2)),
        r#"{"input":{"now":2,"given":{"resumed":{"lost":[{"command":1,"attempts":2,"throttled":2,"nanoUsd":12}]}}}}"#,
    );
}
