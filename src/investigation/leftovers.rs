//! Which photos of a search's answer are looked at, and what becomes of the others.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So the
//! both-ends plan asks for ten, and looks at the first of them that nobody has seen: a photo that is
//! known shows nothing new. The rest is kept: where a later search shows too few new photos, the best
//! of it are looked at beside them.

use crate::domain::{Hit, PersonIndex};

use super::machine::{Investigation, Route, State};
use super::survey::Step;

/// Photos that a search of the both-ends plan asks for: as many as the provider gives at once.
const HITS_PER_SEARCH: u32 = 10;

/// The first photos of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct First {
    /// So many are looked at.
    pub(super) looked_at: usize,
    /// So many fewer of them are new than a search may look at.
    pub(super) missing: usize,
}

impl Investigation {
    /// Photos that a search asks for.
    //= spec S2 "num=5"
    pub(super) fn hits_per_search(&self) -> u32 {
        let looked_at = self.request.limits.images_per_search;
        match self.route {
            Route::OneSided(_) => looked_at,
            Route::BothEnds(_) => looked_at.max(HITS_PER_SEARCH),
        }
    }

    /// How far down an answer a search looks: as far as there are no more new photos than it may
    /// look at. Those that are known cost nothing.
    pub(super) fn first_of(&self, hits: &[Hit]) -> First {
        let photos = self.request.limits.images_per_search;
        let mut missing = usize::try_from(photos).unwrap_or(usize::MAX);
        let mut looked_at = 0;
        for hit in hits {
            if self.is_new(hit) {
                match missing.checked_sub(1) {
                    Some(fewer) => missing = fewer,
                    None => break,
                }
            }
            looked_at += 1;
        }
        First { looked_at, missing }
    }

    /// Looks at up to so many photos that earlier answers showed and nobody looked at, the most
    /// worthwhile first. None while a chain is polished: that is about certain pairs.
    pub(super) fn look_at_leftovers(&mut self, photos: usize) {
        let may_look = matches!(self.state, State::Discovery | State::Choice { .. });
        if photos == 0 || !may_look {
            return;
        }
        let mut missing = photos;
        for query in self.queries_by_worth() {
            if missing == 0 {
                return;
            }
            let Some(asked) = self.knowledge.asked(&query) else {
                continue;
            };
            let new = asked.hits.iter().filter(|hit| self.is_new(hit));
            let hits: Vec<Hit> = new.take(missing).cloned().collect();
            let named = asked.named.clone();
            if !hits.is_empty() {
                missing -= hits.len();
                let count = match hits.len() {
                    1 => "1 more photo".to_owned(),
                    more => format!("{more} more photos"),
                };
                self.status(format!("Looking at {count} that “{query}” has found."));
                let mut survey = self.new_survey(query, named);
                survey.take_hits(&hits);
                let number = survey.number;
                self.surveys.push(survey);
                self.hold_back_of(number);
            }
        }
    }

    /// What was asked: first the query one more of whose photos is worth most, of equals the one
    /// asked first.
    fn queries_by_worth(&self) -> Vec<String> {
        let Route::BothEnds(route) = &self.route else {
            return Vec::new();
        };
        let sides = self.sides(route);
        let worth = |query: &String| {
            let asked = self.knowledge.asked(query)?;
            let named = asked.named.iter();
            let people: Vec<PersonIndex> = named
                .filter_map(|subject| self.knowledge.person_of(*subject))
                .collect();
            Some((sides.worth_of_photo_of(&people), query.clone()))
        };
        let mut queries: Vec<(f64, String)> =
            self.knowledge.queries().iter().filter_map(worth).collect();
        queries.sort_by(|(left, _), (right, _)| right.total_cmp(left));
        queries.into_iter().map(|(_, query)| query).collect()
    }

    /// Whether nobody has seen a photo, or is about to.
    fn is_new(&self, hit: &Hit) -> bool {
        let url = hit.image_url.as_str();
        let is_planned = |step: &Step| step.photo().hit.image_url == url;
        let mut surveys = self.surveys.iter();
        let mut calls = self.calls.values();
        self.knowledge.photo_at(url).is_none()
            && !surveys.any(|survey| survey.steps.iter().any(is_planned))
            && !calls.any(|call| {
                call.purpose
                    .photo()
                    .is_some_and(|photo| photo.hit.image_url == url)
            })
    }
}
