//! A simulated browser, which acts on the elements' boxes that a case records.

use serde_json::{Map, Value, json};

use automaton::machine::actions::{BrowserAction, Locator, Target};
use domain::page::{ActionFailure, Direction, Done, MouseButton};

use super::page_script::PageScript;
use super::recorder::filled_in;

/// A simulated browser on the page of a case.
pub(super) struct StandIn<'case> {
    pub(super) page: &'case PageScript<'case>,
    pub(super) parameters: Map<String, Value>,
}

/// The result of an action in the browser, and the events that it caused.
pub(super) struct Deed {
    pub(super) result: Result<Done, ActionFailure>,
    pub(super) events: Vec<Value>,
}

impl StandIn<'_> {
    /// Executes an action at this time.
    pub(super) fn act(&self, action: &BrowserAction, now_ms: u64) -> Deed {
        match action {
            BrowserAction::Click {
                target,
                button,
                percentage,
                ..
            } => self.click(target, *button, *percentage, now_ms),
            BrowserAction::Type { target, text, .. } => {
                let mut deed = self.click(target, MouseButton::Left, 0.5, now_ms);
                if deed.result.is_ok() {
                    deed.events.push(json!({"do": "clear"}));
                    let text = filled_in(text, &self.parameters);
                    deed.events.push(json!({"do": "type", "text": text}));
                }
                deed
            }
            BrowserAction::Scroll {
                over,
                direction,
                notches,
                ..
            } => self.scroll(over.as_ref(), *direction, *notches, now_ms),
            BrowserAction::PressKey { key, .. } => {
                let key = filled_in(key, &self.parameters);
                Deed::done(vec![json!({"do": "press_key", "key": key})])
            }
            BrowserAction::Navigate { url } => {
                let url = filled_in(url, &self.parameters);
                Deed::done(vec![json!({"do": "navigate", "url": url})])
            }
            BrowserAction::ScrollTo { .. } => Deed::done(Vec::new()),
            // The recorded program does not have these actions, so no case has them.
            BrowserAction::Hover { .. }
            | BrowserAction::Drag { .. }
            | BrowserAction::Select { .. }
            | BrowserAction::Check { .. }
            | BrowserAction::Upload { .. }
            | BrowserAction::Download { .. }
            | BrowserAction::GoBack
            | BrowserAction::SwitchTo { .. }
            | BrowserAction::Extract { .. } => Deed {
                result: Err(ActionFailure::Failed("No case has this action.".into())),
                events: Vec::new(),
            },
        }
    }

    fn click(&self, target: &Target, button: MouseButton, share: f64, now_ms: u64) -> Deed {
        let found = self.area(&target.locator, now_ms);
        let Some((point, has_fallen_back)) = target.point(found, share) else {
            return Deed {
                result: Err(ActionFailure::Failed("There is no such element.".into())),
                events: Vec::new(),
            };
        };
        let event = json!({"do": "click", "x": point.x, "y": point.y, "button": button.as_str()});
        Deed {
            result: Ok(Done {
                has_fallen_back,
                ..Done::at(point)
            }),
            events: vec![event],
        }
    }

    fn scroll(
        &self,
        over: Option<&Locator>,
        direction: Direction,
        notches: f64,
        now_ms: u64,
    ) -> Deed {
        let area = over.map(|locator| self.area(locator, now_ms));
        let mut event = json!({
            "do": "scroll",
            "direction": direction.as_str(),
            "amount": notches,
        });
        match (area, event.as_object_mut()) {
            (Some(None), _) => {
                return Deed {
                    result: Err(ActionFailure::Failed("There is no such element.".into())),
                    events: Vec::new(),
                };
            }
            (Some(Some(area)), Some(event)) => {
                let point = area.point(0.5);
                event.insert("x".to_owned(), point.x.into());
                event.insert("y".to_owned(), point.y.into());
            }
            _ => {}
        }
        Deed::done(vec![event])
    }

    fn area(&self, locator: &Locator, now_ms: u64) -> Option<domain::page::Area> {
        let selector = filled_in(&locator.selector, &self.parameters);
        self.page.area(&selector, now_ms)
    }
}

impl Deed {
    fn done(events: Vec<Value>) -> Self {
        Self {
            result: Ok(Done::default()),
            events,
        }
    }
}
