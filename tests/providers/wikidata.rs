//! What is sent to Wikidata, and how its answers are parsed.

use domain::{Failure, FailureKind, Life, WikidataNumber};
use platform::WireResponse;
use providers::wikidata::PersonSuggestion;
use providers::{commons, wikidata};
use serde_json::{Value, json};

use super::commons::{FAILURES, without_pause};
use super::shapes::check_wrong_types;
use super::shared::{check_rows, headers, ok, query_pairs};

pub const FOUND: &str = r#"{"batchcomplete": true, "continue": {"sroffset": 10},
    "query": {"searchinfo": {"totalhits": 3}, "search": [
        {"ns": 0, "title": "Q42", "pageid": 138, "size": 7, "wordcount": 0,
            "snippet": "<span>x</span>", "timestamp": "2026-01-01T00:00:00Z"},
        {"title": "Q7"}, {"ns": 0, "title": "Q312556"}]}}"#;

pub const NAMES: &str = r#"{"success": 1, "entities": {
    "Q312556": {"type": "item", "id": "Q312556",
        "labels": {"mul": {"language": "mul", "value": "Jeff Bezos"}},
        "descriptions": {"en": {"language": "en", "value": "American businessman"}},
        "aliases": {"en": [{"language": "en", "value": "Jeffrey Preston Bezos"},
            {"language": "en", "value": "Jeffrey P. Bezos"}]}},
    "Q42": {"type": "item", "id": "Q42",
        "labels": {"en": {"language": "en", "value": "Jane Eyre"},
            "mul": {"language": "mul", "value": "Jane E."}},
        "descriptions": {}, "aliases": {"mul": [{"value": "Jane Rochester"}]}},
    "Q7": {"id": "Q7", "missing": ""}}}"#;

fn settings() -> wikidata::WikidataSettings {
    wikidata::WikidataSettings {
        base: wikidata::BASE_DEFAULT.into(),
        contact: "operator@host.example".into(),
    }
}

pub fn numbers(numbers: &[&str]) -> Vec<WikidataNumber> {
    let numbers = numbers.iter().map(|number| WikidataNumber::parse(number));
    numbers.map(Option::unwrap).collect()
}

pub fn read_people(response: &WireResponse) -> Result<Vec<PersonSuggestion>, Failure> {
    wikidata::read_people("jef", &numbers(&["Q42", "Q7", "Q312556"]), response)
}

#[test]
fn wikidata_is_asked_who_is_called_so() {
    let request = wikidata::search_request(&settings(), "Jane Ey").unwrap();
    assert_eq!(request.method(), "GET");
    let agent = commons::agent("operator@host.example");
    assert_eq!(
        headers(&request),
        [("accept", "application/json"), ("user-agent", &agent)]
    );
    assert_eq!(
        request.uri().to_string(),
        "https://www.wikidata.org/w/api.php?format=json&formatversion=2&action=query&list=search\
         &srnamespace=0&srlimit=10&srsearch=Jane+Ey*+haswbstatement%3AP31%3DQ5"
    );
}

#[test]
fn the_last_word_may_be_unfinished() {
    for (text, expected) in [
        ("Jane", "Jane*"),
        ("Jane ", "Jane"),
        ("J", "J"),
        ("Jane E", "Jane"),
        ("Jane E ", "Jane E"),
        ("Jane Ey", "Jane Ey*"),
        ("Jean-Lu", "Jean Lu*"),
        ("O'Br", "O'Br*"),
        ("Jane* -x OR", "Jane x or*"),
        (
            "\"Jane\" haswbstatement:P31=Q1",
            "Jane haswbstatement P31 Q1*",
        ),
    ] {
        let request = wikidata::search_request(&settings(), text).unwrap();
        let (_, query) = query_pairs(&request).pop().unwrap();
        assert_eq!(query, format!("{expected} haswbstatement:P31=Q5"));
    }
    for nothing in ["", " ", "--", "*"] {
        let failure = wikidata::search_request(&settings(), nothing).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Refused);
    }
    let long = wikidata::search_request(&settings(), &"x".repeat(900)).unwrap();
    assert!(query_pairs(&long).pop().unwrap().1.len() < 300);
}

#[test]
fn wikidata_is_asked_for_names_in_english_and_in_all_languages_at_once() {
    let request = wikidata::entities_request(&settings(), &numbers(&["Q42", "Q7"])).unwrap();
    assert_eq!(
        request.uri().to_string(),
        "https://www.wikidata.org/w/api.php?format=json&formatversion=2&action=wbgetentities\
         &ids=Q42%7CQ7&props=labels%7Cdescriptions%7Caliases&languages=en%7Cmul"
    );
    let many = wikidata::entities_request(&settings(), &vec![numbers(&["Q1"])[0].clone(); 99]);
    let ids = query_pairs(&many.unwrap())[3].1.clone();
    assert_eq!(ids.split('|').count(), wikidata::PEOPLE_MAX);
    let none = wikidata::entities_request(&settings(), &[]).unwrap_err();
    assert_eq!(none.kind, FailureKind::Refused);
}

