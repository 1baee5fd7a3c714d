//! Counts how many cases match.

use serde::Serialize;

/// How many cases match, and which do not.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CaseFigures {
    /// The number of cases.
    pub cases: usize,
    /// The number of cases that match.
    pub equal: usize,
    /// The names of the cases that differ.
    pub different: Vec<String>,
}

impl CaseFigures {
    /// Counts cases, given as pairs of the name and the difference; `None` means that the case matches. Reports each
    /// difference to `tell`.
    pub fn count<'case>(
        cases: impl Iterator<Item = (&'case str, Option<String>)>,
        mut tell: impl FnMut(&str),
    ) -> Self {
        let mut figures = Self::default();
        for (name, difference) in cases {
            figures.cases += 1;
            match difference {
                None => figures.equal += 1,
                Some(what) => {
                    tell(&format!("{name} {what}"));
                    figures.different.push(name.to_owned());
                }
            }
        }
        figures
    }

    /// Returns the last lines of a program's output: the figures as a sentence, followed by a line of JSON if
    /// `has_json`.
    #[must_use]
    pub fn report(&self, has_json: bool) -> String {
        let sentence = format!("{} of {} cases are equal\n", self.equal, self.cases);
        if has_json {
            format!("{sentence}{}\n", self.to_json())
        } else {
            sentence
        }
    }

    /// Returns the figures as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // The figures only have texts and counts, so serialising them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
