//! The values of a run's parameters. Only this module fills them into texts, and only this module removes secrets from
//! an answer, before any of it is emitted or stored.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};

use domain::Secret;
use domain::page::{
    ActionFailure, BrowserGone, ElementLocator, ElementTarget, PageAction, PageView, StoredFile,
    TypedText, UploadedFile,
};
use engine::{NoteWriter, RunContext};
use mask::Mask;
use platform::WriteError;
use settings::KeptSecret;

use crate::machine::actions::{BrowserAction, Locator, Target};
use crate::machine::grammar::{Text, TextPart};
use crate::machine::{Answer, ChainEnd, ChainFailure, Looked, Outcome};
use crate::requests::passed_as;
use crate::wire::{AutomatonEngine, AutomatonNote};

use super::one_time_code::one_time_code;

/// The values of a run's parameters, as far as this process knows them.
pub(super) struct Values {
    open: BTreeMap<String, String>,
    secrets: BTreeMap<String, KnownSecret>,
    /// The run's origins, which may get the codes that are made from secrets of the request.
    origins: Vec<String>,
    /// The files of the request that this process has.
    files: BTreeMap<String, UploadedFile>,
}

/// A secret whose value this process knows.
struct KnownSecret {
    value: Secret,
    /// The origins on which it may be typed; `None` for all origins of the run.
    origins: Option<Vec<String>>,
}

/// A text with the values filled in, and the names of the secrets that it contains.
pub(super) struct Filled {
    pub(super) text: TypedText,
    pub(super) secrets: Vec<String>,
}

