//! Calls the tools of a run's servers over the network. A call that may have been executed is repeated only if the
//! operator trusts the server's hints and these declare the tool safe to repeat.

mod connections;
mod tool_result;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use kernel::CommandId;
use mask::Mask;
use mcp::{Agreed, CallFailure, CallResult, Connection, Exchange, Operation, Reply, ResumePoint};
use platform::{Effects, Stop, WriteError, timeout, timeout_of};
use providers::calls::Attempts;
use settings::McpServer;

use crate::machine::{ToolCall, ToolDescription, ToolFailure, ToolResult};
use crate::wire::WorkflowNote;

use connections::ASIDE_MS_MAX;
use tool_result::tool_result;

pub use connections::{Connections, converse};

/// The longest journal up to which tool answers are stored, in bytes. Resuming, sealing and forking a run read all of
/// it.
const JOURNAL_BYTES_MAX: usize = 20_000_000;
/// The first pause before a retry, in milliseconds. Each further pause is twice as long.
const PAUSE_MS: u64 = 500;
/// The most attempts to reach a server that is down.
const REACHING_MAX: u32 = 3;
/// The shortest time between two journal notes about the progress of an answer, in milliseconds.
const NOTING_MS: u64 = 1_000;

/// Calls the tools of the servers of one run.
pub(super) struct ToolCaller<'run, E> {
    effects: &'run E,
    connections: Connections,
    /// The alias of the server for nodes that name none; `None` if the run has no server.
    default_server: Option<String>,
    /// Hides the secrets with which the run authenticates itself to the servers.
    mask: Rc<Mask>,
    /// The length of the run's journal, in bytes.
    journal_bytes: Cell<usize>,
}

impl From<ToolFailure> for Stop<ToolFailure> {
    fn from(failure: ToolFailure) -> Self {
        Self::Failed(failure)
    }
}

impl<'run, E: Effects> ToolCaller<'run, E> {
    pub fn new(
        effects: &'run E,
        connections: Connections,
        default_server: Option<String>,
        mask: Rc<Mask>,
        journal_bytes: usize,
    ) -> Self {
        Self {
            effects,
            connections,
            default_server,
            mask,
            journal_bytes: Cell::new(journal_bytes),
        }
    }

    /// Calls a tool. Fails if the journal cannot be written, in which case nothing more is sent.
    pub async fn call(
        &self,
        call: &ToolCall,
        terms: ToolTerms<'_>,
    ) -> Result<ToolResult, Stop<ToolFailure>> {
        let server = self.server(call.server.as_deref())?;
        let operation = Operation::CallTool {
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
        };
        let mut point = self.connections.resume_point(terms.command).cloned();
        if terms.may_have_run && point.is_none() && !self.may_repeat(server, call, &terms).await? {
            let says =
                "the server that ran this workflow was interrupted while it waited for the answer";
            return Err(unknown(server, says).into());
        }
        let tries = Tries::new(self.effects.now_ms(), &terms);
        loop {
            let came = self
                .exchange(server, &operation, point.take(), &terms, &tries)
                .await?;
            let failure = match came {
                Ok(Reply::Called(result)) => return Ok(self.keep(result, &terms)?),
                Ok(Reply::Listed) => CallFailure::Unusable("it answered something else".to_owned()),
                Err(failure) => failure,
            };
            match self.next(failure, server, call, &terms, &tries).await? {
                Next::Again => {}
                Next::Over(failure) => return Err(failure.into()),
            }
        }
    }

    /// Lists the tools of a server.
    pub async fn list(
        &self,
        server: Option<&str>,
        terms: ToolTerms<'_>,
    ) -> Result<Vec<ToolDescription>, Stop<ToolFailure>> {
        let server = self.server(server)?;
        let tries = Tries::new(self.effects.now_ms(), &terms);
        loop {
            let listed = self
                .exchange(server, &Operation::ListTools, None, &terms, &tries)
                .await?;
            let Err(failure) = listed else {
                return Ok(self.descriptions(server));
            };
            if !tries.may_ask_again(&failure, &terms) || !self.pause(&failure, &tries).await {
                let says = format!("{}: {failure}", server.name);
                return Err(ToolFailure::NotSent(says).into());
            }
        }
    }

    /// Closes the sessions that are open on servers, and ignores the responses.
    pub async fn end_sessions(&self) {
        for connection in self.connections.take_all() {
            if let Some(request) = connection.ending() {
                let _ = timeout(self.effects, ASIDE_MS_MAX, self.effects.open(request)).await;
            }
        }
    }

