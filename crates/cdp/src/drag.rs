//! Drags an element with the mouse: by pointer events, or by the browser's own dragging if the page allows that.

use domain::page::{ActionFailure, Done, ElementLocator, ElementTarget, Point};
use serde_json::{Value, json};

use crate::actions::{MOUSE, missing, send_input};
use crate::aiming::{self, Aim};
use crate::connection::DevTools;
use crate::driven_browser::DrivenBrowser;
use crate::gestures::{self, EFFECT_MS, Gesture};
use crate::world::Frame;

/// The number of steps in which the mouse moves from one place to the other.
const STEPS: u32 = 12;
/// How far the mouse moves first, in pixels: many pages take a press for a drag only from some pixels on.
const FIRST_PIXELS: f64 = 6.0;
/// How long the page has between two steps, in milliseconds. Many pages redraw what is dragged in each frame, and some
/// look where it is only every 50 ms.
const STEP_MS: u64 = 8;
/// How long it takes at most until the browser tells that it drags something itself, in milliseconds.
const OWN_MS_MAX: u64 = 500;

/// A point that is in no page.
const OUTSIDE: Point = Point { x: -1.0, y: -1.0 };

/// What the browser drags by itself.
#[derive(Debug, Clone)]
pub(crate) struct OwnDrag {
    /// What is dragged, as the browser has told it.
    pub data: Value,
    /// Whether it was moved into the page.
    pub has_entered: bool,
}

/// Takes an element up, moves it onto another one or by a distance, and drops it there.
pub(crate) async fn drag<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    onto: Option<&ElementLocator>,
    offset: Point,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    set_intercepted(browser, true, until_ms).await;
    let dragged = drag_intercepted(browser, target, onto, offset, until_ms).await;
    let is_down = std::mem::take(&mut browser.events.borrow_mut().is_button_down);
    if is_down {
        // On the element itself it would be a click. If this fails, the failure of the drag is told all the same.
        let _ = drop_at(browser, OUTSIDE, until_ms).await;
    }
    set_intercepted(browser, false, until_ms).await;
    dragged
}

/// Sets whether the browser tells what it would drag by itself, instead of doing so. Without that, such drags do not end
/// where the mouse is.
async fn set_intercepted<D: DevTools>(browser: &DrivenBrowser<D>, is_set: bool, until_ms: u64) {
    browser.events.borrow_mut().dragged = None;
    // A browser that does not know this drags by pointer events alone.
    let _ = browser
        .command(
            "Input.setInterceptDrags",
            json!({"enabled": is_set}),
            until_ms,
        )
        .await;
}

async fn drag_intercepted<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    onto: Option<&ElementLocator>,
    offset: Point,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    if let Some(onto) = onto {
        // If there is nothing to drop on, nothing is taken up.
        let aim = Aim::middle(onto, false);
        let found = aiming::wait_for(browser, &aim, target.timeout_ms, until_ms).await?;
        if found.is_none() {
            let words = "there is nothing to drop it on; nothing was dragged";
            return Err(ActionFailure::Failed(words.to_owned()));
        }
    }
    let activity = browser.events.borrow().activity;
    let grabbed = gestures::perform(browser, target, 0.5, Gesture::Grab, until_ms).await?;
    let dragged = browser.aimed();
    let Some(start) = grabbed.point else {
        return Err(missing(target.timeout_ms));
    };
    let scrolled = browser.script("scrolled", &Value::Null, until_ms).await;
    let scrolled = scrolled.unwrap_or_default();
    let number = |name: &str| {
        scrolled
            .get(name)
            .and_then(Value::as_f64)
            .unwrap_or_default()
    };
    let from = Point {
        x: start.x - number("left"),
        y: start.y - number("top"),
    };
    // Once the button is down, an error leaves open what has happened.
    let unknown = |failure: ActionFailure| match failure {
        ActionFailure::BrowserGone(words) => ActionFailure::UnknownOutcome(words),
        other => other,
    };
    let carrying = carry(browser, &dragged, from, onto, offset, until_ms);
    let at = carrying.await.map_err(unknown)?;
    browser.events.borrow_mut().is_button_down = false;
    drop_at(browser, at, until_ms).await.map_err(unknown)?;
    let mut done = Done::at(Point {
        x: at.x + number("left"),
        y: at.y + number("top"),
    });
    // From a frame it cannot be seen what changes around it.
    if dragged.around().is_none() && dragged == browser.aimed() {
        let wish = json!({"waits": EFFECT_MS});
        let unchanged = browser
            .call_once("isUnchangedByDrop", &wish, until_ms)
            .await;
        let is_active = browser.events.borrow().activity != activity;
        done.is_unchanged = !is_active && matches!(unchanged, Ok(Value::Bool(true)));
    }
    Ok(done)
}

