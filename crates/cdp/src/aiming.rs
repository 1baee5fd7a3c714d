//! Finds the element that an action addresses, in the page's document or in a frame, and measures where it is in the
//! page's viewport and what receives a click there.

use std::rc::Rc;

use domain::page::{ActionFailure, ElementLocator, Point};
use serde_json::{Value, json};

use crate::actions::script_failure;
use crate::connection::{CallError, DevTools};
use crate::driven_browser::DrivenBrowser;
use crate::look::{ELEMENT_AGAIN_MS, described};
use crate::world::{Frame, ScriptError};

/// How far an element must move between two measurements to count as fast-moving, as a share of its size.
const FAR_SHARE: f64 = 0.25;
/// How deep the frames are in which elements are addressed.
const DEPTH_MAX: usize = 10;

/// A point in an element at which an action aims.
pub(crate) struct Aim<'a> {
    pub locator: &'a ElementLocator,
    /// Where the point is in the element, horizontally, as a share of its width.
    pub percentage: f64,
    /// Whether the page is scrolled until the point is visible.
    pub is_scrolled_to: bool,
    /// Whether another point of the element is taken if something lies above its middle.
    pub is_elsewhere: bool,
}

impl<'a> Aim<'a> {
    /// Aims at the middle of an element.
    pub(crate) fn middle(locator: &'a ElementLocator, is_scrolled_to: bool) -> Self {
        Self {
            locator,
            percentage: 0.5,
            is_scrolled_to,
            is_elsewhere: false,
        }
    }

    /// Returns the argument for the functions of the page's script that find the element.
    pub(crate) fn wish(&self) -> Value {
        json!({
            "by": self.locator.by.as_str(), "selector": self.locator.selector.reveal(),
            "percentage": self.percentage, "scrolls": self.is_scrolled_to, "elsewhere": self.is_elsewhere,
        })
    }
}

/// A measured point in an element. All lengths are in CSS pixels.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    /// The distance of the point from the left of the viewport.
    pub x: f64,
    /// The distance of the point from the top of the viewport.
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
    /// What the element lacks for the action, as part of a sentence like `is disabled`; `None` if it lacks nothing.
    pub lack: Option<String>,
    /// A description of what receives clicks at this point instead of the element or its content; `None` if nothing
    /// does.
    pub above: Option<String>,
    /// Whether what receives clicks instead contains the element.
    pub is_around: bool,
}

impl Measured {
    /// Reads a measurement by the page's script; `None` if there is no element.
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

    /// Returns what hinders an action at this point, as part of a sentence; `None` if nothing does.
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

    /// Returns whether the element has moved so far since the measurement `before` that it may leave the pointer before
    /// a click ends.
    pub(crate) fn has_left(&self, before: &Self) -> bool {
        let is_far = |from: f64, to: f64, size: f64| (to - from).abs() > size * FAR_SHARE;
        is_far(before.x, self.x, self.width) || is_far(before.y, self.y, self.height)
    }

    /// Returns the point in the page's document.
    pub(crate) fn point(&self) -> Point {
        Point {
            x: self.x + self.left,
            y: self.y + self.top,
        }
    }

    /// Takes over the place of the point in the document around a frame, and what hinders an action there.
    fn pass_through(&mut self, outer: Self, scale: f64) {
        self.x = outer.x;
        self.y = outer.y;
        self.left = outer.left;
        self.top = outer.top;
        self.width *= scale;
        self.height *= scale;
        self.is_in_view &= outer.is_in_view;
        self.lack = self.lack.take().or(outer.lack);
        if self.above.is_none() {
            self.above = outer.above;
            self.is_around = outer.is_around;
        }
    }
}

