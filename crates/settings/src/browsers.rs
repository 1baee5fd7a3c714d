//! Reads the settings of the operator's browsers: their address, their number, and the price of a second; and the
//! secrets that runs may type into pages, each with the origins that may receive it.

use serde_json::Value;
use url::Origin;

use domain::{PAGE_MS_MAX, Secret, stored_name};
use mask::can_be_hidden;

use crate::address_policy;
use crate::reader::{Binding, SettingsReader};

/// The factor from dollars per hour to billionths of a dollar per second.
const NANO_USD_PER_HOURLY_USD: f64 = 1e9 / 3_600.0;
/// The default price of a second, in billionths of a dollar: the platform charges 0.09 dollars an hour beyond the
/// included hours.
/// Source: <https://developers.cloudflare.com/browser-rendering/pricing/>
const SECOND_NANO_USD: u64 = 25_000;
/// The default limit of concurrent browsers, which is that of the platform's free plan.
const BROWSERS_MAX: u32 = 3;
const BROWSERS_MOST: u32 = 200;

/// The most secrets in one setting, and also the most origins of one secret.
const SECRETS_MAX: usize = 100;
const ORIGINS_MAX: usize = 20;
/// The longest secret, in bytes.
const SECRET_BYTES_MAX: usize = 4_096;

/// The operator's browsers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserSettings {
    /// The address of a browser's `DevTools`, like `http://127.0.0.1:9333`; `None` to use the platform's browsers
    /// through the binding `BROWSER`.
    pub address: Option<String>,
    /// The price of a browser's second, in billionths of a dollar.
    pub second_nano_usd: u64,
    /// The most concurrent browsers. A run that needs a browser while all are in use waits.
    pub browsers_max: u32,
}

impl BrowserSettings {
    /// Returns the most that a screenshot of one page may cost, in billionths of a dollar.
    #[must_use]
    pub fn page_nano_usd(&self) -> u64 {
        let milliseconds = self.second_nano_usd.saturating_mul(PAGE_MS_MAX);
        milliseconds.div_ceil(1_000)
    }

    /// Returns whether the browser runs on the same machine as this server, as in development.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let url = self.address.as_deref().and_then(address_policy::parse);
        let host = url.as_ref().and_then(|url| url.host_str());
        matches!(host, Some("127.0.0.1" | "localhost" | "[::1]"))
    }
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads where the browsers are; `None` if no browsers are configured.
    pub(crate) fn browser(&mut self) -> Option<BrowserSettings> {
        let text = self.text("BROWSER_CDP");
        if text.is_none() && !self.has(Binding::Browser) {
            return None;
        }
        if let Some(text) = &text {
            let schemes = ["http", "https", "ws", "wss"];
            let url = address_policy::parse(text);
            if !url.is_some_and(|url| schemes.contains(&url.scheme()) && url.host().is_some()) {
                let what =
                    "must be the address of a browser's DevTools, like http://127.0.0.1:9333";
                self.note_wrong("BROWSER_CDP", what);
            }
        }
        let default = if text.is_some() { 0 } else { SECOND_NANO_USD };
        let names = ["PRICE_BROWSER_USD_PER_HOUR"];
        let browsers_max = self.small("BROWSERS_MAX", BROWSERS_MAX, 1..=BROWSERS_MOST);
        Some(BrowserSettings {
            address: text,
            second_nano_usd: self.price(&names, default, NANO_USD_PER_HOURLY_USD),
            browsers_max,
        })
    }
}

/// A secret that the operator stores, for runs to type into pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptSecret {
    /// The name by which runs refer to the secret.
    pub name: String,
    /// The secret's value.
    pub value: Secret,
    /// The origins whose pages may receive the secret, like `https://example.org`.
    pub origins: Vec<String>,
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads a list of secrets: a JSON list of objects with `name`, `value` and `origins`.
    pub(crate) fn kept_secrets(&mut self, variable: &str) -> Vec<KeptSecret> {
        self.parsed(variable, Vec::new(), secrets)
    }
}

fn secrets(text: &str) -> Result<Vec<KeptSecret>, String> {
    let json: Value = serde_json::from_str(text).unwrap_or_default();
    let list = json.as_array().ok_or(
        "must be a JSON list like [{\"name\": \"PASSWORD\", \"value\": \"...\", \"origins\": \
         [\"https://shop.example.org\"]}]",
    )?;
    if list.len() > SECRETS_MAX {
        return Err(format!("may have {SECRETS_MAX} secrets at most"));
    }
    let mut secrets: Vec<KeptSecret> = Vec::new();
    for (at, json) in list.iter().enumerate() {
        // Errors must not contain any part of a secret.
        let read = secret(json).map_err(|what| format!("has an entry {} that {what}", at + 1))?;
        if secrets.iter().any(|known| known.name == read.name) {
            return Err(format!("has the name {} twice", read.name));
        }
        secrets.push(read);
    }
    Ok(secrets)
}

