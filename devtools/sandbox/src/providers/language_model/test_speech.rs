//! Tests of the model's turns, independent of the provider's format.

use serde_json::{Value, json};

use super::conversation::{Conversation, Saying, ToolCall, Turn};
use super::speak;

fn user(text: &str) -> Turn {
    Turn::User {
        text: text.to_owned(),
        images: Vec::new(),
    }
}

fn answer(tool: &str, text: &str) -> Turn {
    Turn::Tool {
        tool: tool.to_owned(),
        text: format!("The tool answered:\n~~~~\n{text}\n~~~~"),
        is_error: false,
    }
}

fn says(turns: Vec<Turn>, tools: &[&str]) -> Saying {
    let conversation = Conversation {
        turns,
        tools: tools.iter().map(|tool| (*tool).to_owned()).collect(),
        ..Conversation::default()
    };
    speak(&conversation, false, None, None).unwrap()
}

fn call(tool: &str, arguments: Value) -> Saying {
    let tool = tool.to_owned();
    Saying::Call(ToolCall { tool, arguments })
}

#[track_caller]
fn check_end(saying: &Saying, is_complete: bool, words: &str) {
    let Saying::Text(text) = saying else {
        panic!("{saying:?}");
    };
    let verdict: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(verdict["step_complete"], is_complete, "{text}");
    assert!(
        verdict["summary"].as_str().unwrap().contains(words),
        "{text}"
    );
}

const TOOLS: [&str; 4] = ["find_text", "click", "type_text", "take_screenshot"];
const FOUND: &str = r#"[{"text":"Save","x":140,"y":155}]"#;

#[test]
fn it_goes_on_where_the_answers_end() {
    let mut turns = vec![user("Click \"Save\", then look.")];
    let steps = [
        (
            call("find_text", json!({"text": "Save"})),
            "find_text",
            FOUND,
        ),
        (
            call("click", json!({"x": 140, "y": 155})),
            "click",
            "Clicked",
        ),
    ];
    for (expect, tool, text) in steps {
        assert_eq!(says(turns.clone(), &TOOLS), expect);
        turns.extend([Turn::Model, answer(tool, text)]);
    }
    assert_eq!(
        says(turns.clone(), &TOOLS),
        call("take_screenshot", json!({"mode": "screen"}))
    );
    turns.extend([Turn::Model, answer("take_screenshot", "{}")]);
    turns.push(user(
        "The pictures show:\nThe tool answered:\n~~~~\nclick \"Delete\"\n~~~~",
    ));
    check_end(&says(turns, &TOOLS), true, "I clicked \"Save\". I looked");
}

#[test]
fn what_hinders_it_is_told() {
    let told = || user("Click \"Save\"");
    check_end(
        &says(vec![told()], &["click"]),
        false,
        "I have no tool find_text",
    );
    let nothing = answer("find_text", "[]\n{\"available_elements\":[\"Store\"]}");
    check_end(
        &says(vec![told(), Turn::Model, nothing], &TOOLS),
        false,
        "did not find \"Save\"",
    );
    let failed = |text: &str, is_error| Turn::Tool {
        tool: "find_text".to_owned(),
        text: text.to_owned(),
        is_error,
    };
    for failed in [
        failed("The tool failed. It says:\n~~~~\nno screen\n~~~~", false),
        failed("no screen", true),
    ] {
        check_end(
            &says(vec![told(), Turn::Model, failed], &TOOLS),
            false,
            "failed: no screen",
        );
    }
    check_end(
        &says(vec![told(), Turn::Model, answer("click", "")], &TOOLS),
        false,
        "got one of click",
    );
    check_end(
        &says(vec![user("Tell me a joke.")], &[]),
        true,
        "nothing to do",
    );
}

