//! Lossless WebP data, bit by bit.

/// Bits in the order of lossless WebP, lowest first.
#[derive(Default)]
pub struct Bits {
    bytes: Vec<u8>,
    rest: u64,
    count: u32,
}

impl Bits {
    pub fn put(&mut self, value: u64, count: u32) {
        self.rest |= value << self.count;
        self.count += count;
        while self.count >= 8 {
            self.bytes.push(self.rest.to_le_bytes()[0]);
            self.rest >>= 8;
            self.count -= 8;
        }
    }

    /// Appends a tree of a single eight-bit symbol.
    pub fn single(&mut self, symbol: u64) {
        self.put(1, 1);
        self.put(0, 1);
        self.put(1, 1);
        self.put(symbol, 8);
    }

    /// Appends a tree whose codes have 1, 2, ... 9, 10 and 10 bits, so that the decoder's table has a thousand entries.
    pub fn deep_tree(&mut self) {
        const ORDER: [u64; 14] = [17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10];
        // The lengths of the code length codes, and these codes by the length they denote.
        let bits_of = |length: u64| match length {
            1..=5 | 10 => 3,
            6..=9 => 4,
            _ => 0,
        };
        let code_of = |length: u64| -> u64 {
            let places = [1, 2, 3, 4, 5, 10];
            match places.iter().position(|one| *one == length) {
                Some(at) => reversed(at as u64, 3),
                None => reversed(12 + length - 6, 4),
            }
        };
        self.put(0, 1);
        self.put(ORDER.len() as u64 - 4, 4);
        for length in ORDER {
            self.put(bits_of(length), 3);
        }
        self.put(1, 1);
        self.put(1, 3);
        self.put(9, 4);
        for length in [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10] {
            self.put(code_of(length), u32::try_from(bits_of(length)).unwrap());
        }
    }

    pub fn finish(mut self) -> Vec<u8> {
        self.put(0, 7);
        self.bytes
    }
}

fn reversed(code: u64, bits: u32) -> u64 {
    code.reverse_bits() >> (64 - bits)
}
