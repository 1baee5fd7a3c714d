//! Answers of an earlier run, for a run that was forked from it.

use std::collections::BTreeMap;

use crate::investigation::Outcome;

use super::asked::Asked;
use super::entry::{Answered, Entry};

/// The answers of a run for a fork of it: one for each question, successes only; those that it had
/// from an earlier run itself among them.
#[must_use]
pub fn answers_to_keep(entries: Vec<Entry>) -> Vec<Answered> {
    let mut answers = BTreeMap::new();
    for entry in entries {
        if let Entry::Kept(answered) | Entry::Answer(answered) = entry
            && answered.is_success()
        {
            answers.insert(answered.asked().clone(), answered);
        }
    }
    answers.into_values().collect()
}

/// What is at hand, by its question. Failures are asked again.
#[derive(Debug, Clone, Default)]
pub struct KeptAnswers {
    by_question: BTreeMap<Asked, Outcome>,
    /// Of searches: the query's largest count.
    counts: BTreeMap<String, u32>,
}

impl KeptAnswers {
    /// Takes an answer in, if it is a success.
    pub fn insert(&mut self, answered: Answered) {
        if !answered.is_success() {
            return;
        }
        let asked = answered.asked().clone();
        let Some(answer) = answered.answer() else {
            return;
        };
        if let Asked::Search { query, count } = &asked {
            let known = self.counts.entry(query.clone()).or_insert(0);
            *known = (*known).max(*count);
        }
        self.by_question.insert(asked, answer.outcome);
    }

    /// The answer to a question. A search for fewer photos is answered by one for more.
    #[must_use]
    pub fn answer(&self, asked: &Asked) -> Option<Outcome> {
        if let Some(outcome) = self.by_question.get(asked) {
            return Some(outcome.clone());
        }
        let Asked::Search { query, count } = asked else {
            return None;
        };
        let known = Asked::Search {
            query: query.clone(),
            count: *self.counts.get(query)?,
        };
        let Outcome::Searched(Ok(hits)) = self.by_question.get(&known)? else {
            return None;
        };
        // Fewer hits may be what is left of more: only enough of them are an answer.
        let wanted = usize::try_from(*count).unwrap_or(usize::MAX);
        let is_enough = hits.len() >= wanted;
        is_enough.then(|| Outcome::Searched(Ok(hits.iter().take(wanted).cloned().collect())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Failure, FailureKind, Hit};
    use crate::investigation::{Answer, CommandId};

    fn hits(count: usize) -> Vec<Hit> {
        let hit = |number: usize| Hit {
            image_url: format!("https://a.example/{number}.jpg"),
            thumbnail_url: None,
            context_url: None,
            title: String::new(),
        };
        (0..count).map(hit).collect()
    }

    fn search(count: u32) -> Asked {
        Asked::Search {
            query: "A".into(),
            count,
        }
    }

    fn kept(count: u32, outcome: Outcome) -> KeptAnswers {
        let answer = Answer {
            command: CommandId(1),
            attempts: 1,
            nano_usd: 5,
            outcome,
        };
        let mut kept = KeptAnswers::default();
        kept.insert(Answered::new(search(count), &answer, None, false));
        kept
    }

    fn found(kept: &KeptAnswers, count: u32) -> Option<usize> {
        match kept.answer(&search(count))? {
            Outcome::Searched(Ok(hits)) => Some(hits.len()),
            _ => None,
        }
    }

    #[test]
    fn a_search_is_answered_by_one_for_more_photos_that_found_enough() {
        let full = kept(5, Outcome::Searched(Ok(hits(5))));
        assert_eq!(
            [3, 5, 6].map(|count| found(&full, count)),
            [Some(3), Some(5), None]
        );
        let few = kept(5, Outcome::Searched(Ok(hits(2))));
        assert_eq!(
            [1, 3, 5, 10].map(|count| found(&few, count)),
            [Some(1), None, Some(2), None]
        );
    }

    #[test]
    fn failures_are_asked_again() {
        let failure = Failure::new(FailureKind::Down, "no connection");
        assert_eq!(found(&kept(5, Outcome::Searched(Err(failure))), 5), None);
    }
}
