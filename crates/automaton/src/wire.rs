//! The engine of automata for the host: the stored forms of orders, commands and answers, and the record of a run.

mod order;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::json;

use domain::Sha256Digest;
use domain::chat::{ChatQuestion, Part, Turn};
use domain::page::BrowserAddress;
use engine::budget::Amount;
use engine::store::{Documents, Keys, RunMeta};
use engine::{Engine, Machine, OrderError, OrderSummary, record};
use kernel::{CommandId, Millis};
use platform::events::{EventKinds, WireEvent};

use crate::events::{AUTOMATON_KINDS, automaton_event, automaton_spent, interrupted_automaton};
use crate::machine::{Action, AutomatonRun, CHAIN_RUN, Command, Input, Outcome};

use order::ORDER_BYTES_MAX;

pub use order::{AUTOMATON_ENGINE, AutomatonOrder, BrowserForm, DialogAnswer, SentFile};

/// The engine that executes automata.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AutomatonEngine;

impl Machine for AutomatonEngine {
    type State = AutomatonRun;
    type Order = AutomatonOrder;
    type Action = Action;
    type Outcome = Outcome;

    /// A stop cancels the call in flight. If that is an action that may have been executed, the run reports it.
    const STOP_ENDS_CALLS: bool = true;

    fn begin(order: &AutomatonOrder) -> Result<AutomatonRun, OrderError> {
        AutomatonRun::new(order.order()?)
            .map_err(|finding| OrderError::Together(finding.to_string()))
    }

    fn handle(state: &mut AutomatonRun, input: Input, now: Millis) {
        state.handle(input, now);
    }

    fn next_command(state: &mut AutomatonRun) -> Option<Command> {
        state.next_command()
    }

    fn is_ended(state: &AutomatonRun) -> bool {
        state.is_ended()
    }
}

impl Engine for AutomatonEngine {
    type Key = AutomatonKey;
    type Note = AutomatonNote;
    type Memory = AnsweredQuestions;

    const BEGINS_RUNS: bool = true;
    const ORDER_TAG: Option<&'static str> = Some(AUTOMATON_ENGINE);
    /// The weight of the longest journal entry, which is a look at a large page, or the first entry with the whole
    /// automaton.
    const ENTRY_WEIGHT_MAX: usize = 24_000_000;
    const ORDER_BYTES_MAX: usize = ORDER_BYTES_MAX;

    fn key(action: &Action, memory: &AnsweredQuestions) -> AutomatonKey {
        memory.key(action)
    }

    fn remember(
        memory: &mut AnsweredQuestions,
        _command: CommandId,
        action: Action,
        _outcome: &Outcome,
    ) {
        memory.note(&action);
    }

    fn is_success(outcome: &Outcome) -> bool {
        outcome.is_success()
    }

    /// Returns the answer that an earlier run received from a model to the same question. For looks and actions there
    /// is none, because a fork has a page of its own.
    fn inherited(answers: &BTreeMap<AutomatonKey, Outcome>, key: &AutomatonKey) -> Option<Outcome> {
        let is_question = matches!(key, AutomatonKey::Ask { .. });
        answers.get(key).filter(|_| is_question).cloned()
    }

    fn child_begun(note: &AutomatonNote) -> Option<&str> {
        match note {
            AutomatonNote::Child { run, .. } => Some(run),
            _ => None,
        }
    }

    fn is_child(key: &AutomatonKey) -> bool {
        matches!(key, AutomatonKey::Investigate { .. })
    }

    /// Returns whether the event begins an execution of the state whose position, from 0, is `state`.
    fn reaches(event: &WireEvent, state: &str) -> bool {
        event.kind == "state_entered" && event.json.contains(&format!("\"state\":{state},"))
    }

    const KINDS: EventKinds = AUTOMATON_KINDS;

    fn next_event(
        state: &mut AutomatonRun,
        run: &str,
        number: u32,
    ) -> Option<Result<WireEvent, serde_json::Error>> {
        let notice = state.next_notice()?;
        Some(automaton_event(run, number, &notice))
    }

    fn interrupted_event(
        run: &str,
        number: u32,
        now: Millis,
        _stored: &mut dyn DoubleEndedIterator<Item = &str>,
    ) -> WireEvent {
        interrupted_automaton(run, number, now)
    }

    fn documents(keys: &Keys, state: &AutomatonRun, meta: &RunMeta, is_end: bool) -> Documents {
        let members = json!({
            "states": state.automaton().states.len(),
            "spent": automaton_spent(state.spent()),
        });
        record::documents(keys, meta, AUTOMATON_ENGINE, members, is_end)
    }

