//! The answers of an earlier run, for a run that was forked from it.

use crate::engines::investigation::machine::Outcome;
use crate::sorted::SortedMap;

use super::call_key::CallKey;

/// Returns the answer to a call. A search for fewer photos is answered by one for more.
pub(super) fn inherited(by_key: &SortedMap<CallKey, Outcome>, key: &CallKey) -> Option<Outcome> {
    if let Some(outcome) = by_key.get(key) {
        return Some(outcome.clone());
    }
    let CallKey::Search {
        query,
        count,
        wikidata,
    } = key
    else {
        return None;
    };
    let is_same = |other: &CallKey| match other {
        CallKey::Search {
            query: other_query,
            wikidata: other_wikidata,
            ..
        } => other_query == query && other_wikidata == wikidata,
        _ => false,
    };
    // The search for most photos comes last.
    let mut known = by_key.iter().rev();
    let (_, Outcome::Searched(Ok(hits))) = known.find(|(other, _)| is_same(other))? else {
        return None;
    };
    // An answer with fewer hits than are wanted may be what is left of more, so that only one with
    // enough is an answer.
    let wanted = usize::try_from(*count).unwrap_or(usize::MAX);
    let is_enough = hits.len() >= wanted;
    is_enough.then(|| Outcome::Searched(Ok(hits.iter().take(wanted).cloned().collect())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Hit;

    fn hits(count: usize) -> Vec<Hit> {
        let hit = |number: usize| Hit {
            image_url: format!("https://a.example/{number}.jpg"),
            ..Hit::default()
        };
        (0..count).map(hit).collect()
    }

    fn search(count: u32) -> CallKey {
        CallKey::Search {
            query: "A".into(),
            count,
            wikidata: Vec::new(),
        }
    }

    fn known(count: u32, found: usize) -> SortedMap<CallKey, Outcome> {
        SortedMap::from([(search(count), Outcome::Searched(Ok(hits(found))))])
    }

    fn found(known: &SortedMap<CallKey, Outcome>, count: u32) -> Option<usize> {
        match inherited(known, &search(count))? {
            Outcome::Searched(Ok(hits)) => Some(hits.len()),
            _ => None,
        }
    }

    #[test]
    fn a_search_is_answered_by_one_for_more_photos_that_found_enough() {
        let full = known(5, 5);
        assert_eq!(
            [3, 5, 6].map(|count| found(&full, count)),
            [Some(3), Some(5), None]
        );
        let few = known(5, 2);
        assert_eq!(
            [1, 3, 5, 10].map(|count| found(&few, count)),
            [Some(1), None, Some(2), None]
        );
    }
}
