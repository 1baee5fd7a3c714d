//! The figures of many cases.

use serde::Serialize;

/// The figures of many cases.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct CaseFigures {
    /// The number of cases.
    pub cases: usize,
    /// The number of cases that came out as recorded.
    pub equal: usize,
    /// The names of the cases that came out otherwise than recorded.
    pub different: Vec<String>,
}

impl CaseFigures {
    /// Counts cases, each with its name and with how it differs from what is recorded, if it does; tells each
    /// difference.
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

    /// Returns the figures as one sentence.
    #[must_use]
    pub fn sentence(&self) -> String {
        format!("{} of {} cases are equal", self.equal, self.cases)
    }

    /// Returns the figures as one line of JSON.
    #[must_use]
    pub fn to_json(&self) -> String {
        // The figures are texts and counts, so writing them cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}
