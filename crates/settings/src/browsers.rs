//! The operator's browsers: where they are, how many at once, and what a second of one costs.

use domain::PAGE_MS_MAX;

use crate::bindings::Binding;
use crate::bounded_url;
use crate::reader::SettingsReader;

/// The price of a second of a browser, in billionths of a dollar, of a price in dollars an hour.
const NANO_USD_PER_HOURLY_USD: f64 = 1e9 / 3_600.0;
/// The platform's price beyond what is included: 0.09 dollars an hour.
/// <https://developers.cloudflare.com/browser-rendering/pricing/>
const SECOND_NANO_USD: u64 = 25_000;
/// The most browsers at once: what the platform's free plan has.
const BROWSERS_MAX: u64 = 3;
const BROWSERS_MOST: u64 = 200;

/// The operator's browsers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BrowserSettings {
    /// The address of a browser's `DevTools`, like `http://127.0.0.1:9333`; `None` for the platform's own
    /// browsers, by the binding `BROWSER`.
    pub address: Option<String>,
    /// The price of a second, in billionths of a dollar.
    pub second_nano_usd: u64,
    /// The most browsers at once; other runs wait.
    pub browsers_max: u32,
}

impl BrowserSettings {
    /// Returns what a picture of one page may cost at most, in billionths of a dollar.
    #[must_use]
    pub fn page_nano_usd(&self) -> u64 {
        let milliseconds = self.second_nano_usd.saturating_mul(PAGE_MS_MAX);
        milliseconds.div_ceil(1_000)
    }

    /// Returns whether the browser is on the machine itself, as in development.
    #[must_use]
    pub fn is_local(&self) -> bool {
        let url = self.address.as_deref().and_then(bounded_url::parse);
        let host = url.as_ref().and_then(|url| url.host_str());
        matches!(host, Some("127.0.0.1" | "localhost" | "[::1]"))
    }
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads where the browsers are. Returns `None` where there are none.
    pub(crate) fn browser(&mut self) -> Option<BrowserSettings> {
        let text = self.text("BROWSER_CDP");
        if text.is_none() && !self.has(Binding::Browser) {
            return None;
        }
        if let Some(text) = &text {
            let schemes = ["http", "https", "ws", "wss"];
            let url = bounded_url::parse(text);
            if !url.is_some_and(|url| schemes.contains(&url.scheme()) && url.host().is_some()) {
                let what =
                    "must be the address of a browser's DevTools, like http://127.0.0.1:9333";
                self.note_wrong("BROWSER_CDP", what);
            }
        }
        let default = if text.is_some() { 0 } else { SECOND_NANO_USD };
        let names = ["PRICE_BROWSER_USD_PER_HOUR"];
        let browsers_max = self.number("BROWSERS_MAX", BROWSERS_MAX, 1..=BROWSERS_MOST);
        Some(BrowserSettings {
            address: text,
            second_nano_usd: self.price(&names, default, NANO_USD_PER_HOURLY_USD),
            browsers_max: u32::try_from(browsers_max).unwrap_or(u32::MAX),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
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
