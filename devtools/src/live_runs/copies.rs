//! Measures random pages that copy a typed secret in random ways. No part of the secret may be in what a run emits,
//! stores or sends to models.

use std::collections::BTreeMap;

use futures::{StreamExt as _, stream};
use serde_json::{Value, json};

use super::copying_page::CopyingPage;
use super::live_run::LiveRun;
use super::page_server::PageServer;
use super::secret_judge::SecretJudge;
use super::stage::Stage;
use super::states::{state, url};
use super::watched_browser::Watch;

/// The default number of pages.
pub(super) const COPIES: u32 = 100;
/// The number of runs at a time.
const AT_ONCE: usize = 3;

/// The result of the run on one page.
pub(super) struct CopyFigures {
    pub(super) name: String,
    pub(super) ending: String,
    /// What is wrong; empty if nothing is.
    pub(super) wrong: Vec<String>,
}

/// Runs an automaton on this many pages. `say` gets a line when a run ends.
pub(super) async fn try_copies(
    stage: &Stage,
    pages: u32,
    say: impl Fn(&CopyFigures),
) -> Result<Vec<CopyFigures>, String> {
    let copying: BTreeMap<String, CopyingPage> = (0..pages)
        .map(|seed| (format!("copy-{seed}.html"), CopyingPage::of(seed)))
        .collect();
    let html = copying.iter();
    let html = html.map(|(name, page)| (name.clone(), page.html.clone()));
    let server = PageServer::start(&html.collect())?;
    let mut runs = stream::iter(&copying)
        .map(|(name, page)| try_page(stage, &server, name, page))
        .buffer_unordered(AT_ONCE);
    let mut all = Vec::new();
    while let Some(figures) = runs.next().await {
        let figures = figures?;
        say(&figures);
        all.push(figures);
    }
    let elsewhere = server.take_asked_elsewhere();
    if !elsewhere.is_empty() {
        return Err(format!("another origin was asked for {elsewhere:?}"));
    }
    Ok(all)
}

async fn try_page(
    stage: &Stage,
    server: &PageServer,
    name: &str,
    page: &CopyingPage,
) -> Result<CopyFigures, String> {
    let address = format!("{}/{name}", server.origin());
    let open = format!("navigate_to('{address}')");
    let typed =
        "type('css selector', '[name=word]', parameters['WORD'], base_interval=0, timeout=1)";
    let mut body = json!({
        "automaton": [
            state("Begin", &[url("about:blank")], &[&open], ""),
            state("Field", &[url(&address)], &[typed, "click('css selector', '#go', timeout=1)"], ""),
        ],
        "secrets": {"WORD": page.secret}, "origins": [server.origin()],
        "options": {
            "runtimeMs": 20_000, "callMs": 8_000, "noStatesTimeoutMs": 300, "stateTimeoutMs": 300, "llm": 3,
        },
    });
    if page.asks_models
        && let Some(members) = body.as_object_mut()
    {
        let prompts = json!([{
            "name": "Go on", "triggers": ["The page says what was typed"], "actions": ["Click Go"],
        }]);
        members.insert("prompts".to_owned(), prompts);
    }
    let run = LiveRun::begin(stage, &body, Watch::default())?;
    let outcome = run.drive().await?;
    let judge = SecretJudge::of(&page.secret);
    let mut wrong = Vec::new();
    for event in &outcome.events {
        if let Some(part) = judge.part_in(event) {
            wrong.push(format!("an event has {part:?}: {event}"));
        }
    }
    for entry in run.entries() {
        let entry: Value = serde_json::from_str(&entry).map_err(|error| error.to_string())?;
        if let Some(part) = judge.part_in(&entry) {
            wrong.push(format!("the journal has {part:?}: {entry}"));
        }
    }
    for question in run.questions() {
        if let Some(part) = judge.part_in(&question) {
            wrong.push(format!("a model was asked {part:?}"));
        }
    }
    if let Some(event) = picture_after_typing(&outcome.events) {
        wrong.push(format!(
            "a picture was kept after the secret was typed: {event}"
        ));
    }
    Ok(CopyFigures {
        name: format!("{name} ({})", page.ways),
        ending: outcome.ending(),
        wrong,
    })
}

/// Returns the first event with a picture of the page after the secret was typed.
fn picture_after_typing(events: &[Value]) -> Option<&Value> {
    let is_typing = |event: &&Value| {
        let call = event.pointer("/payload/call").and_then(Value::as_str);
        call.is_some_and(|call| call.starts_with("type("))
    };
    let typed_at = events.iter().position(|event| is_typing(&event))?;
    let mut later = events.iter().skip(typed_at);
    later.find(|event| {
        event
            .pointer("/payload/picture")
            .is_some_and(Value::is_string)
    })
}
