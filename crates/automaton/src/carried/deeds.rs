//! The actions of an automaton as the browser is asked for them: with every text filled in.

use domain::page::{ElementLocator, ElementTarget, PageAction, TypedText};

use crate::machine::actions::{BrowserAction, Locator, Target};
use crate::machine::grammar::Text;

use super::values::Values;

/// An action with every text filled in, and the names of the secrets in it.
pub(super) struct Deed {
    pub(super) action: PageAction,
    pub(super) secrets: Vec<String>,
}

/// Fills the texts of an action in. Fails with a sentence where this process does not know a value.
pub(super) fn deed(action: &BrowserAction, values: &Values) -> Result<Deed, String> {
    let mut filling = Filling {
        values,
        secrets: Vec::new(),
    };
    let action = match action {
        BrowserAction::Navigate { url } => PageAction::Navigate {
            url: filling.text(url)?,
        },
        BrowserAction::Click {
            target,
            button,
            percentage,
        } => PageAction::Click {
            target: filling.target(target)?,
            button: *button,
            percentage: *percentage,
        },
        BrowserAction::Type {
            target,
            text,
            interval_ms,
        } => PageAction::Type {
            target: filling.target(target)?,
            text: filling.text(text)?,
            interval_ms: *interval_ms,
        },
        BrowserAction::Scroll {
            over,
            timeout_ms,
            direction,
            notches,
        } => PageAction::Scroll {
            over: match over {
                Some(over) => Some(filling.locator(over)?),
                None => None,
            },
            timeout_ms: *timeout_ms,
            direction: *direction,
            notches: *notches,
        },
        BrowserAction::ScrollTo {
            locator,
            timeout_ms,
        } => PageAction::ScrollTo {
            locator: filling.locator(locator)?,
            timeout_ms: *timeout_ms,
        },
        BrowserAction::PressKey { key } => PageAction::PressKey {
            key: filling.text(key)?,
        },
    };
    Ok(Deed {
        action,
        secrets: filling.secrets,
    })
}

struct Filling<'a> {
    values: &'a Values,
    secrets: Vec<String>,
}

impl Filling<'_> {
    fn text(&mut self, text: &Text) -> Result<TypedText, String> {
        let filled = self.values.fill(text)?;
        self.secrets.extend(filled.secrets);
        Ok(filled.text)
    }

    fn locator(&mut self, locator: &Locator) -> Result<ElementLocator, String> {
        Ok(ElementLocator {
            by: locator.by,
            selector: self.text(&locator.selector)?.text,
        })
    }

    fn target(&mut self, target: &Target) -> Result<ElementTarget, String> {
        Ok(ElementTarget {
            locator: self.locator(&target.locator)?,
            timeout_ms: target.timeout_ms,
            is_scrolled_to: target.is_scrolled_to,
            fallback: target.fallback.clone(),
        })
    }
}
