//! What is learned of image searches from what they have found.

use domain::{FoundHits, Hit, Limits, ListPage, Name, SearchSource, Side};

use crate::machine::facts::{Extent, ListKey, Subject};
use crate::machine::interface::Request;

use super::*;

const ANN: Subject = Subject::Typed(Side::A);
const BOB: Subject = Subject::Typed(Side::B);

fn facts(sources: usize) -> Facts {
    let name = |name| Name::parse(name).unwrap().into();
    let source = |number: usize| SearchSource {
        id: number.to_string(),
        name: format!("Search {number}"),
        hits_max: 10,
        pages_max: 1,
        nano_usd: 0,
    };
    Facts::new(Request {
        person_a: name("Ann"),
        person_b: name("Bob"),
        avoid: Vec::new(),
        limits: Limits::default(),
        sources: (0..sources).map(source).collect(),
    })
}

/// Asks a question of an image search, whose answer is still awaited.
fn ask(
    facts: &mut Facts,
    source: usize,
    named: &[Subject],
    wording: Wording,
    query: &str,
) -> ListKey {
    let key = ListKey {
        query: query.to_owned(),
        source,
    };
    facts.note_query(&key, named, wording, 0);
    key
}

/// Answers it with so many photos, of which so many are new where five might have been.
fn answer(facts: &mut Facts, key: &ListKey, photos: usize, new: usize) {
    let hit = |number: usize| Hit {
        image_url: format!("https://a.example/{}/{number}.jpg", key.query),
        ..Hit::default()
    };
    let found = FoundHits {
        hits: (0..photos).map(hit).collect(),
        part: ListPage::default(),
        has_more: false,
    };
    let extent = Extent {
        looked_at: vec![true; new],
        new,
        missing: 5 - new,
    };
    facts.note_hits(key, found);
    facts.note_extent(key, &extent);
}

fn asked(facts: &mut Facts, named: &[Subject], wording: Wording, query: &str, photos: usize) {
    let key = ask(facts, 0, named, wording, query);
    answer(facts, &key, photos, photos.min(5));
}

#[test]
fn a_wording_that_brings_nothing_new_promises_less_each_time() {
    let mut facts = facts(1);
    let expected = |facts: &Facts| QuestionWorth::of(facts).expected(0, Wording::Event, 1);
    let mut before = expected(&facts);
    assert!(
        (before - 1.0).abs() < 1e-9,
        "all is expected of what was not tried"
    );
    for query in ["Ann event", "Bob event", "Xia event"] {
        let key = ask(&mut facts, 0, &[ANN], Wording::Event, query);
        answer(&mut facts, &key, 5, 0);
        let now = expected(&facts);
        assert!(now < before, "{now} after {before}");
        before = now;
    }
    let worth = QuestionWorth::of(&facts);
    assert!(worth.has_failed(0, Wording::Event, 1));
    assert!(
        !worth.has_failed(0, Wording::Awards, 1),
        "nobody has tried it"
    );
    assert!((worth.expected(0, Wording::Awards, 1) - 1.0).abs() < 1e-9);
}

#[test]
fn a_search_engine_is_literal_that_finds_nothing_for_two_names_nor_for_further_words() {
    let mut facts = facts(2);
    asked(&mut facts, &[ANN, BOB], Wording::Names, "Ann Bob", 0);
    assert!(
        !QuestionWorth::of(&facts).is_literal(0),
        "the two may never have met"
    );
    asked(
        &mut facts,
        &[ANN],
        Wording::InCompany,
        "Ann with celebrities",
        0,
    );
    let worth = QuestionWorth::of(&facts);
    assert!(worth.is_literal(0));
    assert!(
        worth.is_literal(1),
        "another is taken for the same until it shows otherwise"
    );
    assert_eq!(worth.wordings(0)[0], Wording::Names);
    assert_eq!(worth.best_for_pair(0).0, Wording::Names);
    let key = ask(&mut facts, 1, &[ANN, BOB], Wording::Names, "Ann Bob");
    answer(&mut facts, &key, 5, 5);
    assert!(!QuestionWorth::of(&facts).is_literal(1));
}

#[test]
fn an_image_search_in_whose_place_another_answers_comes_last_for_a_while() {
    let mut facts = facts(2);
    assert_eq!(QuestionWorth::of(&facts).sources(), [0, 1]);
    ask(&mut facts, 0, &[ANN], Wording::Event, "Ann event");
    assert_eq!(
        QuestionWorth::of(&facts).sources(),
        [0, 1],
        "it may still answer"
    );
    let key = ask(&mut facts, 1, &[ANN], Wording::Event, "Ann event");
    answer(&mut facts, &key, 5, 5);
    assert_eq!(QuestionWorth::of(&facts).sources(), [1, 0]);
    for query in ["Bob event", "Xia event"] {
        let key = ask(&mut facts, 1, &[BOB], Wording::Event, query);
        answer(&mut facts, &key, 5, 5);
    }
    assert_eq!(QuestionWorth::of(&facts).sources(), [0, 1]);
    let worth = QuestionWorth::of(&facts);
    assert!(worth.preference_of(0) > worth.preference_of(1));
}