    fn server(&self, name: Option<&str>) -> Result<&McpServer, ToolFailure> {
        let not_sent = |says: &str| ToolFailure::NotSent(says.to_owned());
        let Some(name) = name.or(self.default_server.as_deref()) else {
            return Err(not_sent("the run was given no MCP server"));
        };
        let server = self.connections.server(name);
        server.ok_or_else(|| {
            not_sent(&format!(
                "this server's operator has set no MCP server {name}"
            ))
        })
    }

    fn descriptions(&self, server: &McpServer) -> Vec<ToolDescription> {
        let connection = self.connections.take(server, self.effects.now_ms());
        let tools = connection.tools().unwrap_or_default().iter();
        let descriptions = tools
            .map(|tool| ToolDescription {
                name: tool.name.clone(),
                description: tool.description.clone(),
                schema: tool.schema.clone(),
            })
            .collect();
        self.connections.put(server, connection);
        descriptions
    }

    fn keep(&self, result: CallResult, terms: &ToolTerms<'_>) -> Result<ToolResult, WriteError> {
        let left = JOURNAL_BYTES_MAX.saturating_sub(self.journal_bytes.get());
        let (result, bytes) = terms
            .attempts
            .read(|| tool_result(self.effects, &self.mask, result, left))??;
        self.journal_bytes.set(self.journal_bytes.get() + bytes);
        Ok(result)
    }

    /// Returns whether a tool call that may have been executed can be repeated without harm.
    async fn may_repeat(
        &self,
        server: &McpServer,
        call: &ToolCall,
        terms: &ToolTerms<'_>,
    ) -> Result<bool, WriteError> {
        if !server.is_trusted {
            return Ok(false);
        }
        if self.hints(server, call).is_none() {
            let tries = Tries::new(self.effects.now_ms(), terms);
            let _ = self
                .exchange(server, &Operation::ListTools, None, terms, &tries)
                .await?;
        }
        Ok(self.hints(server, call) == Some(true))
    }

    /// Returns whether the server declares the tool read-only or idempotent; `None` if the server's tools are not known
    /// yet.
    fn hints(&self, server: &McpServer, call: &ToolCall) -> Option<bool> {
        let connection = self.connections.take(server, self.effects.now_ms());
        let is_known = connection.tools().is_some();
        let tool = connection.tool(&call.tool);
        let hints =
            is_known.then(|| tool.is_some_and(|tool| tool.is_read_only || tool.is_idempotent));
        self.connections.put(server, connection);
        hints
    }

    /// Makes one exchange of messages with a server, within the remaining time of `tries`.
    async fn exchange(
        &self,
        server: &McpServer,
        operation: &Operation,
        point: Option<ResumePoint>,
        terms: &ToolTerms<'_>,
        tries: &Tries,
    ) -> Result<Result<Reply, CallFailure>, WriteError> {
        let connection = self.connections.take(server, self.effects.now_ms());
        if *operation == Operation::ListTools && connection.tools().is_some() {
            self.connections.put(server, connection);
            return Ok(Ok(Reply::Listed));
        }
        let mut exchange = begin(connection, operation, point);
        let noting = Noting::new(exchange.request_id());
        let note = async |exchange: &mut Exchange| {
            if !exchange.take_progress().is_empty() {
                tries.note_progress(self.effects.now_ms());
            }
            self.note(exchange, server, terms, &noting).await
        };
        let left_ms = || tries.left_ms(self.effects.now_ms());
        let conversation = converse(self.effects, &mut exchange, note);
        let in_time = timeout_of(self.effects, left_ms, conversation).await;
        let came = if let Some(came) = in_time {
            came?
        } else {
            if let Some(request) = exchange.cancellation() {
                let _ = timeout(self.effects, ASIDE_MS_MAX, self.effects.open(request)).await;
            }
            let says = tries.why_over(self.effects.now_ms());
            Err(if exchange.has_sent_call() {
                CallFailure::Unknown(says)
            } else {
                CallFailure::Down(says)
            })
        };
        self.connections.put(server, exchange.into_connection());
        Ok(came)
    }

