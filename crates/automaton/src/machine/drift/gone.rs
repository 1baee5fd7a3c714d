//! What a check or an action looks for and no longer finds.

use domain::page::{By, Query};

use crate::machine::actions::{BrowserAction, Locator};
use crate::machine::states::{Check, CheckKind};

use super::distance::Features;
use super::selector::Selector;

/// Something that a check or an action looks for on a page, and that is gone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Gone {
    /// The selector or the text, as it is written.
    pub written: String,
    /// The way in which the selector is read; `None` where it is a text.
    by: Option<By>,
    pub(super) features: Features,
}

impl Gone {
    /// Returns what a check looks for. Returns `None` where that is no part of a page.
    #[must_use]
    pub fn of_check(check: &Check) -> Option<Self> {
        match check {
            Check::Query(query) => Some(Self::found_by(query.by, &query.selector)),
            Check::Signal {
                kind: CheckKind::Element,
                value: Some(selector),
            } => Some(Self::found_by(By::CssSelector, selector)),
            Check::Signal {
                kind: CheckKind::Text,
                value: Some(text),
            } => Some(Self {
                written: text.clone(),
                by: None,
                features: Features {
                    text: text.clone(),
                    ..Features::default()
                },
            }),
            Check::Signal { .. } => None,
        }
    }

    /// Returns the element that an action looks for. Returns `None` where it looks for none, and where a
    /// parameter says which.
    #[must_use]
    pub fn of_action(action: &BrowserAction) -> Option<Self> {
        let locator: &Locator = match action {
            BrowserAction::Click { target, .. } | BrowserAction::Type { target, .. } => {
                &target.locator
            }
            BrowserAction::Scroll { over, .. } => over.as_ref()?,
            BrowserAction::ScrollTo { locator, .. } => locator,
            BrowserAction::Navigate { .. } | BrowserAction::PressKey { .. } => return None,
        };
        Some(Self::found_by(locator.by, locator.selector.as_literal()?))
    }

    fn found_by(by: By, written: &str) -> Self {
        let attribute = |name: &str| Selector {
            attributes: vec![(name.to_owned(), written.to_owned())],
            ..Selector::default()
        };
        let mut features = Features::default();
        match by {
            By::CssSelector => features.selector = Selector::read(written),
            By::Id => features.selector = attribute("id"),
            By::Name => features.selector = attribute("name"),
            By::TagName => features.selector.tag = written.to_lowercase(),
            By::ClassName => features.selector.classes.push(written.to_owned()),
            By::LinkText | By::PartialLinkText => {
                features.selector.tag.push('a');
                features.text.push_str(written);
            }
            By::XPath => features.text.push_str(quoted(written)),
        }
        Self {
            written: written.to_owned(),
            by: Some(by),
            features,
        }
    }

    /// Returns the question whether the element is on the page after all, seen or not. Returns `None` for a
    /// text.
    #[must_use]
    pub fn query(&self) -> Option<Query> {
        Some(Query {
            by: self.by?,
            selector: self.written.clone(),
            is_visible: false,
            timeout_ms: 0,
        })
    }
}

/// Returns the first string of an `XPath` expression, which usually is the text that it looks for.
fn quoted(xpath: &str) -> &str {
    let quotes = ['\'', '"'];
    let Some((_, rest)) = xpath.split_once(quotes) else {
        return "";
    };
    rest.split_once(quotes).map_or(rest, |(text, _)| text)
}
