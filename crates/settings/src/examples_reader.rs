//! Reads the pairs that the page offers to a visitor who has none in mind.

use crate::reader::SettingsReader;

/// The most pairs: nobody looks through more than these.
const PAIRS_MAX: usize = 12;
/// The longest name that a run may be asked for.
const NAME_CHARS_MAX: usize = 100;
/// The pairs without `EXAMPLES`: people whom a recogniser knows, and of whom there are many photos.
const DEFAULT: &str = "Angela Merkel | Beyoncé; Lionel Messi | Jane Goodall; Keanu Reeves | Malala Yousafzai; \
                       Meryl Streep | Serena Williams; Bill Gates | Rihanna";

impl<F: Fn(&str) -> Option<String>> SettingsReader<F> {
    /// Reads `EXAMPLES`: `NAME | NAME; NAME | NAME`.
    pub(crate) fn examples(&mut self) -> Vec<(String, String)> {
        let text = self.text_or("EXAMPLES", DEFAULT);
        let pairs = text
            .split(';')
            .map(str::trim)
            .filter(|pair| !pair.is_empty());
        let pairs: Option<Vec<_>> = pairs.map(pair).collect();
        match pairs {
            Some(pairs) if pairs.len() <= PAIRS_MAX => pairs,
            _ => {
                let what = format!(
                    "must be up to {PAIRS_MAX} pairs of names of at most {NAME_CHARS_MAX} characters, \
                     like NAME | NAME; NAME | NAME"
                );
                self.note_wrong("EXAMPLES", &what);
                Vec::new()
            }
        }
    }
}

fn pair(text: &str) -> Option<(String, String)> {
    let (a, b) = text.split_once('|')?;
    let name = |text: &str| {
        let text = text.trim();
        let is_name =
            !text.is_empty() && !text.contains('|') && text.chars().count() <= NAME_CHARS_MAX;
        is_name.then(|| text.to_owned())
    };
    Some((name(a)?, name(b)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bindings::Bindings;

    fn read(examples: &str) -> (Vec<(String, String)>, usize) {
        let lookup = |name: &str| (name == "EXAMPLES").then(|| examples.to_owned());
        let mut reader = SettingsReader::new(lookup, Bindings::default());
        let pairs = reader.examples();
        (pairs, reader.into_wrong().len())
    }

    #[test]
    fn pairs_are_read() {
        let (pairs, wrong) = read(" Ann | Bob ;Cat|Dan; ");
        let expected = [("Ann", "Bob"), ("Cat", "Dan")];
        assert_eq!(pairs, expected.map(|(a, b)| (a.to_owned(), b.to_owned())));
        assert_eq!(wrong, 0);
        assert_eq!(read("").0.len(), 5);
    }

    #[test]
    fn what_is_no_pair_is_told() {
        let many = "A | B;".repeat(PAIRS_MAX + 1);
        let long = format!("A | {}", "x".repeat(NAME_CHARS_MAX + 1));
        for wrong in ["Ann", "Ann | ", "Ann | Bob | Cat", &many, &long] {
            assert_eq!(read(wrong), (Vec::new(), 1), "{wrong}");
        }
    }
}
