//! What a run has spent, by what its object has stored.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::journal::{EngineName, Entry, WorkflowEngine, WorkflowKey};
use crate::session::daily_budget::Amount;

/// What is reserved for a run, as its object keeps it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HeldBudget {
    run: String,
    amount: Amount,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    is_settled: bool,
}

impl HeldBudget {
    /// Of a run that is about to begin.
    #[must_use]
    pub fn new(run: &str, amount: Amount) -> Self {
        Self {
            run: run.to_owned(),
            amount,
            is_settled: false,
        }
    }

    /// The run's token.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }

    /// What is reserved.
    #[must_use]
    pub fn amount(&self) -> Amount {
        self.amount
    }

    /// Whether the budget knows what was spent.
    #[must_use]
    pub fn is_settled(&self) -> bool {
        self.is_settled
    }

    /// The same once the budget knows.
    #[must_use]
    pub fn settled(mut self) -> Self {
        self.is_settled = true;
        self
    }
}

/// The members of a run's last event that tell what it has spent.
#[derive(Deserialize)]
struct LastEvent {
    #[serde(rename = "type")]
    kind: String,
    #[serde(default)]
    code: Option<String>,
    spent: SpentMembers,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct SpentMembers {
    search_calls: u64,
    rekognition_calls: u64,
    usd: f64,
}

/// What a run has spent that spends nothing any more: by its last event, which counts every attempt
/// that was sent, lost ones too. A run that was interrupted, or never ended, tells no more than it
/// knew at some time before: then all that was reserved counts, unless nothing was ever sent.
#[must_use]
pub fn spent_of(entries: &[String], last_event: Option<&str>, reserved: Amount) -> Amount {
    if is_workflow(entries) {
        return workflow_spent(entries, last_event, reserved);
    }
    let told = last_event.and_then(|json| serde_json::from_str(json).ok());
    if let Some(spent) = told.and_then(|event: LastEvent| event.amount()) {
        return spent;
    }
    if entries.iter().any(|json| may_have_sent(json)) {
        reserved
    } else {
        Amount::default()
    }
}

fn is_workflow(entries: &[String]) -> bool {
    let first = entries.first();
    first.and_then(|json| EngineName::of_first_entry(json)) == Some(EngineName::Workflow)
}

/// What a workflow has spent itself: its investigations tell of their own.
fn workflow_spent(entries: &[String], last_event: Option<&str>, reserved: Amount) -> Amount {
    let told = last_event.and_then(|json| serde_json::from_str::<Value>(json).ok());
    let usd = told
        .as_ref()
        .and_then(|event| event.pointer("/payload/spent/usd"));
    if let Some(usd) = usd.and_then(Value::as_f64) {
        let of_children = entries.iter().map(|json| of_child(json)).sum::<u64>();
        return Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: nano_usd(usd).saturating_sub(of_children),
        };
    }
    let asks = |json: &String| match Entry::<WorkflowEngine>::from_json(json) {
        Ok(Entry::Intent { nano_usd, .. }) => nano_usd > 0,
        Ok(_) => false,
        Err(_) => true,
    };
    if entries.iter().any(asks) {
        reserved
    } else {
        Amount::default()
    }
}

/// What an investigation cost whose answer this entry is.
fn of_child(json: &str) -> u64 {
    match Entry::<WorkflowEngine>::from_json(json) {
        Ok(Entry::Answer(answer)) if matches!(answer.key(), WorkflowKey::Investigate { .. }) => {
            answer.nano_usd()
        }
        _ => 0,
    }
}

fn nano_usd(usd: f64) -> u64 {
    // Of dollars that a run may cost, at most 1e13.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let nano_usd = (usd.max(0.0) * 1e9).round() as u64;
    nano_usd
}

impl LastEvent {
    /// None where the event is not the last of a run that ended by itself.
    fn amount(&self) -> Option<Amount> {
        let is_whole = match self.kind.as_str() {
            "final" | "no_path" => true,
            "error" => self.code.as_deref() != Some("internal"),
            _ => false,
        };
        is_whole.then_some(Amount {
            searches: self.spent.search_calls,
            recognitions: self.spent.rekognition_calls,
            nano_usd: nano_usd(self.spent.usd),
        })
    }
}

/// Whether an entry is of an attempt; of one that cannot be read nobody knows.
fn may_have_sent(json: &str) -> bool {
    match <Entry>::from_json(json) {
        Ok(Entry::Intent { attempt, .. }) => attempt > 0,
        Ok(_) => false,
        Err(_) => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        assert_eq!(spent_of(&entries, last_event, RESERVED), expected);
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
