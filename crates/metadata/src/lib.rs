//! What a photo's file says about itself: whether it was generated, composed or captured, and when it was taken.
//!
//! Reads Exif, IPTC-IIM, XMP, the Content Credentials of the C2PA and the texts of PNG, out of JPEG, PNG and WebP
//! files. The pixels are not decoded. All of it is claims: no signature is verified, and a file without any claim may
//! have been made in any way.
//!
//! Beside it: the segments of a JPEG, and how a photo is turned upright.
//!
//! Reading takes time in proportion to the file, and less than a megabyte of memory. Whatever cannot be read, or is
//! larger than its bound, is passed over.

mod content_credentials;
mod exif;
mod file;
mod findings;
mod generators;
mod iptc;
pub mod jpeg;
mod source_type;
mod xmp;

#[cfg(test)]
mod tests;

use domain::Provenance;

use content_credentials::Packets;
use file::Block;
use findings::Findings;

/// The most blocks of Exif and XMP data that are read. A file has one of each; strangers' files may repeat them.
const BLOCKS_MAX: usize = 8;

/// Returns what a file says about how and when it was made. Says nothing of a file that is no JPEG, PNG or WebP.
#[must_use]
pub fn read(file: &[u8]) -> Provenance {
    let mut findings = Findings::default();
    let mut packets = Packets::default();
    let mut blocks_left = BLOCKS_MAX;
    file::each_block(file, &mut |block| {
        match block {
            Block::Jumbf(packet) => return packets.push(packet),
            Block::Text { keyword, text } => {
                return generators::png_text(keyword, text, &mut findings);
            }
            Block::ImageResources(resources) => return iptc::read(resources, &mut findings),
            Block::Exif(_) | Block::Xmp(_) if blocks_left == 0 => return,
            Block::Exif(tiff) => exif::read(tiff, &mut findings),
            Block::Xmp(packet) => xmp::read(packet, &mut findings),
        }
        blocks_left -= 1;
    });
    packets.read(&mut findings);
    findings.provenance()
}

/// Returns how a JPEG is stored by its Exif data (Exif 2.32, 4.6.4): 1 if it is upright or does not say it, 2 to 8 if it
/// is turned or mirrored. The recogniser turns a photo upright by it (Amazon Rekognition, `CelebrityFaces`).
#[must_use]
pub fn orientation(jpeg: &[u8]) -> u16 {
    file::first_exif(jpeg)
        .and_then(exif::orientation)
        .unwrap_or(1)
}
