//! The order of an automaton's run.

use std::collections::BTreeSet;

use crate::machine::states::{Automaton, Prompt};

use super::limits::Limits;
use super::settings::Settings;

/// The order of an automaton's run, already accepted.
#[derive(Debug, Clone, PartialEq)]
pub struct Order {
    /// The states.
    pub automaton: Automaton,
    /// The prompts by which models make further states; empty where none is made.
    pub prompts: Vec<Prompt>,
    /// The periods and limits of the loop.
    pub settings: Settings,
    /// The parameters that the states may refer to.
    pub parameters: Parameters,
    /// The reaction where nobody knows whether an action was carried out.
    pub on_unknown: OnUnknown,
    /// Whether models make a state anew whose check or action fails.
    pub regenerates: bool,
    /// Whether a picture of each page that was looked at is kept beside the run.
    pub keeps_pictures: bool,
    /// The limits of what the run may do and spend.
    pub limits: Limits,
}

/// The names of the parameters that the states may refer to. Their values are known only to whoever
/// carries an action out.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Parameters {
    /// The names of the parameters whose values anybody may see.
    pub open: BTreeSet<String>,
    /// The names of the parameters whose values nobody may see.
    pub secret: BTreeSet<String>,
}

impl Parameters {
    /// Returns whether the run has a parameter of this name.
    #[must_use]
    pub fn has(&self, name: &str) -> bool {
        self.open.contains(name) || self.secret.contains(name)
    }
}

/// The reaction where an action was sent, nobody knows what came of it, and its state still passes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum OnUnknown {
    /// The run ends and says what to look at, unless the action may be repeated.
    #[default]
    End,
    /// The action is carried out again.
    Again,
}

impl OnUnknown {
    /// Returns the reaction as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::End => "end",
            Self::Again => "again",
        }
    }

    /// Returns the reaction of this name. Returns `None` where there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        [Self::End, Self::Again]
            .into_iter()
            .find(|reaction| reaction.as_str() == name)
    }
}
