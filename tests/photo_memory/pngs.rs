//! PNG photos that would take a lot of memory.

/// A PNG of these chunks, with correct checksums.
fn png_of(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
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

fn head(
    width: u32,
    height: u32,
    depth: u8,
    kind: u8,
    interlace: u8,
) -> (&'static [u8; 4], Vec<u8>) {
    let sizes = [width.to_be_bytes(), height.to_be_bytes()].concat();
    (
        b"IHDR",
        [&sizes[..], &[depth, kind, 0, 0, interlace]].concat(),
    )
}

/// This many zeros, deflated a thousand to one: a zlib stream from the PNG encoder.
fn deflated(zeroes: u32) -> Vec<u8> {
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, zeroes, 1);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.set_compression(png::Compression::High);
    let mut writer = encoder.write_header().unwrap();
    writer.write_image_data(&vec![0; zeroes as usize]).unwrap();
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

pub fn pngs() -> Vec<(&'static str, Vec<u8>)> {
    let end = (b"IEND", Vec::new());
    let stream = deflated(100_000_000);
    let named = |name: &str| [name.as_bytes(), &[0, 0], &stream].concat();
    let data = (b"IDAT", stream.clone());
    let texts = (0..100_000).map(|_| (b"tEXt", b"a\0b".to_vec()));
    vec![
        (
            "a profile that unpacks",
            png_of(&[
                head(800, 600, 8, 2, 0),
                (b"iCCP", named("a")),
                data.clone(),
                end.clone(),
            ]),
        ),
        (
            "a text that unpacks",
            png_of(&[
                head(800, 600, 8, 2, 0),
                (b"zTXt", named("a")),
                data.clone(),
                end.clone(),
            ]),
        ),
        (
            "long rows",
            png_of(&[head(u32::MAX >> 1, 1, 16, 6, 0), data.clone(), end.clone()]),
        ),
        (
            "many rows",
            png_of(&[head(32_000, 500, 16, 6, 0), data.clone(), end.clone()]),
        ),
        (
            "more data than pixels",
            png_of(&[head(100, 100, 8, 2, 0), data.clone(), end.clone()]),
        ),
        (
            "interlaced",
            png_of(&[head(4_000, 4_000, 16, 6, 1), data.clone(), end.clone()]),
        ),
        (
            "many texts",
            png_of(
                &[
                    vec![head(800, 600, 8, 2, 0)],
                    texts.collect(),
                    vec![data, end],
                ]
                .concat(),
            ),
        ),
    ]
}
