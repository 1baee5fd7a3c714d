//! The stored forms of the outcomes of an automaton's commands, in JSON and back without loss.

use serde::{Deserialize, Serialize};

use domain::page::{ActionFailure, BrowserGone, Done, Point};
use engine::{FailureForm, ReplyForm, ResultForm};

use crate::machine::Outcome;

use super::chain_form::{ChainEndForm, ChainFailureForm};
use super::view_form::LookedForm;

/// The stored form of an [`Outcome`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum AutomatonOutcomeForm {
    /// The page as it was seen, or why there is no browser.
    Looked(ResultForm<LookedForm, String>),
    /// The page is as it was at the last look.
    Unchanged,
    /// The result of an action.
    Acted(ResultForm<DoneForm, ActionFailureForm>),
    /// Whether the page was loaded anew, or why there is no browser.
    Reloaded(ResultForm<(), String>),
    /// The result of asking a language model.
    Asked(ResultForm<ReplyForm, FailureForm>),
    /// The end of an investigation.
    Investigated(ResultForm<ChainEndForm, ChainFailureForm>),
    /// The time has passed.
    Waited,
}

/// The error of a form that this program did not write.
struct Unreadable;

/// The stored form of a [`Done`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct DoneForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    point: Option<(f64, f64)>,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_fallen_back: bool,
}

/// The stored form of an [`ActionFailure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ActionFailureForm {
    /// The action failed.
    Failed(String),
    /// The action is forbidden.
    Refused(String),
    /// Nobody knows what came of the action.
    UnknownOutcome(String),
    /// The browser was gone before the action was sent.
    BrowserGone(String),
}

impl AutomatonOutcomeForm {
    pub(super) fn of(outcome: &Outcome) -> Self {
        let gone = |BrowserGone(says): &BrowserGone| says.clone();
        match outcome {
            Outcome::Looked(result) => Self::Looked(ResultForm::of(result, LookedForm::of, gone)),
            Outcome::Unchanged => Self::Unchanged,
            Outcome::Acted(result) => {
                Self::Acted(ResultForm::of(result, DoneForm::of, ActionFailureForm::of))
            }
            Outcome::Reloaded(result) => Self::Reloaded(ResultForm::of(result, |()| (), gone)),
            Outcome::Asked(result) => {
                Self::Asked(ResultForm::of(result, ReplyForm::of, FailureForm::of))
            }
            Outcome::Investigated(result) => Self::Investigated(ResultForm::of(
                result,
                ChainEndForm::of,
                ChainFailureForm::of,
            )),
            Outcome::Waited => Self::Waited,
        }
    }

    /// Reads the outcome back. Returns `None` where no run makes one of this form.
    pub(super) fn read(self) -> Option<Outcome> {
        self.read_parts().ok()
    }

    fn read_parts(self) -> Result<Outcome, Unreadable> {
        let gone = |says: String| Ok(BrowserGone(says));
        Ok(match self {
            Self::Looked(result) => {
                Outcome::Looked(result.read(|form| form.read().ok_or(Unreadable), gone)?)
            }
            Self::Unchanged => Outcome::Unchanged,
            Self::Acted(result) => {
                Outcome::Acted(result.read(|form| Ok(form.read()), |form| Ok(form.read()))?)
            }
            Self::Reloaded(result) => Outcome::Reloaded(result.read(Ok, gone)?),
            Self::Asked(result) => Outcome::Asked(
                result.read(|form| Ok(form.read()), |form| form.read().ok_or(Unreadable))?,
            ),
            Self::Investigated(result) => {
                Outcome::Investigated(result.read(|form| Ok(form.read()), |form| Ok(form.read()))?)
            }
            Self::Waited => Outcome::Waited,
        })
    }

    /// Returns whether the outcome is what was asked for.
    pub(super) fn is_success(&self) -> bool {
        match self {
            Self::Looked(result) => result.is_ok(),
            Self::Acted(result) => result.is_ok(),
            Self::Reloaded(result) => result.is_ok(),
            Self::Asked(result) => result.is_ok(),
            Self::Investigated(result) => result.is_ok(),
            Self::Unchanged | Self::Waited => true,
        }
    }
}

impl DoneForm {
    fn of(done: &Done) -> Self {
        Self {
            point: done.point.map(|point| (point.x, point.y)),
            has_fallen_back: done.has_fallen_back,
        }
    }

    fn read(self) -> Done {
        Done {
            point: self.point.map(|(x, y)| Point { x, y }),
            has_fallen_back: self.has_fallen_back,
        }
    }
}

impl ActionFailureForm {
    fn of(failure: &ActionFailure) -> Self {
        match failure.clone() {
            ActionFailure::Failed(says) => Self::Failed(says),
            ActionFailure::Refused(says) => Self::Refused(says),
            ActionFailure::UnknownOutcome(says) => Self::UnknownOutcome(says),
            ActionFailure::BrowserGone(says) => Self::BrowserGone(says),
        }
    }

    fn read(self) -> ActionFailure {
        match self {
            Self::Failed(says) => ActionFailure::Failed(says),
            Self::Refused(says) => ActionFailure::Refused(says),
            Self::UnknownOutcome(says) => ActionFailure::UnknownOutcome(says),
            Self::BrowserGone(says) => ActionFailure::BrowserGone(says),
        }
    }
}
