//! The notices that the engine emits.

use domain::Sha256Digest;
use domain::page::Done;
use kernel::Millis;
use serde_json::Value;
use strum::AsRefStr;

use crate::machine::grammar::{Call, Cause};

use super::{Ending, Place, Spent, WhyFailed};

/// Something to emit, with its time. No notice holds the value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that caused the notice.
    pub at: Millis,
    /// The kind of the notice, which becomes one event.
    pub kind: NoticeKind,
}

/// The kinds of notices. States are identified by their positions, from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The run begins.
    Started {
        /// The number of states.
        states: usize,
    },
    /// A warning: something in the automaton or its run does not do what it seems to.
    Warning {
        /// The state that it is about, if any.
        state: Option<usize>,
        /// The warning, in one sentence.
        message: String,
    },
    /// The run waits.
    Waiting {
        /// The duration, in milliseconds.
        ms: u64,
        /// The reason for waiting.
        pause: Pause,
    },
    /// The page was looked at.
    Looked {
        /// The page's address; `None` if unreadable.
        url: Option<String>,
        /// SHA-256 of the stored picture, if any.
        picture: Option<Sha256Digest>,
        /// The matching states, in order.
        passed: Vec<usize>,
        /// The decision after the look.
        decision: Decision,
    },
    /// A state is executed.
    StateEntered {
        /// The state.
        state: usize,
        /// The state's name.
        name: String,
    },
    /// An action begins.
    ActionBegun {
        /// The action's place.
        place: Place,
        /// The action, with references instead of parameter values.
        call: Call,
    },
    /// An action was executed.
    ActionDone {
        /// The action's place.
        place: Place,
        /// Where and how it happened.
        done: Done,
    },
    /// An action failed.
    ActionFailed {
        /// The action's place.
        place: Place,
        /// The kind of failure.
        cause: Cause,
        /// Whether the action was parsed, and so could be tried.
        was_tried: bool,
        /// What happened, in one sentence.
        message: String,
    },
    /// An investigation begins, or has ended.
    Chain {
        /// The action's place.
        place: Place,
        /// The run's public token, if known.
        run: Option<String>,
        /// What happened, in one sentence.
        message: String,
    },
    /// It is unknown whether an action was executed; the page is looked at.
    Recovering {
        /// The action's place.
        place: Place,
    },
    /// A state has been executed.
    StateLeft {
        /// The state.
        state: usize,
    },
    /// The loop has ended, and a state is made so that it can continue.
    Making {
        /// Why the loop ended.
        why: WhyFailed,
    },
    /// The page offers these triggers.
    Offered {
        /// The triggers, as models see them.
        offers: Vec<String>,
    },
    /// A state was made and inserted before all others, whose positions rise by one. Its actions are made, and
    /// executed, from now on.
    StateMade {
        /// The state as it is written in a file.
        written: Value,
    },
    /// An unfinished state is dropped. The positions of the others fall by one.
    StateDropped,
    /// A model is asked about the page.
    Asked {
        /// The question.
        about: AskedAbout,
        /// How often it was asked, this time included.
        attempt: u32,
    },
    /// A model has answered.
    Answered {
        /// The question.
        about: AskedAbout,
        /// The model's name.
        model: String,
        /// The start of the model's answer.
        says: String,
        /// Why the answer is refused, if it is.
        refused: Option<String>,
    },
    /// A state's checks, or one of its actions, were regenerated.
    StateChanged {
        /// The state.
        state: usize,
        /// The state as it is written in a file.
        written: Value,
    },
    /// A state made by models is complete.
    StateKept {
        /// The state.
        state: usize,
        /// The proof that its checks hold again; `None` so far.
        proof: Option<Proof>,
        /// The state as it is written in a file.
        written: Value,
    },
    /// From here on only important notices are emitted; the rest is counted.
    Bounded {
        /// The number of notices emitted so far.
        notices: u32,
    },
    /// A message for viewers about something outside the run.
    Remark(String),
    /// The run has ended: the last notice.
    Ended {
        /// How the run ended.
        ending: Ending,
        /// The run's total spending.
        spent: Spent,
        /// The number of notices counted but not emitted.
        left_out: u64,
        /// The failed checks and actions, the states made or regenerated, and the difference from the original
        /// automaton: `{failures, made, regenerated, difference}`. `None` if nothing failed and nothing was made.
        drift: Option<Value>,
    },
}

/// The question that a model is asked about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum AskedAbout {
    /// Which of the prompts fits the page.
    Prompt,
    /// Which of the triggers identify the state.
    Triggers,
    /// What to do next on the page.
    Action,
}

/// How it was proven that the checks of a model-made state hold again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Proof {
    /// The state matched again.
    SecondVisit,
    /// The checks held after the page was reloaded.
    Reload,
}

impl NoticeKind {
    /// Returns whether this is the last notice.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }

    /// Returns whether the notice is emitted even beyond the limit.
    pub(crate) fn is_always_told(&self) -> bool {
        matches!(
            self,
            Self::Started { .. }
                | Self::ActionFailed { .. }
                | Self::Recovering { .. }
                | Self::Making { .. }
                | Self::StateMade { .. }
                | Self::StateDropped
                | Self::StateChanged { .. }
                | Self::StateKept { .. }
                | Self::Remark(_)
                | Self::Bounded { .. }
                | Self::Ended { .. }
        )
    }
}

/// The reason for a wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The page may change before the next look.
    Transition,
    /// Actions are spaced out.
    Spacing,
    /// An action requests it.
    Wanted,
}

/// The decision after a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// The first matching state is executed.
    Run,
    /// The last executed state still matches; the run waits for that to end.
    Repeat,
    /// No state matches; the run waits for one.
    Wait,
    /// The run ends.
    End,
    /// A model is asked.
    Ask,
}
