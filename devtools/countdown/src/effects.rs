//! Executes a countdown's commands with the effects that every engine has.

use std::rc::Rc;

use serde_json::Value;

use domain::RunToken;
use engine::child_run::ChildRun;
use engine::{
    Execute, ExecutedCall, Executor, NoteWriter, PendingCommand, Registry, Requests as _,
    RunContext, RunState,
};
use kernel::{Answer, Command};
use platform::{Effects, WriteError};
use providers::calls::{Attempts, CallResult};
use settings::{Caps, Providers};

use crate::machine::{Action, CountdownEngine, Outcome, PRICE_NANO_USD};
use crate::wire::Note;

/// Executes the commands of one countdown.
pub struct CountdownExecutor<'run, E> {
    effects: &'run E,
    providers: &'run Providers,
    caps: &'run Caps,
    engines: Registry,
    note: NoteWriter<'run, CountdownEngine>,
    begun: Rc<[Note]>,
}

impl<E> Clone for CountdownExecutor<'_, E> {
    fn clone(&self) -> Self {
        Self {
            begun: self.begun.clone(),
            ..*self
        }
    }
}

fn outcome(says: Result<String, String>) -> Outcome {
    let is_failure = says.is_err();
    Outcome {
        says: says.unwrap_or_else(|says| says),
        is_failure,
    }
}

impl<E: Effects> CountdownExecutor<'_, E> {
    async fn count(&self, left: u32, attempts: Attempts<'_>) -> Result<Outcome, WriteError> {
        let uri = format!("https://numbers.example/serper/images?number={left}");
        loop {
            attempts.begin(PRICE_NANO_USD).await?;
            let request = http::Request::post(&uri).body(Vec::new());
            let Ok(request) = request else {
                return Ok(outcome(Err("No address.".to_owned())));
            };
            match self.effects.send(request, 100_000).await {
                Ok(_) => return Ok(outcome(Ok(format!("{left}!")))),
                Err(_) if attempts.made() < 2 => {}
                Err(_) => return Ok(outcome(Err("Nobody counts any more.".to_owned()))),
            }
        }
    }

    async fn begin(
        &self,
        command: &Command<Action>,
        (request, nano_usd_max): (&Value, u64),
        attempts: Attempts<'_>,
    ) -> Result<Outcome, WriteError> {
        let begun = self.begun.iter().find(|note| note.command == command.id.0);
        let note = |run: &RunToken| {
            (self.note)(Note {
                command: command.id.0,
                run: run.to_string(),
            })
        };
        let child = ChildRun {
            request,
            parent_noun: CountdownEngine::NOUN,
            engines: self.engines,
            providers: self.providers,
            caps: self.caps,
            nano_usd_max: Some(nano_usd_max),
            time_left_ms: command.time_left_ms,
            begun: begun.and_then(|note| RunToken::parse(&note.run).ok()),
            attempts,
            note: &note,
        };
        let ended = child.carry_out(self.effects).await?;
        let result = ended.result.map_err(|why| why.message);
        Ok(outcome(result.map(|output| {
            format!("{} {}", output.message, output.value)
        })))
    }
}

impl<E: Effects> Execute<E> for CountdownEngine {
    type Executor<'run>
        = CountdownExecutor<'run, E>
    where
        E: 'run;

    fn executor<'run>(
        effects: &'run E,
        run: &RunContext<'run, '_, Self>,
    ) -> CountdownExecutor<'run, E> {
        CountdownExecutor {
            effects,
            providers: run.providers,
            caps: run.caps,
            engines: run.engines,
            note: run.note,
            begun: run.notes.into(),
        }
    }
}

impl<'run, E: Effects> Executor<'run, CountdownEngine> for CountdownExecutor<'run, E> {
    type Prepared = Self;
    type Kept = ();

    fn prepare(
        &mut self,
        _: &PendingCommand<CountdownEngine>,
        _: &RunState<CountdownEngine>,
    ) -> Self {
        self.clone()
    }

    async fn execute(
        prepared: Self::Prepared,
        command: &Command<Action>,
        attempts: Attempts<'_>,
    ) -> Result<ExecutedCall<CountdownEngine, ()>, WriteError> {
        let outcome = match &command.action {
            Action::Count { left } => prepared.count(*left, attempts).await?,
            Action::Begin {
                request,
                nano_usd_max,
            } => {
                prepared
                    .begin(command, (request, *nano_usd_max), attempts)
                    .await?
            }
        };
        let answer = Answer {
            command: command.id,
            attempts: attempts.made(),
            throttled: 0,
            nano_usd: attempts.nano_usd(),
            outcome,
            remarks: Vec::new(),
        };
        Ok(CallResult::with(answer, None))
    }

    fn passed_over(&self, _: &Action) -> Outcome {
        outcome(Err("It was passed over.".to_owned()))
    }
}
