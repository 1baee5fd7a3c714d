//! Which photos of a search's answer are looked at, and what becomes of the others.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So a policy
//! may ask for more than are looked at: the first that nobody has seen, since a known photo shows
//! nothing new. The rest is kept, and the best of it is looked at where a later search shows too
//! few new photos.

use crate::domain::Hit;
use crate::engines::investigation::machine::facts::Facts;

use super::Scheduler;
use super::policy::Policy;
use super::survey::PhotoStep;

/// How far down an answer a search looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// So many of the hits are looked at.
    pub looked_at: usize,
    /// So many more new photos it might look at than these are.
    pub missing: usize,
}

impl Scheduler {
    /// How far down an answer a search looks: as far as there are no more new photos than it may
    /// look at. Those that are known cost nothing.
    pub fn extent_of(&self, hits: &[Hit], policy: &Policy, facts: &Facts) -> Extent {
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
        Extent { looked_at, missing }
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
