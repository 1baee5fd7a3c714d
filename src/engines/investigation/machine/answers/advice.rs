//! What the planner says.

use crate::engines::investigation::machine::scheduler::AnsweredAdvice;
use crate::engines::investigation::machine::state::{Move, State};
use crate::engines::investigation::machine::telling::Teller;

use super::AnswerHandler;

impl AnswerHandler<'_> {
    /// Takes the planner's advice, or that it gave none; then S3 chooses.
    pub fn take_advice(&mut self, answered: AnsweredAdvice) -> Option<Move> {
        // While it was asked a chain was proven by what was under way.
        if !matches!(self.state, State::Choice { .. }) {
            return None;
        }
        let place = self.place();
        self.advice.take_answer(
            (&answered.table, &answered.allowed_queries),
            answered.result,
            self.facts,
            &mut Teller::new(self.story, self.facts, self.budget, place),
        );
        Some(Move::go(State::Choice {
            planner_answered: true,
        }))
    }
}
