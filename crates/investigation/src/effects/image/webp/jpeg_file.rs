//! The JPEG that a conversion writes.

use jpeg_encoder::{EncodingError, JfifWrite};
use platform::isolate::IMAGE_BYTES_MAX;

/// The least memory of a file, in bytes. It doubles until it is exactly as much as the recogniser accepts.
const CAPACITY_MIN: usize = IMAGE_BYTES_MAX >> 5;

/// A JPEG that is being written. It never becomes longer than the recogniser accepts.
pub(super) struct JpegFile<'file> {
    bytes: &'file mut Vec<u8>,
}

impl<'file> JpegFile<'file> {
    /// The most memory that the file takes, in bytes: when it grows to its greatest length, half as many are copied.
    pub(super) const MEMORY_BYTES_MAX: usize = IMAGE_BYTES_MAX + IMAGE_BYTES_MAX / 2;

    /// Creates an empty file.
    pub(super) fn new(bytes: &'file mut Vec<u8>) -> Self {
        bytes.clear();
        Self { bytes }
    }
}

impl JfifWrite for JpegFile<'_> {
    fn write_all(&mut self, piece: &[u8]) -> Result<(), EncodingError> {
        let length = self.bytes.len() + piece.len();
        if length > IMAGE_BYTES_MAX {
            return Err(EncodingError::Write("the JPEG is too long".into()));
        }
        if length > self.bytes.capacity() {
            let mut capacity = CAPACITY_MIN;
            while capacity < length {
                capacity *= 2;
            }
            self.bytes.reserve_exact(capacity - self.bytes.len());
        }
        self.bytes.extend_from_slice(piece);
        Ok(())
    }
}
