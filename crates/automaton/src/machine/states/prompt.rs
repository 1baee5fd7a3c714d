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

    /// Returns whether one of the sentences names a parameter, by its bare name or as `parameters['NAME']`.
    #[must_use]
    pub fn names(&self, parameter: &str) -> bool {
        let sentences = self.triggers.iter().chain(&self.actions);
        let mut sentences = sentences.chain([&self.name, &self.description]);
        sentences.any(|sentence| has_word(sentence, parameter))
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

/// Returns whether a name is in a sentence, and is no part of a longer name there.
fn has_word(sentence: &str, name: &str) -> bool {
    let is_of_name = |one: char| one.is_alphanumeric() || matches!(one, '-' | '_');
    sentence.match_indices(name).any(|(at, _)| {
        let (before, rest) = sentence.split_at(at);
        let behind = rest.get(name.len()..).unwrap_or_default();
        // A dot between letters is one of a name, and one behind a name ends the sentence.
        let goes_on = match behind.strip_prefix('.') {
            Some(behind) => behind.starts_with(is_of_name),
            None => behind.starts_with(is_of_name),
        };
        let began = match before.strip_suffix('.') {
            Some(before) => before.ends_with(is_of_name),
            None => before.ends_with(is_of_name),
        };
        !goes_on && !began
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_no_part_of_a_longer_one() {
        for (sentence, is_named) in [
            ("type parameters['PIN'] into the field", true),
            ("Type %PIN%.", true),
            ("the PIN. Then go on", true),
            ("the PIN.2", false),
            ("the MY_PIN", false),
            ("the PINS, PIN-2 and A.PIN", false),
            ("pin", false),
            ("", false),
        ] {
            assert_eq!(has_word(sentence, "PIN"), is_named, "{sentence}");
        }
    }
}
