//! The notices that the engine emits: each becomes one event of the run.

use domain::Sha256Digest;
use domain::page::Done;
use kernel::Millis;
use serde_json::Value;
use strum::AsRefStr;

use crate::machine::grammar::{Call, Cause};

use super::{Ending, Place, Spent, WhyFailed};

/// Something that happened in the run, with its time. No notice contains the value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that caused the notice.
    pub at: Millis,
    /// What happened, which determines the kind of the event.
    pub kind: NoticeKind,
}

/// The kinds of notices. States are identified by their positions, from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The run begins.
    Started {
        /// The number of states in the automaton.
        states: usize,
    },
    /// A warning that something in the automaton or its run does not do what it seems to do.
    Warning {
        /// The position of the state that the warning concerns; `None` if it concerns the run.
        state: Option<usize>,
        /// The warning, in one sentence.
        message: String,
    },
    /// The run begins to wait.
    Waiting {
        /// The duration, in milliseconds.
        ms: u64,
        /// The reason for waiting.
        pause: Pause,
    },
    /// The page was looked at.
    Looked {
        /// The page's address; `None` if it could not be read.
        url: Option<String>,
        /// SHA-256 of the stored picture; `None` if none is stored.
        picture: Option<Sha256Digest>,
        /// The positions of the matching states, in order.
        passed: Vec<usize>,
        /// What the run decided after the look.
        decision: Decision,
    },
    /// A state begins to be executed.
    StateEntered {
        /// The position of the state.
        state: usize,
        /// The state's name.
        name: String,
    },
    /// The actions of a state begin for one of several elements.
    RoundBegun {
        /// The position of the state.
        state: usize,
        /// The position of the element, from 0.
        position: u32,
        /// The number of elements.
        count: u32,
    },
    /// An action begins to be executed.
    ActionBegun {
        /// The place of the action in the automaton.
        place: Place,
        /// The action's call, with references instead of the values of parameters.
        call: Call,
    },
    /// An action was executed.
    ActionDone {
        /// The place of the action in the automaton.
        place: Place,
        /// How the action was executed, and at which point.
        done: Done,
    },
    /// An action failed.
    ActionFailed {
        /// The place of the action in the automaton.
        place: Place,
        /// The kind of failure.
        cause: Cause,
        /// Whether an attempt was made to execute the action, which requires that it could be parsed.
        was_tried: bool,
        /// What happened, in one sentence.
        message: String,
    },
    /// A child investigation begins or has ended.
    Chain {
        /// The place of the action in the automaton.
        place: Place,
        /// The child run's public token; `None` if it is not known yet.
        run: Option<String>,
        /// What happened, in one sentence.
        message: String,
    },
    /// It is unknown whether an action was executed, so the run looks at the page.
    Recovering {
        /// The place of the action in the automaton.
        place: Place,
    },
    /// A state has been executed.
    StateLeft {
        /// The position of the state.
        state: usize,
    },
    /// No state matches, and models begin to make one so that the run can continue.
    Making {
        /// Why the run would otherwise have ended.
        why: WhyFailed,
    },
    /// The page offers these triggers, from which a model chooses.
    Offered {
        /// The triggers, in the words that models see.
        offers: Vec<String>,
    },
    /// A state was made and inserted before all others, whose positions rise by one. It has no actions yet; they are
    /// added and executed one by one.
    StateMade {
        /// The state in the form of a file.
        written: Value,
    },
    /// An unfinished state was removed. The positions of the other states fall by one.
    StateDropped,
    /// A model is asked about the page.
    Asked {
        /// What the model is asked.
        about: AskedAbout,
        /// The number of the attempt, from 1.
        attempt: u32,
    },
    /// A model has answered.
    Answered {
        /// What the model was asked.
        about: AskedAbout,
        /// The name of the model.
        model: String,
        /// The start of the model's answer, which may be truncated.
        says: String,
        /// Why the answer is refused; `None` if it is accepted.
        refused: Option<String>,
    },
    /// A state's checks, or one of its actions, were regenerated.
    StateChanged {
        /// The position of the state.
        state: usize,
        /// The changed state in the form of a file.
        written: Value,
    },
    /// A state made by models is complete.
    StateKept {
        /// The position of the state.
        state: usize,
        /// The proof that the state's checks hold again; `None` if there is no proof yet.
        proof: Option<Proof>,
        /// The state in the form of a file.
        written: Value,
    },
    /// The limit of notices is reached. From here on only important ones are emitted, and the others are counted.
    Bounded {
        /// The number of notices emitted so far.
        notices: u32,
    },
    /// A message for viewers about something outside the state machine.
    Remark(String),
    /// The run has ended. This is its last notice.
    Ended {
        /// How the run ended.
        ending: Ending,
        /// The run's total spending.
        spent: Spent,
        /// The number of notices that were counted but not emitted.
        left_out: u64,
        /// What failed, what models changed, and the difference from the original automaton: `{failures, made,
        /// regenerated, difference}`. `None` if nothing failed and nothing was made.
        drift: Option<Value>,
        /// What the run has extracted, as `{name: text | [text]}`; `None` if that is nothing.
        extracted: Option<Value>,
    },
}

/// What a model is asked about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum AskedAbout {
    /// Which of the prompts fits the page, if any.
    Prompt,
    /// Which of the page's triggers identify the state.
    Triggers,
    /// Which action comes next on the page, if any.
    Action,
}

/// How the checks of a model-made state were proven to hold again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Proof {
    /// The state matched the page once more.
    SecondVisit,
    /// The checks held after a reload of the page.
    Reload,
}

impl NoticeKind {
    /// Returns whether this is the last notice.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }

    /// Returns whether the notice is emitted even after the limit of notices is reached.
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

/// Why the run waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The page needs time to change before the next look.
    Transition,
    /// The order requires a delay between two actions.
    Spacing,
    /// An action of the state requests the wait.
    Wanted,
}

/// What the run decided after a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// A matching state is executed.
    Run,
    /// The last executed state still matches, so the run waits until it no longer does.
    Repeat,
    /// No state matches, so the run waits until one does.
    Wait,
    /// The run ends, or would end unless models make a state.
    End,
    /// A model is asked about the page, or its answer is checked.
    Ask,
}
