//! Tests of Gemini's refusals in conversations with functions and pictures.

use super::model_play::gemini_body;
use super::*;

pub const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

fn check_gemini(sandbox: &mut Sandbox, asked: &Value, says: Option<&str>) {
    let reply = plan(sandbox, asked);
    let answer = body(&reply);
    match says {
        None => assert_eq!(status(&reply), 200, "{asked} {answer}"),
        Some(says) => {
            assert_eq!(status(&reply), 400, "{asked}");
            assert_eq!(answer["error"]["status"], "INVALID_ARGUMENT", "{asked}");
            let message = answer["error"]["message"].as_str().unwrap();
            assert!(message.contains(says), "{says}: {message}");
        }
    }
}

/// Returns a function call of this model, with its signature.
fn called(sandbox: &mut Sandbox) -> Value {
    let answer = body(&plan(sandbox, &gemini_body("Click \"Save\"")));
    answer["candidates"][0]["content"].clone()
}

fn after(contents: &[&Value]) -> Value {
    let mut asked = gemini_body("Click \"Save\"");
    let all = asked["contents"].as_array_mut().unwrap();
    all.extend(contents.iter().map(|content| (*content).clone()));
    asked
}

#[test]
fn gemini_wants_the_turns_in_order() {
    let mut sandbox = plain();
    let call = called(&mut sandbox);
    let with_role = |content: &Value, role: &str| {
        let mut content = content.clone();
        content["role"] = json!(role);
        content
    };
    let response = |name: &str| {
        let response = json!({"name": name, "response": {"result": "[]"}});
        json!({"role": "user", "parts": [{"functionResponse": response}]})
    };
    let good = response("find_text");
    let text = json!({"role": "user", "parts": [{"text": "Go on."}]});
    let mut two = good.clone();
    two["parts"] = json!([good["parts"][0], good["parts"][0]]);
    let mut unsigned = call.clone();
    unsigned["parts"][0]
        .as_object_mut()
        .unwrap()
        .remove("thoughtSignature");
    let mut corrupted = call.clone();
    corrupted["parts"][0]["thoughtSignature"] = json!("AAAA");
    let mut skipped = call.clone();
    skipped["parts"][0]["thoughtSignature"] = json!("skip_thought_signature_validator");
    let mut other_id = good.clone();
    other_id["parts"][0]["functionResponse"]["id"] = json!("other");
    let (next, many) = (
        "function response turn comes immediately",
        "number of function response parts",
    );
    for (contents, says) in [
        (vec![&call, &good], None),
        (vec![&skipped, &good], None),
        (vec![&unsigned, &good, &text], None),
        (vec![&unsigned, &good], Some("missing a thought_signature")),
        (vec![&corrupted, &good], Some("Corrupted thought signature")),
        (vec![&good], Some(next)),
        (vec![&call, &with_role(&good, "model")], Some(next)),
        (vec![&call, &with_role(&good, "tool")], Some("valid role")),
        (vec![&call, &text], Some(many)),
        (vec![&call], Some(many)),
        (vec![&call, &two], Some(many)),
        (
            vec![&call, &response("click")],
            Some("answers no function call"),
        ),
        (vec![&call, &other_id], Some("answers no function call")),
        (vec![&call, &response("")], Some("Name cannot be empty")),
        (
            vec![&with_role(&call, "user"), &good],
            Some("function call turn comes immediately"),
        ),
        (
            vec![
                &call,
                &good,
                &call,
                &good,
                &with_role(&text, "model"),
                &call,
                &good,
            ],
            Some("function call turn"),
        ),
    ] {
        check_gemini(&mut sandbox, &after(&contents), says);
    }
    let before_3 = plan_request(
        "sandbox-gemini-key",
        "gemini-2.5-flash-lite",
        &after(&[&unsigned, &good]),
    );
    assert_eq!(status(&sandbox.respond(before_3, NOW_MS)), 200);
}

#[test]
fn gemini_wants_parts_and_pictures_that_it_can_read() {
    let mut sandbox = plain();
    let image = |mime: &str, data: &str| json!({"inlineData": {"mimeType": mime, "data": data}});
    for (part, says) in [
        (image("image/png", PNG), None),
        (
            json!({"inline_data": {"mime_type": "image/png", "data": PNG}}),
            None,
        ),
        (image("image/gif", PNG), Some("Unsupported MIME type")),
        (image("image/png", "***"), Some("Base64 decoding failed")),
        (image("image/png", "AAAA"), Some("Unable to process")),
        (json!({}), Some("required oneof field 'data'")),
        (json!({"text": "a", "inlineData": {}}), Some("already set")),
        (json!({"text": 7}), Some("TYPE_STRING")),
        (json!({"image": "x"}), Some("Unknown name \"image\"")),
        (
            json!({"functionResponse": {"name": "click", "response": "x"}}),
            Some("protobuf.Struct"),
        ),
        (
            json!({"functionResponse": {"name": "click"}}),
            Some("response is not specified"),
        ),
    ] {
        let asked = json!({"contents": [{"role": "user", "parts": [{"text": "Hello."}, part]}]});
        check_gemini(&mut sandbox, &asked, says);
    }
    let large = json!({"contents": [{"parts": [{"text": "x".repeat(21_000_000)}]}]});
    check_gemini(&mut sandbox, &large, Some("payload size exceeds"));
}

#[test]
fn gemini_wants_functions_well_declared() {
    let mut sandbox = plain();
    let declared = |change: Value| {
        let mut function = json!({"name": "click", "description": "Clicks."});
        function
            .as_object_mut()
            .unwrap()
            .extend(change.as_object().unwrap().clone());
        json!({"contents": [{"parts": [{"text": "Hello."}]}], "tools": [{"functionDeclarations": [function]}]})
    };
    let object =
        json!({"type": "object", "$schema": "x", "properties": {"a": {"x-mcp-header": "A"}}});
    for (change, says) in [
        (json!({"parametersJsonSchema": object}), None),
        (json!({"name": "server:click.it-1"}), None),
        (json!({"name": "1click"}), Some("Invalid function name")),
        (json!({"name": "a b"}), Some("Invalid function name")),
        (
            json!({"name": "a".repeat(65)}),
            Some("Invalid function name"),
        ),
        (json!({"name": null}), Some("Invalid function name")),
        (
            json!({"inputSchema": {}}),
            Some("Unknown name \"inputSchema\""),
        ),
        (
            json!({"parametersJsonSchema": {"type": "string"}}),
            Some("must describe an object"),
        ),
        (
            json!({"parameters": object}),
            Some("Unknown name \"$schema\""),
        ),
        (
            json!({"parameters": {}, "parametersJsonSchema": object}),
            Some("Only one of"),
        ),
    ] {
        check_gemini(&mut sandbox, &declared(change), says);
    }
    let mut twice = declared(json!({}));
    let tool = twice["tools"][0].clone();
    twice["tools"].as_array_mut().unwrap().push(tool);
    check_gemini(&mut sandbox, &twice, Some("Duplicate function declaration"));
    let mut config = declared(json!({}));
    config["toolConfig"] = json!({"functionCallingConfig": {"mode": "SOMETIMES"}});
    check_gemini(&mut sandbox, &config, Some("FunctionCallingConfig.Mode"));
    let names = json!({"mode": "AUTO", "allowedFunctionNames": ["click"]});
    config["toolConfig"]["functionCallingConfig"] = names;
    check_gemini(&mut sandbox, &config, Some("ANY or VALIDATED"));
}
