//! Searches for many texts (needles) at once, and lists the encodings in which a secret may occur: base64 and
//! hexadecimal.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};

/// The length, in characters, below which a needle is found only verbatim or as a whole word. With punctuation between
/// its letters, a shorter one occurs in too many texts.
const SHORT_CHARS: usize = 6;
/// The number of a needle's first bytes that are hashed to look it up. The next constant is the number of bits of the
/// hash.
const KEY_BYTES: usize = 3;
const HASH_BITS: u32 = 16;

/// The longest piece of a secret's bytes. Longer secrets are searched in overlapping pieces; the next constant is the
/// distance from the beginning of one piece to that of the next.
const PIECE_BYTES_MAX: usize = 48;
const STEP_BYTES: usize = 42;
/// The longest secret that is searched in further forms, such as percent-encoded, in bytes. Longer secrets are usually
/// keys, which are written verbatim.
const FORMS_BYTES_MAX: usize = 512;

/// A set of texts to search for together.
pub(crate) struct Needles {
    /// The needles, sorted by their first bytes, longer ones first.
    needles: Vec<Needle>,
    /// A bit for each possible hash of a needle's first bytes, which rules out most positions quickly.
    hashes: Vec<u64>,
}

impl Needles {
    /// Makes a set of needles. Texts that are too short are ignored.
    pub(crate) fn new(texts: Vec<String>) -> Self {
        let mut needles: Vec<Needle> = texts
            .into_iter()
            .filter_map(|text| {
                let bytes = text.as_bytes();
                let chars = text.chars().count();
                (chars >= crate::SECRET_CHARS_MIN).then_some(())?;
                Some(Needle {
                    key: key_of(bytes)?,
                    bytes: bytes.to_vec(),
                    is_short: chars < SHORT_CHARS,
                })
            })
            .collect();
        needles.sort_by(|one, other| {
            let order = |needle: &Needle| (needle.key, usize::MAX - needle.bytes.len());
            (order(one), &one.bytes).cmp(&(order(other), &other.bytes))
        });
        needles.dedup();
        let mut hashes = vec![0; 1 << (HASH_BITS - 6)];
        for needle in &needles {
            let (place, bit) = hash_of(needle.key);
            if let Some(bits) = hashes.get_mut(place) {
                *bits |= bit;
            }
        }
        Self { needles, hashes }
    }

    /// Returns whether there are no needles.
    pub(crate) fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// Passes each match and its position to `is_enough` until that function returns true. At each position, longer
    /// needles come first.
    pub(crate) fn find(&self, bytes: &[u8], is_enough: &mut impl FnMut(usize, &Needle) -> bool) {
        if self.is_empty() {
            return;
        }
        for (at, window) in bytes.windows(KEY_BYTES).enumerate() {
            let Some(key) = key_of(window) else { return };
            let (place, bit) = hash_of(key);
            if self.hashes.get(place).is_none_or(|bits| bits & bit == 0) {
                continue;
            }
            let rest = bytes.get(at..).unwrap_or_default();
            let first = self.needles.partition_point(|needle| needle.key < key);
            let alike = self
                .needles
                .get(first..)
                .unwrap_or_default()
                .iter()
                .take_while(|needle| needle.key == key);
            for needle in alike.filter(|needle| rest.starts_with(&needle.bytes)) {
                if is_enough(at, needle) {
                    return;
                }
            }
        }
    }
}

/// One text to search for.
#[derive(PartialEq, Eq)]
pub(crate) struct Needle {
    key: u32,
    bytes: Vec<u8>,
    pub(crate) is_short: bool,
}

impl Needle {
    /// Returns the needle's length in bytes.
    pub(crate) fn len(&self) -> usize {
        self.bytes.len()
    }
}

fn key_of(bytes: &[u8]) -> Option<u32> {
    let [one, two, three, ..] = bytes else {
        return None;
    };
    Some(u32::from_le_bytes([*one, *two, *three, 0]))
}

/// Returns the place of a hashed key in `hashes`: the index of the word, and the bit in it.
fn hash_of(key: u32) -> (usize, u64) {
    let hash = key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - HASH_BITS);
    let place = usize::try_from(hash >> 6).unwrap_or_default();
    (place, 1 << (hash & 63))
}

