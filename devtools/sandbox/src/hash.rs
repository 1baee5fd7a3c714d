//! The sandbox's only hash: small, stable for ever, and equal on every target.

/// A part of the hashed data. Its kind is hashed too, so that `1` and `"1"` differ.
#[derive(Clone, Copy, Debug)]
pub enum HashPart<'a> {
    /// The UTF-8 bytes of a text.
    Text(&'a str),
    /// The eight bytes of a number, the lowest first.
    Number(u64),
}

impl<'a> From<&'a str> for HashPart<'a> {
    fn from(text: &'a str) -> Self {
        Self::Text(text)
    }
}

impl From<usize> for HashPart<'_> {
    fn from(number: usize) -> Self {
        Self::Number(number as u64)
    }
}

impl From<u64> for HashPart<'_> {
    fn from(number: u64) -> Self {
        Self::Number(number)
    }
}

/// Hashes the parts in order: FNV-1a over their bytes, then a finaliser that spreads the differences over all bits.
#[must_use]
pub fn hash(parts: &[HashPart<'_>]) -> u64 {
    let mut state = 0xcbf2_9ce4_8422_2325;
    for part in parts {
        state = match part {
            HashPart::Text(text) => absorb(absorb(state, &[1]), text.as_bytes()),
            HashPart::Number(number) => absorb(absorb(state, &[2]), &number.to_le_bytes()),
        };
        // A separator follows each part, so that ("ab", "c") and ("a", "bc") differ.
        state = absorb(state, &[0xff]);
    }
    finish(state)
}

fn absorb(state: u64, bytes: &[u8]) -> u64 {
    bytes.iter().fold(state, |sum, byte| {
        (sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn finish(state: u64) -> u64 {
    let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// Turns a hash into a number in `0.0..1.0`. It has 53 random bits, so it is exact on every target.
#[must_use]
pub fn unit(hash: u64) -> f64 {
    (hash >> 11) as f64 / 9_007_199_254_740_992.0
}

/// Turns a hash into a number in `0..count`; returns 0 if `count` is 0.
#[must_use]
pub fn below(hash: u64, count: usize) -> usize {
    hash.checked_rem(count as u64)
        .and_then(|rest| usize::try_from(rest).ok())
        .unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_never_changes() {
        assert_eq!(
            hash(&["photo".into(), 7_usize.into()]),
            hash(&["photo".into(), 7_u64.into()])
        );
        assert_eq!(
            hash(&[]),
            14_087_677_454_934_409_008,
            "drawn worlds would all change"
        );
    }

    #[test]
    fn parts_do_not_run_together() {
        assert_ne!(
            hash(&["ab".into(), "c".into()]),
            hash(&["a".into(), "bc".into()])
        );
        assert_ne!(hash(&["1".into()]), hash(&[1_u64.into()]));
    }

    #[test]
    fn units_fill_their_range_evenly() {
        let drawn: Vec<f64> = (0..10_000_u64).map(|n| unit(hash(&[n.into()]))).collect();
        assert!(drawn.iter().all(|value| (0.0..1.0).contains(value)));
        let low = drawn.iter().filter(|value| **value < 0.15).count();
        assert!((1_400..1_600).contains(&low), "{low} of 10,000 below 0.15");
    }

    #[test]
    fn below_zero_is_zero() {
        assert_eq!(below(17, 0), 0);
        assert_eq!(below(17, 5), 2);
    }
}
