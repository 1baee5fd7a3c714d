//! States that are regenerated after the page has changed.

use serde_json::{Value, json};

use super::making::{making, prompts, shop};
use super::site::{Making, Page, page, sage, words};

/// The automaton made for the shop; the shop now has other classes.
pub fn made() -> Value {
    let (run, _) = making(sage).run();
    run.automaton().to_json()
}

fn again<'model>(pages: Vec<Page>, model: impl FnMut(&str) -> String + 'model) -> Making<'model> {
    let mut again = Making::new(&made(), &prompts(), pages, model);
    again.order.parameters.open.insert("NAME".to_owned());
    again
}

/// The shop after a redesign: the list's button has at least another class.
fn changed(list: &[(&str, &str)], buy: &str) -> Vec<Page> {
    let mut pages = shop();
    let url = "https://shop.example/list";
    pages[1] = page(url, "List", list).leads(buy, 2);
    pages
}

#[test]
fn an_action_whose_element_is_gone_is_replaced_by_one_question() {
    let list = [
        ("Shop", "h1"),
        ("Films", "h2"),
        ("Buy", "a.x7[role=\"button\"]"),
    ];
    let mut run = again(changed(&list, "click a.x7[role=\"button\"]"), sage);
    assert_eq!(run.end(), "completed bought", "{:#?}", run.lines);
    assert_eq!(run.asked.len(), 1);
    let sent = [
        "type input.n parameters['NAME']",
        "click a.enter",
        "click a.buy",
        "click a.x7[role=\"button\"]",
    ];
    assert_eq!(run.site.sent, sent);
    assert!(words(&run.asked[0]).contains("no such element"));
    let drift = run.drift();
    let failure = &drift["failures"][0];
    assert_eq!(failure["state"], json!({"position": 1, "name": "List"}));
    assert_eq!(failure["action"]["line"], 1);
    assert_eq!(failure["gone"], "a.buy");
    assert_eq!(
        failure["page"],
        json!({"url": "https://shop.example/list", "title": "List"})
    );
    assert!(failure["nearest"]["selector"].is_string(), "{failure}");
    assert_eq!(drift["regenerated"], json!(["List"]));
    let changed = &drift["difference"]["changed"];
    assert_eq!(changed.as_array().unwrap().len(), 1);
    assert_eq!(changed[0]["actions"]["added"].as_array().unwrap().len(), 1);
}

#[test]
fn a_state_whose_check_fails_gets_new_checks_and_keeps_its_actions() {
    let list = [("Shop", "h1"), ("Movies", "h2"), ("Buy", "a.buy")];
    let mut run = again(changed(&list, "click a.buy"), sage);
    let (machine, _) = run.run();
    assert_eq!(run.asked.len(), 2, "{:#?}", run.lines);
    assert_eq!(
        run.lines.last().unwrap().split_once(' ').unwrap().1,
        "end completed \"bought\""
    );
    let failure = &run.drift()["failures"][0];
    assert_eq!(failure["state"]["name"], "List");
    assert_eq!(failure["gone"], "Films");
    assert_eq!(run.drift()["regenerated"], json!(["List"]));
    let list = &machine.automaton().states[1];
    assert!(list.is_unproven && list.name == "List");
    assert_eq!(machine.automaton().states.len(), 3);
}

#[test]
fn a_redesign_costs_at_most_three_questions_a_state_and_nothing_is_done_wrongly() {
    let mut pages = shop();
    pages[0] = page(
        "https://shop.example/",
        "Log in",
        &[
            ("Shop", "h1"),
            ("Name, please", "input.z1"),
            ("Enter", "a.z2"),
        ],
    )
    .leads("click a.z2", 1);
    pages[1] = page(
        "https://shop.example/list",
        "List",
        &[("Shop", "h1"), ("Movies", "h2"), ("Buy", "a.z3")],
    )
    .leads("click a.z3", 2);
    // The model identifies the replacement.
    let mut run = again(pages, |question| {
        let numbers = [
            ("input.n", "type(2, parameters['NAME'])"),
            ("a.enter", "click(3)"),
            ("a.buy", "click(3)"),
        ];
        let meant = numbers.iter().find(|(gone, _)| question.contains(gone));
        match meant {
            Some((_, call)) if question.starts_with("Which action") => (*call).to_owned(),
            _ => sage(question),
        }
    });
    assert_eq!(run.end(), "completed bought", "{:#?}", run.lines);
    assert!(!run.site.sent.iter().any(|sent| sent == "wrong"));
    let questions = run.asked.len();
    assert!(questions <= 7, "{questions}");
    let done = [
        "type input.z1 parameters['NAME']",
        "click a.z2",
        "click a.z3",
    ];
    let sent = run.site.sent.iter().filter(|sent| sent.contains(".z"));
    assert_eq!(sent.collect::<Vec<_>>(), done);
}

