//! When a fallback's box is used: if the element was there before in the run, or the file says so, and never for a
//! secret.

use automaton::machine::grammar::read_call;
use automaton::machine::states::Automaton;
use automaton::machine::validation::check_anew;
use serde_json::{Value, json};

use super::site::{Making, Page, page};

const BOX: &str = "fallback_x=1, fallback_y=2, fallback_width=3, fallback_height=4";

/// A shop whose button is on the first page and missing on the second.
fn pages() -> Vec<Page> {
    let first = page("https://a/1", "One", &[("One", "h1"), ("Buy", "a.buy")]);
    let second = page("https://a/2", "Two", &[("Two", "h1"), ("Go", "a.go")]);
    vec![
        first.leads("click a.buy", 1).leads("press enter", 1),
        second,
    ]
}

fn states(first: &[&str], second: &str) -> Value {
    json!([
        {"name": "One", "checks": [{"type": "text", "value": "One"}], "actions": first},
        {"name": "Two", "checks": [{"type": "text", "value": "Two"}], "actions": [second], "end_state": "done"},
    ])
}

fn run(states: &Value, change: impl FnOnce(&mut Making<'_>)) -> (String, bool) {
    let mut run = Making::new(states, &json!([]), pages(), |_| panic!("nobody is asked"));
    run.order.regenerates = false;
    run.order.parameters.secret.insert("PIN".to_owned());
    run.order.parameters.open.insert("NAME".to_owned());
    change(&mut run);
    let end = run.end();
    let is_used = run.site.sent.iter().any(|sent| sent == "wrong");
    (end, is_used)
}

#[track_caller]
fn check_used(first: &[&str], second: &str) {
    let states = states(first, second);
    assert_eq!(run(&states, |_| {}), ("completed done".to_owned(), true));
    // Another process that resumes decides the same.
    for at in 0..12 {
        for was_done in [false, true] {
            let (end, is_used) = run(&states, |run| run.kill = Some((at, was_done)));
            let is_unknown = end.starts_with("failed unknown_outcome");
            assert!(
                is_unknown || (is_used && end == "completed done"),
                "{at}: {end}"
            );
        }
    }
}

#[track_caller]
fn check_refused(first: &[&str], second: &str, says: &str) {
    let (end, is_used) = run(&states(first, second), |_| {});
    assert!(
        end.starts_with("failed action") && end.contains(says),
        "{end}"
    );
    assert!(!is_used);
}

#[test]
fn an_element_that_was_clicked_before_was_there() {
    let gone = format!("click('css selector', 'a.buy', {BOX})");
    check_used(&["click('css selector', 'a.buy')"], &gone);
    let gone = format!("type('css selector', 'a.buy', 'x', {BOX})");
    check_used(&["click('css selector', 'a.buy')"], &gone);
}

#[test]
fn an_element_that_a_look_listed_was_there() {
    let gone = format!("click('css selector', 'a.buy', {BOX})");
    check_used(&["press_key('enter')"], &gone);
}

#[test]
fn an_element_that_was_never_there_has_no_fallback() {
    for gone in [
        "'css selector', 'a.sell'",
        "'id', 'a.buy'",
        "'css selector', 'a' + parameters['NAME']",
    ] {
        let gone = format!("click({gone}, {BOX})");
        let says = "the element was never there in this run; fallback='always' uses it";
        check_refused(&["click('css selector', 'a.buy')"], &gone, says);
    }
}

#[test]
fn a_place_that_was_clicked_for_an_element_is_no_element() {
    let always = format!("click('css selector', 'a.sell', {BOX}, fallback='always')");
    let again = format!("click('css selector', 'a.sell', {BOX})");
    let (end, is_used) = run(&states(&[&always, &again], "wait(0)"), |_| {});
    assert!(is_used && end.contains("never there"), "{end}");
}

#[test]
fn the_file_can_say_that_a_fallback_is_always_used() {
    let gone = format!("click('css selector', 'a.sell', {BOX}, fallback='always')");
    check_used(&["press_key('enter')"], &gone);
}

#[test]
fn an_action_with_a_secret_has_no_fallback() {
    let gone = [
        format!("type('css selector', 'a.buy', parameters['PIN'], {BOX}, fallback='always')"),
        format!("click('css selector', 'a' + parameters['PIN'], {BOX}, fallback='always')"),
    ];
    for gone in gone {
        check_refused(
            &["click('css selector', 'a.buy')"],
            &gone,
            "has a secret in it",
        );
        check_refused(
            &["click('css selector', 'a.buy')"],
            &gone.replace(", fallback='always'", ""),
            "has a secret in it",
        );
    }
}

#[test]
fn what_a_run_that_begins_may_not_have_is_said_in_words() {
    let says = |action: &str| {
        let automaton = Automaton::from_json(&states(&[action], "wait(0)")).unwrap();
        check_anew(&automaton).map_err(|finding| finding.to_string())
    };
    for percentage in ["1.5", "-0.1", "1e9", "1.0000001"] {
        let click = format!("click('id', 'a', percentage={percentage})");
        let why = says(&click).unwrap_err();
        assert!(
            why.starts_with("state 1: line 1: `percentage` must be a number from 0 to 1"),
            "{why}"
        );
    }
    // An older run that began with such a fallback continues, and its sealed file can be replayed.
    let begun = states(
        &["click('css selector', 'a.buy', percentage=1.5)"],
        "wait(0)",
    );
    assert_eq!(run(&begun, |_| {}), ("completed done".to_owned(), false));
    for percentage in ["0", "1", "0.5", "None"] {
        let click = format!("click('id', 'a', percentage={percentage})");
        assert_eq!(says(&click), Ok(()));
    }
    let always = format!("click('id', 'a', {BOX}, fallback='always')");
    assert_eq!(says(&always), Ok(()));
    // What the page's script could not read would be missed on each page.
    for (selector, is_right) in [
        ("button[name=\"Go\"]", true),
        ("dialog", true),
        ("button[name=Go]", false),
        ("Button", false),
        ("[role=button]", false),
    ] {
        for action in [
            format!("click('role', '{selector}')"),
            format!("drag('id', 'a', 'role', '{selector}')"),
        ] {
            assert_eq!(says(&action).is_ok(), is_right, "{action}");
        }
        let each = json!({"by": "role", "selector": selector, "parameter": "ROW"});
        let config = json!({"for_each": each});
        let file = json!([{"name": "A", "actions": [], "checks": [], "config": config}]);
        let checked = check_anew(&Automaton::from_json(&file).unwrap());
        assert_eq!(checked.is_ok(), is_right, "{selector}");
        let file =
            json!([{"name": "A", "actions": [], "checks": [{"type": "role", "value": selector}]}]);
        let automaton = Automaton::from_json(&file).unwrap();
        let checked = check_anew(&automaton).map_err(|finding| finding.to_string());
        assert_eq!(checked.is_ok(), is_right, "{selector}");
        if let Err(why) = checked {
            assert!(
                why.starts_with("state 1: check 1: the selector of the kind \"role\" is"),
                "{why}"
            );
        }
    }
}

#[test]
fn the_word_of_a_fallback_is_read_and_written_back() {
    let source = format!("click(by='id', selector='a', {BOX}, fallback='always')");
    assert_eq!(read_call(&source).unwrap().to_string(), source);
    let state = json!([{"name": "A", "description": "", "checks": [], "end_state": "", "actions": [source]}]);
    assert_eq!(Automaton::from_json(&state).unwrap().to_json(), state);
    for (word, says) in [("'never'", "must be 'always'"), ("1", "must be 'always'")] {
        let source = source.replace("'always'", word);
        let state = json!([{"name": "A", "checks": [], "actions": [source]}]);
        let automaton = Automaton::from_json(&state).unwrap();
        let line = format!("{:?}", automaton.states[0].lines[0]);
        assert!(line.contains(says), "{line}");
    }
}
