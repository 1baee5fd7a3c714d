//! Photos in AVIF and HEIC, which are told by their first bytes alone.

/// The brands of files that hold a still picture in AV1 or HEVC.
//= AVIF 1.1, section 8; ISO/IEC 23008-12, annex B
const BRANDS: [&[u8; 4]; 6] = [b"avif", b"avis", b"heic", b"heix", b"mif1", b"msf1"];
/// The most bytes of the first box that are read.
const BOX_BYTES_MAX: usize = 64;

/// Returns whether a file begins as an AVIF or a HEIC does: with a box of its type, one of whose brands is theirs.
//= ISO/IEC 14496-12, section 4.3
#[must_use]
pub fn is_heif(photo: &[u8]) -> bool {
    let Some((length, rest)) = photo.split_first_chunk::<4>() else {
        return false;
    };
    let length = usize::try_from(u32::from_be_bytes(*length)).unwrap_or(usize::MAX);
    let brands = rest.strip_prefix(b"ftyp").unwrap_or_default();
    let brands = brands.get(..length.min(BOX_BYTES_MAX).saturating_sub(8));
    let (brands, _) = brands.unwrap_or_default().as_chunks::<4>();
    // The second is the version of the first.
    let mut brands = brands.iter().enumerate();
    brands.any(|(place, brand)| place != 1 && BRANDS.contains(&brand))
}
