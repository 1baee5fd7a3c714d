//! Collects what the parts of a file say, and decides among them.

use domain::{Making, Provenance, Statement, Taken};

use crate::generators;
use crate::source_type::{SourceType, source_type};

/// The longest name of a program or camera that is kept, in characters.
const NAME_CHARS_MAX: usize = 80;
/// The most names per file that are compared with those of generators. A file has some ten.
const NAMES_MAX: usize = 256;

/// Everything that a file has said so far.
#[derive(Default)]
pub(crate) struct Findings {
    generated: Option<Claim>,
    composed: Option<Claim>,
    capture: Option<Capture>,
    camera: Option<String>,
    taken: Option<Taken>,
    names_compared: usize,
}

/// A claim about how the picture was made.
struct Claim {
    statement: Statement,
    by: Option<String>,
}

/// The claim that the picture was captured.
#[derive(Default)]
struct Capture {
    by: Option<String>,
    is_signed: bool,
}

impl Findings {
    /// Notes a generator, if it is named.
    pub(crate) fn generated(&mut self, statement: Statement, by: Option<&str>) {
        join(&mut self.generated, statement, by);
    }

    /// Notes that several pictures were put together, and by which program, if it is named.
    pub(crate) fn composed(&mut self, statement: Statement, by: Option<&str>) {
        join(&mut self.composed, statement, by);
    }

    /// Notes a digital source type of the IPTC, as a URI or as its last part.
    pub(crate) fn source_type(&mut self, uri: &str) {
        match source_type(uri) {
            Some(SourceType::Generated) => self.generated(Statement::Iptc, None),
            Some(SourceType::Composed) => self.composed(Statement::Iptc, None),
            Some(SourceType::Captured) => self.captured(None, false),
            None => {}
        }
    }

    /// Notes that the picture was captured. A signed claim counts more than one that is not.
    pub(crate) fn captured(&mut self, by: Option<&str>, is_signed: bool) {
        let capture = self.capture.get_or_insert_default();
        if is_signed && !capture.is_signed {
            capture.is_signed = true;
            capture.by = by.and_then(plain).or(capture.by.take());
        } else if capture.by.is_none() {
            capture.by = by.and_then(plain);
        }
    }

    /// Notes the maker and the model of a camera. Generators also put their names there.
    pub(crate) fn camera(&mut self, make: Option<&str>, model: Option<&str>) {
        for name in [make, model].into_iter().flatten() {
            self.program(name, Statement::Software);
        }
        let name = camera_name(
            make.and_then(plain).as_deref(),
            model.and_then(plain).as_deref(),
        );
        if self.camera.is_none() {
            self.camera = name;
        }
    }

    /// Notes the name of a program. Only a generator's name says how the picture was made.
    pub(crate) fn program(&mut self, name: &str, statement: Statement) {
        if let Some(generator) = self.compare(name, generators::program) {
            self.generated(statement, Some(generator));
        }
    }

    /// Notes a credit: the name of a creator, or of the one to be credited.
    pub(crate) fn credit(&mut self, name: &str) {
        if let Some(generator) = self.compare(name, generators::credit) {
            self.generated(Statement::Iptc, Some(generator));
        }
    }

    /// Notes a text that people, but also generators, write: a description or a comment.
    pub(crate) fn text(&mut self, text: &str) {
        if let Some((statement, by)) = generators::text(text) {
            self.generated(statement, by);
        }
    }

    /// Notes when the photo was taken. Of several dates, the first one from the best source is kept.
    pub(crate) fn taken(&mut self, taken: Option<Taken>) {
        let Some(taken) = taken else { return };
        if self.taken.is_none_or(|kept| taken.source < kept.source) {
            self.taken = Some(taken);
        }
    }

    /// Returns what the file says as a whole: generated before composed, composed before captured.
    pub(crate) fn provenance(self) -> Provenance {
        let generated = self.generated.map(|claim| Making::Generated {
            by: claim.by,
            statement: claim.statement,
        });
        let composed = self.composed.map(|claim| Making::Composed {
            by: claim.by,
            statement: claim.statement,
        });
        let has_captured = self.capture.is_some() || self.camera.is_some();
        let capture = self.capture.unwrap_or_default();
        let captured = has_captured.then(|| Making::Captured {
            by: self.camera.or(capture.by),
            is_signed: capture.is_signed,
        });
        Provenance {
            making: generated.or(composed).or(captured),
            taken: self.taken,
        }
    }

    fn compare(
        &mut self,
        name: &str,
        find: fn(&str) -> Option<&'static str>,
    ) -> Option<&'static str> {
        self.names_compared = self.names_compared.saturating_add(1);
        (self.names_compared <= NAMES_MAX).then(|| find(name))?
    }
}

/// Adds a claim. The most explicit statement is kept, and the first name from the most explicit one that has a name.
fn join(kept: &mut Option<Claim>, statement: Statement, by: Option<&str>) {
    let by = by.and_then(plain);
    match kept {
        None => *kept = Some(Claim { statement, by }),
        Some(kept) if statement < kept.statement => {
            kept.statement = statement;
            kept.by = by.or(kept.by.take());
        }
        Some(kept) if kept.by.is_none() => kept.by = by,
        Some(_) => {}
    }
}

