//! The bad habits of models, and their consequences.

use serde_json::Value;

use super::making::{ACTION, DEEDS, PROMPT, TRIGGERS, making};
use super::site::{sage, words};

/// A model that first gives these answers to one kind of question, and then answers well.
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
    // Nothing remains of an unfinished state.
    let always = ["click(99)"; 50];
    let mut half = making(first_bad(ACTION, &always));
    let (run, _) = half.run();
    assert!(run.automaton().states.is_empty());
    assert!(half.lines.iter().any(|line| line.ends_with(" dropped")));
    assert_eq!(half.drift(), Value::Null);
}

#[test]
fn rounds_without_an_end_come_to_one() {
    let mut making = making(|question| {
        if question.starts_with(ACTION) {
            return "scroll(\"down\")".to_owned();
        }
        sage(question)
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
    // The shop's name is on each page, which only a second page reveals.
    let mut making = making(|question| {
        if question.starts_with(TRIGGERS) && !question.contains("did not count") {
            return "{\"triggers\": [2]}".to_owned();
        }
        sage(question)
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
    // The site no longer has this element when it is acted on.
    making.site.pages[0].view.elements[0].selector = "h1.gone".to_owned();
    making.end();
    assert!(making.site.sent[0].starts_with("show h1.gone"));
}
