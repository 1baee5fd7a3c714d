//! Measures runs on the sandbox's hostile pages. Each run must end with a message and in time, nothing may leave the
//! page's origin, and the secret must not be revealed.

use futures::future::try_join_all;
use serde_json::{Value, json};

use super::live_run::{LiveOutcome, LiveRun};
use super::local_site::LocalSite;
use super::secret_judge::SecretJudge;
use super::stage::Stage;
use super::states::{state, url};
use super::watched_browser::Watch;

/// The number of hostile pages.
pub(super) const PAGES: u32 = 300;
/// The number of runs at a time.
const AT_ONCE: usize = 3;
const RUNTIME_MS: u64 = 20_000;
/// The time in milliseconds that a run may need beyond its limit, to close the browser and to write the last event.
const ENDING_MS: u64 = 10_000;
/// The secret that runs type. The sandbox's canary recognises it.
const SECRET: &str = "sandbox-site-password";

/// The result of the run on one page.
#[derive(Debug)]
pub(super) struct PageFigures {
    pub(super) page: u32,
    /// How the run ended.
    pub(super) ending: String,
    pub(super) took_ms: u64,
    /// Whether the browser itself ended while no other page was open.
    pub(super) has_ended_browser: bool,
    /// What is wrong, in a sentence; `None` if nothing is.
    pub(super) wrong: Option<String>,
}

/// Runs an automaton on each page. `say` gets a line when a run ends. If the browser itself ends, the pages that were
/// open with it are tried again one by one, each in a new browser.
pub(super) async fn try_pages(
    site: &LocalSite,
    pages: u32,
    say: impl Fn(&PageFigures),
) -> Result<Vec<PageFigures>, String> {
    site.ask("DELETE", "/site/canary", "")?;
    let mut stage = Stage::start(&[])?;
    let mut all = Vec::new();
    let numbers: Vec<u32> = (0..pages).collect();
    for group in numbers.chunks(AT_ONCE) {
        let tried = group.iter().map(|page| try_page(&stage, site, *page));
        let mut tried = try_join_all(tried).await?;
        if !stage.is_alive() {
            for figures in &mut tried {
                if !stage.is_alive() {
                    stage = Stage::start(&[])?;
                }
                *figures = try_page(&stage, site, figures.page).await?;
                figures.has_ended_browser = !stage.is_alive();
            }
        }
        if !stage.is_alive() {
            stage = Stage::start(&[])?;
        }
        tried.iter().for_each(&say);
        all.extend(tried);
    }
    Ok(all)
}

/// Returns the number of requests that the canary has recorded, and its whole record.
pub(super) fn heard(site: &LocalSite) -> Result<(u64, Value), String> {
    let canary = site.ask("GET", "/site/canary", "")?;
    let count = canary.get("count").and_then(Value::as_u64);
    Ok((
        count.ok_or("the canary does not say what it heard")?,
        canary,
    ))
}

async fn try_page(stage: &Stage, site: &LocalSite, page: u32) -> Result<PageFigures, String> {
    let open = format!("navigate_to('{}/site/hostile/{page}')", site.address());
    let field = json!({"type": "element", "params": {
        "by": "css selector", "selector": "[name=word]", "check_visibility": false, "timeout": 0,
    }});
    let typed =
        "type('css selector', '[name=word]', parameters['WORD'], base_interval=0, timeout=2)";
    let done =
        json!({"type": "url", "value": format!("{}/site/hostile/{page}/done", site.address())});
    let automaton = [
        state("Begin", &[url("about:blank")], &[&open], ""),
        state("Field", &[field], &[typed, "press_key('enter')"], ""),
        state("Done", &[done], &[], "The word was taken."),
    ];
    let body = json!({
        "automaton": automaton, "secrets": {"WORD": SECRET}, "origins": [site.address()],
        "options": {
            "runtimeMs": RUNTIME_MS, "callMs": 6_000, "noStatesTimeoutMs": 4_000, "stateTimeoutMs": 4_000,
        },
    });
    let run = LiveRun::begin(stage, &body, Watch::default())?;
    let outcome = run.drive().await?;
    Ok(PageFigures {
        page,
        wrong: wrong(&outcome, &run.entries()),
        ending: outcome.ending(),
        took_ms: outcome.took_ms,
        has_ended_browser: false,
    })
}

fn wrong(outcome: &LiveOutcome, journal: &[String]) -> Option<String> {
    let last = outcome.events.last();
    let kind = last
        .and_then(|last| last.get("type"))
        .and_then(Value::as_str);
    if !matches!(kind, Some("completed" | "failed")) {
        return Some(format!("the run has no end: {kind:?}"));
    }
    if kind == Some("failed") && outcome.message().len() < 20 {
        return Some(format!(
            "the run ends without words: {:?}",
            outcome.message()
        ));
    }
    if outcome.took_ms > RUNTIME_MS + ENDING_MS {
        return Some(format!("the run took {} ms", outcome.took_ms));
    }
    let judge = SecretJudge::of_words(SECRET);
    if let Some(event) = outcome
        .events
        .iter()
        .find(|event| judge.part_in(event).is_some())
    {
        return Some(format!("an event has the secret: {event}"));
    }
    let entries = journal
        .iter()
        .map(|entry| serde_json::from_str(entry).unwrap_or_default());
    let mut entries = entries.filter(|entry: &Value| judge.part_in(entry).is_some());
    entries
        .next()
        .map(|entry| format!("the journal has the secret: {entry}"))
}
