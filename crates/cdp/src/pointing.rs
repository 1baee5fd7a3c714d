//! The element that an action is about, and the point where it happens.

use serde_json::{Value, json};

use domain::page::{ActionFailure, Area, ElementLocator, ElementTarget, Fallback};

use crate::connection::CallError;
use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::looking::{AGAIN_MS, described};
use crate::sending::before;
use crate::world::ScriptError;

/// The share of its own size by which an element moves far from one measurement to the next.
const FAR_SHARE: f64 = 0.25;

/// A wish for a point in an element.
pub(crate) struct Aim<'a> {
    pub locator: &'a ElementLocator,
    /// The place in the element: its share of the width.
    pub percentage: f64,
    /// Whether the page is scrolled until the point is seen.
    pub is_scrolled_to: bool,
}

/// A point in an element, as it was measured.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    /// The distance from the left of the viewport.
    pub x: f64,
    /// The distance from the top of the viewport.
    pub y: f64,
    /// How far the page is scrolled to the right.
    pub left: f64,
    /// How far the page is scrolled down.
    pub top: f64,
    /// The width of the element's box.
    pub width: f64,
    /// The height of the element's box.
    pub height: f64,
    pub is_in_view: bool,
    /// What the element lacks of what the action needs, as a part of a sentence: `is disabled`.
    pub lack: Option<String>,
    /// What gets a click at this point instead of the element or something in it.
    pub above: Option<String>,
    /// Whether that is something around the element.
    pub is_around: bool,
}

impl<'a> Aim<'a> {
    /// Makes a wish for the middle of an element.
    pub(crate) fn middle(locator: &'a ElementLocator, is_scrolled_to: bool) -> Self {
        Self {
            locator,
            percentage: 0.5,
            is_scrolled_to,
        }
    }
}

impl Measured {
    /// Reads what the page's script measured. Returns `None` where there is no element.
    pub(crate) fn read<D: DevTools>(browser: &DrivenBrowser<D>, answer: &Value) -> Option<Self> {
        let number = |name: &str| answer.get(name).and_then(Value::as_f64);
        let holds = |name: &str| answer.get(name).and_then(Value::as_bool) == Some(true);
        let above = answer.get("above").and_then(Value::as_array);
        let lack = answer.get("lack").and_then(Value::as_str);
        Some(Self {
            x: number("x")?,
            y: number("y")?,
            left: number("left").unwrap_or_default(),
            top: number("top").unwrap_or_default(),
            width: number("width").unwrap_or_default(),
            height: number("height").unwrap_or_default(),
            is_in_view: holds("inView"),
            lack: lack.map(str::to_owned),
            above: above.map(|parts| described(parts, &browser.mask)),
            is_around: holds("isAround"),
        })
    }

    /// Returns what is missing for an action here, as a part of a sentence. Returns `None` where nothing is.
    pub(crate) fn obstacle(&self) -> Option<String> {
        match (&self.lack, &self.above) {
            (Some(lack), Some(above)) => Some(format!(
                "the element {lack}, and {above} lies where it would be clicked"
            )),
            (Some(lack), None) => Some(format!("the element {lack}")),
            (None, Some(above)) if self.is_around => Some(format!(
                "the point belongs to {above}, which is around the element"
            )),
            (None, Some(above)) => Some(format!("above the element lies {above}")),
            (None, None) => {
                (!self.is_in_view).then(|| "the point lies outside of the viewport".to_owned())
            }
        }
    }

    /// Returns whether the element has moved so far since it was measured that it may be gone from under the
    /// pointer before a click ends.
    pub(crate) fn has_left(&self, before: &Self) -> bool {
        let is_far = |from: f64, to: f64, size: f64| (to - from).abs() > size * FAR_SHARE;
        is_far(before.x, self.x, self.width) || is_far(before.y, self.y, self.height)
    }
}

/// Looks for an element until it is there, at most `timeout_ms`. Returns `None` where there is none.
pub(crate) async fn wait_for<D: DevTools>(
    browser: &DrivenBrowser<D>,
    aim: &Aim<'_>,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Option<Measured>, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(timeout_ms);
    loop {
        let wish = json!({
            "by": aim.locator.by.as_str(), "selector": aim.locator.selector.reveal(),
            "percentage": aim.percentage, "scrolls": aim.is_scrolled_to,
        });
        let answer = browser.script("aim", &wish, until_ms).await;
        let answer = answer.map_err(script_failure)?;
        if answer.get("state").and_then(Value::as_str) == Some("bad") {
            let way = aim.locator.by.as_str();
            let words = format!("the selector is none of the kind \"{way}\" that can be read");
            return Err(ActionFailure::Failed(words));
        }
        let measured = Measured::read(browser, &answer);
        let next_ms = browser.now_ms().saturating_add(AGAIN_MS);
        if measured.is_some() || next_ms > end_ms || next_ms >= until_ms {
            return Ok(measured);
        }
        browser.connection.devtools().sleep(AGAIN_MS).await;
    }
}

/// Returns the box in which an action happens whose element is not there. Fails where there is none.
pub(crate) fn fallback_box(target: &ElementTarget) -> Result<&Area, ActionFailure> {
    match &target.fallback {
        Some(Fallback::Taken(area)) => Ok(area),
        None => Err(missing(target.timeout_ms)),
        Some(Fallback::Refused(why)) => {
            let words = missing_words(target.timeout_ms);
            let words = format!("{words}; its fallback is not used, since {why}");
            Err(ActionFailure::Failed(words))
        }
    }
}

/// Returns the failure of an action whose element is not there.
pub(crate) fn missing(timeout_ms: u64) -> ActionFailure {
    ActionFailure::Failed(missing_words(timeout_ms))
}

fn missing_words(timeout_ms: u64) -> String {
    format!("there is no such element, and there was none for {timeout_ms} ms")
}

/// Says what the failure of a function of the page's script means that does nothing to the page.
pub(crate) fn script_failure(error: ScriptError) -> ActionFailure {
    match error {
        ScriptError::Thrown => ActionFailure::Failed(ScriptError::Thrown.into_words()),
        // The page became another one again and again.
        ScriptError::Call(CallError::Refused(words)) => ActionFailure::Failed(words),
        ScriptError::Call(error) => before(error),
    }
}
