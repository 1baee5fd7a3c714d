//! `MiniWoB++`: automata that solve its tasks, compared with a bare script of the same clicks and keys.
//!
//! A script seeds each page over a separate connection, so that a seed always leads to the same task. First the task's
//! sentence is read, which is not measured. Then the automaton runs, and a bare script repeats its actions in a page
//! with the same seed.

use serde_json::{Map, Value, json};

use super::bare_page::BarePage;
use super::bare_script::repeat;
use super::clock::now_ms;
use super::deeds::{Deed, Texts, deeds};
use super::live_run::{LiveOutcome, LiveRun};
use super::stage::Stage;
use super::utterance;
use super::watched_browser::Watch;

/// The expression for the page's verdict on the episode that has ended.
const VERDICT: &str = "[WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL]";
const SENTENCE: &str = "document.getElementById('sync-task-cover').click(); \
    (() => { const said = core.getUtterance(); return typeof said === 'string' ? said : said.utterance; })()";

/// A task, the templates of its sentences, and the automaton that solves it.
#[derive(Debug, Clone)]
pub(super) struct MiniwobTask {
    name: String,
    templates: Vec<String>,
    automaton: Value,
}

/// The result of one task with all its seeds.
#[derive(Debug, Default)]
pub(super) struct TaskFigures {
    /// The task's name.
    pub name: String,
    /// The number of seeds with a reward above 0.
    pub solved: u32,
    /// The number of seeds.
    pub of: u32,
    /// The number of questions to models.
    pub asks: u64,
    /// The number of seeds that both the automaton and the bare script solved. The script never waits, so it misses
    /// elements that appear late.
    pub both: u32,
    /// The automaton's total time for the seeds counted in `both`, in milliseconds.
    pub engine_ms: u64,
    /// The bare script's total time for the seeds counted in `both`, in milliseconds.
    pub bare_ms: u64,
    /// What the automaton did, for each seed counted in `both`: `{"task", "seed", "script", "deeds", "engineMs",
    /// "bareMs"}`. The script is what the page must begin with.
    pub episodes: Vec<Value>,
    /// Why seeds were not solved, in sentences.
    pub failures: Vec<String>,
}

impl TaskFigures {
    /// Adds the figures of another task.
    pub(super) fn add(&mut self, other: &Self) {
        self.solved += other.solved;
        self.of += other.of;
        self.asks += other.asks;
        self.engine_ms += other.engine_ms;
        self.bare_ms += other.bare_ms;
        self.both += other.both;
    }

    /// Returns the automaton's time as a multiple of the bare script's time.
    pub(super) fn ratio(&self) -> f64 {
        self.engine_ms as f64 / self.bare_ms.max(1) as f64
    }

    /// Returns the figures as a line, followed by a line per failure.
    pub(super) fn line(&self) -> String {
        let each = |ms: u64| ms / u64::from(self.both.max(1));
        let mut line = format!(
            "{:<32} {:>2} of {:>2} solved, {:>5} ms, bare {:>5} ms ({} solved by both), {:.2} times",
            self.name,
            self.solved,
            self.of,
            each(self.engine_ms),
            each(self.bare_ms),
            self.both,
            self.ratio(),
        );
        for failure in &self.failures {
            line.push_str("\n    ");
            line.push_str(failure);
        }
        line
    }
}

impl MiniwobTask {
    /// Parses a task's file: `{"task", "sentences"?, "automaton"}`.
    pub(super) fn read(text: &str) -> Result<Self, String> {
        let mut file: Map<String, Value> =
            serde_json::from_str(text).map_err(|error| error.to_string())?;
        let templates = file
            .remove("sentences")
            .unwrap_or_else(|| Value::Array(Vec::new()));
        let name = file.get("task").and_then(Value::as_str);
        Ok(Self {
            name: name.ok_or("`task` is missing")?.to_owned(),
            templates: serde_json::from_value(templates).map_err(|error| error.to_string())?,
            automaton: file.remove("automaton").ok_or("`automaton` is missing")?,
        })
    }

    /// Returns the task's name, which is also the name of its page.
    #[must_use]
    pub(super) fn name(&self) -> &str {
        &self.name
    }
}

