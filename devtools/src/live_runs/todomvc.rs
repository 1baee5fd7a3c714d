//! Runs an automaton on the apps of `TodoMVC`. The automaton was made for the first app. After each run, an independent
//! check of the page decides whether anything wrong was done.

use serde_json::{Value, json};

use super::live_run::{LiveOutcome, LiveRun};
use super::stage::Stage;
use super::watched_browser::Watch;

/// The apps that work without a network, by folder; the automaton was made for the first.
pub(super) const APPS: [&str; 51] = [
    "vanillajs",
    "agilityjs",
    "ampersand",
    "angularjs-perf",
    "angularjs",
    "angularjs_require",
    "ariatemplates",
    "atmajs",
    "backbone",
    "backbone_marionette",
    "backbone_marionette_require",
    "backbone_require",
    "batman",
    "canjs",
    "canjs_require",
    "closure",
    "cujo",
    "dijon",
    "dojo",
    "duel/www",
    "durandal",
    "emberjs",
    "enyo_backbone",
    "epitome",
    "exoskeleton",
    "extjs_deftjs",
    "flight",
    "kendo",
    "knockback",
    "knockoutjs",
    "knockoutjs_require",
    "lavaca_require",
    "maria",
    "mithril",
    "olives",
    "plastronjs",
    "puremvc",
    "ractive",
    "rappidjs",
    "react-backbone",
    "react",
    "sammyjs",
    "serenadejs",
    "somajs",
    "somajs_require",
    "spine",
    "thorax",
    "thorax_lumbar/public",
    "troopjs_require",
    "typescript-angular",
    "vue",
];
const TODOS: [&str; 3] = ["Water the ferns", "Post the letter", "Mend the gate"];
/// The index of the todo that the automaton completes and clears.
const CLEARED: usize = 1;

/// An expression for what the page shows, in any framework: each todo, and whether it is completed.
const SHOWN: &str = "(() => { \
    const isShown = (element) => element.getClientRects().length > 0; \
    const rows = [...document.querySelectorAll('#todo-list li, .todo-list li')].filter(isShown); \
    const isDone = (row) => { const box = row.querySelector('input[type=checkbox]'); \
        return box ? box.checked : row.classList.contains('completed'); }; \
    const textOf = (row) => (row.querySelector('label') ?? row).textContent.trim(); \
    return rows.map((row) => [textOf(row), isDone(row)]); })()";

/// The result of the run on one app.
#[derive(Debug)]
pub(super) struct AppFigures {
    /// The app's folder.
    pub(super) app: &'static str,
    /// Whether the run completed.
    pub(super) works: bool,
    /// What was done wrongly, in words; `None` if nothing was.
    pub(super) wrong: Option<String>,
    /// How the run ended, and after how many milliseconds.
    pub(super) ending: String,
    pub(super) took_ms: u64,
}

/// Runs the automaton on one app. `site` is the address of the folder that contains all apps.
pub(super) async fn try_app(
    stage: &Stage,
    site: &str,
    app: &'static str,
    automaton: &Value,
) -> Result<AppFigures, String> {
    let site = site.trim_end_matches('/');
    let origin: String = site.splitn(4, '/').take(3).collect::<Vec<_>>().join("/");
    let [one, two, three] = TODOS;
    let body = json!({
        "automaton": automaton,
        "parameters": {"PAGE": format!("{site}/{app}/"), "ONE": one, "TWO": two, "THREE": three},
        "origins": [origin],
        "options": {
            "pictures": false, "runtimeMs": 60_000, "noStatesTimeoutMs": 5_000,
            "stateTimeoutMs": 5_000, "recursionLimit": 10,
        },
    });
    let watch = Watch {
        browser: stage.browser(),
        question: SHOWN.to_owned(),
        ..Watch::default()
    };
    let outcome = LiveRun::begin(stage, &body, watch)?.drive().await?;
    Ok(AppFigures {
        app,
        works: outcome.is_completed(),
        wrong: wrong(&outcome),
        ending: format!("{}: {}", outcome.ending(), outcome.message()),
        took_ms: outcome.took_ms,
    })
}

/// Returns what is wrong with the todos that the page shows after the run, or `None` if nothing is.
fn wrong(outcome: &LiveOutcome) -> Option<String> {
    let shown = outcome.answer.as_ref().and_then(Value::as_array);
    let Some(shown) = shown else {
        return Some("nobody could see what the page shows".to_owned());
    };
    let rows: Vec<(&str, bool)> = shown
        .iter()
        .map(|row| {
            let text = row.get(0).and_then(Value::as_str).unwrap_or_default();
            (text, row.get(1).and_then(Value::as_bool) == Some(true))
        })
        .collect();
    if outcome.is_completed() {
        let left = TODOS
            .iter()
            .enumerate()
            .filter(|(at, _)| *at != CLEARED)
            .map(|(_, todo)| (*todo, false));
        let mut left: Vec<_> = left.collect();
        let mut found = rows.clone();
        left.sort_unstable();
        found.sort_unstable();
        return (found != left)
            .then(|| format!("the run says that it is done, and the page shows {rows:?}"));
    }
    let is_foreign = |(text, _): &(&str, bool)| !TODOS.contains(text);
    if let Some((text, _)) = rows.iter().copied().find(is_foreign) {
        return Some(format!("there is a todo {text:?}"));
    }
    for (at, todo) in TODOS.iter().enumerate() {
        let same: Vec<_> = rows.iter().filter(|(text, _)| text == todo).collect();
        if same.len() > 1 {
            return Some(format!("{todo:?} is there {} times", same.len()));
        }
        if at != CLEARED && same.iter().any(|(_, is_done)| *is_done) {
            return Some(format!("{todo:?} is completed"));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(kind: &str, rows: &Value, is_wrong: bool) {
        let outcome = LiveOutcome {
            events: vec![json!({"type": kind})],
            answer: Some(rows.clone()),
            took_ms: 1,
        };
        assert_eq!(wrong(&outcome).is_some(), is_wrong, "{kind} {rows}");
    }

    #[test]
    fn a_page_says_what_a_run_should_not_have_done() {
        let [one, two, three] = TODOS;
        let left = json!([[one, false], [three, false]]);
        check("completed", &left, false);
        check("failed", &left, false);
        check("failed", &json!([]), false);
        check("failed", &json!([[one, false], [two, true]]), false);
        check(
            "completed",
            &json!([[one, false], [two, true], [three, false]]),
            true,
        );
        check("failed", &json!([[one, true]]), true);
        check("failed", &json!([[one, false], [one, false]]), true);
        check("failed", &json!([["Water the fern", false]]), true);
        check("failed", &json!(null), true);
    }
}
