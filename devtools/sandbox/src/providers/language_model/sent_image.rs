//! Pictures sent to a model.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Why a picture in a request is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::providers) enum ImageMistake {
    NotBase64,
    /// The bytes are neither JPEG nor PNG.
    NotAnImage,
}

/// Returns the width and height of a picture in base64, in pixels.
pub(in crate::providers) fn size_of(base64: &str) -> Result<(usize, usize), ImageMistake> {
    let bytes = STANDARD.decode(base64);
    let bytes = bytes.map_err(|_| ImageMistake::NotBase64)?;
    let size = imagesize::blob_size(&bytes).map_err(|_| ImageMistake::NotAnImage)?;
    Ok((size.width, size.height))
}
