//! Reads single settings and collects their faults. Settings are texts, numbers, dollars, bindings of the platform, and
//! the pairs of names that the page offers.

use std::ops::RangeInclusive;

use domain::Secret;

use crate::address_policy;
use crate::operator_settings::{PartFaults, SettingsPart};
use crate::own_host::OwnHost;

/// The fewest bytes of the signing key. A shorter HMAC key could be guessed.
const SEAL_KEY_BYTES_MIN: usize = 32;
/// The value of a setting that disables the limit.
const NONE: &str = "none";
/// The most names and hosts that the operator may configure for the server.
const OWN_HOSTS_MAX: usize = 100;
/// The longest invalid word that is quoted, in characters. Every provider's id is shorter, so a longer word may be a
/// key.
const WORD_CHARS_MAX: usize = 20;

/// The largest price or limit, in dollars.
const USD_MAX: f64 = 10_000.0;
/// The number of billionths of a dollar in a dollar.
pub(crate) const NANO_USD_PER_USD: f64 = 1e9;

/// The most pairs of names that the page offers.
const PAIRS_MAX: usize = 12;
/// The longest name in a pair, in characters.
const NAME_CHARS_MAX: usize = 100;
/// The default of `EXAMPLES`. Recognisers know these people, and there are many photos of them.
const EXAMPLES_DEFAULT: &str = "Angela Merkel | Beyoncé; Lionel Messi | Jane Goodall; Keanu Reeves | Malala Yousafzai; \
                       Meryl Streep | Serena Williams; Bill Gates | Rihanna";

/// Looks up settings by name, and collects the faults.
pub(crate) struct SettingsReader<F> {
    lookup: F,
    bindings: Bindings,
    wrong: Vec<String>,
    /// The faults of settings that only some runs need.
    apart: Vec<(SettingsPart, String)>,
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Makes a reader that has found no faults yet.
    pub(crate) fn new(lookup: F, bindings: Bindings) -> Self {
        Self {
            lookup,
            bindings,
            wrong: Vec::new(),
            apart: Vec::new(),
        }
    }

    /// Returns whether the Worker has this binding.
    pub(crate) fn has(&self, binding: Binding) -> bool {
        self.bindings.has(binding)
    }

