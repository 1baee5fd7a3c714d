//! What a photo's file, or the page on which the photo was found, says about how and when it was made. These are
//! claims: whoever writes a file can write anything into it.

use std::fmt;
use std::ops::RangeInclusive;

use serde::{Deserialize, Serialize, Serializer};

use crate::identifiers::WikidataNumber;

/// The first year of a photo: the oldest one that is preserved is from 1826 or 1827.
const YEAR_MIN: u16 = 1826;
/// The last year of a date. There is no clock here, so dates in the future are left to the caller.
const YEAR_MAX: u16 = 2199;
/// The years that computers count from. A date on the first day of such a year means that no date was set.
const EPOCH_YEARS: [u16; 2] = [1970, 1980];

/// What is claimed about a photo's making and time.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Provenance {
    /// How the photo was made; `None` if nothing says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub making: Option<Making>,
    /// When the photo was taken; `None` if nothing says so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub taken: Option<Taken>,
}

/// How a picture was made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", rename_all_fields = "camelCase")]
pub enum Making {
    /// At least a part of it was not captured from life: it was made by a model, by an algorithm, or by hand.
    Generated {
        /// The program or model, such as "Midjourney", if it is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Where the file says so.
        statement: Statement,
    },
    /// Several captures were put together.
    Composed {
        /// The program that did it, if it is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Where the file says so.
        statement: Statement,
    },
    /// It was captured from life by a camera, or digitised from film or print.
    Captured {
        /// The camera, such as "Canon EOS 5D", or the scanner, if it is named.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        by: Option<String>,
        /// Whether Content Credentials with a signature say so. Nobody has verified that signature.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_signed: bool,
    },
}

impl Making {
    /// Returns whether such a picture proves nothing, since it does not show one moment as a camera saw it.
    #[must_use]
    pub fn rejects(&self) -> bool {
        matches!(self, Self::Generated { .. } | Self::Composed { .. })
    }
}

impl fmt::Display for Making {
    /// Writes the claim as the end of a sentence about the photo.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let by = match self {
            Self::Generated { by, statement } => {
                write!(out, "it was generated, as {statement}")?;
                by
            }
            Self::Composed { by, statement } => {
                write!(
                    out,
                    "it was put together from several pictures, as {statement}"
                )?;
                by
            }
            Self::Captured {
                by,
                is_signed: true,
            } => {
                out.write_str("a camera took it, as its Content Credentials say, unverified")?;
                by
            }
            Self::Captured { by, .. } => {
                out.write_str("a camera or scanner took it, as its file says")?;
                by
            }
        };
        match by {
            Some(by) => write!(out, " ({by})"),
            None => Ok(()),
        }
    }
}

/// The part of a file that says how the picture was made. Earlier ones are more explicit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Statement {
    /// A manifest of the C2PA, in its actions or its claim.
    ContentCredentials,
    /// A property of the IPTC: the digital source type, the AI system used, or the credit line.
    Iptc,
    /// The label that GB 45438-2025 prescribes for generated content in China.
    AigcLabel,
    /// A text that generators write for themselves: the prompt, the parameters, a job's id.
    GeneratorText,
    /// The name of the program or maker, as in the Exif tags `Software` and `Make`.
    Software,
}

impl fmt::Display for Statement {
    /// Writes who says something, such as `its AIGC label says`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::ContentCredentials => "its Content Credentials say",
            Self::Iptc => "its IPTC properties say",
            Self::AigcLabel => "its AIGC label says",
            Self::GeneratorText => "a generator's text in its file says",
            Self::Software => "the program named in its file says",
        })
    }
}

/// When a photo was taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Taken {
    /// The day, month or year.
    pub date: CalendarDate,
    /// Where the date comes from.
    pub source: DateSource,
}

/// Where a date comes from. Earlier ones are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum DateSource {
    /// The camera's clock: the Exif tag `DateTimeOriginal`.
    Camera,
    /// The date created of the IPTC, as whoever captioned the photo has given it.
    Caption,
    /// The metadata of the page on which the photo was found.
    Provider,
}

impl DateSource {
    /// Returns the source in words, such as `by the camera`.
    #[must_use]
    pub fn words(self) -> &'static str {
        match self {
            Self::Camera => "by the camera",
            Self::Caption => "by the caption in its file",
            Self::Provider => "by the page that shows it",
        }
    }
}

