//! Tests of Wikidata as a client sees it.

use std::collections::BTreeSet;

use super::*;

const BASE: &str = "/wikidata/w/api.php?format=json&formatversion=2";

/// Searches for people by name.
pub(super) fn search(sandbox: &mut Sandbox, text: &str) -> Reply {
    get(
        sandbox,
        &format!(
            "{BASE}&action=query&list=search&srsearch={text}+haswbstatement:P31%3DQ5&srlimit=10"
        ),
    )
}

fn own() -> Sandbox {
    let world = crate::own_world().unwrap();
    Sandbox::new(world, SandboxOptions::default())
}

fn ask(sandbox: &mut Sandbox, rest: &str) -> Value {
    body(&get(sandbox, &format!("{BASE}&{rest}")))
}

fn numbers(rows: &Value, member: &str) -> Vec<String> {
    let rows = rows.as_array().unwrap().iter();
    rows.map(|row| row[member].as_str().unwrap().to_owned())
        .collect()
}

fn number_of(sandbox: &Sandbox, key: &str) -> String {
    let people = &sandbox.world().people;
    let person = people.iter().find(|person| person.key == key).unwrap();
    person.wikidata_number.clone()
}

#[test]
fn people_are_found_by_name_by_alias_and_by_a_beginning() {
    let mut sandbox = own();
    let dantes = number_of(&sandbox, "Edmond Dant\u{e8}s");
    for text in ["Edmond+Dantes", "Count+of+Monte+Cristo", "Edmond+Dan*"] {
        let answer = body(&search(&mut sandbox, text));
        assert_eq!(answer["query"]["search"][0]["title"], dantes, "{text}");
    }
    let none = body(&search(&mut sandbox, "Nobody+Anywhere"));
    assert_eq!(none["query"]["search"], json!([]));
    assert_eq!(none["query"]["searchinfo"]["totalhits"], 0);
    let begun = ask(
        &mut sandbox,
        "action=wbsearchentities&search=count+of+mon&language=en&type=item",
    );
    assert_eq!(begun["search"][0]["id"], dantes);
    assert_eq!(begun["search"][0]["match"]["type"], "alias");
    assert_eq!(
        begun["search"][0]["match"]["text"],
        "The Count of Monte Cristo".trim_start_matches("The ")
    );
    assert_eq!(begun["success"], 1);
}

#[test]
fn namesakes_have_numbers_and_descriptions_of_their_own() {
    let mut sandbox = own();
    let answer = body(&search(&mut sandbox, "John+Thornton"));
    let mut found = numbers(&answer["query"]["search"], "title");
    let mut expected =
        ["Milton", "Yukon"].map(|place| number_of(&sandbox, &format!("John Thornton ({place})")));
    expected.sort();
    let ids = found.join("%7C");
    found.sort();
    assert_eq!(found, expected);
    let parts = "props=labels%7Cdescriptions%7Caliases&languages=en%7Cmul";
    let answer = ask(
        &mut sandbox,
        &format!("action=wbgetentities&ids={ids}&{parts}"),
    );
    let texts: Vec<&Value> = expected
        .iter()
        .map(|id| &answer["entities"][id]["descriptions"]["en"]["value"])
        .collect();
    assert!(texts.iter().all(|text| text.is_string()));
    assert_ne!(texts[0], texts[1]);
}

#[test]
fn not_only_humans_come_where_humans_are_not_asked_for() {
    let mut sandbox = own();
    let names: Vec<String> = sandbox
        .world()
        .people
        .iter()
        .map(|person| person.name.replace(' ', "+"))
        .collect();
    let mut others = 0;
    for name in &names {
        let anything = ask(
            &mut sandbox,
            &format!("action=wbsearchentities&search={name}&language=en&limit=50"),
        );
        let humans = body(&search(&mut sandbox, name));
        let humans = numbers(&humans["query"]["search"], "title");
        others += numbers(&anything["search"], "id")
            .iter()
            .filter(|id| id.starts_with("Q8"))
            .count();
        assert!(humans.iter().all(|id| id.starts_with("Q9")), "{humans:?}");
    }
    assert!(others > 5, "{others}");
}

