//! The values of secrets are taken out of whatever leaves the client.

use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

use crate::domain::Secret;
use crate::page::PageView;

/// What stands in the place of a secret.
const MASK: &str = "***";
/// A text of fewer bytes is in so many others that hiding it would tell it.
const SECRET_BYTES_MIN: usize = 3;
/// The beginning of a secret that is hidden at the end of a text that was cut.
const BEGINNING_BYTES_MIN: usize = 6;

/// Takes the values of secrets out of texts, as they are and as addresses have them.
#[derive(Debug, Default)]
pub struct Mask {
    spellings: Vec<Secret>,
    secrets: Vec<Secret>,
}

impl Mask {
    /// Makes a mask for these secrets.
    #[must_use]
    pub fn new(secrets: &[Secret]) -> Self {
        let secrets = secrets
            .iter()
            .filter(|secret| secret.reveal().len() >= SECRET_BYTES_MIN);
        let secrets: Vec<Secret> = secrets.cloned().collect();
        let mut spellings: Vec<String> = secrets.iter().flat_map(spellings).collect();
        // The longest one first: what holds another one is hidden as a whole.
        crate::sorted::sort_by(&mut spellings, |one, other| {
            (other.len(), one).cmp(&(one.len(), other))
        });
        spellings.dedup();
        Self {
            spellings: spellings.into_iter().map(Secret::from).collect(),
            secrets,
        }
    }

    /// Returns whether there is anything to hide.
    pub(super) fn is_empty(&self) -> bool {
        self.secrets.is_empty()
    }

    /// Returns whether a text has a secret in it.
    pub(super) fn is_in(&self, text: &str) -> bool {
        let mut spellings = self.spellings.iter();
        spellings.any(|secret| text.contains(secret.reveal()))
    }

    /// Returns the text without the secrets in it.
    #[must_use]
    pub fn hide(&self, text: String) -> String {
        let mut hidden = text;
        for secret in &self.spellings {
            if hidden.contains(secret.reveal()) {
                hidden = hidden.replace(secret.reveal(), MASK);
            }
        }
        hidden
    }

    /// Takes the secrets out of a page as it was seen, whoever saw it.
    pub fn hide_in_view(&self, view: &mut PageView) {
        if self.is_empty() {
            return;
        }
        let items = view.signals.items.iter_mut().flatten();
        let items = items.flat_map(|item| [&mut item.text, &mut item.selector]);
        let elements = view.elements.iter_mut();
        let elements = elements.flat_map(|one| [&mut one.selector, &mut one.role, &mut one.text]);
        let texts = view.signals.url.iter_mut().chain([&mut view.title]);
        for text in texts.chain(items).chain(elements) {
            *text = self.hide(std::mem::take(text));
        }
    }

    /// Returns a text that was cut somewhere, without the secrets in it, and without the beginning of one
    /// at its end.
    pub(super) fn hide_cut(&self, text: String) -> String {
        let hidden = self.hide(text);
        let (body, end) = match hidden.strip_suffix("...") {
            Some(body) => (body, "..."),
            None => (hidden.as_str(), ""),
        };
        let cut = self.spellings.iter().filter_map(|secret| {
            let secret = secret.reveal();
            let ends = secret.char_indices().map(|(at, _)| at).rev();
            let is_there = |at: &usize| {
                *at >= BEGINNING_BYTES_MIN && body.ends_with(secret.get(..*at).unwrap_or_default())
            };
            ends.into_iter().find(is_there)
        });
        match cut.max().and_then(|length| body.get(..body.len() - length)) {
            Some(rest) => format!("{rest}{MASK}{end}"),
            None => hidden,
        }
    }
}

