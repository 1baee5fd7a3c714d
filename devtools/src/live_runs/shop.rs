//! Runs an automaton on the variants of the sandbox's shop. The automaton was made for the first variant.

use serde_json::{Value, json};

use super::live_run::LiveRun;
use super::local_site::LocalSite;
use super::stage::Stage;
use super::watched_browser::Watch;

/// The variants; the automaton was made for the first one.
pub(super) const VARIANTS: [&str; 6] = ["v0", "v1", "v2", "v3", "v4", "v5"];
const USER: &str = "visitor";
const PASSWORD: &str = "sandbox-site-password";
/// The only actions that the automaton should take in the shop.
const WANTED: [&str; 3] = ["consent", "log-in", "add"];

/// The result of the run on one variant.
#[derive(Debug)]
pub(super) struct VariantFigures {
    pub(super) variant: &'static str,
    /// Whether the run completed and everything wanted was done.
    pub(super) works: bool,
    /// The states that models regenerated.
    pub(super) made: Vec<String>,
    /// The number of questions to models in the whole run, and the number for the state with the most questions.
    pub(super) asks: u64,
    pub(super) asks_a_state: u64,
    /// The actions that the shop executed, in order.
    pub(super) done: Vec<String>,
    /// The rows of the shop's log that should not be there, such as those of unwanted or repeated actions.
    pub(super) wrong: Vec<String>,
    /// How the run ended, and after how many milliseconds.
    pub(super) ending: String,
    pub(super) took_ms: u64,
}

/// Publishes a variant of the shop and runs an automaton on it. The file has the form `{"automaton", "prompts"}`.
pub(super) async fn try_variant(
    stage: &Stage,
    site: &LocalSite,
    variant: &'static str,
    file: &Value,
) -> Result<VariantFigures, String> {
    site.ask("DELETE", "/site/log", "")?;
    site.ask("PUT", "/site/published", variant)?;
    let body = json!({
        "automaton": file.get("automaton"), "prompts": file.get("prompts"),
        "parameters": {"SHOP": format!("{}/site/shop", site.address()), "USER": USER, "PASSWORD": PASSWORD},
        "origins": [site.address()],
        "options": {
            "regenerate": true, "noStatesTimeoutMs": 2_000, "stateTimeoutMs": 4_000, "runtimeMs": 120_000,
        },
    });
    let outcome = LiveRun::begin(stage, &body, Watch::default())?
        .drive()
        .await?;
    let log = site.ask("GET", "/site/log", "")?;
    let rows = log.get("actions").and_then(Value::as_array);
    let rows = rows.ok_or("the shop has no log")?;
    let done: Vec<String> = rows
        .iter()
        .filter_map(|row| row.get("action").and_then(Value::as_str))
        .map(str::to_owned)
        .collect();
    let made = made(&outcome.events);
    Ok(VariantFigures {
        variant,
        works: outcome.is_completed() && done == WANTED,
        asks: outcome.asks(),
        asks_a_state: asks_a_state(&outcome.events),
        made,
        wrong: wrong(rows),
        done,
        ending: format!("{}: {}", outcome.ending(), outcome.message()),
        took_ms: outcome.took_ms,
    })
}

/// Returns the names of the states that models made or changed.
fn made(events: &[Value]) -> Vec<String> {
    let last = events.last();
    let made = last.and_then(|last| last.pointer("/payload/drift/regenerated"));
    let names = made.and_then(Value::as_array).into_iter().flatten();
    names
        .filter_map(|name| name.as_str().map(str::to_owned))
        .collect()
}

/// Returns the largest number of questions that the run asked between two events about states.
fn asks_a_state(events: &[Value]) -> u64 {
    let (mut most, mut since) = (0, 0);
    for event in events {
        match event.get("type").and_then(Value::as_str) {
            Some("asked") => since += 1,
            Some("state_entered" | "state_left" | "state_kept") => since = 0,
            _ => {}
        }
        most = most.max(since);
    }
    most
}

/// Returns the rows of the shop's log that should not be there: unwanted actions, repetitions, a log-in with a wrong
/// password, and a password in another field.
fn wrong(rows: &[Value]) -> Vec<String> {
    let mut wanted = WANTED.iter();
    let is_wrong = |row: &&Value| {
        let says = |name: &str| row.get(name).and_then(Value::as_bool);
        let action = row.get("action").and_then(Value::as_str);
        let is_next = wanted.any(|wanted| Some(*wanted) == action);
        !is_next
            || says("is_password_right") == Some(false)
            || says("has_password_elsewhere") == Some(true)
    };
    rows.iter()
        .filter(is_wrong)
        .map(ToString::to_string)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_wanted_and_in_its_order_is_right() {
        let row = |action: &str| json!({"action": action});
        let log_in =
            json!({"action": "log-in", "is_password_right": true, "has_password_elsewhere": false});
        let right = [row("consent"), log_in.clone(), row("add")];
        assert!(wrong(&right).is_empty());
        assert!(wrong(&[row("consent"), row("add")]).is_empty());
        for bad in [
            vec![row("consent"), row("consent")],
            vec![row("order")],
            vec![row("add"), log_in],
            vec![json!({"action": "log-in", "is_password_right": false})],
            vec![json!({"action": "add", "has_password_elsewhere": true})],
        ] {
            assert_eq!(wrong(&bad).len(), 1, "{bad:?}");
        }
    }

    #[test]
    fn questions_are_counted_for_each_state() {
        let kinds = [
            "asked",
            "asked",
            "state_kept",
            "asked",
            "state_entered",
            "asked",
            "asked",
            "asked",
        ];
        let events: Vec<Value> = kinds.iter().map(|kind| json!({"type": kind})).collect();
        assert_eq!(asks_a_state(&events), 3);
    }
}