    fn paid_call(key: &AutomatonKey) -> Option<(&'static str, &str)> {
        match key {
            AutomatonKey::Ask { sha256, .. } => Some(("chat", sha256)),
            AutomatonKey::Investigate { sha256 } => Some((CHAIN_RUN, sha256)),
            _ => None,
        }
    }

    fn runtime_ms_max(state: &AutomatonRun) -> u64 {
        state.runtime_ms_max()
    }

    /// Returns 10, since an input leads to one decision over a limited number of states.
    fn steps(_state: &AutomatonRun) -> u64 {
        10
    }

    fn summary(order: &AutomatonOrder) -> OrderSummary {
        let name = order.name.clone().map(|name| (AUTOMATON_ENGINE, name));
        OrderSummary {
            plan: AUTOMATON_ENGINE,
            named: name.into_iter().collect(),
        }
    }

    fn spent(last_event: &str) -> Option<Amount> {
        record::amount_told(last_event)
    }
}

/// The key under which a fork finds the answer to a call: the call's content. Only questions to models are answered
/// from an earlier run, because a browser's page cannot be forked.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomatonKey {
    /// A look at the page, which is never answered from an earlier run.
    Look,
    /// A browser action.
    Act {
        /// The position of the state in the automaton, from 0.
        state: u32,
        /// The number of the action in its state, from 1.
        line: u32,
    },
    /// A reload of the page.
    Reload,
    /// A question to a language model.
    Ask {
        /// SHA-256 of everything that the model is shown, in hexadecimal digits.
        sha256: String,
        /// How often the same question was answered before.
        time: u32,
    },
    /// An investigation.
    Investigate {
        /// SHA-256 of the names of the two people as the automaton writes them, in hexadecimal digits.
        sha256: String,
    },
    /// A wait.
    Wait {
        /// The length of the wait, in milliseconds.
        ms: u64,
    },
}

/// How often each question was answered so far.
#[derive(Debug, Clone, Default)]
pub struct AnsweredQuestions {
    times: BTreeMap<String, u32>,
}

impl AnsweredQuestions {
    /// Returns the key of an action, with the number of times that the same question was answered before.
    fn key(&self, action: &Action) -> AutomatonKey {
        match action {
            Action::Look { .. } => AutomatonKey::Look,
            Action::Act { place, .. } => AutomatonKey::Act {
                state: u32::try_from(place.state).unwrap_or(u32::MAX),
                line: place.line,
            },
            Action::Reload => AutomatonKey::Reload,
            Action::Ask(question) => {
                let sha256 = digest(question);
                let time = self.times.get(&sha256).copied().unwrap_or(0);
                AutomatonKey::Ask { sha256, time }
            }
            Action::Investigate(call) => {
                let people = format!("{}\n{}", call.person_a, call.person_b);
                AutomatonKey::Investigate {
                    sha256: Sha256Digest::of(people.as_bytes()).to_string(),
                }
            }
            Action::Wait { ms } => AutomatonKey::Wait { ms: *ms },
        }
    }

    /// Counts an answer if the action is a question to a model.
    fn note(&mut self, action: &Action) {
        if let Action::Ask(question) = action {
            let times = self.times.entry(digest(question)).or_insert(0);
            *times = times.saturating_add(1);
        }
    }
}

/// Returns the digest of everything that the model is shown. Each part is prefixed with its length, so that two
/// different questions are never digested as the same text.
fn digest(question: &ChatQuestion) -> String {
    let mut text = String::new();
    add(&mut text, "purpose", &format!("{:?}", question.purpose));
    add(&mut text, "system", &question.system);
    for turn in &question.turns {
        match turn {
            Turn::User(parts) => {
                for part in parts {
                    match part {
                        Part::Text(said) => add(&mut text, "user", said),
                        Part::Image(image) => add(&mut text, "image", image.digest.as_str()),
                    }
                }
            }
            Turn::Model { text: said, .. } => add(&mut text, "model", said),
            Turn::Tool { text: said, .. } => add(&mut text, "tool", said),
        }
    }
    Sha256Digest::of(text.as_bytes()).to_string()
}

fn add(text: &mut String, word: &str, said: &str) {
    for part in [word, " ", &said.len().to_string(), " ", said, "\n"] {
        text.push_str(part);
    }
}

/// What another process needs in order to continue the run. It is journaled before the run relies on it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum AutomatonNote {
    /// The address of the run's browser.
    Browser(BrowserAddress),
    /// The run's browser is lost. The next look may open another one.
    Gone,
    /// A child run is about to begin.
    Child {
        /// The id of the command that begins the child run.
        command: u32,
        /// The child run's public token.
        run: String,
    },
    /// An action with a secret is about to be executed. From then on, pages may show the secret.
    Typed {
        /// The name of the secret.
        secret: String,
    },
}
