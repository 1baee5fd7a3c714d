//! The searches that a state wants.

use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{ListKey, Query, Subject};
use crate::machine::interface::Action;
use crate::machine::scheduler::NewSurvey;
use crate::machine::state::Move;

use super::AnswerHandler;

impl AnswerHandler<'_> {
    /// Looks at what a query finds: of one image search by its place and on a page of its list, or of
    /// any. A query that was asked before is not paid for again. Returns the end where nothing more
    /// may be asked.
    pub fn search(
        &mut self,
        query: &Query,
        (named, is_for_pair): (Vec<Subject>, bool),
        part: Option<(usize, u32)>,
    ) -> Option<Move> {
        let (source, page) = part.unwrap_or_default();
        let survey = NewSurvey {
            list: ListKey {
                query: query.text().to_owned(),
                source,
            },
            named,
            place: self.place(),
            is_for_pair,
        };
        let knowledge = self.facts.knowledge();
        let asked = match part {
            None => knowledge.asked(query.text()),
            Some((_, 0)) => knowledge.list(&survey.list),
            Some(_) => None,
        };
        if let Some(asked) = asked {
            // The query has looked at these photos. Those that it left over are looked at where
            // there is room.
            let hits = asked.hits_looked_at();
            self.scheduler.begin_known(survey, hits);
            return None;
        }
        if let Permission::Refused(reason) = self.budget.permission(CallKind::Search) {
            return Some(Move::fail(reason));
        }
        let wanted = self.plan.wanted(self.facts, (source, page));
        let place = self.place();
        self.teller(place).searching(query, source, page);
        (self.facts).note_query(&survey.list, &survey.named, query.wording(), page);
        let action = Action::Search {
            question: self.facts.question(query, &survey.named),
            count: wanted.count,
            part: wanted.part,
            asked_before: self.facts.asked_before(&survey.list),
        };
        self.scheduler.begin_search(survey, action, self.budget);
        None
    }
}