#[test]
fn members_are_missing_now_and_then() {
    let mut sandbox = own();
    let ids: Vec<String> = sandbox
        .world()
        .people
        .iter()
        .map(|person| person.wikidata_number.clone())
        .collect();
    let (mut unlabelled, mut undescribed) = (0, 0);
    for ids in ids.chunks(50) {
        let rest = format!(
            "action=wbgetentities&ids={}&props=labels%7Cdescriptions%7Caliases&languages=en",
            ids.join("%7C")
        );
        let answer = ask(&mut sandbox, &rest);
        for id in ids {
            let entity = &answer["entities"][id];
            unlabelled += usize::from(entity["labels"].get("en").is_none());
            undescribed += usize::from(entity["descriptions"].get("en").is_none());
        }
    }
    assert!(
        unlabelled > 3 && undescribed > 3,
        "{unlabelled} {undescribed}"
    );
    assert!(unlabelled + undescribed < ids.len() / 2);
    let gone = ask(&mut sandbox, "action=wbgetentities&ids=Q123&props=labels");
    assert_eq!(
        gone["entities"]["Q123"],
        json!({"id": "Q123", "missing": ""})
    );
}

#[test]
fn lives_are_told_in_statements_of_every_rank_and_precision() {
    let mut sandbox = own();
    let people: Vec<String> = {
        let people = &sandbox.world().people;
        people
            .iter()
            .map(|person| person.wikidata_number.clone())
            .collect()
    };
    let mut ranks = BTreeSet::new();
    let mut precisions = BTreeSet::new();
    for number in &people {
        let rest = format!("action=wbgetclaims&entity={number}&property=P569&props=");
        let answer = ask(&mut sandbox, &rest);
        for claim in answer["claims"]["P569"].as_array().unwrap() {
            ranks.insert(claim["rank"].as_str().unwrap().to_owned());
            let value = &claim["mainsnak"]["datavalue"]["value"];
            precisions.insert(value["precision"].as_u64());
        }
        assert!(answer["claims"].get("P31").is_none());
    }
    assert_eq!(ranks.len(), 3);
    assert_eq!(
        precisions,
        BTreeSet::from([None, Some(8), Some(9), Some(11)])
    );
}

#[test]
fn what_is_wrong_is_an_error_with_status_200() {
    let mut sandbox = own();
    let many = vec!["Q1"; 51].join("%7C");
    for (rest, code) in [
        ("action=query&list=search", Some("missingparam")),
        ("action=wbsearchentities&search=a", Some("missingparam")),
        ("action=wbsearchentities&language=en", Some("missingparam")),
        (
            "action=wbsearchentities&search=a&language=en&type=person",
            Some("badvalue"),
        ),
        ("action=wbgetentities", Some("param-missing")),
        ("action=wbgetentities&ids=nonsense", Some("no-such-entity")),
        (
            &format!("action=wbgetentities&ids={many}"),
            Some("toomanyvalues"),
        ),
        ("action=sparql", Some("badvalue")),
        ("action=wbgetclaims", Some("param-missing")),
        ("action=wbgetclaims&entity=Q123", Some("no-such-entity")),
        (
            "action=wbsearchentities&search=a&language=en&limit=99",
            None,
        ),
    ] {
        let answer = ask(&mut sandbox, rest);
        assert_eq!(answer["error"]["code"].as_str(), code, "{rest}");
        assert_eq!(answer["warnings"].is_object(), code.is_none(), "{rest}");
    }
    let bare = Request::get(format!("{BASE}&action=wbgetentities&ids=Q1"));
    let reply = sandbox.respond(bare.body(Vec::new()).unwrap(), NOW_MS);
    assert_eq!(status(&reply), 403);
}

#[test]
fn results_page_on() {
    let mut sandbox = own();
    let first = ask(
        &mut sandbox,
        "action=query&list=search&srsearch=haswbstatement:P31%3DQ5&srlimit=4",
    );
    assert_eq!(first["continue"]["sroffset"], 4);
    let second = ask(
        &mut sandbox,
        "action=query&list=search&srsearch=haswbstatement:P31%3DQ5&srlimit=4&sroffset=4",
    );
    let [one, other] = [first, second].map(|answer| numbers(&answer["query"]["search"], "title"));
    assert!(one.iter().all(|id| !other.contains(id)));
    let rows = body(&get(&mut sandbox, "/calls"));
    assert_eq!(rows[0]["key"], "haswbstatement:P31=Q5");
    assert_eq!(
        (&rows[0]["provider"], &rows[0]["charged"]),
        (&json!("wikidata"), &json!(false))
    );
}
