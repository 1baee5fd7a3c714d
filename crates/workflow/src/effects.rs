//! Executes the commands of a workflow run, one after the other: calls tools, asks models, and begins child runs.

mod tools;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use serde_json::{Map, Value};

use domain::chat::{ChatQuestion, Part, Turn};
use domain::{Failure, FailureKind, RunToken, Secret};
use engine::child_run::{ChildRun, EndedRun};
use engine::{
    ChatAsker, ChildOutput, ChildResult, Execute, ExecutedCall, Executor, NoResult, NoteWriter,
    PendingCommand, Registry, Requests, RunContext, RunState,
};
use kernel::CommandId;
use mask::Mask;
use platform::{Effects, Stop, WriteError};
use providers::calls::{Attempts, CallResult, Failover};
use providers::{CHAT_IMAGES_MAX, Images};
use settings::{Caps, McpServer, Providers};

use crate::machine::{
    Action, Answer, AutomateEnd, Block, ChildEnd, ChildFailure, Command, InvestigateCall, Outcome,
    ToolFailure, ToolResult,
};
use crate::wire::{WorkflowEngine, WorkflowNote};

use tools::{Connections, ToolCaller, ToolTerms};

pub use tools::converse;

/// The message for a call that is not repeated, because reading its answer has already ended two processes.
const WHY_PASSED_OVER: &str = "it was passed over: reading its answer ended the program twice";
/// The most characters of a server's error message that are stored and emitted.
const WORDS_CHARS_MAX: usize = 2_000;

/// Executes the commands of one workflow run.
pub struct WorkflowExecutor<'run, E> {
    caller: Rc<WorkflowCaller<'run, E>>,
}

/// What the commands of one run use: its tools, its child runs and the models.
pub struct WorkflowCaller<'run, E> {
    effects: &'run E,
    note: NoteWriter<'run, WorkflowEngine>,
    caps: &'run Caps,
    providers: &'run Providers,
    engines: Registry,
    tools: ToolCaller<'run, E>,
    /// Hides the secrets with which the run authenticates itself to the operator's servers.
    mask: Rc<Mask>,
    models: ChatAsker<'run, E>,
    /// The ids of the commands that an earlier process may have sent without receiving an answer.
    sent: BTreeSet<CommandId>,
    /// The child runs that an earlier process was about to begin, by the ids of their commands.
    children: BTreeMap<CommandId, RunToken>,
}

impl<'run, E: Effects> WorkflowCaller<'run, E> {
    /// Restores the caller of a run from the run's journal.
    fn new(effects: &'run E, run: &RunContext<'run, '_, WorkflowEngine>) -> Self {
        let connections = Connections::restored(&run.providers.mcp_servers, run.notes);
        let server = run.order.servers.first().cloned();
        let failover = Failover::restored(run.set_aside.iter());
        let children = run.notes.iter().filter_map(|note| match note {
            WorkflowNote::Child { command, run } => {
                Some((CommandId(*command), RunToken::parse(run).ok()?))
            }
            _ => None,
        });
        let servers = run.providers.mcp_servers.iter();
        let secrets: Vec<Secret> = servers.flat_map(McpServer::secrets).collect();
        let mask = Rc::new(Mask::new(&secrets));
        Self {
            effects,
            note: run.note,
            caps: run.caps,
            providers: run.providers,
            engines: run.engines,
            tools: ToolCaller::new(
                effects,
                connections,
                server,
                mask.clone(),
                run.journal_bytes,
            ),
            mask,
            models: ChatAsker::new(
                effects,
                &run.providers.planners,
                run.providers.vision.as_ref(),
                failover,
            ),
            sent: run.in_flight.clone(),
            children: children.collect(),
        }
    }

