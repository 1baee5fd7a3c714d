//! The triggers that a page offers.

use std::fmt;

use domain::page::Signals;

/// A trigger that a page offers: a check that holds on it now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Offer {
    /// The name by which a model takes the trigger.
    pub(super) key: String,
    /// The type of the check.
    pub(super) kind: &'static str,
    /// The value of the check.
    pub(super) value: String,
}

impl fmt::Display for Offer {
    /// Writes the trigger as a model sees it: `TEXT_0 <text/>: Sign in`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { key, kind, value } = self;
        write!(formatter, "{key} <{kind}/>: {value}")
    }
}

/// Returns the triggers that a page offers: its address, then the text and the selector of each visible
/// element, in page order.
pub(super) fn offers(signals: &Signals) -> Vec<Offer> {
    let mut offers = vec![Offer {
        key: "URL".to_owned(),
        kind: "url",
        value: signals.url.clone().unwrap_or_default(),
    }];
    for (at, item) in signals.items.iter().flatten().enumerate() {
        for (word, kind, value) in [
            ("TEXT", "text", &item.text),
            ("CSS", "element", &item.selector),
        ] {
            if !value.is_empty() {
                offers.push(Offer {
                    key: format!("{word}_{at}"),
                    kind,
                    value: value.clone(),
                });
            }
        }
    }
    offers
}

#[cfg(test)]
mod tests {
    use domain::page::Item;

    use super::*;

    #[test]
    fn what_is_offered_is_what_is_seen() {
        let item = |text: &str, selector: &str| Item {
            text: text.to_owned(),
            selector: selector.to_owned(),
        };
        let page = Signals {
            url: Some("u".to_owned()),
            items: Some(vec![item("Bell", "b"), item("", "c"), item("x", "")]),
            found: Vec::new(),
        };
        let offered: Vec<String> = offers(&page).iter().map(ToString::to_string).collect();
        let expected = [
            "URL <url/>: u",
            "TEXT_0 <text/>: Bell",
            "CSS_0 <element/>: b",
            "CSS_1 <element/>: c",
            "TEXT_2 <text/>: x",
        ];
        assert_eq!(offered, expected);
    }
}
