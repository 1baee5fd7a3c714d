//! Many texts that are looked for at once.

/// A needle of fewer characters is found as it is, or as a word of its own: with signs between its letters it is in
/// too many other texts.
const SHORT_CHARS: usize = 6;
/// The bytes by whose hash a needle is looked up, and the bits of that hash.
const KEY_BYTES: usize = 3;
const HASH_BITS: u32 = 16;

/// Texts that are looked for at once.
pub(crate) struct Needles {
    /// The needles by their first bytes, the longest of them first.
    needles: Vec<Needle>,
    /// A bit for each hash of such first bytes.
    hashes: Vec<u64>,
}

/// A text that is looked for.
#[derive(PartialEq, Eq)]
pub(crate) struct Needle {
    key: u32,
    bytes: Vec<u8>,
    pub(crate) is_short: bool,
}

impl Needles {
    /// Takes texts together, but those that are too short to be looked for.
    pub(crate) fn new(texts: Vec<String>) -> Self {
        let needles = texts.into_iter().filter_map(|text| {
            let bytes = text.as_bytes();
            let chars = text.chars().count();
            (chars >= crate::SECRET_CHARS_MIN).then_some(())?;
            Some(Needle {
                key: key_of(bytes)?,
                bytes: bytes.to_vec(),
                is_short: chars < SHORT_CHARS,
            })
        });
        let mut needles: Vec<Needle> = needles.collect();
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

    /// Returns whether there is nothing to look for.
    pub(crate) fn is_empty(&self) -> bool {
        self.needles.is_empty()
    }

    /// Gives each place where a needle is, and the needle's length, until told that it is enough. The longer one of
    /// two at one place comes first.
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
            let alike = self.needles.get(first..).unwrap_or_default().iter();
            let alike = alike.take_while(|needle| needle.key == key);
            for needle in alike.filter(|needle| rest.starts_with(&needle.bytes)) {
                if is_enough(at, needle) {
                    return;
                }
            }
        }
    }
}

impl Needle {
    /// Returns the length in bytes.
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

/// Returns the place of a key's bit, and the bit.
fn hash_of(key: u32) -> (usize, u64) {
    let hash = key.wrapping_mul(0x9E37_79B1) >> (u32::BITS - HASH_BITS);
    let place = usize::try_from(hash >> 6).unwrap_or_default();
    (place, 1 << (hash & 63))
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
}
