//! Which prompt a model has chosen.

use crate::engines::automaton::machine::states::Prompt;

/// The word before the name of a chosen state, in lower case.
const WORD: &str = "state:";

/// Returns the prompt that a model's answer chooses: the one whose name comes after `State:`, or the
/// first whose name the answer has anywhere, where nothing comes after it. Returns `None` where the
/// answer chooses none.
#[must_use]
pub fn chosen<'prompts>(prompts: &'prompts [Prompt], answer: &str) -> Option<&'prompts Prompt> {
    match named(answer) {
        Some(name) => prompts.iter().find(|prompt| prompt.name == name),
        None => prompts
            .iter()
            .find(|prompt| answer.contains(prompt.name.as_str())),
    }
}

/// Returns the first line after the first `State:` that is more than blanks.
fn named(answer: &str) -> Option<&str> {
    // Only ASCII letters change, so that every place stays where it is.
    let lower = answer.to_ascii_lowercase();
    let at = lower.find(WORD)?;
    let rest = answer.get(at.saturating_add(WORD.len())..)?;
    let name = rest.trim_start().lines().next().unwrap_or_default().trim();
    (!name.is_empty()).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_after_its_word_or_anywhere() {
        let prompt = |name: &str| Prompt {
            name: name.to_owned(),
            description: String::new(),
            triggers: Vec::new(),
            actions: Vec::new(),
            end_state: String::new(),
        };
        let prompts = [prompt("Login"), prompt("Login Done"), prompt("Home")];
        for (answer, name) in [
            ("Reasoning: it is shown.\nState: Login", Some("Login")),
            ("STATE:\n  Login Done  \nState: Home", Some("Login Done")),
            ("state:Home", Some("Home")),
            ("State: Nobody, not Home", None),
            ("I take Home, or Login Done", Some("Login")),
            ("It is Home. State: ", Some("Home")),
            ("It is Home. State:", Some("Home")),
            ("nothing", None),
            ("", None),
        ] {
            let found = chosen(&prompts, answer).map(|prompt| prompt.name.as_str());
            assert_eq!(found, name, "{answer:?}");
        }
    }
}
