//! States that models make in the strict dialect.

use serde_json::{Value, json};
use visual_degrees::engines::automaton::machine::NoticeKind;
use visual_degrees::engines::automaton::machine::states::{Automaton, Check, CheckKind};
use visual_degrees::page::PageView;

use super::site::{Making, Page, page, sage, words};

/// A shop: a log-in, a list, a basket. Each has the shop's name, and a text of its own.
pub fn shop() -> Vec<Page> {
    vec![
        page(
            "https://shop.example/",
            "Log in",
            &[
                ("Shop", "h1"),
                ("Your name", "input.n"),
                ("Enter", "a.enter"),
            ],
        )
        .leads("click a.enter", 1),
        page(
            "https://shop.example/list",
            "List",
            &[("Shop", "h1"), ("Films", "h2"), ("Buy", "a.buy")],
        )
        .leads("click a.buy", 2),
        page(
            "https://shop.example/basket",
            "Basket",
            &[("Shop", "h1"), ("Thank you", "p")],
        ),
    ]
}

pub fn prompts() -> Value {
    json!([
        {"name": "Log in", "triggers": ["a name is asked for"],
         "actions": ["type parameters['NAME'] into Your name", "click Enter"]},
        {"name": "List", "actions": ["click Buy"]},
        {"name": "Basket", "end_state": "bought"},
    ])
}

pub fn making<'model>(model: impl FnMut(&str) -> String + 'model) -> Making<'model> {
    let mut making = Making::new(&json!([]), &prompts(), shop(), model);
    making.order.parameters.open.insert("NAME".to_owned());
    making
}

const DEEDS: [&str; 3] = [
    "type input.n parameters['NAME']",
    "click a.enter",
    "click a.buy",
];

#[test]
fn a_whole_automaton_is_made_while_it_is_carried_out() {
    let mut making = making(sage);
    let (run, _) = making.run();
    assert_eq!(making.site.sent, DEEDS);
    let told: Vec<&str> = making
        .lines
        .iter()
        .filter(|line| !line.contains(" offered "))
        .map(|line| line.split_once(' ').unwrap().1)
        .collect();
    assert_eq!(
        told[..22],
        [
            "start 0",
            "making no_states_provided",
            "look [] ask",
            "ask prompt 1",
            "answer prompt {\"prompt\": 1}",
            "ask triggers 1",
            "answer triggers {\"triggers\": [4]}",
            "look [] ask",
            told[8],
            "enter 0 Log in",
            "ask action 1",
            "answer action type(2, parameters['NAME'])",
            told[12],
            "done 0:1",
            "look [] ask",
            "ask action 1",
            "answer action click(3)",
            told[17],
            "done 0:2",
            "look [] ask",
            "ask action 1",
            "answer action terminate(\"all is done\")",
        ],
        "{told:#?}"
    );
    assert_eq!(told[22..24], ["kept 0 unproven", "leave 0"]);
    assert_eq!(told.last().unwrap(), &"end completed \"bought\"");
    let names: Vec<&str> = run
        .automaton()
        .states
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["Basket", "List", "Log in"]);
    assert_eq!(run.history_names(), ["Log in", "List", "Basket"]);
    assert_eq!(making.drift()["made"], json!(["Log in", "List", "Basket"]));
    let added = making.drift()["difference"]["added"].clone();
    assert_eq!(added, run.automaton().to_json());
    assert_eq!((run.spent().asks, run.spent().states_made), (11, 3));
}

#[test]
fn what_was_made_runs_without_a_model_and_each_state_passes_on_its_page_alone() {
    let mut first = making(sage);
    let (run, _) = first.run();
    let file = run.automaton().to_json();
    assert_eq!(Automaton::from_json(&file).unwrap(), *run.automaton());
    let mut again = Making::new(&file, &json!([]), shop(), |_| panic!("no model is asked"));
    again.order.parameters.open.insert("NAME".to_owned());
    again.order.settings.no_states_timeout_ms = 1_000;
    assert_eq!(again.end(), "completed bought");
    assert_eq!(again.site.sent, DEEDS);
    for state in &run.automaton().states {
        let pages = shop();
        let on = pages.iter().filter(|page| holds(&state.checks, &page.view));
        assert_eq!(on.count(), 1, "{}", state.name);
    }
}

pub fn holds(checks: &[Check], view: &PageView) -> bool {
    checks.iter().all(|check| {
        let Check::Signal {
            kind,
            value: Some(value),
        } = check
        else {
            panic!("{check:?}");
        };
        let mut items = view.signals.items.iter().flatten();
        match kind {
            CheckKind::Url => view.signals.url.as_ref() == Some(value),
            CheckKind::Text => items.any(|item| item.text == *value),
            CheckKind::Element => items.any(|item| item.selector == *value),
            CheckKind::Unknown => false,
        }
    })
}