/// Calls a function of the page's script that finds an element, first in the page's document, and then in the frames to
/// which the locator's steps lead. Notes the document of the element in [`DrivenBrowser::aimed`]. Fails if the selector
/// is invalid.
pub(crate) async fn find<D: DevTools>(
    browser: &DrivenBrowser<D>,
    function: &str,
    locator: &ElementLocator,
    mut wish: Value,
    until_ms: u64,
) -> Result<Value, ActionFailure> {
    let mut frame = browser.world.page();
    loop {
        let asking = browser.script_in(&frame, function, &wish, until_ms);
        let mut answer = match asking.await {
            Ok(answer) => answer,
            // What is in a frame that does not answer is missing for now.
            Err(ScriptError::Call(CallError::Refused(_))) if frame.depth() > 0 => {
                return Ok(Value::Null);
            }
            Err(error) => return Err(script_failure(error)),
        };
        match answer.get("state").and_then(Value::as_str) {
            Some("frame") if frame.depth() < DEPTH_MAX => {}
            Some("bad") => {
                let way = locator.by.as_str();
                let words = format!("the selector is none of the kind \"{way}\" that can be read");
                return Err(ActionFailure::Failed(words));
            }
            Some("none") if browser.reveal(&frame, &answer, until_ms).await => continue,
            _ => {
                *browser.aimed.borrow_mut() = Some(frame);
                return Ok(answer);
            }
        }
        let number = answer.get("number").and_then(Value::as_u64);
        let inside = browser.world.inside(
            &browser.connection,
            &frame,
            number.unwrap_or_default(),
            until_ms,
        );
        // The frame may be replaced by another one at this moment, so the element is missing for now.
        let Ok(inside) = inside.await else {
            return Ok(Value::Null);
        };
        frame = inside;
        if let Some(members) = wish.as_object_mut() {
            let steps = answer.get_mut("steps").map(Value::take);
            members.insert("steps".to_owned(), steps.unwrap_or_default());
        }
    }
}

/// Converts a measurement in the document of [`DrivenBrowser::aimed`] to one in the page's viewport; `None` if a frame on
/// the way is gone. With `scrolls`, the documents around are scrolled until the point is visible. With `arms`, a press
/// reaches nothing in them from then on.
pub(crate) async fn outward<D: DevTools>(
    browser: &DrivenBrowser<D>,
    mut measured: Measured,
    scrolls: bool,
    arms: bool,
    until_ms: u64,
) -> Result<Option<Measured>, ActionFailure> {
    let mut frame = browser.aimed();
    while let Some((around, number)) = frame.around().cloned() {
        let wish = json!({
            "number": number, "x": measured.x, "y": measured.y, "scrolls": scrolls, "arms": arms,
        });
        let asking = browser.script_in(&around, "through", &wish, until_ms);
        let answer = asking.await.map_err(script_failure)?;
        let Some(outer) = Measured::read(browser, &answer) else {
            return Ok(None);
        };
        let scale = answer.get("scale").and_then(Value::as_f64);
        measured.pass_through(outer, scale.unwrap_or(1.0));
        frame = around;
    }
    Ok(Some(measured))
}

/// Lets the documents around the one of [`DrivenBrowser::aimed`] get presses again. Returns whether one of them has
/// changed since it was armed.
pub(crate) async fn disarm<D: DevTools>(browser: &DrivenBrowser<D>, until_ms: u64) -> bool {
    let mut frame: Rc<Frame> = browser.aimed();
    let mut has_changed = false;
    while let Some((around, _)) = frame.around().cloned() {
        let call = browser.world.call_once(
            &browser.connection,
            &around,
            "disarm",
            &Value::Null,
            until_ms,
        );
        // A failure means that the document was replaced. The new one gets presses anyway.
        let changed = call.await.unwrap_or(Value::Bool(true));
        has_changed |= changed.as_bool() == Some(true);
        frame = around;
    }
    has_changed
}

/// Waits for an element to exist, for at most `timeout_ms`; `None` if it does not appear.
pub(crate) async fn wait_for<D: DevTools>(
    browser: &DrivenBrowser<D>,
    aim: &Aim<'_>,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Option<Measured>, ActionFailure> {
    wait_with(browser, aim, "aim", timeout_ms, until_ms).await
}

/// Waits for what a function of the page's script finds, as [`wait_for`] does.
pub(crate) async fn wait_with<D: DevTools>(
    browser: &DrivenBrowser<D>,
    aim: &Aim<'_>,
    function: &str,
    timeout_ms: u64,
    until_ms: u64,
) -> Result<Option<Measured>, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(timeout_ms);
    loop {
        let answer = find(browser, function, aim.locator, aim.wish(), until_ms).await?;
        let measured = match Measured::read(browser, &answer) {
            Some(measured) => {
                outward(browser, measured, aim.is_scrolled_to, false, until_ms).await?
            }
            None => None,
        };
        let next_ms = browser.now_ms().saturating_add(ELEMENT_AGAIN_MS);
        if measured.is_some() || next_ms > end_ms || next_ms >= until_ms {
            return Ok(measured);
        }
        browser.connection.devtools().sleep(ELEMENT_AGAIN_MS).await;
    }
}
