//! Reads Huffman codes and the bits behind them, fast where they are only skipped.
//!
//! Source: ITU-T T.81, annexes C and F.2.2.

/// The most bits of a Huffman code.
pub(super) const CODE_BITS_MAX: usize = 16;
/// The number of bits of the codes that are found at once, in a table. Nearly all codes of a photo are this short.
const SHORT_BITS: u32 = 11;
/// The number of coefficients of a block.
const BLOCK: u32 = 64;
/// The number of coefficients of a block that are read at most. They suffice for the means of its quarters.
pub(super) const FIRST: usize = 5;
/// The most bits of a difference between two DC coefficients.
const DIFFERENCE_BITS_MAX: u32 = 15;
/// The least number of bits that are there before a code is read: the longest code with the bits behind it.
const READY_BITS: u32 = 32;

/// The definition of some Huffman codes, as it stands in a file.
#[derive(Debug, Clone, Copy)]
pub(super) struct CodesDefinition<'file> {
    /// The number of codes of each length, from one bit on.
    pub(super) counts: &'file [u8; CODE_BITS_MAX],
    /// The meaning of each code, in ascending order of codes.
    pub(super) symbols: &'file [u8],
}

/// A code's meaning, in one number, since all of it is wanted at once.
#[derive(Debug, Clone, Copy, Default)]
struct Code(u32);

impl Code {
    fn new(symbol: u8, bits: u8) -> Self {
        const ZEROES: u8 = 0xF0;
        let (run, size) = (symbol >> 4, symbol & 15);
        let is_end = size == 0 && symbol != ZEROES;
        let advance = if is_end { 64 } else { run + 1 };
        Self(u32::from_le_bytes([bits + size, advance, bits, symbol]))
    }

    fn exists(self) -> bool {
        self.0 > 0
    }

    /// Returns the number of its bits and of those behind it, if it is the code of an AC coefficient.
    fn bits_in_all(self) -> u32 {
        self.0 & 0xFF
    }

    /// Returns how many coefficients further the next one is, if it is the code of an AC coefficient.
    fn advance(self) -> u32 {
        self.0 >> 8 & 0xFF
    }

    /// Returns the number of its bits.
    fn bits(self) -> u32 {
        self.0 >> 16 & 0xFF
    }

    fn symbol(self) -> u32 {
        self.0 >> 24
    }
}

/// What is skipped at once: as many codes with the bits behind them as a sequence of bits contains.
#[derive(Debug, Clone, Copy, Default)]
struct Skip(u32);

impl Skip {
    /// Returns what is skipped of a sequence of [`SHORT_BITS`] bits. `short` has the code with which each begins.
    fn new(sequence: usize, short: &[Code]) -> Self {
        let (mut bits, mut advance, mut advance_before) = (0, 0, 0);
        while advance < BLOCK {
            let rest = sequence << bits & (short.len() - 1);
            let code = short.get(rest).copied().unwrap_or_default();
            let is_inside = bits + code.bits_in_all() <= SHORT_BITS;
            if !code.exists() || bits > 0 && !is_inside {
                break;
            }
            bits += code.bits_in_all();
            (advance_before, advance) = (advance, advance + code.advance());
            if !is_inside {
                break;
            }
        }
        Self(bits | advance << 8 | advance_before << 16)
    }

    /// Returns how many coefficients are skipped before the last one.
    fn advance_before(self) -> u32 {
        self.0 >> 16
    }

    /// Returns the codes as if they were one.
    fn as_code(self) -> Code {
        Code(self.0 & 0xFFFF)
    }
}

/// Huffman codes, ready to be read.
pub(super) struct Codes<'file> {
    definition: CodesDefinition<'file>,
    /// The code with which each sequence of [`SHORT_BITS`] bits begins.
    short: Vec<Code>,
    /// What is skipped of each such sequence, if these are codes of AC coefficients.
    skips: Vec<Skip>,
}

