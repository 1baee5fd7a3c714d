//! Values of secrets taken out of what a page shows, before anybody is told of it.

use crate::domain::Secret;
use crate::page::PageView;

/// The text that stands for a secret.
const MASK: &str = "***";
/// The shortest secret that is looked for in what pages show. A shorter one would be found in words that have
/// nothing to do with it.
const SECRET_BYTES_MIN: usize = 3;

/// Takes the values of secrets out of texts.
pub(super) struct Masking {
    /// The values, each also as it stands in an address, the longest first.
    values: Vec<Secret>,
}

impl Masking {
    pub(super) fn new(secrets: &[Secret]) -> Self {
        let mut values: Vec<String> = Vec::new();
        for secret in secrets {
            let value = secret.reveal();
            let encoded: String = url::form_urlencoded::byte_serialize(value.as_bytes()).collect();
            for form in [
                value.to_owned(),
                encoded.replace('+', "%20"),
                encoded,
                value.trim().to_owned(),
            ] {
                if form.len() >= SECRET_BYTES_MIN && !values.contains(&form) {
                    values.push(form);
                }
            }
        }
        values.sort_by_key(|value| std::cmp::Reverse(value.len()));
        Self {
            values: values.into_iter().map(Secret::from).collect(),
        }
    }

    /// Takes the secrets out of a text.
    pub(super) fn mask(&self, text: &mut String) {
        for value in &self.values {
            if text.contains(value.reveal()) {
                *text = text.replace(value.reveal(), MASK);
            }
        }
    }

    /// Takes the secrets out of a page as it was seen.
    pub(super) fn mask_view(&self, view: &mut PageView) {
        if let Some(url) = &mut view.signals.url {
            self.mask(url);
        }
        self.mask(&mut view.title);
        for item in view.signals.items.iter_mut().flatten() {
            self.mask(&mut item.text);
            self.mask(&mut item.selector);
        }
        for element in &mut view.elements {
            self.mask(&mut element.selector);
            self.mask(&mut element.role);
            self.mask(&mut element.text);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::page::{Item, Signals};

    use super::*;

    #[test]
    fn no_form_of_a_secret_is_left() {
        let masking = Masking::new(&["p&ss word".into(), "p&ss".into(), "ab".into()]);
        for (text, masked) in [
            ("https://a/?p=p%26ss+word&q=ab", "https://a/?p=***&q=ab"),
            ("https://a/?p=p%26ss%20word", "https://a/?p=***"),
            ("You typed p&ss word.", "You typed ***."),
            ("p&ss", "***"),
            ("plain", "plain"),
        ] {
            let mut told = text.to_owned();
            masking.mask(&mut told);
            assert_eq!(told, masked);
        }
        let mut view = PageView::from(Signals {
            url: Some("https://a/p%26ss".to_owned()),
            items: Some(vec![Item {
                text: "p&ss".to_owned(),
                selector: "a[href=\"p&ss\"]".to_owned(),
            }]),
            found: Vec::new(),
        });
        view.title = "p&ss word".to_owned();
        masking.mask_view(&mut view);
        assert!(!format!("{view:?}").contains("ss"), "{view:?}");
    }
}
