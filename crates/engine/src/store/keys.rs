//! The keys of documents in KV: `vd:{sessionId}:{runId}:...`

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use domain::Sha256Digest;

/// The longest key that KV accepts, in bytes.
pub const KEY_BYTES_MAX: usize = 512;

/// The characters of a name that are encoded: all but letters, digits and what reads well in a key.
const NAME_PART: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'_').remove(b'.');

/// Returns the key under which the chain of this digest is published. The chain is no document of a
/// run: it outlives its run.
#[must_use]
pub fn chain_key(digest: &Sha256Digest) -> String {
    format!("{}{digest}", chain_key_prefix())
}

/// Returns the beginning of the keys of all published chains.
#[must_use]
pub fn chain_key_prefix() -> &'static str {
    "chain:"
}

/// Returns the key under which it is noted that the run of this token is over. The key tells no
/// part of the token, since its first half may have been chosen by anybody.
#[must_use]
pub fn over_key(run: &str) -> String {
    format!("over:{}", Sha256Digest::of(run.as_bytes()))
}

/// The keys of one run.
//= spec KV Data Model
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Keys {
    prefix: String,
}

impl Keys {
    /// Makes the keys of the run of this session and id, both `[A-Za-z0-9_-]`.
    #[must_use]
    pub fn new(session: &str, run: &str) -> Self {
        Self {
            prefix: format!("vd:{session}:{run}:"),
        }
    }

    /// Returns the text with which all keys of the run begin.
    #[must_use]
    pub fn prefix(&self) -> &str {
        &self.prefix
    }

    /// Returns a key without name parts: `meta`, `seen:queries`, `seen:images`, `path`, `decisions`
    /// or `graph`.
    #[must_use]
    pub fn plain(&self, suffix: &str) -> String {
        format!("{}{suffix}", self.prefix)
    }

    /// Returns the key `candidates:{frontier}`.
    #[must_use]
    pub fn candidates(&self, frontier: &str) -> String {
        self.named("candidates", &[frontier])
    }

    /// Returns the key `edge:{from}:{to}`.
    #[must_use]
    pub fn edge(&self, from: &str, to: &str) -> String {
        self.named("edge", &[from, to])
    }

    /// Makes a key with name parts, which are percent-encoded, and hashed where the key would be
    /// too long.
    fn named(&self, kind: &str, names: &[&str]) -> String {
        let encoded: Vec<String> = names
            .iter()
            .map(|name| utf8_percent_encode(name, NAME_PART).to_string())
            .collect();
        let key = format!("{}{kind}:{}", self.prefix, encoded.join(":"));
        if key.len() <= KEY_BYTES_MAX {
            return key;
        }
        let hashed: Vec<String> = names
            .iter()
            .map(|name| Sha256Digest::of(name.as_bytes()).to_string())
            .collect();
        format!("{}{kind}:{}", self.prefix, hashed.join(":"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_names_format_unchanged() {
        let keys = Keys::new("s1", "k3");
        assert_eq!(keys.plain("meta"), "vd:s1:k3:meta");
        assert_eq!(keys.plain("seen:queries"), "vd:s1:k3:seen:queries");
        assert_eq!(
            keys.candidates("Jean Valjean"),
            "vd:s1:k3:candidates:Jean%20Valjean"
        );
        assert_eq!(
            keys.edge("A:B", "Éponine"),
            "vd:s1:k3:edge:A%3AB:%C3%89ponine"
        );
    }

    #[test]
    fn a_published_chain_has_a_key_of_its_own() {
        let digest = Sha256Digest::new([0xAB; 32]);
        assert_eq!(chain_key(&digest), format!("chain:{}", "ab".repeat(32)));
    }

    #[test]
    fn that_a_run_is_over_is_kept_without_its_token() {
        // FIPS 180-2, appendix B.1.
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(over_key("abc"), format!("over:{abc}"));
    }

    #[test]
    fn long_names_are_hashed_and_stay_within_the_bound() {
        let keys = Keys::new(&"s".repeat(64), &"r".repeat(22));
        let long = "é".repeat(100);
        let key = keys.edge(&long, "Ann");
        assert!(key.len() <= KEY_BYTES_MAX, "{}", key.len());
        assert_ne!(key, keys.edge("Ann", &long));
        assert!(key.contains(":edge:") && !key.contains('%'));
    }
}
