//! What is sent to OpenAI and compatible servers, and how their answers are parsed.

use domain::{Failure, FailureKind, PlanAnswer};
use platform::WireResponse;
use providers::{Planner as _, Usage, openai};
use serde_json::{Value, json};

use super::gemini::question;
use super::shapes::check_wrong_types;
use super::shared::{SECRET, answered, check_malformed, check_rows, headers, ok};

pub const REPLY: &str = include_str!("openai.json");
const FAILURES: &str = include_str!("openai_failures.json");
const PLAN: &str = r#"{"nextCandidates":["Fantine"],"searchQueries":["Jean Valjean Fantine"],"narration":"Fantine stands between them."}"#;

pub fn openai_settings() -> openai::OpenAiSettings {
    openai::OpenAiSettings {
        base: openai::BASE_DEFAULT.into(),
        key: Some(SECRET.into()),
        model: "gpt-5-mini".into(),
    }
}

pub fn read(response: &WireResponse) -> Result<PlanAnswer, Failure> {
    openai_settings().read(response).0
}

fn fantine() -> PlanAnswer {
    PlanAnswer {
        next_candidates: vec!["Fantine".into()],
        search_queries: vec!["Jean Valjean Fantine".into()],
        hypotheses: Vec::new(),
        narration: "Fantine stands between them.".into(),
    }
}

fn completion(choice: &Value) -> WireResponse {
    let usage = json!({"prompt_tokens": 200, "completion_tokens": 2048, "total_tokens": 2248});
    ok(json!({"choices": [choice], "usage": usage}).to_string())
}

fn saying(content: &Value) -> WireResponse {
    completion(&json!({"message": {"role": "assistant", "content": content}}))
}

#[test]
fn openai_is_asked_with_a_strict_schema_and_without_a_temperature() {
    let request = openai_settings().request(&question()).unwrap();
    assert_eq!(request.method(), "POST");
    let address = "https://api.openai.com/v1/chat/completions";
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
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    let mut names: Vec<&String> = body.as_object().unwrap().keys().collect();
    names.sort_unstable();
    let expected = [
        "max_completion_tokens",
        "messages",
        "model",
        "reasoning_effort",
        "response_format",
    ];
    assert_eq!(names, expected);
    let texts = json!({"type": "array", "items": {"type": "string"}});
    assert_eq!(
        body["response_format"],
        json!({"type": "json_schema", "json_schema": {"name": "answer", "strict": true, "schema": {
            "type": "object",
            "properties": {"nextCandidates": texts, "searchQueries": texts, "hypotheses": texts,
                "narration": {"type": "string"}},
            "required": ["nextCandidates", "searchQueries", "narration", "hypotheses"],
            "additionalProperties": false,
        }}})
    );
}

#[test]
fn no_key_is_sent_where_there_is_none() {
    for key in [None, Some("".into())] {
        let settings = openai::OpenAiSettings {
            base: "http://127.0.0.1:11434/v1".into(),
            key,
            model: "llama3.3".into(),
        };
        let request = settings.request(&question()).unwrap();
        assert_eq!(headers(&request), [("content-type", "application/json")]);
    }
}

#[test]
fn a_plan_is_read_with_what_it_used() {
    let (plan, usage) = openai_settings().read(&ok(REPLY));
    assert_eq!(plan, Ok(fantine()));
    assert_eq!((usage.tokens_in, usage.tokens_out), (312, 58));
}

#[test]
fn a_plan_is_read_as_each_server_writes_it() {
    let (one, two) = PLAN.split_at(30);
    let part = |kind: &str, text: &str| json!({"type": kind, "text": text});
    for content in [
        json!(PLAN),
        json!(format!("\n {PLAN} \n")),
        json!(format!("<think>Maybe {{\"Mallory\"}}?</think>\n\n{PLAN}")),
        json!(format!("Maybe Mallory?\n</think>\n{PLAN}")),
        json!(format!("```json\n{PLAN}\n```")),
        json!(format!("```\n{PLAN}```")),
        json!(format!("<think>x</think>```json\n{PLAN}\n```")),
        json!([part("text", PLAN)]),
        json!([
            part("reasoning", "{"),
            part("text", one),
            part("output_text", two)
        ]),
        json!([{"text": PLAN}, {"type": "image_url"}]),
        serde_json::from_str(PLAN).unwrap(),
    ] {
        assert_eq!(read(&saying(&content)), Ok(fantine()), "{content}");
    }
    let message = |more: Value| {
        let mut message = json!({"role": "assistant", "content": PLAN});
        let members = message.as_object_mut().unwrap();
        members.extend(more.as_object().unwrap().clone());
        message
    };
    for choice in [
        json!({"message": message(json!({}))}),
        json!({"finish_reason": null, "message": message(json!({"refusal": null}))}),
        json!({"finish_reason": "stop", "message": message(json!({"refusal": ""})), "index": "0"}),
        json!({"finish_reason": "eos", "message": message(json!({"reasoning_content": "{}"}))}),
        json!({"finish_reason": 7, "message": message(json!({"reasoning": "hm", "tool_calls": []}))}),
        json!({"message": message(json!({"annotations": [], "audio": null})), "logprobs": null}),
    ] {
        assert_eq!(read(&completion(&choice)), Ok(fantine()), "{choice}");
    }
}

