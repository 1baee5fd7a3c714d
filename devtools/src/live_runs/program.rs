//! Executes the measurements in a single thread, and prints the results line by line.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use crate::recorded_cases::json_files;

use super::arguments::{LiveKind, LiveTask};
use super::case_pages::{CasePages, PagesTried};
use super::copies::{COPIES, try_copies};
use super::hostile::{PAGES, heard, try_pages};
use super::kills::{CLICKS, Place, Stand, kill};
use super::local_site::LocalSite;
use super::miniwob::{MiniwobTask, TaskFigures, measure_miniwob};
use super::shop::{VARIANTS, try_variant};
use super::stage::Stage;
use super::todomvc::{APPS, try_app};

const MINIWOB_FOLDER: &str = "tests/automata/miniwob";
const MINIWOB_SEEDS: u32 = 10;
const TODOMVC_FILE: &str = "tests/automata/todomvc.json";
const SHOP_FILE: &str = "tests/automata/shop.json";
const PAGES_FOLDER: &str = "tests/automata/pages";

/// A function that prints a line for the user.
pub type Say<'a> = &'a dyn Fn(&str);

/// Makes a measurement. Returns whether all results are as they should be.
pub fn measure(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    if task.kind == LiveKind::Kills {
        return kills(task, say);
    }
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(LocalSet::new().run_until(async {
        match task.kind {
            LiveKind::Miniwob => Box::pin(miniwob(task, say)).await,
            LiveKind::Todomvc => Box::pin(todomvc(task, say)).await,
            LiveKind::Shop => Box::pin(shop(task, say)).await,
            LiveKind::Pages => Box::pin(case_pages(task, say)).await,
            LiveKind::Copies => Box::pin(copies(task, say)).await,
            LiveKind::Hostile | LiveKind::Kills => Box::pin(hostile(task, say)).await,
        }
    }))
}

/// Returns whether the task selects the item with this name.
fn is_wanted(task: &LiveTask, name: &str) -> bool {
    task.only.as_deref().is_none_or(|only| only == name)
}

/// Parses the automaton's file that the task names, or the default one.
fn file(task: &LiveTask, default: &str) -> Result<Value, String> {
    let path = task.folder.as_deref().unwrap_or(default);
    let text = fs::read_to_string(path).map_err(|error| format!("{path}: {error}"))?;
    serde_json::from_str(&text).map_err(|error| format!("{path}: {error}"))
}

/// Returns the number of items that the task requests, or the number of all.
fn count(task: &LiveTask, all: usize) -> usize {
    let count = task
        .count
        .map(|count| usize::try_from(count).unwrap_or(usize::MAX));
    count.unwrap_or(all).min(all)
}

async fn todomvc(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let automaton = file(task, TODOMVC_FILE)?;
    let stage = Stage::start(&[])?;
    let (mut tried, mut works, mut wrong) = (0, 0, 0);
    let apps = APPS.iter().filter(|app| is_wanted(task, app));
    for app in apps.take(count(task, APPS.len())) {
        let figures = Box::pin(try_app(&stage, &task.site, app, &automaton)).await?;
        tried += 1;
        works += u32::from(figures.works && figures.wrong.is_none());
        wrong += u32::from(figures.wrong.is_some());
        let came = match (&figures.wrong, figures.works) {
            (Some(wrong), _) => format!("ACTS WRONGLY: {wrong}; {}", figures.ending),
            (None, true) => "works unchanged".to_owned(),
            (None, false) => format!("stops: {}", figures.ending),
        };
        say(&format!(
            "{:<28} {:>6} ms  {came}",
            figures.app, figures.took_ms
        ));
    }
    let stops = tried - works - wrong;
    say(&format!(
        "{tried} apps: {works} work unchanged, {stops} stop in words, {wrong} act wrongly"
    ));
    if task.json {
        let figures = json!({"apps": tried, "unchanged": works, "stops": stops, "wrong": wrong});
        say(&figures.to_string());
    }
    Ok(wrong == 0)
}

