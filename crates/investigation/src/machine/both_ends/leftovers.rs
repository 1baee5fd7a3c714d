//! The photos that lists have left over.

use crate::machine::facts::{AskedQuery, Facts, ListKey, PhotoMemory, Subject};
use crate::machine::view::View;

/// The photos of a list that nobody has looked at.
#[derive(Debug, Clone)]
pub struct Leftovers {
    pub list: ListKey,
    pub named: Vec<Subject>,
    /// The number of new photos, as far as they can be looked at together.
    pub photos: usize,
    /// The part of the list's photos that show somebody whom its query names, as far as is known.
    pub quality: f64,
}

/// Returns every list with photos that nobody has looked at.
pub fn leftovers(view: View) -> Vec<Leftovers> {
    let facts = view.facts();
    let photos_max = usize::try_from(facts.limits().images_per_search).unwrap_or(usize::MAX);
    let lists = facts.knowledge().lists();
    let left = lists.filter_map(|(list, asked)| {
        let photos = view.scheduler().leftovers_of(asked, photos_max).len();
        (photos > 0).then(|| Leftovers {
            list: list.clone(),
            named: asked.named().to_vec(),
            photos,
            quality: quality(facts, asked),
        })
    });
    left.collect()
}

/// Returns the part of a list's photos that show somebody whom its query names. A list of which
/// nothing is known is taken for a good one.
fn quality(facts: &Facts, asked: &AskedQuery) -> f64 {
    let knowledge = facts.knowledge();
    let threshold = knowledge.threshold();
    let named = asked.named().iter();
    let named: Vec<_> = named.filter_map(|one| knowledge.person_of(*one)).collect();
    let (mut all, mut shown) = (1.0, 1.0);
    for place in 0..asked.hits().len() {
        if !asked.has_looked_at(place) {
            continue;
        }
        match asked.memory(place) {
            None => continue,
            Some(PhotoMemory::Useless) => {}
            Some(PhotoMemory::Seen(reference) | PhotoMemory::Copy(reference)) => {
                let sighting = knowledge.sighting(reference);
                let mut seen = sighting.into_iter().flat_map(|seen| &seen.faces);
                if seen.any(|face| face.confidence >= threshold && named.contains(&face.person)) {
                    shown += 1.0;
                }
            }
        }
        all += 1.0;
    }
    shown / all
}
