//! Pages that have drifted from their automaton.

use automaton::machine::drift::{Drift, Fault, Gone, difference, nearest};
use automaton::machine::states::{Automaton, Check, CheckKind};
use domain::page::{Area, By, Condition, Item, PageElement, PageView, Query, Signals};
use serde_json::{Value, json};

use super::scene::showing;

pub fn element(selector: &str, text: &str) -> PageElement {
    PageElement {
        selector: selector.to_owned(),
        named: None,
        tag: String::new(),
        role: String::new(),
        text: text.to_owned(),
        area: Area {
            x: 0.0,
            y: 0.0,
            width: 1.0,
            height: 1.0,
        },
    }
}

fn view(items: &[(&str, &str)], elements: &[(&str, &str)]) -> PageView {
    PageView {
        signals: Signals {
            title: "Shop".to_owned(),
            ..showing("https://shop.example/", items)
        },
        elements: elements
            .iter()
            .map(|(selector, text)| element(selector, text))
            .collect(),
    }
}

fn by_css(selector: &str) -> Gone {
    Gone::of_check(&Check::Signal {
        kind: CheckKind::Element,
        value: Some(selector.to_owned()),
    })
    .unwrap()
}

#[test]
fn the_nearest_element_is_the_one_with_its_attributes_and_words() {
    let page = view(
        &[],
        &[
            ("a.nav.x9[href=\"/home\"]", "Home"),
            (
                "input.q7[name=\"q\"][type=\"text\"][placeholder=\"Search films\"]",
                "Search films",
            ),
            (
                "input.q8[id=\"pass\"][name=\"password\"][type=\"password\"]",
                "",
            ),
            ("button.b1[type=\"submit\"]", "Sign in"),
            ("button.b2[type=\"submit\"][aria-label=\"Search\"]", ""),
            ("button.b3[type=\"button\"]", "Sign out"),
        ],
    );
    for (gone, expected) in [
        // Other classes, the same name.
        ("input.old[name=\"q\"][type=\"text\"]", 1),
        ("input.old[id=\"password\"][type=\"password\"]", 2),
        // Another tag, the same label.
        ("a.search[aria-label=\"Search\"]", 4),
        // A class weighs less than a type with a label.
        ("button.b3[type=\"submit\"][aria-label=\"Search\"]", 4),
        ("a.nav[href=\"/home/\"]", 0),
        // The label of one is the text of the other.
        ("div[aria-label=\"Sign out\"]", 5),
        ("#pass", 2),
        // The first of equals.
        ("button", 3),
    ] {
        let found = nearest(&by_css(gone), &page).unwrap();
        assert_eq!(found.selector, page.elements[expected].selector, "{gone}");
    }
    for gone in ["video", "[data-testid=\"x\"]", "", "!!!"] {
        assert_eq!(nearest(&by_css(gone), &page), None, "{gone}");
    }
}

#[test]
fn the_same_element_is_wholly_alike() {
    let selector = "button.a.b[id=\"go\"][type=\"submit\"]";
    let found = nearest(&by_css(selector), &view(&[("Go", selector)], &[])).unwrap();
    assert_eq!(
        (found.likeness_permille, found.text.as_str()),
        (1_000, "Go")
    );
}

#[test]
fn each_way_to_find_an_element_has_its_nearest_one() {
    let items = [
        ("Continue", "a.x[href=\"/on\"]"),
        ("Cancel", "button.y[name=\"no\"]"),
    ];
    let page = view(&items, &[]);
    for (by, selector, expected) in [
        (By::Id, "on", None),
        (By::Name, "no", Some(1)),
        (By::TagName, "BUTTON", Some(1)),
        (By::ClassName, "x", Some(0)),
        (By::LinkText, "Continue on", Some(0)),
        (
            By::XPath,
            "//*[normalize-space(text())='Cancel it']",
            Some(1),
        ),
        (By::XPath, "//a[1]", None),
    ] {
        let check = Check::Query(Query {
            by,
            selector: selector.to_owned(),
            condition: Condition::Visible,
            timeout_ms: 0,
        });
        let found = nearest(&Gone::of_check(&check).unwrap(), &page);
        let expected = expected.map(|at: usize| items[at].1);
        assert_eq!(
            found.as_ref().map(|near| near.selector.as_str()),
            expected,
            "{selector}"
        );
    }
    let text = |text: &str| {
        Gone::of_check(&Check::Signal {
            kind: CheckKind::Text,
            value: Some(text.to_owned()),
        })
    };
    let found = nearest(&text("continue watching").unwrap(), &page).unwrap();
    assert_eq!(
        (found.text.as_str(), found.likeness_permille),
        ("Continue", 500)
    );
    let address = Check::Signal {
        kind: CheckKind::Url,
        value: Some("u".to_owned()),
    };
    assert_eq!(Gone::of_check(&address), None);
}

