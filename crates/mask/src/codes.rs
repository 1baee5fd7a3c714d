//! Decodes texts in which letters are written as codes: percent codes, HTML entities, escapes of JSON, JavaScript and
//! CSS, and host names in Punycode.

use std::collections::VecDeque;
use std::ops::Range;

/// The largest number of layers of codes that are decoded. An address in an address in an address, for example, has
/// several layers.
const LAYERS_MAX: usize = 5;
/// The most texts that are made by decoding one text.
const DECODED_MAX: usize = 40;
/// The longest entity name, in characters. The next constant is the longest host label.
const NAME_CHARS_MAX: usize = 10;
const LABEL_CHARS_MAX: usize = 63;

const ALL_CODES: [Code; 4] = [Code::Percent, Code::Entity, Code::Escape, Code::Host];
const BEGINNINGS: [char; 3] = ['%', '&', '\\'];

/// A character, and the range of bytes from which it was decoded.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Letter {
    pub(crate) character: char,
    pub(crate) range: Range<usize>,
}

/// A kind of code that a text may contain.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Code {
    Percent,
    Entity,
    Escape,
    Host,
}

impl Code {
    /// Returns the characters with which codes of this kind begin.
    fn beginnings(self) -> &'static [char] {
        match self {
            Self::Percent => &['%'],
            Self::Entity => &['&'],
            Self::Escape => &['\\'],
            Self::Host => &['x', 'X'],
        }
    }
}

/// Returns the characters of a text as they are, without decoding.
pub(crate) fn letters(text: &str) -> impl Iterator<Item = Letter> {
    let letters = text.char_indices();
    letters.map(|(at, character)| Letter {
        character,
        range: at..at.saturating_add(character.len_utf8()),
    })
}

/// Returns whether a text may contain codes. If not, decoding it is unnecessary.
pub(crate) fn may_have_codes(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(BEGINNINGS) {
        let mut bytes = rest.bytes().skip(at);
        let sign = bytes.next();
        let is_code = match (sign, bytes.next()) {
            (Some(b'%'), Some(next)) => next.is_ascii_hexdigit() || matches!(next, b'u' | b'U'),
            (Some(b'&'), Some(next)) => next == b'#' || next.is_ascii_alphabetic(),
            (_, next) => next.is_some(),
        };
        if is_code {
            return true;
        }
        rest = rest.get(at.saturating_add(1)..).unwrap_or_default();
    }
    has_punycode(text)
}

fn has_punycode(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find("--") {
        let (before, behind) = rest.split_at(at);
        if before.ends_with(['n', 'N']) {
            return true;
        }
        rest = behind.get(1..).unwrap_or_default();
    }
    false
}

/// Passes the text to `give` after each layer of decoding. Each layer is decoded once for all kinds of codes together
/// and once for each kind alone, because a text with codes of one kind may contain what looks like a code of another
/// kind.
pub(crate) fn decoded(text: &str, give: &mut impl FnMut(&[Letter])) {
    let mut layers = VecDeque::from([(0, letters(text).collect::<Vec<Letter>>())]);
    let mut left = DECODED_MAX;
    while let Some((depth, layer)) = layers.pop_front() {
        if depth == LAYERS_MAX {
            return;
        }
        let is_there = |kind: &[Code]| {
            let mut beginnings = kind.iter().flat_map(|code| code.beginnings());
            beginnings.any(|sign| layer.iter().any(|letter| letter.character == *sign))
        };
        let kinds = ALL_CODES.chunks(1).filter(|kind| is_there(kind));
        let mut ways: Vec<Vec<Letter>> = kinds.filter_map(|kind| decode(&layer, kind)).collect();
        if ways.len() > 1 {
            ways.extend(decode(&layer, &ALL_CODES));
            ways.rotate_right(1);
        }
        for way in ways {
            if left == 0 {
                return;
            }
            left -= 1;
            give(&way);
            layers.push_back((depth + 1, way));
        }
    }
}