#[test]
fn it_reads_until_the_text_is_there() {
    let mut turns = vec![user("Read \"Saved\"")];
    for _ in 0..2 {
        turns.extend([Turn::Model, answer("find_text", "[]")]);
        assert_eq!(
            says(turns.clone(), &TOOLS),
            call("find_text", json!({"text": "Saved"}))
        );
    }
    let mut found = turns.clone();
    found.extend([
        Turn::Model,
        answer("find_text", r#"[{"text":"Saved order 1","x":1,"y":2}]"#),
    ]);
    check_end(&says(found, &TOOLS), true, "I read \"Saved order 1\".");
    turns.extend([Turn::Model, answer("find_text", "[]")]);
    check_end(&says(turns, &TOOLS), false, "did not find \"Saved\"");
}

fn answered(text: &str, images: &[(usize, usize)]) -> Value {
    let turn = Turn::User {
        text: text.to_owned(),
        images: images.to_vec(),
    };
    serde_json::from_str(&says(vec![turn], &[]).text()).unwrap()
}

const ELEMENT: &str = "The user wants to interact with ";

#[test]
fn elements_and_apps_are_found_in_their_lists() {
    let element = |target: &str| {
        let list = "~~~~\nName\nSave\nclick \"x\"\n~~~~";
        answered(
            &format!(
                "{ELEMENT}{} in the app \"Ledger\". These:\n{list}\nAnswer",
                json!(target)
            ),
            &[],
        )
    };
    assert_eq!(element("submit"), json!({"name": "Save"}));
    assert_eq!(element("save"), json!({"name": "Save"}));
    assert_eq!(element("Print"), json!({"name": null}));
    let app = |wanted: &str| {
        let apps = r#"[{"name":"Ledger","pid":301},{"name":"Notes","pid":302}]"#;
        let windows = r#"[{"name":"Orders","owner_name":"Ledger","owner_pid":301}]"#;
        let text = format!(
            "The user wrote {}. These apps are running:\n~~~~\n{apps}\n~~~~\nThese windows are to be seen:\n~~~~\n{windows}\n~~~~\nAnswer",
            json!(wanted)
        );
        answered(&text, &[])
    };
    assert_eq!(app("notes"), json!({"name": "Notes", "pid": 302}));
    assert_eq!(app("orders"), json!({"name": "Ledger", "pid": 301}));
    assert_eq!(app("Chess"), json!({"name": null, "pid": null}));
}

#[test]
fn checks_are_judged_by_what_the_trace_shows() {
    let checks = [
        "a (TextPresent): {\"text\":\"saved order\"}",
        "b (TextPresent): {\"text\":\"Gone\"}",
        "c (TextAbsent): {\"text\":\"Gone\"}",
        "d (TextAbsent): {\"text\":\"Saved\"}",
        "e (TemplateFound): {}",
        "f (WindowTitleMatches): {\"title\":\"Ledger\"}",
        "Expected outcome: the name \"Ann\" was typed",
        "g (TextPresent): {}",
    ];
    let trace = "call of find_text: {\"text\":\"Gone\"}\nanswer of find_text: Saved order 1\ncall of type_text: {\"text\":\"Ann\"}";
    let text = format!(
        "The step is \"s\".\nThe checks are:\n~~~~\n{}\n~~~~\nIts events:\n~~~~\n{trace}\n~~~~",
        checks.join("\n")
    );
    let verdicts = answered(&text, &[(1, 1)]);
    let words: Vec<_> = verdicts
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["verdict"].clone())
        .collect();
    assert_eq!(
        words,
        [
            "pass", "fail", "pass", "fail", "fail", "fail", "pass", "fail"
        ]
    );
    assert_eq!(verdicts[6]["check_name"], "Expected outcome");
}

#[test]
fn a_picture_is_described_by_its_size() {
    let seen = answered(
        "The step is:\nx\nThe tool take_screenshot gave these pictures.",
        &[(320, 280)],
    );
    assert_eq!(seen["description"], "The picture is 320 by 280 pixels.");
}

#[test]
fn plans_are_asked_for_as_before() {
    let conversation = |text: &str| Conversation {
        turns: vec![user(text)],
        ..Conversation::default()
    };
    let asked = |text: &str, wants_json| speak(&conversation(text), wants_json, None, None);
    assert_eq!(asked("<data>\n{}\n</data>", false), None);
    assert_eq!(asked("Set ok to true.", true), None);
    assert!(asked("Hello.", false).is_some());
}

#[test]
fn json_alone_is_said_where_it_is_wanted() {
    let conversation = Conversation {
        turns: vec![user("Nothing.")],
        tools: vec!["click".to_owned()],
        ..Conversation::default()
    };
    let schema = json!({"type": "object", "properties": {"summary": {"type": "string"}}});
    let said = speak(&conversation, true, Some(&schema), None)
        .unwrap()
        .text();
    assert_eq!(said, "{\"summary\":\"There was nothing to do.\"}");
}
