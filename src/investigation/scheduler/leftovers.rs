//! Which photos of a search's answer are looked at, and what becomes of the others.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So the
//! both-ends plan asks for ten, and looks at the first of them that nobody has seen: a photo that is
//! known shows nothing new. The rest is kept: where a later search shows too few new photos, the best
//! of it are looked at beside them.

use crate::domain::Hit;
use crate::investigation::facts::Facts;

use super::Scheduler;
use super::policy::Policy;
use super::survey::PhotoStep;

/// The first photos of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct First {
    /// So many are looked at.
    pub looked_at: usize,
    /// So many fewer of them are new than a search may look at.
    pub missing: usize,
}

impl Scheduler {
    /// How far down an answer a search looks: as far as there are no more new photos than it may
    /// look at. Those that are known cost nothing.
    pub fn first_of(&self, hits: &[Hit], policy: &Policy, facts: &Facts) -> First {
        let mut missing = usize::try_from(policy.photos_per_search).unwrap_or(usize::MAX);
        let mut looked_at = 0;
        for hit in hits {
            if self.is_new(hit, facts) {
                match missing.checked_sub(1) {
                    Some(fewer) => missing = fewer,
                    None => break,
                }
            }
            looked_at += 1;
        }
        First { looked_at, missing }
    }

    /// The first so many of these photos that nobody has seen, or is about to.
    pub fn new_of(&self, hits: &[Hit], count: usize, facts: &Facts) -> Vec<Hit> {
        let new = hits.iter().filter(|hit| self.is_new(hit, facts));
        new.take(count).cloned().collect()
    }

    fn is_new(&self, hit: &Hit, facts: &Facts) -> bool {
        let url = hit.image_url.as_str();
        let is_planned = |step: &PhotoStep| step.photo().url() == url;
        let mut surveys = self.surveys.iter();
        let mut photos = self.calls.values().filter_map(|call| call.purpose.photo());
        facts.knowledge().photo_at(url).is_none()
            && !surveys.any(|survey| survey.steps().any(is_planned))
            && !photos.any(|photo| photo.url() == url)
    }
}
