//! The statements that keep what runs tell, and those that forget it.
//!
//! `to_keep.sql` has the photos of ?1 that are kept: those that are not forgotten for good, and of which no younger answer
//! is kept. In `keep.sql` a photo of which the answer is 60 days younger takes the place of a better one that will soon be
//! asked for anew, unless only the better one is as sure as runs want it (80 %). `gone.sql` has the faces and pairs of photos that go. In `forget_pairs.sql` a pair's next best photo is
//! looked for among those of the one who has fewer.

use domain::{MemoryNews, PhotoToRemember, Sha256Digest};

use super::rows::photo_rows;
use super::searches;
use super::statement::{IS_OF_VERSION, Parameter, Statement};

/// The days on which a photo has to fail until it is forgotten.
pub const FAILED_DAYS_MAX: u64 = 3;
/// What stands between two statements of one file.
const BETWEEN: &str = ";\n";
/// What takes photos from the pairs whom they show.
const PAIRS: &str = include_str!("forget_pairs.sql");
const VETO: &str = "UPDATE photos SET is_vetoed = 1 WHERE digest IN (SELECT digest FROM gone)";
const IS_LISTED: &str = "digest IN (SELECT value FROM json_each(?1))";

/// Returns the statements that keep what a run tells, which go together or not at all.
#[must_use]
pub fn keeping(news: &MemoryNews) -> Vec<Statement> {
    let mut statements = kept(&news.photos);
    statements.extend(news.search.iter().flat_map(searches::kept));
    let change = |sql: String, parameters| Statement::new(sql, parameters);
    if !news.vetoed.is_empty() {
        let gone = gone_of(&format!("NOT photos.is_vetoed AND {IS_OF_VERSION}"));
        let vetoed = [Parameter::list(
            news.vetoed.iter().map(Sha256Digest::as_str),
        )];
        statements.extend(each(PAIRS, &gone, &vetoed));
        statements.extend(each(VETO, &gone, &vetoed));
    }
    if !news.failed.is_empty() {
        let failed = Parameter::list(news.failed.iter().map(Sha256Digest::as_str));
        let sql = format!(
            "UPDATE photos SET failed_days = failed_days + 1, failed_day = ?2 \
             WHERE {IS_LISTED} AND failed_day <> ?2 AND {IS_OF_VERSION}"
        );
        statements.push(change(
            sql,
            vec![failed.clone(), Parameter::Number(news.day)],
        ));
        let gone = gone_of(&format!(
            "photos.failed_days >= {FAILED_DAYS_MAX} AND {IS_OF_VERSION}"
        ));
        statements.extend(forgotten(&gone, &[failed]));
    }
    if !news.came.is_empty() {
        let came = Parameter::list(news.came.iter().map(Sha256Digest::as_str));
        let sql = format!(
            "UPDATE photos SET failed_days = 0 WHERE {IS_LISTED} AND failed_days > 0 AND {IS_OF_VERSION}"
        );
        statements.push(change(sql, vec![came]));
    }
    if news.saved_recognitions > 0 {
        let sql = "UPDATE memory SET saved_recognitions = saved_recognitions + ?1, \
                   saved_nano_usd = saved_nano_usd + ?2 WHERE version = 3";
        let saved = [news.saved_recognitions, news.saved_nano_usd];
        statements.push(change(sql.to_owned(), saved.map(Parameter::Number).into()));
    }
    statements
}

/// Returns the statements that keep photos. Of a photo that is kept already, what was kept is forgotten first.
fn kept(photos: &[PhotoToRemember]) -> Vec<Statement> {
    if photos.is_empty() {
        return Vec::new();
    }
    let rows = [Parameter::Text(photo_rows(photos))];
    let to_keep = include_str!("to_keep.sql");
    let gone = format!(
        "{to_keep}, gone AS (SELECT photos.digest, photos.people, photos.is_vetoed \
         FROM to_keep CROSS JOIN photos ON photos.digest = to_keep.digest),\n{}",
        include_str!("gone.sql")
    );
    let mut statements = forgotten(&gone, &rows);
    statements.extend(each(include_str!("keep.sql"), to_keep, &rows));
    statements
}

/// Returns the statements that forget the photos of these digests, which are not kept again. Nor is any photo of the
/// person of this id, where one is given.
#[must_use]
pub fn forgetting(digests: &[Sha256Digest], person: Option<&str>) -> Vec<Statement> {
    let listed = Parameter::list(digests.iter().map(Sha256Digest::as_str));
    let person = person.map(|id| Sha256Digest::of(id.as_bytes()));
    let marks = digests.iter().chain(&person).map(Sha256Digest::as_str);
    let sql = format!(
        "INSERT OR IGNORE INTO forgotten (digest) SELECT value FROM json_each(?1) WHERE {IS_OF_VERSION}"
    );
    let mut statements = vec![Statement::new(sql, vec![Parameter::list(marks)])];
    let gone = gone_of(IS_OF_VERSION);
    statements.extend(forgotten(&gone, &[listed]));
    // What was found says who is in it, too.
    let searches = format!("DELETE FROM searches WHERE {IS_OF_VERSION}");
    statements.push(Statement::new(searches, Vec::new()));
    statements
}

/// Returns the question for the digest of a photo, if the photo is kept.
#[must_use]
pub fn photo(digest: &Sha256Digest) -> Statement {
    Statement::new(
        "SELECT digest AS json FROM photos WHERE digest = ?1",
        vec![Parameter::text(digest.as_str())],
    )
}

/// Returns the question for digests of photos that show somebody: a list of at most so many.
#[must_use]
pub fn photos_of(person: &str, photos_max: u64) -> Statement {
    Statement::new(
        "SELECT json_group_array(digest) AS json FROM (SELECT digest FROM faces WHERE person = ?1 LIMIT ?2)",
        vec![Parameter::text(person), Parameter::Number(photos_max)],
    )
}

/// Returns the beginning of a statement about the photos that ?1 lists, of which this is true.
fn gone_of(condition: &str) -> String {
    format!(
        "WITH gone AS (SELECT photos.digest, photos.people, photos.is_vetoed FROM photos \
         WHERE {IS_LISTED} AND {condition}),\n{}",
        include_str!("gone.sql")
    )
}

/// Returns the statements that forget the photos of this beginning.
fn forgotten(gone: &str, parameters: &[Parameter]) -> Vec<Statement> {
    let mut statements = each(PAIRS, gone, parameters);
    statements.extend(each(include_str!("forget_photos.sql"), gone, parameters));
    statements
}

/// Returns each statement of a file behind this beginning, with these values.
fn each(file: &str, beginning: &str, parameters: &[Parameter]) -> Vec<Statement> {
    let statements = file.split(BETWEEN);
    let statements =
        statements.map(|sql| Statement::new(format!("{beginning}\n{sql}"), parameters.to_vec()));
    statements.collect()
}
