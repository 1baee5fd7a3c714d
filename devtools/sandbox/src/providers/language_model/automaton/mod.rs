//! The model as judge and agent of automata. It decides which prompt fits a page, which triggers identify it, and which
//! action comes next. Every answer is a function of the question's text.

mod acts;
mod agent;
mod judge;
mod meaning;
mod question;
mod spoiling;
#[cfg(test)]
mod test_questions;

use crate::providers::model_habits::ModelHabit;

use super::conversation::{Conversation, Saying};
use question::{Question, asked};

/// Answers an automaton's question as a model with this habit; `None` stands for a model without bad habits. Returns
/// `None` if the text is no question of an automaton.
pub(super) fn answer(conversation: &Conversation, habit: Option<ModelHabit>) -> Option<Saying> {
    let (text, _) = conversation.last_user()?;
    let question = asked(text)?;
    let good = good_answer(&question);
    Some(match habit {
        None => Saying::Text(good),
        Some(habit) => spoiling::spoilt(habit, &question, &good),
    })
}

fn good_answer(question: &Question) -> String {
    match question {
        Question::Prompt(question) => judge::prompt(question),
        Question::Triggers(question) => judge::triggers(question),
        Question::Action(question) => agent::action(question),
    }
}
