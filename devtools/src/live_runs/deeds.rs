//! The actions that a run took, in order and with all texts filled in, so that another program can repeat them.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use automaton::machine::actions::{BrowserAction, Locator, Step};
use automaton::machine::grammar::{Text, TextPart, read_call};
use domain::page::{By, MouseButton, Point};

/// The values of parameters, by name.
pub(super) type Texts = BTreeMap<String, String>;

/// An action on a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deed {
    /// Open an address.
    Open(String),
    /// Click an element so many times at this share of its width, with this button.
    Click(Found, f64, MouseButton, u32),
    /// Move the mouse over an element.
    Hover(Found),
    /// Drag an element onto another one, or by a distance.
    Drag(Found, Option<Found>, Point),
    /// Choose the options with these texts, one in each line.
    Choose(Found, String),
    /// Click a box unless it is checked, or is not, as wanted.
    Check(Found, bool),
    /// Replace the content of an element by a text.
    Type(Found, String),
    /// Press a key, or several together, so many times.
    Press(String, u32),
    /// Go back to the page before.
    Back,
    /// Scroll an element into view.
    Show(Found),
    /// Turn the mouse wheel downwards by this many notches, over an element or else over the page.
    Turn(Option<Found>, f64),
}

impl Deed {
    /// Returns the deed as JSON, for a script that repeats it.
    pub(super) fn to_json(&self) -> Value {
        match self {
            Self::Open(url) => json!({"open": url}),
            Self::Click(on, percentage, button, clicks) => json!({
                "click": on.to_json(), "percentage": percentage, "button": button.as_str(), "clicks": clicks,
            }),
            Self::Hover(on) => json!({"hover": on.to_json()}),
            Self::Drag(from, onto, offset) => json!({
                "drag": from.to_json(), "onto": onto.as_ref().map(Found::to_json), "x": offset.x, "y": offset.y,
            }),
            Self::Choose(in_list, text) => json!({"choose": in_list.to_json(), "text": text}),
            Self::Check(on, is_checked) => json!({"check": on.to_json(), "isChecked": is_checked}),
            Self::Type(into, text) => json!({"type": into.to_json(), "text": text}),
            Self::Press(key, times) => json!({"press": key, "times": times}),
            Self::Back => json!({"back": true}),
            Self::Show(on) => json!({"show": on.to_json()}),
            Self::Turn(over, notches) => {
                json!({"turn": notches, "over": over.as_ref().map(Found::to_json)})
            }
        }
    }
}

/// How to find an element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) by: By,
    pub(super) selector: String,
}

impl Found {
    fn to_json(&self) -> Value {
        json!({"by": self.by.as_str(), "selector": self.selector})
    }
}

/// Returns the actions that a run began, in the order of the run's events. What a run reads takes no deed.
pub(super) fn deeds(events: &[Value], texts: &Texts) -> Result<Vec<Deed>, String> {
    let begun = |event: &&Value| event.get("type").and_then(Value::as_str) == Some("action_begun");
    let mut deeds = Vec::new();
    for event in events.iter().filter(begun) {
        let call = event.pointer("/payload/call").and_then(Value::as_str);
        let call = read_call(call.unwrap_or_default()).map_err(|error| error.to_string())?;
        if let Step::Act(action) = Step::of(&call)? {
            deeds.extend(deed(&action, texts)?);
        }
    }
    Ok(deeds)
}

fn deed(action: &BrowserAction, texts: &Texts) -> Result<Option<Deed>, String> {
    Ok(Some(match action {
        BrowserAction::Navigate { url } => Deed::Open(filled(url, texts)?),
        BrowserAction::Click {
            target,
            percentage,
            button,
            clicks,
        } => Deed::Click(
            found(&target.locator, texts)?,
            *percentage,
            *button,
            *clicks,
        ),
        BrowserAction::Hover { target, .. } => Deed::Hover(found(&target.locator, texts)?),
        BrowserAction::Drag {
            target,
            onto,
            offset,
        } => {
            let onto = onto.as_ref().map(|onto| found(onto, texts)).transpose()?;
            Deed::Drag(found(&target.locator, texts)?, onto, *offset)
        }
        BrowserAction::Select { target, options } => {
            Deed::Choose(found(&target.locator, texts)?, filled(options, texts)?)
        }
        BrowserAction::Check { target, is_checked } => {
            Deed::Check(found(&target.locator, texts)?, *is_checked)
        }
        BrowserAction::Type { target, text, .. } => {
            Deed::Type(found(&target.locator, texts)?, filled(text, texts)?)
        }
        BrowserAction::PressKey { key, times, .. } => Deed::Press(filled(key, texts)?, *times),
        BrowserAction::GoBack => Deed::Back,
        BrowserAction::ScrollTo { locator, .. } => Deed::Show(found(locator, texts)?),
        BrowserAction::Scroll {
            over,
            direction,
            notches,
            ..
        } => {
            let over = over.as_ref().map(|over| found(over, texts)).transpose()?;
            let is_up = *direction == domain::page::Direction::Up;
            Deed::Turn(over, if is_up { -notches } else { *notches })
        }
        BrowserAction::SwitchTo { .. } | BrowserAction::Extract { .. } => return Ok(None),
        BrowserAction::Upload { .. } | BrowserAction::Download { .. } => {
            return Err("a bare script takes and gives no files".to_owned());
        }
    }))
}

fn found(locator: &Locator, texts: &Texts) -> Result<Found, String> {
    Ok(Found {
        by: locator.by,
        selector: filled(&locator.selector, texts)?,
    })
}

fn filled(text: &Text, texts: &Texts) -> Result<String, String> {
    let mut filled = String::new();
    for part in text.parts() {
        match part {
            TextPart::Literal(literal) => filled.push_str(literal),
            TextPart::Extracted(name) => return Err(format!("a begun action refers to {name}")),
            TextPart::Parameter(name) | TextPart::OneTimeCode(name) => {
                let text = texts.get(name);
                filled.push_str(text.ok_or_else(|| format!("there is no parameter {name}"))?);
            }
        }
    }
    Ok(filled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_a_run_began_is_what_is_repeated() {
        let begun = |call: &str| json!({"type": "action_begun", "payload": {"call": call}});
        let events = [
            json!({"type": "looked"}),
            begun("navigate_to(url=parameters['PAGE'])"),
            begun("wait(seconds=1)"),
            begun(
                "type(by='xpath', selector='//a[.=\"' + parameters['X'] + '\"]', text=parameters['X'])",
            ),
            begun("extract(name='A', by='id', selector='a')"),
        ];
        let texts = [("PAGE", "http://a/"), ("X", "x")];
        let texts = texts.map(|(name, text)| (name.to_owned(), text.to_owned()));
        let found = Found {
            by: By::XPath,
            selector: "//a[.=\"x\"]".to_owned(),
        };
        let expected = [
            Deed::Open("http://a/".to_owned()),
            Deed::Type(found, "x".to_owned()),
        ];
        assert_eq!(deeds(&events, &Texts::from(texts)).unwrap(), expected);
        assert!(deeds(&events, &Texts::new()).is_err());
    }
}
