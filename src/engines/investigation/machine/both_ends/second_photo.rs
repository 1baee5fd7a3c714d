//! The question for a photo of two people.

use crate::domain::PersonIndex;
use crate::engines::investigation::machine::facts::{Facts, Query, query};

/// Returns a query for two people that was not asked. Returns `None` where the pair was asked for
/// both ways.
pub fn unasked(facts: &Facts, one: PersonIndex, other: PersonIndex) -> Option<Query> {
    let (one, other) = (facts.name(one), facts.name(other));
    let is_asked = |query: &Query| facts.knowledge().asked(query.text()).is_some();
    if query::naming_both(one, other).iter().any(is_asked) {
        let event = query::pair_event(one, other);
        return (!is_asked(&event)).then_some(event);
    }
    Some(query::pair(one, other))
}
