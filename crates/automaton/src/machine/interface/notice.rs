//! The notices that the engine tells.

use domain::Sha256Digest;
use domain::page::Done;
use kernel::Millis;
use serde_json::Value;
use strum::AsRefStr;

use crate::machine::grammar::{Call, Cause};

use super::{Ending, Place, Spent, WhyFailed};

/// A notice: something that is told, at a time. No notice holds the value of a parameter.
#[derive(Debug, Clone, PartialEq)]
pub struct Notice {
    /// The time of the input that the notice comes of.
    pub at: Millis,
    /// The kind of the notice, which becomes one event for the viewers.
    pub kind: NoticeKind,
}

/// The kind of event that a notice is. States are named by their positions, from 0.
#[derive(Debug, Clone, PartialEq)]
pub enum NoticeKind {
    /// The run begins.
    Started {
        /// The number of states.
        states: usize,
    },
    /// Something in the automaton, or in its run, does not do what it seems to.
    Warning {
        /// The state that it is about, if it is one.
        state: Option<usize>,
        /// The surprise, in one sentence.
        message: String,
    },
    /// Some time passes.
    Waiting {
        /// The time, in milliseconds.
        ms: u64,
        /// The purpose of the time.
        pause: Pause,
    },
    /// The page was looked at.
    Looked {
        /// The page's address; `None` where it cannot be read.
        url: Option<String>,
        /// SHA-256 of the picture that is kept beside the run, if one is.
        picture: Option<Sha256Digest>,
        /// The states that pass, in order.
        passed: Vec<usize>,
        /// The decision that follows from it.
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
        /// The action, with references instead of the values of parameters.
        call: Call,
    },
    /// An action was carried out.
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
        /// The kind of the failure.
        cause: Cause,
        /// Whether the action was read, so that it could be tried at all.
        was_tried: bool,
        /// The sentence that says what happened.
        message: String,
    },
    /// An investigation begins, or has ended.
    Chain {
        /// The action's place.
        place: Place,
        /// The run's public token, once it is known.
        run: Option<String>,
        /// What happened, in one sentence.
        message: String,
    },
    /// Nobody knows whether an action was carried out; the page is looked at.
    Recovering {
        /// The action's place.
        place: Place,
    },
    /// A state has been executed.
    StateLeft {
        /// The state.
        state: usize,
    },
    /// The loop has ended, and a state is made so that it can go on.
    Making {
        /// The end of the loop.
        why: WhyFailed,
    },
    /// The page offers these triggers.
    Offered {
        /// The triggers, each as a model sees it.
        offers: Vec<String>,
    },
    /// A state was made. It stands before all others, whose positions rise by one. Its actions are made,
    /// and carried out, only now.
    StateMade {
        /// The state as it is written in a file.
        written: Value,
    },
    /// A state that models were making is given up. The positions of the others fall by one.
    StateDropped,
    /// A model is asked about the page.
    Asked {
        /// The question.
        about: AskedAbout,
        /// The number of times that it was asked, this one included.
        attempt: u32,
    },
    /// A model has answered.
    Answered {
        /// The question.
        about: AskedAbout,
        /// The model's name.
        model: String,
        /// The beginning of the model's answer.
        says: String,
        /// The reason why the answer does not count, where it does not.
        refused: Option<String>,
    },
    /// A state's checks, or one of its actions, were regenerated in its place.
    StateChanged {
        /// The state.
        state: usize,
        /// The state as it is written in a file.
        written: Value,
    },
    /// A state that models made is whole.
    StateKept {
        /// The state.
        state: usize,
        /// The proof that its checks hold again; `None` where there is none yet.
        proof: Option<Proof>,
        /// The state as it is written in a file.
        written: Value,
    },
    /// From here on only what matters to everybody is told; the rest is counted.
    Bounded {
        /// The number of notices that were told so far.
        notices: u32,
    },
    /// Something happened outside the run that viewers should know.
    Remark(String),
    /// The run has ended. This is its last notice.
    Ended {
        /// The ending of the run.
        ending: Ending,
        /// The amounts that were spent.
        spent: Spent,
        /// The number of notices that were counted and not told.
        left_out: u64,
        /// What of the automaton failed on which page, and what was made: `{failures, made, regenerated,
        /// difference}`. `None` where nothing failed and nothing was made.
        drift: Option<Value>,
    },
}

/// The question that a model is asked about a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum AskedAbout {
    /// Which of the prompts fits the page.
    Prompt,
    /// Which of the triggers tell that the page is in the state.
    Triggers,
    /// What is done next on the page.
    Action,
}

/// The proof that the checks of a state that models made hold again.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Proof {
    /// The state passed again.
    SecondVisit,
    /// The checks held after the page was reloaded.
    Reload,
}

impl NoticeKind {
    /// Returns whether no notice comes after this one.
    #[must_use]
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Ended { .. })
    }

    /// Returns whether a notice is told however many there are.
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

/// The purpose of a time that passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pause {
    /// The page may change before the next look.
    Transition,
    /// The actions are kept apart.
    Spacing,
    /// An action of a state wants it.
    Wanted,
}

/// The decision that follows from a look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, AsRefStr)]
#[strum(serialize_all = "snake_case")]
pub enum Decision {
    /// The first state that passes is executed.
    Run,
    /// The state that ran last still passes, and is waited for to end.
    Repeat,
    /// No state passes, and one is waited for.
    Wait,
    /// The run ends.
    End,
    /// A model is asked.
    Ask,
}