    /// Journals what another process must know before the next request is sent or the next piece of an answer is read.
    async fn note(
        &self,
        exchange: &mut Exchange,
        server: &McpServer,
        terms: &ToolTerms<'_>,
        noting: &Noting,
    ) -> Result<(), WriteError> {
        if !exchange.has_sent_call() {
            return Ok(());
        }
        if noting.request.replace(exchange.request_id()) != exchange.request_id() {
            if let Some(agreed) = exchange.connection().agreed()
                && !self.is_secret(agreed)
                && let Some(note) = self.connections.note_of(server, agreed)
            {
                (terms.note)(note)?;
            }
            // A further request within the exchange is not a new attempt: it follows only if the server rejected the
            // first one without executing it.
            if !noting.is_begun.replace(true) {
                terms.attempts.begin(0).await?;
            }
        }
        let now_ms = self.effects.now_ms();
        if let Some(point) = exchange.resume_point()
            && !self.mask.is_in(&point.last_event_id)
            && noting.is_new(&point.last_event_id, now_ms)
        {
            (terms.note)(WorkflowNote::Heard {
                command: terms.command.0,
                request: point.request,
                event: point.last_event_id,
            })?;
        }
        Ok(())
    }

    /// Returns whether a session's id or version contains a secret and so must not be journaled.
    fn is_secret(&self, agreed: &Agreed) -> bool {
        match agreed {
            Agreed::Modern => false,
            Agreed::Legacy { version, session } => {
                let mut texts = session.iter().chain([version]);
                texts.any(|text| self.mask.is_in(text))
            }
        }
    }

    /// Decides after a failed attempt whether to try again, and otherwise how the call has failed.
    async fn next(
        &self,
        failure: CallFailure,
        server: &McpServer,
        call: &ToolCall,
        terms: &ToolTerms<'_>,
        tries: &Tries,
    ) -> Result<Next, WriteError> {
        if matches!(failure, CallFailure::Busy { .. }) && terms.attempts.made() > tries.made.get() {
            terms.attempts.take_back_throttled();
        }
        let may_again = match &failure {
            CallFailure::Unknown(_) => {
                terms.attempts.made() < terms.attempts_max
                    && self.may_repeat(server, call, terms).await?
            }
            _ => tries.may_ask_again(&failure, terms),
        };
        tries.made.set(terms.attempts.made());
        if may_again && self.pause(&failure, tries).await {
            return Ok(Next::Again);
        }
        let says = failure.to_string();
        Ok(Next::Over(match failure {
            CallFailure::Refused(_) => ToolFailure::Refused(says),
            CallFailure::Unknown(_) => unknown(server, &says),
            CallFailure::Busy { .. } | CallFailure::Down(_) | CallFailure::Unusable(_) => {
                ToolFailure::NotSent(format!("{}: {says}", server.name))
            }
        }))
    }

    /// Waits before the next attempt. Returns false if too little time is left for one.
    async fn pause(&self, failure: &CallFailure, tries: &Tries) -> bool {
        let ms = tries.pause_ms(failure, self.effects.jitter());
        if ms >= tries.left_ms(self.effects.now_ms()) {
            return false;
        }
        self.effects.sleep(ms).await;
        true
    }
}

fn begin(connection: Connection, operation: &Operation, point: Option<ResumePoint>) -> Exchange {
    match point {
        Some(point) => Exchange::resumed(connection, operation.clone(), point),
        None => Exchange::new(connection, operation.clone()),
    }
}

fn unknown(server: &McpServer, says: &str) -> ToolFailure {
    ToolFailure::UnknownOutcome(format!(
        "{says}; look at the server {} whether the call was made",
        server.name
    ))
}

enum Next {
    Again,
    Over(ToolFailure),
}

/// The terms of one tool call or listing: its limits, and how to journal it.
pub(super) struct ToolTerms<'call> {
    /// The id of the command that requests the call.
    pub command: CommandId,
    /// The longest time for all attempts together, in milliseconds.
    pub time_left_ms: u64,
    /// The longest wait without an answer or progress, in milliseconds.
    pub silence_ms_max: u64,
    /// The most attempts, not counting those that the server rejects because it is busy.
    pub attempts_max: u32,
    /// The most attempts that the server rejects because it is busy.
    pub throttled_max: u32,
    /// Whether an earlier process may have sent the call.
    pub may_have_run: bool,
    /// What happens before and after each attempt: rate limit, journal entry, cost.
    pub attempts: Attempts<'call>,
    /// Journals what another process needs in order to continue the call.
    pub note: &'call dyn Fn(WorkflowNote) -> Result<(), WriteError>,
}

