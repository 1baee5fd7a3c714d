//! The changes that the planner's answer makes.

use crate::machine::scheduler::AnsweredAdvice;
use crate::machine::state::{Move, State};
use crate::machine::telling::Teller;

use super::AnswerHandler;

impl AnswerHandler<'_> {
    /// Takes the planner's advice, or notes that it gave none. Then S3 chooses.
    pub fn take_advice(&mut self, answered: AnsweredAdvice) -> Option<Move> {
        // A call under way has proven a chain while the planner was asked.
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
