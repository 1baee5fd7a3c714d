//! A text that is to be in a field.

use serde_json::{Value, json};

use domain::page::{ElementLocator, ElementTarget, TypedText};

use crate::devtools::DevTools;
use crate::driven::DrivenBrowser;
use crate::guard::origin_of;

/// A text, with what it takes to type it.
pub(crate) struct Wish<'a> {
    pub(crate) locator: &'a ElementLocator,
    pub(crate) text: &'a str,
    /// The origins of the pages that may get it; `None` where every page of the run may.
    pub(crate) origins: Option<Vec<String>>,
    /// Whether there is a secret in it, of which nothing is told.
    pub(crate) is_secret: bool,
}

impl<'a> Wish<'a> {
    pub(crate) fn new<D: DevTools>(
        browser: &DrivenBrowser<D>,
        target: &'a ElementTarget,
        typed: &TypedText,
        text: &'a str,
    ) -> Self {
        let origins = typed.origins.as_ref();
        Self {
            locator: &target.locator,
            text,
            origins: origins.map(|all| all.iter().filter_map(|one| origin_of(one)).collect()),
            is_secret: typed.origins.is_some() || browser.mask.is_in(text),
        }
    }

    /// Returns the argument of a function of the page's script, with this part of the text.
    pub(crate) fn argument(&self, text: &str) -> Value {
        json!({
            "by": self.locator.by.as_str(), "selector": self.locator.selector.reveal(), "text": text,
            "origins": self.origins, "isSecret": self.is_secret,
        })
    }
}
