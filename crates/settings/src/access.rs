//! Reads who may use this server: who may enter, start runs of stored documents, call its tools, read its atlas, and
//! embed its page.

use domain::Secret;
use strum::IntoStaticStr;

use crate::address_policy;
use crate::operator_settings::{SettingsPart, SharedVariable};
use crate::reader::{Binding, SettingsReader};

/// The fewest characters of a token. A shorter one could be guessed.
const TOKEN_CHARS_MIN: usize = 16;
/// The value of `frame-ancestors` that forbids embedding the page.
const NO_ANCESTORS: &str = "'none'";

/// The address of Turnstile, Cloudflare's check for humans.
const TURNSTILE_BASE_DEFAULT: &str = "https://challenges.cloudflare.com";

/// The callers who may read the atlas.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AtlasAccess {
    /// Nobody: there is no atlas.
    Nobody,
    /// Only the operator.
    Operator,
    /// Everybody.
    Everybody {
        /// Whether search engines may list the atlas's pages.
        is_indexed: bool,
    },
}

impl AtlasAccess {
    /// Reads `ATLAS` and `ATLAS_INDEX`. Without the binding `DB` nobody has access, since there is no atlas.
    pub(crate) fn read<F: Fn(&str) -> Option<String>>(reader: &mut SettingsReader<F>) -> Self {
        let is_indexed = reader.switch("ATLAS_INDEX", "must be 1 or 0");
        let has_database = reader.has(Binding::Database);
        match reader.text("ATLAS").as_deref() {
            Some("off") => Self::Nobody,
            None if !has_database => Self::Nobody,
            Some("operator" | "public") if !has_database => {
                reader.note_wrong("ATLAS", "needs the binding DB: see docs/operation.md");
                Self::Nobody
            }
            None | Some("operator") => Self::Operator,
            Some("public") => Self::Everybody { is_indexed },
            Some(_) => {
                reader.note_wrong("ATLAS", "must be public, operator or off");
                Self::Nobody
            }
        }
    }
}

/// Which runs of one engine may be started by callers other than the operator. This matters only for callers who may
/// start runs at all.
#[derive(Debug, Clone, Copy, PartialEq, Eq, IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum SharedAccess {
    /// No runs.
    Operator,
    /// Runs of documents that the operator has stored.
    Stored,
    /// All runs.
    Any,
}

impl SharedAccess {
    /// Returns the value's name in the API.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Reads the setting of one engine. If its value is invalid, only the operator may start the engine's runs.
    pub(crate) fn read(
        reader: &mut SettingsReader<impl Fn(&str) -> Option<String>>,
        variable: SharedVariable,
    ) -> Self {
        let part = SettingsPart::Permissions;
        let all = [
            ("none", Self::Operator),
            ("stored", Self::Stored),
            ("any", Self::Any),
        ];
        let (words, what) = match &all {
            words if variable.may_be_any => (&words[..], "must be none, stored or any"),
            [words @ .., _] => (&words[..], "must be none or stored"),
        };
        let defaults = [Self::Operator; 2];
        reader.apart(part, |reader| {
            reader.choice(variable.name, words, defaults, what)
        })
    }
}

/// The callers who may call the MCP server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ToolsAccess {
    /// Nobody: there is no MCP server.
    Nobody,
    /// Only the operator.
    Operator,
    /// Everybody. Callers may start runs with the server's tools only if they may start runs without them too.
    Everybody,
}

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads the operator's token. A token that is too short is reported and then treated as absent.
    pub(crate) fn operator_token(&mut self) -> Option<Secret> {
        self.parsed("OPERATOR_TOKEN", None, |token| {
            if token.chars().count() >= TOKEN_CHARS_MIN {
                return Ok(Some(token.into()));
            }
            Err(format!(
                "must have at least {TOKEN_CHARS_MIN} characters; try: openssl rand -hex 16"
            ))
        })
    }

    /// Reads whether everybody may replay sealed files: `REPLAY=open`.
    pub(crate) fn is_replay_open(&mut self) -> bool {
        let what = "must be open; unless it is set, a replay needs what starting needs";
        self.choice("REPLAY", &[("open", true)], [false, false], what)
    }

    /// Reads `MCP`: who may call the MCP server. If the value is invalid, nobody may.
    pub(crate) fn tools_access(&mut self) -> ToolsAccess {
        let words = [
            ("operator", ToolsAccess::Operator),
            ("on", ToolsAccess::Everybody),
            ("off", ToolsAccess::Nobody),
        ];
        let defaults = [ToolsAccess::Operator, ToolsAccess::Nobody];
        self.apart(SettingsPart::Permissions, |reader| {
            reader.choice("MCP", &words, defaults, "must be off, operator or on")
        })
    }

    /// Reads whether the log contains names and tokens of runs: `LOG_NAMES=1`.
    pub(crate) fn is_log_named(&mut self) -> bool {
        self.switch("LOG_NAMES", "must be 1, or 0 for no names in the log")
    }

    /// Reads whether every link starts its run without a click: `LINKS_START=1`.
    pub(crate) fn starts_every_link(&mut self) -> bool {
        let what = "must be 1, or 0 to ask for a press if another page opened the link";
        self.switch("LINKS_START", what)
    }

    /// Reads who may embed the page, as a value of the directive `frame-ancestors`.
    pub(crate) fn frame_ancestors(&mut self) -> String {
        let text = self.text_or("FRAME_ANCESTORS", NO_ANCESTORS);
        let sources: Vec<&str> = text.split_whitespace().collect();
        let is_none = sources == [NO_ANCESTORS];
        if is_none || sources.iter().all(|source| is_source(source)) {
            return sources.join(" ");
        }
        let what = "must be 'none', or 'self' and origins like https://example.org, with spaces \
                    between";
        self.note_wrong("FRAME_ANCESTORS", what);
        NO_ANCESTORS.to_owned()
    }
}

