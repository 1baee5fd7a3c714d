//! Elements and apps in the user's words.

use domain::chat::ChatPurpose;
use serde_json::json;

use super::table::{Table, chain, node, reply, texts};

const NOTHING: [&str; 2] = ["[]", r#"{"available_elements":["Multiply","Divide"]}"#];
const FOUND: &str = r#"[{"text":"Multiply","x":1.5,"y":2}]"#;

fn click(number: usize) -> serde_json::Value {
    node(
        number,
        &format!("Click {number}"),
        "Click",
        json!({
            "target": "times", "button": "Left", "click_count": 1,
        }),
    )
}

#[test]
fn an_element_that_the_user_names_otherwise_is_asked_of_a_model_once() {
    let mut table = Table::new(&chain(&[click(1), click(2)]))
        .answers(
            "find_text",
            [
                texts(&NOTHING),
                texts(&[FOUND]),
                texts(&NOTHING),
                texts(&[FOUND]),
            ],
        )
        .answers("click", [texts(&["ok"])])
        .replies([reply(r#"{"name":"Multiply"}"#)]);
    let lines = table.run();
    assert_eq!(lines.last().unwrap(), "completed", "{lines:#?}");
    assert_eq!(table.asked.len(), 1);
    assert_eq!(table.asked[0].purpose, ChatPurpose::Element);
    let calls: Vec<_> = lines.iter().filter(|line| line.contains("calls")).collect();
    let expected = [
        "Click 1: calls find_text{\"text\":\"times\"}",
        "Click 1: calls find_text{\"text\":\"Multiply\"}",
        "Click 1: calls click{\"button\":\"left\",\"click_count\":1,\"x\":1.5,\"y\":2.0}",
        "Click 2: calls find_text{\"text\":\"times\"}",
        "Click 2: calls find_text{\"text\":\"Multiply\"}",
        "Click 2: calls click{\"button\":\"left\",\"click_count\":1,\"x\":1.5,\"y\":2.0}",
    ];
    assert_eq!(calls, expected);
}

#[test]
fn only_a_member_of_the_list_is_clicked_at() {
    for words in [r#"{"name":"Add"}"#, r#"{"name":null}"#, "Multiply"] {
        let mut table = Table::new(&chain(&[click(1)]))
            .answers("find_text", [texts(&NOTHING)])
            .replies([reply(words)]);
        let last = table.run().pop().unwrap();
        assert!(
            last.starts_with("node_failed: Could not find text 'times' on screen"),
            "{last}"
        );
    }
}

#[test]
fn a_retry_asks_anew() {
    let mut node = click(1);
    node["retries"] = json!(1);
    let mut table = Table::new(&chain(&[node]))
        .answers("find_text", [texts(&NOTHING)])
        .replies([
            reply(r#"{"name":"Divide"}"#),
            reply(r#"{"name":"Multiply"}"#),
        ]);
    table.run();
    assert_eq!(table.asked.len(), 2);
}

#[test]
fn an_app_is_found_focused_and_searched() {
    let focus = node(
        1,
        "Focus",
        "FocusWindow",
        json!({
            "method": "AppName", "value": "editor", "bring_to_front": true,
        }),
    );
    let shot = node(
        3,
        "Shot",
        "TakeScreenshot",
        json!({
            "mode": "Window", "target": "editor", "include_ocr": false,
        }),
    );
    let mut table = Table::new(&chain(&[focus, click(2), shot]))
        .answers("list_apps", [texts(&[r#"[{"name":"TextEdit","pid":7}]"#])])
        .answers("list_windows", [texts(&["[]"])])
        .answers("focus_window", [texts(&["ok"])])
        .answers("find_text", [texts(&[FOUND])])
        .answers("click", [texts(&["ok"])])
        .answers("take_screenshot", [texts(&["ok"])])
        .replies([reply("It is {\"name\":\"TextEdit\",\"pid\":7}.")]);
    let lines = table.run();
    let calls: Vec<_> = lines.iter().filter(|line| line.contains("calls")).collect();
    let expected = [
        "Focus: calls list_apps{\"user_apps_only\":true}",
        "Focus: calls list_windows",
        "Focus: calls focus_window{\"pid\":7}",
        "Click 2: calls find_text{\"app_name\":\"TextEdit\",\"text\":\"times\"}",
        "Click 2: calls click{\"button\":\"left\",\"click_count\":1,\"x\":1.5,\"y\":2.0}",
        "Shot: calls take_screenshot{\"app_name\":\"TextEdit\",\"include_ocr\":false,\"mode\":\"window\"}",
    ];
    assert_eq!(calls, expected);
    assert_eq!(table.asked.len(), 1, "the app is asked for once");
}
