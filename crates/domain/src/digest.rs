//! Digests, by which photos are known again, and answers and files are checked.

use std::fmt;

use sha2::{Digest as _, Sha256};

/// A SHA-256, as 64 hexadecimal digits in lower case.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Sha256Digest(String);

impl Sha256Digest {
    /// Returns the digest of these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self::new(Sha256::digest(bytes).into())
    }

    /// Takes 32 bytes that are a digest already.
    #[must_use]
    pub fn new(sha256: [u8; 32]) -> Self {
        use fmt::Write as _;
        let mut hex = String::with_capacity(64);
        for byte in sha256 {
            // Writing to a String cannot fail.
            let _ = write!(hex, "{byte:02x}");
        }
        Self(hex)
    }

    /// Reads 64 hexadecimal digits in lower case. Returns `None` where the text is anything else.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// Returns the 64 digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Sha256Digest {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