/// Moves what was taken up at a point to where it is dropped, and returns that point in the viewport.
async fn carry<D: DevTools>(
    browser: &DrivenBrowser<D>,
    dragged: &Frame,
    from: Point,
    onto: Option<&ElementLocator>,
    offset: Point,
    until_ms: u64,
) -> Result<Point, ActionFailure> {
    let toward = |there: f64, here: f64| (there - here).clamp(-FIRST_PIXELS, FIRST_PIXELS);
    let goal = goal(browser, from, onto, offset, false, until_ms).await?;
    let first = Point {
        x: from.x + toward(goal.x, from.x),
        y: from.y + toward(goal.y, from.y),
    };
    move_to(browser, first, until_ms).await?;
    wait_for_own_drag(browser, dragged, until_ms).await;
    // What is dragged may be taken out of the page's flow, so that other elements move.
    let goal = self::goal(browser, from, onto, offset, true, until_ms).await?;
    for step in 1..=STEPS {
        let share = f64::from(step) / f64::from(STEPS);
        let at = Point {
            x: first.x + (goal.x - first.x) * share,
            y: first.y + (goal.y - first.y) * share,
        };
        move_to(browser, at, until_ms).await?;
        if step == 1 {
            wait_for_own_drag(browser, dragged, until_ms).await;
        }
        browser.connection.devtools().sleep(STEP_MS).await;
    }
    move_to(browser, goal, until_ms).await?;
    Ok(goal)
}

/// Returns where something is dropped, in the viewport. With `is_certain`, the element to drop it on must be shown there.
async fn goal<D: DevTools>(
    browser: &DrivenBrowser<D>,
    from: Point,
    onto: Option<&ElementLocator>,
    offset: Point,
    is_certain: bool,
    until_ms: u64,
) -> Result<Point, ActionFailure> {
    let middle = match onto {
        None => from,
        Some(onto) => {
            let found = aiming::wait_for(browser, &Aim::middle(onto, true), 0, until_ms).await?;
            let Some(found) = found else {
                let words = "what it was to be dropped on is gone; it was dropped nowhere";
                return Err(ActionFailure::Failed(words.to_owned()));
            };
            // What is dragged may lie above it, and what lies above it otherwise may take it just as well.
            let lack = found.lack.as_deref();
            let lack = lack.or((!found.is_in_view).then_some("lies outside of the viewport"));
            if let Some(lack) = lack.filter(|_| is_certain) {
                let words = format!("what it was to be dropped on {lack}; it was dropped nowhere");
                return Err(ActionFailure::Failed(words));
            }
            Point {
                x: found.x,
                y: found.y,
            }
        }
    };
    Ok(Point {
        x: middle.x + offset.x,
        y: middle.y + offset.y,
    })
}

/// Waits until the browser tells that it drags something itself, which takes some milliseconds.
async fn wait_for_own_drag<D: DevTools>(
    browser: &DrivenBrowser<D>,
    dragged: &Frame,
    until_ms: u64,
) {
    let is_started = browser.script_in(dragged, "hasStartedDrag", &Value::Null, until_ms);
    if is_started.await.ok().and_then(|it| it.as_bool()) != Some(true) {
        return;
    }
    let end_ms = browser.now_ms().saturating_add(OWN_MS_MAX);
    while browser.events.borrow().dragged.is_none() && browser.now_ms() < end_ms {
        browser.connection.devtools().sleep(2).await;
    }
}

async fn move_to<D: DevTools>(
    browser: &DrivenBrowser<D>,
    at: Point,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let own = browser.events.borrow().dragged.clone();
    let Some(own) = own else {
        let event = json!({
            "type": "mouseMoved", "x": at.x, "y": at.y, "button": "left", "buttons": 1,
        });
        return send_input(browser, MOUSE, vec![event], until_ms).await;
    };
    if !own.has_entered {
        send_drag(browser, "dragEnter", at, &own.data, until_ms).await?;
        if let Some(own) = &mut browser.events.borrow_mut().dragged {
            own.has_entered = true;
        }
    }
    send_drag(browser, "dragOver", at, &own.data, until_ms).await
}

async fn drop_at<D: DevTools>(
    browser: &DrivenBrowser<D>,
    at: Point,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let own = browser.events.borrow_mut().dragged.take();
    if let Some(own) = own {
        send_drag(browser, "drop", at, &own.data, until_ms).await?;
    }
    let event = json!({
        "type": "mouseReleased", "x": at.x, "y": at.y, "button": "left", "clickCount": 1,
    });
    send_input(browser, MOUSE, vec![event], until_ms).await
}

async fn send_drag<D: DevTools>(
    browser: &DrivenBrowser<D>,
    kind: &str,
    at: Point,
    data: &Value,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    let event = json!({"type": kind, "x": at.x, "y": at.y, "data": data});
    send_input(browser, "Input.dispatchDragEvent", vec![event], until_ms).await
}
