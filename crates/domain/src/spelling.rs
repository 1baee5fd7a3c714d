//! Folds names, so that they can be compared regardless of case, accents, punctuation and spellings.

use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

/// The most capital letters of a name that may be initials, such as "MIA".
const INITIALS_MAX: usize = 4;

/// Words that are too common to distinguish names: articles, particles and suffixes.
const COMMON_WORDS: [&str; 24] = [
    "al", "bin", "bint", "da", "de", "del", "della", "den", "der", "di", "dos", "du", "el", "ibn",
    "jr", "la", "le", "of", "sr", "st", "the", "van", "von", "y",
];

// The table of traditional Chinese characters with their simplified forms, sorted for binary search. `build.rs` makes
// it.
include!(concat!(env!("OUT_DIR"), "/simplified.rs"));

/// Folds case, accents, punctuation and spaces, so that `"Éponine  Thénardier"` equals
/// `"eponine thenardier"` and `"J. K. Rowling"` equals `"JK Rowling"`.
///
/// Word boundaries are kept, so that "Ann Alee" is not "Anna Lee". Likewise, initials that are the whole name stay
/// separate, so that "M.I.A." is not "Mia". Some names have several folded forms, which [`spellings`] returns.
#[must_use]
pub fn fold(name: &str) -> String {
    Spelling::default().fold(name)
}

/// Returns every folded form of a name, beginning with the result of [`fold`]. Two names are spellings of one name if
/// they share a form. Examples are `JayZ` and `JAY-Z`, `Oersted` and `Ørsted`, `Neymar Jr.` and `Neymar`.
#[must_use]
pub fn spellings(name: &str) -> Vec<String> {
    let mut forms: Vec<String> = Vec::new();
    let mut add = |form: String| {
        if !forms.contains(&form) {
            forms.push(form);
        }
    };
    // Most names have only one form. So a choice is tried both ways only if it may matter for the name.
    let both = |may_matter: bool| -> &'static [bool] {
        if may_matter { &[false, true] } else { &[false] }
    };
    let mut pairs = name.chars().zip(name.chars().skip(1));
    let has_capital_inside = pairs.any(|(one, next)| one.is_lowercase() && next.is_uppercase());
    let marks = both(!name.is_ascii()).iter().flat_map(|one| {
        both(!name.is_ascii())
            .iter()
            .map(move |other| (*one, *other))
    });
    for (has_long_umlauts, has_long_rings) in marks {
        for has_hyphens_left_out in both(name.contains(is_hyphen)) {
            for parts_at_capitals in both(has_capital_inside) {
                let spelling = Spelling {
                    has_long_umlauts,
                    has_long_rings,
                    has_hyphens_left_out: *has_hyphens_left_out,
                    parts_at_capitals: *parts_at_capitals,
                };
                let form = spelling.fold(name);
                // The suffix "Jr." of a one-word name is often left out. If several words remain without it, they may
                // be the name of the person's father, so that form is not added.
                let bare = form.strip_suffix(" jr").map(str::to_owned);
                add(form);
                bare.filter(|bare| !bare.contains(' ')).map(&mut add);
            }
        }
    }
    if is_initials(name) {
        add(join(
            name.chars().flat_map(char::to_lowercase).map(String::from),
        ));
    }
    forms
}

/// Returns whether two names are spellings of one name.
#[must_use]
pub fn is_one_name(one: &str, other: &str) -> bool {
    let others = spellings(other);
    spellings(one).iter().any(|form| others.contains(form))
}

fn is_initials(name: &str) -> bool {
    let letters = name.chars().count();
    (2..=INITIALS_MAX).contains(&letters) && name.chars().all(char::is_uppercase)
}

/// Returns whether two folded names share a distinctive word. "Madonna" and "Madonna Louise Ciccone" do; "John of Kent"
/// and "Joan of Arc" do not. Initials count only in names that consist of initials alone.
#[must_use]
pub fn share_a_word(one: &str, other: &str) -> bool {
    let (one, other) = (telling_words(one), telling_words(other));
    one.iter().any(|word| other.contains(word))
}

fn telling_words(folded: &str) -> Vec<&str> {
    let is_initial = |word: &str| word.len() == 1;
    let is_common = |word: &&str| is_initial(word) || COMMON_WORDS.contains(word);
    let (common, telling): (Vec<_>, Vec<_>) = folded.split(' ').partition(is_common);
    if telling.is_empty() { common } else { telling }
}

/// Returns whether a character is part of a word without being a letter. Examples are apostrophes and combining marks.
#[must_use]
pub fn is_inside_word(character: char) -> bool {
    is_silent(character) || is_combining_mark(character)
}

