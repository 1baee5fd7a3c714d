//! The language model behind all planners, independent of the provider's format.

mod automaton;
mod bad_habits;
mod conversation;
mod fences;
mod instructions;
mod json_schema;
mod matching;
mod model;
mod player;
mod questions;
mod sent_image;
#[cfg(test)]
mod test_speech;

use serde_json::Value;

use super::model_habits::ModelHabit;

pub(super) use bad_habits::{
    LAWLESS, after_thinking, chatty, fenced, naming_somebody_unknown, without_its_end,
};
pub(super) use conversation::{Conversation, Saying, ToolCall, Turn};
pub(super) use json_schema::conform;
pub(super) use model::plan;
pub(super) use sent_image::{ImageMistake, size_of};

/// Returns the model's turn: a tool call, an answer to a question of an automaton or a workflow, or free words. Returns
/// `None` if the model is asked for the plan of an investigation. The habit only affects answers to automata.
pub(super) fn speak(
    conversation: &Conversation,
    wants_json: bool,
    schema: Option<&Value>,
    habit: Option<ModelHabit>,
) -> Option<Saying> {
    if let Some(saying) = automaton::answer(conversation, habit) {
        return Some(saying);
    }
    let saying = if conversation.tools.is_empty() {
        let answer = questions::answer(conversation);
        let text = conversation.last_user().map_or("", |(text, _)| text);
        let asks_for_plan = wants_json || text.contains("<data>");
        match answer {
            Some(answer) => Saying::Text(answer.to_string()),
            None if asks_for_plan => return None,
            None => player::play(conversation),
        }
    } else {
        player::play(conversation)
    };
    Some(match saying {
        Saying::Text(text) if wants_json => Saying::Text(as_json(&text, schema)),
        saying => saying,
    })
}

/// Returns the JSON that a text contains, changed to fit the schema.
fn as_json(text: &str, schema: Option<&Value>) -> String {
    let last = text.lines().last().unwrap_or_default();
    let json = serde_json::from_str(text).or_else(|_| serde_json::from_str(last));
    let json: Value = json.unwrap_or_default();
    schema
        .map_or(json.clone(), |schema| conform(Some(&json), schema))
        .to_string()
}

/// Returns the number of tokens in a text, about one per four characters.
pub(super) fn tokens_in(text: &str) -> u64 {
    text.chars().count().div_ceil(4) as u64
}

/// Returns everything that the user said.
pub(super) fn user_text(conversation: &Conversation) -> String {
    let said = conversation.turns.iter().filter_map(|turn| match turn {
        Turn::User { text, .. } => Some(text.as_str()),
        _ => None,
    });
    said.collect()
}

/// Returns the number of tokens in the tool descriptions of a request; 0 if it has none.
pub(super) fn tokens_of_tools(tools: Option<&Value>) -> u64 {
    tools.map_or(0, |tools| tokens_in(&tools.to_string()))
}

/// Returns the number of input tokens: about one per four characters, and `image_tokens` per picture.
pub(super) fn tokens_given(conversation: &Conversation, image_tokens: u64) -> u64 {
    let tokens = conversation.turns.iter().map(|turn| match turn {
        Turn::User { text, images } => tokens_in(text) + image_tokens * images.len() as u64,
        Turn::Tool { text, .. } => tokens_in(text),
        Turn::Model => 0,
    });
    tokens_in(&conversation.system) + conversation.tool_tokens + tokens.sum::<u64>()
}
