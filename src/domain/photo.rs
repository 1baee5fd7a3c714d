//! Photos as the image search offers them.

use std::fmt;

/// One result of an image search.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The address of the original.
    pub image_url: String,
    /// The search engine's smaller copy, the second choice when the photo cannot be had.
    pub thumbnail_url: Option<String>,
    /// The page that shows the photo.
    pub context_url: Option<String>,
    /// The page's or photo's title, for people.
    pub title: String,
}

/// The SHA-256 of a photo's bytes, in lower-case hexadecimal.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PhotoDigest(String);

impl PhotoDigest {
    /// The digest of these 32 bytes.
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

    /// Reads 64 hexadecimal digits in lower case.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let is_digit = |byte: u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        (text.len() == 64 && text.bytes().all(is_digit)).then(|| Self(text.to_owned()))
    }

    /// 64 hexadecimal digits.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PhotoDigest {
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
        let digest = PhotoDigest::new(bytes);
        assert_eq!(digest.as_str().len(), 64);
        assert!(digest.as_str().starts_with("ab00") && digest.as_str().ends_with("01"));
        assert_eq!(PhotoDigest::parse(digest.as_str()), Some(digest));
        assert_eq!(PhotoDigest::parse(&"AB".repeat(32)), None);
        assert_eq!(PhotoDigest::parse("ab"), None);
    }
}
