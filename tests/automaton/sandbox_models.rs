//! The sandbox's models in place of real ones: they understand the engine's questions, and each of their bad habits
//! ends in a message.

use http::Request;
use sandbox::{ModelHabit, Sandbox, SandboxOptions, own_world};
use serde_json::{Value, json};

use super::making::{DEEDS, prompts, shop};
use super::site::{Making, Page};

/// Returns the shop, with each element's tag taken from its selector.
fn tagged_shop() -> Vec<Page> {
    let mut pages = shop();
    for element in pages.iter_mut().flat_map(|page| &mut page.view.elements) {
        let tag = element.selector.split('.').next().unwrap();
        element.tag = tag.to_owned();
    }
    pages
}

/// Returns a sandbox's model, in OpenAI's format.
fn model(habit: Option<ModelHabit>) -> impl FnMut(&str) -> String {
    let options = SandboxOptions {
        model_habit: habit,
        ..SandboxOptions::default()
    };
    let key = options.credentials.openai_key.clone();
    let name = options.credentials.openai_model.clone();
    let mut sandbox = Sandbox::new(own_world().unwrap(), options);
    move |question| {
        let messages = json!([{"role": "user", "content": question}]);
        let body = json!({"model": name, "messages": messages}).to_string();
        let request = Request::post("/openai/v1/chat/completions")
            .header("authorization", format!("Bearer {key}"))
            .header("content-type", "application/json");
        let request = request.body(body.into_bytes()).unwrap();
        let reply = sandbox.respond(request, 1_800_000_000_000);
        let bytes = reply.response.body().bytes();
        let answer: Value = serde_json::from_slice(&bytes).unwrap();
        let content = &answer["choices"][0]["message"]["content"];
        content.as_str().unwrap_or_default().to_owned()
    }
}

fn run_of(habit: Option<ModelHabit>) -> Making<'static> {
    let mut run = Making::new(&json!([]), &prompts(), tagged_shop(), model(habit));
    run.order.parameters.open.insert("NAME".to_owned());
    run
}

#[test]
fn the_sandbox_understands_every_question_of_the_engine() {
    let mut run = run_of(None);
    assert_eq!(run.end(), "completed bought", "{:#?}", run.lines);
    assert_eq!(run.site.sent, DEEDS);
    let refused = run.lines.iter().filter(|line| line.contains("refused"));
    assert_eq!(refused.count(), 0, "{:#?}", run.lines);
}

#[test]
fn every_habit_ends_in_words_and_does_nothing_wrong() {
    for (name, habit) in ModelHabit::all() {
        let mut run = run_of(Some(*habit));
        let end = run.end();
        let begins = match habit {
            ModelHabit::Fenced | ModelHabit::EveryTrigger => "completed bought",
            ModelHabit::Elsewhere => "failed refused",
            _ => "failed synthesis: No state was made",
        };
        assert!(end.starts_with(begins), "{name}: {end}");
        let known = |deed: &String| DEEDS.contains(&deed.as_str()) || deed == "scroll down";
        assert!(
            run.site.sent.iter().all(known),
            "{name}: {:?}",
            run.site.sent
        );
    }
}
