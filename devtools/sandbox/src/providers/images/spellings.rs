//! Other spellings of names: with initials, with the surname first, in Cyrillic letters.

use unicode_normalization::UnicodeNormalization as _;

/// The Cyrillic letters for Latin ones; pairs come before single letters.
const LETTERS: [(&str, &str); 34] = [
    ("ch", "ч"),
    ("ck", "к"),
    ("kh", "х"),
    ("ph", "ф"),
    ("sh", "ш"),
    ("th", "т"),
    ("ya", "я"),
    ("zh", "ж"),
    ("a", "а"),
    ("b", "б"),
    ("c", "к"),
    ("d", "д"),
    ("e", "е"),
    ("f", "ф"),
    ("g", "г"),
    ("h", "х"),
    ("i", "и"),
    ("j", "дж"),
    ("k", "к"),
    ("l", "л"),
    ("m", "м"),
    ("n", "н"),
    ("o", "о"),
    ("p", "п"),
    ("q", "к"),
    ("r", "р"),
    ("s", "с"),
    ("t", "т"),
    ("u", "у"),
    ("v", "в"),
    ("w", "в"),
    ("x", "кс"),
    ("y", "и"),
    ("z", "з"),
];

/// Returns a name with an initial for each capitalised word before the last: `J. de la Fontaine`.
pub(super) fn with_initials(name: &str) -> String {
    let mut words: Vec<&str> = name.split_whitespace().collect();
    let Some(last) = words.pop() else {
        return String::new();
    };
    let mut shortened = String::new();
    for word in words {
        match word.chars().next().filter(|first| first.is_uppercase()) {
            Some(first) => shortened.extend([first, '.']),
            None => shortened.push_str(word),
        }
        shortened.push(' ');
    }
    shortened + last
}

/// Returns a name with its last word first. A single word is unchanged.
pub(super) fn surname_first(name: &str) -> String {
    match name.rsplit_once(' ') {
        Some((others, last)) => format!("{last}, {others}"),
        None => name.to_owned(),
    }
}

/// Returns a name in Cyrillic letters, followed by the Latin name in brackets.
pub(super) fn in_both_scripts(name: &str) -> String {
    format!("{} ({name})", in_cyrillic(name))
}

/// Returns a name in Cyrillic letters. Characters that the table lacks are unchanged.
pub(super) fn in_cyrillic(name: &str) -> String {
    let letters: String = name.chars().map(without_accent).collect();
    let (mut rest, mut written) = (letters.as_str(), String::new());
    while let Some(first) = rest.chars().next() {
        let begins = |latin: &str| {
            let beginning = rest.get(..latin.len());
            beginning.is_some_and(|beginning| beginning.eq_ignore_ascii_case(latin))
        };
        let length = match LETTERS.iter().find(|(latin, _)| begins(latin)) {
            Some((latin, cyrillic)) if first.is_uppercase() => {
                let mut letters = cyrillic.chars();
                written.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                written.push_str(letters.as_str());
                latin.len()
            }
            Some((latin, cyrillic)) => {
                written.push_str(cyrillic);
                latin.len()
            }
            None => {
                written.push(first);
                first.len_utf8()
            }
        };
        rest = rest.get(length..).unwrap_or_default();
    }
    written
}

/// Returns a letter without its accent; every other character is unchanged.
fn without_accent(letter: char) -> char {
    let first = std::iter::once(letter).nfd().next();
    let plain = first.filter(char::is_ascii_alphabetic);
    plain.unwrap_or(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_shortened_and_turned_as_libraries_do() {
        assert_eq!(with_initials("Lady Catherine de Bourgh"), "L. C. de Bourgh");
        assert_eq!(with_initials("R. M. Renfield"), "R. M. Renfield");
        assert_eq!(surname_first("Milady de Winter"), "Winter, Milady de");
        assert_eq!([with_initials("Buck"), surname_first("Buck")], ["Buck"; 2]);
    }

    #[test]
    fn names_are_written_by_their_letters() {
        for (name, expected) in [
            ("Emma Woodhouse", "Емма Воодхоусе"),
            ("John Thornton", "Джохн Торнтон"),
            ("Éponine Thénardier", "Епонине Тенардиер"),
            ("Mary Yates", "Мари Ятес"),
            ("R. M. d'Artagnan", "Р. М. д'Артагнан"),
            ("Member 0012", "Мембер 0012"),
            ("李小龍", "李小龍"),
            ("", ""),
        ] {
            assert_eq!(in_cyrillic(name), expected);
        }
    }
}
