//! Reads who may come in, and who may show the page in a frame.

use domain::Secret;

use crate::bounded_url;
use crate::parts::SettingsPart;
use crate::reader::SettingsReader;
use crate::tools_access::ToolsAccess;

/// The fewest characters of a token: a shorter one can be guessed.
const TOKEN_CHARS_MIN: usize = 16;
/// The value of `frame-ancestors` with which nobody may show the page in a frame.
const NO_ANCESTORS: &str = "'none'";

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads the operator's token. A token that is too short is noted as wrong and not used.
    pub(crate) fn operator_token(&mut self) -> Option<Secret> {
        let token = self.text("OPERATOR_TOKEN")?;
        if token.chars().count() < TOKEN_CHARS_MIN {
            let what = format!(
                "must have at least {TOKEN_CHARS_MIN} characters; try: openssl rand -hex 16"
            );
            self.note_wrong("OPERATOR_TOKEN", &what);
            return None;
        }
        Some(token.into())
    }

    /// Reads whether everybody may have a sealed file executed: `REPLAY=open`.
    pub(crate) fn is_replay_open(&mut self) -> bool {
        match self.text("REPLAY").as_deref() {
            None => false,
            Some("open") => true,
            Some(_) => {
                let what = "must be open; unless it is set, a replay needs what starting needs";
                self.note_wrong("REPLAY", what);
                false
            }
        }
    }

    /// Reads whom the server of tools answers: `MCP`. Where that is wrong, it answers nobody.
    pub(crate) fn tools_access(&mut self) -> ToolsAccess {
        self.apart(SettingsPart::Permissions, |reader| {
            match reader.text("MCP").as_deref() {
                None | Some("operator") => ToolsAccess::Operator,
                Some("on") => ToolsAccess::Everybody,
                Some("off") => ToolsAccess::Nobody,
                Some(_) => {
                    reader.note_wrong("MCP", "must be off, operator or on");
                    ToolsAccess::Nobody
                }
            }
        })
    }

    /// Reads whether the log tells names and tokens of runs: `LOG_NAMES=1`.
    pub(crate) fn is_log_named(&mut self) -> bool {
        match self.text("LOG_NAMES").as_deref() {
            None | Some("0") => false,
            Some("1") => true,
            Some(_) => {
                self.note_wrong("LOG_NAMES", "must be 1, or 0 for no names in the log");
                false
            }
        }
    }

    /// Reads whether every link starts its run at once: `LINKS_START=1`.
    pub(crate) fn starts_every_link(&mut self) -> bool {
        match self.text("LINKS_START").as_deref() {
            None | Some("0") => false,
            Some("1") => true,
            Some(_) => {
                let what = "must be 1, or 0 for a press where another page opened the link";
                self.note_wrong("LINKS_START", what);
                false
            }
        }
    }

    /// Reads who may show the page in a frame, as the header's directive says it.
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

/// Returns whether this is a source of `frame-ancestors` that says no more than it seems to.
fn is_source(source: &str) -> bool {
    let is_origin = || {
        bounded_url::parse(source).is_some_and(|url| {
            matches!(url.scheme(), "http" | "https") && url.origin().ascii_serialization() == source
        })
    };
    source == "'self'" || is_origin()
}

/// Returns whether somebody can be reached at this contact: a mail address or a web address whose
/// host has a dot, or a user's page of Wikimedia.
pub(crate) fn is_reachable(contact: &str) -> bool {
    if let Some(user) = contact.strip_prefix("User:") {
        return !user.trim().is_empty();
    }
    if contact.starts_with("https://") || contact.starts_with("http://") {
        let url = bounded_url::parse(contact);
        return url.is_some_and(|url| url.host_str().is_some_and(has_inner_dot));
    }
    let mail = contact.split_once('@');
    mail.is_some_and(|(user, host)| {
        !user.is_empty() && !contact.contains(' ') && !host.contains('@') && has_inner_dot(host)
    })
}

/// Returns whether a host has a dot inside, as `example.org` has, and `localhost` and `.org` have
/// not.
fn has_inner_dot(host: &str) -> bool {
    host.split('.').count() > 1 && host.split('.').all(|part| !part.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;
    use crate::reader::among;

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
}