#[test]
fn what_has_become_of_a_part_is_told_as_people_would() {
    let page = view(
        &[("Welcome back", "h1")],
        &[
            ("button.x", "Log in"),
            ("a.y", "Terms of use"),
            ("input[type=\"text\"][placeholder=\"Your mail\"]", ""),
            ("div.z", "Help"),
        ],
    );
    let role = |selector: &str| json!({"type": "role", "value": selector});
    let text = |text: &str| json!({"type": "text", "value": text});
    let element = |selector: &str| json!({"type": "element", "value": selector});
    for (check, expected) in [
        (
            role("button[name=\"Sign in\"]"),
            "The button \"Sign in\" is called \"Log in\" now.",
        ),
        (
            role("link[name=\"Terms of use\"]"),
            "The link \"Terms of use\" is there, and found by another selector now: a.y.",
        ),
        (
            role("button[name=\"Terms of use\"]"),
            "The button \"Terms of use\" is a link now.",
        ),
        (
            role("button[name=\"Help\"]"),
            "The button \"Help\" is there, and found by another selector now: div.z.",
        ),
        (
            role("img[name=\"Logo\"]"),
            "The picture \"Logo\" is gone, and nothing on the page is like it.",
        ),
        (
            text("Welcome"),
            "The text \"Welcome\" reads \"Welcome back\" now.",
        ),
        (
            text("Terms and conditions of sale"),
            "The text \"Terms and conditions of sale\" is gone. The nearest part of the page is \
             the link \"Terms of use\".",
        ),
        (
            element("input[placeholder=\"Your mail\"][name=\"m\"][id=\"m\"]"),
            "The field \"Your mail\" is there, and found by another selector now: \
             input[type=\"text\"][placeholder=\"Your mail\"].",
        ),
    ] {
        let states = json!([{"name": "A", "checks": [check], "actions": []}]);
        let drift = Drift::of(
            &automaton(states),
            0,
            Fault::Check { position: 0 },
            &page,
            &[],
        );
        assert_eq!(drift.unwrap().to_json()["says"], expected);
    }
}

fn automaton(states: Value) -> Automaton {
    Automaton::from_json(&states).unwrap()
}

#[test]
fn a_report_has_one_form() {
    let automaton = automaton(json!([{
        "name": "Log in",
        "checks": [{"type": "url", "value": "u"}, {"type": "element", "value": "button.old[type=\"submit\"]"}],
        "actions": ["wait(1)", "click('css selector', 'input[name=\"q\"]')"],
    }]));
    let page = view(
        &[("Sign in", "button.new[type=\"submit\"]")],
        &[("input[name=\"query\"]", "")],
    );
    let report = |fault| Drift::of(&automaton, 0, fault, &page, &[]).map(|drift| drift.to_json());
    let check = report(Fault::Check { position: 1 }).unwrap();
    let expected = json!({
        "state": {"position": 0, "name": "Log in"},
        "check": {"position": 1, "is": {"type": "element", "value": "button.old[type=\"submit\"]"}},
        "page": {"url": "https://shop.example/", "title": "Shop"},
        "gone": "button.old[type=\"submit\"]",
        "nearest": {"selector": "button.new[type=\"submit\"]", "text": "Sign in", "likeness_permille": 692},
        "says": "The button button.old[type=\"submit\"] seems to be the button \"Sign in\" now.",
    });
    assert_eq!(check, expected);
    let action = report(Fault::Action { line: 2 }).unwrap();
    let is =
        json!({"type": "click", "params": {"by": "css selector", "selector": "input[name=\"q\"]"}});
    assert_eq!(action["action"], json!({"line": 2, "is": is}));
    assert_eq!(action["nearest"]["selector"], "input[name=\"query\"]");
    let address = report(Fault::Check { position: 0 }).unwrap();
    assert_eq!(
        (&address["gone"], &address["nearest"]),
        (&json!(null), &json!(null))
    );
    let wait = report(Fault::Action { line: 1 }).unwrap();
    assert_eq!(wait["gone"], json!(null));
    for fault in [
        Fault::Check { position: 2 },
        Fault::Action { line: 0 },
        Fault::Action { line: 3 },
    ] {
        assert_eq!(report(fault), None);
    }
}

