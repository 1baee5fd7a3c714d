//! The choice of the photos of a search's answer that are looked at, and the use of the others.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So a policy
//! may ask for more than are looked at: the first that nobody has seen, since a known photo shows
//! nothing new. The rest is kept, and the best of it is looked at where a later search shows too
//! few new photos.

use crate::domain::Hit;
use crate::engines::investigation::machine::facts::{AskedQuery, Extent, Facts};

use super::Scheduler;
use super::policy::Policy;
use super::survey::PhotoStep;

impl Scheduler {
    /// Returns how far down an answer a search looks: until there are as many new photos as it may
    /// look at. Known photos cost nothing.
    pub fn extent_of(&self, hits: &[Hit], policy: &Policy, facts: &Facts) -> Extent {
        let mut missing = usize::try_from(policy.photos_per_search).unwrap_or(usize::MAX);
        let (mut looked_at, mut new) = (0, 0);
        for hit in hits {
            if self.is_new(hit, facts) {
                match missing.checked_sub(1) {
                    Some(fewer) => missing = fewer,
                    None => break,
                }
                new += 1;
            }
            looked_at += 1;
        }
        Extent {
            looked_at,
            new,
            missing,
        }
    }

    /// Returns the places of up to `count` photos that a query left over and that nobody has seen,
    /// or is about to.
    pub fn leftovers_of(&self, asked: &AskedQuery, count: usize) -> Vec<usize> {
        asked.leftovers(count, |hit| self.is_planned(hit))
    }

    /// Returns whether nobody has seen a photo, nor is about to.
    pub fn is_new(&self, hit: &Hit, facts: &Facts) -> bool {
        facts.knowledge().photo_at(&hit.image_url).is_none() && !self.is_planned(hit)
    }

    /// Returns whether a photo is about to be looked at.
    fn is_planned(&self, hit: &Hit) -> bool {
        let url = hit.image_url.as_str();
        let is_meant = |step: &PhotoStep| step.photo().url() == url;
        let mut surveys = self.surveys.iter();
        let mut photos = self.calls.values().filter_map(|call| call.purpose.photo());
        surveys.any(|survey| survey.steps().any(is_meant)) || photos.any(|photo| photo.url() == url)
    }
}
