//! Measures small pages on which automata once misbehaved or reported something wrong. The first comment of a page says
//! what to do on the page, and what the result must be.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use futures::{StreamExt as _, stream};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::live_run::{LiveOutcome, LiveRun};
use super::page_server::PageServer;
use super::stage::Stage;
use super::states::{state, url};
use super::watched_browser::Watch;

const RUNTIME_MS: u64 = 60_000;
const CALL_MS: u64 = 15_000;
/// The number of runs at a time.
const AT_ONCE: usize = 5;

/// The content of a page's first comment.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// The actions of the state that matches the page.
    #[serde(default)]
    actions: Vec<String>,
    /// The states to use instead of `actions`. The first of them opens the page.
    #[serde(default)]
    states: Option<Value>,
    /// The required end of the run: `completed`, or `failed: ` and the reason.
    #[serde(default = "completed")]
    ends: String,
    /// Texts that must occur in the events.
    #[serde(default)]
    says: Vec<String>,
    /// Texts that must occur in no event and no journal entry. The secrets are added to them.
    #[serde(default)]
    never: Vec<String>,
    /// An expression that must be true in the page after the run; empty for none.
    #[serde(default)]
    holds: String,
    /// The secrets sent with the request.
    #[serde(default)]
    secrets: BTreeMap<String, String>,
    /// The secrets that the operator keeps for the site.
    #[serde(default)]
    kept: BTreeMap<String, String>,
    /// The longest duration of the run in milliseconds; `None` for any.
    #[serde(default)]
    ms: Option<u64>,
    /// The request's members `parameters`, `options` and `browser`.
    #[serde(default)]
    request: Map<String, Value>,
}

fn completed() -> String {
    "completed".to_owned()
}

/// The pages of a folder, which are served to the browser.
pub(super) struct CasePages {
    server: PageServer,
    cases: BTreeMap<String, Case>,
}

/// The result of the run on one page.
pub(super) struct CaseFigures {
    pub(super) name: String,
    pub(super) took_ms: u64,
    /// What is wrong; empty if nothing is.
    pub(super) wrong: Vec<String>,
}

/// The results of all pages.
#[derive(Default)]
pub(super) struct PagesTried {
    pub(super) pages: usize,
    /// The number of pages that were tried again alone.
    pub(super) again: usize,
    /// The number of pages that were wrong even when tried alone.
    pub(super) wrong: usize,
}

impl CasePages {
    /// Reads and serves the pages of a folder.
    pub(super) fn start(folder: &str) -> Result<Self, String> {
        let (mut pages, mut cases) = (BTreeMap::new(), BTreeMap::new());
        let entries =
            fs::read_dir(Path::new(folder)).map_err(|error| format!("{folder}: {error}"))?;
        for entry in entries {
            let path = entry.map_err(|error| error.to_string())?.path();
            let name = path.file_name().and_then(|name| name.to_str());
            let name = name.ok_or("a page's name is no text")?.to_owned();
            let page = fs::read_to_string(&path).map_err(|error| format!("{name}: {error}"))?;
            let case = comment(&page).ok_or_else(|| format!("{name}: it has no comment"))?;
            pages.insert(name.clone(), page.clone());
            cases.insert(name, case.to_owned());
        }
        let server = PageServer::start(&pages)?;
        let read = |(name, case): (String, String)| {
            let case = serde_json::from_str(&server.fill(&case));
            Ok((
                name.clone(),
                case.map_err(|error| format!("{name}: {error}"))?,
            ))
        };
        let cases = cases.into_iter().map(read).collect::<Result<_, String>>()?;
        Ok(Self { server, cases })
    }

    /// Returns the operator's setting with the secrets kept for all pages.
    pub(super) fn kept_secrets(&self) -> String {
        let kept = self.cases.values().flat_map(|case| &case.kept);
        let kept: Vec<Value> = kept
            .map(|(name, value)| {
                json!({"name": name, "value": value, "origins": [self.server.origin()]})
            })
            .collect();
        Value::from(kept).to_string()
    }

