//! A stand-in for the platform's photo converter.

const JPEG: &[u8] = &[0xFF, 0xD8];
const AVIF: &[u8] = b"ftypavif";

/// Converts a photo like the platform: a JPEG that is too large shrinks. An AVIF is returned unchanged, as if the
/// platform silently skipped the conversion, and anything else is refused.
pub(super) fn converted(photo: &[u8]) -> Result<Vec<u8>, String> {
    if photo.get(4..).is_some_and(|rest| rest.starts_with(AVIF)) {
        return Ok(photo.to_vec());
    }
    if !photo.starts_with(JPEG) {
        return Err("IMAGES_TRANSFORM_ERROR 9520: Unsupported image type".to_owned());
    }
    let length = photo.iter().rposition(|byte| *byte != 0);
    let length = length.map_or(0, |last| last + 1);
    Ok(photo.get(..length).unwrap_or_default().to_vec())
}
