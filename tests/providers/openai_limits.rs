//! The longest answer allowed to OpenAI and compatible servers, including reasoning.

use providers::{Planner as _, openai};
use serde_json::Value;

use super::gemini::question;
use super::openai::openai_settings;

#[test]
fn each_server_is_told_the_limit_by_the_name_that_it_knows() {
    for (base, name) in [
        ("https://api.openai.com/v1", "max_completion_tokens"),
        ("https://eu.api.openai.com/v1", "max_completion_tokens"),
        (
            "https://x.openai.azure.com/openai/v1",
            "max_completion_tokens",
        ),
        ("http://127.0.0.1:11434/v1", "max_tokens"),
        ("http://127.0.0.1:8000/v1", "max_tokens"),
        ("https://notopenai.com/v1", "max_tokens"),
        ("https://openai.com.test/v1", "max_tokens"),
    ] {
        let mut settings = openai_settings();
        settings.base = base.into();
        let request = settings.request(&question()).unwrap();
        let body: Value = serde_json::from_slice(request.body()).unwrap();
        assert_eq!(body[name], 2048, "{base}");
        let limits = ["max_tokens", "max_completion_tokens"];
        let count = limits
            .iter()
            .filter(|limit| body.get(**limit).is_some())
            .count();
        assert_eq!(count, 1, "{base}: both together are refused");
    }
}

#[test]
fn only_openais_reasoning_models_are_told_to_think_little() {
    let (openai, azure) = (openai::BASE_DEFAULT, "https://x.openai.azure.com/openai/v1");
    let effort = Some("low");
    for (base, model, expected) in [
        (openai, "gpt-5", effort),
        (openai, "gpt-5-mini", effort),
        (openai, "gpt-5.1-2026-01-01", effort),
        (azure, "gpt-5-nano", effort),
        (openai, "o1", effort),
        (openai, "o3-mini", effort),
        (openai, "o4-mini", effort),
        (openai, "gpt-5-chat-latest", None),
        (openai, "gpt-5-pro", None),
        (openai, "gpt-4.1-mini", None),
        (openai, "gpt-4o", None),
        (openai, "omni-moderation-latest", None),
        ("http://127.0.0.1:11434/v1", "gpt-5-mini", None),
        ("https://openrouter.test/v1", "o3-mini", None),
    ] {
        let mut settings = openai_settings();
        (settings.base, settings.model) = (base.into(), model.into());
        for request in [settings.request(&question()), settings.probe()] {
            let body: Value = serde_json::from_slice(request.unwrap().body()).unwrap();
            let told = body.get("reasoning_effort").and_then(Value::as_str);
            assert_eq!(told, expected, "{base} {model}");
        }
    }
}