/// Returns whether a character inside a word is ignored, as apostrophes in their many forms and invisible characters
/// are.
fn is_silent(character: char) -> bool {
    matches!(
        character,
        '\'' | '`' | '´' | '\u{AD}' | '\u{2B9}'..='\u{2BF}' | '\u{2CA}' | '\u{2CB}' | '\u{2EE}' | '\u{55A}'
            | '\u{5F3}' | '\u{200C}' | '\u{200D}' | '\u{2018}'..='\u{201B}' | '\u{2032}' | '\u{A78B}' | '\u{A78C}'
            | '\u{FF07}'
    )
}

/// Returns whether a mark is an accent of Latin, Greek or Cyrillic letters. In other scripts, marks are not accents
/// but make different letters, as vowel signs do.
fn is_accent(mark: char) -> bool {
    matches!(mark, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{487}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}')
}

/// Returns whether a mark only selects how a character is drawn.
fn is_variation(mark: char) -> bool {
    matches!(mark, '\u{FE00}'..='\u{FE0F}' | '\u{E0100}'..='\u{E01EF}')
}

/// Returns whether a character separates words that may also be written as one word. Such characters are hyphens, and
/// the dot between the parts of a foreign name in Chinese or Japanese.
fn is_hyphen(character: char) -> bool {
    matches!(
        character,
        '-' | '·' | '\u{2010}'..='\u{2013}' | '\u{2027}' | '\u{2212}' | '\u{30FB}'
    )
}

/// Returns the simplified form of a Chinese character. Any other character is returned unchanged.
fn simplified(character: char) -> char {
    let place = SIMPLIFIED.binary_search_by_key(&character, |(traditional, _)| *traditional);
    let found = place.ok().and_then(|place| SIMPLIFIED.get(place));
    found.map_or(character, |(_, simplified)| *simplified)
}

/// The choices in folding a name. A name with several usual forms is folded once for each combination.
#[derive(Debug, Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a choice of its own")]
struct Spelling {
    /// Whether `ö` becomes `oe` instead of `o`.
    has_long_umlauts: bool,
    /// Whether `å` becomes `aa` instead of `a`.
    has_long_rings: bool,
    /// Whether `Jay-Z` is one word instead of two.
    has_hyphens_left_out: bool,
    /// Whether `JayZ` is two words instead of one.
    parts_at_capitals: bool,
}

impl Spelling {
    fn fold(self, name: &str) -> String {
        let heard = name.chars().filter(|letter| !is_silent(*letter));
        if name.is_ascii() {
            // Most names have nothing to simplify or to decompose. Skipping these steps saves half of the time.
            return self.fold_letters(heard);
        }
        self.fold_letters(heard.map(simplified).nfkd())
    }

    fn fold_letters(self, letters: impl Iterator<Item = char>) -> String {
        let mut letters = letters.peekable();
        let mut words = Words::default();
        while let Some(letter) = letters.next() {
            let is_in_word = !words.word.is_empty();
            let is_before_letter = letters.peek().is_some_and(|next| next.is_alphanumeric());
            match letter {
                '$' if is_in_word || is_before_letter => words.word.push('s'),
                '!' if is_in_word && is_before_letter => words.word.push('i'),
                '@' if is_in_word && is_before_letter => words.word.push('a'),
                letter if letter.is_ascii_alphanumeric() => words.letter(letter, self),
                mark if is_combining_mark(mark) => words.mark(mark, self),
                letter if letter.is_alphanumeric() => words.letter(letter, self),
                hyphen if is_hyphen(hyphen) && self.has_hyphens_left_out => {}
                silent if is_silent(silent) => {}
                _ => words.end(),
            }
        }
        words.end();
        words.into_name()
    }
}

/// The words of a name that is being folded.
#[derive(Default)]
struct Words {
    ended: Vec<String>,
    word: String,
    /// The preceding character of the name, before folding.
    before: Option<char>,
}

impl Words {
    fn letter(&mut self, letter: char, spelling: Spelling) {
        if spelling.parts_at_capitals
            && letter.is_uppercase()
            && self.before.is_some_and(char::is_lowercase)
        {
            self.end();
        }
        self.before = Some(letter);
        if letter.is_ascii() {
            self.word.push(letter.to_ascii_lowercase());
            return;
        }
        for lower in letter.to_lowercase() {
            match lower {
                'ø' if spelling.has_long_umlauts => self.word.push_str("oe"),
                'ø' => self.word.push('o'),
                'ł' => self.word.push('l'),
                'đ' | 'ð' => self.word.push('d'),
                'ħ' => self.word.push('h'),
                'ı' => self.word.push('i'),
                'ə' => self.word.push('a'),
                'ς' => self.word.push('σ'),
                'ß' => self.word.push_str("ss"),
                'æ' => self.word.push_str("ae"),
                'œ' => self.word.push_str("oe"),
                'þ' => self.word.push_str("th"),
                other => self.word.push(other),
            }
        }
    }

