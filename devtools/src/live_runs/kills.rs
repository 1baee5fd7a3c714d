//! Measures a run of thirty clicks. Its process is killed at one of them, and the next process resumes the run from the
//! journal. The page's server counts the clicks that arrive.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::time::Duration;

use futures::future::{Either, LocalBoxFuture, select};
use serde_json::{Value, json};
use tokio::runtime::Builder;
use tokio::sync::Notify;
use tokio::task::LocalSet;

use cdp::{DevTools, DevToolsSocket, Sharing, SocketClosed};

use crate::local_browsers::LocalDevTools;

use super::counting_page::CountingPage;
use super::live_run::LiveRun;
use super::stage::Stage;
use super::states::{state, text, url};
use super::watched_browser::Watch;

/// The number of clicks per run.
pub(super) const CLICKS: u32 = 30;
/// The number of processes after which a run counts as stuck.
const PROCESSES_MAX: u32 = 5;
/// How long a dying process continues to run. Meanwhile the data that it has sent leaves it.
const FLUSH: Duration = Duration::from_millis(3);

/// The point within a click at which the process dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Before the button is pressed, so that nothing of the click is sent.
    Before,
    /// Between the press and the release of the button.
    Between,
    /// As soon as the press and the release are sent.
    Sent,
    /// As soon as the browser has answered the release.
    Answered,
}

impl Place {
    pub(super) const ALL: [Self; 4] = [Self::Before, Self::Between, Self::Sent, Self::Answered];
}

/// Where the buttons of a run are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stand {
    /// In the page itself.
    Page,
    /// In a frame of the page.
    Frame,
}

impl Stand {
    pub(super) const ALL: [Self; 2] = [Self::Page, Self::Frame];
}

/// The death of a process, planned for one point of one click.
#[derive(Debug)]
struct Death {
    click: u32,
    place: Place,
    presses: Cell<u32>,
    is_sent: Cell<bool>,
    has_come: Cell<bool>,
    notify: Notify,
}

impl Death {
    fn at(click: u32, place: Place) -> Rc<Self> {
        Rc::new(Self {
            click,
            place,
            presses: Cell::new(0),
            is_sent: Cell::new(false),
            has_come: Cell::new(false),
            notify: Notify::new(),
        })
    }

    fn comes(&self) {
        self.has_come.set(true);
        self.notify.notify_one();
    }

    /// Returns whether a message is still sent. If not, the process dies before it, or is dead already.
    fn lets_send(&self, message: &str) -> bool {
        if self.has_come.get() {
            return false;
        }
        let is_press = message.contains("\"mousePressed\"");
        self.presses.set(self.presses.get() + u32::from(is_press));
        if self.presses.get() != self.click {
            return true;
        }
        let is_release = message.contains("\"mouseReleased\"");
        match self.place {
            Place::Before if is_press => self.comes(),
            Place::Between if is_press => {
                self.comes();
                return true;
            }
            Place::Sent if is_release => {
                self.comes();
                return true;
            }
            Place::Answered if is_release => self.is_sent.set(true),
            _ => {}
        }
        !self.has_come.get()
    }

    /// Handles an answer of the browser. The process dies if this is the planned point.
    fn takes(&self) {
        if self.place == Place::Answered && self.is_sent.get() {
            self.comes();
        }
    }
}

/// A browser at an address, for a process that will die.
#[derive(Clone)]
struct DyingDevTools {
    inner: LocalDevTools,
    death: Rc<Death>,
}

struct DyingSocket {
    inner: <LocalDevTools as DevTools>::Socket,
    death: Rc<Death>,
}

impl DevTools for DyingDevTools {
    type Socket = DyingSocket;
    type Turn = ();

    fn now_ms(&self) -> u64 {
        self.inner.now_ms()
    }

    async fn sleep(&self, ms: u64) {
        self.inner.sleep(ms).await;
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        self.inner.spawn(task);
    }

    fn sharing(&self) -> Sharing {
        self.inner.sharing()
    }

    async fn take_turn(&self) {}

    async fn begin_session(&self) -> Result<String, String> {
        self.inner.begin_session().await
    }

    async fn connect(&self, session: &str) -> Result<DyingSocket, String> {
        Ok(DyingSocket {
            inner: self.inner.connect(session).await?,
            death: self.death.clone(),
        })
    }

    async fn end_session(&self, session: &str) {
        self.inner.end_session(session).await;
    }
}

impl DevToolsSocket for DyingSocket {
    fn send(&self, message: &str) -> Result<(), SocketClosed> {
        if self.death.lets_send(message) {
            return self.inner.send(message);
        }
        // A dead process receives nothing.
        Ok(())
    }

