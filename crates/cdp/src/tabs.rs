//! Goes from one of a run's tabs to another, and back to the page before.

use domain::page::{ActionFailure, Done, WantedTab};
use serde_json::{Value, json};

use crate::actions::{after, before};
use crate::connection::DevTools;
use crate::driven_browser::DrivenBrowser;

/// The pause before looking again for a tab, in milliseconds.
const TAB_AGAIN_MS: u64 = 50;

/// Makes another tab the page, and waits until there is one.
pub(crate) async fn switch_to<D: DevTools>(
    browser: &DrivenBrowser<D>,
    tab: WantedTab,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(timeout_ms);
    loop {
        let is_page = {
            let mut events = browser.events.borrow_mut();
            match tab {
                WantedTab::Number(number) if events.page.number == number => true,
                WantedTab::Number(number) => {
                    let position = events.others.iter().position(|tab| tab.number == number);
                    position.is_some_and(|position| events.show(position))
                }
                WantedTab::New => {
                    let position = events.others.iter().rposition(|tab| !tab.was_shown);
                    position.is_some_and(|position| events.show(position))
                }
            }
        };
        if is_page {
            break;
        }
        let next_ms = browser.now_ms().saturating_add(TAB_AGAIN_MS);
        if next_ms > end_ms || next_ms >= until_ms {
            let words = match tab {
                WantedTab::New => "no new tab was opened".to_owned(),
                WantedTab::Number(number) => format!("there is no tab {number}"),
            };
            return Err(ActionFailure::Failed(words));
        }
        browser.connection.devtools().sleep(TAB_AGAIN_MS).await;
    }
    let shown = browser.command("Page.bringToFront", json!({}), until_ms);
    shown.await.map_err(before)?;
    let now_ms = browser.now_ms();
    browser.events.borrow_mut().page.settling.cause(now_ms);
    Ok(Done::default())
}

/// Goes back to the page before in the tab's history.
pub(crate) async fn go_back<D: DevTools>(
    browser: &DrivenBrowser<D>,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let history = browser
        .command("Page.getNavigationHistory", json!({}), until_ms)
        .await
        .map_err(before)?;
    let entries = history.get("entries").and_then(Value::as_array);
    let at = history.get("currentIndex").and_then(Value::as_u64);
    let entry = at
        .and_then(|at| usize::try_from(at).ok()?.checked_sub(1))
        .and_then(|at| entries?.get(at))
        // The empty page with which each tab begins is none that was left.
        .filter(|entry| entry.get("url").and_then(Value::as_str) != Some("about:blank"))
        .and_then(|entry| entry.get("id"));
    let Some(id) = entry else {
        let words = "there is no page before this one";
        return Err(ActionFailure::Failed(words.to_owned()));
    };
    browser
        .command(
            "Page.navigateToHistoryEntry",
            json!({"entryId": id}),
            until_ms,
        )
        .await
        .map_err(after)?;
    Ok(Done::default())
}
