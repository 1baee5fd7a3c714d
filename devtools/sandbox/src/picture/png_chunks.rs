//! The chunks of a PNG, for what the encoder does not write.

/// The first bytes of a PNG.
pub(super) const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// The length of a PNG's beginning, which ends after the header's chunk.
pub(super) const HEAD_BYTES: usize = 33;
/// The most bytes of a block of a zlib stream that is stored without compression.
const STORED_BYTES_MAX: usize = 65_535;

/// Returns a chunk with its length and checksum.
pub(super) fn chunk(kind: [u8; 4], data: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(data.len()).ok()?;
    let body = [&kind, data].concat();
    let checksum = checksum(&body).to_be_bytes();
    Some([&length.to_be_bytes(), &*body, &checksum].concat())
}

/// Returns the CRC-32 of bytes.
fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xedb8_8320 & 0_u32.wrapping_sub(sum & 1));
    let sums = bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), step)
    });
    !sums
}

/// Returns bytes as a zlib stream without compression.
pub(super) fn stored(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut stream = vec![0x78, 0x01];
    let blocks = bytes.chunks(STORED_BYTES_MAX);
    let last = blocks.len().checked_sub(1)?;
    for (number, block) in blocks.enumerate() {
        let length = u16::try_from(block.len()).ok()?;
        stream.push(u8::from(number == last));
        stream.extend(length.to_le_bytes());
        stream.extend((!length).to_le_bytes());
        stream.extend(block);
    }
    stream.extend(adler(bytes).to_be_bytes());
    Some(stream)
}

/// Returns the Adler-32 of bytes.
fn adler(bytes: &[u8]) -> u32 {
    const PRIME: u32 = 65_521;
    let (sum, sums) = bytes.iter().fold((1, 0), |(sum, sums), byte| {
        let sum = (sum + u32::from(*byte)) % PRIME;
        (sum, (sums + sum) % PRIME)
    });
    sums << 16 | sum
}