/// Returns the letters and digits of a secret in hexadecimal, and in base64 at every alignment.
pub(crate) fn encoded(secret: &str) -> Vec<String> {
    let mut all = Vec::new();
    for form in forms(secret) {
        for piece in pieces(&form) {
            all.extend((0..3).map(|before| in_base64(piece, before)));
            all.push(hex::encode(piece));
        }
    }
    all
}

/// Returns the bytes of a secret that an encoder may get: as it is, in upper or lower case, percent-encoded, and
/// already encoded.
fn forms(secret: &str) -> Vec<Vec<u8>> {
    if secret.len() > FORMS_BYTES_MAX {
        return vec![secret.as_bytes().to_vec()];
    }
    let percent = utf8_percent_encode(secret, NON_ALPHANUMERIC).to_string();
    let texts = [
        secret.to_owned(),
        secret.trim().to_owned(),
        secret.to_lowercase(),
        secret.to_uppercase(),
        percent,
        STANDARD_NO_PAD.encode(secret),
        hex::encode(secret.as_bytes()),
    ];
    let mut forms: Vec<Vec<u8>> = texts.into_iter().map(String::into_bytes).collect();
    // Older programs encode Latin-1, and Windows UTF-16.
    let latin = secret.chars().map(u8::try_from).collect::<Result<_, _>>();
    forms.extend(latin.ok());
    forms.push(secret.encode_utf16().flat_map(u16::to_le_bytes).collect());
    let mut once: Vec<Vec<u8>> = Vec::new();
    for form in forms {
        if !once.contains(&form) {
            once.push(form);
        }
    }
    once
}

fn pieces(bytes: &[u8]) -> Vec<&[u8]> {
    let mut pieces = Vec::new();
    let mut from = 0;
    loop {
        let end = bytes.len().min(from + PIECE_BYTES_MAX);
        pieces.extend(bytes.get(from..end));
        if end == bytes.len() {
            return pieces;
        }
        from += STEP_BYTES;
    }
}

/// Returns the letters and digits of bytes in base64 if `before` other bytes precede them, except those digits that
/// also depend on other bytes.
fn in_base64(bytes: &[u8], before: usize) -> String {
    let mut whole = vec![0; before];
    whole.extend_from_slice(bytes);
    let decided = whole.len() * 8 / 6;
    let first = (before * 8).div_ceil(6);
    let encoded = STANDARD_NO_PAD.encode(&whole);
    let decided = encoded.get(first..decided).unwrap_or_default();
    decided
        .chars()
        .filter(char::is_ascii_alphanumeric)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_needle_is_found_at_every_place() {
        let texts = ["abc", "abcdef", "bcd", "zz", "éa"]
            .map(str::to_owned)
            .to_vec();
        let needles = Needles::new(texts);
        let found = |text: &str| {
            let mut found = Vec::new();
            needles.find(text.as_bytes(), &mut |at, needle| {
                found.push((at, needle.len()));
                false
            });
            found
        };
        assert_eq!(found("xabcdefabc"), [(1, 6), (1, 3), (2, 3), (7, 3)]);
        assert_eq!(found("zz éa"), []);
        assert_eq!(found("ab"), []);
    }

    #[test]
    fn what_others_decide_is_left_out() {
        assert_eq!(in_base64(b"hush", 0), "aHVza");
        assert_eq!(in_base64(b"hush", 1), "h1c2");
        assert_eq!(in_base64(b"hush", 2), "odXNo");
        assert_eq!(hex::encode(b"hush"), "68757368");
        for before in ["", "a", "ab", "abc"] {
            let text = STANDARD_NO_PAD.encode(format!("{before}a long secret; {before}"));
            let found = encoded("a long secret");
            assert!(found.iter().any(|one| text.contains(one)), "{text}");
        }
    }

    #[test]
    fn the_pieces_of_a_long_secret_cover_it() {
        let bytes = vec![7; 1_000];
        let pieces = pieces(&bytes);
        assert!(pieces.iter().all(|piece| piece.len() <= PIECE_BYTES_MAX));
        let covered = (pieces.len() - 1) * STEP_BYTES + pieces.last().unwrap().len();
        assert_eq!(covered, 1_000);
    }
}
