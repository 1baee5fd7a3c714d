//! Reads the dates that people write beside photos: `17 May 2009`, `2009-05-17 14:03`, `05/2009`.
//!
//! A date is read only if it is certain. Every word beside it must be known, so that no word can make it uncertain in a
//! language that is not read: `circa 1985` and `vor 1985` are no dates.
//!
//! Sources: Commons' templates `Taken on`, `According to Exif data`, `Other date`, `Original upload date` and `DTZ`, and
//! `parseFieldDateTimeOriginal` of `Extension:CommonsMetadata`, which hands on what is in their `<time>`.

use domain::{CalendarDate, fold};

use crate::plain_text::of_html;

/// The longest text that is read, in characters. Those of the templates have about 40.
const CHARS_MAX: usize = 120;
/// The folded names of the months in English, German, French, Spanish and Russian.
const MONTHS: [&[&str]; 12] = [
    &[
        "january",
        "jan",
        "januar",
        "janner",
        "janvier",
        "enero",
        "января",
        "январь",
    ],
    &[
        "february",
        "feb",
        "februar",
        "fevrier",
        "febrero",
        "февраля",
        "февраль",
    ],
    &["march", "mar", "marz", "mars", "marzo", "марта", "март"],
    &["april", "apr", "avril", "abril", "апреля", "апрель"],
    &["may", "mai", "mayo", "мая", "маи"],
    &["june", "jun", "juni", "juin", "junio", "июня", "июнь"],
    &["july", "jul", "juli", "juillet", "julio", "июля", "июль"],
    &["august", "aug", "aout", "agosto", "августа", "август"],
    &[
        "september",
        "sep",
        "sept",
        "septembre",
        "septiembre",
        "setiembre",
        "сентября",
        "сентябрь",
    ],
    &[
        "october",
        "oct",
        "oktober",
        "okt",
        "octobre",
        "octubre",
        "октября",
        "октябрь",
    ],
    &[
        "november",
        "nov",
        "novembre",
        "noviembre",
        "ноября",
        "ноябрь",
    ],
    &[
        "december",
        "dec",
        "dezember",
        "dez",
        "decembre",
        "diciembre",
        "декабря",
        "декабрь",
    ],
];
/// The folded words that may stand beside a date and leave it certain. Those between two dates are among them: two dates
/// that differ leave only what they share.
const WORDS: [&str; 62] = [
    "a",
    "according",
    "am",
    "and",
    "at",
    "between",
    "created",
    "data",
    "date",
    "dated",
    "de",
    "del",
    "dem",
    "den",
    "der",
    "des",
    "du",
    "el",
    "entre",
    "er",
    "et",
    "exif",
    "external",
    "from",
    "gmt",
    "h",
    "im",
    "in",
    "la",
    "le",
    "metadata",
    "nd",
    "of",
    "on",
    "or",
    "photo",
    "photographed",
    "pm",
    "rd",
    "shot",
    "st",
    "t",
    "taken",
    "th",
    "the",
    "to",
    "und",
    "utc",
    "vom",
    "von",
    "y",
    "z",
    "zwischen",
    "в",
    "г",
    "год",
    "года",
    "году",
    "и",
    "年",
    "日",
    "月",
];

/// Returns a date that is written in words or digits, in HTML or plain; `None` if it is not certain. The month and the
/// day are missing if they are not stated, or not certain: `05/06/2009` is a year.
#[must_use]
pub fn taken_of(text: &str) -> Option<CalendarDate> {
    let line = of_html(text, CHARS_MAX + 1);
    if line.chars().count() > CHARS_MAX {
        return None;
    }
    let mut date = Date::default();
    let mut rest = line.as_str();
    while let Some(first) = rest.chars().next() {
        let length = if first.is_ascii_digit() {
            let length = length_of_digits(rest);
            date.read_digits(rest.get(..length)?)?;
            length
        } else if first.is_alphabetic() {
            let length = length_of_word(rest);
            date.read_word(rest.get(..length)?)?;
            length
        } else if is_plain_sign(first) {
            first.len_utf8()
        } else {
            return None;
        };
        rest = rest.get(length..)?;
    }
    date.certain()
}

/// Returns the length of the digits at the beginning of a text with the signs between them, in bytes.
fn length_of_digits(text: &str) -> usize {
    let mut length = 0;
    let mut characters = text.char_indices().peekable();
    while let Some((at, character)) = characters.next() {
        let is_between = is_between_digits(character)
            && characters
                .peek()
                .is_some_and(|(_, next)| next.is_ascii_digit());
        if !character.is_ascii_digit() && !is_between {
            break;
        }
        length = at + character.len_utf8();
    }
    length
}

fn length_of_word(text: &str) -> usize {
    let is_end = |character: char| {
        !character.is_alphabetic() && !('\u{300}'..='\u{36F}').contains(&character)
    };
    text.find(is_end).unwrap_or(text.len())
}

