//! The checksum CRC-32 of PNG files, sixteen bytes at a time. Its tables are computed when it is first needed, which
//! takes some microseconds.

use std::sync::LazyLock;

/// The polynomial, its lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// How many bytes are taken at once; there is a table for each.
const BLOCK_BYTES: usize = 16;

type Table = [u32; 256];

static TABLES: LazyLock<[Table; BLOCK_BYTES]> = LazyLock::new(tables);

/// A checksum of bytes that come one after the other.
#[derive(Debug, Clone, Default)]
pub struct Hasher {
    state: u32,
    bytes: u64,
}

impl Hasher {
    /// Returns the checksum of no bytes.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Takes the next bytes.
    pub fn update(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.wrapping_add(bytes.len() as u64);
        let tables = &*TABLES;
        let mut sum = !self.state;
        let (blocks, rest) = bytes.as_chunks::<BLOCK_BYTES>();
        for block in blocks {
            let mut block = *block;
            for (byte, of_sum) in block.iter_mut().zip(sum.to_le_bytes()) {
                *byte ^= of_sum;
            }
            // The first byte has the longest way behind it.
            let looked_up = block.iter().zip(tables.iter().rev());
            sum = looked_up.fold(0, |sum, (byte, table)| sum ^ at(table, *byte));
        }
        let [of_one_byte, ..] = tables;
        for byte in rest {
            sum = next(of_one_byte, sum, *byte);
        }
        self.state = !sum;
    }

    /// Returns the checksum.
    #[must_use]
    pub fn finalize(self) -> u32 {
        self.state
    }

    /// Begins again.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Goes on as if the bytes of another checksum had come next.
    pub fn combine(&mut self, next: &Self) {
        self.state = times(power_of_bytes(next.bytes), self.state) ^ next.state;
        self.bytes = self.bytes.wrapping_add(next.bytes);
    }
}

/// Returns the checksum of bytes.
#[must_use]
pub fn hash(bytes: &[u8]) -> u32 {
    let mut hasher = Hasher::new();
    hasher.update(bytes);
    hasher.finalize()
}

/// A sum is a polynomial, its lowest power in the highest bit: this is the polynomial 1.
const ONE: u32 = 1 << 31;

/// Returns what a sum is to be multiplied with where this many zero bytes come after it.
fn power_of_bytes(mut bytes: u64) -> u32 {
    let (mut power, mut of_bit) = (ONE, ONE >> 8);
    while bytes > 0 {
        if bytes & 1 == 1 {
            power = times(of_bit, power);
        }
        of_bit = times(of_bit, of_bit);
        bytes >>= 1;
    }
    power
}

fn times(one: u32, mut other: u32) -> u32 {
    let mut product = 0;
    for bit in 0..u32::BITS {
        if one & (ONE >> bit) != 0 {
            product ^= other;
        }
        other = doubled(other);
    }
    product
}

/// Returns a sum times the polynomial x.
fn doubled(sum: u32) -> u32 {
    let carry = if sum & 1 == 1 { POLYNOMIAL } else { 0 };
    (sum >> 1) ^ carry
}

/// A table has a number for each byte.
fn at(table: &Table, byte: u8) -> u32 {
    table.get(usize::from(byte)).copied().unwrap_or_default()
}

fn next(of_one_byte: &Table, sum: u32, byte: u8) -> u32 {
    let [lowest, ..] = sum.to_le_bytes();
    at(of_one_byte, lowest ^ byte) ^ (sum >> 8)
}

/// The first table has what a byte adds to the sum at once; each further one, what it adds one byte later.
fn tables() -> [Table; BLOCK_BYTES] {
    let mut table = [0; 256];
    for (number, entry) in (0..).zip(&mut table) {
        *entry = (0..8).fold(number, |sum, _| doubled(sum));
    }
    let of_one_byte = table;
    let mut tables = [of_one_byte; BLOCK_BYTES];
    for later in tables.iter_mut().skip(1) {
        table = table.map(|sum| next(&of_one_byte, sum, 0));
        *later = table;
    }
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_are_those_that_are_known() {
        assert_eq!(hash(b""), 0);
        assert_eq!(hash(b"123456789"), 0xCBF4_3926);
        assert_eq!(
            hash(b"The quick brown fox jumps over the lazy dog"),
            0x414F_A339
        );
    }

    #[test]
    fn bytes_may_come_in_any_parts() {
        let bytes: Vec<u8> = (0..=255).cycle().take(1_000).collect();
        let one_by_one = bytes.chunks(1).fold(Hasher::new(), |mut hasher, byte| {
            hasher.update(byte);
            hasher
        });
        assert_eq!(one_by_one.finalize(), hash(&bytes));
        let (mut before, mut after) = (Hasher::new(), Hasher::new());
        before.update(&bytes[..123]);
        after.update(&bytes[123..]);
        before.combine(&after);
        assert_eq!(before.finalize(), hash(&bytes));
        let mut hasher = Hasher::new();
        hasher.update(b"forgotten");
        hasher.reset();
        hasher.update(&bytes[..333]);
        hasher.update(&bytes[333..]);
        assert_eq!(hasher.finalize(), hash(&bytes));
    }
}