/// Returns whether this text is a valid source of `frame-ancestors` that cannot end the header's directive.
fn is_source(source: &str) -> bool {
    let is_origin = || {
        address_policy::parse(source).is_some_and(|url| {
            matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == source
        })
    };
    source == "'self'" || is_origin()
}

/// Returns whether Wikimedia can reach the operator at a contact: a mail or web address whose host has a dot, or a
/// user's page at Wikimedia.
pub(crate) fn is_reachable(contact: &str) -> bool {
    if let Some(user) = contact.strip_prefix("User:") {
        return !user.trim().is_empty();
    }
    if contact.starts_with("https://") || contact.starts_with("http://") {
        let url = address_policy::parse(contact);
        return url.is_some_and(|url| url.host_str().is_some_and(has_inner_dot));
    }
    let mail = contact.split_once('@');
    mail.is_some_and(|(user, host)| {
        !user.is_empty() && !contact.contains(' ') && !host.contains('@') && has_inner_dot(host)
    })
}

/// Returns whether a host has an inner dot: `example.org` has one, `localhost` and `.org` do not.
fn has_inner_dot(host: &str) -> bool {
    host.split('.').count() > 1 && host.split('.').all(|part| !part.is_empty())
}

/// The settings of Turnstile, the check for humans.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnstileSettings {
    /// The widget's public key, which the page receives.
    pub site_key: String,
    /// The key with which this server verifies tokens.
    pub secret_key: Secret,
    /// Scheme, host and port of the service.
    pub base: String,
}

impl TurnstileSettings {
    /// Reads the settings; `None` if neither key is set. If only one of the two keys is set, that is reported.
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
            base: reader.address("TURNSTILE_BASE", TURNSTILE_BASE_DEFAULT),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reader::Bindings;
    use crate::reader::among;

    #[track_caller]
    fn check(settings: &[(&str, &str)], has_database: bool, expected: AtlasAccess, wrong: usize) {
        let bindings = Bindings::among([(Binding::Database, has_database)]);
        let mut reader = SettingsReader::new(among(settings), bindings);
        assert_eq!(AtlasAccess::read(&mut reader), expected, "{settings:?}");
        assert_eq!(reader.into_wrong().len(), wrong, "{settings:?}");
    }

    #[test]
    fn the_atlas_is_the_operators_unless_they_say_otherwise() {
        let everybody = |is_indexed| AtlasAccess::Everybody { is_indexed };
        check(&[], true, AtlasAccess::Operator, 0);
        check(&[], false, AtlasAccess::Nobody, 0);
        check(&[("ATLAS", "off")], true, AtlasAccess::Nobody, 0);
        check(&[("ATLAS", "public")], true, everybody(false), 0);
        let indexed = [("ATLAS", "public"), ("ATLAS_INDEX", "1")];
        check(&indexed, true, everybody(true), 0);
        check(&[("ATLAS", "public")], false, AtlasAccess::Nobody, 1);
        check(&[("ATLAS", "open")], true, AtlasAccess::Nobody, 1);
        check(&[("ATLAS_INDEX", "yes")], true, AtlasAccess::Operator, 1);
    }

    fn wrong_of(name: &str, value: &str) -> Vec<String> {
        let settings = [(name, value)];
        let mut reader = SettingsReader::new(among(&settings), Bindings::default());
        reader.operator_token();
        reader.is_replay_open();
        reader.starts_every_link();
        reader.frame_ancestors();
        reader.tools_access();
        reader.into_wrong()
    }

    #[test]
    fn what_is_wrong_is_named() {
        for (name, right, wrong) in [
            ("OPERATOR_TOKEN", "0123456789abcdef", "0123456789abcde"),
            ("REPLAY", "open", "yes"),
            ("LINKS_START", "1", "yes"),
            ("LINKS_START", "0", "off"),
            ("MCP", "on", "1"),
            ("MCP", "operator", "public"),
            ("FRAME_ANCESTORS", "'self' https://a.example", "a.example"),
            ("FRAME_ANCESTORS", "'none'", "'none' 'self'"),
            (
                "FRAME_ANCESTORS",
                "http://127.0.0.1:8000",
                "https://a.example/path",
            ),
            (
                "FRAME_ANCESTORS",
                "https://a.example",
                "https://a.example; script-src *",
            ),
        ] {
            assert_eq!(wrong_of(name, right), Vec::<String>::new(), "{right}");
            let wrong = wrong_of(name, wrong);
            assert!(
                matches!(&wrong[..], [one] if one.starts_with(name)),
                "{wrong:?}"
            );
        }
    }

    #[test]
    fn who_is_reached_has_a_host_with_a_dot() {
        for right in [
            "me@example.org",
            "https://example.org/me",
            "http://example.org",
            "User:Somebody",
        ] {
            assert!(is_reachable(right), "{right}");
        }
        for wrong in [
            "operator@x",
            "@example.org",
            "me@.org",
            "me@example.",
            "https://localhost",
            "https://",
            "User:",
            "me",
            "write to me@example.org",
            "a@b@example.org",
        ] {
            assert!(!is_reachable(wrong), "{wrong}");
        }
    }

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
        assert_eq!(settings.unwrap().base, TURNSTILE_BASE_DEFAULT);
        assert_eq!(wrong, [""; 0]);
    }
}