impl fmt::Display for Taken {
    /// Writes the date and its source, such as `2009-05-17, by the camera`.
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}, {}", self.date, self.source.words())
    }
}

impl Taken {
    /// Reads a date as Exif (`2009:05:17 14:03:22`), IPTC-IIM (`20090517`, after it a space and the time, if known) and
    /// ISO 8601 (`2009`, `2009-05`, `2009-05-17T14:03:22Z`) write it. A month or day of zeros or spaces is unknown.
    ///
    /// Returns `None` for any other text, for a day that does not exist, for a year before 1826 or after 2199, and for
    /// what a clock shows that was never set: the first hour of a year, or the first day that computers count from.
    #[must_use]
    pub fn read(text: &str, source: DateSource) -> Option<Self> {
        let text = text.trim_matches(|end: char| end.is_whitespace() || end == '\0');
        let (day, time) = text.split_once(['T', ' ']).unwrap_or((text, ""));
        let date = CalendarDate::read(day)?;
        let hour = time.get(..2).and_then(digits);
        (!is_unset(date, hour)).then_some(Self { date, source })
    }
}

/// When somebody was born and died, as far as Wikidata says.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Life {
    /// The person's number in Wikidata.
    pub wikidata: WikidataNumber,
    /// The year of the birth; `None` if unknown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub born: Option<u16>,
    /// The year of the death; `None` if unknown, or if the person lives.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub died: Option<u16>,
}

/// The years in which a photo must have been taken to count, both included.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct YearRange {
    /// The first year; `None` if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub since: Option<u16>,
    /// The last year; `None` if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<u16>,
}

impl YearRange {
    /// The years that may be given.
    pub const YEARS: RangeInclusive<u16> = YEAR_MIN..=YEAR_MAX;

    /// Returns whether the years exist and are in order.
    #[must_use]
    pub fn is_valid(self) -> bool {
        let mut given = [self.since, self.until].into_iter().flatten();
        let is_ordered = self
            .since
            .zip(self.until)
            .is_none_or(|(since, until)| since <= until);
        is_ordered && given.all(|year| Self::YEARS.contains(&year))
    }

    /// Returns why a photo with this date does not count, as the end of a sentence about the photo; `None` if it
    /// counts. A photo without a date counts only if no year is given.
    #[must_use]
    pub fn rejection(self, taken: Option<Taken>) -> Option<String> {
        if self == Self::default() {
            return None;
        }
        let Some(taken) = taken else {
            return Some("nothing says when it was taken".to_owned());
        };
        let year = taken.date.year();
        match (self.since, self.until) {
            (Some(since), _) if year < since => {
                Some(format!("it was taken before {since} ({taken})"))
            }
            (_, Some(until)) if year > until => {
                Some(format!("it was taken after {until} ({taken})"))
            }
            _ => None,
        }
    }
}

/// Returns whether a clock that was never set shows this date and hour.
fn is_unset(date: CalendarDate, hour: Option<u16>) -> bool {
    match (date.month, date.day) {
        (Some(1), Some(1)) => hour == Some(0) || EPOCH_YEARS.contains(&date.year),
        // West of Greenwich, the epoch of Unix began on the evening before.
        (Some(12), Some(31)) => date.year == 1969 && hour.is_some(),
        _ => false,
    }
}

/// A day of the Gregorian calendar, or only its month or its year. The text form is `2009-05-17`, `2009-05` or `2009`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(try_from = "String")]
pub struct CalendarDate {
    year: u16,
    month: Option<u8>,
    day: Option<u8>,
}

impl CalendarDate {
    /// Makes a date; `None` if there is no such day, or if the year is not from 1826 to 2199. A day needs its month.
    #[must_use]
    pub fn new(year: u16, month: Option<u8>, day: Option<u8>) -> Option<Self> {
        let is_real = match (month, day) {
            (None, None) => true,
            (Some(month), None) => (1..=12).contains(&month),
            (Some(month), Some(day)) => (1..=days_in(year, month)).contains(&day),
            (None, Some(_)) => false,
        };
        let is_valid = is_real && (YEAR_MIN..=YEAR_MAX).contains(&year);
        is_valid.then_some(Self { year, month, day })
    }

    /// Returns the year, 1826 to 2199.
    #[must_use]
    pub fn year(self) -> u16 {
        self.year
    }