#[test]
fn without_regeneration_the_end_says_what_is_gone() {
    let list = [("Shop", "h1"), ("Films", "h2"), ("Buy", "a.x7")];
    let file = made();
    let mut run = Making::new(
        &file,
        &json!([]),
        changed(&list, "click a.x7"),
        |_| panic!(),
    );
    run.order.parameters.open.insert("NAME".to_owned());
    for state in [0, 1, 2] {
        let state = &mut run.order.automaton.states[state];
        let text = Value::from(vec![state.to_json()]).to_string();
        assert!(text.contains("unproven"));
    }
    // The fallback of an element that was never there points at something else.
    let end = run.end();
    assert!(end.contains("never there in this run"), "{end}");
    assert!(!run.site.sent.iter().any(|sent| sent == "wrong"));
    let states = json!([{
        "name": "List",
        "checks": [{"type": "text", "value": "Films"}],
        "actions": ["click('css selector', 'a.buy')"],
    }]);
    let mut run = Making::new(
        &states,
        &json!([]),
        changed(&list, "")[1..].to_vec(),
        |_| panic!(),
    );
    let end = run.end();
    assert!(
        end.starts_with("failed action: Action 1 of state 1 \"List\" failed"),
        "{end}"
    );
    assert_eq!(run.drift()["failures"][0]["gone"], "a.buy");
    let mut run = Making::new(&states, &json!([]), shop(), |_| panic!());
    assert!(run.end().starts_with("failed no_states_timeout"));
    assert_eq!(run.drift()["failures"][0]["check"]["position"], 0);
    assert_eq!(run.drift()["regenerated"], json!([]));
}

#[test]
fn a_model_that_knows_no_other_action_leaves_the_file_as_it_was() {
    let list = [("Shop", "h1"), ("Films", "h2"), ("Buy", "a.x7")];
    for (reply, says) in [
        ("terminate(\"none\")", "the model knows no other action"),
        ("click(99)", "asked often enough"),
        ("down", "no model is there"),
    ] {
        let mut run = again(changed(&list, "click a.x7"), |_| reply.to_owned());
        let (machine, _) = run.run();
        let end = run.notices.last().unwrap();
        let end = format!("{end:?}");
        assert!(
            end.contains(says) && end.contains("was not mended"),
            "{end}"
        );
        let unchanged = &machine.automaton().to_json()[1]["actions"];
        assert_eq!(*unchanged, made()[1]["actions"]);
    }
    // A new action that fails, too, is dropped after a second try.
    let mut run = again(changed(&list, "click a.x7"), |_| "click(3)".to_owned());
    run.site.pages[1].view.elements[2].selector = "a.ghost".to_owned();
    let mut pages = run.site.pages.clone();
    pages[1].view.elements.truncate(2);
    let (machine, _) = run.run();
    assert_eq!(
        machine.automaton().to_json()[1]["actions"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
}

#[test]
fn triggers_that_hold_on_the_next_page_are_chosen_again() {
    // The log-in's text has changed, and the model first chooses the shop's name instead, which is on each page.
    let mut pages = shop();
    pages[0] = page(
        "https://shop.example/",
        "Log in",
        &[
            ("Shop", "h1"),
            ("Name, please", "input.n"),
            ("Enter", "a.enter"),
        ],
    )
    .leads("click a.enter", 1);
    for list in ["Films", "Movies"] {
        let mut pages = pages.clone();
        pages[1] = page(
            "https://shop.example/list",
            "List",
            &[("Shop", "h1"), (list, "h2"), ("Buy", "a.buy")],
        )
        .leads("click a.buy", 2);
        let mut run = again(pages, |question| {
            let is_first = question.starts_with("Which of these numbered triggers")
                && question.contains("\"Name, please\"")
                && !question.contains("did not count");
            if is_first {
                "{\"triggers\": [2]}".to_owned()
            } else {
                sage(question)
            }
        });
        let (machine, _) = run.run();
        assert!(
            run.lines.last().unwrap().contains("end completed"),
            "{:#?}",
            run.lines
        );
        assert!(!run.site.sent.iter().any(|sent| sent == "wrong"));
        let log_in = &machine.automaton().states[2];
        assert_eq!(
            log_in.to_json()["checks"][0]["params"]["text"],
            "Name, please"
        );
    }
}