/// The ways in which a text stands on pages and in addresses: with both kinds of percent-encoding, with
/// the blank of forms, and with its white space as a page shows it.
fn spellings(secret: &Secret) -> Vec<String> {
    let text = secret.reveal();
    let encoded = utf8_percent_encode(text, NON_ALPHANUMERIC).to_string();
    // The characters that addresses and `encodeURIComponent` leave as they are.
    let mut relaxed = encoded.clone();
    for (code, plain) in [
        ("%2D", "-"),
        ("%5F", "_"),
        ("%2E", "."),
        ("%21", "!"),
        ("%7E", "~"),
        ("%2A", "*"),
        ("%27", "'"),
        ("%28", "("),
        ("%29", ")"),
    ] {
        relaxed = relaxed.replace(code, plain);
    }
    let mut path = relaxed.clone();
    for (code, plain) in [
        ("%40", "@"),
        ("%3A", ":"),
        ("%2F", "/"),
        ("%3F", "?"),
        ("%26", "&"),
        ("%3D", "="),
        ("%2B", "+"),
        ("%24", "$"),
        ("%2C", ","),
        ("%3B", ";"),
    ] {
        path = path.replace(code, plain);
    }
    let form = relaxed.replace("%20", "+").replace('~', "%7E");
    let form = form.replace('!', "%21").replace('\'', "%27");
    let form = form.replace('(', "%28").replace(')', "%29");
    let shown = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let quoted = text.replace('"', "\\\"");
    let mut all = vec![text.to_owned(), encoded, relaxed, path, form, shown, quoted];
    let lower: Vec<String> = all.iter().skip(1).map(|one| lower_codes(one)).collect();
    all.extend(lower);
    all.retain(|one| one.len() >= SECRET_BYTES_MIN);
    all
}

/// Returns the text with its percent codes in lower case.
fn lower_codes(text: &str) -> String {
    let mut pieces = text.split('%');
    let mut lower = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        lower.push('%');
        match (piece.get(..2), piece.get(2..)) {
            (Some(code), Some(rest)) => {
                lower.push_str(&code.to_ascii_lowercase());
                lower.push_str(rest);
            }
            _ => lower.push_str(piece),
        }
    }
    lower
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(secret: &str, text: &str, expected: &str) {
        let mask = Mask::new(&[secret.into(), "other".into()]);
        assert_eq!(mask.hide(text.to_owned()), expected, "{secret}");
        assert_eq!(mask.is_in(text), text != expected);
    }

    #[test]
    fn a_secret_is_hidden_in_each_spelling() {
        check("s3cret", "my s3cret, my others3cret", "my ***, my ******");
        check(
            "a b/c",
            "https://x.example/?q=a+b%2Fc",
            "https://x.example/?q=***",
        );
        check(
            "a b/c",
            "https://x.example/?q=a%20b/c",
            "https://x.example/?q=***",
        );
        check(
            "a b/c",
            "https://x.example/?q=a%20b%2fc",
            "https://x.example/?q=***",
        );
        check("a  b", "shown as a b", "shown as ***");
        check("it's(1)!", "q=it%27s%281%29%21&r=it's(1)!", "q=***&r=***");
        check(
            "\u{e9}\u{e9}",
            "%C3%A9%C3%A9 and %c3%a9%c3%a9",
            "*** and ***",
        );
        check(
            "pass\"word",
            "input[value=\"pass\\\"word\"]",
            "input[value=\"***\"]",
        );
        check("s3cret", "nothing here", "nothing here");
    }

    #[test]
    fn a_secret_in_another_leaves_nothing_of_it() {
        let mask = Mask::new(&["abc".into(), "abcdef".into()]);
        assert_eq!(mask.hide("abcdef abc".to_owned()), "*** ***");
    }

    #[test]
    fn the_beginning_of_a_secret_is_hidden_where_a_text_was_cut() {
        let mask = Mask::new(&["a long secret".into()]);
        for (text, expected) in [
            ("see a long sec...", "see ***..."),
            ("see a long secre", "see ***"),
            ("see a long secret...", "see ***..."),
            ("see a lon", "see a lon"),
            ("a long way...", "a long way..."),
        ] {
            assert_eq!(mask.hide_cut(text.to_owned()), expected);
        }
    }

    #[test]
    fn what_is_too_short_to_hide_is_left() {
        let mask = Mask::new(&["a".into(), "".into()]);
        assert!(mask.is_empty());
        assert_eq!(mask.hide("banana".to_owned()), "banana");
    }
}
