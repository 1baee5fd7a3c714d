//! Writes the journal of a random run as that of a real run, and replays it. The replay must emit the same events.

use std::collections::BTreeMap;

use sha2::{Digest as _, Sha256};

use domain::Sha256Digest;
use engine::Opened;
use engine::journal::{AnswerEntry, ENTRY_VERSION, Entry, read_entries, rebuild};
use investigation::machine::{Action, Command, Input, Outcome, Request};
use investigation::wire::{CallKey, InvestigationEngine, Order};
use kernel::{CommandId, Millis};
use providers::calls::AnswerSource;

use super::violation::Violation;

/// Records the journal entries that a conductor would write, and checks that they reproduce the run.
#[derive(Debug)]
pub(super) struct JournalRecorder {
    entries: Vec<String>,
    asked: BTreeMap<CommandId, CallKey>,
    photos: BTreeMap<CommandId, Sha256Digest>,
}

impl JournalRecorder {
    pub(super) fn new(run: &str, request: &Request) -> Self {
        let opened = Entry::<InvestigationEngine>::Opened(Opened {
            version: ENTRY_VERSION,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            run: run.to_owned(),
            order: Order::new(request),
            expires_ms: 0,
            forked_from: None,
            host: None,
        });
        Self {
            entries: vec![opened.to_json()],
            asked: BTreeMap::new(),
            photos: BTreeMap::new(),
        }
    }

    pub(super) fn command(&mut self, command: &Command) {
        let photo = match &command.action {
            Action::Recognise { fetched_by } => self.photos.get(fetched_by),
            _ => None,
        };
        let asked = CallKey::of(&command.action, photo);
        let intent = Entry::<InvestigationEngine>::intent(command.id, 1, &asked, 0);
        self.entries.push(intent.to_json());
        self.asked.insert(command.id, asked);
    }

    pub(super) fn input(&mut self, input: &Input, now: Millis) {
        if let Input::Answer(answer) = input
            && let Some(asked) = self.asked.get(&answer.command)
        {
            if let Outcome::Fetched(Ok(fetched)) = &answer.outcome {
                self.photos.insert(answer.command, fetched.digest.clone());
            }
            let source = AnswerSource {
                is_reused: answer.attempts == 0,
                ..AnswerSource::default()
            };
            let answered = AnswerEntry::<InvestigationEngine>::new(asked.clone(), answer, source);
            self.entries.push(Entry::Answer(answered).to_json());
        }
        self.entries
            .push(Entry::<InvestigationEngine>::input(input, now).to_json());
    }

    /// Checks that the machine, rebuilt from the journal, emits the events with this digest.
    pub(super) fn check(&self, digest: &str) -> Result<(), Violation> {
        let entries = read_entries::<InvestigationEngine>(&self.entries);
        let rebuilt = entries
            .and_then(rebuild)
            .map_err(|error| Violation::new(format!("the journal gives no run: {error}")))?;
        let mut events = Sha256::new();
        for event in rebuilt.events() {
            events.update(event.json.as_bytes());
        }
        if Sha256Digest::new(events.finalize().into()).as_str() == digest {
            Ok(())
        } else {
            Err(Violation::new("the journal gives other events"))
        }
    }
}