/// Returns the text with each code of these kinds replaced by its character; `None` if it has no such code.
fn decode(letters: &[Letter], codes: &[Code]) -> Option<Vec<Letter>> {
    // A plus stands for a space in percent-encoded forms.
    let is_form = codes.contains(&Code::Percent) && {
        let mut places = (0..letters.len()).filter_map(|at| letters.get(at..));
        places.any(|rest| Beginning(rest).read(Code::Percent).is_some())
    };
    let mut decoded = Vec::with_capacity(letters.len());
    let mut has_changed = false;
    let mut rest = letters;
    while let [first, others @ ..] = rest {
        let beginning = Beginning(rest);
        let found = codes.iter().find_map(|code| beginning.read(*code));
        let Some((characters, length)) = found else {
            let is_blank = is_form && first.character == '+';
            decoded.push(Letter {
                character: if is_blank { ' ' } else { first.character },
                range: first.range.clone(),
            });
            rest = others;
            continue;
        };
        has_changed = true;
        let (code, behind) = rest.split_at(length.clamp(1, rest.len()));
        let end = code.last().map_or(first.range.end, |last| last.range.end);
        decoded.extend(characters.into_iter().map(|character| Letter {
            character,
            range: first.range.start..end,
        }));
        rest = behind;
    }
    has_changed.then_some(decoded)
}

/// The rest of a text, which may begin with a code.
struct Beginning<'text>(&'text [Letter]);