impl<'file> Codes<'file> {
    /// Prepares the codes of DC coefficients for reading.
    pub(super) fn dc(definition: CodesDefinition<'file>) -> Self {
        let mut short = vec![Code::default(); 1 << SHORT_BITS];
        let mut places = short.iter_mut();
        let mut symbols = definition.symbols.iter();
        for (bits, count) in (1_u8..).zip(definition.counts).take(SHORT_BITS as usize) {
            let width = 1_usize << (SHORT_BITS - u32::from(bits));
            for symbol in symbols.by_ref().take(usize::from(*count)) {
                let code = Code::new(*symbol, bits);
                places.by_ref().take(width).for_each(|place| *place = code);
            }
        }
        Self {
            definition,
            short,
            skips: Vec::new(),
        }
    }

    /// Prepares the codes of AC coefficients for being skipped.
    pub(super) fn ac(definition: CodesDefinition<'file>) -> Self {
        let codes = Self::dc(definition);
        let sequences = 0..codes.short.len();
        let skips = sequences.map(|sequence| Skip::new(sequence, &codes.short));
        Self {
            skips: skips.collect(),
            ..codes
        }
    }

    /// Reads a difference between two DC coefficients; `None` if the data end or have no such code.
    #[inline]
    pub(super) fn difference(&self, reader: &mut BitReader<'_>) -> Option<i32> {
        let code = self.next(reader)?;
        reader.skip(code.bits())?;
        let bits = code.symbol();
        if bits > DIFFERENCE_BITS_MAX {
            return None;
        }
        Some(extended(reader.take(bits)?, bits))
    }

    /// Reads the first AC coefficients of a block, and skips the others; `None` if the data end or have no such code.
    #[inline]
    pub(super) fn coefficients(
        &self,
        reader: &mut BitReader<'_>,
        first: &mut [i16; FIRST],
    ) -> Option<()> {
        let mut place = 1;
        while place < FIRST {
            let code = self.next(reader)?;
            let size = code.symbol() & 15;
            if size == 0 {
                reader.skip(code.bits())?;
                place += code.advance() as usize;
                continue;
            }
            place += (code.symbol() >> 4) as usize;
            reader.skip(code.bits())?;
            let value = extended(reader.take(size)?, size);
            if let Some(coefficient) = first.get_mut(place) {
                *coefficient = i16::try_from(value).unwrap_or(0);
            }
            place += 1;
        }
        self.skip_coefficients(reader, u32::try_from(place).unwrap_or(BLOCK))
    }

    /// Skips the AC coefficients of a block from a place on; `None` if the data end or have no such code.
    #[inline]
    pub(super) fn skip_coefficients(&self, reader: &mut BitReader<'_>, from: u32) -> Option<()> {
        let mut place = from;
        // Copies, since the compiler does not keep the reader's own numbers in registers.
        let (mut bits, mut bits_left) = (reader.bits, reader.bits_left);
        while place < BLOCK {
            if bits_left < READY_BITS {
                (reader.bits, reader.bits_left) = (bits, bits_left);
                reader.refill();
                (bits, bits_left) = (reader.bits, reader.bits_left);
            }
            let first = u16::try_from(bits >> (64 - SHORT_BITS)).unwrap_or(0);
            let skip = self
                .skips
                .get(usize::from(first))
                .copied()
                .unwrap_or_default();
            let mut code = skip.as_code();
            if place + skip.advance_before() >= BLOCK {
                // The block ends before the last of these codes.
                code = self
                    .short
                    .get(usize::from(first))
                    .copied()
                    .unwrap_or_default();
            }
            if !code.exists() {
                (reader.bits, reader.bits_left) = (bits, bits_left);
                code = self.long(reader)?;
            }
            let skipped = code.bits_in_all();
            if skipped > bits_left {
                reader.has_ended = true;
                return None;
            }
            bits <<= skipped;
            bits_left -= skipped;
            place += code.advance();
        }
        (reader.bits, reader.bits_left) = (bits, bits_left);
        Some(())
    }

    /// Returns the next code without skipping it; `None` if there is no such code.
    #[inline]
    fn next(&self, reader: &mut BitReader<'_>) -> Option<Code> {
        reader.make_ready();
        let place = usize::from(reader.peek(SHORT_BITS));
        let code = self.short.get(place).copied().unwrap_or_default();
        if code.exists() {
            return Some(code);
        }
        self.long(reader)
    }