    async fn execute(
        &self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<CallResult<Outcome, ()>, WriteError> {
        let note = self.note;
        let terms = || ToolTerms {
            command: command.id,
            time_left_ms: command.time_left_ms,
            silence_ms_max: command.silence_ms_max,
            attempts_max: command.attempts_max,
            throttled_max: command.throttled_max,
            may_have_run: self.sent.contains(&command.id),
            attempts,
            note,
        };
        let outcome = match &command.action {
            Action::CallTool(call) => {
                Outcome::Called(Stop::settle(self.tools.call(call, terms()).await)?)
            }
            Action::ListTools { server } => Outcome::Listed(Stop::settle(
                self.tools.list(server.as_deref(), terms()).await,
            )?),
            Action::Chat(question) => {
                let images = self.images(question)?;
                let asked = self
                    .models
                    .ask(command, question, &images, attempts, Outcome::Chatted);
                return asked.await;
            }
            Action::Investigate(call) => {
                let request = request_of(call);
                let ended = self
                    .begin_run(command, &request, call.nano_usd_max, attempts)
                    .await?;
                let nano_usd = ended.nano_usd;
                let outcome = Outcome::Investigated(end_of(ended));
                return Ok(answered(command.id, attempts, nano_usd, outcome));
            }
            Action::Automate(call) => {
                let ended = self
                    .begin_run(command, &call.request, call.nano_usd_max, attempts)
                    .await?;
                let nano_usd = ended.nano_usd;
                let outcome = Outcome::Automated(automate_end_of(ended));
                return Ok(answered(command.id, attempts, nano_usd, outcome));
            }
            Action::Wait { ms } => {
                self.effects.sleep((*ms).min(command.time_left_ms)).await;
                Outcome::Waited
            }
        };
        Ok(answered(command.id, attempts, 0, outcome))
    }

    /// Begins a child run unless an earlier process has begun it, and waits for its end.
    async fn begin_run(
        &self,
        command: &Command,
        request: &Value,
        nano_usd_max: Option<u64>,
        attempts: Attempts<'_>,
    ) -> Result<EndedRun, WriteError> {
        let note = |run: &RunToken| {
            (self.note)(WorkflowNote::Child {
                command: command.id.0,
                run: run.to_string(),
            })
        };
        let child = ChildRun {
            request,
            parent_noun: WorkflowEngine::NOUN,
            engines: self.engines,
            providers: self.providers,
            caps: self.caps,
            nano_usd_max,
            time_left_ms: command.time_left_ms,
            begun: self.children.get(&command.id).cloned(),
            attempts,
            note: &note,
        };
        child.carry_out(self.effects).await
    }

    /// Returns the pictures to send with a question: the newest ones, if there are more than the limit.
    fn images(&self, question: &ChatQuestion) -> Result<Images, WriteError> {
        let mut images = Images::new();
        if !self.models.shows_images(question) {
            return Ok(images);
        }
        let parts = question.turns.iter().filter_map(|turn| match turn {
            Turn::User(parts) => Some(parts),
            _ => None,
        });
        let mut wanted: Vec<_> = parts.flatten().collect();
        wanted.reverse();
        for part in wanted {
            if let Part::Image(image) = part
                && images.len() < CHAT_IMAGES_MAX
                && let Some(bytes) = self.effects.artifact(&image.digest)?
            {
                images.insert(image.digest.clone(), bytes);
            }
        }
        Ok(images)
    }
}

fn answered(
    command: CommandId,
    attempts: Attempts<'_>,
    nano_usd: u64,
    outcome: Outcome,
) -> CallResult<Outcome, ()> {
    let answer = Answer {
        command,
        attempts: attempts.made(),
        throttled: attempts.throttled(),
        nano_usd,
        outcome,
        remarks: Vec::new(),
    };
    CallResult::with(answer, None)
}

impl<E: Effects> Execute<E> for WorkflowEngine {
    type Executor<'run>
        = WorkflowExecutor<'run, E>
    where
        E: 'run;

    fn executor<'run>(
        effects: &'run E,
        run: &RunContext<'run, '_, Self>,
    ) -> WorkflowExecutor<'run, E> {
        WorkflowExecutor {
            caller: Rc::new(WorkflowCaller::new(effects, run)),
        }
    }
}

impl<'run, E: Effects> Executor<'run, WorkflowEngine> for WorkflowExecutor<'run, E> {
    type Prepared = Rc<WorkflowCaller<'run, E>>;
    type Kept = ();

    fn prepare(
        &mut self,
        _pending: &PendingCommand<WorkflowEngine>,
        _state: &RunState<WorkflowEngine>,
    ) -> Rc<WorkflowCaller<'run, E>> {
        self.caller.clone()
    }

    async fn execute(
        prepared: Self::Prepared,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<ExecutedCall<WorkflowEngine, ()>, WriteError> {
        let result = prepared.execute(command, attempts).await?;
        Ok(result.changed(|answer| hide_in_answer(&prepared.mask, answer)))
    }

    async fn close(&self) {
        self.caller.tools.end_sessions().await;
    }

    fn passed_over(&self, action: &Action) -> Outcome {
        let says = || WHY_PASSED_OVER.to_owned();
        let lost = || ChildFailure {
            run: None,
            message: says(),
            is_unknown: true,
        };
        match action {
            Action::CallTool(_) => Outcome::Called(Err(ToolFailure::UnknownOutcome(says()))),
            Action::ListTools { .. } => Outcome::Listed(Err(ToolFailure::NotSent(says()))),
            Action::Chat(_) => Outcome::Chatted(Err(Failure::new(FailureKind::Malformed, says()))),
            Action::Investigate(_) => Outcome::Investigated(Err(lost())),
            Action::Automate(_) => Outcome::Automated(Err(lost())),
            Action::Wait { .. } => Outcome::Waited,
        }
    }
}