#[test]
fn the_difference_of_two_automata_has_one_form() {
    let state = |name: &str, checks: Value, actions: Value| json!({"name": name, "checks": checks, "actions": actions});
    let (text, url) = (
        json!({"type": "text", "value": "t"}),
        json!({"type": "url", "value": "u"}),
    );
    let old = automaton(json!([
        state("Same", json!([url]), json!(["wait(1)"])),
        state("Gone", json!([url]), json!([])),
        state("Twice", json!([url]), json!([])),
        state("Twice", json!([text]), json!([])),
        state(
            "Changed",
            json!([url, text]),
            json!(["wait(1)", "wait(1)", "press_key('a')"])
        ),
    ]));
    let new = automaton(json!([
        state("New", json!([text]), json!([])),
        state(
            "Changed",
            json!([text]),
            json!(["press_key('b')", "wait(seconds=1)"])
        ),
        // Also in the other format.
        state(
            "Same",
            json!([{"type": "url", "params": {"url": "u"}}]),
            json!([{"type": "wait", "params": {"seconds": 1}}])
        ),
        state("Twice", json!([url]), json!([])),
        state("Twice", json!([text]), json!([])),
    ]));
    let wait = json!({"type": "wait", "params": {"seconds": 1}});
    let key = |key: &str| json!({"type": "press_key", "params": {"key": key}});
    let expected = json!({
        "added": [{"name": "New", "description": "", "checks": [text], "actions": [], "end_state": ""}],
        "removed": ["Gone"],
        "changed": [{
            "name": "Changed",
            "position": 1,
            "checks": {"removed": [{"type": "url", "params": {"url": "u"}}], "added": []},
            "actions": {"removed": [wait, key("a")], "added": [key("b")]},
        }],
        "left_out": 0,
    });
    assert_eq!(difference(&old, &new), expected);
    let none = json!({"added": [], "removed": [], "changed": [], "left_out": 0});
    assert_eq!(difference(&old, &old), none);
    let many: Vec<Value> = (0..150)
        .map(|at| state(&at.to_string(), json!([]), json!([])))
        .collect();
    let left_out = difference(&Automaton::default(), &automaton(Value::from(many)));
    assert_eq!(
        (
            left_out["added"].as_array().unwrap().len(),
            &left_out["left_out"]
        ),
        (100, &json!(50))
    );
}

#[test]
fn large_pages_and_long_selectors_are_compared_within_bounds() {
    let long = format!("div{}[id=\"{}\"]", ".c".repeat(50_000), "x".repeat(50_000));
    let mut items: Vec<Item> = (0..2_000)
        .map(|at| Item {
            text: "word ".repeat(20),
            selector: format!("{long}{at}"),
        })
        .collect();
    items.push(Item {
        text: String::new(),
        selector: "a[name=\"last\"]".to_owned(),
    });
    let page = PageView {
        signals: Signals {
            items: Some(items),
            ..Signals::default()
        },
        ..PageView::default()
    };
    let found = nearest(&by_css("a[name=\"last\"]"), &page).unwrap();
    assert_eq!(found.selector, "a[name=\"last\"]");
    assert!(nearest(&by_css(&long), &page).is_some());
    let drift = Drift::of(
        &automaton(
            json!([{"name": "A", "checks": [{"type": "element", "value": "y".repeat(9_000)}]}]),
        ),
        0,
        Fault::Check { position: 0 },
        &page,
        &[],
    );
    assert_eq!(
        drift.unwrap().to_json()["gone"].as_str().unwrap().len(),
        2_000
    );
}