async fn shop(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let file = file(task, SHOP_FILE)?;
    let site = LocalSite::start()?;
    let stage = Stage::start(&[])?;
    let (mut unchanged, mut regenerated, mut wrong, mut most, mut tried) = (0, 0, 0, 0, 0);
    for variant in VARIANTS.iter().filter(|variant| is_wanted(task, variant)) {
        let figures = Box::pin(try_variant(&stage, &site, variant, &file)).await?;
        tried += 1;
        unchanged += u32::from(figures.works && figures.asks == 0);
        regenerated += u32::from(figures.works && figures.asks > 0);
        wrong += figures.wrong.len();
        most = most.max(figures.asks_a_state);
        say(&format!(
            "{} {:>6} ms  {}; {} calls of models, at most {} a state; made anew: {:?}; done: {}; wrong: {:?}",
            figures.variant,
            figures.took_ms,
            if figures.works {
                "works"
            } else {
                figures.ending.as_str()
            },
            figures.asks,
            figures.asks_a_state,
            figures.made,
            figures.done.join(" "),
            figures.wrong,
        ));
    }
    say(&format!(
        "{tried} variants: {unchanged} unchanged, {regenerated} regenerated with at most {most} calls a state, \
         {wrong} wrong actions"
    ));
    if task.json {
        let figures = json!({
            "variants": tried, "unchanged": unchanged, "regenerated": regenerated,
            "callsAStateMax": most, "wrong": wrong,
        });
        say(&figures.to_string());
    }
    Ok(wrong == 0 && unchanged + regenerated == tried)
}

fn kills(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let stage = Stage::start(&[])?;
    let (mut tried, mut completed, mut told, mut wrong) = (0, 0, 0, 0);
    for click in (1..=CLICKS).take(count(task, usize::MAX)) {
        let all = Stand::ALL.map(|stand| Place::ALL.map(|place| (stand, place)));
        for (stand, place) in all.into_iter().flatten() {
            let figures = kill(&stage, stand, click, place)?;
            tried += 1;
            completed += u32::from(figures.is_completed);
            told += u32::from(!figures.is_completed);
            wrong += u32::from(figures.wrong.is_some());
            let came = figures.wrong.unwrap_or_else(|| "right".to_owned());
            say(&format!(
                "{stand:?}, click {click:>2} {place:?}: {}; {came}",
                figures.ending
            ));
        }
    }
    say(&format!(
        "{tried} kills: {completed} runs went on to their end, {told} ended and said what nobody knows, {wrong} wrong"
    ));
    if task.json {
        let figures = json!({"kills": tried, "completed": completed, "told": told, "wrong": wrong});
        say(&figures.to_string());
    }
    Ok(wrong == 0)
}

async fn hostile(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let site = LocalSite::start()?;
    let pages = task.count.unwrap_or(PAGES).min(PAGES);
    let all = try_pages(&site, pages, |figures| {
        let came = figures.wrong.as_deref().unwrap_or("right");
        let (page, took_ms) = (figures.page, figures.took_ms);
        say(&format!(
            "page {page:>3} {took_ms:>6} ms  {}; {came}",
            figures.ending
        ));
    });
    let all = all.await?;
    let (heard, canary) = heard(&site)?;
    let wrong = all.iter().filter(|figures| figures.wrong.is_some()).count();
    let slowest = all.iter().map(|figures| figures.took_ms).max();
    let slowest = slowest.unwrap_or_default();
    let ended = all
        .iter()
        .filter(|figures| figures.has_ended_browser)
        .count();
    if heard > 0 {
        say(&canary.to_string());
    }
    say(&format!(
        "{} pages: {wrong} wrong, the slowest after {slowest} ms; the canary heard {heard}; {ended} ended the \
         browser itself",
        all.len()
    ));
    if task.json {
        let figures = json!({
            "pages": all.len(), "wrong": wrong, "canary": heard, "slowestMs": slowest,
            "browsersEnded": ended,
        });
        say(&figures.to_string());
    }
    Ok(wrong == 0 && heard == 0)
}

