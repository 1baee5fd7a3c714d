//! PNG photos that would take a lot of memory.

use super::png_chunks::{png_of, zlib};

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

/// This many zeros, deflated a thousand to one.
fn deflated(zeroes: u32) -> Vec<u8> {
    zlib(&vec![0; zeroes as usize + 1])
}

pub fn pngs() -> Vec<(&'static str, Vec<u8>)> {
    let end = (b"IEND", Vec::new());
    let stream = deflated(160_000_000);
    let named = |name: &str| [name.as_bytes(), &[0, 0], &stream].concat();
    let data = (b"IDAT", stream.clone());
    let texts = (0..340_000).map(|_| (b"tEXt", b"a\0b".to_vec()));
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
            "interlaced, whole",
            png_of(&[head(3_500, 3_500, 16, 6, 1), data.clone(), end.clone()]),
        ),
        (
            "wide, whole",
            png_of(&[head(240_000, 80, 16, 6, 0), data.clone(), end.clone()]),
        ),
        (
            "wide, interlaced, whole",
            png_of(&[head(240_000, 80, 16, 6, 1), data.clone(), end.clone()]),
        ),
        (
            "long chunks",
            png_of(&[
                head(800, 600, 8, 2, 0),
                (b"eXIf", vec![7; 2_400_000]),
                (b"iTXt", vec![7; 2_400_000]),
                data.clone(),
                end.clone(),
            ]),
        ),
        (
            "many chunks of any kind",
            png_of(
                &[
                    vec![head(800, 600, 8, 2, 0)],
                    (0..340_000).map(|_| (b"prVt", b"a\0b".to_vec())).collect(),
                    vec![data.clone(), end.clone()],
                ]
                .concat(),
            ),
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