    async fn next(&self) -> Option<String> {
        let message = self.inner.next().await;
        self.death.takes();
        if self.death.has_come.get() {
            return std::future::pending().await;
        }
        message
    }

    fn close(&self) {
        self.inner.close();
    }
}

/// The result of killing a run once.
#[derive(Debug)]
pub(super) struct KillFigures {
    /// Whether the run completed and the page got every click exactly once.
    pub(super) is_completed: bool,
    /// How the run ended.
    pub(super) ending: String,
    /// What is wrong, in words: clicks were executed twice, or lost without notice. `None` if nothing is.
    pub(super) wrong: Option<String>,
}

/// Kills a run at one click and resumes it in another process. Each process has its own runtime, so that no task of a
/// dead one survives.
pub(super) fn kill(
    stage: &Stage,
    stand: Stand,
    click: u32,
    place: Place,
) -> Result<KillFigures, String> {
    let page = CountingPage::start(CLICKS)?;
    let body = json!({
        "automaton": automaton(&page.address(), stand), "origins": [page.address()],
        "options": {"pictures": false, "runtimeMs": 60_000, "stateTimeoutMs": 4_000, "noStatesTimeoutMs": 4_000},
    });
    let run = LiveRun::begin(stage, &body, Watch::default())?;
    let mut was_killed = false;
    for _ in 0..PROCESSES_MAX {
        let death = Death::at(if was_killed { 0 } else { click }, place);
        if process(stage, &run, &death)? {
            break;
        }
        was_killed = true;
    }
    let outcome = run.outcome(0);
    Ok(KillFigures {
        is_completed: outcome.is_completed(),
        wrong: wrong(
            &page.counts(),
            outcome.is_completed(),
            outcome.message(),
            was_killed,
        ),
        ending: outcome.ending(),
    })
}

/// Conducts the run in one process. Returns false if the process died before the run's end.
fn process(stage: &Stage, run: &LiveRun<'_>, death: &Rc<Death>) -> Result<bool, String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let local = LocalSet::new();
    runtime.block_on(local.run_until(async {
        let devtools = DyingDevTools {
            inner: LocalDevTools::new(&stage.browser(), Sharing::Shared),
            death: death.clone(),
        };
        let driving = std::pin::pin!(run.drive_over(devtools, BTreeMap::default()));
        let dying = std::pin::pin!(death.notify.notified());
        match select(driving, dying).await {
            Either::Left((driven, _)) => driven.map(|()| true),
            Either::Right(_) => {
                tokio::time::sleep(FLUSH).await;
                Ok(false)
            }
        }
    }))
}

fn automaton(page: &str, stand: Stand) -> Value {
    let (path, step_in) = match stand {
        Stand::Page => ("", ""),
        Stand::Frame => ("framed", "iframe >> "),
    };
    let open = format!("navigate_to('{page}/{path}')");
    let mut states = vec![state("Begin", &[url("about:blank")], &[&open], "")];
    for step in 1..=CLICKS {
        let click = format!("click('css selector', '{step_in}#do-{step}')");
        let title = format!("Step {step}");
        states.push(state(&title, &[text(&title)], &[&click], ""));
    }
    states.push(state("Done", &[text("All is done")], &[], "All is done."));
    Value::Array(states)
}

fn wrong(counts: &[u32], is_completed: bool, message: &str, was_killed: bool) -> Option<String> {
    let twice: Vec<_> = (1..).zip(counts).filter(|(_, count)| **count > 1).collect();
    if !twice.is_empty() {
        return Some(format!("done more than once: {twice:?}"));
    }
    let done = counts.iter().filter(|count| **count == 1).count();
    let is_gapless = counts.iter().take(done).all(|count| *count == 1);
    if !is_gapless || (is_completed && done < counts.len()) {
        return Some(format!("a click is lost without a word: {counts:?}"));
    }
    if !is_completed && message.len() < 20 {
        return Some(format!("the run ends without words: {message:?}"));
    }
    (!was_killed).then(|| "nobody was killed".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_click_that_was_lost_or_done_twice_is_wrong() {
        let words = "Nobody knows whether it was carried out.";
        let check = |counts: &[u32], is_completed, message, is_wrong| {
            let wrong = wrong(counts, is_completed, message, true);
            assert_eq!(wrong.is_some(), is_wrong, "{counts:?} {is_completed}");
        };
        check(&[1, 1, 1], true, "", false);
        check(&[1, 1, 0], false, words, false);
        check(&[1, 1, 0], false, "no", true);
        check(&[1, 1, 0], true, "", true);
        check(&[1, 2, 0], false, words, true);
        check(&[1, 0, 1], false, words, true);
        assert!(wrong(&[1], true, "", false).is_some());
    }
}
