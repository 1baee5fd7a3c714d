//! The investigations that an automaton begins: one at a time, stopped with it.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde_json::json;

use domain::RunToken;
use engine::child_run::{ChildRun, EndedRun};
use engine::{Begun, Engines, NoteWriter, RunToCarry};
use kernel::CommandId;
use platform::{Children, Effects, WriteError, timeout};
use providers::calls::Attempts;
use settings::{Caps, Providers};

use crate::machine::{ChainEnd, ChainFailure, Command, InvestigateCall, Outcome};
use crate::stored::{AutomatonEngine, AutomatonNote};

use super::values::Values;

/// The longest wait for a run to take its stop in, in milliseconds.
const STOPPING_MS_MAX: u64 = 20_000;

/// The investigations of one run.
pub(super) struct Chains<'run, E> {
    effects: &'run E,
    note: NoteWriter<'run, AutomatonEngine>,
    engines: &'run dyn Engines,
    providers: &'run Providers,
    caps: &'run Caps,
    /// Runs that an earlier process was about to begin, by the commands that asked for them.
    begun: BTreeMap<CommandId, RunToken>,
    /// The run that is waited for.
    under_way: RefCell<Option<RunToken>>,
}

impl<'run, E: Effects + Children> Chains<'run, E> {
    /// Returns the investigations of a run as its journal tells them.
    pub(super) fn new(effects: &'run E, run: &RunToCarry<'run, '_, AutomatonEngine>) -> Self {
        let begun = run.notes.iter().filter_map(|note| match note {
            AutomatonNote::Child { command, run } => {
                Some((CommandId(*command), RunToken::parse(run).ok()?))
            }
            _ => None,
        });
        let begun: BTreeMap<CommandId, RunToken> = begun.collect();
        // A run that was stopped in the process before is only closed in this one.
        let unanswered = |(command, _): &(&CommandId, _)| run.under_way.contains(*command);
        let under_way = begun.iter().find(unanswered).map(|(_, run)| run.clone());
        Self {
            effects,
            note: run.note,
            engines: run.engines,
            providers: run.providers,
            caps: run.caps,
            begun,
            under_way: RefCell::new(under_way),
        }
    }

    /// Begins an investigation, or finds it begun, and waits for its end.
    pub(super) async fn investigate(
        &self,
        command: &Command,
        call: &InvestigateCall,
        values: &Values,
        attempts: Attempts<'_>,
    ) -> Result<Outcome, WriteError> {
        let people = [&call.person_a, &call.person_b].map(|person| values.fill(person));
        let [Ok(person_a), Ok(person_b)] = people else {
            let message = "A person is named by a value that is gone.".to_owned();
            return Ok(Outcome::Investigated(Err(ChainFailure {
                run: None,
                message,
            })));
        };
        let request = json!({
            "personA": person_a.text.text.reveal(),
            "personB": person_b.text.text.reveal(),
        });
        let note = |run: &RunToken| {
            self.under_way.replace(Some(run.clone()));
            (self.note)(AutomatonNote::Child {
                command: command.id.0,
                run: run.to_string(),
            })
        };
        let begun = self.begun.get(&command.id).cloned();
        self.under_way.replace(begun.clone());
        let child = ChildRun {
            request: &request,
            parent_noun: AutomatonEngine::NOUN,
            engines: self.engines,
            providers: self.providers,
            caps: self.caps,
            nano_usd_max: call.nano_usd_max,
            time_left_ms: command.time_left_ms,
            begun,
            attempts,
            note: &note,
        };
        let ended = child.carry_out(self.effects).await?;
        self.under_way.replace(None);
        Ok(Outcome::Investigated(end_of(ended)))
    }

    /// Stops the investigation that is waited for, since the run has ended.
    pub(super) async fn end(&self) {
        let run = self.under_way.take();
        if let Some(run) = run {
            let _ = timeout(self.effects, STOPPING_MS_MAX, self.effects.stop_child(&run)).await;
        }
    }
}

fn end_of(ended: EndedRun) -> Result<ChainEnd, ChainFailure> {
    let run = ended.run.map(|run| run.to_string());
    match (ended.result, run) {
        (Ok(output), Some(run)) => Ok(ChainEnd {
            run,
            message: output.message,
        }),
        (Ok(output), None) => Err(ChainFailure {
            run: None,
            message: output.message,
        }),
        (Err(why), run) => Err(ChainFailure {
            run,
            message: why.message,
        }),
    }
}
