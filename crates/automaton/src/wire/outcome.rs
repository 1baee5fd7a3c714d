//! The stored forms of the outcomes of an automaton's commands, in JSON and back without loss.

use serde::{Deserialize, Serialize};

use domain::Sha256Digest;
use domain::page::{
    ActionFailure, Area, BrowserGone, Done, Item, PageElement, PageView, Point, Signals,
};
use engine::{FailureForm, ReplyForm, ResultForm};

use crate::machine::{ChainEnd, ChainFailure, Looked, Outcome};

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
    /// Whether the page was reloaded, or why there is no browser.
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
    /// The outcome of the action is unknown.
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

/// The stored form of a [`Looked`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookedForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    /// The text and the selector of each item; none where the page's script failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    items: Option<Vec<(String, String)>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    found: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    elements: Vec<ElementForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ElementForm {
    selector: String,
    tag: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    role: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    /// The left, the top, the width and the height of its box.
    area: [f64; 4],
}

impl LookedForm {
    fn of(looked: &Looked) -> Self {
        let PageView {
            signals,
            title,
            elements,
        } = &looked.view;
        let items = signals.items.as_ref().map(|items| {
            let items = items.iter();
            items
                .map(|item| (item.text.clone(), item.selector.clone()))
                .collect()
        });
        Self {
            url: signals.url.clone(),
            title: title.clone(),
            items,
            found: signals.found.clone(),
            elements: elements.iter().map(ElementForm::of).collect(),
            picture: looked.picture.as_ref().map(ToString::to_string),
        }
    }

    /// Reads the page back. Returns `None` where its picture's digest is none.
    fn read(self) -> Option<Looked> {
        let items = self.items.map(|items| {
            let items = items.into_iter();
            items.map(|(text, selector)| Item { text, selector })
        });
        let picture = match self.picture {
            Some(digest) => Some(Sha256Digest::parse(&digest)?),
            None => None,
        };
        Some(Looked {
            view: PageView {
                signals: Signals {
                    url: self.url,
                    items: items.map(Iterator::collect),
                    found: self.found,
                },
                title: self.title,
                elements: self.elements.into_iter().map(ElementForm::read).collect(),
            },
            picture,
        })
    }
}

impl ElementForm {
    fn of(element: &PageElement) -> Self {
        let Area {
            x,
            y,
            width,
            height,
        } = element.area;
        Self {
            selector: element.selector.clone(),
            tag: element.tag.clone(),
            role: element.role.clone(),
            text: element.text.clone(),
            area: [x, y, width, height],
        }
    }

    fn read(self) -> PageElement {
        let [x, y, width, height] = self.area;
        PageElement {
            selector: self.selector,
            tag: self.tag,
            role: self.role,
            text: self.text,
            area: Area {
                x,
                y,
                width,
                height,
            },
        }
    }
}

/// The stored form of a [`ChainEnd`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainEndForm {
    run: String,
    message: String,
}

/// The stored form of a [`ChainFailure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainFailureForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    run: Option<String>,
    message: String,
}

impl ChainEndForm {
    fn of(end: &ChainEnd) -> Self {
        Self {
            run: end.run.clone(),
            message: end.message.clone(),
        }
    }

    fn read(self) -> ChainEnd {
        ChainEnd {
            run: self.run,
            message: self.message,
        }
    }
}

impl ChainFailureForm {
    fn of(failure: &ChainFailure) -> Self {
        Self {
            run: failure.run.clone(),
            message: failure.message.clone(),
        }
    }

    fn read(self) -> ChainFailure {
        ChainFailure {
            run: self.run,
            message: self.message,
        }
    }
}
