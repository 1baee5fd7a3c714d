//! Tests of the meaning of a world file, and of the errors of wrong ones.

use super::*;

fn file(photos: &str) -> String {
    format!(r#"{{"name":"n","source":"s","license":"l","photos":{photos}}}"#)
}

fn check_error(json: &str, expect: &str) {
    assert_eq!(
        World::parse(json)
            .err()
            .map(|error| error.to_string())
            .as_deref(),
        Some(expect)
    );
}

#[test]
fn people_are_numbered_by_first_appearance() {
    let world = World::parse(&file(r#"[["Emma","Harriet"],[],["Harriet","Jane"]]"#)).unwrap();
    let ids: Vec<(&str, &str)> = world
        .people
        .iter()
        .map(|person| (person.id.as_str(), person.name.as_str()))
        .collect();
    assert_eq!(ids, [("c0", "Emma"), ("c1", "Harriet"), ("c2", "Jane")]);
    assert_eq!(world.people_in(1), [0_usize; 0]);
    assert_eq!(world.photos_of(1), [0, 2]);
}

#[test]
fn a_name_twice_in_a_photo_counts_once() {
    let world = World::parse(&file(r#"[["Emma","Emma"]]"#)).unwrap();
    assert_eq!(world.people_in(0), [0]);
    assert_eq!(world.photos_of(0), [0]);
}

#[test]
fn namesakes_share_a_name_and_nothing_else() {
    let world = World::parse(
        r#"{"name":"n","source":"s","license":"l","extra":1,
            "people":{"Catherine (2)":{"name":"Catherine","born":1800}},
            "photos":[["Catherine"],["Catherine (2)"]]}"#,
    )
    .unwrap();
    let [first, second] = world.people.as_slice() else {
        panic!("two people")
    };
    assert_eq!(first.name, second.name);
    assert_ne!(first.id, second.id);
    assert_ne!(first.key, second.key);
}

#[test]
fn errors_say_what_and_where() {
    check_error(
        "[]",
        "the world file's top level is wrong: expected a JSON object",
    );
    check_error("{}", "the world file has no member \"photos\"");
    check_error(r#"{"photos":[]}"#, "the world file has no member \"name\"");
    check_error(
        &file("3"),
        "the world file's \"photos\" is wrong: expected a list of photos",
    );
    check_error(
        &file("[3]"),
        "the world file's photos[0] is wrong: expected a list of names",
    );
    check_error(
        &file(r#"[[],["Emma",4]]"#),
        "the world file's photos[1][1] is wrong: expected a name without control characters",
    );
    check_error(
        &file(r#"[[" "]]"#),
        "the world file's photos[0][0] is wrong: expected a name without control characters",
    );
    let cut = World::parse("{\"name\":").unwrap_err().to_string();
    assert!(
        cut.starts_with("the world file is not JSON: EOF while parsing"),
        "{cut}"
    );
}

#[test]
fn about_nine_in_ten_have_a_wikidata_page_of_their_own() {
    let names: Vec<String> = (0..900)
        .map(|number| format!("[\"Person {number}\"]"))
        .collect();
    let world = World::parse(&file(&format!("[{}]", names.join(",")))).unwrap();
    let mut pages: Vec<&String> = world
        .people
        .iter()
        .filter_map(|person| person.wikidata.as_ref())
        .collect();
    assert!((780..840).contains(&pages.len()), "{}", pages.len());
    pages.sort();
    pages.dedup();
    assert!((780..840).contains(&pages.len()), "each page once");
    assert!(world.people.iter().any(|person| person.urls().is_empty()));
    assert!(world.people.iter().any(|person| person.urls().len() == 2));
}

#[test]
fn a_world_survives_its_own_file() {
    let world = World::parse(
        r#"{"name":"n","source":"s","license":"l","people":{"B2":{"name":"B"},"Z":{},
            "A":{"wikidata":"Q7","aliases":["The A","Ay"],"description":"first"}},
            "photos":[["B","A"],["B2"],[]]}"#,
    )
    .unwrap();
    let again = World::parse(&world.to_json()).unwrap();
    assert_eq!(again.people, world.people);
    assert_eq!(again.photos, world.photos);
    assert_eq!(again.fingerprint(), world.fingerprint());
}

#[test]
fn a_person_may_have_a_number_aliases_and_a_description() {
    let people = |entry: &str| {
        World::parse(&format!(
            r#"{{"name":"n","source":"s","license":"l","people":{{{entry}}},
                "photos":[["Emma"],["Jane"]]}}"#
        ))
    };
    for number in 1..200 {
        let world = people(&format!(r#""Emma":{{"wikidata":"Q{number}"}}"#)).unwrap();
        let page = format!("www.wikidata.org/wiki/Q{number}");
        assert_eq!(world.people[0].urls().first(), Some(&page.as_str()));
        assert_eq!(world.numbered(&format!("Q{number}")), Some(0));
        assert_eq!(world.numbered("Q9000001"), Some(1));
        assert_eq!(world.numbered("Q9000000"), None);
    }
    let world = people(r#""Emma":{"aliases":["Miss Woodhouse"]}"#).unwrap();
    assert_eq!(world.search_all("miss woodhouse"), [0]);
    assert_eq!(world.bearers("Miss Woodhouse"), [0]);
    let refused = |entry: &str, expect: &str| {
        let error = people(entry).err().map(|error| error.to_string());
        let expect = format!("the world file's people[\"Emma\"]{expect}");
        assert_eq!(error, Some(expect), "{entry}");
    };
    for wrong in ["Q", "Q0", "42", "q42", "Q1234567890", "Q4x"] {
        refused(
            &format!(r#""Emma":{{"wikidata":"{wrong}"}}"#),
            ".wikidata is wrong: expected a Wikidata number like \"Q42\"",
        );
    }
    // The Wikidata number that a file has for one person must not be the generated number of another.
    refused(
        r#""Jane":{"wikidata":"Q5"},"Zoe":{},"Emma":{"wikidata":"Q9000002"}"#,
        ".wikidata is wrong: expected a Wikidata number that nobody else has",
    );
    let names = ".aliases is wrong: expected a list of names";
    refused(r#""Emma":{"aliases":"Em"}"#, names);
    refused(r#""Emma":{"aliases":[4]}"#, names);
    refused(
        r#""Emma":{"description":4}"#,
        ".description is wrong: expected a text without control characters",
    );
}
