//! The measurements as a program: each is driven on one thread, and what comes of it is said line by line.

use std::path::Path;

use serde_json::json;
use tokio::runtime::Builder;
use tokio::task::LocalSet;

use crate::recorded_cases::json_files;

use super::arguments::{LiveKind, LiveTask};
use super::miniwob::{MiniwobTask, TaskFigures, measure_miniwob};
use super::stage::Stage;

const MINIWOB_FOLDER: &str = "tests/automata/miniwob";
const MINIWOB_SEEDS: u32 = 10;

/// Says something to whoever started the program.
pub type Say<'a> = &'a dyn Fn(&str);

/// Measures what a task asks for. Returns whether all of it came out as it should.
pub fn measure(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(LocalSet::new().run_until(async {
        match task.kind {
            LiveKind::Miniwob => miniwob(task, say).await,
        }
    }))
}

async fn miniwob(task: &LiveTask, say: Say<'_>) -> Result<bool, String> {
    let folder = task.folder.as_deref().unwrap_or(MINIWOB_FOLDER);
    let stage = Stage::start(&[])?;
    let mut all = Vec::new();
    for (name, text) in json_files(Path::new(folder))? {
        let read = MiniwobTask::read(&String::from_utf8_lossy(&text));
        let read = read.map_err(|says| format!("{name}: {says}"))?;
        if task.only.as_deref().is_some_and(|only| only != read.name()) {
            continue;
        }
        let seeds = task.count.unwrap_or(MINIWOB_SEEDS);
        let figures = measure_miniwob(&stage, &task.site, &read, seeds).await;
        say(&figures.line());
        all.push(figures);
    }
    let figures = sum(&all);
    say(&format!(
        "{} tasks, {} of {} solved; {} ms a task, {} ms by a bare script: {:.2} times; {} calls of models",
        all.len(),
        figures.solved,
        figures.of,
        figures.engine_ms / u64::from(figures.of.max(1)),
        figures.bare_ms / u64::from(figures.of.max(1)),
        figures.ratio(),
        figures.asks,
    ));
    if task.json {
        let figures = json!({
            "tasks": all.len(), "solved": figures.solved, "of": figures.of,
            "ratio": (figures.ratio() * 100.0).round() / 100.0, "modelCalls": figures.asks,
            "engineMs": figures.engine_ms, "bareMs": figures.bare_ms, "bareSolved": figures.bare_solved,
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