fn secret(json: &Value) -> Result<KeptSecret, &'static str> {
    let text = |member: &str| json.get(member).and_then(Value::as_str);
    let name = text("name").and_then(stored_name);
    let value = text("value").filter(|value| !value.is_empty() && value.len() <= SECRET_BYTES_MAX);
    let origins: Option<Vec<_>> = json
        .get("origins")
        .and_then(Value::as_array)
        .filter(|origins| (1..=ORIGINS_MAX).contains(&origins.len()))
        .ok_or("needs origins: where the secret may be typed")?
        .iter()
        .map(|origin| origin_of(origin.as_str()?))
        .collect();
    let value = value.ok_or("needs a value")?;
    if !can_be_hidden(value) {
        return Err(
            "has a value that is too short to be hidden: it needs at least 3 characters, blanks not counted",
        );
    }
    Ok(KeptSecret {
        name: name
            .ok_or("needs a name of letters, digits, -, _ and .")?
            .to_owned(),
        value: value.into(),
        origins: origins.ok_or("has an origin that is none, like https://example.org")?,
    })
}

/// Parses an origin; `None` if the text has more than scheme, host and port, or is not the origin of a web page.
#[must_use]
pub fn origin_of(text: &str) -> Option<String> {
    let url = address_policy::parse(text)?;
    let is_bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
    let is_open = url.username().is_empty() && url.password().is_none();
    let is_web = matches!(url.scheme(), "http" | "https");
    match url.origin() {
        origin @ Origin::Tuple(..) if is_bare && is_open && is_web => {
            Some(origin.ascii_serialization())
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod browsers {
        use super::*;
        use crate::reader::Bindings;
        use crate::reader::among;

        fn read(
            settings: &[(&str, &str)],
            has_browser: bool,
        ) -> Result<Option<BrowserSettings>, String> {
            let bindings = Bindings::among([(Binding::Browser, has_browser)]);
            let mut reader = SettingsReader::new(among(settings), bindings);
            let browser = reader.browser();
            match reader.into_wrong().pop() {
                None => Ok(browser),
                Some(wrong) => Err(wrong),
            }
        }

        #[test]
        fn there_are_browsers_by_the_binding_or_by_an_address() {
            assert_eq!(read(&[], false), Ok(None));
            let bound = read(&[], true).unwrap().unwrap();
            assert_eq!(
                (bound.address, bound.second_nano_usd, bound.browsers_max),
                (None, 25_000, 3)
            );
            let address = ("BROWSER_CDP", "http://127.0.0.1:9333");
            let own = read(&[address], false).unwrap().unwrap();
            assert_eq!(
                (own.address.as_deref(), own.second_nano_usd),
                (Some(address.1), 0)
            );
            let priced = [
                address,
                ("PRICE_BROWSER_USD_PER_HOUR", "0.36"),
                ("BROWSERS_MAX", "1"),
            ];
            let priced = read(&priced, true).unwrap().unwrap();
            assert_eq!((priced.second_nano_usd, priced.browsers_max), (100_000, 1));
        }

        #[test]
        fn an_address_of_another_kind_is_named() {
            for wrong in ["file:///x", "browser", "http://"] {
                assert!(
                    read(&[("BROWSER_CDP", wrong)], false)
                        .unwrap_err()
                        .contains("BROWSER_CDP")
                );
            }
        }
    }

    mod kept_secrets {
        use super::*;
        use crate::reader::Bindings;
        use crate::reader::among;

        fn read(text: &str) -> Result<Vec<KeptSecret>, String> {
            let settings = [("KEPT", text)];
            let mut reader = SettingsReader::new(among(&settings), Bindings::default());
            let secrets = reader.kept_secrets("KEPT");
            match reader.into_wrong().pop() {
                None => Ok(secrets),
                Some(wrong) => Err(wrong),
            }
        }

        #[test]
        fn a_secret_has_a_name_a_value_and_origins() {
            let text = r#"[{"name": "PASSWORD", "value": "hush", "origins": ["https://a.example", "http://127.0.0.1:8790/"]}]"#;
            let secrets = read(text).unwrap();
            assert_eq!(secrets[0].name, "PASSWORD");
            assert_eq!(secrets[0].value.reveal(), "hush");
            assert_eq!(
                secrets[0].origins,
                ["https://a.example", "http://127.0.0.1:8790"]
            );
            assert_eq!(read("[]").unwrap(), []);
        }

        #[test]
        fn what_is_wrong_is_told_without_the_secret() {
            for (text, says) in [
                ("hush", "must be a JSON list"),
                (
                    r#"[{"value": "hush", "origins": ["https://a.example"]}]"#,
                    "needs a name",
                ),
                (
                    r#"[{"name": "P", "value": "", "origins": ["https://a.example"]}]"#,
                    "needs a value",
                ),
                (r#"[{"name": "P", "value": "hush"}]"#, "needs origins"),
                (
                    r#"[{"name": "P", "value": "h u", "origins": ["https://a.example"]}]"#,
                    "at least 3 characters",
                ),
                (
                    r#"[{"name": "P", "value": "hush", "origins": ["https://a.example/x"]}]"#,
                    "has an origin",
                ),
                (
                    r#"[{"name": "P", "value": "hush", "origins": ["file:///etc"]}]"#,
                    "has an origin",
                ),
                (
                    r#"[{"name": "P", "value": "hush", "origins": ["https://a.example"]},
                    {"name": "P", "value": "hush", "origins": ["https://a.example"]}]"#,
                    "has the name P twice",
                ),
            ] {
                let wrong = read(text).unwrap_err();
                assert!(wrong.contains(says), "{wrong}");
                assert!(!wrong.contains("hush"), "{wrong}");
            }
        }
    }
}
