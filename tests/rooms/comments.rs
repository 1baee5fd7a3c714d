//! Doc comments begin with none of five openers that leave the reader without a subject.

use super::checks::Finding;
use super::{check, code_files};

/// The first words after which a reader has to look for the subject.
const NO_SUBJECT: [&str; 5] = ["Of", "The same", "Who", "Whoever", "None where"];
/// The marks of a doc comment, and of one that goes on in JavaScript.
const MARKS: [&str; 4] = ["///", "//!", "/**", "*"];

/// The mark and the words of a line of a doc comment.
fn doc_line(line: &str) -> Option<(&str, &str)> {
    let line = line.trim();
    let mark = MARKS.iter().find(|mark| line.starts_with(**mark))?;
    Some((mark, line[mark.len()..].trim()))
}

/// Whether a comment's first sentence has no subject of its own.
fn lacks_subject(words: &str) -> bool {
    NO_SUBJECT.iter().any(|first| {
        let rest = words.strip_prefix(first);
        rest.is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()))
    })
}

fn faults(file: &str, source: &str) -> Vec<Finding> {
    let mut found = Vec::new();
    // The mark of the line before, where words stood after it.
    let mut goes_on = None;
    for (number, line) in (1..).zip(source.lines()) {
        let (mark, words) = doc_line(line).unwrap_or_default();
        let begins = goes_on.is_none() || mark == "/**" || (mark != "*" && goes_on != Some(mark));
        if !mark.is_empty() && begins && lacks_subject(words) {
            found.push(Finding {
                file: format!("{file}:{number}"),
                fault: words.to_owned(),
            });
        }
        goes_on = (!words.is_empty()).then_some(mark);
    }
    found
}

#[test]
fn doc_comments_begin_with_their_subject() {
    let files = code_files();
    let found = files.iter().flat_map(|(file, source)| faults(file, source));
    check("these have no subject", found);
}

#[test]
fn a_comment_without_a_subject_is_found_wherever_it_stands() {
    for (source, count) in [
        ("/// Of a name.\nfn a() {}", 1),
        ("//! The same, twice.", 1),
        ("    /// Whoever asks.", 1),
        ("/** Who asks. */", 1),
        ("/**\n * Of a name.\n */", 1),
        (
            "/// One.\nfn a() {}\n/// None where there is none.\nfn b() {}",
            1,
        ),
        ("/// One.\n///\n/// Of a paragraph, its first word.", 1),
        ("/// A name\n/// Of a sentence that goes on.", 0),
        ("/**\n * A name\n * Who goes on.\n */", 0),
        ("/// Offers a name.\n/// Whole.", 0),
        ("// Of what is no doc comment.", 0),
        ("let text = \"Of a name\";", 0),
    ] {
        assert_eq!(faults("a", source).len(), count, "{source}");
    }
}
