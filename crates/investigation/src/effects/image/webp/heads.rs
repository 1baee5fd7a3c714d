//! What the headers of a WebP file say.

use super::is_webp;

/// The headers of a file's chunks. They are checked before decoding, because the decoder reserves memory according to
/// them.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Heads<'file> {
    /// The width and height, in pixels, of the photo and of each frame in it.
    pub(super) size: (u32, u32),
    /// Whether the file has animation frames, even if its header announces none.
    pub(super) is_animated: bool,
    /// Whether any part of the photo is lossless.
    pub(super) is_lossless: bool,
    /// The lossy frame; empty if there is none.
    pub(super) frame: &'file [u8],
    /// The opacity of the frame's pixels; `None` if all are opaque.
    pub(super) alpha: Option<Alpha<'file>>,
    /// Whether the file's header announces that pixels may be transparent. Otherwise their opacity is ignored.
    has_alpha: bool,
}

/// The uncompressed opacity of the pixels of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Alpha<'file> {
    /// How the opacity of a pixel is predicted from those before it.
    pub(super) filter: u8,
    /// What is added to the prediction of each pixel, row by row.
    pub(super) data: &'file [u8],
}

impl<'file> Heads<'file> {
    /// Returns the headers of a file; `None` if there is no picture, a chunk is cut off, or two chunks state different
    /// sizes.
    //= RFC 9649, sections 2.3, 2.5, 2.6 and 2.7; RFC 6386, section 9.1
    pub(super) fn of_file(photo: &'file [u8]) -> Option<Self> {
        let length_of = |bytes| usize::try_from(u32::from_le_bytes(bytes)).ok();
        let (head, rest) = photo.split_first_chunk::<8>().filter(|_| is_webp(photo))?;
        let [_, _, _, _, length @ ..] = *head;
        let mut left = rest.get(..length_of(length)?)?.get(4..)?;
        let (mut heads, mut pictures) = (Self::default(), 0_usize);
        while let Some((head, rest)) = left.split_first_chunk::<8>() {
            let [kind @ .., a, b, c, d] = *head;
            let length = length_of([a, b, c, d])?;
            heads.take(kind, rest.get(..length)?)?;
            pictures += usize::from(matches!(&kind, b"VP8 " | b"VP8L"));
            left = rest.get(length + length % 2..).unwrap_or_default();
        }
        heads.alpha = heads.alpha.filter(|_| heads.has_alpha);
        let is_one_picture = pictures == 1 || heads.is_animated;
        let (width, height) = heads.size;
        (is_one_picture && width > 0 && height > 0).then_some(heads)
    }

    fn take(&mut self, kind: [u8; 4], part: &'file [u8]) -> Option<()> {
        const SIDE: u32 = 0x3FFF;
        const ANIMATION: u8 = 0b10;
        const ALPHA: u8 = 0b1_0000;
        const COMPRESSION: u8 = 0b11;
        const FILTER: u8 = 0b11;
        match (&kind, part) {
            (b"VP8X", [flags, _, _, _, sides @ ..]) => {
                self.is_animated |= flags & ANIMATION != 0;
                self.has_alpha |= flags & ALPHA != 0;
                let (sides, _) = sides.as_chunks::<3>();
                let [width, height, ..] = sides else {
                    return None;
                };
                let side =
                    |[low, middle, high]: [u8; 3]| u32::from_le_bytes([low, middle, high, 0]) + 1;
                self.agree((side(*width), side(*height)))
            }
            (b"VP8 ", [_, _, _, _, _, _, a, b, c, d, ..]) => {
                self.frame = part;
                self.agree((
                    u32::from(u16::from_le_bytes([*a, *b])) & SIDE,
                    u32::from(u16::from_le_bytes([*c, *d])) & SIDE,
                ))
            }
            (b"VP8L", [_, a, b, c, d, ..]) => {
                self.is_lossless = true;
                let sides = u32::from_le_bytes([*a, *b, *c, *d]);
                self.agree(((sides & SIDE) + 1, (sides >> 14 & SIDE) + 1))
            }
            (b"ALPH", [flags, data @ ..]) => {
                self.is_lossless |= flags & COMPRESSION != 0;
                let filter = flags >> 2 & FILTER;
                self.alpha = self.alpha.or(Some(Alpha { filter, data }));
                Some(())
            }
            (b"ANMF" | b"ANIM", _) => {
                self.is_animated = true;
                Some(())
            }
            (b"VP8X" | b"VP8 " | b"VP8L" | b"ALPH", _) => None,
            _ => Some(()),
        }
    }

    /// Sets the photo's size; `None` if a different size was set before.
    fn agree(&mut self, size: (u32, u32)) -> Option<()> {
        let is_first = self.size == (0, 0);
        self.size = if is_first { size } else { self.size };
        (self.size == size).then_some(())
    }
}
