//! Matches the sentence of a task with templates that have names in braces.
//!
//! The sentence is not understood any further, so a task whose sentence matches no template is not solved.

use super::deeds::Texts;

/// Returns the values of the names in the first template that matches a sentence. A template looks like `Click on the
/// "{NAME}" button.` A name that only occurs in other templates gets a blank, since a parameter has at least one
/// character.
pub(super) fn read(templates: &[String], sentence: &str) -> Option<Texts> {
    let names = templates.iter().flat_map(|template| names(template));
    let mut texts: Texts = names
        .map(|name| (name.to_owned(), " ".to_owned()))
        .collect();
    let mut read = templates
        .iter()
        .map(|template| read_one(template, sentence));
    texts.extend(read.find_map(|texts| texts)?);
    Some(texts)
}

fn names(template: &str) -> impl Iterator<Item = &str> {
    let pieces = template.split('{').skip(1);
    pieces.filter_map(|piece| Some(piece.split_once('}')?.0))
}

fn read_one(template: &str, sentence: &str) -> Option<Texts> {
    let mut texts = Texts::new();
    let mut pieces = template.split('{');
    let mut rest = sentence.strip_prefix(pieces.next()?)?;
    let mut pieces = pieces.peekable();
    while let Some(piece) = pieces.next() {
        let (name, after) = piece.split_once('}')?;
        let end = if pieces.peek().is_none() {
            // The last value of a template ends where the template's last words begin.
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
        let templates = ["Take {A} and {B}.", "Take {A}."].map(str::to_owned);
        let texts = read(&templates, "Take x.").unwrap();
        assert_eq!((texts["A"].as_str(), texts["B"].as_str()), ("x", " "));
    }
}