/// What was tried so far for one call, and how long waiting may still take.
struct Tries {
    /// The time at which waiting ends even if the server sends progress, in milliseconds.
    deadline_ms: u64,
    /// The longest wait without an answer or progress, in milliseconds.
    silence_ms_max: u64,
    /// The time of the last progress, or of the beginning, in milliseconds.
    alive_ms: Cell<u64>,
    /// The longest time for all attempts together, in milliseconds.
    whole_ms: u64,
    /// The number of pauses so far.
    pauses: Cell<u32>,
    /// The number of attempts that were made before the current exchange.
    made: Cell<u32>,
}

impl Tries {
    fn new(now_ms: u64, terms: &ToolTerms<'_>) -> Self {
        Self {
            deadline_ms: now_ms.saturating_add(terms.time_left_ms),
            silence_ms_max: terms.silence_ms_max,
            alive_ms: Cell::new(now_ms),
            whole_ms: terms.time_left_ms,
            pauses: Cell::new(0),
            made: Cell::new(terms.attempts.made()),
        }
    }

    /// Records that the server has sent progress, so that its silence is counted from now.
    fn note_progress(&self, now_ms: u64) {
        self.alive_ms.set(now_ms);
    }

    /// Returns how long to wait if the server sends nothing more, in milliseconds.
    fn left_ms(&self, now_ms: u64) -> u64 {
        let silent_ms = self.alive_ms.get().saturating_add(self.silence_ms_max);
        silent_ms.min(self.deadline_ms).saturating_sub(now_ms)
    }

    /// Returns a sentence that says why waiting has ended, and which option sets the limit.
    fn why_over(&self, now_ms: u64) -> String {
        let (whole_ms, silence_ms) = (self.whole_ms, self.silence_ms_max);
        if whole_ms == silence_ms {
            return format!(
                "no answer came in {whole_ms} ms, which is callMs or all that was left of the run's \
                 runtimeMs"
            );
        }
        if now_ms < self.deadline_ms {
            return format!(
                "no answer and no progress came for {silence_ms} ms; callMs says for how long a tool may be \
                 silent"
            );
        }
        format!(
            "no answer came in {whole_ms} ms, though there was progress; such a tool may take five times \
             callMs, and no longer than what is left of runtimeMs"
        )
    }

    /// Returns whether to try again after an attempt that had no effect on the server.
    fn may_ask_again(&self, failure: &CallFailure, terms: &ToolTerms<'_>) -> bool {
        match failure {
            CallFailure::Busy { .. } => self.pauses.get() < terms.throttled_max,
            CallFailure::Down(_) => self.pauses.get() + 1 < REACHING_MAX,
            _ => false,
        }
    }

    /// Returns the pause before the next attempt, in milliseconds. It is what the server requests, or else 0.5 seconds
    /// at first and twice as long each time, shortened at random by at most half.
    fn pause_ms(&self, failure: &CallFailure, jitter: f64) -> u64 {
        let pauses = self.pauses.replace(self.pauses.get().saturating_add(1));
        if let CallFailure::Busy {
            after_ms: Some(after_ms),
        } = failure
        {
            return *after_ms;
        }
        let full_ms = PAUSE_MS << pauses.min(6);
        // The pause is at most 32 seconds, so the conversion loses only the fraction.
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        let spread_ms = (full_ms as f64 * (0.5 + jitter.clamp(0.0, 1.0) / 2.0)) as u64;
        spread_ms
    }
}

/// What was journaled so far about one exchange.
struct Noting {
    request: Cell<u64>,
    is_begun: Cell<bool>,
    heard: RefCell<String>,
    heard_ms: Cell<Option<u64>>,
}

impl Noting {
    /// Makes an empty record. `request` is the exchange's request id, which a resumed call keeps from its earlier
    /// process.
    fn new(request: u64) -> Self {
        Self {
            request: Cell::new(request),
            is_begun: Cell::new(false),
            heard: RefCell::default(),
            heard_ms: Cell::new(None),
        }
    }

    /// Returns whether to journal an event: it must differ from the last journaled one, and come at least [`NOTING_MS`]
    /// after it.
    fn is_new(&self, event: &str, now_ms: u64) -> bool {
        let is_soon = self
            .heard_ms
            .get()
            .is_some_and(|before| now_ms < before + NOTING_MS);
        if is_soon || *self.heard.borrow() == event {
            return false;
        }
        self.heard_ms.set(Some(now_ms));
        event.clone_into(&mut self.heard.borrow_mut());
        true
    }
}