    /// Returns the month, 1 to 12, if it is known.
    #[must_use]
    pub fn month(self) -> Option<u8> {
        self.month
    }

    /// Returns the day of the month, 1 to 31, if it is known.
    #[must_use]
    pub fn day(self) -> Option<u8> {
        self.day
    }

    /// Reads a date without a time, as [`Taken::read`] describes.
    fn read(text: &str) -> Option<Self> {
        let is_basic = text.len() == 8 && text.bytes().all(|byte| byte.is_ascii_digit());
        let (year, month, day) = if is_basic {
            (text.get(..4)?, text.get(4..6)?, text.get(6..)?)
        } else {
            let mut parts = text.splitn(3, ['-', ':', '/']);
            let year = parts.next()?;
            (
                year,
                parts.next().unwrap_or_default(),
                parts.next().unwrap_or_default(),
            )
        };
        if year.len() != 4 {
            return None;
        }
        let known = |number: u8| (number > 0).then_some(number);
        let (month, day) = (month_or_day(month)?, month_or_day(day)?);
        Self::new(digits(year)?, known(month), known(day))
    }
}

/// Reads a month or a day of one or two digits; 0 if it is unknown.
fn month_or_day(text: &str) -> Option<u8> {
    if text.trim().is_empty() {
        return Some(0);
    }
    let number = digits(text).filter(|_| text.len() <= 2)?;
    u8::try_from(number).ok()
}

/// Reads a number of digits alone, without a sign.
fn digits(text: &str) -> Option<u16> {
    let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
    text.parse().ok().filter(|_| is_number)
}

/// Returns the number of days of a month; 0 if there is no such month.
fn days_in(year: u16, month: u8) -> u8 {
    let is_leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    match month {
        1 | 3 | 5 | 7 | 8 | 10 | 12 => 31,
        4 | 6 | 9 | 11 => 30,
        2 if is_leap => 29,
        2 => 28,
        _ => 0,
    }
}

impl fmt::Display for CalendarDate {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{:04}", self.year)?;
        for part in [self.month, self.day].into_iter().flatten() {
            write!(out, "-{part:02}")?;
        }
        Ok(())
    }
}

impl Serialize for CalendarDate {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl TryFrom<String> for CalendarDate {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        Self::read(&text).ok_or("a text is no date")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn reads(text: &str, expected: Option<&str>) {
        let taken = Taken::read(text, DateSource::Camera);
        let date = taken.map(|taken| taken.date.to_string());
        assert_eq!(date.as_deref(), expected, "{text:?}");
    }

    #[test]
    fn dates_are_read_in_every_form() {
        reads("2009:05:17 14:03:22", Some("2009-05-17"));
        reads("2009:05:17 14:03:22\0", Some("2009-05-17"));
        reads("2009/05/17 14:03:22", Some("2009-05-17"));
        reads("20090517", Some("2009-05-17"));
        reads("20090517 140322+0200", Some("2009-05-17"));
        reads("2009", Some("2009"));
        reads("2009-05", Some("2009-05"));
        reads("2009-5-7", Some("2009-05-07"));
        reads("2009-05-17", Some("2009-05-17"));
        reads(" 2009-05-17T14:03:22.5+02:00 ", Some("2009-05-17"));
    }

    #[test]
    fn an_unknown_month_or_day_is_left_out() {
        reads("20090500", Some("2009-05"));
        reads("20090000", Some("2009"));
        reads("2009:00:00 00:00:00", Some("2009"));
        reads("2009:05:  ", Some("2009-05"));
        reads("2009:  :  ", Some("2009"));
        reads("2009:00:17", None);
    }

    #[test]
    fn other_texts_are_no_dates() {
        for text in [
            "",
            "    :  :     :  :  ",
            "0000:00:00 00:00:00",
            "May 2009",
            "17.05.2009",
            "209-05-17",
            "+209-05-17",
            "2009-+5-17",
            "2009-005-17",
            "2009-05-17-01",
            "200905171",
            "2009-05-1é",
            "２００９",
        ] {
            reads(text, None);
        }
    }

    #[test]
    fn days_that_do_not_exist_are_no_dates() {
        reads("2009:02:29", None);
        reads("2008:02:29", Some("2008-02-29"));
        reads("1900:02:29", None);
        reads("2000:02:29", Some("2000-02-29"));
        reads("2009:04:31", None);
        reads("2009:13:01", None);
        reads("2009-13", None);
        reads("1825", None);
        reads("1826", Some("1826"));
        reads("2199", Some("2199"));
        reads("2200", None);
    }