async fn case_pages(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let folder = task.folder.as_deref().unwrap_or(PAGES_FOLDER);
    let pages = CasePages::start(folder)?;
    let stage = Stage::start(&[("AUTOMATON_SECRETS", &pages.kept_secrets())])?;
    let tried = pages.try_pages(&stage, task.only.as_deref(), |figures| {
        let came = match figures.wrong.as_slice() {
            [] => "right".to_owned(),
            wrong => wrong.join("; "),
        };
        say(&format!(
            "{:<40} {:>6} ms  {came}",
            figures.name, figures.took_ms
        ));
    });
    let PagesTried {
        pages,
        again,
        wrong,
    } = Box::pin(tried).await?;
    say(&format!(
        "{pages} pages: {wrong} wrong, {again} run once more alone"
    ));
    if task.json {
        say(&json!({"pages": pages, "again": again, "wrong": wrong}).to_string());
    }
    Ok(wrong == 0)
}

async fn copies(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let stage = Stage::start(&[])?;
    let pages = task.count.unwrap_or(COPIES);
    let all = try_copies(&stage, pages, |figures| {
        let came = match figures.wrong.as_slice() {
            [] => "right".to_owned(),
            wrong => wrong.join("; "),
        };
        say(&format!("{}: {}; {came}", figures.name, figures.ending));
    });
    let all = all.await?;
    let wrong = all
        .iter()
        .filter(|figures| !figures.wrong.is_empty())
        .count();
    say(&format!("{} pages: {wrong} wrong", all.len()));
    if task.json {
        say(&json!({"pages": all.len(), "wrong": wrong}).to_string());
    }
    Ok(wrong == 0)
}

async fn miniwob(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let folder = task.folder.as_deref().unwrap_or(MINIWOB_FOLDER);
    let stage = Stage::start(&[])?;
    let mut all = Vec::new();
    for (name, text) in json_files(Path::new(folder))? {
        let read = MiniwobTask::read(&String::from_utf8_lossy(&text));
        let read = read.map_err(|says| format!("{name}: {says}"))?;
        if !is_wanted(task, read.name()) {
            continue;
        }
        let seeds = task.count.unwrap_or(MINIWOB_SEEDS);
        let figures = Box::pin(measure_miniwob(&stage, &task.site, &read, seeds)).await;
        say(&figures.line());
        all.push(figures);
    }
    if let Some(file) = &task.deeds {
        let episodes: Vec<&Value> = all.iter().flat_map(|one| &one.episodes).collect();
        fs::write(file, json!(episodes).to_string()).map_err(|error| format!("{file}: {error}"))?;
    }
    let figures = sum(&all);
    say(&format!(
        "{} tasks, {} of {} solved; {} ms a task, {} ms by a bare script: {:.2} times; {} calls of models",
        all.len(),
        figures.solved,
        figures.of,
        figures.engine_ms / u64::from(figures.both.max(1)),
        figures.bare_ms / u64::from(figures.both.max(1)),
        figures.ratio(),
        figures.asks,
    ));
    if task.json {
        let figures = json!({
            "tasks": all.len(), "solved": figures.solved, "of": figures.of,
            "ratio": (figures.ratio() * 100.0).round() / 100.0, "modelCalls": figures.asks,
            "engineMs": figures.engine_ms, "bareMs": figures.bare_ms, "solvedByBoth": figures.both,
        });
        say(&figures.to_string());
    }
    Ok(figures.solved == figures.of)
}

fn sum(all: &[TaskFigures]) -> TaskFigures {
    let mut sum = TaskFigures::default();
    for one in all {
        sum.add(one);
    }
    sum
}
