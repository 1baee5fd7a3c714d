//! Reads the settings of the check for humans.

use domain::Secret;

use crate::reader::SettingsReader;

/// The address at which Cloudflare answers.
const BASE_DEFAULT: &str = "https://challenges.cloudflare.com";

/// The settings with which Turnstile is asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnstileSettings {
    /// The widget's public key, which the page is told.
    pub site_key: String,
    /// The key with which this server asks whether a token is good.
    pub secret_key: Secret,
    /// Scheme, host and port of the service.
    pub base: String,
}

impl TurnstileSettings {
    /// Reads the settings. Returns `None` where neither key is set; one without the other is wrong.
    pub(crate) fn read<F: Fn(&str) -> Option<String>>(
        reader: &mut SettingsReader<F>,
    ) -> Option<Self> {
        const KEYS: [&str; 2] = ["TURNSTILE_SITE_KEY", "TURNSTILE_SECRET_KEY"];
        let [site_key, secret_key] = KEYS.map(|name| reader.text(name));
        if site_key.is_none() && secret_key.is_none() {
            return None;
        }
        let [site_key, secret_key] = KEYS.map(|name| reader.needed(name));
        Some(Self {
            site_key,
            secret_key: secret_key.into(),
            base: reader.address("TURNSTILE_BASE", BASE_DEFAULT),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::reader::among;

    #[test]
    fn both_keys_or_none() {
        let read = |pairs: &[(&str, &str)]| {
            let mut reader = SettingsReader::new(among(pairs), Bindings::default());
            let settings = TurnstileSettings::read(&mut reader);
            (settings, reader.into_wrong())
        };
        assert_eq!(read(&[]), (None, Vec::new()));
        let (settings, wrong) = read(&[("TURNSTILE_SITE_KEY", "s")]);
        assert!(settings.is_some(), "half a check lets nobody in unchecked");
        assert_eq!(wrong, ["TURNSTILE_SECRET_KEY"]);
        let keys = [("TURNSTILE_SITE_KEY", "s"), ("TURNSTILE_SECRET_KEY", "k")];
        let (settings, wrong) = read(&keys);
        assert_eq!(settings.unwrap().base, BASE_DEFAULT);
        assert_eq!(wrong, [""; 0]);
    }
}
