//! The choice of the photos of a search's answer that are looked at, and the use of the others.
//!
//! A search costs the same with ten photos as with one (Google Custom Search, `num`). So a policy
//! may ask for more than are looked at: the first that nobody has seen, since a known photo shows
//! nothing new. The rest is kept, and the best of it is looked at where a later search shows too
//! few new photos.

use domain::Hit;

use crate::machine::facts::{AskedQuery, Extent, Facts};

use super::Scheduler;
use super::survey::PhotoStep;

impl Scheduler {
    /// Returns at which photos of an answer a search looks: at those new ones that are worth most, of
    /// equals at the first, as many as `photos` says. Known photos cost nothing, as far as it would
    /// look down the answer if all were worth the same.
    pub fn extent_of(
        &self,
        hits: &[Hit],
        photos: u32,
        facts: &Facts,
        worth: impl Fn(&Hit) -> f64,
    ) -> Extent {
        let photos = usize::try_from(photos).unwrap_or(usize::MAX);
        let new = hits.iter().enumerate();
        let new = new.filter(|(_, hit)| self.is_new(hit, facts));
        let mut new: Vec<(usize, f64)> = new.map(|(place, hit)| (place, worth(hit))).collect();
        let end = new.get(photos).map_or(hits.len(), |(place, _)| *place);
        let mut looked_at: Vec<bool> = (0..hits.len()).map(|place| place < end).collect();
        let mut look = |place: usize, is_looked_at: bool| {
            if let Some(known) = looked_at.get_mut(place) {
                *known = is_looked_at;
            }
        };
        for (place, _) in &new {
            look(*place, false);
        }
        new.sort_by(|(_, left), (_, right)| right.total_cmp(left));
        new.truncate(photos);
        for (place, _) in &new {
            look(*place, true);
        }
        Extent {
            looked_at,
            missing: photos - new.len(),
            new: new.len(),
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
    pub fn is_planned(&self, hit: &Hit) -> bool {
        let url = hit.image_url.as_str();
        let is_meant = |step: &PhotoStep| step.photo().url() == url;
        let mut surveys = self.surveys.iter();
        let mut photos = self.calls.values().filter_map(|call| call.purpose.photo());
        surveys.any(|survey| survey.steps().any(is_meant)) || photos.any(|photo| photo.url() == url)
    }
}