    /// Returns the text of a setting without white space around it; `None` if it is not set or empty.
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let mut text = (self.lookup)(name)?;
        // The text is trimmed in place, since a setting may be long and is looked up more than once.
        text.truncate(text.trim_end().len());
        let spaces = text.len().saturating_sub(text.trim_start().len());
        text.drain(..spaces);
        Some(text).filter(|text| !text.is_empty())
    }

    /// Returns the text of a setting, or `default` if it is not set.
    pub(crate) fn text_or(&self, name: &str, default: &str) -> String {
        self.text(name).unwrap_or_else(|| default.to_owned())
    }

    /// Returns the text of a required setting. If it is missing, that is reported and the text is empty.
    pub(crate) fn needed(&mut self, name: &str) -> String {
        self.text(name).unwrap_or_else(|| {
            if !self.wrong.iter().any(|wrong| wrong == name) {
                self.wrong.push(name.to_owned());
            }
            String::new()
        })
    }

    /// Parses a setting. Returns the default if it is not set, or if it is invalid, which is reported with the error's
    /// words.
    pub(crate) fn parsed<T>(
        &mut self,
        name: &str,
        default: T,
        parse: impl FnOnce(&str) -> Result<T, String>,
    ) -> T {
        let Some(text) = self.text(name) else {
            return default;
        };
        parse(&text).unwrap_or_else(|what| {
            self.note_wrong(name, &what);
            default
        })
    }

    /// Reads a setting that must be one of these words. If it is not set, `unset` is returned. Any other word is
    /// reported with `what`, and `wrong` is returned.
    pub(crate) fn choice<T: Copy>(
        &mut self,
        name: &str,
        words: &[(&str, T)],
        [unset, wrong]: [T; 2],
        what: &str,
    ) -> T {
        let Some(text) = self.text(name) else {
            return unset;
        };
        let chosen = words.iter().find(|(word, _)| *word == text);
        chosen.map_or_else(
            || {
                self.note_wrong(name, what);
                wrong
            },
            |(_, value)| *value,
        )
    }

    /// Reads a setting that must be `1` or `0`, and is `0` by default.
    pub(crate) fn switch(&mut self, name: &str, what: &str) -> bool {
        self.choice(name, &[("1", true), ("0", false)], [false, false], what)
    }

    /// Reads the key that signs sealed files, and reports one that is too short.
    pub(crate) fn seal_key(&mut self) -> Option<Secret> {
        self.parsed("SEAL_KEY", None, |key| {
            if key.len() >= SEAL_KEY_BYTES_MIN {
                return Ok(Some(key.into()));
            }
            Err(format!(
                "must have at least {SEAL_KEY_BYTES_MIN} characters; try: openssl rand -hex 32"
            ))
        })
    }

    /// Reads an integer in this range. Returns the default if it is not set or is invalid, which is reported.
    pub(crate) fn number(&mut self, name: &str, default: u64, range: RangeInclusive<u64>) -> u64 {
        self.parsed(name, default, |text| {
            whole(text, &range).ok_or_else(|| must_be_whole(&range))
        })
    }

    /// Reads a 32-bit number in the manner of [`Self::number`].
    pub(crate) fn small(&mut self, name: &str, default: u32, range: RangeInclusive<u32>) -> u32 {
        let range = u64::from(*range.start())..=u64::from(*range.end());
        let number = self.number(name, default.into(), range);
        u32::try_from(number).unwrap_or(default)
    }

    /// Reads a number in the manner of [`Self::number`]; `None` if the setting is `none`.
    pub(crate) fn number_or_none(
        &mut self,
        name: &str,
        default: Option<u64>,
        range: &RangeInclusive<u64>,
    ) -> Option<u64> {
        self.parsed(name, default, |text| match whole(text, range) {
            None if text != NONE => Err(format!("{}, or none", must_be_whole(range))),
            number => Ok(number),
        })
    }

    /// Reports a fault of a setting.
    pub(crate) fn note_wrong(&mut self, name: &str, what: &str) {
        let wrong = format!("{name} ({what})");
        if !self.wrong.contains(&wrong) {
            self.wrong.push(wrong);
        }
    }

    /// Reads settings that only some runs need. Their faults are collected under this part, so that they prevent only
    /// those runs.
    pub(crate) fn apart<T>(&mut self, part: SettingsPart, read: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.wrong.len();
        let settings = read(self);
        let wrong = self.wrong.split_off(before);
        self.apart
            .extend(wrong.into_iter().map(|what| (part, what)));
        settings
    }

    /// Returns the faults that prevent all runs, and separately those of settings that only some runs need.
    pub(crate) fn into_faults(self) -> (Vec<String>, PartFaults) {
        (self.wrong, PartFaults::new(self.apart))
    }

    /// Returns all faults.
    #[cfg(test)]
    pub(crate) fn into_wrong(self) -> Vec<String> {
        let (wrong, faults) = self.into_faults();
        [wrong, faults.all()].concat()
    }

    /// Reads a web address and returns it without slashes at the end.
    pub(crate) fn address(&mut self, name: &str, default: &str) -> String {
        let address = self.text(name).unwrap_or_else(|| default.to_owned());
        let is_web = address_policy::parse(&address)
            .is_some_and(|url| matches!(url.scheme(), "http" | "https") && url.host().is_some());
        if !is_web {
            self.note_wrong(name, "must be a web address, like https://example.org");
        }
        address.trim_end_matches('/').to_owned()
    }

    /// Reads the scheme, host and port of a web address; `None` if it is not set.
    pub(crate) fn origin(&mut self, name: &str) -> Option<String> {
        self.text(name)?;
        Some(self.address(name, ""))
    }

    /// Reads `LOOPBACK_ONLY`: whether the server is reachable only from this machine.
    pub(crate) fn is_loopback_only(&mut self) -> bool {
        let words = [("1", true), ("0", false)];
        self.choice("LOOPBACK_ONLY", &words, [false, true], "must be 1 or 0")
    }

    /// Reads `OWN_HOSTS`, a comma-separated list of this server's hosts.
    pub(crate) fn own_hosts(&mut self) -> Vec<OwnHost> {
        let text = self.text("OWN_HOSTS").unwrap_or_default();
        let hosts: Vec<_> = text
            .split(',')
            .map(str::trim)
            .filter(|host| !host.is_empty())
            .take(OWN_HOSTS_MAX + 1)
            .map(OwnHost::parse)
            .collect();
        if hosts.len() > OWN_HOSTS_MAX {
            self.note_wrong("OWN_HOSTS", "has too many names");
        }
        if hosts.contains(&None) {
            self.note_wrong("OWN_HOSTS", "must be host names, like degrees.example.org");
        }
        hosts.into_iter().flatten().collect()
    }

    /// Reads a comma-separated list of unique names from `known`, in order; `None` if it is not set.
    pub(crate) fn list(&mut self, name: &str, known: &[&'static str]) -> Option<Vec<&'static str>> {
        let text = self.text(name)?;
        let mut list = Vec::new();
        // One name more than `known` has is enough to find a repeated or unknown one.
        for wanted in text.split(',').map(str::trim).take(known.len() + 1) {
            match known.iter().find(|one| **one == wanted) {
                Some(one) if !list.contains(one) => list.push(*one),
                Some(one) => self.note_wrong(name, &format!("names {one} twice")),
                None => {
                    let (known, wanted) = (known.join(", "), shown(wanted));
                    self.note_wrong(name, &format!("knows {known}, not {wanted}"));
                }
            }
        }
        Some(list)
    }

    /// Reads an amount in dollars and returns billionths of a dollar; `None` if the setting is `none`. Returns the
    /// default if it is not set or is invalid.
    pub(crate) fn usd_or_none(&mut self, name: &str, default: Option<u64>) -> Option<u64> {
        self.parsed(name, default, |text| {
            match nano_usd_of(text, NANO_USD_PER_USD) {
                None if text != NONE => {
                    Err(format!("must be dollars from 0 to {USD_MAX}, or none"))
                }
                nano_usd => Ok(nano_usd),
            }
        })
    }

    /// Reads a price in dollars per thousand or million units, and returns billionths of a dollar per unit. If several
    /// of these settings are set, the first one counts.
    pub(crate) fn price(&mut self, names: &[&str], default: u64, nano_usd_per_unit: f64) -> u64 {
        let mut set = names
            .iter()
            .filter_map(|name| Some((*name, self.text(name)?)));
        let Some((name, text)) = set.next() else {
            return default;
        };
        nano_usd_of(&text, nano_usd_per_unit).unwrap_or_else(|| {
            self.note_wrong(name, &format!("must be dollars from 0 to {USD_MAX}"));
            default
        })
    }

    /// Reads `EXAMPLES`: `NAME | NAME; NAME | NAME`.
    pub(crate) fn examples(&mut self) -> Vec<(String, String)> {
        let text = self.text_or("EXAMPLES", EXAMPLES_DEFAULT);
        let pairs: Option<Vec<_>> = text
            .split(';')
            .map(str::trim)
            .filter(|pair| !pair.is_empty())
            .map(pair)
            .collect();
        match pairs {
            Some(pairs) if pairs.len() <= PAIRS_MAX => pairs,
            _ => {
                let what = format!(
                    "must be up to {PAIRS_MAX} pairs of names of at most {NAME_CHARS_MAX} characters, \
                     like NAME | NAME; NAME | NAME"
                );
                self.note_wrong("EXAMPLES", &what);
                Vec::new()
            }
        }
    }
}

/// Returns an invalid word of a list in a form that is safe to show. A word that may be a misplaced key is not quoted.
fn shown(wanted: &str) -> String {
    let is_word = (1..=WORD_CHARS_MAX).contains(&wanted.len())
        && wanted
            .bytes()
            .all(|byte| byte.is_ascii_lowercase() || byte == b'-');
    if is_word {
        format!("{wanted:?}")
    } else {
        "something else".to_owned()
    }
}

/// Returns a lookup function for a list of settings, for tests and development tools.
pub fn among(settings: &[(&str, &str)]) -> impl Fn(&str) -> Option<String> {
    |name| {
        let found = settings.iter().find(|(key, _)| *key == name);
        found.map(|(_, value)| (*value).to_owned())
    }
}

/// Parses an integer; `None` if the text is not one in this range.
fn whole(text: &str, range: &RangeInclusive<u64>) -> Option<u64> {
    text.parse().ok().filter(|number| range.contains(number))
}

fn must_be_whole(range: &RangeInclusive<u64>) -> String {
    let (least, most) = (range.start(), range.end());
    format!("must be a whole number from {least} to {most}")
}

/// Converts dollars per unit to billionths; `None` if the text is not such an amount.
fn nano_usd_of(text: &str, nano_usd_per_unit: f64) -> Option<u64> {
    let usd = text
        .parse::<f64>()
        .ok()
        .filter(|number| (0.0..=USD_MAX).contains(number))?;
    // The number is at most 1e13, which fits.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let nano_usd = (usd * nano_usd_per_unit).round() as u64;
    Some(nano_usd)
}

/// A service of the platform that a Worker may have through a binding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Binding {
    /// The platform's models, binding `AI`.
    Ai,
    /// The platform's browsers, binding `BROWSER`.
    Browser,
    /// The platform's converter of photos, binding `IMAGES`.
    Images,
    /// The platform's database, binding `DB`.
    Database,
}