#[test]
fn without_a_contact_wikidata_is_not_asked() {
    let settings = wikidata::WikidataSettings {
        contact: String::new(),
        ..settings()
    };
    let people = numbers(&["Q1"]);
    for made in [
        wikidata::search_request(&settings, "Jane"),
        wikidata::entities_request(&settings, &people),
    ] {
        assert_eq!(made.unwrap_err().kind, FailureKind::Misconfigured);
    }
}

#[test]
fn those_found_are_read_best_first_and_once() {
    let read = |body: &Value| wikidata::read_numbers(&ok(body.to_string())).unwrap();
    let found = wikidata::read_numbers(&ok(FOUND)).unwrap();
    assert_eq!(found, numbers(&["Q42", "Q7", "Q312556"]));
    let odd = json!([{"title": "Q1"}, 7, {"title": 7}, {"title": "Talk:Q2"}, {"title": "P3"},
        {"title": "Q1"}, null, {"title": "Q4"}]);
    assert_eq!(
        read(&json!({"query": {"search": odd}})),
        numbers(&["Q1", "Q4"])
    );
    for none in [
        json!({}),
        json!({"query": null}),
        json!({"query": {"search": {"0": 1}}}),
    ] {
        assert_eq!(read(&none), [], "{none}");
    }
    let many: Vec<Value> = (1..=99)
        .map(|n| json!({"title": format!("Q{n}")}))
        .collect();
    let many = read(&json!({"query": {"search": many}}));
    assert_eq!(many.len(), wikidata::PEOPLE_MAX);
}

#[test]
fn of_a_long_list_of_people_or_pages_the_first_are_read() {
    let many = (1..=1_000).map(|n| json!({"title": format!("Q{n}")}));
    let many = many.collect::<Vec<Value>>();
    let found = json!({"query": {"search": many}}).to_string();
    assert_eq!(wikidata::read_numbers(&ok(found)).unwrap().len(), 10);
    let mut pages = vec![json!({"index": 2}); 1_000];
    let info = json!({"thumburl": "https://upload.wikimedia.org/1.jpg"});
    let photo = json!({"index": 1, "title": "File:1.jpg", "imageinfo": [info]});
    let read = |pages: &[Value]| {
        let body = json!({"query": {"pages": pages}}).to_string();
        super::commons::read(&ok(body)).unwrap().hits.len()
    };
    // Results beyond the most pages requested are ignored.
    pages[50] = photo.clone();
    assert_eq!(read(&pages), 0);
    pages[49] = photo;
    assert_eq!(read(&pages), 1);
}

#[test]
fn people_are_read_in_the_order_of_the_search() {
    let expected = [
        PersonSuggestion {
            number: numbers(&["Q42"])[0].clone(),
            label: "Jane Eyre".into(),
            description: String::new(),
            alias: None,
        },
        PersonSuggestion {
            number: numbers(&["Q312556"])[0].clone(),
            label: "Jeff Bezos".into(),
            description: "American businessman".into(),
            alias: None,
        },
    ];
    assert_eq!(read_people(&ok(NAMES)).unwrap(), expected);
}

#[test]
fn the_other_name_is_told_where_it_fits_and_the_name_does_not() {
    let people = numbers(&["Q312556", "Q42"]);
    for (text, expected) in [
        ("jeff", [None, None]),
        ("Jeffrey ", [Some("Jeffrey Preston Bezos"), None]),
        ("bezos jeffrey P.", [Some("Jeffrey Preston Bezos"), None]),
        ("rochester j", [None, Some("Jane Rochester")]),
        ("nobody", [None, None]),
    ] {
        let read = wikidata::read_people(text, &people, &ok(NAMES)).unwrap();
        let aliases: Vec<_> = read.iter().map(|person| person.alias.as_deref()).collect();
        assert_eq!(aliases, expected, "{text}");
    }
}