/// Returns the body of the request `POST /runs` for an investigation.
fn request_of(call: &InvestigateCall) -> Value {
    let mut members = Map::new();
    members.insert("personA".into(), call.person_a.as_str().into());
    members.insert("personB".into(), call.person_b.as_str().into());
    if !call.options.is_null() {
        members.insert("options".into(), call.options.clone());
    }
    Value::Object(members)
}

/// Converts the end of a child run to the end of an investigation.
fn end_of(ended: EndedRun) -> Result<ChildEnd, ChildFailure> {
    let run = ended.run.map(|run| run.to_string());
    let result: ChildResult = ended.result;
    match (result, run) {
        (Ok(ChildOutput { value, message }), Some(run)) => Ok(ChildEnd {
            run,
            path: path_of(&value),
            message,
        }),
        (Ok(ChildOutput { message, .. }), None) => Err(failed(None, message.as_str().into())),
        (Err(why), run) => Err(failed(run, why)),
    }
}

/// Converts the end of a child run to the end of an automaton.
fn automate_end_of(ended: EndedRun) -> Result<AutomateEnd, ChildFailure> {
    let run = ended.run.map(|run| run.to_string());
    match (ended.result, run) {
        (Ok(ChildOutput { value, message }), Some(run)) => Ok(AutomateEnd {
            run,
            value,
            message,
        }),
        (Ok(ChildOutput { message, .. }), None) => Err(failed(None, message.as_str().into())),
        (Err(why), run) => Err(failed(run, why)),
    }
}

fn failed(run: Option<String>, why: NoResult) -> ChildFailure {
    ChildFailure {
        run,
        message: why.message,
        is_unknown: why.is_unknown,
    }
}

fn path_of(value: &Value) -> Vec<String> {
    let path = value.get("path").and_then(Value::as_array);
    let names = path.into_iter().flatten().filter_map(Value::as_str);
    names.map(str::to_owned).collect()
}

/// Removes the secrets for the servers from every text of an answer, before any of it is emitted or stored. Nothing
/// else removes them, so each answer must pass through here.
fn hide_in_answer(mask: &Mask, answer: &mut Answer) {
    match &mut answer.outcome {
        Outcome::Called(Ok(result)) => hide_in_result(mask, result),
        Outcome::Called(Err(failure)) | Outcome::Listed(Err(failure)) => {
            let (ToolFailure::Refused(says)
            | ToolFailure::NotSent(says)
            | ToolFailure::UnknownOutcome(says)) = failure;
            mask.shorten([says], WORDS_CHARS_MAX, "");
        }
        Outcome::Listed(Ok(tools)) => {
            for tool in tools {
                mask.hide_in([&mut tool.name, &mut tool.description]);
                mask.hide_in_json(&mut tool.schema);
            }
        }
        Outcome::Chatted(result) => mask.hide_in_reply(result),
        Outcome::Investigated(Ok(ChildEnd { path, message, .. })) => {
            mask.hide_in(path.iter_mut().chain([message]));
        }
        Outcome::Automated(Ok(AutomateEnd { value, message, .. })) => {
            mask.hide_in_json(value);
            mask.hide_in([message]);
        }
        Outcome::Investigated(Err(ChildFailure { message, .. }))
        | Outcome::Automated(Err(ChildFailure { message, .. })) => mask.hide_in([message]),
        Outcome::Waited => {}
    }
    mask.hide_in(&mut answer.remarks);
}

fn hide_in_result(mask: &Mask, result: &mut ToolResult) {
    let texts = result.blocks.iter_mut().filter_map(|block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    });
    mask.hide_in(texts);
    for block in &mut result.blocks {
        if let Block::Other(value) = block {
            mask.hide_in_json(value);
        }
    }
    if let Some(structured) = &mut result.structured {
        mask.hide_in_json(structured);
    }
}