/// Joins the maker and the model of a camera. Most models already begin with a word of the maker's name.
fn camera_name(make: Option<&str>, model: Option<&str>) -> Option<String> {
    let (Some(make), Some(model)) = (make, model) else {
        return make.or(model).map(str::to_owned);
    };
    let first = model.split([' ', '-']).next().unwrap_or_default();
    let has_make = make.split(' ').any(|word| word.eq_ignore_ascii_case(first));
    if has_make {
        Some(model.to_owned())
    } else {
        Some(format!("{make} {model}"))
    }
}

/// Returns a name on one line, bounded, without control characters and direction marks; `None` if nothing remains.
fn plain(name: &str) -> Option<String> {
    let mut plain = String::new();
    let mut is_space_due = false;
    for character in name.chars().take(NAME_CHARS_MAX) {
        if character.is_whitespace() || character.is_control() {
            is_space_due = true;
        } else if !is_invisible(character) {
            if std::mem::take(&mut is_space_due) && !plain.is_empty() {
                plain.push(' ');
            }
            plain.push(character);
        }
    }
    (!plain.is_empty()).then_some(plain)
}

/// Returns whether a character is invisible, and could make a name look like a different one.
fn is_invisible(character: char) -> bool {
    matches!(
        character,
        '\u{061C}' | '\u{200B}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}'
            | '\u{2060}' | '\u{2066}'..='\u{2069}' | '\u{FEFF}' | '\u{FFFD}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::DateSource;

    #[test]
    fn a_camera_has_its_makers_name_once() {
        #[track_caller]
        fn check(make: &str, model: &str, expected: &str) {
            let name = camera_name(Some(make), Some(model));
            assert_eq!(name.as_deref(), Some(expected));
        }
        check("Canon", "Canon EOS 5D", "Canon EOS 5D");
        check("NIKON CORPORATION", "NIKON D700", "NIKON D700");
        check("EASTMAN KODAK COMPANY", "KODAK DC210", "KODAK DC210");
        check("HP", "HP-PhotoSmart 618", "HP-PhotoSmart 618");
        check("Apple", "iPhone 12", "Apple iPhone 12");
        check("SONY", "ILCE-7M3", "SONY ILCE-7M3");
        assert_eq!(camera_name(None, Some("K10D")).as_deref(), Some("K10D"));
        assert_eq!(camera_name(None, None), None);
    }

    #[test]
    fn names_are_plain_and_short() {
        assert_eq!(
            plain("  Canon\u{202E}\0 EOS\n\n5D  ").as_deref(),
            Some("Canon EOS 5D")
        );
        assert_eq!(plain(" \0\u{FEFF}"), None);
        let long = plain(&"é".repeat(1_000)).unwrap();
        assert_eq!(long.chars().count(), NAME_CHARS_MAX);
    }

    #[test]
    fn the_most_explicit_statement_is_kept_with_a_name_from_anywhere() {
        let mut findings = Findings::default();
        findings.generated(Statement::Software, Some("Midjourney"));
        findings.generated(Statement::Iptc, None);
        findings.generated(Statement::GeneratorText, Some("ComfyUI"));
        let expected = Making::Generated {
            by: Some("Midjourney".into()),
            statement: Statement::Iptc,
        };
        assert_eq!(findings.provenance().making, Some(expected));
    }

    #[test]
    fn generated_wins_over_composed_and_composed_over_captured() {
        let making = |uris: &[&str]| {
            let mut findings = Findings::default();
            for uri in uris {
                findings.source_type(uri);
            }
            findings.provenance().making
        };
        let all = ["digitalCapture", "trainedAlgorithmicMedia", "composite"];
        assert!(matches!(making(&all), Some(Making::Generated { .. })));
        let two = ["composite", "digitalCapture"];
        assert!(matches!(making(&two), Some(Making::Composed { .. })));
        assert!(matches!(making(&two[1..]), Some(Making::Captured { .. })));
        assert_eq!(making(&["screenCapture"]), None);
    }

    #[test]
    fn a_date_of_the_camera_is_kept_before_one_of_a_caption() {
        let mut findings = Findings::default();
        for (text, source) in [
            ("2001", DateSource::Caption),
            ("2002", DateSource::Camera),
            ("2003", DateSource::Camera),
            ("2004", DateSource::Caption),
        ] {
            findings.taken(Taken::read(text, source));
        }
        let taken = findings.provenance().taken.unwrap();
        assert_eq!(taken.date.to_string(), "2002");
    }

    #[test]
    fn only_so_many_names_are_compared() {
        let mut findings = Findings::default();
        for _ in 0..NAMES_MAX {
            findings.program("Adobe Photoshop", Statement::Software);
        }
        findings.program("Midjourney", Statement::Software);
        assert_eq!(findings.provenance().making, None);
    }
}
