//! PNG files chunk by chunk, for what no encoder writes.

/// A PNG of these chunks, with correct checksums.
pub fn png_of(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut file = b"\x89PNG\r\n\x1A\n".to_vec();
    for (kind, data) in chunks {
        let body = [&kind[..], data].concat();
        file.extend(u32::try_from(data.len()).unwrap().to_be_bytes());
        file.extend(&body);
        file.extend(checksum(&body).to_be_bytes());
    }
    file
}

fn checksum(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| (sum >> 1) ^ (0xEDB8_8320 & 0u32.wrapping_sub(sum & 1));
    let sums = bytes.iter().fold(u32::MAX, |sum, byte| {
        (0..8).fold(sum ^ u32::from(*byte), step)
    });
    !sums
}

/// The bytes as a zlib stream, made by the PNG encoder. The first byte must be 0, which is the filter of its only row.
pub fn zlib(bytes: &[u8]) -> Vec<u8> {
    let (first, row) = bytes.split_first().unwrap();
    assert_eq!(*first, 0);
    let mut file = Vec::new();
    let width = u32::try_from(row.len()).unwrap();
    let mut encoder = png::Encoder::new(&mut file, width, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_compression(png::Compression::High);
    encoder.set_filter(png::Filter::NoFilter);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(row).unwrap();
    writer.finish().unwrap();
    let mut stream = Vec::new();
    let mut left = &file[8..];
    while let Some((head, rest)) = left.split_first_chunk::<8>() {
        let [a, b, c, d, kind @ ..] = *head;
        let length = u32::from_be_bytes([a, b, c, d]) as usize;
        if kind == *b"IDAT" {
            stream.extend(&rest[..length]);
        }
        left = &rest[length + 4..];
    }
    stream
}
