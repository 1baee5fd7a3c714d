//! Idempotency keys. A key belongs to its sender, and the key's object stores only digests.
//!
//! A run's token and secret are derived from the key and a random salt, which the key's object stores. So a repeated
//! request gets the run of the first request, but somebody who can read the object's storage learns neither the run
//! nor its secret.

use domain::{RunToken, Secret, Sha256Digest, TokenError};
use engine::Problem;
use engine::budget::client_of;
use engine::values::check_turnstile_token;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::creator::run_secret;

/// The version of [`KeyRecord`].
const KEY_VERSION: u32 = 1;
/// The number of bytes from which a run's token is made.
const TOKEN_BYTES: usize = 24;

/// An idempotency key, bound to its sender. The same text from two senders makes two different keys.
#[derive(Debug, Clone)]
pub struct IdempotencyKey {
    /// The text combined with its sender. It is never stored.
    scoped: Secret,
    session: Option<String>,
}

impl IdempotencyKey {
    /// Makes the key with this text. It is bound to a session and either to the operator or to the client at
    /// `address`.
    #[must_use]
    pub fn new(
        text: &str,
        is_operator: bool,
        address: Option<&str>,
        session: Option<&str>,
    ) -> Self {
        let sender = if is_operator {
            "operator".to_owned()
        } else {
            format!("client {}", client_of(address))
        };
        // Neither a sender nor a session contains a line break, and the text comes last. So different parts never yield
        // the same scoped text.
        let scoped = format!("{sender}\n{}\n{text}", session.unwrap_or_default());
        Self {
            scoped: scoped.into(),
            session: session.map(str::to_owned),
        }
    }

    /// Returns the digest by which the key's object is named.
    #[must_use]
    pub fn digest(&self) -> Sha256Digest {
        Sha256Digest::of(format!("key\n{}", self.scoped.reveal()).as_bytes())
    }

    /// Derives a run's token and secret from this key and a salt.
    pub fn run(&self, salt: &Sha256Digest) -> Result<(RunToken, Secret), TokenError> {
        let mut for_token = [0; TOKEN_BYTES];
        for (byte, derived) in for_token.iter_mut().zip(self.derive("token", salt)) {
            *byte = derived;
        }
        let run = RunToken::new(self.session.as_deref(), for_token)?;
        Ok((run, run_secret(self.derive("secret", salt))))
    }

    fn derive(&self, purpose: &str, salt: &Sha256Digest) -> [u8; 32] {
        let scoped = self.scoped.reveal();
        Sha256::digest(format!("{purpose}\n{salt}\n{scoped}")).into()
    }
}

/// What an idempotency key is used for: the salt and the question of its run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyUse {
    salt: String,
    question: String,
}

impl KeyUse {
    /// Makes the use with this salt for the question with this digest.
    #[must_use]
    pub fn new(salt: &Sha256Digest, question: &Sha256Digest) -> Self {
        Self {
            salt: salt.to_string(),
            question: question.to_string(),
        }
    }

    /// Returns the salt from which the key's run is derived; `None` if the stored salt is malformed.
    #[must_use]
    pub fn salt(&self) -> Option<Sha256Digest> {
        Sha256Digest::parse(&self.salt)
    }

    /// Returns whether both uses are for the same question.
    #[must_use]
    pub fn asks_the_same(&self, other: &Self) -> bool {
        self.question == other.question
    }
}

/// A claim on an idempotency key, made by a run that is about to begin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeyClaim {
    /// The digest of the claimed key.
    pub key: String,
    /// What the claiming run uses the key for.
    #[serde(rename = "use")]
    pub used_for: KeyUse,
}

/// The record that a key's object stores for as long as the key's run may exist.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct KeyRecord {
    version: u32,
    expires_ms: u64,
    /// The use of the key; `None` once the run was deleted, when only the fact that the key was used is stored.
    #[serde(default, rename = "use", skip_serializing_if = "Option::is_none")]
    used_for: Option<KeyUse>,
}

/// The answer of a key's object to a run that wants to use the key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum KeyAnswer {
    /// The stored use of the key or, if there is none, the use for which the key can be claimed.
    Use(KeyUse),
    /// The key's run was deleted, so the key cannot be used again.
    Deleted,
}

