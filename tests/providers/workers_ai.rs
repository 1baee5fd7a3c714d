//! What is sent to Workers AI, by REST and by its binding, and how its answers are parsed.

use domain::{Failure, PlanAnswer};
use platform::WireResponse;
use providers::{Planner as _, Usage, workers_ai};
use serde_json::{Value, json};

use super::gemini::question;
use super::shapes::check_wrong_types;
use super::shared::{SECRET, answered, check_malformed, check_no_secret, check_rows, headers, ok};

pub const REPLY: &str = include_str!("workers_ai.json");
const FAILURES: &str = include_str!("workers_ai_failures.json");

pub fn workers_ai_settings() -> workers_ai::WorkersAiSettings {
    workers_ai::WorkersAiSettings {
        model: workers_ai::MODEL_DEFAULT.into(),
        access: workers_ai::Access::Rest {
            base: workers_ai::BASE_DEFAULT.into(),
            account_id: "account-1".into(),
            token: SECRET.into(),
        },
    }
}

pub fn workers_ai_binding() -> workers_ai::WorkersAiSettings {
    workers_ai::WorkersAiSettings {
        access: workers_ai::Access::Binding,
        ..workers_ai_settings()
    }
}

pub fn read(response: &WireResponse) -> Result<PlanAnswer, Failure> {
    workers_ai_settings().read(response).0
}

fn fantine() -> PlanAnswer {
    PlanAnswer {
        next_candidates: vec!["Fantine".into()],
        search_queries: vec!["Jean Valjean Fantine".into()],
        hypotheses: Vec::new(),
        narration: "Fantine stands between them.".into(),
    }
}

fn plan() -> Value {
    json!({"nextCandidates": ["Fantine"], "searchQueries": ["Jean Valjean Fantine"],
        "narration": "Fantine stands between them."})
}

#[test]
fn workers_ai_is_asked_with_the_bare_schema_and_a_limit_that_does_not_cut() {
    let request = workers_ai_settings().request(&question()).unwrap();
    assert_eq!(request.method(), "POST");
    let address = "https://api.cloudflare.com/client/v4/accounts/account-1/ai/run/@cf/meta/llama-3.3-70b-instruct-fp8-fast";
    assert_eq!(request.uri().to_string(), address);
    let bearer = format!("Bearer {SECRET}");
    assert_eq!(
        headers(&request),
        [
            ("authorization", bearer.as_str()),
            ("content-type", "application/json")
        ]
    );
    assert!(request.headers()["authorization"].is_sensitive());
    let bound = workers_ai_binding().request(&question()).unwrap();
    assert_eq!(request.body(), bound.body());
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    let mut names: Vec<&String> = body.as_object().unwrap().keys().collect();
    names.sort_unstable();
    assert_eq!(names, ["max_tokens", "messages", "response_format"]);
    assert_eq!(body["max_tokens"], 2048);
    let format = &body["response_format"];
    assert_eq!(format["type"], "json_schema");
    let schema = &format["json_schema"];
    assert_eq!(schema["type"], "object");
    assert_eq!(schema["properties"].as_object().unwrap().len(), 4);
    assert_eq!(schema["required"].as_array().unwrap().len(), 4);
}

#[test]
fn a_plan_is_read_with_what_it_used() {
    let (plan, usage) = workers_ai_settings().read(&ok(REPLY));
    assert_eq!(plan, Ok(fantine()));
    assert_eq!((usage.tokens_in, usage.tokens_out), (345, 41));
}

#[test]
fn a_plan_is_read_in_every_form_in_which_it_comes() {
    let text = plan().to_string();
    let choice = json!({"index": 0, "message": {"role": "assistant", "content": text}});
    for result in [
        json!({"response": plan()}),
        json!({"response": text}),
        json!({"response": format!(" {text}\n")}),
        json!({"response": format!("```json\n{text}\n```")}),
        json!({"response": format!("<think>\n{{}}\n</think>\n{text}")}),
        json!({"usage": null, "tool_calls": [], "response": plan(), "model": 7}),
        json!({"choices": [choice], "object": "chat.completion"}),
    ] {
        // By REST, and by the binding.
        let members = [
            json!({"result": result, "success": true, "errors": [], "messages": []}),
            json!({"messages": null, "errors": null, "result": result}),
            result,
        ];
        for body in members {
            let (plan, usage) = workers_ai_settings().read(&ok(body.to_string()));
            assert_eq!(plan, Ok(fantine()), "{body}");
            assert_eq!(usage, Usage::default());
        }
    }
}

