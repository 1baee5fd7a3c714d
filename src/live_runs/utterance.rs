//! The reading of a task's sentence: a template with names in braces, and the words that stand in their places.
//!
//! Nothing is understood here. A sentence that fits no template of its task is not solved.

use super::deeds::Texts;

/// Returns the words of a sentence by the names of the first template that it fits. A template is like
/// `Click on the "{NAME}" button.`
pub(super) fn read(templates: &[String], sentence: &str) -> Option<Texts> {
    templates
        .iter()
        .find_map(|template| read_one(template, sentence))
}

fn read_one(template: &str, sentence: &str) -> Option<Texts> {
    let mut texts = Texts::new();
    let mut pieces = template.split('{');
    let mut rest = sentence.strip_prefix(pieces.next()?)?;
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let (name, after) = piece.split_once('}')?;
        let end = if pieces.peek().is_none() {
            // The last words reach as far as they can: what follows them ends the sentence.
            rest.len().checked_sub(after.len())?
        } else if after.is_empty() {
            return None;
        } else {
            rest.find(after)?
        };
        let words = rest.get(..end)?;
        rest = rest.get(end..)?.strip_prefix(after)?;
        texts.insert(name.to_owned(), words.to_owned());
    }
    rest.is_empty().then_some(texts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(template: &str, sentence: &str, expected: Option<&[(&str, &str)]>) {
        let expected = expected.map(|texts| {
            let owned = texts
                .iter()
                .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
            owned.collect()
        });
        assert_eq!(read(&[template.to_owned()], sentence), expected);
    }

    #[test]
    fn words_stand_where_the_template_names_them() {
        check(
            "Click the {NAME}.",
            "Click the big. red box.",
            Some(&[("NAME", "big. red box")]),
        );
        check(
            "Type {A} and {B}",
            "Type x and y and z",
            Some(&[("A", "x"), ("B", "y and z")]),
        );
        check("Go.", "Go.", Some(&[]));
        check("Go.", "Go. Now.", None);
        check("Click {NAME}.", "Press x.", None);
        check("Click {NAME}.", "Click x", None);
        check("{A}{B}", "ab", None);
    }
}