impl KeyRecord {
    /// Makes the record of a key whose run expires at `expires_ms`.
    #[must_use]
    pub fn new(used_for: KeyUse, expires_ms: u64) -> Self {
        Self {
            version: KEY_VERSION,
            expires_ms,
            used_for: Some(used_for),
        }
    }

    /// Returns the time from which the key can be used again, in milliseconds since 1970.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        self.expires_ms
    }

    /// Returns the answer that this record implies.
    #[must_use]
    pub fn answer(&self) -> KeyAnswer {
        match &self.used_for {
            Some(used_for) => KeyAnswer::Use(used_for.clone()),
            None => KeyAnswer::Deleted,
        }
    }

    /// Returns the record after a run has claimed the key. The first claim remains valid; only the same run may
    /// extend it.
    #[must_use]
    pub fn claimed(kept: Option<Self>, claim: Self) -> Self {
        match kept {
            None => claim,
            Some(kept) if kept.used_for == claim.used_for => Self {
                expires_ms: kept.expires_ms.max(claim.expires_ms),
                ..kept
            },
            Some(kept) => kept,
        }
    }

    /// Returns the record after the key's run was deleted. It contains nothing about the request.
    #[must_use]
    pub fn dropped(self) -> Self {
        Self {
            used_for: None,
            ..self
        }
    }
}

/// The longest text of an idempotency key, in characters.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 200;

