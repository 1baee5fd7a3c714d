//! Decodes a PNG into a small picture, row by row.

use std::io::Cursor;

use domain::Unjudged;

use crate::shrink::{PixelFormat, Shrinking};
use crate::small_picture::Raster;

/// The most pixels of a PNG, chosen so that a hundred photos can be decoded within a run's time: a file of a few
/// kilobytes can have as many.
const PIXELS_MAX: u64 = 20_000_000;
/// The most memory of a PNG's own tables, in bytes.
const TABLE_BYTES_MAX: usize = 4_000_000;

/// The first bytes of a PNG (PNG specification, section 5.2).
pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// The passes of an interlaced PNG (PNG specification, section 8.2): the first column and the step between columns, then
/// the same of rows.
const PASSES: [[(usize, usize); 2]; 7] = [
    [(0, 8), (0, 8)],
    [(4, 8), (0, 8)],
    [(0, 4), (4, 8)],
    [(2, 4), (0, 4)],
    [(0, 2), (2, 4)],
    [(1, 2), (0, 2)],
    [(0, 1), (1, 2)],
];

/// Decodes a PNG.
pub(crate) fn decode(bytes: &[u8]) -> Result<Raster, Unjudged> {
    let unreadable = |_| Unjudged::Unreadable;
    let limits = png::Limits {
        bytes: TABLE_BYTES_MAX,
    };
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(bytes), limits);
    // The limits do not count texts, of which a file can have so many that each byte of it takes six of memory.
    decoder.set_ignore_text_chunk(true);
    decoder.set_ignore_iccp_chunk(true);
    decoder.set_transformations(png::Transformations::normalize_to_color8());
    let mut reader = decoder.read_info().map_err(unreadable)?;
    let info = reader.info();
    let (width, height, is_interlaced) = (info.width, info.height, info.interlaced);
    if u64::from(width) * u64::from(height) > PIXELS_MAX {
        return Err(Unjudged::TooLarge);
    }
    let px = |side: u32| usize::try_from(side).map_err(|_| Unjudged::TooLarge);
    let size = (px(width)?, px(height)?);
    let format = match reader.output_color_type().0 {
        png::ColorType::Grayscale => PixelFormat::Gray,
        png::ColorType::GrayscaleAlpha => PixelFormat::GrayAlpha,
        png::ColorType::Rgb => PixelFormat::Rgb,
        png::ColorType::Rgba => PixelFormat::RgbAlpha,
        png::ColorType::Indexed => return Err(Unjudged::Unreadable),
    };
    let mut shrinking = Shrinking::new(size.0, size.1);
    if is_interlaced {
        for (row, columns) in rows_of_passes(size) {
            let Some(pixels) = reader.next_interlaced_row().map_err(unreadable)? else {
                return Err(Unjudged::Unreadable);
            };
            shrinking.add_pixels(row, columns, pixels.data(), format);
        }
    } else {
        for row in 0..size.1 {
            let Some(pixels) = reader.next_row().map_err(unreadable)? else {
                return Err(Unjudged::Unreadable);
            };
            shrinking.add_row(row, pixels.data(), format);
        }
    }
    shrinking.finish().ok_or(Unjudged::Unreadable)
}

/// Returns the rows of an interlaced picture in the order of the file, each with its first column and the step between
/// columns.
fn rows_of_passes(
    (width, height): (usize, usize),
) -> impl Iterator<Item = (usize, (usize, usize))> {
    // A pass without a column has no rows in the file.
    let passes = PASSES
        .into_iter()
        .filter(move |[(first, _), _]| *first < width);
    passes.flat_map(move |[columns, (first, step)]| {
        (first..height).step_by(step).map(move |row| (row, columns))
    })
}