fn is_between_digits(character: char) -> bool {
    matches!(character, '-' | '–' | '.' | '/' | ':')
}

/// Returns whether a character beside a date leaves it certain. A question mark does not, for example.
fn is_plain_sign(character: char) -> bool {
    character.is_whitespace()
        || is_between_digits(character)
        || matches!(
            character,
            ',' | ';' | '(' | ')' | '—' | '−' | '+' | '\'' | '’' | '"' | '“' | '”'
        )
}

/// What a text states of a part of the date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Stated<N> {
    #[default]
    Nothing,
    One(N),
    /// Different things.
    Several,
}

impl<N: Copy + PartialEq> Stated<N> {
    fn add(&mut self, value: N) {
        *self = match self {
            Self::Nothing => Self::One(value),
            Self::One(known) if *known == value => return,
            Self::One(_) | Self::Several => Self::Several,
        };
    }

    /// Returns what is stated, if it is one thing.
    fn one(self) -> Option<N> {
        match self {
            Self::One(value) => Some(value),
            Self::Nothing | Self::Several => None,
        }
    }
}

/// The parts of the date, as far as a text was read.
#[derive(Debug, Default)]
struct Date {
    year: Stated<u16>,
    month: Stated<u8>,
    day: Stated<u8>,
}

impl Date {
    /// Reads digits and the signs between them. Returns `None` if they are no date or time.
    fn read_digits(&mut self, digits: &str) -> Option<()> {
        let parts: Vec<&str> = digits.split(is_between_digits).collect();
        let is_time = digits.contains(':') && parts.first().is_some_and(|part| part.len() <= 2);
        if is_time {
            return Some(());
        }
        let sign = digits
            .chars()
            .find(|character| is_between_digits(*character));
        let is_year = |part: &str| part.len() == 4;
        match parts.as_slice() {
            [year] if is_year(year) => self.add_year(year),
            [day] => self.add_day(day),
            [year, month, day] if is_year(year) => {
                self.add_year(year)?;
                self.add_month_and_day(month, day)
            }
            [day, month, year] if is_year(year) => {
                self.add_year(year)?;
                self.add_in_either_order(day, month, sign == Some('.'))
            }
            [year, other] if is_year(year) && is_year(other) => {
                self.add_year(year)?;
                self.add_year(other)
            }
            // A slash would be that of a season: 2009/10.
            [year, month] if is_year(year) && matches!(sign, Some('-' | ':' | '.')) => {
                self.add_year(year)?;
                self.add_month(month)
            }
            [month, year] if is_year(year) => {
                self.add_year(year)?;
                self.add_month(month)
            }
            [day, other] if sign != Some('.') => {
                self.add_day(day)?;
                self.add_day(other)
            }
            _ => None,
        }
    }

    /// Reads a word. Returns `None` if it may make the date uncertain.
    fn read_word(&mut self, word: &str) -> Option<()> {
        let word = fold(word);
        let month = MONTHS
            .iter()
            .position(|names| names.contains(&word.as_str()));
        if let Some(month) = month.and_then(|month| u8::try_from(month + 1).ok()) {
            self.month.add(month);
            return Some(());
        }
        WORDS.contains(&word.as_str()).then_some(())
    }

    fn add_year(&mut self, digits: &str) -> Option<()> {
        self.year.add(digits.parse().ok()?);
        Some(())
    }

    fn add_month(&mut self, digits: &str) -> Option<()> {
        self.month.add(number_to(digits, 12)?);
        Some(())
    }

    fn add_day(&mut self, digits: &str) -> Option<()> {
        self.day.add(number_to(digits, 31)?);
        Some(())
    }

    /// Adds a month and a day. Cameras and catalogues write zeros for what is unknown.
    fn add_month_and_day(&mut self, month: &str, day: &str) -> Option<()> {
        let is_zero = |digits: &str| digits.bytes().all(|digit| digit == b'0');
        match (is_zero(month), is_zero(day)) {
            (true, _) => Some(()),
            (false, true) => self.add_month(month),
            (false, false) => {
                self.add_month(month)?;
                self.add_day(day)
            }
        }
    }

    /// Adds a day and a month, or a month and a day: between slashes and hyphens, both orders are usual.
    fn add_in_either_order(&mut self, one: &str, other: &str, is_day_first: bool) -> Option<()> {
        let is_month = |digits: &str| number_to(digits, 12).is_some();
        match (is_month(one), is_month(other)) {
            (true, true) if !is_day_first && one != other => {
                self.month = Stated::Several;
                Some(())
            }
            (true, false) if !is_day_first => self.add_month_and_day(one, other),
            (_, true) => self.add_month_and_day(other, one),
            (_, false) => None,
        }
    }

