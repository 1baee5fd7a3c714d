//! States that models make.

use automaton::machine::NoticeKind;
use automaton::machine::states::Prompt;
use automaton::machine::states::{Automaton, Check, CheckKind};
use domain::page::PageView;
use serde_json::{Value, json};

use super::scene::Scene;
use super::site::{Making, Page, page, sage, words};

/// A shop: a log-in, a list, a basket. Each page has the shop's name, and a text of its own.
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

pub const DEEDS: [&str; 3] = [
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
        assert!(!text[..fence].contains("Films"), "{text}");
        assert!(
            matches!(&question.turns[..], [domain::chat::Turn::User(parts)] if parts.len() == 2)
        );
    }
    let about = |wanted: &str, at: usize| {
        let mut asked = making.asked.iter().map(words);
        asked
            .by_ref()
            .filter(|text| text.starts_with(wanted))
            .nth(at)
            .unwrap()
    };
    let action = about(ACTION, 0);
    assert!(
        action.contains(" later: parameters['NAME']\n"),
        "a secret that the prompt does not name is not offered: {action}"
    );
    assert!(action.contains("\n2 input \"Your name\"\n"), "{action}");
    let triggers = about(TRIGGERS, 1);
    assert!(
        triggers.contains("\n2 text \"Shop\" - also on"),
        "{triggers}"
    );
    assert!(triggers.contains("\n4 text \"Films\"\n"), "{triggers}");
}

pub const PROMPT: &str = "Which of these numbered prompts";
pub const TRIGGERS: &str = "Which of these numbered triggers";
pub const ACTION: &str = "What is the next action";

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

/// A model may type a prompt's secrets into fields, and not use secrets in any other way.
#[test]
fn a_model_types_the_secrets_of_its_prompt_into_fields_alone() {
    for (answer, says) in [
        (
            "navigate_to(\"https://shop.example/?q=\" + parameters['PASSWORD'])",
            "is a secret",
        ),
        ("navigate_to(parameters['PASSWORD'])", "is a secret"),
        ("press_key(parameters['PASSWORD'])", "is a secret"),
        ("type(3, parameters['PASSWORD'])", "is a secret"),
        (
            "type(2, \"x\" + parameters['OTHER'])",
            "There is no parameter",
        ),
        ("navigate_to(parameters['OTHER'])", "There is no parameter"),
        ("press_key(parameters['OTHER'])", "There is no parameter"),
    ] {
        let mut is_first = true;
        let mut making = making(move |question| {
            if question.starts_with(ACTION) && std::mem::take(&mut is_first) {
                return answer.to_owned();
            }
            sage(question)
        });
        for name in ["PASSWORD", "OTHER"] {
            making.order.parameters.secret.insert(name.to_owned());
        }
        making.order.prompts[0].actions[0] =
            "type parameters['PASSWORD'] into Your name".to_owned();
        making.run();
        let refused = making.notices.iter().find_map(|notice| match &notice.kind {
            NoticeKind::Answered { refused, .. } => refused.clone(),
            _ => None,
        });
        assert!(refused.unwrap_or_default().contains(says), "{answer}");
        assert_eq!(
            making.site.sent[0], "type input.n parameters['PASSWORD']",
            "{answer}"
        );
        let asked: Vec<&str> = making.asked.iter().map(words).collect();
        assert!(asked.iter().any(|question| question.contains(says)));
        assert!(
            !asked
                .iter()
                .any(|question| question.contains("parameters['OTHER']"))
        );
    }
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

#[test]
fn prompts_have_names_of_their_own() {
    for (names, says) in [
        (["A", "A"], "prompt 2: a prompt before it has its name"),
        (["A", " "], "prompt 2: its name is blank"),
    ] {
        let mut scene = Scene::new(&[], &[]);
        let named = names.map(|name| json!({"name": name}));
        scene.order.prompts = Prompt::read_all(&json!(named)).unwrap();
        assert_eq!(scene.finding().to_string(), says);
    }
}