/// Measures a task with the seeds from 1 to `seeds`. `site` is the address of the folder with the pages.
pub(super) async fn measure_miniwob(
    stage: &Stage,
    site: &str,
    task: &MiniwobTask,
    seeds: u32,
) -> TaskFigures {
    let mut figures = TaskFigures {
        name: task.name.clone(),
        ..TaskFigures::default()
    };
    for seed in 1..=seeds {
        figures.of += 1;
        let episode = Episode {
            stage,
            task,
            url: format!("{}/{}.html", site.trim_end_matches('/'), task.name),
            script: seeding(seed),
            seed,
        };
        if let Err(says) = Box::pin(episode.measure(&mut figures)).await {
            figures.failures.push(format!("seed {seed}: {says}"));
        }
    }
    figures
}

/// Returns a script that makes the page's task depend on the seed only.
fn seeding(seed: u32) -> String {
    format!(
        "addEventListener('DOMContentLoaded', () => {{ const begin = core.startEpisodeReal; \
         core.startEpisodeReal = () => {{ Math.seedrandom('{seed}'); return begin(); }}; }});"
    )
}

struct Episode<'a> {
    stage: &'a Stage,
    task: &'a MiniwobTask,
    url: String,
    script: String,
    seed: u32,
}

impl Episode<'_> {
    async fn measure(&self, figures: &mut TaskFigures) -> Result<(), String> {
        let sentence = self.sentence().await?;
        let texts = if self.task.templates.is_empty() {
            Some(Texts::new())
        } else {
            utterance::read(&self.task.templates, &sentence)
        };
        let mut texts =
            texts.ok_or_else(|| format!("no template fits the sentence {sentence:?}"))?;
        texts.insert("PAGE".to_owned(), self.url.clone());
        let outcome = Box::pin(self.run(&texts)).await?;
        figures.asks += outcome.asks();
        let deeds = deeds(&outcome.events, &texts)?;
        let began_ms = now_ms();
        let bare = self.bare(&deeds).await;
        let bare_ms = now_ms().saturating_sub(began_ms);
        if outcome.answer.as_ref().is_some_and(is_solved) {
            figures.solved += 1;
            if bare.is_ok_and(|verdict| is_solved(&verdict)) {
                figures.both += 1;
                figures.engine_ms += outcome.took_ms;
                figures.bare_ms += bare_ms;
                figures.episodes.push(json!({
                    "task": self.task.name, "seed": self.seed, "script": self.script,
                    "deeds": deeds.iter().map(Deed::to_json).collect::<Vec<_>>(),
                    "engineMs": outcome.took_ms, "bareMs": bare_ms,
                }));
            }
            return Ok(());
        }
        let (ending, message) = (outcome.ending(), outcome.message());
        Err(format!("{sentence} {ending}: {message}"))
    }

    /// Reads the task's sentence before the run, as a person would.
    async fn sentence(&self) -> Result<String, String> {
        let page = self.open().await?;
        page.navigate(&self.url).await?;
        let sentence = page.evaluate(SENTENCE).await?;
        page.close().await?;
        Ok(sentence.as_str().unwrap_or_default().to_owned())
    }

    async fn open(&self) -> Result<BarePage, String> {
        let page = BarePage::open(&self.stage.browser()).await?;
        page.begin_with(&self.script).await?;
        Ok(page)
    }

    async fn run(&self, texts: &Texts) -> Result<LiveOutcome, String> {
        let body = json!({
            "automaton": self.task.automaton, "parameters": texts, "origins": [self.origin()],
            "options": {"pictures": false, "runtimeMs": 60_000, "noStatesTimeoutMs": 8_000},
        });
        let watch = Watch {
            browser: self.stage.browser(),
            script: self.script.clone(),
            question: VERDICT.to_owned(),
            ..Watch::default()
        };
        LiveRun::begin(self.stage, &body, watch)?.drive().await
    }

    fn origin(&self) -> String {
        let mut parts = self.url.splitn(4, '/');
        let (scheme, host) = (parts.next(), parts.nth(1));
        format!(
            "{}//{}",
            scheme.unwrap_or_default(),
            host.unwrap_or_default()
        )
    }

    async fn bare(&self, deeds: &[Deed]) -> Result<Value, String> {
        let page = self.open().await?;
        for deed in deeds {
            repeat(&page, deed).await?;
        }
        let verdict = page.evaluate(VERDICT).await;
        page.close().await?;
        verdict
    }
}

fn is_solved(verdict: &Value) -> bool {
    let is_done = verdict.get(0).and_then(Value::as_bool) == Some(true);
    let reward = verdict.get(1).and_then(Value::as_f64);
    is_done && reward.is_some_and(|reward| reward > 0.0)
}
