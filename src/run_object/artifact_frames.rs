//! The pictures of a run on their way to the object of a fork: for each a line `DIGEST LENGTH TYPE`,
//! and its bytes.

use domain::Sha256Digest;

/// The bytes that a tool gave to a run, by their digest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArtifactFrame<'bytes> {
    /// The digest of the bytes.
    pub digest: Sha256Digest,
    /// The type of the bytes, like `image/png`.
    pub mime_type: &'bytes str,
    /// The bytes as they were given.
    pub bytes: &'bytes [u8],
}

impl<'bytes> ArtifactFrame<'bytes> {
    /// Writes the frame behind others.
    pub fn write(&self, frames: &mut Vec<u8>) {
        let line = format!("{} {} {}\n", self.digest, self.bytes.len(), self.mime_type);
        frames.extend(line.as_bytes());
        frames.extend(self.bytes);
    }

    /// Takes the first frame off. Returns `None` at the end, and where nothing can be read any more.
    pub fn take(frames: &mut &'bytes [u8]) -> Option<Self> {
        let end = frames.iter().position(|byte| *byte == b'\n')?;
        let (line, rest) = frames.split_at_checked(end)?;
        let mut words = str::from_utf8(line).ok()?.splitn(3, ' ');
        let digest = Sha256Digest::parse(words.next()?)?;
        let length = words.next()?.parse().ok()?;
        let mime_type = words.next()?;
        let (bytes, rest) = rest.get(1..)?.split_at_checked(length)?;
        *frames = rest;
        Some(Self {
            digest,
            mime_type,
            bytes,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let bytes: [&[u8]; 3] = [b"", b"a\nb \x00\xff", b"last"];
        let frame = |bytes: &&'static [u8]| ArtifactFrame {
            digest: Sha256Digest::of(bytes),
            mime_type: "image/png; of=a tool",
            bytes,
        };
        let mut frames = Vec::new();
        for bytes in &bytes {
            frame(bytes).write(&mut frames);
        }
        let mut left = frames.as_slice();
        for bytes in &bytes {
            assert_eq!(ArtifactFrame::take(&mut left), Some(frame(bytes)));
        }
        assert_eq!(ArtifactFrame::take(&mut left), None);
        // Wherever the frames are cut, nothing is invented.
        for length in 0..frames.len() {
            let mut left = &frames[..length];
            while let Some(frame) = ArtifactFrame::take(&mut left) {
                assert_eq!(frame.digest, Sha256Digest::of(frame.bytes));
            }
        }
    }
}