#[test]
fn questions_show_the_page_as_data_and_parameters_as_names() {
    let mut making = making(sage);
    making.order.parameters.secret.insert("PASSWORD".to_owned());
    making.run();
    for question in &making.asked {
        let text = words(question);
        let fence = text.find("\n~~~~\naddress ").unwrap();
        assert!(text[fence..].contains("\"Shop\""), "{text}");
        assert!(!text[..fence].contains("Thank you"), "{text}");
        assert!(
            matches!(&question.turns[..], [visual_degrees::chat::Turn::User(parts)] if parts.len() == 2)
        );
    }
    let action = words(&making.asked[2]);
    assert!(
        action.contains("parameters['NAME'], parameters['PASSWORD']"),
        "{action}"
    );
    assert!(action.contains("\n2 a \"Your name\"\n"), "{action}");
    let triggers = words(&making.asked[6]);
    assert!(
        triggers.contains("\n2 text \"Shop\" - also on"),
        "{triggers}"
    );
    assert!(triggers.contains("\n4 text \"Films\"\n"), "{triggers}");
}

/// A model that first gives these answers to one kind of question, and then is well.
fn first_bad<'a>(about: &'a str, bad: &'a [&'a str]) -> impl FnMut(&str) -> String + 'a {
    let mut bad = bad.iter();
    move |question| {
        let next = if question.starts_with(about) {
            bad.next()
        } else {
            None
        };
        next.map_or_else(|| sage(question), ToString::to_string)
    }
}

const PROMPT: &str = "Which of these numbered prompts";
const TRIGGERS: &str = "Which of these numbered triggers";
const ACTION: &str = "What is the next action";

#[test]
fn bad_answers_are_told_and_asked_for_again() {
    for (about, bad, says) in [
        (PROMPT, "prose", "not one JSON object"),
        (PROMPT, "It is {\"prompt\": 1}", "not one JSON object"),
        (PROMPT, "{\"prompt\": 4}", "above 3"),
        (PROMPT, "{\"prompt\": \"Log in\"}", "no number"),
        (PROMPT, "{\"state\": 1}", "no \"prompt\""),
        (PROMPT, "", "not one JSON object"),
        (TRIGGERS, "{\"triggers\": []}", "at least 1"),
        (TRIGGERS, "{\"triggers\": [99]}", "above 7"),
        (TRIGGERS, "{\"triggers\": [0]}", "from 1"),
        (TRIGGERS, "{\"triggers\": 1}", "no list"),
        (TRIGGERS, "{\"triggers\": [1,2,3,4,5,6,7,1,1]}", "at most 8"),
        (ACTION, "click(9)", "no element 9"),
        (ACTION, "click(0)", "no element 0"),
        (ACTION, "click(-1)", "from 1"),
        (ACTION, "click(\"Enter\")", "by its number"),
        (ACTION, "I click(1)", "not exactly one"),
        (ACTION, "click(3)\nclick(3)", "after the call"),
        (ACTION, "click(3); click(3)", "after the call"),
        (ACTION, "fly(3)", "no function"),
        (ACTION, "__import__('os')", "no function"),
        (
            ACTION,
            "click(by='css selector', selector='a.enter')",
            "takes element",
        ),
        (ACTION, "type(2, parameters['SECRET'])", "no parameter"),
        (ACTION, "type(2)", "takes element and text"),
        (ACTION, "wait(999)", "at most 30"),
        (ACTION, "navigate_to(\"javascript:alert(1)\")", "http"),
        (ACTION, "navigate_to(\"file:///etc/passwd\")", "http"),
        (ACTION, "save_html(\"x\")", "no function"),
        (ACTION, "terminate(\"done\")", "Nothing was done"),
        (ACTION, "", "name of a function"),
    ] {
        let bad = [bad];
        let mut making = making(first_bad(about, &bad));
        assert_eq!(
            making.end(),
            "completed bought",
            "{bad:?} {:#?}",
            making.lines
        );
        assert_eq!(making.site.sent, DEEDS, "{bad:?}");
        let complaint = making.asked.iter().find_map(|question| {
            let text = words(question);
            text.split_once("\n\nThe last answer did not count: ")
                .map(|(_, why)| why)
        });
        let complaint = complaint.unwrap_or_else(|| panic!("{bad:?}"));
        assert!(complaint.contains(says), "{bad:?}: {complaint}");
    }
}

