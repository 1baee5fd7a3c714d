//! The sentences that ask for a state.

use serde_json::Value;

use super::members::Members;
use super::read_error::ReadError;

/// The most prompts.
const PROMPTS_MAX: usize = 200;
/// The most sentences of one kind of a prompt.
const SENTENCES_MAX: usize = 100;

/// The sentences that ask for a state which a model makes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prompt {
    /// The name of the state.
    pub name: String,
    /// The description of the state.
    pub description: String,
    /// The sentences that say when the page is in the state.
    pub triggers: Vec<String>,
    /// The sentences that say what is done in the state.
    pub actions: Vec<String>,
    /// The words with which the run ends after the state; empty where it goes on.
    pub end_state: String,
}

impl Prompt {
    /// Returns whether the state has an end that is more than blanks.
    #[must_use]
    pub fn has_words_at_end(&self) -> bool {
        !self.end_state.trim().is_empty()
    }

    /// Reads a list of prompts.
    pub fn read_all(json: &Value) -> Result<Vec<Self>, ReadError> {
        let Value::Array(list) = json else {
            return Err(ReadError::new("the prompts must be a list"));
        };
        if list.len() > PROMPTS_MAX {
            let message = format!("there are more than {PROMPTS_MAX} prompts");
            return Err(ReadError::new(message));
        }
        let prompts = list.iter().enumerate();
        prompts
            .map(|(at, json)| Self::read(json).map_err(|error| error.in_state(at)))
            .collect()
    }

    fn read(json: &Value) -> Result<Self, ReadError> {
        let members = Members::of(json, "a prompt")?;
        Ok(Self {
            name: members.text("name")?,
            description: members.optional_text("description")?,
            triggers: members.texts("triggers", SENTENCES_MAX)?,
            actions: members.texts("actions", SENTENCES_MAX)?,
            end_state: members.optional_text("end_state")?,
        })
    }
}
