//! The choice of the photos of a search's answer that are looked at, and the use of the others.
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

/// The part of an answer that a search looks at.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Extent {
    /// The number of hits that are looked at.
    pub looked_at: usize,
    /// The number of further new photos that the search might look at beyond these.
    pub missing: usize,
}

impl Scheduler {
    /// Returns how far down an answer a search looks: until there are as many new photos as it may
    /// look at. Known photos cost nothing.
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

    /// Returns the first `count` of these photos that nobody has seen, or is about to.
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
