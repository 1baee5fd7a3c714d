//! The machine of a countdown, which is pure like every engine's.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use engine::{Machine, OrderError};
use kernel::{Answer, Command, CommandId, Input, LostCall, Millis, Outbox};

/// The price of one number, in billionths of a US dollar.
pub const PRICE_NANO_USD: u64 = 1_000_000;
const ATTEMPTS_MAX: u32 = 2;

/// The countdown's engine, for the registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CountdownEngine;

/// What a run is to do, from its request.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CountdownOrder {
    pub engine: String,
    pub from: u32,
    pub runtime_ms_max: u64,
    pub nano_usd_max: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub then: Option<Value>,
}

/// An action of the machine: request a number, or begin a run.
#[derive(Debug, Clone, PartialEq)]
pub enum Action {
    Count { left: u32 },
    Begin { request: Value, nano_usd_max: u64 },
}

/// The outcome of an action: the provider's words or, for a failure, the error message.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    pub says: String,
    pub is_failure: bool,
}

/// A notice of the machine. A notice whose kind ends the run is the last one.
#[derive(Debug, Clone)]
pub struct Notice {
    pub at: Millis,
    pub kind: &'static str,
    pub left: u32,
    pub message: String,
    pub nano_usd: u64,
}

/// The state of a countdown.
#[derive(Debug, Clone)]
pub struct Countdown {
    order: CountdownOrder,
    left: u32,
    nano_usd: u64,
    now: Millis,
    passed_ms: u64,
    last_id: u32,
    under_way: Option<Command<Action>>,
    commands: Outbox<Command<Action>>,
    notices: Outbox<Notice>,
    is_ended: bool,
}

impl Countdown {
    pub fn order(&self) -> &CountdownOrder {
        &self.order
    }

    pub fn next_notice(&mut self) -> Option<Notice> {
        self.notices.take_next()
    }

    fn tell(&mut self, kind: &'static str, message: impl Into<String>) {
        let (at, left, nano_usd) = (self.now, self.left, self.nano_usd);
        let message = message.into();
        self.notices.add(Notice {
            at,
            kind,
            left,
            message,
            nano_usd,
        });
    }

    fn end(&mut self, kind: &'static str, message: impl Into<String>) {
        self.tell(kind, message);
        self.is_ended = true;
    }

    fn go_on(&mut self) {
        let money_left = self.order.nano_usd_max.saturating_sub(self.nano_usd);
        let action = match (self.left, self.order.then.take()) {
            (0, None) => return self.end("landed", "The countdown is over."),
            (0, Some(request)) => Action::Begin {
                request,
                nano_usd_max: money_left,
            },
            (left, then) => {
                self.order.then = then;
                if money_left < PRICE_NANO_USD.saturating_mul(ATTEMPTS_MAX.into()) {
                    return self.end("failed", "The money does not last for one more number.");
                }
                Action::Count { left }
            }
        };
        self.last_id = self.last_id.saturating_add(1);
        self.send(CommandId(self.last_id), action);
    }

    fn send(&mut self, id: CommandId, action: Action) {
        let time_left_ms = self.order.runtime_ms_max.saturating_sub(self.passed_ms);
        if time_left_ms == 0 {
            return self.end("failed", "The time is over.");
        }
        let attempts_max = if matches!(action, Action::Begin { .. }) {
            1
        } else {
            ATTEMPTS_MAX
        };
        let command = Command {
            id,
            attempts_max,
            throttled_max: 0,
            time_left_ms,
            silence_ms_max: time_left_ms,
            action,
        };
        self.under_way = Some(command.clone());
        self.commands.add(command);
    }

    fn take(&mut self, answer: Answer<Outcome>) {
        let Some(command) = self
            .under_way
            .take_if(|command| command.id == answer.command)
        else {
            return;
        };
        self.nano_usd = self.nano_usd.saturating_add(answer.nano_usd);
        let Outcome { says, is_failure } = answer.outcome;
        match command.action {
            _ if is_failure => return self.end("failed", says),
            Action::Count { left } => {
                self.left = left.saturating_sub(1);
                self.tell("counted", says);
            }
            Action::Begin { .. } => self.tell("child", says),
        }
        self.go_on();
    }

    fn lose(&mut self, lost: &[LostCall]) {
        let nano_usd: u64 = lost.iter().map(|call| call.nano_usd).sum();
        self.nano_usd = self.nano_usd.saturating_add(nano_usd);
    }
}

impl Machine for CountdownEngine {
    type State = Countdown;
    type Order = CountdownOrder;
    type Action = Action;
    type Outcome = Outcome;

    const STOP_ENDS_CALLS: bool = true;

    fn begin(order: &CountdownOrder) -> Result<Countdown, OrderError> {
        if order.from > 1_000 {
            return Err(OrderError::Part("the number"));
        }
        Ok(Countdown {
            order: order.clone(),
            left: order.from,
            nano_usd: 0,
            now: Millis(0),
            passed_ms: 0,
            last_id: 0,
            under_way: None,
            commands: Outbox::default(),
            notices: Outbox::default(),
            is_ended: false,
        })
    }

    fn handle(state: &mut Countdown, input: Input<Outcome>, now: Millis) {
        if state.is_ended {
            return;
        }
        let passed_ms = now.0.saturating_sub(state.now.0);
        let counts = !matches!(input, Input::Start | Input::Resumed { .. });
        state.passed_ms = state
            .passed_ms
            .saturating_add(if counts { passed_ms } else { 0 });
        state.now = state.now.max(now);
        match input {
            Input::Start => state.go_on(),
            Input::Answer(answer) => state.take(answer),
            Input::Remark(remark) => state.tell("remark", remark),
            Input::Withdrawn { .. } => {}
            Input::Stop { lost } => {
                state.lose(&lost);
                state.end("stopped", "The countdown was stopped.");
            }
            Input::Resumed { lost } => {
                state.lose(&lost);
                if let Some(command) = state.under_way.take() {
                    state.send(command.id, command.action);
                }
            }
        }
    }

    fn next_command(state: &mut Countdown) -> Option<Command<Action>> {
        state.commands.take_next()
    }

    fn is_ended(state: &Countdown) -> bool {
        state.is_ended
    }
}
