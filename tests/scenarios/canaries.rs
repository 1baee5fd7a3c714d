//! Keys that are recognisable: whole, or in another encoding.

use std::fmt::Debug;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE};
use devtools::rehearsal::sandbox_settings;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use sandbox::{SandboxCredentials, SandboxOptions};
use settings::Settings;

/// Settings that must never be revealed.
const SECRETS: [&str; 14] = [
    "GOOGLE_API_KEY",
    "BRAVE_API_KEY",
    "SERPAPI_API_KEY",
    "SERPER_API_KEY",
    "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN",
    "GEMINI_API_KEY",
    "CLOUDFLARE_API_TOKEN",
    "OPENAI_API_KEY",
    "REFERENCES_TOKEN",
    "SEAL_KEY",
    "TURNSTILE_SECRET_KEY",
    "OPERATOR_TOKEN",
    "AWS_ACCESS_KEY_ID",
];
/// The secret setting that may be in a `Debug` form, for the operator.
const SHOWN_IN_DEBUG: &str = "AWS_ACCESS_KEY_ID";

/// A distinct key for each secret setting.
pub struct Canaries {
    keys: Vec<(&'static str, String)>,
    /// Each form of each key, with its setting's name.
    forms: Vec<(&'static str, String)>,
}

impl Canaries {
    /// Makes keys that every encoding changes.
    pub fn mixed() -> Self {
        Self::of(|number| format!("Canary{number:02}/+Zt9=Qx7/+Lm4=Wv2/+Kp8=Hd5"))
    }

    /// Makes keys that look like a provider's error code.
    pub fn like_codes() -> Self {
        let letter = |number: usize| char::from(b'a' + u8::try_from(number).unwrap());
        Self::of(|number| format!("canary_{}_of_letters_and_nothing_else", letter(number)))
    }

    fn of(key: impl Fn(usize) -> String) -> Self {
        let key = |(number, name): (usize, &'static str)| match name {
            // Between slashes, in a signature's scope.
            SHOWN_IN_DEBUG => (name, key(number).replace(['/', '+', '='], "0")),
            _ => (name, key(number)),
        };
        let keys: Vec<_> = SECRETS.into_iter().enumerate().map(key).collect();
        let forms = keys.iter().flat_map(|(name, key)| {
            let forms = forms(key).into_iter();
            forms.map(|form| (*name, form))
        });
        let forms = forms.collect();
        Self { keys, forms }
    }

    pub fn key(&self, name: &str) -> String {
        let mut keys = self.keys.iter();
        keys.find(|(of, _)| *of == name).unwrap().1.clone()
    }

    /// Returns the options of a sandbox with these keys.
    pub fn options(&self) -> SandboxOptions {
        SandboxOptions {
            credentials: SandboxCredentials {
                google_key: self.key("GOOGLE_API_KEY"),
                brave_key: self.key("BRAVE_API_KEY"),
                serpapi_key: self.key("SERPAPI_API_KEY"),
                serper_key: self.key("SERPER_API_KEY"),
                aws_access_key_id: self.key("AWS_ACCESS_KEY_ID"),
                aws_secret_access_key: self.key("AWS_SECRET_ACCESS_KEY"),
                aws_session_token: Some(self.key("AWS_SESSION_TOKEN")),
                gemini_key: self.key("GEMINI_API_KEY"),
                workers_ai_token: self.key("CLOUDFLARE_API_TOKEN"),
                openai_key: self.key("OPENAI_API_KEY"),
                references_token: self.key("REFERENCES_TOKEN"),
                ..SandboxCredentials::default()
            },
            ..SandboxOptions::default()
        }
    }

    /// Returns all settings, with these keys.
    pub fn settings(&self, more: &[(&str, &str)]) -> Settings {
        let (seal_key, token) = (self.key("SEAL_KEY"), self.key("OPERATOR_TOKEN"));
        let turnstile = self.key("TURNSTILE_SECRET_KEY");
        let own = [
            ("SEAL_KEY", &*seal_key),
            ("OPERATOR_TOKEN", &*token),
            ("TURNSTILE_SITE_KEY", "a-site"),
            ("TURNSTILE_SECRET_KEY", &*turnstile),
        ];
        sandbox_settings(&self.options(), &[&own[..], more].concat())
    }

    /// Fails if a key is in this text.
    #[track_caller]
    pub fn check_untold(&self, what: &str, text: &str) {
        check(what, text, &self.forms);
    }

    /// Fails if a key is in a `Debug` form.
    #[track_caller]
    pub fn check_debug(&self, what: &impl Debug) {
        let forms = self.forms.iter();
        let forms = forms.filter(|(name, _)| *name != SHOWN_IN_DEBUG);
        for shown in [format!("{what:?}"), format!("{what:#?}")] {
            check("a Debug form", &shown, forms.clone());
        }
    }
}

#[track_caller]
fn check<'form>(
    what: &str,
    text: &str,
    forms: impl IntoIterator<Item = &'form (&'static str, String)>,
) {
    for (name, form) in forms {
        assert!(!text.contains(form), "{name} as {form} in {what}: {text}");
    }
}

/// Returns a key unchanged, percent-encoded, escaped in JSON, and in base64 at each of three offsets.
fn forms(key: &str) -> Vec<String> {
    let percent = utf8_percent_encode(key, NON_ALPHANUMERIC).to_string();
    let form: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
    let mut forms = vec![
        key.to_owned(),
        percent.to_lowercase(),
        percent,
        form,
        key.replace('/', "\\/"),
    ];
    for before in 0..3 {
        let bytes = [&b"   "[..before], key.as_bytes()].concat();
        // The characters that only depend on the key's bytes.
        let from = (before * 8).div_ceil(6);
        let until = bytes.len() * 8 / 6;
        forms.push(STANDARD.encode(&bytes)[from..until].to_owned());
        forms.push(URL_SAFE.encode(&bytes)[from..until].to_owned());
    }
    // Some forms equal others.
    forms.sort();
    forms.dedup();
    forms
}

#[test]
#[should_panic(expected = "GOOGLE_API_KEY")]
fn a_key_in_an_address_is_seen() {
    let canaries = Canaries::mixed();
    let key = canaries.key("GOOGLE_API_KEY");
    let key: String = url::form_urlencoded::byte_serialize(key.as_bytes()).collect();
    canaries.check_untold("an address", &format!("https://a.example/?key={key}"));
}

#[test]
#[should_panic(expected = "SEAL_KEY")]
fn a_key_inside_of_base64_is_seen() {
    let canaries = Canaries::mixed();
    let text = format!("{{\"key\":\"{}\"}}", canaries.key("SEAL_KEY"));
    canaries.check_untold("a body", &STANDARD.encode(text));
}