    #[cold]
    fn long(&self, reader: &mut BitReader<'_>) -> Option<Code> {
        let (mut first, mut place) = (0_usize, 0_usize);
        for (bits, count) in (1_u8..).zip(self.definition.counts) {
            let count = usize::from(*count);
            let code = usize::from(reader.peek(u32::from(bits)));
            if code < first + count {
                let place = (place + code).checked_sub(first)?;
                let symbol = self.definition.symbols.get(place)?;
                return Some(Code::new(*symbol, bits));
            }
            place += count;
            first = (first + count) << 1;
        }
        // Behind the end, any bits are read, which may be no code.
        reader.has_ended |= reader.bits_left < READY_BITS;
        None
    }
}

/// Returns the number that so many bits stand for. Their lower half stands for negative numbers.
fn extended(value: u16, bits: u32) -> i32 {
    let value = i32::from(value);
    if bits > 0 && value >> (bits - 1) == 0 {
        value + 1 - (1 << bits)
    } else {
        value
    }
}

/// Reads the bits of entropy-coded data.
pub(super) struct BitReader<'data> {
    left: &'data [u8],
    /// The next bits, highest first. Lower ones than [`Self::bits_left`] may be there already.
    bits: u64,
    bits_left: u32,
    /// Whether more bits were wanted than there are up to the next marker.
    has_ended: bool,
}

impl<'data> BitReader<'data> {
    pub(super) fn new(data: &'data [u8]) -> Self {
        Self {
            left: data,
            bits: 0,
            bits_left: 0,
            has_ended: false,
        }
    }

    /// Returns whether reading has failed because the data end.
    pub(super) fn has_ended(&self) -> bool {
        self.has_ended
    }

    /// Reads a bit; `None` at the end and at a restart.
    #[inline]
    pub(super) fn bit(&mut self) -> Option<bool> {
        self.make_ready();
        Some(self.take(1)? == 1)
    }

    /// Continues after the next restart marker; `None` if there is none.
    pub(super) fn restart(&mut self) -> Option<()> {
        let is_restart = |pair: &[u8]| matches!(pair, [0xFF, 0xD0..=0xD7]);
        let start = self.left.windows(2).position(is_restart);
        self.has_ended = start.is_none();
        self.left = self.left.get(start? + 2..)?;
        (self.bits, self.bits_left) = (0, 0);
        Some(())
    }

    /// Reads up to 15 bits, which must be ready.
    #[inline]
    fn take(&mut self, count: u32) -> Option<u16> {
        if count == 0 {
            return Some(0);
        }
        let taken = self.peek(count);
        self.skip(count)?;
        Some(taken)
    }

    /// Returns the next bits, 1 to 16. Behind the end, they are any.
    #[inline]
    fn peek(&self, count: u32) -> u16 {
        u16::try_from(self.bits >> (64 - count)).unwrap_or(0)
    }

    #[inline]
    fn skip(&mut self, count: u32) -> Option<()> {
        let Some(left) = self.bits_left.checked_sub(count) else {
            self.has_ended = true;
            return None;
        };
        self.bits_left = left;
        self.bits <<= count;
        Some(())
    }

    /// Gets enough bits for a code and what is behind it, as far as there are any.
    #[inline]
    fn make_ready(&mut self) {
        if self.bits_left < READY_BITS {
            self.refill();
        }
    }

    #[inline]
    fn refill(&mut self) {
        if let Some(next) = self.left.first_chunk::<8>() {
            let word = u64::from_be_bytes(*next);
            if !has_mark(word) {
                let bytes = (63 - self.bits_left) / 8;
                self.bits |= word >> self.bits_left;
                self.bits_left += 8 * bytes;
                self.left = self.left.get(bytes as usize..).unwrap_or_default();
                return;
            }
        }
        self.refill_by_bytes();
    }

