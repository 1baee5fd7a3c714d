//! Run tokens and event ids.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The longest session id, in characters.
const SESSION_CHARS_MAX: usize = 64;
/// The characters of a run id: 128 bits in base64url.
const RUN_ID_CHARS: usize = 22;

/// A run's public token `{session}.{run}`. It is a capability: whoever has it may watch.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunToken {
    session: String,
    run: String,
}

/// The reason why a text is no run token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenError {
    /// The session id is not 1 to 64 letters, digits, `_` or `-`.
    Session,
    /// The run id is not 22 letters, digits, `_` or `-`.
    Run,
}

impl fmt::Display for TokenError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Session => {
                formatter.write_str("must be 1 to 64 letters, digits, underscores or hyphens")
            }
            Self::Run => formatter.write_str("is no run's token"),
        }
    }
}

fn is_url_safe(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

impl RunToken {
    /// Makes a new run's token from 128 random bits, and where there is no session, its session id
    /// from 64 more.
    pub fn new(session: Option<&str>, random: [u8; 24]) -> Result<Self, TokenError> {
        let (for_session, for_run) = random.split_at(8);
        let session = match session {
            Some(session) => session.to_owned(),
            None => URL_SAFE_NO_PAD.encode(for_session),
        };
        if session.is_empty() || session.len() > SESSION_CHARS_MAX || !is_url_safe(&session) {
            return Err(TokenError::Session);
        }
        Ok(Self {
            session,
            run: URL_SAFE_NO_PAD.encode(for_run),
        })
    }

    /// Reads a token that a client sent.
    pub fn parse(text: &str) -> Result<Self, TokenError> {
        let (session, run) = text.split_once('.').ok_or(TokenError::Run)?;
        if session.is_empty() || session.len() > SESSION_CHARS_MAX || !is_url_safe(session) {
            return Err(TokenError::Session);
        }
        if run.len() != RUN_ID_CHARS || !is_url_safe(run) {
            return Err(TokenError::Run);
        }
        Ok(Self {
            session: session.to_owned(),
            run: run.to_owned(),
        })
    }

    /// Returns the part before the dot, the session id. Several runs may share it.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Returns the part after the dot, the run id. No other run has it.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }
}

impl fmt::Display for RunToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.session, self.run)
    }
}

/// The id of an event, `{run token}.{number}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventId {
    /// The run to which the event belongs.
    pub run: RunToken,
    /// The event's number in the run, from 1; 0 stands for a viewer who has seen none yet.
    pub number: u32,
}

impl EventId {
    /// Reads what a browser sends back as `Last-Event-ID`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (run, number) = text.trim().rsplit_once('.')?;
        Some(Self {
            run: RunToken::parse(run).ok()?,
            number: number.parse().ok()?,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_are_made_and_read_back() {
        let token = RunToken::new(Some("s1"), [7; 24]).unwrap();
        assert_eq!(token.run().len(), 22);
        assert_eq!(RunToken::parse(&token.to_string()), Ok(token.clone()));
        let event = EventId::parse(&format!("{token}.12")).unwrap();
        assert_eq!((event.run, event.number), (token.clone(), 12));
        let first = EventId::parse(&format!("{token}.0")).unwrap();
        assert_eq!((first.run, first.number), (token.clone(), 0));
        let nameless = RunToken::new(None, [255; 24]).unwrap();
        assert_eq!(RunToken::parse(&nameless.to_string()), Ok(nameless));
    }

    #[test]
    fn anything_else_is_no_token() {
        let run = "A".repeat(22);
        assert_eq!(
            RunToken::new(Some("a.b"), [0; 24]),
            Err(TokenError::Session)
        );
        assert_eq!(RunToken::new(Some(""), [0; 24]), Err(TokenError::Session));
        assert_eq!(
            RunToken::new(Some(&"x".repeat(65)), [0; 24]),
            Err(TokenError::Session)
        );
        assert_eq!(RunToken::parse(&run), Err(TokenError::Run));
        assert_eq!(RunToken::parse("s1.short"), Err(TokenError::Run));
        assert_eq!(
            RunToken::parse(&format!("s/1.{run}")),
            Err(TokenError::Session)
        );
        assert_eq!(EventId::parse(&format!("s1.{run}")), None);
        assert_eq!(EventId::parse(&format!("s1.{run}.-1")), None);
        assert_eq!(EventId::parse("é"), None);
    }
}