/// Checks the form of the headers `Idempotency-Key` and `Turnstile-Token`, if they are present.
pub fn check_start_headers(
    idempotency_key: Option<&str>,
    turnstile_token: Option<&str>,
) -> Result<(), Problem> {
    if let Some(key) = idempotency_key {
        let is_printable = key.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if !is_printable || !(1..=IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) {
            let detail = format!(
                "An Idempotency-Key must be 1 to {IDEMPOTENCY_KEY_CHARS_MAX} printable ASCII \
                 characters; a UUID is best."
            );
            return Err(Problem::new(400, detail));
        }
    }
    match turnstile_token {
        Some(token) => check_turnstile_token("Turnstile-Token", token),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    mod idempotency {
        use super::*;

        fn salt(byte: u8) -> Sha256Digest {
            Sha256Digest::new([byte; 32])
        }

        fn key_use(salt_byte: u8, question: &str) -> KeyUse {
            KeyUse::new(&salt(salt_byte), &Sha256Digest::of(question.as_bytes()))
        }

        #[test]
        fn a_key_is_its_senders() {
            let key = |is_operator, address, session| {
                IdempotencyKey::new("a key", is_operator, address, session)
            };
            let keys = [
                key(true, Some("192.0.2.1"), None),
                key(false, Some("192.0.2.1"), None),
                key(false, Some("192.0.2.2"), None),
                key(false, None, None),
                key(false, Some("192.0.2.1"), Some("s1")),
                IdempotencyKey::new("another", false, Some("192.0.2.1"), None),
            ];
            for (index, one) in keys.iter().enumerate() {
                for other in &keys[..index] {
                    assert_ne!(one.digest(), other.digest(), "{one:?} {other:?}");
                    assert_ne!(one.run(&salt(1)).unwrap(), other.run(&salt(1)).unwrap());
                }
            }
            // The operator's keys do not depend on the address. All IPv6 addresses of one household make the same keys.
            let operator = key(true, Some("192.0.2.9"), None);
            assert_eq!(operator.digest(), keys[0].digest());
            let of_household = |address| key(false, Some(address), None).digest();
            assert_eq!(
                of_household("2001:db8:1:2::1"),
                of_household("2001:db8:1:2::9")
            );
        }

        #[test]
        fn a_key_and_a_salt_give_one_run_and_its_secret() {
            let key = IdempotencyKey::new("a key", false, None, Some("s1"));
            let (run, secret) = key.run(&salt(1)).unwrap();
            assert_eq!(key.run(&salt(1)).unwrap(), (run.clone(), secret.clone()));
            let (other_run, other_secret) = key.run(&salt(2)).unwrap();
            assert_ne!(run, other_run);
            assert_ne!(secret, other_secret);
            assert_eq!((run.session(), secret.reveal().len()), ("s1", 43));
            // The token and the secret are independent, so the secret does not contain the token.
            assert!(!secret.reveal().contains(run.run()));
        }

        #[test]
        fn what_is_kept_tells_neither_names_nor_run_nor_secret() {
            let key = IdempotencyKey::new("a key", false, Some("192.0.2.1"), Some("s1"));
            let (run, secret) = key.run(&salt(1)).unwrap();
            let record = KeyRecord::new(key_use(1, "Jean Valjean"), 5);
            let kept = serde_json::to_string(&record).unwrap();
            let words = [run.run(), secret.reveal(), "a key", "192.0.2.1", "Jean"];
            for word in words {
                assert!(!kept.contains(word), "{word}");
            }
        }

        #[test]
        fn the_first_claim_holds_and_a_deleted_run_keeps_its_key() {
            let claim = |salt_byte, question, expires_ms| {
                KeyRecord::new(key_use(salt_byte, question), expires_ms)
            };
            let first = KeyRecord::claimed(None, claim(1, "a", 100));
            assert_eq!(first.answer(), KeyAnswer::Use(key_use(1, "a")));
            let later = KeyRecord::claimed(Some(first.clone()), claim(1, "a", 200));
            assert_eq!(later.expires_ms(), 200);
            let earlier = KeyRecord::claimed(Some(later.clone()), claim(1, "a", 50));
            assert_eq!(earlier.expires_ms(), 200);
            for other in [claim(2, "a", 300), claim(1, "b", 300)] {
                let taken = KeyRecord::claimed(Some(first.clone()), other);
                assert_eq!(taken, first);
            }
            let dropped = first.dropped();
            assert_eq!(dropped.answer(), KeyAnswer::Deleted);
            let claimed = KeyRecord::claimed(Some(dropped.clone()), claim(1, "a", 300));
            assert_eq!(claimed, dropped);
        }

        #[test]
        fn a_question_is_compared_by_its_digest() {
            assert!(key_use(1, "a").asks_the_same(&key_use(2, "a")));
            assert!(!key_use(1, "a").asks_the_same(&key_use(1, "b")));
        }

        #[test]
        fn stored_and_sent_formats_unchanged_and_read_back() {
            let (ones, question) = ("01".repeat(32), Sha256Digest::of(b"a"));
            let used = format!(r#"{{"salt":"{ones}","question":"{question}"}}"#);
            let record = KeyRecord::new(key_use(1, "a"), 7);
            let json = format!(r#"{{"version":1,"expiresMs":7,"use":{used}}}"#);
            assert_eq!(serde_json::to_string(&record).unwrap(), json);
            assert_eq!(serde_json::from_str::<KeyRecord>(&json).unwrap(), record);
            let dropped = record.dropped();
            let json = r#"{"version":1,"expiresMs":7}"#;
            assert_eq!(serde_json::to_string(&dropped).unwrap(), json);
            assert_eq!(serde_json::from_str::<KeyRecord>(json).unwrap(), dropped);
            let answer = serde_json::to_string(&KeyAnswer::Use(key_use(1, "a"))).unwrap();
            assert_eq!(answer, format!(r#"{{"use":{used}}}"#));
            assert_eq!(
                serde_json::to_string(&KeyAnswer::Deleted).unwrap(),
                r#""deleted""#
            );
            // The derivation is a contract: while keys are in use, none of these values may change.
            let key = IdempotencyKey::new("a key", false, Some("192.0.2.1"), Some("s1"));
            let (run, secret) = key.run(&salt(1)).unwrap();
            assert_eq!(run.to_string(), "s1.qSdRVvrCunDpF7BiH9zzDg");
            assert_eq!(
                secret.reveal(),
                "pvyBN-Te5u275KKuw1CPYg9Je1bg6zpN8GjkbqbO8ps"
            );
        }
    }

    mod start_headers {
        use super::*;

        #[track_caller]
        fn check(key: Option<&str>, token: Option<&str>, expected: Result<(), u16>) {
            let checked = check_start_headers(key, token).map_err(|problem| problem.status());
            assert_eq!(checked, expected, "{key:?}, {token:?}");
        }

        #[test]
        fn a_key_is_1_to_200_printable_characters_and_a_token_has_2048_at_most() {
            check(None, None, Ok(()));
            for key in ["0", "a b", "~", &"k".repeat(200)] {
                check(Some(key), None, Ok(()));
            }
            for key in ["", "é", "a\tb", "\u{7f}", &"k".repeat(201)] {
                check(Some(key), None, Err(400));
            }
            check(None, Some(""), Ok(()));
            check(None, Some(&"t".repeat(2_048)), Ok(()));
            check(None, Some(&"t".repeat(2_049)), Err(400));
        }
    }
}
