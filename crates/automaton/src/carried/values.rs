//! The values of a run's parameters. They are filled in here and nowhere else.

use std::collections::{BTreeMap, BTreeSet};

use domain::Secret;
use domain::page::TypedText;
use settings::KeptSecret;

use crate::machine::grammar::{Text, TextPart};

/// The values of a run's parameters.
pub(super) struct Values {
    open: BTreeMap<String, String>,
    secrets: BTreeMap<String, KnownSecret>,
}

/// A secret that this process knows.
struct KnownSecret {
    value: Secret,
    /// The origins where it may be typed; `None` where every origin of the run's may get it.
    origins: Option<Vec<String>>,
}

/// A text with its values, and the names of the secrets in it.
pub(super) struct Filled {
    pub(super) text: TypedText,
    pub(super) secrets: Vec<String>,
}

impl Values {
    /// Takes the values together. A secret that was sent is never taken from the operator, who may keep one of the
    /// same name: where it is gone, it is gone. Older orders do not say which were sent.
    pub(super) fn new(
        open: &BTreeMap<String, String>,
        names: &[String],
        sent_names: &[String],
        kept: &[KeptSecret],
        sent: impl Fn(&str) -> Option<Secret>,
    ) -> Self {
        let secrets = names.iter().filter_map(|name| {
            let known = if let Some(value) = sent(name) {
                KnownSecret {
                    value,
                    origins: None,
                }
            } else if sent_names.contains(name) {
                return None;
            } else {
                let kept = kept.iter().find(|kept| kept.name == *name)?;
                KnownSecret {
                    value: kept.value.clone(),
                    origins: Some(kept.origins.clone()),
                }
            };
            Some((name.clone(), known))
        });
        Self {
            open: open.clone(),
            secrets: secrets.collect(),
        }
    }

    /// Returns every secret that this process knows.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        let secrets = self.secrets.values();
        secrets.map(|secret| secret.value.clone()).collect()
    }

    /// Returns whether this process knows a secret.
    pub(super) fn knows(&self, name: &str) -> bool {
        self.secrets.contains_key(name)
    }

    /// Fills a text in. Fails with a sentence where this process does not know a value. Where several kept
    /// secrets are in it, only origins that may get all of them may get it.
    pub(super) fn fill(&self, text: &Text) -> Result<Filled, String> {
        let (mut filled, mut origins) = (String::new(), None::<BTreeSet<String>>);
        let mut secrets = Vec::new();
        for part in text.parts() {
            let name = match part {
                TextPart::Literal(literal) => {
                    filled.push_str(literal);
                    continue;
                }
                TextPart::Parameter(name) => name,
            };
            if let Some(value) = self.open.get(name) {
                filled.push_str(value);
                continue;
            }
            let secret = self.secrets.get(name).ok_or_else(|| unknown(name))?;
            filled.push_str(secret.value.reveal());
            secrets.push(name.clone());
            if let Some(own) = &secret.origins {
                let may =
                    |origin: &&String| origins.as_ref().is_none_or(|known| known.contains(*origin));
                origins = Some(own.iter().filter(may).cloned().collect());
            }
        }
        Ok(Filled {
            text: TypedText {
                text: filled.into(),
                origins: origins.map(|origins| origins.into_iter().collect()),
            },
            secrets,
        })
    }
}

fn unknown(name: &str) -> String {
    format!(
        "the secret {name} came with the request, and is gone with the process that had it; start the run \
         again"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(parts: &[(bool, &str)]) -> Text {
        let mut text = Text::default();
        for (is_parameter, part) in parts {
            text.add(if *is_parameter {
                TextPart::Parameter((*part).to_owned())
            } else {
                TextPart::Literal((*part).to_owned())
            });
        }
        text
    }

    fn values() -> Values {
        let open = [("USER".to_owned(), "ada".to_owned())]
            .into_iter()
            .collect();
        let kept = |name: &str, origins: &[&str]| KeptSecret {
            name: name.to_owned(),
            value: name.to_lowercase().into(),
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
        };
        let kept = [
            kept("ONE", &["https://a", "https://b"]),
            kept("TWO", &["https://b"]),
            kept("GONE", &["https://a"]),
        ];
        let names = ["ONE", "TWO", "SENT", "LOST", "GONE"].map(str::to_owned);
        let sent_names = ["SENT", "GONE"].map(str::to_owned);
        Values::new(&open, &names, &sent_names, &kept, |name| {
            (name == "SENT").then(|| Secret::from("hush"))
        })
    }

    #[test]
    fn texts_are_filled_with_values_and_the_origins_that_may_get_them() {
        let fill = |parts: &[(bool, &str)]| {
            let filled = values().fill(&text(parts)).unwrap();
            let TypedText { text, origins } = filled.text;
            (text.reveal().to_owned(), origins, filled.secrets)
        };
        let origins = |origins: &[&str]| {
            Some(
                origins
                    .iter()
                    .map(|origin| (*origin).to_owned())
                    .collect::<Vec<_>>(),
            )
        };
        let plain = fill(&[(false, "hi "), (true, "USER")]);
        assert_eq!(plain, ("hi ada".to_owned(), None, vec![]));
        let kept = fill(&[(true, "ONE")]);
        assert_eq!(
            kept,
            (
                "one".to_owned(),
                origins(&["https://a", "https://b"]),
                vec!["ONE".to_owned()]
            )
        );
        let both = fill(&[(true, "ONE"), (false, "/"), (true, "TWO")]);
        assert_eq!(
            both,
            (
                "one/two".to_owned(),
                origins(&["https://b"]),
                vec!["ONE".to_owned(), "TWO".to_owned()]
            )
        );
        let sent = fill(&[(true, "SENT")]);
        assert_eq!(sent, ("hush".to_owned(), None, vec!["SENT".to_owned()]));
        // What came with the request is not taken from the operator, who keeps one of the same name.
        for name in ["LOST", "GONE"] {
            let lost = values().fill(&text(&[(true, name)]));
            assert!(lost.is_err_and(|says| says.contains(name)));
        }
    }
}