    fn refill_by_bytes(&mut self) {
        while self.bits_left <= 56 {
            let byte;
            (byte, self.left) = match self.left {
                [0xFF, 0, rest @ ..] => (0xFF, rest),
                [0xFF, ..] | [] => return,
                [byte, rest @ ..] => (*byte, rest),
            };
            self.bits |= u64::from(byte) << (56 - self.bits_left);
            self.bits_left += 8;
        }
    }
}

/// Returns whether any of eight bytes is 0xFF.
#[inline]
fn has_mark(word: u64) -> bool {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGHEST: u64 = u64::from_ne_bytes([0x80; 8]);
    // A byte of the complement is 0 where that of the word is 0xFF, and then borrows from the higher ones.
    let complement = !word;
    complement.wrapping_sub(ONES) & word & HIGHEST != 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_is_found_in_any_byte() {
        for place in 0..8 {
            let mut bytes = [0xFE, 0x7F, 0, 1, 0x80, 0xFE, 0x81, 0xFE];
            assert!(!has_mark(u64::from_be_bytes(bytes)));
            bytes[place] = 0xFF;
            assert!(has_mark(u64::from_be_bytes(bytes)), "{place}");
        }
    }

    #[test]
    fn bits_are_the_same_with_and_without_marks_between() {
        let mut data: Vec<u8> = (0..200_u8)
            .map(|byte| byte.wrapping_mul(37) & 0x7F)
            .collect();
        data[50] = 0xFF;
        data[51] = 0;
        data[90] = 0xFF;
        data[91] = 0;
        data.extend([0xFF, 0xD0, 0b1010_0000]);
        let bytes = (0..data.len() - 3).filter(|place| ![51, 91].contains(place));
        let expect = bytes.flat_map(|place| (0..8).rev().map(move |bit| (place, bit)));
        let mut reader = BitReader::new(&data);
        for (place, bit) in expect {
            assert_eq!(reader.bit(), Some(data[place] >> bit & 1 == 1), "{place}");
        }
        assert!(!reader.has_ended());
        assert_eq!(reader.bit(), None);
        assert!(reader.has_ended());
        reader.restart().unwrap();
        assert_eq!([reader.bit(), reader.bit()], [Some(true), Some(false)]);
    }

    #[test]
    fn codes_of_any_length_are_read() {
        // One code of each length from one bit on: 0, 10, 110, ...
        let definition = CodesDefinition {
            counts: &[1; CODE_BITS_MAX],
            symbols: &[0; CODE_BITS_MAX],
        };
        let codes = Codes::dc(definition);
        for bits in 1..=16_u8 {
            let mut reader = BitReader::new(&[]);
            // All its bits but the last are 1.
            let ones = u64::MAX.checked_shl(65 - u32::from(bits));
            (reader.bits, reader.bits_left) = (ones.unwrap_or(0), 64);
            let code = codes.next(&mut reader).unwrap();
            assert_eq!(code.bits(), u32::from(bits));
        }
        let mut reader = BitReader::new(&[]);
        (reader.bits, reader.bits_left) = (u64::MAX, 64);
        assert!(codes.next(&mut reader).is_none() && !reader.has_ended());
    }

    /// One after another, with a block that ends within a sequence, and at last a block that ends early.
    #[test]
    fn blocks_are_skipped_code_by_code_or_several_at_once() {
        // 0: one coefficient of one bit; 10: the end of the block.
        let definition = CodesDefinition {
            counts: &[1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
            symbols: &[0x01, 0x00],
        };
        let codes = Codes::ac(definition);
        // Two whole blocks; three coefficients and an end; an end.
        let bits = [
            "01".repeat(63),
            "00".repeat(63),
            "0100 01 10".replace(' ', ""),
            "10".into(),
        ];
        let bits = bits.concat() + "1111111";
        let bytes = bits.as_bytes().chunks_exact(8);
        let byte = |bits: &[u8]| bits.iter().fold(0, |byte, bit| byte << 1 | (bit - b'0'));
        let data: Vec<u8> = bytes.map(byte).collect();
        let mut reader = BitReader::new(&data);
        for _ in 0..4 {
            codes.skip_coefficients(&mut reader, 1).unwrap();
        }
        assert!(codes.skip_coefficients(&mut reader, 1).is_none());
    }
}
