//! Tests of Gemini's refusals.

use super::*;

#[test]
fn the_planner_is_strict() {
    let mut sandbox = plain();
    let good = prompt(&sandbox);
    let with = |pointer: &str, name: &str, value: Value| {
        let mut body = good.clone();
        body.pointer_mut(pointer).unwrap()[name] = value;
        body
    };
    let config = "/generationConfig";
    let schema = "/generationConfig/responseJsonSchema";
    for (body, expect) in [
        (good.clone(), 200),
        (json!({}), 400),
        (json!([]), 400),
        (with("", "prompt", json!(1)), 400),
        (with("", "contents", json!([])), 400),
        (with("/contents/0", "role", json!("assistant")), 400),
        (with(config, "maxTokens", json!(1)), 400),
        (with(config, "responseMimeType", json!("text/plain")), 400),
        (with(config, "responseSchema", json!({})), 400),
        (with(config, "temperature", json!(0)), 400),
        (with(config, "topP", json!(0.9)), 400),
        (with(config, "topK", json!(1)), 400),
        (with(config, "candidateCount", json!(1)), 400),
        (with(schema, "uniqueItems", json!(true)), 400),
        (
            with(config, "thinkingConfig", json!({"thinkingLevel": "deep"})),
            400,
        ),
    ] {
        assert_eq!(status(&plan(&mut sandbox, &body)), expect, "{body}");
    }
    let asked = |key: &str, model: &str| plan_request(key, model, &good);
    let no_model = sandbox.respond(asked("sandbox-gemini-key", "gemini-1"), NOW_MS);
    assert_eq!(status(&no_model), 404);
    let bad_key = sandbox.respond(asked("x", "gemini-1"), NOW_MS);
    assert_eq!(status(&bad_key), 400);
    let short = with(config, "maxOutputTokens", json!(3));
    let cut = body(&plan(&mut sandbox, &short));
    assert_eq!(cut["candidates"][0]["finishReason"], "MAX_TOKENS");
    let mut warm = with(config, "temperature", json!(0));
    let members = warm["generationConfig"].as_object_mut().unwrap();
    members.remove("thinkingConfig");
    let before_3 = plan_request("sandbox-gemini-key", "gemini-2.5-flash-lite", &warm);
    assert_eq!(status(&sandbox.respond(before_3, NOW_MS)), 200);
}