#[test]
fn a_fence_of_markdown_is_no_bad_answer() {
    let mut making = making(|question| format!("```json\n{}\n```", sage(question)));
    assert_eq!(making.end(), "completed bought");
    assert!(!making.lines.iter().any(|line| line.contains("refused")));
}

#[test]
fn a_model_that_is_always_wrong_ends_the_run_in_words() {
    for (about, bad, questions) in [
        (PROMPT, "hm", 3),
        (TRIGGERS, "{\"triggers\": []}", 4),
        (ACTION, "click(99)", 5),
        (ACTION, "terminate(\"ignore\")", 5),
    ] {
        let always = [bad; 50];
        let mut making = making(first_bad(about, &always));
        let end = making.end();
        assert!(
            end.starts_with("failed synthesis: No state was made"),
            "{end}"
        );
        assert!(end.contains("asked often enough"), "{end}");
        assert_eq!((making.asked.len(), making.site.sent.len()), (questions, 0));
    }
    let mut none = making(|_| "{\"prompt\": 0}".to_owned());
    assert!(none.end().contains("none of the prompts fits"));
    let mut down = making(|_| "down".to_owned());
    assert!(down.end().contains("no model is there"));
    // Nothing of a state that was not made to its end is left.
    let always = ["click(99)"; 50];
    let mut half = making(first_bad(ACTION, &always));
    let (run, _) = half.run();
    assert!(run.automaton().states.is_empty());
    assert!(half.lines.iter().any(|line| line.ends_with(" dropped")));
    assert_eq!(half.drift(), Value::Null);
}

#[test]
fn rounds_without_an_end_come_to_one() {
    let mut making = making(|question| match question.starts_with(ACTION) {
        true => "scroll(\"down\")".to_owned(),
        false => sage(question),
    });
    assert!(
        making
            .end()
            .contains("has not come to an end in 20 actions")
    );
    assert_eq!(making.site.sent.len(), 20);
    assert!(making.site.sent.iter().all(|sent| sent == "scroll down"));
}

#[test]
fn a_trigger_that_is_on_every_page_is_refused() {
    // The shop's name is on each page: nothing tells that before a second page is seen.
    let mut making = making(|question| match question.starts_with(TRIGGERS) {
        true if !question.contains("did not count") => "{\"triggers\": [2]}".to_owned(),
        _ => sage(question),
    });
    assert_eq!(making.end(), "completed bought", "{:#?}", making.lines);
    assert_eq!(making.site.sent, DEEDS);
    let refused: Vec<&String> = making
        .lines
        .iter()
        .filter(|it| it.contains("refused"))
        .collect();
    assert_eq!(refused.len(), 2, "{refused:#?}");
    assert!(making.asked.iter().any(|question| {
        words(question).contains("also hold on the page that follows the state's actions")
    }));
}

#[test]
fn an_action_that_fails_is_told_to_the_model_and_forgotten() {
    let mut is_first = true;
    let mut making = making(move |question| {
        if question.starts_with(ACTION) && question.contains("\n3 a \"Enter\"") && is_first {
            is_first = false;
            return "scroll_to(1)".to_owned();
        }
        sage(question)
    });
    // The site knows no such element once it is asked.
    making.site.pages[0].view.elements[0].selector = "h1.gone".to_owned();
    making.end();
    assert!(making.site.sent[0].starts_with("show h1.gone"));
}

#[test]
fn no_notice_and_no_question_has_a_secret() {
    let canary = "c4n4ry-s3cr3t";
    let mut making = making(sage);
    making.order.parameters.secret.insert("PASSWORD".to_owned());
    making.order.prompts[0].actions[0] = "type parameters['PASSWORD'] into Your name".to_owned();
    making.run();
    assert_eq!(making.site.sent[0], "type input.n parameters['PASSWORD']");
    let all = format!("{:?} {:?}", making.notices, making.asked);
    assert!(all.contains("PASSWORD") && !all.contains(canary));
}

#[test]
fn states_are_told_with_all_that_a_file_needs() {
    let mut making = making(sage);
    let (run, _) = making.run();
    let mut states: Vec<Value> = Vec::new();
    for notice in &making.notices {
        match &notice.kind {
            NoticeKind::StateMade { written } => states.insert(0, written.clone()),
            NoticeKind::StateKept { state, written, .. }
            | NoticeKind::StateChanged { state, written } => states[*state] = written.clone(),
            NoticeKind::StateDropped => drop(states.remove(0)),
            _ => {}
        }
    }
    assert_eq!(Value::from(states), run.automaton().to_json());
}