#[test]
fn an_answer_that_is_no_plan_is_malformed_and_still_paid_for() {
    let text = plan().to_string();
    for response in [
        json!(null),
        json!(7),
        json!(""),
        json!({}),
        json!([]),
        json!(["Fantine"]),
        json!({"nextCandidates": "Fantine"}),
        json!({"nextCandidates": ["Fantine"], "narration": 7}),
        json!({"name": "plan", "parameters": plan()}),
        json!(text[..text.len() - 2]),
        json!(format!("Here is the plan:\n{text}")),
        json!(format!("{text}\nI hope this helps!")),
        json!(format!("{text}{text}")),
        json!(format!("```json\n{text}")),
        json!(format!("<think>{text}")),
    ] {
        let usage = json!({"prompt_tokens": 200, "completion_tokens": 256, "total_tokens": 456});
        let result = json!({"response": response, "usage": usage});
        let body = json!({"result": result, "success": true}).to_string();
        let (plan, used) = workers_ai_settings().read(&ok(body));
        check_malformed(&response.to_string(), plan);
        assert_eq!((used.tokens_in, used.tokens_out), (200, 256), "{response}");
    }
    for body in [
        json!({}),
        json!([]),
        json!(null),
        json!({"result": null, "success": true}),
        json!({"result": {}, "success": true}),
        json!({"success": false}),
        json!({"success": false, "errors": [{"message": "AiError: JSON Mode couldn't be met"}]}),
    ] {
        check_malformed(&body.to_string(), read(&ok(body.to_string())));
    }
}

#[test]
fn each_failure_of_workers_ai_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
    check_rows(|reply| workers_ai_settings().read_probe(reply), FAILURES);
    let (_, usage) = workers_ai_settings().read(&answered(503, &[], REPLY));
    assert_eq!(usage, Usage::default());
}

#[test]
fn a_failure_tells_the_code_and_nothing_else() {
    for (body, detail) in [
        (
            json!({"code": 3040, "message": "SECRETKEY"}),
            "HTTP 429, code 3040",
        ),
        (
            json!({"message": "3040: see https://x.example"}),
            "HTTP 429, code 3040",
        ),
        (json!({"code": 1234, "message": "SECRETKEY"}), "HTTP 429"),
        (
            json!({"code": "SECRETKEY", "message": "SECRETKEY: 3040"}),
            "HTTP 429",
        ),
    ] {
        let body = json!({"success": false, "errors": [body]}).to_string();
        let told = read(&answered(429, &[], body)).unwrap_err();
        assert_eq!(told.detail(), detail);
        check_no_secret(told.detail());
    }
}

#[test]
fn any_text_of_workers_ai_answers_a_probe() {
    let request = workers_ai_settings().probe().unwrap();
    assert_eq!(request.body(), workers_ai_binding().probe().unwrap().body());
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    assert!(body["max_tokens"].as_u64().unwrap() <= 512);
    assert!(body["response_format"]["json_schema"]["properties"]["ok"].is_object());
    for response in [json!({"ok": true}), json!("Yes.")] {
        let body = json!({"response": response}).to_string();
        assert_eq!(
            workers_ai_settings().read_probe(&ok(body)),
            Ok(()),
            "{response}"
        );
    }
    for response in [json!(null), json!(" ")] {
        let body = json!({"response": response}).to_string();
        check_malformed("a probe", workers_ai_settings().read_probe(&ok(body)));
    }
}

#[test]
fn wrong_types_never_make_a_plan() {
    check_wrong_types(REPLY, read, |plan| *plan == fantine());
}
