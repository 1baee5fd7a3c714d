//! Run tokens, event ids, digests, Wikidata numbers and names of stored documents. Also secrets, whose values are
//! used but never shown.

use std::fmt;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use thiserror::Error;

/// The greatest length of a session id, in characters.
const SESSION_CHARS_MAX: usize = 64;
/// The length of a run id, in characters. It encodes 128 bits in base64url.
const RUN_ID_CHARS: usize = 22;

/// The most digits of a Wikidata number. Wikidata has some hundred million items, so this leaves room.
const WIKIDATA_DIGITS_MAX: usize = 12;

/// The greatest length of a stored document's name, in bytes.
const STORED_NAME_BYTES_MAX: usize = 64;

/// A run's public token `{session}.{run}`. Whoever has the token may watch the run.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct RunToken {
    session: String,
    run: String,
}

impl RunToken {
    /// Makes the token of a new run from 128 random bits. If `session` is `None`, a session id is made from 64 more
    /// bits.
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

    /// Parses a token that a client sent.
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

    /// Returns the session id, which is the part before the dot. Several runs may share it.
    #[must_use]
    pub fn session(&self) -> &str {
        &self.session
    }

    /// Returns the run id, which is the part after the dot. It is unique.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.run
    }
}

impl TryFrom<String> for RunToken {
    type Error = TokenError;

    fn try_from(text: String) -> Result<Self, TokenError> {
        Self::parse(&text).map_err(|_| TokenError::Run)
    }
}

impl fmt::Display for RunToken {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}", self.session, self.run)
    }
}

/// The reason why a text is not a run's token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum TokenError {
    /// The session id is not 1 to 64 letters, digits, `_` or `-`.
    #[error("must be 1 to 64 letters, digits, underscores or hyphens")]
    Session,
    /// The run id is not 22 letters, digits, `_` or `-`.
    #[error("is no run's token")]
    Run,
}

fn is_url_safe(text: &str) -> bool {
    text.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// The id of an event, `{run token}.{number}`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EventId {
    /// The run to which the event belongs.
    pub run: RunToken,
    /// The event's number in the run, from 1. In a viewer's request, 0 means that the viewer has not seen any event.
    pub number: u32,
}

impl EventId {
    /// Parses the value of the `Last-Event-ID` header that a browser sends; `None` if it is not an event's id.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (run, number) = text.trim().rsplit_once('.')?;
        Some(Self {
            run: RunToken::parse(run).ok()?,
            number: number.parse().ok()?,
        })
    }
}

/// A SHA-256, as 64 hexadecimal digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct Sha256Digest(String);

impl Sha256Digest {
    /// Returns the digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::new(Sha256::digest(bytes).into())
    }

    /// Makes a digest from its 32 bytes.
    #[must_use]
    pub fn new(sha256: [u8; 32]) -> Self {
        Self(hex::encode(sha256))
    }

    /// Parses 64 lower-case hexadecimal digits; `None` for any other text.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Returns the 64 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for Sha256Digest {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::parse(&text).ok_or("a text is no SHA-256")
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// The number of a Wikidata item, such as `Q42`. It identifies one person, whatever their names are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String")]
pub struct WikidataNumber(String);

impl TryFrom<String> for WikidataNumber {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::parse(&text).ok_or("a text is no Wikidata number")
    }
}

impl WikidataNumber {
    /// Parses `Q` and digits without a leading zero. A lower-case `q` and surrounding spaces are accepted.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix(['Q', 'q'])?;
        let is_number = (1..=WIKIDATA_DIGITS_MAX).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self(format!("Q{digits}")))
    }

    /// Parses the number from the address of a person's Wikidata page, `www.wikidata.org/wiki/Q42`, with or without a
    /// scheme.
    #[must_use]
    pub fn of_page(url: &str) -> Option<Self> {
        let (host, number) = url.rsplit_once('/')?;
        let is_wikidata = host.to_ascii_lowercase().contains("wikidata.org");
        if is_wikidata && number.starts_with('Q') {
            Self::parse(number)
        } else {
            None
        }
    }

    /// Returns the number as text, such as `Q42`.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WikidataNumber {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

/// Returns `text` if it is a valid name for a stored document: letters, digits, `-`, `_` and `.`. A name of only dots
/// is invalid, because it would change the path of an address.
#[must_use]
pub fn stored_name(text: &str) -> Option<&str> {
    let is_sign = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let is_short = text.len() <= STORED_NAME_BYTES_MAX;
    let is_more_than_dots = text.bytes().any(|byte| byte != b'.');
    (is_short && is_more_than_dots && text.bytes().all(is_sign)).then_some(text)
}

/// A key or token. Its `Debug` form does not reveal the value.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Secret(String);

impl Secret {
    /// Returns the value, for the code that sends or compares it.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Secret(..)")
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(text.to_owned())
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

    #[test]
    fn digests_are_lower_case_hexadecimal() {
        let mut bytes = [0; 32];
        bytes[0] = 0xAB;
        bytes[31] = 0x01;
        let digest = Sha256Digest::new(bytes);
        assert_eq!(digest.as_str().len(), 64);
        assert!(digest.as_str().starts_with("ab00") && digest.as_str().ends_with("01"));
        assert_eq!(Sha256Digest::parse(digest.as_str()), Some(digest));
        assert_eq!(Sha256Digest::parse(&"AB".repeat(32)), None);
        assert_eq!(Sha256Digest::parse("ab"), None);
    }

    #[test]
    fn a_digest_is_a_sha256() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(Sha256Digest::of(b"abc").as_str(), abc);
    }

    #[test]
    fn numbers_are_read_as_people_write_them() {
        let read = |text| WikidataNumber::parse(text).map(|number| number.0);
        assert_eq!(read("Q10738"), Some("Q10738".into()));
        assert_eq!(read(" q42 "), Some("Q42".into()));
        for wrong in ["", "Q", "42", "Q042", "Q4x", "P31", "Q1234567890123"] {
            assert_eq!(read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn pages_of_wikidata_have_a_number() {
        let of = |url| WikidataNumber::of_page(url).map(|number| number.0);
        assert_eq!(of("www.wikidata.org/wiki/Q312556"), Some("Q312556".into()));
        assert_eq!(of("https://www.wikidata.org/wiki/Q1"), Some("Q1".into()));
        assert_eq!(of("www.wikidata.org/wiki/Q"), None);
        assert_eq!(of("www.example.org/wiki/Q1"), None);
    }

    #[test]
    fn a_name_is_1_to_64_signs_and_not_dots_alone() {
        for name in ["a", ".a", "a..b", "-", "_", &"n".repeat(64)] {
            assert_eq!(stored_name(name), Some(name));
        }
        for other in ["", ".", "..", "...", "a b", "a/b", "é", &"n".repeat(65)] {
            assert_eq!(stored_name(other), None, "{other}");
        }
    }
}
