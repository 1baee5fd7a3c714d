//! Pages that report in their titles what happened to them.

use domain::page::{ActionFailure, Done};

use super::site::Site;
use super::support::{Bench, terms, with_browser};

/// A page whose title reports what happened, word by word.
const TOLD: &str = "<!doctype html><title>-</title><script>const tell = (word) => { document.title += ' ' + word; };\
    </script><body style='margin:0'>";

pub fn site(body: &str) -> Site {
    Site::of(&format!("{TOLD}{body}"))
}

pub async fn told(bench: &Bench) -> String {
    bench.look().await.view.signals.title
}

pub fn failed(outcome: Result<Done, ActionFailure>) -> String {
    match outcome {
        Err(ActionFailure::Failed(words)) => words,
        other => panic!("it did not fail: {other:?}"),
    }
}

#[track_caller]
pub fn check(body: &str, test: impl AsyncFnOnce(&Bench)) {
    let site = site(body);
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        test(bench).await;
    });
}