    fn mark(&mut self, mark: char, spelling: Spelling) {
        const DIAERESIS: char = '\u{308}';
        const RING: char = '\u{30A}';
        if !is_accent(mark) {
            // A mark that does not follow a letter is ignored.
            if !self.word.is_empty() && !is_variation(mark) {
                self.word.push(mark);
            }
            return;
        }
        match (mark, self.before) {
            (DIAERESIS, Some('a' | 'A' | 'o' | 'O' | 'u' | 'U')) if spelling.has_long_umlauts => {
                self.word.push('e');
            }
            (RING, Some('a' | 'A')) if spelling.has_long_rings => self.word.push('a'),
            _ => {}
        }
    }

    fn end(&mut self) {
        self.before = None;
        if !self.word.is_empty() {
            self.ended.push(std::mem::take(&mut self.word));
        }
    }

    fn into_name(self) -> String {
        let mut words = self.ended;
        if let [_, .., last] = &mut words[..] {
            match last.as_str() {
                "junior" => "jr".clone_into(last),
                "senior" => "sr".clone_into(last),
                _ => {}
            }
        }
        if words.iter().all(|word| is_initial(word)) {
            return join(words);
        }
        join_initials(words)
    }
}

fn is_initial(word: &str) -> bool {
    let mut letters = word.chars();
    letters.next().is_some_and(char::is_lowercase) && letters.next().is_none()
}

fn join(words: impl IntoIterator<Item = String>) -> String {
    words.into_iter().collect::<Vec<_>>().join(" ")
}

/// Joins neighbouring initials (single letters) into one word: `j k rowling` becomes `jk rowling`.
fn join_initials(words: Vec<String>) -> String {
    let mut joined = String::new();
    let mut after_single = false;
    for word in words {
        let is_single = word.chars().count() == 1;
        let continues_initials = after_single && is_single;
        if !joined.is_empty() && !continues_initials {
            joined.push(' ');
        }
        joined.push_str(&word);
        after_single = is_single;
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn same(left: &str, right: &str) {
        assert_eq!(fold(left), fold(right), "{left:?} and {right:?}");
    }

    #[track_caller]
    fn different(left: &str, right: &str) {
        assert_ne!(fold(left), fold(right), "{left:?} and {right:?}");
    }

    #[test]
    fn spellings_of_one_name_fold_equal() {
        same("Éponine  Thénardier", "eponine thenardier");
        same("J. K. Rowling", "JK Rowling");
        same("J.K. Rowling", "jk rowling");
        same("Jean-Luc Picard", "Jean Luc Picard");
        same("Sinéad O'Connor", "Sinead O’Connor");
        same("Søren Łukasz", "Soren Lukasz");
        same("STRAẞE", "Strasse");
        same("İstanbul", "istanbul");
        same("ﬁona", "fiona");
        same("プリンス", "ﾌﾟﾘﾝｽ");
        same("각", "\u{1100}\u{1161}\u{11A8}");
        same("葛\u{E0100}城", "葛城");
    }

    #[test]
    fn marks_in_any_order_are_left_out() {
        assert_eq!(fold("A\u{323}\u{301}\u{315}b\u{34F}\u{301}ﬃ"), "abffi");
        assert_eq!(fold("\u{93E}म"), "म");
    }

    #[test]
    fn other_people_stay_other() {
        different("Prince Harry", "Prince William");
        different("Chris Rock", "Kid Rock");
        different("Ann Alee", "Anna Lee");
        different("Jane Bennet", "Mary Jane Bennet");
    }

    #[test]
    fn every_folded_form_is_its_own() {
        for name in [
            "will.i.am",
            "M.I.A.",
            "Ørsted Müller-Åse",
            "Joey Bada$$",
            "राम",
            "李小龍",
            "Neymar Jr.",
        ] {
            for form in spellings(name) {
                assert_eq!(fold(&form), form, "{name}");
            }
        }
    }

    #[test]
    fn names_of_one_person_share_a_word() {
        #[track_caller]
        fn check(one: &str, other: &str, expected: bool) {
            let (one, other) = (fold(one), fold(other));
            assert_eq!(share_a_word(&one, &other), expected, "{one} and {other}");
            assert_eq!(share_a_word(&other, &one), expected, "{other} and {one}");
        }
        check("Madonna", "Madonna Louise Ciccone", true);
        check("J. K. Rowling", "Joanne Rowling", true);
        check("Beyonc\u{e9}", "Beyonce Knowles-Carter", true);
        check("Jeff Bezos", "Jeffrey P. Bezos", true);
        check("Prince", "Prince Rogers Nelson", true);
        check("Ang Lee", "Lee Ang", true);
        check("The The", "the the", true);
        check("Kanye West", "Ye", false);
        check("J. Smith", "J. Jones", false);
        check("Robert De Niro", "Danny de Vito", false);
        check("The Rock", "The Weeknd", false);
        check("Ludwig van Beethoven", "Vincent van Gogh", false);
        check("", "", true);
    }
}