/// The set of available bindings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Bindings(Vec<Binding>);

impl Bindings {
    /// Collects the available bindings.
    #[must_use]
    pub fn among(bindings: impl IntoIterator<Item = (Binding, bool)>) -> Self {
        let there = bindings.into_iter().filter(|(_, is_there)| *is_there);
        Self(there.map(|(binding, _)| binding).collect())
    }

    /// Returns whether this binding is available.
    #[must_use]
    pub fn has(&self, binding: Binding) -> bool {
        self.0.contains(&binding)
    }
}

fn pair(text: &str) -> Option<(String, String)> {
    let (a, b) = text.split_once('|')?;
    let name = |text: &str| {
        let text = text.trim();
        let is_name =
            !text.is_empty() && !text.contains('|') && text.chars().count() <= NAME_CHARS_MAX;
        is_name.then(|| text.to_owned())
    };
    Some((name(a)?, name(b)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, shown: &str) {
        let mut reader = SettingsReader::new(|_| Some(text.to_owned()), Bindings::default());
        reader.list("PLANNER", &["gemini", "none"]);
        let wrong = format!("PLANNER (knows gemini, none, not {shown})");
        assert_eq!(reader.into_wrong(), [wrong], "{text}");
    }

    #[test]
    fn a_wrong_word_is_shown_and_what_may_be_a_key_is_not() {
        check("bing", r#""bing""#);
        check("gemini, workers-ai", r#""workers-ai""#);
        for key in [
            "AIzaSyA1b2C3",
            "sk-0123",
            "aaaaaaaaaaaaaaaaaaaaa",
            "gemini,",
        ] {
            check(key, "something else");
        }
    }

    fn read(examples: &str) -> (Vec<(String, String)>, usize) {
        let lookup = |name: &str| (name == "EXAMPLES").then(|| examples.to_owned());
        let mut reader = SettingsReader::new(lookup, Bindings::default());
        let pairs = reader.examples();
        (pairs, reader.into_wrong().len())
    }

    #[test]
    fn pairs_are_read() {
        let (pairs, wrong) = read(" Ann | Bob ;Cat|Dan; ");
        let expected = [("Ann", "Bob"), ("Cat", "Dan")];
        assert_eq!(pairs, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(wrong, 0);
        assert_eq!(read("").0.len(), 5);
    }

    #[test]
    fn what_is_no_pair_is_told() {
        let many = "A | B;".repeat(PAIRS_MAX + 1);
        let long = format!("A | {}", "x".repeat(NAME_CHARS_MAX + 1));
        for wrong in ["Ann", "Ann | ", "Ann | Bob | Cat", &many, &long] {
            assert_eq!(read(wrong), (Vec::new(), 1), "{wrong}");
        }
    }
}