    #[test]
    fn a_clock_that_was_never_set_shows_no_date() {
        reads("2000:01:01 00:00:00", None);
        reads("2013-01-01T00:59:59", None);
        reads("20050101 000000", None);
        reads("1970:01:01 09:00:00", None);
        reads("1980-01-01", None);
        reads("1969:12:31 19:00:00", None);
        reads("1969-12-31", Some("1969-12-31"));
        reads("2013:01:01 01:00:00", Some("2013-01-01"));
        reads("2013-01-01", Some("2013-01-01"));
        reads("2013-01", Some("2013-01"));
        reads("2013:01:02 00:00:00", Some("2013-01-02"));
    }

    #[test]
    fn only_what_is_known_is_stored() {
        #[track_caller]
        fn check(provenance: &Provenance, json: &str) {
            assert_eq!(serde_json::to_string(provenance).unwrap(), json);
            let read: Provenance = serde_json::from_str(json).unwrap();
            assert_eq!(&read, provenance);
        }
        check(&Provenance::default(), "{}");
        check(
            &Provenance {
                making: Some(Making::Generated {
                    by: Some("Midjourney".into()),
                    statement: Statement::ContentCredentials,
                }),
                taken: Taken::read("2009-05", DateSource::Caption),
            },
            r#"{"making":{"generated":{"by":"Midjourney","statement":"contentCredentials"}},"taken":{"date":"2009-05","source":"caption"}}"#,
        );
        check(
            &Provenance {
                making: Some(Making::Captured {
                    by: None,
                    is_signed: false,
                }),
                taken: None,
            },
            r#"{"making":{"captured":{}}}"#,
        );
        check(
            &Provenance {
                making: Some(Making::Captured {
                    by: Some("Leica M11-P".into()),
                    is_signed: true,
                }),
                taken: None,
            },
            r#"{"making":{"captured":{"by":"Leica M11-P","isSigned":true}}}"#,
        );
    }

    #[test]
    fn a_range_of_years_rejects_what_is_outside_and_what_has_no_date() {
        #[track_caller]
        fn check(years: (Option<u16>, Option<u16>), date: Option<&str>, expect: Option<&str>) {
            let (since, until) = years;
            let taken = date.and_then(|date| Taken::read(date, DateSource::Camera));
            let range = YearRange { since, until };
            assert_eq!(range.rejection(taken).as_deref(), expect);
        }
        check((None, None), None, None);
        check((None, None), Some("1950"), None);
        let undated = Some("nothing says when it was taken");
        check((Some(2000), None), None, undated);
        check((None, Some(2000)), None, undated);
        check((Some(2000), Some(2000)), Some("2000-12-31"), None);
        let before = Some("it was taken before 2000 (1999-12-31, by the camera)");
        check((Some(2000), None), Some("1999-12-31"), before);
        let after = Some("it was taken after 2000 (2001, by the camera)");
        check((Some(1990), Some(2000)), Some("2001"), after);
    }

    #[test]
    fn years_are_checked() {
        let is_valid = |since, until| YearRange { since, until }.is_valid();
        assert!(is_valid(None, None));
        assert!(is_valid(Some(1999), Some(1999)));
        assert!(!is_valid(Some(2000), Some(1999)));
        assert!(!is_valid(Some(1825), None));
        assert!(!is_valid(None, Some(2200)));
    }

    #[test]
    fn claims_are_worded_as_ends_of_sentences() {
        let by = Some("Midjourney".to_owned());
        let statement = Statement::ContentCredentials;
        let generated = Making::Generated { by, statement };
        let told = "it was generated, as its Content Credentials say (Midjourney)";
        assert_eq!(generated.to_string(), told);
        let is_signed = true;
        let captured = Making::Captured {
            by: None,
            is_signed,
        };
        let told = "a camera took it, as its Content Credentials say, unverified";
        assert_eq!(captured.to_string(), told);
        assert!(generated.rejects() && !captured.rejects());
    }

    #[test]
    fn a_stored_date_is_checked() {
        let read = serde_json::from_str::<CalendarDate>;
        assert!(read(r#""2009-05-17""#).is_ok());
        assert!(read(r#""2009-02-30""#).is_err());
    }
}