impl Values {
    /// Collects the values. A secret that came with the request is never replaced by the operator's secret of the same
    /// name, even if its value is lost. Older orders do not record which secrets came with the request.
    fn new(
        open: &BTreeMap<String, String>,
        run_origins: &[String],
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
            origins: run_origins.to_vec(),
            files: BTreeMap::default(),
        }
    }

    /// Returns every secret that this process knows.
    pub(super) fn secrets(&self) -> Vec<Secret> {
        let secrets = self.secrets.values();
        secrets.map(|secret| secret.value.clone()).collect()
    }

    /// Returns whether this process knows the value of the secret with this name.
    fn knows(&self, name: &str) -> bool {
        self.secrets.contains_key(name)
    }

    /// Fills the values into a text. Fails with a sentence if this process does not know one of them. A text with
    /// several of the operator's secrets may only be typed on origins that are allowed for all of them.
    pub(super) fn fill(&self, text: &Text, now_ms: u64) -> Result<Filled, String> {
        let (mut filled, mut origins) = (String::new(), None::<BTreeSet<String>>);
        let mut secrets = Vec::new();
        for part in text.parts() {
            let (name, is_code) = match part {
                TextPart::Literal(literal) => {
                    filled.push_str(literal);
                    continue;
                }
                TextPart::Extracted(name) => return Err(not_extracted(name)),
                TextPart::Parameter(name) => (name, false),
                TextPart::OneTimeCode(name) => (name, true),
            };
            if let (Some(value), false) = (self.open.get(name), is_code) {
                filled.push_str(value);
                continue;
            }
            let secret = self.secrets.get(name).ok_or_else(|| unknown(name))?;
            secrets.push(name.clone());
            let mut own = secret.origins.as_ref();
            if is_code {
                let code = one_time_code(&secret.value, now_ms).ok_or_else(|| no_key(name))?;
                filled.push_str(&code);
                // A code is none of the texts that the mask hides, so it is always typed as a secret.
                own = own.or(Some(&self.origins));
            } else {
                filled.push_str(secret.value.reveal());
            }
            if let Some(own) = own {
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

fn no_file(name: &str) -> String {
    format!(
        "the file {name} came with the request, and is gone with the process that had it; start the run again"
    )
}

fn not_extracted(name: &str) -> String {
    format!("nothing was extracted as {name} before")
}

fn no_key(name: &str) -> String {
    format!(
        "the secret {name} makes no codes: it must be a key in base32, or an otpauth://totp/ address"
    )
}

/// An action with every text filled in, and the names of the secrets that the texts contain.
pub(super) struct Deed {
    pub(super) action: PageAction,
    pub(super) secrets: Vec<String>,
}

/// Fills the values into the texts of an action. Fails with a sentence if this process does not know one of them.
pub(super) fn deed(action: &BrowserAction, values: &Values, now_ms: u64) -> Result<Deed, String> {
    let mut filling = Filling {
        values,
        now_ms,
        secrets: Vec::new(),
    };
    let action = filling.action(action)?;
    Ok(Deed {
        action,
        secrets: filling.secrets,
    })
}

struct Filling<'a> {
    values: &'a Values,
    now_ms: u64,
    secrets: Vec<String>,
}

impl Filling<'_> {
    fn action(&mut self, action: &BrowserAction) -> Result<PageAction, String> {
        Ok(match action {
            BrowserAction::Navigate { url } => PageAction::Navigate {
                url: self.text(url)?,
            },
            BrowserAction::Type {
                target,
                text,
                interval_ms,
            } => PageAction::Type {
                target: self.target(target)?,
                text: self.text(text)?,
                interval_ms: *interval_ms,
            },
            BrowserAction::Scroll {
                over,
                timeout_ms,
                direction,
                notches,
            } => PageAction::Scroll {
                over: self.optional_locator(over.as_ref())?,
                timeout_ms: *timeout_ms,
                direction: *direction,
                notches: *notches,
            },
            BrowserAction::ScrollTo {
                locator,
                timeout_ms,
            } => PageAction::ScrollTo {
                locator: self.locator(locator)?,
                timeout_ms: *timeout_ms,
            },
            BrowserAction::PressKey {
                key,
                target,
                hold_ms,
                times,
            } => PageAction::PressKey {
                key: self.text(key)?,
                target: target.as_ref().map(|it| self.target(it)).transpose()?,
                hold_ms: *hold_ms,
                times: *times,
            },
            BrowserAction::GoBack => PageAction::GoBack,
            BrowserAction::Upload { target, files } => PageAction::Upload {
                target: self.target(target)?,
                files: self.files(files)?,
            },
            BrowserAction::Download { target } => PageAction::Download {
                target: self.target(target)?,
            },
            BrowserAction::SwitchTo { tab, timeout_ms } => PageAction::SwitchTo {
                tab: *tab,
                timeout_ms: *timeout_ms,
            },
            BrowserAction::Extract {
                locator,
                attribute,
                is_list,
                timeout_ms,
                ..
            } => PageAction::Extract {
                locator: self.locator(locator)?,
                attribute: attribute.clone(),
                is_list: *is_list,
                timeout_ms: *timeout_ms,
            },
            BrowserAction::Click {
                target,
                button,
                clicks,
                percentage,
            } => PageAction::Click {
                target: self.target(target)?,
                button: *button,
                clicks: *clicks,
                percentage: *percentage,
            },
            BrowserAction::Hover { target, percentage } => PageAction::Hover {
                target: self.target(target)?,
                percentage: *percentage,
            },
            BrowserAction::Drag {
                target,
                onto,
                offset,
            } => PageAction::Drag {
                target: self.target(target)?,
                onto: self.optional_locator(onto.as_ref())?,
                offset: *offset,
            },
            BrowserAction::Select { target, options } => PageAction::Select {
                target: self.target(target)?,
                options: self.text(options)?,
            },
            BrowserAction::Check { target, is_checked } => PageAction::Check {
                target: self.target(target)?,
                is_checked: *is_checked,
            },
        })
    }

    fn files(&self, names: &[String]) -> Result<Vec<UploadedFile>, String> {
        let files = names.iter().map(|name| {
            let file = self.values.files.get(name);
            file.cloned().ok_or_else(|| no_file(name))
        });
        files.collect()
    }

    fn text(&mut self, text: &Text) -> Result<TypedText, String> {
        let filled = self.values.fill(text, self.now_ms)?;
        self.secrets.extend(filled.secrets);
        Ok(filled.text)
    }

    fn locator(&mut self, locator: &Locator) -> Result<ElementLocator, String> {
        Ok(ElementLocator {
            by: locator.by,
            selector: self.text(&locator.selector)?.text,
        })
    }

    fn optional_locator(
        &mut self,
        locator: Option<&Locator>,
    ) -> Result<Option<ElementLocator>, String> {
        locator.map(|locator| self.locator(locator)).transpose()
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

/// The secrets of one run, which of them were typed, and the values of the other parameters.
pub(super) struct TypedSecrets<'run> {
    note: NoteWriter<'run, AutomatonEngine>,
    values: Values,
    mask: Mask,
    /// The names of the secrets that an action has used. Pages may show these secrets.
    typed: RefCell<BTreeSet<String>>,
}

impl<'run> TypedSecrets<'run> {
    /// Returns the secrets of a run. The journal records which of them an action has used. `sent` returns the secret
    /// with this name if this process received it with the request.
    pub(super) fn of(
        run: &RunContext<'run, '_, AutomatonEngine>,
        sent: impl Fn(&str) -> Option<Secret>,
    ) -> Self {
        let order = run.order;
        let kept = &run.providers.kept_secrets;
        let (names, sent_names) = (&order.secrets, &order.sent);
        let files = order.files.iter().filter_map(|(name, file)| {
            let file = UploadedFile {
                name: file.name.clone(),
                media_type: file.media_type.clone(),
                base64: sent(&passed_as(name))?,
            };
            Some((name.clone(), file))
        });
        let files = files.collect();
        let values = Values {
            files,
            ..Values::new(
                &order.parameters,
                &order.origins,
                names,
                sent_names,
                kept,
                sent,
            )
        };
        let typed = run.notes.iter().filter_map(|note| match note {
            AutomatonNote::Typed { secret } => Some(secret.clone()),
            _ => None,
        });
        Self {
            note: run.note,
            mask: Mask::new(&values.secrets()),
            values,
            typed: RefCell::new(typed.collect()),
        }
    }

    /// Returns the values of the run's parameters.
    pub(super) fn values(&self) -> &Values {
        &self.values
    }

    /// Returns the mask that hides the secrets in everything that is emitted or stored.
    pub(super) fn mask(&self) -> &Mask {
        &self.mask
    }

    /// Returns whether any action of the run used a secret, in this process or in an earlier one.
    pub(super) fn has_typed(&self) -> bool {
        !self.typed.borrow().is_empty()
    }

    /// Returns why the page may be neither looked at nor acted on, or `None` if it may. The reason is a typed secret
    /// that this process does not know and so cannot mask.
    pub(super) fn why_blind(&self) -> Option<String> {
        let typed = self.typed.borrow();
        let lost = typed.iter().find(|name| !self.values.knows(name))?;
        Some(format!(
            "the secret {lost} was typed, and is gone with the process that had it, so that nobody could \
             keep what the page shows of it out of this run. Look at what the page has done before the \
             run is started again"
        ))
    }

    /// Journals the names of secrets that an action is about to type. From then on, pages may show these secrets.
    pub(super) fn note_typed(&self, names: &[String]) -> Result<(), WriteError> {
        for name in names {
            if self.typed.borrow_mut().insert(name.clone()) {
                (self.note)(AutomatonNote::Typed {
                    secret: name.clone(),
                })?;
            }
        }
        Ok(())
    }
}

/// Removes the secrets from every text of an answer. Nothing else removes them, so each answer must pass through here.
pub(super) fn hide_in_answer(mask: &Mask, answer: &mut Answer) {
    match &mut answer.outcome {
        Outcome::Looked(Ok(Looked { view, .. })) => hide_in_view(mask, view),
        Outcome::Looked(Err(BrowserGone(says))) | Outcome::Reloaded(Err(BrowserGone(says))) => {
            mask.hide_in([says]);
        }
        Outcome::Acted(Err(
            ActionFailure::Failed(says)
            | ActionFailure::Refused(says)
            | ActionFailure::UnknownOutcome(says)
            | ActionFailure::BrowserGone(says),
        )) => mask.hide_in([says]),
        Outcome::Acted(Ok(done)) => {
            mask.hide_in(&mut done.values);
            let file = done.file.iter_mut();
            mask.hide_in(file.flat_map(
                |StoredFile {
                     name, media_type, ..
                 }| [name, media_type],
            ));
        }
        Outcome::Asked(result) => mask.hide_in_reply(result),
        Outcome::Investigated(Ok(ChainEnd { message, .. }) | Err(ChainFailure { message, .. })) => {
            mask.hide_in([message]);
        }
        // These outcomes hold no text from a page or a provider.
        Outcome::Unchanged | Outcome::Reloaded(Ok(())) | Outcome::Waited => {}
    }
    mask.hide_in(&mut answer.remarks);
}

fn hide_in_view(mask: &Mask, view: &mut PageView) {
    let PageView { signals, elements } = view;
    let items = signals.items.iter_mut().flatten();
    mask.hide_in(items.map(|item| &mut item.text));
    mask.hide_in(elements.iter_mut().map(|one| &mut one.text));
    let items = signals.items.iter_mut().flatten();
    let selectors = items.map(|item| &mut item.selector);
    let elements = elements
        .iter_mut()
        .flat_map(|one| [&mut one.selector, &mut one.tag, &mut one.role]);
    let others = signals.url.iter_mut().chain([&mut signals.title]);
    for text in selectors.chain(elements).chain(others) {
        mask.hide_in([text]);
    }
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
        Values::new(&open, &[], &names, &sent_names, &kept, |name| {
            (name == "SENT").then(|| Secret::from("hush"))
        })
    }

    #[test]
    fn texts_are_filled_with_values_and_the_origins_that_may_get_them() {
        let fill = |parts: &[(bool, &str)]| {
            let filled = values().fill(&text(parts), 0).unwrap();
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
        // The operator has secrets of these names, too, but they must not replace lost secrets of the request.
        for name in ["LOST", "GONE"] {
            let lost = values().fill(&text(&[(true, name)]), 0);
            assert!(lost.is_err_and(|says| says.contains(name)));
        }
    }
}