    /// Returns what is certain; `None` if the year is not, or if there is no such day.
    fn certain(&self) -> Option<CalendarDate> {
        let month = self.month.one();
        // The day of an unknown month says nothing.
        let day = month.and(self.day.one());
        CalendarDate::new(self.year.one()?, month, day)
    }
}

/// Returns a number from 1 to `most`.
fn number_to(digits: &str, most: u8) -> Option<u8> {
    let number = digits.parse().ok();
    number.filter(|number| (1..=most).contains(number) && digits.len() <= 2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &str) {
        let written = taken_of(text).map_or("none".to_owned(), |date| date.to_string());
        assert_eq!(written, expected, "{text:?}");
    }

    #[test]
    fn digits() {
        check("2009-05-17", "2009-05-17");
        check("2009-05-17 14:03:22", "2009-05-17");
        check("2009-05-17T14:03:22.5Z", "2009-05-17");
        check("2009:05:17 14:03:22", "2009-05-17");
        check("2009/05/17", "2009-05-17");
        check("2009-5-7, 07:51 −05:00", "2009-05-07");
        check("2009-05", "2009-05");
        check("05/2009", "2009-05");
        check("5.2009", "2009-05");
        check("2009", "2009");
        check("17.05.2009", "2009-05-17");
        check("5.6.2009", "2009-06-05");
        check("17/05/2009", "2009-05-17");
        check("05/17/2009", "2009-05-17");
        check("05/05/2009", "2009-05-05");
        check("05/06/2009", "2009");
        check("05-06-2009", "2009");
        check("2009-00-00", "2009");
        check("2009-05-00", "2009-05");
        check("2009年5月17日", "2009");
    }

    #[test]
    fn months_in_words() {
        check("17 May 2009", "2009-05-17");
        check("May 17, 2009", "2009-05-17");
        check("17th of May 2009, 2:30 pm", "2009-05-17");
        check("Sept. 2009", "2009-09");
        check("17. März 2009", "2009-03-17");
        check("am 3. Jänner 2009", "2009-01-03");
        check("1er août 2009", "2009-08-01");
        check("le 14 février 2009", "2009-02-14");
        check("17 de mayo de 2009", "2009-05-17");
        check("17 мая 2009 года", "2009-05-17");
        check("в мае 2009", "none");
        check("Май 2009", "2009-05");
        check("3 февраля 2009 г.", "2009-02-03");
    }

    #[test]
    fn what_commons_templates_write() {
        check("Taken on 3 June 2012", "2012-06-03");
        check("Taken on 3 June 2012, 14:03:22", "2012-06-03");
        check("25 June 2013 (according to Exif data)", "2013-06-25");
        check(
            r#"<time class="dtstart" datetime="2009-05-17">17 May 2009</time>"#,
            "2009-05-17",
        );
        check(
            r#"1985<div style="display: none;">date QS:P,+1985-00-00T00:00:00Z/9</div>"#,
            "1985",
        );
        check(
            r#"circa 1985<div style="display: none;">date QS:P,+1985-00-00T00:00:00Z/9,P1480,Q5727902</div>"#,
            "none",
        );
        check("2 December 2007 (original upload date)", "none");
        check("2008 (upload date)", "none");
    }

    #[test]
    fn what_is_not_certain_is_no_date() {
        for text in [
            "",
            "unknown",
            "circa 1985",
            "c. 1985",
            "ca.1985",
            "before 1985",
            "after 17 May 1985",
            "vor 1985",
            "um 1985",
            "около 1985",
            "vers 1985",
            "hacia 1985",
            "1985?",
            "~1985",
            "1980s",
            "20th century",
            "between 1990 and 1999",
            "1990-1999",
            "1990–99",
            "1990 or 1991",
            "2009/10",
            "2009-13",
            "summer 2009",
            "published on 17 May 2009",
            "31 February 2009",
            "29 February 1900",
            "2009-02-30",
            "13/13/2009",
            "500 AD",
            "1491",
            "99999",
            "17 May",
            "May",
            "20090517",
        ] {
            check(text, "none");
        }
        check("29 February 2000", "2000-02-29");
    }

    #[test]
    fn two_dates_leave_what_they_share() {
        check("between March and May 2009", "2009");
        check("17–18 May 2009", "2009-05");
        check("17 and 18 May 2009", "2009-05");
        check("2009-05-17 / 2009-05-19", "2009-05");
        check("2009-05-17 – 2009-06-01", "2009");
        check("17 May 2009 (2009-05-17)", "2009-05-17");
    }

    #[test]
    fn words_are_folded_and_sorted_and_texts_are_bounded() {
        assert!(WORDS.is_sorted());
        for word in MONTHS.into_iter().flatten().chain(&WORDS) {
            assert_eq!(fold(word), *word);
        }
        check(&format!("2009{}", " ".repeat(500)), "2009");
        check(&format!("2009 {}", "of ".repeat(500)), "none");
        check(&"2009-".repeat(50_000), "none");
    }
}
