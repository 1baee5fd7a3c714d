//! What the empty page shows in which a run begins. A small script tells it, since the page's own one would take a tenth of
//! a short run's time there.

use domain::page::{Look, PageView, Signals};
use serde_json::{Value, json};

use crate::connection::DevTools;
use crate::driven_browser::DrivenBrowser;

const SCRIPT: &str = include_str!("script/blank.js");

/// Returns what the empty page shows; `None` if a query may find something in it or is invalid, or if the browser does not
/// answer. The look that follows tells that.
pub(crate) async fn view<D: DevTools>(
    browser: &DrivenBrowser<D>,
    look: &Look,
    until_ms: u64,
) -> Option<PageView> {
    let queries = look.queries.iter();
    let queries: Vec<Value> = queries
        .map(|query| json!([query.by.as_str(), query.selector]))
        .collect();
    let expression = format!("({SCRIPT})({})", Value::from(queries));
    let params = json!({"expression": expression, "returnByValue": true});
    let answer = browser.command("Runtime.evaluate", params, until_ms).await;
    let shows_nothing = answer.ok()?.pointer("/result/value")? == true;
    shows_nothing.then(|| PageView {
        signals: Signals {
            url: Some("about:blank".to_owned()),
            items: Some(Vec::new()),
            ..Signals::default()
        },
        ..PageView::default()
    })
}