impl Beginning<'_> {
    fn at(&self, place: usize) -> Option<char> {
        self.0.get(place).map(|letter| letter.character)
    }

    fn digits(&self, from: usize, count: usize) -> Option<u32> {
        let digits = (from..from.saturating_add(count)).map(|place| self.at(place)?.to_digit(16));
        digits
            .into_iter()
            .try_fold(0, |number: u32, digit| Some(number * 16 + digit?))
    }

    fn read(&self, code: Code) -> Option<Found> {
        match (code, self.at(0)?) {
            (Code::Percent, '%') => self.percent(),
            (Code::Entity, '&') => self.entity(),
            (Code::Escape, '\\') => self.escape(),
            (Code::Host, 'x' | 'X') => self.host(),
            _ => None,
        }
    }

    /// Reads one percent-encoded character, or a single byte if it is not UTF-8.
    fn percent(&self) -> Option<Found> {
        if matches!(self.at(1), Some('u' | 'U')) {
            return self.unit(2);
        }
        let byte = |number: usize| {
            let place = number * 3;
            let byte = (self.at(place) == Some('%')).then(|| self.digits(place + 1, 2))?;
            u8::try_from(byte?).ok()
        };
        let first = byte(0)?;
        let length = match first {
            0xC0..0xE0 => 2,
            0xE0..0xF0 => 3,
            0xF0.. => 4,
            _ => 1,
        };
        let bytes: Vec<u8> = (0..length).map_while(byte).collect();
        let whole = std::str::from_utf8(&bytes)
            .ok()
            .and_then(|text| text.chars().next());
        Some(match whole {
            Some(character) => (vec![character], length * 3),
            None => (vec![char::from(first)], 3),
        })
    }

    /// Reads a UTF-16 unit of four hexadecimal digits, or a surrogate pair of two.
    fn unit(&self, from: usize) -> Option<Found> {
        let high = self.digits(from, 4)?;
        if let Some(character) = char::from_u32(high) {
            return Some((vec![character], from + 4));
        }
        let next = from + 4;
        let is_same = self.at(next) == self.at(0) && self.at(next + 1) == self.at(1);
        let low = is_same.then(|| self.digits(next + from, 4))??;
        let pair = (high.checked_sub(0xD800)?, low.checked_sub(0xDC00)?);
        let character = char::from_u32(0x1_0000 + (pair.0 << 10) + pair.1)?;
        Some((vec![character], next + from + 4))
    }

    fn entity(&self) -> Option<Found> {
        let ends = |at: usize| if self.at(at) == Some(';') { at + 1 } else { at };
        if self.at(1) == Some('#') {
            let is_hexadecimal = matches!(self.at(2), Some('x' | 'X'));
            let (from, radix) = if is_hexadecimal { (3, 16) } else { (2, 10) };
            let digits: Vec<u32> = (from..)
                .map_while(|at| self.at(at)?.to_digit(radix))
                .take(NAME_CHARS_MAX)
                .collect();
            let number = digits.iter().try_fold(0_u32, |number, digit| {
                number.checked_mul(radix)?.checked_add(*digit)
            });
            let character = number
                .filter(|_| !digits.is_empty())
                .and_then(char::from_u32)?;
            return Some((vec![character], ends(from + digits.len())));
        }
        let name: String = (1..)
            .map_while(|at| self.at(at).filter(char::is_ascii_alphanumeric))
            .take(NAME_CHARS_MAX)
            .collect();
        let end = name.len() + 1;
        if self.at(end) == Some(';') {
            return named(&name).map(|character| (vec![character], end + 1));
        }
        // These entities need no semicolon.
        [("amp", '&'), ("lt", '<'), ("gt", '>'), ("quot", '"')]
            .into_iter()
            .find(|(known, _)| name.starts_with(known))
            .map(|(known, character)| (vec![character], known.len() + 1))
    }

    fn escape(&self) -> Option<Found> {
        match self.at(1)? {
            'u' if self.at(2) == Some('{') => {
                let digits: Vec<u32> = (3..)
                    .map_while(|at| self.at(at)?.to_digit(16))
                    .take(6)
                    .collect();
                let end = 3 + digits.len();
                let number = digits.iter().fold(0, |number, digit| number * 16 + digit);
                let character = char::from_u32(number).filter(|_| self.at(end) == Some('}'));
                character.map(|character| (vec![character], end + 1))
            }
            'u' => self.unit(2),
            'x' => {
                let character = self.digits(2, 2).and_then(char::from_u32)?;
                Some((vec![character], 4))
            }
            'n' | 'r' | 't' | 'v' => Some((vec![' '], 2)),
            digit if digit.is_ascii_hexdigit() => {
                let digits: Vec<u32> = (1..)
                    .map_while(|at| self.at(at)?.to_digit(16))
                    .take(6)
                    .collect();
                let number = digits.iter().fold(0, |number, digit| number * 16 + digit);
                let end = 1 + digits.len();
                let is_ended = self.at(end).is_some_and(char::is_whitespace);
                let character = char::from_u32(number)?;
                Some((vec![character], end + usize::from(is_ended)))
            }
            other => Some((vec![other], 2)),
        }
    }

    /// Reads a host label in Punycode.
    fn host(&self) -> Option<Found> {
        let label: String = self
            .0
            .iter()
            .map(|letter| letter.character)
            .take_while(|one| one.is_ascii_alphanumeric() || *one == '-')
            .take(LABEL_CHARS_MAX + 1)
            .collect();
        let (beginning, code) = label.split_at_checked(4)?;
        if !beginning.eq_ignore_ascii_case("xn--") || label.len() > LABEL_CHARS_MAX {
            return None;
        }
        let decoded = idna::punycode::decode_to_string(&code.to_ascii_lowercase())
            .filter(|text| !text.is_empty())?;
        Some((decoded.chars().collect(), label.len()))
    }
}

type Found = (Vec<char>, usize);

