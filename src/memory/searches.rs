//! The statements for answers of image searches: the one that looks for an answer, and those that keep one.

use domain::{RememberedSearch, SearchToRemember, Sha256Digest};
use platform::WantedAnswers;

use super::statement::{IS_OF_VERSION, Parameter, Statement};

/// The most answers that are kept; the oldest give way.
pub(super) const SEARCHES_MAX: usize = 1_000;

/// Returns the question for the answer to the request of this digest: see [`read_search`].
#[must_use]
pub fn search_answer(question: &Sha256Digest, wanted: &WantedAnswers) -> Statement {
    let sql = "SELECT json_array(at_ms, body) AS json FROM searches \
               WHERE question = ?1 AND at_ms >= ?2 AND at_ms < ?3";
    let times = [wanted.searches_since_ms, wanted.before_ms].map(Parameter::Number);
    let question = Parameter::text(question.as_str());
    Statement::new(sql, [vec![question], times.into()].concat())
}

/// Reads the answer of an image search back. Returns `None` for what this program did not write.
#[must_use]
pub fn read_search(json: &str) -> Option<RememberedSearch> {
    let (at_ms, body) = serde_json::from_str(json).ok()?;
    Some(RememberedSearch { at_ms, body })
}

/// Returns the statements that keep an answer in the place of an older one, and drop those whose time is over.
pub(super) fn kept(search: &SearchToRemember) -> [Statement; 2] {
    let keep = format!(
        "INSERT OR REPLACE INTO searches (question, at_ms, until_ms, body) SELECT ?1, ?2, ?3, ?4 \
         WHERE {IS_OF_VERSION} AND NOT EXISTS (SELECT 1 FROM searches WHERE question = ?1 AND at_ms >= ?2)"
    );
    let drop = format!(
        "DELETE FROM searches WHERE (until_ms <= ?1 \
         OR number <= (SELECT max(number) FROM searches) - {SEARCHES_MAX}) AND {IS_OF_VERSION}"
    );
    let answer = vec![
        Parameter::text(search.question.as_str()),
        Parameter::Number(search.answer.at_ms),
        Parameter::Number(search.until_ms),
        Parameter::text(&search.answer.body),
    ];
    [
        Statement::new(keep, answer),
        Statement::new(drop, vec![Parameter::Number(search.answer.at_ms)]),
    ]
}
