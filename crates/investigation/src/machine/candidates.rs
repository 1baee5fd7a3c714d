//! Whom a photo may show, for a recogniser that looks only for those whom it is told.

use std::collections::BTreeSet;

use domain::{CANDIDATES_MAX, Candidate, Hit, NAME_CHARS_MAX, Person, Side, WikidataNumber, fold};

use super::facts::{Facts, Subject};
use super::hints::Somebody;

/// Returns whom a photo may show, at most [`CANDIDATES_MAX`] people: the two of the request, those whom the image search
/// says it depicts, those whom its words name, those who were recognised in this run, and those whom the words beside
/// other photos name, the most often named first.
pub fn candidates(facts: &Facts, hit: &Hit) -> Vec<Candidate> {
    let (hints, people) = (facts.knowledge().hints(), facts.people());
    let typed = [Side::A, Side::B].map(|side| Candidate {
        name: people.typed_name(side).as_str().to_owned(),
        number: (facts.knowledge().number_of(Subject::Typed(side)))
            .map(|number| number.wikidata().clone()),
    });
    let depicted = hit.hints.depicts.iter().filter_map(|number| {
        Some(Candidate {
            name: String::new(),
            number: Some(WikidataNumber::parse(number)?),
        })
    });
    let of_person = |person: &Person| Candidate {
        name: person.name.clone(),
        number: person.wikidata.clone(),
    };
    let of_hint = |who: Somebody| {
        let person = hints.person(who).and_then(|person| people.person(person));
        person.map_or_else(
            || Candidate {
                name: hints.name(who).to_owned(),
                number: None,
            },
            of_person,
        )
    };
    let named_here = hints.names_beside(hit).into_iter().map(|(who, name)| {
        who.map_or_else(
            || Candidate {
                name: name.chars().take(NAME_CHARS_MAX).collect(),
                number: None,
            },
            of_hint,
        )
    });
    let recognised = people.iter().map(|(_, person)| of_person(person));
    let mut others: Vec<Somebody> = hints.everybody().collect();
    others.sort_by_key(|who| std::cmp::Reverse(hints.photos_naming(*who)));
    let all = (typed.into_iter().chain(depicted).chain(named_here))
        .chain(recognised)
        .chain(others.into_iter().map(of_hint));
    let mut known = BTreeSet::new();
    let is_new = |one: &Candidate| {
        let number = one.number.as_ref().map(ToString::to_string);
        known.insert(number.unwrap_or_else(|| fold(&one.name)))
    };
    all.filter(is_new).take(CANDIDATES_MAX).collect()
}
