//! What a run has spent, by what its object has stored.

use serde::{Deserialize, Serialize};

use engine::Recorded;
use engine::budget::Amount;
use engine::journal::Entry;

/// The amount that is reserved for a run, as its object keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldBudget {
    run: String,
    amount: Amount,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_settled: bool,
}

impl HeldBudget {
    /// Makes the note of the amount that is reserved for a run that is about to begin.
    #[must_use]
    pub fn new(run: &str, amount: Amount) -> Self {
        Self {
            run: run.to_owned(),
            amount,
            is_settled: false,
        }
    }

    /// Returns the run's token.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// Returns the amount that is reserved.
    #[must_use]
    pub fn amount(&self) -> Amount {
        self.amount
    }

    /// Returns whether the budget knows what was spent.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// Marks that the budget knows what was spent.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.is_settled = true;
        self
    }
}

/// Returns what a run that spends nothing any more has spent: by its last event, without what its
/// children tell by themselves. A run that was interrupted, or never ended, tells no more than it knew at
/// some time before: then all that was reserved counts, unless nothing was ever sent.
#[must_use]
pub fn spent_of<E: Recorded>(
    entries: &[String],
    last_event: Option<&str>,
    reserved: Amount,
) -> Amount {
    let entries = || entries.iter().map(|json| Entry::<E>::from_json(json));
    if let Some(spent) = last_event.and_then(E::spent) {
        let children: u64 = if E::BEGINS_RUNS {
            let entries = entries().flatten();
            entries.map(|entry| child_nano_usd(&entry)).sum()
        } else {
            0
        };
        return Amount {
            nano_usd: spent.nano_usd.saturating_sub(children),
            ..spent
        };
    }
    // An entry that cannot be read may have cost anything.
    if entries().any(|entry| entry.map_or(true, |entry| may_have_cost(&entry))) {
        reserved
    } else {
        Amount::default()
    }
}

/// Returns what a run cost that was begun by this one, where the entry is its end.
fn child_nano_usd<E: Recorded>(entry: &Entry<E>) -> u64 {
    match entry {
        Entry::Answer(answer) if E::is_child(answer.key()) => answer.nano_usd(),
        _ => 0,
    }
}

fn may_have_cost<E: Recorded>(entry: &Entry<E>) -> bool {
    matches!(entry, Entry::Intent { attempt, nano_usd, .. } if E::may_cost(*attempt, *nano_usd))
}

#[cfg(test)]
mod tests {
    use super::*;
    use investigation::stored::InvestigationEngine;

    const RESERVED: Amount = Amount {
        searches: 20,
        recognitions: 100,
        nano_usd: 300,
    };
    const OPENED: &str = r#"{"woken":{"now":1}}"#;
    const INTENT: &str = r#"{"intent":{"command":1,"attempt":1,"request":"x"}}"#;

    #[track_caller]
    fn check(entries: &[&str], last_event: Option<&str>, expected: Amount) {
        let entries: Vec<String> = entries.iter().map(ToString::to_string).collect();
        assert_eq!(
            spent_of::<InvestigationEngine>(&entries, last_event, RESERVED),
            expected
        );
    }

    #[test]
    fn a_run_that_ended_by_itself_has_spent_what_its_last_event_says() {
        let spent = r#""spent":{"searchCalls":3,"rekognitionCalls":7,"llmCalls":1,"runtimeMs":5,"usd":0.0000001,"photos":{}}"#;
        let expected = Amount {
            searches: 3,
            recognitions: 7,
            nano_usd: 100,
        };
        for told in [
            r#""type":"final""#,
            r#""type":"no_path""#,
            r#""type":"error","code":"rekognition""#,
        ] {
            let event = format!("{{{told},{spent}}}");
            check(&[OPENED, INTENT], Some(&event), expected);
        }
        for told in [r#""type":"error","code":"internal""#, r#""type":"status""#] {
            let event = format!("{{{told},{spent}}}");
            check(&[OPENED, INTENT], Some(&event), RESERVED);
        }
    }

    #[test]
    fn where_nothing_was_sent_nothing_was_spent() {
        let fetched_again = r#"{"intent":{"command":1,"attempt":0,"request":"x"}}"#;
        let interrupted = r#"{"type":"error","code":"internal","spent":{}}"#;
        check(&[OPENED], None, Amount::default());
        check(&[OPENED, fetched_again], None, Amount::default());
        check(&[OPENED], Some(interrupted), Amount::default());
        check(&[OPENED, INTENT], Some(interrupted), RESERVED);
        check(&[OPENED, "of another version"], None, RESERVED);
    }

    #[test]
    fn stored_format_unchanged_and_read_back() {
        let held = HeldBudget::new("s.r", RESERVED);
        let json = r#"{"run":"s.r","amount":{"searches":20,"recognitions":100,"nanoUsd":300}}"#;
        assert_eq!(serde_json::to_string(&held).unwrap(), json);
        assert_eq!(serde_json::from_str::<HeldBudget>(json).unwrap(), held);
        let settled = serde_json::to_string(&held.settled()).unwrap();
        assert!(
            serde_json::from_str::<HeldBudget>(&settled)
                .unwrap()
                .is_settled()
        );
    }
}