#[test]
fn names_of_other_shapes_are_read_as_far_as_they_go() {
    let label = json!({"en": {"value": format!("A{}", "é \n".repeat(900))}});
    for (entity, count) in [
        (
            json!({"labels": label, "descriptions": 7, "aliases": {"en": {"value": "x"}}}),
            1,
        ),
        (
            json!({"labels": label, "descriptions": {"en": null}, "aliases": {"en": [7, null]}}),
            1,
        ),
        (json!({"labels": {"en": "Jane"}}), 0),
        (
            json!({"labels": {"en": {"value": " "}, "mul": {"value": ["x"]}}}),
            0,
        ),
        (json!([]), 0),
        (json!(null), 0),
    ] {
        let body = json!({"entities": {"Q42": entity, "Q99": {"labels": label}}}).to_string();
        let people = read_people(&ok(body)).unwrap();
        assert_eq!(people.len(), count, "{entity}");
        for person in people {
            assert!(person.label.chars().count() <= 200 && person.alias.is_none());
        }
    }
}

#[test]
fn each_failure_of_wikidata_has_its_kind_and_hint() {
    check_rows(
        |response| without_pause(response, wikidata::read_numbers(response)),
        FAILURES,
    );
    check_rows(
        |response| without_pause(response, read_people(response)),
        FAILURES,
    );
}

#[test]
fn wrong_types_never_make_a_person() {
    let known = numbers(&["Q42", "Q7", "Q312556"]);
    check_wrong_types(FOUND, wikidata::read_numbers, |found| {
        found.iter().all(|number| known.contains(number))
    });
    check_wrong_types(NAMES, read_people, |people| {
        people
            .iter()
            .all(|person| known.contains(&person.number) && !person.label.is_empty())
    });
}

fn life(born: &str, died: &str) -> Result<Life, Failure> {
    let number = WikidataNumber::parse("Q42").unwrap();
    wikidata::read_life(&number, [&ok(born), &ok(died)])
}

/// An answer with statements of these ranks, times and precisions.
fn claims(property: &str, statements: &[(&str, &str, u64)]) -> String {
    let statements = statements.iter().map(|(rank, time, precision)| {
        json!({"rank": rank, "mainsnak": {"snaktype": "value",
            "datavalue": {"type": "time", "value": {"time": time, "precision": precision}}}})
    });
    json!({"claims": {property: statements.collect::<Vec<_>>()}}).to_string()
}

#[test]
fn each_date_of_a_life_is_asked_for_alone() {
    let number = WikidataNumber::parse("Q42").unwrap();
    let urls = wikidata::life_requests(&settings(), &number)
        .map(|request| request.unwrap().uri().to_string());
    let of = |property: &str| {
        format!(
            "https://www.wikidata.org/w/api.php?format=json&formatversion=2&action=wbgetclaims\
             &entity=Q42&property={property}&props="
        )
    };
    assert_eq!(urls, [of("P569"), of("P570")]);
}

#[test]
fn the_best_statements_about_a_life_count() {
    #[track_caller]
    fn check(born: &[(&str, &str, u64)], expect: Option<u16>) {
        let read = life(&claims("P569", born), &claims("P570", &[])).unwrap();
        assert_eq!((read.born, read.died), (expect, None), "{born:?}");
        // Of several deaths, the latest counts.
        let read = life(r#"{"claims": {}}"#, &claims("P570", born)).unwrap();
        assert_eq!(read.born, None);
        assert_eq!(read.died.is_some(), expect.is_some());
    }
    check(&[("normal", "+1952-03-11T00:00:00Z", 11)], Some(1952));
    check(&[("normal", "+1952-00-00T00:00:00Z", 9)], Some(1952));
    check(&[("normal", "+1950-00-00T00:00:00Z", 8)], None);
    check(&[("normal", "-0044-03-15T00:00:00Z", 11)], None);
    check(&[("deprecated", "+1952-03-11T00:00:00Z", 11)], None);
    let two = [
        ("normal", "+1953-01-01T00:00:00Z", 11),
        ("normal", "+1952-01-01T00:00:00Z", 11),
    ];
    check(&two, Some(1952));
    let read = life(r#"{"claims": {}}"#, &claims("P570", &two)).unwrap();
    assert_eq!(read.died, Some(1953));
    let preferred = [
        ("normal", "+1900-01-01T00:00:00Z", 11),
        ("preferred", "+1952-01-01T00:00:00Z", 11),
    ];
    check(&preferred, Some(1952));
    for strange in ["", "1952", "+x-01-01T00:00:00Z", "+99999-01-01T00:00:00Z"] {
        check(&[("normal", strange, 11)], None);
    }
    let unknown =
        r#"{"claims": {"P569": [{"rank": "normal", "mainsnak": {"snaktype": "somevalue"}}]}}"#;
    assert_eq!(life(unknown, unknown).unwrap().born, None);
    // Without statements, MediaWiki writes an empty list.
    assert_eq!(
        life(r#"{"claims": []}"#, r#"{"claims": []}"#).unwrap().born,
        None
    );
    let error = r#"{"error": {"code": "no-such-entity", "info": "Could not find an entity"}}"#;
    assert!(life(error, error).is_err());
}
