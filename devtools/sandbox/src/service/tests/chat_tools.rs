//! Tests of the refusals of chat completions and Workers AI in conversations with functions and pictures.

use super::gemini_tools::PNG;
use super::model_play::{openai_body, workers_ai_body};
use super::planners::{complete, run_model};
use super::*;

fn check_openai(sandbox: &mut Sandbox, asked: &Value, says: Option<&str>) {
    let reply = complete(sandbox, asked);
    let answer = body(&reply);
    match says {
        None => assert_eq!(status(&reply), 200, "{asked} {answer}"),
        Some(says) => {
            assert_eq!(status(&reply), 400, "{asked}");
            assert_eq!(answer["error"]["type"], "invalid_request_error", "{asked}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains(says), "{says}: {message}");
        }
    }
}

#[test]
fn the_chat_completions_want_the_messages_in_order() {
    let mut sandbox = plain();
    let call =
        body(&complete(&mut sandbox, &openai_body("Click \"Save\"")))["choices"][0]["message"]
            .clone();
    let id = call["tool_calls"][0]["id"].clone();
    let answer = json!({"role": "tool", "tool_call_id": id, "content": "[]"});
    let user = |content: Value| json!({"role": "user", "content": content});
    let with = |message: &Value, place: &str, name: &str, value: Value| {
        let mut message = message.clone();
        message.pointer_mut(place).unwrap()[name] = value;
        message
    };
    let function = "/tool_calls/0/function";
    for (messages, says) in [
        (vec![call.clone(), answer.clone()], None),
        (
            vec![
                call.clone(),
                with(
                    &answer,
                    "",
                    "content",
                    json!([{"type": "text", "text": "[]"}]),
                ),
            ],
            None,
        ),
        (
            vec![answer.clone()],
            Some("must be a response to a preceeding message"),
        ),
        (
            vec![call.clone(), answer.clone(), answer.clone()],
            Some("preceeding message"),
        ),
        (
            vec![call.clone(), with(&answer, "", "tool_call_id", json!("x"))],
            Some("preceeding message"),
        ),
        (
            vec![call.clone(), with(&answer, "", "tool_call_id", Value::Null)],
            Some("tool_call_id"),
        ),
        (
            vec![call.clone(), with(&answer, "", "content", Value::Null)],
            Some("expected a string, got null"),
        ),
        (
            vec![call.clone()],
            Some("did not have response messages: call_"),
        ),
        (
            vec![call.clone(), user(json!("Go on."))],
            Some("did not have response messages"),
        ),
        (
            vec![with(&call, "", "tool_calls", json!([]))],
            Some("empty array"),
        ),
        (
            vec![with(&call, "", "tool_calls", Value::Null)],
            Some("expected a string, got null"),
        ),
        (
            vec![with(&call, function, "name", Value::Null)],
            Some("function.name"),
        ),
        (
            vec![with(&call, function, "arguments", json!({}))],
            Some("function.arguments"),
        ),
        (
            vec![with(&call, "/tool_calls/0", "id", Value::Null)],
            Some("[0].id"),
        ),
        (
            vec![with(&call, "/tool_calls/0", "type", Value::Null)],
            Some("[0].type"),
        ),
        (
            vec![json!({"role": "model", "content": "x"})],
            Some("Supported values are: 'system'"),
        ),
        (vec![json!({"content": "x"})], Some("messages[2].role")),
        (vec![json!({"role": "user"})], Some("messages[2].content")),
        (
            vec![user(json!([{"type": "input_text", "text": "x"}]))],
            Some("Invalid value: 'input_text'"),
        ),
        (
            vec![json!({"role": "system", "content": [{"type": "image_url"}]})],
            Some("'image_url'"),
        ),
    ] {
        let mut asked = openai_body("Click \"Save\"");
        asked["messages"].as_array_mut().unwrap().extend(messages);
        check_openai(&mut sandbox, &asked, says);
    }
}

#[test]
fn the_chat_completions_want_pictures_that_they_can_read() {
    let mut sandbox = plain();
    let large = format!("data:image/png;base64,{}", "A".repeat(28_000_000));
    for (url, says) in [
        (format!("data:image/png;base64,{PNG}"), None),
        (
            "https://example.com/a.png".to_owned(),
            Some("Error while downloading"),
        ),
        (
            format!("data:image/bmp;base64,{PNG}"),
            Some("unsupported image"),
        ),
        (
            "data:image/png;base64,AAAA".to_owned(),
            Some("unsupported image"),
        ),
        (
            "data:image/png;base64,***".to_owned(),
            Some("Invalid base64"),
        ),
        (large, Some("exceeds the limit")),
    ] {
        let image = json!({"type": "image_url", "image_url": {"url": url}});
        let messages = json!([{"role": "user", "content": [image]}]);
        check_openai(
            &mut sandbox,
            &json!({"model": "sandbox-model", "messages": messages}),
            says,
        );
    }
}

#[test]
fn the_chat_completions_want_functions_well_declared() {
    let mut sandbox = plain();
    let good = || openai_body("Hello.");
    let first = |name: &str, value: Value| {
        let mut asked = good();
        asked["tools"][0]["function"][name] = value;
        asked
    };
    let with = |name: &str, value: Value| {
        let mut asked = good();
        asked[name] = value;
        asked
    };
    let alone = |name: &str, value: Value| {
        let mut asked = with(name, value);
        asked.as_object_mut().unwrap().remove("tools");
        asked
    };
    for (asked, says) in [
        (good(), None),
        (with("tool_choice", json!("required")), None),
        (with("parallel_tool_calls", json!(false)), None),
        (first("name", json!("a.b")), Some("does not match pattern")),
        (first("name", Value::Null), Some("tools[0].function.name")),
        (first("parameters", json!({})), Some("got 'type: \"None\"'")),
        (first("strict", json!(true)), Some("additionalProperties")),
        (with("tools", json!([])), Some("empty array")),
        (with("tools", json!({})), Some("expected an array")),
        (
            with("tools", json!(vec![good()["tools"][0].clone(); 129])),
            Some("array too long"),
        ),
        (
            with("tools", json!([{"name": "click"}])),
            Some("tools[0].type"),
        ),
        (
            with("tool_choice", json!("any")),
            Some("'none', 'auto', and 'required'"),
        ),
        (
            with(
                "tool_choice",
                json!({"type": "function", "function": {"name": "x"}}),
            ),
            Some("not in 'tools'"),
        ),
        (
            alone("tool_choice", json!("auto")),
            Some("only allowed when 'tools'"),
        ),
        (
            alone("parallel_tool_calls", json!(true)),
            Some("only allowed when 'tools'"),
        ),
    ] {
        check_openai(&mut sandbox, &asked, says);
    }
}

#[test]
fn workers_ai_wants_calls_before_their_answers() {
    let mut sandbox = plain();
    let call = json!({"role": "assistant", "content": "{\"name\":\"find_text\",\"arguments\":{}}"});
    let listed = json!({"role": "assistant", "content": "", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "find_text", "arguments": "{}"}}]});
    let tool = |member: &str, value: &str| json!({"role": "tool", member: value, "content": "[]"});
    for (messages, is_good) in [
        (vec![call.clone(), tool("name", "find_text")], true),
        (
            vec![call.clone(), json!({"role": "tool", "content": "[]"})],
            true,
        ),
        (vec![listed.clone(), tool("tool_call_id", "a")], true),
        (vec![listed, tool("tool_call_id", "b")], false),
        (vec![call, tool("name", "click")], false),
        (vec![tool("name", "find_text")], false),
        (
            vec![json!({"role": "user", "content": [{"type": "text", "text": "x"}]})],
            false,
        ),
    ] {
        let mut asked = workers_ai_body("Click \"Save\"");
        asked["messages"].as_array_mut().unwrap().extend(messages);
        let reply = run_model(&mut sandbox, &asked);
        assert_eq!(status(&reply), if is_good { 200 } else { 400 }, "{asked}");
    }
    for tools in [
        json!({}),
        json!([{"type": "function"}]),
        json!([{"name": "click"}]),
    ] {
        let mut asked = workers_ai_body("Hello.");
        asked["tools"] = tools;
        let reply = run_model(&mut sandbox, &asked);
        assert_eq!(body(&reply)["errors"][0]["code"], 5006, "{asked}");
    }
}
