//! The bad habits of models: what they write instead of, or around, the requested JSON.

use serde_json::{Value, json};

/// An answer that is not JSON.
pub(in crate::providers) const LAWLESS: &str = "I would look at the gala photos first.";

/// Puts a text into a Markdown fence.
pub(in crate::providers) fn fenced(text: &str) -> String {
    format!("```json\n{text}\n```")
}

/// Puts a text after the model's reasoning, like servers that do not separate the two.
pub(in crate::providers) fn after_thinking(text: &str) -> String {
    format!("<think>\nThe target is {{\"far\": true}} from most of them.\n</think>\n\n{text}")
}

/// Puts a text between two sentences.
pub(in crate::providers) fn chatty(text: &str) -> String {
    format!("Here is the plan:\n{text}\nI hope this helps!")
}

/// Cuts a text off in the middle.
pub(in crate::providers) fn without_its_end(text: &str) -> String {
    text.chars().take(text.chars().count() / 2).collect()
}

/// Returns a plan that names somebody who is not in the prompt's table.
pub(in crate::providers) fn naming_somebody_unknown() -> Value {
    let name = "Nobody Inthetable";
    json!({"nextCandidates": [name],
        "searchQueries": [format!("{name} private address")],
        "narration": "They are sure to have met.", "hypotheses": []})
}
