//! Tests of the planners other than Gemini.

use super::*;

const MODEL: &str = "@cf/meta/llama-3.3-70b-instruct-fp8-fast";

fn messages(sandbox: &Sandbox) -> Value {
    let prompt = prompt(sandbox);
    let text = &prompt["contents"][0]["parts"][0]["text"];
    json!([{"role": "system", "content": "Choose."}, {"role": "user", "content": text}])
}

fn schema(sandbox: &Sandbox) -> Value {
    let mut schema = prompt(sandbox)["generationConfig"]["responseJsonSchema"].take();
    schema["additionalProperties"] = json!(false);
    schema
}

pub fn inputs(sandbox: &Sandbox) -> Value {
    json!({"messages": messages(sandbox), "max_tokens": 2048,
        "response_format": {"type": "json_schema", "json_schema": schema(sandbox)}})
}

fn run_request(token: &str, path: &str, inputs: &Value) -> Request<Vec<u8>> {
    Request::post(format!("/cloudflare/client/v4/accounts/{path}"))
        .header("authorization", format!("Bearer {token}"))
        .body(inputs.to_string().into_bytes())
        .unwrap()
}

pub fn run_model(sandbox: &mut Sandbox, inputs: &Value) -> Reply {
    let path = format!("sandbox-account/ai/run/{MODEL}");
    let request = run_request("sandbox-cloudflare-token", &path, inputs);
    sandbox.respond(request, NOW_MS)
}

pub fn chat(sandbox: &Sandbox) -> Value {
    let format = json!({"name": "plan", "strict": true, "schema": schema(sandbox)});
    json!({"model": "sandbox-model", "messages": messages(sandbox), "max_tokens": 2048,
        "response_format": {"type": "json_schema", "json_schema": format}})
}

pub fn complete(sandbox: &mut Sandbox, body: &Value) -> Reply {
    let request = Request::post("/openai/v1/chat/completions")
        .header("authorization", "Bearer sandbox-openai-key")
        .body(body.to_string().into_bytes());
    sandbox.respond(request.unwrap(), NOW_MS)
}

#[test]
fn all_planners_choose_the_same_of_the_same_table() {
    let mut sandbox = plain();
    let (asked, inputs, chat) = (prompt(&sandbox), inputs(&sandbox), chat(&sandbox));
    let gemini = body(&plan(&mut sandbox, &asked));
    let text = |reply: &Value, place: &str| -> Value {
        serde_json::from_str(reply.pointer(place).unwrap().as_str().unwrap()).unwrap()
    };
    let gemini = text(&gemini, "/candidates/0/content/parts/0/text");
    assert!(!gemini["nextCandidates"].as_array().unwrap().is_empty());
    let workers_ai = body(&run_model(&mut sandbox, &inputs));
    assert_eq!(workers_ai["result"]["response"], gemini);
    let openai = body(&complete(&mut sandbox, &chat));
    assert_eq!(text(&openai, "/choices/0/message/content"), gemini);
}

#[test]
fn workers_ai_wants_a_real_schema_and_its_own_limit() {
    let mut sandbox = plain();
    let good = inputs(&sandbox);
    let answered = |sandbox: &mut Sandbox, inputs: &Value| {
        let reply = run_model(sandbox, inputs);
        assert_eq!(status(&reply), 200, "{inputs}");
        body(&reply)["result"].clone()
    };
    let result = answered(&mut sandbox, &good);
    assert!(result["response"].is_object());
    assert!(result["usage"]["completion_tokens"].as_u64().unwrap() > 5);
    let named = json!({"name": "plan", "schema": schema(&sandbox)});
    for lost in [json!({}), json!({"properties": {}}), named] {
        let mut inputs = good.clone();
        inputs["response_format"]["json_schema"] = lost;
        let result = answered(&mut sandbox, &inputs);
        let text = result["response"].as_str().unwrap();
        assert!(serde_json::from_str::<Value>(text).is_err(), "{text}");
    }
    let mut short = good.clone();
    short["max_tokens"] = json!(3);
    let text = answered(&mut sandbox, &short)["response"].clone();
    assert_eq!(text.as_str().unwrap().len(), 12);
}

#[test]
fn workers_ai_is_strict() {
    let mut sandbox = plain();
    let good = inputs(&sandbox);
    let with = |name: &str, value: Value| {
        let mut inputs = good.clone();
        inputs[name] = value;
        inputs
    };
    for inputs in [
        json!({}),
        json!([]),
        with("messages", json!([])),
        with("messages", json!([{"role": "user"}])),
        with("messages", json!([{"role": "model", "content": "x"}])),
        with("max_completion_tokens", json!(9)),
        with("max_tokens", json!("9")),
        with("response_format", json!({"type": "json"})),
    ] {
        let reply = run_model(&mut sandbox, &inputs);
        assert_eq!(status(&reply), 400, "{inputs}");
        assert_eq!(body(&reply)["errors"][0]["code"], 5006, "{inputs}");
    }
    let path = format!("sandbox-account/ai/run/{MODEL}");
    for (token, path, expect, code) in [
        ("x", path.as_str(), 401, 10000),
        (
            "sandbox-cloudflare-token",
            "other/ai/run/@cf/meta/llama",
            404,
            7003,
        ),
        (
            "sandbox-cloudflare-token",
            "sandbox-account/ai/run/@cf/meta/llama",
            400,
            5007,
        ),
    ] {
        let reply = sandbox.respond(run_request(token, path, &good), NOW_MS);
        assert_eq!(status(&reply), expect, "{path}");
        assert_eq!(body(&reply)["errors"][0]["code"], code);
    }
}

#[test]
fn the_chat_completions_are_strict() {
    let mut sandbox = plain();
    let good = chat(&sandbox);
    let with = |pointer: &str, name: &str, value: Value| {
        let mut body = good.clone();
        body.pointer_mut(pointer).unwrap()[name] = value;
        body
    };
    let format = "/response_format/json_schema";
    for (body, expect) in [
        (good.clone(), 200),
        (json!([]), 400),
        (json!({}), 400),
        (with("", "model", json!("gpt-0")), 404),
        (with("", "messages", json!([])), 400),
        (with("", "maxTokens", json!(9)), 400),
        (with("", "max_tokens", json!(0)), 400),
        (with("", "max_completion_tokens", json!(9)), 400),
        (with("/response_format", "type", json!("json")), 400),
        (with(format, "name", json!("a plan")), 400),
        (with(format, "schema", json!(null)), 400),
        (
            with("/response_format/json_schema/schema", "required", json!([])),
            400,
        ),
        (
            with(
                format,
                "schema",
                json!({"type": "object", "properties": {}}),
            ),
            400,
        ),
    ] {
        assert_eq!(status(&complete(&mut sandbox, &body)), expect, "{body}");
    }
    let lax = json!({"type": "object", "properties": {"narration": {"type": "string"}}});
    let mut free = with(format, "schema", lax);
    free["response_format"]["json_schema"]["strict"] = json!(false);
    assert_eq!(status(&complete(&mut sandbox, &free)), 200);
    let cut = body(&complete(&mut sandbox, &with("", "max_tokens", json!(3))));
    assert_eq!(cut["choices"][0]["finish_reason"], "length");
    let keyless = Request::post("/openai/v1/chat/completions")
        .body(Vec::new())
        .unwrap();
    assert_eq!(status(&sandbox.respond(keyless, NOW_MS)), 401);
}
