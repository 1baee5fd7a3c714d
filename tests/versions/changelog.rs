//! The sections of the changelog.

use super::version::Version;

/// Returns the versions of the sections, the newest first, without an unreleased first one. Fails if a heading is not
/// `## VERSION (DATE)`, or the order is wrong.
pub fn sections(text: &str) -> Result<Vec<Version>, String> {
    let headings = text.lines().filter_map(|line| line.strip_prefix("## "));
    let headings = headings.skip_while(|heading| heading.ends_with(" (not released yet)"));
    let sections: Vec<(Version, &str)> = headings.map(section).collect::<Result<_, _>>()?;
    let is_falling = sections.is_sorted_by(|newer, older| newer.0 > older.0 && newer.1 >= older.1);
    if !is_falling {
        return Err("CHANGELOG.md: the newest section stands first.".to_owned());
    }
    Ok(sections.into_iter().map(|(version, _)| version).collect())
}

fn section(heading: &str) -> Result<(Version, &str), String> {
    let parts = heading.split_once(" (");
    let parts =
        parts.and_then(|(version, date)| Some((Version::parse(version)?, date.strip_suffix(')')?)));
    let dated = parts.filter(|(_, date)| is_date(date));
    dated.ok_or_else(|| {
        format!("CHANGELOG.md: the heading '{heading}' is no version with its date.")
    })
}

/// Returns whether a text is like `2026-11-25`.
fn is_date(text: &str) -> bool {
    let shape = text
        .bytes()
        .map(|byte| if byte.is_ascii_digit() { b'0' } else { byte });
    shape.eq(*b"0000-00-00")
}