/// Returns the character of a named entity. It is ASCII, or a letter whose accent is dropped.
///
/// Source: <https://html.spec.whatwg.org/multipage/named-characters.html>
fn named(name: &str) -> Option<char> {
    const NAMES: [(&str, char); 60] = [
        ("amp", '&'),
        ("AMP", '&'),
        ("lt", '<'),
        ("LT", '<'),
        ("gt", '>'),
        ("GT", '>'),
        ("quot", '"'),
        ("QUOT", '"'),
        ("apos", '\''),
        ("nbsp", ' '),
        ("Tab", ' '),
        ("NewLine", ' '),
        ("excl", '!'),
        ("num", '#'),
        ("dollar", '$'),
        ("percnt", '%'),
        ("lpar", '('),
        ("rpar", ')'),
        ("ast", '*'),
        ("midast", '*'),
        ("plus", '+'),
        ("comma", ','),
        ("period", '.'),
        ("sol", '/'),
        ("colon", ':'),
        ("semi", ';'),
        ("equals", '='),
        ("quest", '?'),
        ("commat", '@'),
        ("lsqb", '['),
        ("lbrack", '['),
        ("bsol", '\\'),
        ("rsqb", ']'),
        ("rbrack", ']'),
        ("Hat", '^'),
        ("lowbar", '_'),
        ("UnderBar", '_'),
        ("grave", '`'),
        ("lcub", '{'),
        ("lbrace", '{'),
        ("verbar", '|'),
        ("vert", '|'),
        ("rcub", '}'),
        ("rbrace", '}'),
        ("shy", '\u{AD}'),
        ("zwj", '\u{200D}'),
        ("zwnj", '\u{200C}'),
        ("szlig", 'ß'),
        ("aelig", 'æ'),
        ("AElig", 'Æ'),
        ("oelig", 'œ'),
        ("OElig", 'Œ'),
        ("oslash", 'ø'),
        ("Oslash", 'Ø'),
        ("eth", 'ð'),
        ("ETH", 'Ð'),
        ("thorn", 'þ'),
        ("THORN", 'Þ'),
        ("euro", '€'),
        ("pound", '£'),
    ];
    const ACCENTS: [&str; 8] = [
        "acute", "grave", "circ", "uml", "tilde", "ring", "cedil", "caron",
    ];
    let known = NAMES.iter().find(|(known, _)| *known == name);
    if let Some((_, character)) = known {
        return Some(*character);
    }
    let letter = name.chars().next().filter(char::is_ascii_alphabetic)?;
    let accent = name.get(1..)?;
    ACCENTS.contains(&accent).then_some(letter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn layers(text: &str) -> Vec<String> {
        let mut layers = Vec::new();
        decoded(text, &mut |letters| {
            layers.push(letters.iter().map(|letter| letter.character).collect());
        });
        layers
    }

    #[test]
    fn codes_are_read() {
        for (text, expected) in [
            ("a%40b%C3%A9%c3%a9", "a@béé"),
            ("%E9t%E9", "été"),
            ("%u00e9", "é"),
            ("&lt;&#65;&#x42;&#x43 &amp;&eacute;&commat;", "<ABC &e@"),
            (r#"\u0041\x42\"\/\\\u{43}\31 2"#, r#"AB"/\C12"#),
            (r"\ud83d\ude00", "\u{1f600}"),
            ("https://xn--strae-oqa.example", "https://straße.example"),
            ("100% &more; \\", "100% &more; \\"),
        ] {
            let found = layers(text);
            assert_eq!(found.first().map_or(text, String::as_str), expected);
        }
    }

    #[test]
    fn codes_of_codes_are_read_within_a_bound() {
        assert_eq!(layers("%252540"), ["%2540", "%40", "@"]);
        assert_eq!(layers("%5Cu0041"), ["\\u0041", "A"]);
        assert!(layers(&format!("%{}41", "25".repeat(1_000))).len() <= LAYERS_MAX);
        let mixed = "%2525&amp;amp;\\\\\\\\u0041".repeat(10);
        assert!(layers(&mixed).len() <= DECODED_MAX);
        // A backslash that begins no escape stays, even next to an entity.
        assert!(layers(r"a\dbc&amp;d").contains(&r"a\dbc&d".to_owned()));
    }

    #[test]
    fn what_is_no_code_is_left() {
        for text in [
            "%",
            "%4",
            "%zz",
            "&",
            "&#;",
            "&#x;",
            "&nothing;",
            "xn--",
            "\\",
            "\\u12",
            "%u12",
        ] {
            assert!(layers(text).iter().all(|layer| !layer.is_empty()), "{text}");
        }
    }
}
