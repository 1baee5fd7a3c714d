//! Wikidata's numbers, which say who is meant.

use std::fmt;

/// The most digits of a number: Wikidata has some hundred million items.
const DIGITS_MAX: usize = 12;

/// The number of an item of Wikidata, `Q42`: one person, whatever their names.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct WikidataNumber(String);

impl WikidataNumber {
    /// Reads `Q` and digits without a leading zero; a small `q` and spaces around it are taken, too.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().strip_prefix(['Q', 'q'])?;
        let is_number = (1..=DIGITS_MAX).contains(&digits.len())
            && !digits.starts_with('0')
            && digits.bytes().all(|byte| byte.is_ascii_digit());
        is_number.then(|| Self(format!("Q{digits}")))
    }

    /// Reads the number out of the address of a page about a person, `www.wikidata.org/wiki/Q42`,
    /// with or without a scheme.
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

    /// Returns the number as text, like `Q42`.
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
