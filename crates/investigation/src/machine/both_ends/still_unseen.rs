//! Whether a typed person whom no photo has shown may still be seen.

use domain::{Side, Wording};

use crate::machine::budget::{CallKind, Permission};
use crate::machine::facts::{AskedQuery, Subject};
use crate::machine::view::View;

/// The number of photos found for a name of which none shows the person, after which no more of them
/// are looked at.
const PHOTOS_LOOKED_MAX: usize = 15;

/// Returns whether an image search was not asked for a typed person, or photos that were found for
/// them are left over of which few were looked at, and the budget allows for either.
pub fn may_still_show(side: Side, view: View) -> bool {
    let (facts, budget) = (view.facts(), view.budget());
    let is_refused = |kind| matches!(budget.permission(kind), Permission::Refused(_));
    if is_refused(CallKind::Recognition) {
        return false;
    }
    let subject = Subject::Typed(side);
    let lists = facts.knowledge().lists();
    let lists: Vec<(usize, &AskedQuery)> = lists
        .filter(|(_, asked)| asked.is_answered() && asked.named() == [subject])
        .map(|(key, asked)| (key.source, asked))
        .collect();
    let sources = facts.request().sources.len().max(1);
    // That nothing was found for a name and further words says nothing of the name.
    let was_asked = |source: usize| {
        let mut of_source = lists.iter().filter(|(of, _)| *of == source);
        of_source.any(|(_, asked)| asked.wording() == Wording::Names || !asked.hits().is_empty())
    };
    if !is_refused(CallKind::Search) && !(0..sources).all(was_asked) {
        return true;
    }
    let looked_at = lists.iter().map(|(_, asked)| looked_at(asked));
    let mut left = lists.iter().map(|(_, asked)| {
        let places = view.scheduler().leftovers_of(asked, 1);
        places.len()
    });
    looked_at.sum::<usize>() < PHOTOS_LOOKED_MAX && left.any(|left| left > 0)
}

/// Returns how many photos of a list were recognised.
fn looked_at(asked: &AskedQuery) -> usize {
    let memories = asked.memories();
    memories
        .filter(|memory| memory.sighting().is_some())
        .count()
}