    /// Runs an automaton on the page with this name, or on all pages, several at a time. A page with a wrong result is
    /// tried again alone, and that result counts, because a browser short of processor time may respond too late. `say`
    /// gets a line per run.
    pub(super) async fn try_pages(
        &self,
        stage: &Stage,
        only: Option<&str>,
        say: impl Fn(&CaseFigures),
    ) -> Result<PagesTried, String> {
        let names = self.cases.keys();
        let wanted = names.filter(|name| only.is_none_or(|only| only == *name));
        let runs = stream::iter(wanted).map(|name| self.try_page(stage, name));
        let mut runs = runs.buffer_unordered(AT_ONCE);
        let (mut tried, mut again) = (PagesTried::default(), Vec::new());
        while let Some(figures) = runs.next().await {
            let figures = figures?;
            tried.pages += 1;
            say(&figures);
            if !figures.wrong.is_empty() {
                again.push(figures.name);
            }
        }
        drop(runs);
        for name in again {
            let figures = self.try_page(stage, &name).await?;
            tried.again += 1;
            tried.wrong += usize::from(!figures.wrong.is_empty());
            say(&figures);
        }
        let elsewhere = self.server.take_asked_elsewhere();
        if !elsewhere.is_empty() {
            return Err(format!("another origin was asked for {elsewhere:?}"));
        }
        Ok(tried)
    }

    async fn try_page(&self, stage: &Stage, name: &str) -> Result<CaseFigures, String> {
        let case = self.cases.get(name).ok_or("there is no such page")?;
        let address = format!("{}/{name}", self.server.origin());
        let open = format!("navigate_to('{address}')");
        let actions: Vec<&str> = case.actions.iter().map(String::as_str).collect();
        let own = || {
            json!([
                state("Begin", &[url("about:blank")], &[&open], ""),
                state("Page", &[url(&address)], &actions, "Done"),
            ])
        };
        let mut body = json!({
            "automaton": case.states.clone().unwrap_or_else(own),
            "secrets": case.secrets, "origins": [self.server.origin()],
            "options": {
                "runtimeMs": RUNTIME_MS, "callMs": CALL_MS, "noStatesTimeoutMs": 4_000, "stateTimeoutMs": 4_000,
            },
        });
        if let Some(members) = body.as_object_mut() {
            members.extend(case.request.clone());
        }
        let watch = Watch {
            browser: stage.browser(),
            question: case.holds.clone(),
            ..Watch::default()
        };
        let run = LiveRun::begin(stage, &body, watch)?;
        let outcome = run.drive().await?;
        Ok(CaseFigures {
            name: name.to_owned(),
            took_ms: outcome.took_ms,
            wrong: case.wrong(&outcome, &run.entries()),
        })
    }
}

impl Case {
    fn wrong(&self, outcome: &LiveOutcome, journal: &[String]) -> Vec<String> {
        let mut wrong = Vec::new();
        let ending = outcome.ending();
        if ending != self.ends {
            wrong.push(format!("it ends with {ending}: {}", outcome.message()));
        }
        if self.ms.is_some_and(|ms| outcome.took_ms > ms) {
            wrong.push(format!("it took {} ms", outcome.took_ms));
        }
        let events: Vec<String> = outcome.events.iter().map(Value::to_string).collect();
        for says in &self.says {
            // An event may contain the text as it is, or in the form that the text has in JSON.
            let written = Value::from(says.as_str()).to_string();
            let written = written.trim_matches('"');
            let has = |event: &String| event.contains(written) || event.contains(says.as_str());
            if !events.iter().any(has) {
                wrong.push(format!("no event says {says}; told was {}", told(&events)));
            }
        }
        let secrets = self.secrets.values().chain(self.kept.values());
        for never in self.never.iter().chain(secrets) {
            if let Some(event) = events.iter().find(|event| event.contains(never.as_str())) {
                wrong.push(format!("an event has {never}: {event}"));
            }
            if journal.iter().any(|entry| entry.contains(never.as_str())) {
                wrong.push(format!("the journal has {never}"));
            }
        }
        if !self.holds.is_empty() && outcome.answer != Some(Value::Bool(true)) {
            wrong.push(format!("{} is {:?}", self.holds, outcome.answer));
        }
        wrong
    }
}

/// Returns the events that help to find out why a page is wrong.
fn told(events: &[String]) -> String {
    let is_told = |event: &&String| {
        ["\"warning\"", "\"action_failed\"", "\"action_done\""]
            .iter()
            .any(|kind| event.contains(kind))
    };
    let told: Vec<&str> = events.iter().filter(is_told).map(String::as_str).collect();
    told.join(" ")
}

/// Returns the first comment of a page; `None` if it has none.
fn comment(page: &str) -> Option<&str> {
    let (_, rest) = page.split_once("<!--")?;
    rest.split_once("-->").map(|(comment, _)| comment)
}