#[test]
fn usage_may_be_missing() {
    let choice = json!({"message": {"content": PLAN}});
    for usage in [
        json!(null),
        json!({}),
        json!([]),
        json!({"prompt_tokens": "7"}),
    ] {
        let body = json!({"choices": [choice], "usage": usage}).to_string();
        assert_eq!(
            openai_settings().read(&ok(body)),
            (Ok(fantine()), Usage::default()),
            "{usage}"
        );
    }
}

#[test]
fn an_answer_that_is_no_plan_is_malformed_and_still_paid_for() {
    let said = |content: Value| json!({"message": {"content": content}});
    for choice in [
        said(json!(null)),
        said(json!("")),
        said(json!("I would look at the gala photos first.")),
        said(json!("{}")),
        said(json!(PLAN[..PLAN.len() - 2])),
        said(json!(format!("Here is the plan:\n{PLAN}"))),
        said(json!(format!("{PLAN}\nI hope this helps!"))),
        said(json!(format!("<think>{PLAN}"))),
        said(json!(format!("```json\n{PLAN}"))),
        said(json!(
            r#"{"nextCandidates":["Fantine"],"nextCandidates":["Mallory"]}"#
        )),
        said(json!([{"type": "refusal", "refusal": "No."}, {"type": "text", "text": PLAN}])),
        said(json!([{"type": "reasoning", "text": PLAN}])),
        json!({"message": {"content": PLAN, "refusal": "I can't help with that, SECRETKEY."}}),
        json!({"message": {"content": null, "reasoning_content": PLAN}}),
        json!({"message": {"content": PLAN}, "finish_reason": "length"}),
        json!({"message": {"content": PLAN}, "finish_reason": "content_filter"}),
        json!({"message": {"content": null}, "finish_reason": "length"}),
        json!({"finish_reason": "stop"}),
        json!({"text": PLAN}),
        json!(PLAN),
        json!([PLAN]),
        json!(null),
    ] {
        let (plan, usage) = openai_settings().read(&completion(&choice));
        check_malformed(&choice.to_string(), plan);
        assert_eq!((usage.tokens_in, usage.tokens_out), (200, 2048), "{choice}");
    }
    for body in [
        json!({}),
        json!([]),
        json!({"choices": []}),
        json!({"choices": null}),
        json!({"choices": {"0": {"message": {"content": PLAN}}}, "error": "x"}),
        json!({"error": {"message": "SECRETKEY", "code": "SECRETKEY"}}),
        json!({"error": "SECRETKEY"}),
    ] {
        check_malformed(&body.to_string(), read(&ok(body.to_string())));
    }
}

#[test]
fn an_error_that_is_told_as_success_is_what_it_says() {
    for (code, kind) in [(429, "Throttled"), (401, "Misconfigured"), (502, "Down")] {
        let error = json!({"error": {"message": "SECRETKEY", "code": code}});
        let failure = read(&ok(error.to_string())).unwrap_err();
        assert_eq!(format!("{:?}", failure.kind), kind);
        assert_eq!(failure.detail(), format!("HTTP {code}"));
    }
}

#[test]
fn each_failure_of_openai_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
    check_rows(|reply| openai_settings().read_probe(reply), FAILURES);
    let (_, usage) = openai_settings().read(&answered(503, &[], REPLY));
    assert_eq!(usage, Usage::default());
}

#[test]
fn any_text_of_openai_answers_a_probe() {
    let request = openai_settings().probe().unwrap();
    let body: Value = serde_json::from_slice(request.body()).unwrap();
    assert!(body["max_completion_tokens"].as_u64().unwrap() <= 512);
    for content in [json!("{\"ok\":true}"), json!("Yes."), json!("<think>")] {
        assert_eq!(
            openai_settings().read_probe(&saying(&content)),
            Ok(()),
            "{content}"
        );
    }
    let cut = |content: Value| {
        let choice = json!({"message": {"content": content}, "finish_reason": "length"});
        openai_settings().read_probe(&completion(&choice))
    };
    assert_eq!(cut(json!("{\"ok")), Ok(()));
    for nothing in [json!(null), json!(""), json!(" \n"), json!([])] {
        let failure = cut(nothing).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Malformed);
        assert!(failure.detail().contains("thinks too long"), "{failure:?}");
    }
    for content in [json!(null), json!(" "), json!([])] {
        check_malformed("a probe", openai_settings().read_probe(&saying(&content)));
    }
}

#[test]
fn wrong_types_never_make_a_plan() {
    check_wrong_types(REPLY, read, |plan| *plan == fantine());
}
