//! The actions that a run took, in order and with all texts filled in, so that another program can repeat them.

use std::collections::BTreeMap;

use serde_json::Value;

use automaton::machine::actions::{BrowserAction, Locator, Step};
use automaton::machine::grammar::{Text, TextPart};
use automaton::machine::states::{Automaton, Line};
use domain::page::By;

/// The values of parameters, by name.
pub(super) type Texts = BTreeMap<String, String>;

/// An action on a page.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Deed {
    /// Open an address.
    Open(String),
    /// Click an element at this share of its width.
    Click(Found, f64),
    /// Replace the content of an element by a text.
    Type(Found, String),
    /// Press a key, or several together.
    Press(String),
    /// Scroll an element into view.
    Show(Found),
    /// Turn the mouse wheel downwards by this many notches, over an element or else over the page.
    Turn(Option<Found>, f64),
}

/// How to find an element.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Found {
    pub(super) by: By,
    pub(super) selector: String,
}

/// Returns the actions that a run of these states began, in the order of the run's events.
pub(super) fn deeds(
    automaton: &Value,
    events: &[Value],
    texts: &Texts,
) -> Result<Vec<Deed>, String> {
    let automaton = Automaton::from_json(automaton).map_err(|error| error.to_string())?;
    let begun = |event: &&Value| event.get("type").and_then(Value::as_str) == Some("action_begun");
    let mut deeds = Vec::new();
    for event in events.iter().filter(begun) {
        let number = |name: &str| {
            let number = event.pointer(&format!("/payload/{name}"));
            let number = number.and_then(Value::as_u64);
            usize::try_from(number.unwrap_or_default()).unwrap_or_default()
        };
        let state = automaton.states.get(number("state"));
        let line = state.and_then(|state| state.lines.get(number("line").checked_sub(1)?));
        if let Some(Line::Call {
            step: Ok(Step::Act(action)),
            ..
        }) = line
        {
            deeds.push(deed(action, texts)?);
        }
    }
    Ok(deeds)
}

fn deed(action: &BrowserAction, texts: &Texts) -> Result<Deed, String> {
    Ok(match action {
        BrowserAction::Navigate { url } => Deed::Open(filled(url, texts)?),
        BrowserAction::Click {
            target, percentage, ..
        } => Deed::Click(found(&target.locator, texts)?, *percentage),
        BrowserAction::Type { target, text, .. } => {
            Deed::Type(found(&target.locator, texts)?, filled(text, texts)?)
        }
        BrowserAction::PressKey { key } => Deed::Press(filled(key, texts)?),
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
    })
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
            TextPart::Parameter(name) => {
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
        let automaton = json!([{"name": "A", "description": "", "end_state": "", "checks": [], "actions": [
            "navigate_to(parameters['PAGE'])", "wait(1)",
            "type('xpath', '//a[.=\"' + parameters['X'] + '\"]', parameters['X'])", "press_key('enter')",
        ]}]);
        let begun =
            |line: u32| json!({"type": "action_begun", "payload": {"state": 0, "line": line}});
        let events = [json!({"type": "looked"}), begun(1), begun(2), begun(3)];
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
        assert_eq!(
            deeds(&automaton, &events, &Texts::from(texts)).unwrap(),
            expected
        );
        assert!(deeds(&automaton, &events, &Texts::new()).is_err());
    }
}
