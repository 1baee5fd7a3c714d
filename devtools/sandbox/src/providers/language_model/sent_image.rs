//! Pictures sent to a model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// A mistake in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::providers) enum ImageMistake {
    NotBase64,
    /// Its bytes are neither JPEG nor PNG.
    NotAnImage,
}

/// Returns the width and height of a base64 picture, in pixels.
pub(in crate::providers) fn size_of(base64: &str) -> Result<(usize, usize), ImageMistake> {
    let bytes = STANDARD.decode(base64);
    let bytes = bytes.map_err(|_| ImageMistake::NotBase64)?;
    let size = imagesize::blob_size(&bytes).map_err(|_| ImageMistake::NotAnImage)?;
    Ok((size.width, size.height))
}
