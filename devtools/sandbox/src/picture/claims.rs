//! What the file of a generated picture says about itself, in the forms that generators and editors write.
//!
//! It follows C2PA 2.3 ("Embedding manifests"), Exif 2.32, the XMP specification (part 3), PNG 3 and the WebP container
//! specification.

use super::encode::Format;
use super::png_chunks;

const SOURCE_TYPE: &str = "http://cv.iptc.org/newscodes/digitalsourcetype/trainedAlgorithmicMedia";
const GENERATOR: &str = "Midjourney v6.1";
const PARAMETERS: &str = "two people at a gala, press photo\nNegative prompt: blurry\nSteps: 28, Sampler: DPM++ 2M, \
    CFG scale: 7, Seed: 965400086, Size: 768x512, Model: sd_xl_base_1.0";

// The tags of the texts in Exif data.
const IMAGE_DESCRIPTION: u16 = 0x010e;
const SOFTWARE: u16 = 0x0131;

// The markers of the segments of a JPEG in which claims stand.
const JPEG_APP1: u8 = 0xe1;
const JPEG_APP11: u8 = 0xeb;
/// The place of the only text in Exif data, after the header and a directory with one entry.
const TEXT_AT: u8 = 26;
/// The length of a JPEG's first marker, after which the segments begin.
const JPEG_START: usize = 2;
/// The length of the header of a WebP: `RIFF`, a size and `WEBP`.
const WEBP_START: usize = 12;

/// A form in which a file says that it was generated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Claim {
    /// An XMP packet with the digital source type of the IPTC.
    SourceType,
    /// Content Credentials, with the source type in an action.
    ContentCredentials,
    /// The name of a generator as the program in Exif data.
    Software,
    /// The parameters of a generator, as a text.
    Parameters,
}

impl Claim {
    /// All forms.
    pub(super) const ALL: [Self; 4] = [
        Self::SourceType,
        Self::ContentCredentials,
        Self::Software,
        Self::Parameters,
    ];

    /// Returns a file of this format and size with the claim in it.
    pub(super) fn added_to(
        self,
        file: &[u8],
        format: Format,
        size_px: (u16, u16),
    ) -> Option<Vec<u8>> {
        match format {
            Format::Jpeg => self.added_to_jpeg(file),
            Format::Png => self.added_to_png(file),
            Format::Webp => self.added_to_webp(file, size_px),
        }
    }

    fn added_to_jpeg(self, file: &[u8]) -> Option<Vec<u8>> {
        let (marker, content) = match self {
            Self::SourceType => (
                JPEG_APP1,
                [b"http://ns.adobe.com/xap/1.0/\0", xmp().as_bytes()].concat(),
            ),
            Self::ContentCredentials => (
                JPEG_APP11,
                // The number of the box and that of its only part.
                [b"JP\x02\x11\0\0\0\x01", &*content_credentials()?].concat(),
            ),
            Self::Software | Self::Parameters => {
                (JPEG_APP1, [b"Exif\0\0", &*self.exif()?].concat())
            }
        };
        let (start, rest) = file.split_at_checked(JPEG_START)?;
        let segment = jpeg_segment(marker, &content)?;
        Some([start, &segment, rest].concat())
    }

    fn added_to_png(self, file: &[u8]) -> Option<Vec<u8>> {
        let chunk = match self {
            Self::SourceType => {
                let text = ["XML:com.adobe.xmp\0\0\0\0\0", &xmp()].concat();
                png_chunks::chunk(*b"iTXt", text.as_bytes())
            }
            Self::ContentCredentials => png_chunks::chunk(*b"caBX", &content_credentials()?),
            Self::Software => png_chunks::chunk(*b"eXIf", &self.exif()?),
            Self::Parameters => {
                let text = ["parameters\0", PARAMETERS].concat();
                png_chunks::chunk(*b"tEXt", text.as_bytes())
            }
        };
        let (start, rest) = file.split_at_checked(png_chunks::HEAD_BYTES)?;
        Some([start, &chunk?, rest].concat())
    }

    /// Adds the claim in an extended file, since a simple one has no place for it.
    fn added_to_webp(self, file: &[u8], (width_px, height_px): (u16, u16)) -> Option<Vec<u8>> {
        // The bits that announce the chunks. Content Credentials have none.
        let (flags, kind, data) = match self {
            Self::SourceType => (0x04, *b"XMP ", xmp().into_bytes()),
            Self::ContentCredentials => (0x00, *b"C2PA", content_credentials()?),
            Self::Software | Self::Parameters => (0x08, *b"EXIF", self.exif()?),
        };
        let side = |px: u16| (u32::from(px).checked_sub(1)).map(u32::to_le_bytes);
        let [width @ .., _] = side(width_px)?;
        let [height @ .., _] = side(height_px)?;
        let head = [&[flags, 0, 0, 0][..], &width, &height].concat();
        let body = [
            &b"WEBP"[..],
            &webp_chunk(*b"VP8X", &head)?,
            file.get(WEBP_START..)?,
            &webp_chunk(kind, &data)?,
        ];
        webp_chunk(*b"RIFF", &body.concat())
    }

    /// Returns Exif data with one text.
    fn exif(self) -> Option<Vec<u8>> {
        let (tag, text) = match self {
            Self::Parameters => (IMAGE_DESCRIPTION, PARAMETERS),
            _ => (SOFTWARE, GENERATOR),
        };
        let length = u32::try_from(text.len()).ok()?.checked_add(1)?;
        let head = [b"II*\0\x08\0\0\0\x01\0", &tag.to_le_bytes()[..], b"\x02\0"].concat();
        let place = [TEXT_AT, 0, 0, 0, 0, 0, 0, 0];
        let text = [text.as_bytes(), b"\0"].concat();
        Some([&head, &length.to_le_bytes()[..], &place, &text].concat())
    }
}

/// Returns a segment of a JPEG with its marker and length; `None` if it is too long.
pub(super) fn jpeg_segment(marker: u8, content: &[u8]) -> Option<Vec<u8>> {
    let length = u16::try_from(content.len()).ok()?.checked_add(2)?;
    Some([&[0xff, marker], &length.to_be_bytes()[..], content].concat())
}

/// Returns a chunk of a RIFF file, padded to an even length.
fn webp_chunk(kind: [u8; 4], data: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(data.len()).ok()?;
    let mut chunk = [&kind, &length.to_le_bytes()[..], data].concat();
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    Some(chunk)
}

fn xmp() -> String {
    format!(
        r#"<?xpacket begin="{bom}" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:Iptc4xmpExt="http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
 Iptc4xmpExt:DigitalSourceType="{SOURCE_TYPE}"/></rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"#,
        bom = '\u{feff}'
    )
}

/// Returns the boxes of one manifest, whose action says how the picture was created.
fn content_credentials() -> Option<Vec<u8>> {
    let action = cbor_map(&[
        ("action", cbor_text("c2pa.created")?),
        ("digitalSourceType", cbor_text(SOURCE_TYPE)?),
        ("softwareAgent", cbor_text("GPT-4o")?),
    ])?;
    let actions = cbor_map(&[("actions", [cbor_head(4, 1)?, action].concat())])?;
    let claim = cbor_map(&[("claim_generator", cbor_text("ChatGPT")?)])?;
    let assertion = superbox(*b"cbor", "c2pa.actions.v2", &jumbf_box(*b"cbor", &actions)?)?;
    let signature = jumbf_box(*b"cbor", b"\xd2\x84")?;
    let boxes = [
        superbox(*b"c2as", "c2pa.assertions", &assertion)?,
        superbox(*b"c2cl", "c2pa.claim.v2", &jumbf_box(*b"cbor", &claim)?)?,
        superbox(*b"c2cs", "c2pa.signature", &signature)?,
    ];
    let manifest = superbox(*b"c2ma", "urn:c2pa:sandbox", &boxes.concat())?;
    superbox(*b"c2pa", "c2pa", &manifest)
}

fn jumbf_box(kind: [u8; 4], content: &[u8]) -> Option<Vec<u8>> {
    let length = u32::try_from(content.len()).ok()?.checked_add(8)?;
    Some([&length.to_be_bytes()[..], &kind, content].concat())
}

/// Returns a box of boxes, with its description first. The type is the beginning of its UUID.
fn superbox(kind: [u8; 4], label: &str, boxes: &[u8]) -> Option<Vec<u8>> {
    let rest = b"\0\x11\0\x10\x80\0\0\xaa\0\x38\x9b\x71\x03";
    let description = [&kind, &rest[..], label.as_bytes(), b"\0"].concat();
    jumbf_box(
        *b"jumb",
        &[jumbf_box(*b"jumd", &description)?, boxes.to_vec()].concat(),
    )
}

/// Returns the head of a CBOR item: its major type, and a length or number below 256.
fn cbor_head(major: u8, number: usize) -> Option<Vec<u8>> {
    let number = u8::try_from(number).ok()?;
    Some(match number {
        0..24 => vec![major << 5 | number],
        _ => vec![major << 5 | 0x18, number],
    })
}

fn cbor_text(text: &str) -> Option<Vec<u8>> {
    Some([cbor_head(3, text.len())?, text.as_bytes().to_vec()].concat())
}

fn cbor_map(entries: &[(&str, Vec<u8>)]) -> Option<Vec<u8>> {
    let mut map = cbor_head(5, entries.len())?;
    for (key, value) in entries {
        map.extend(cbor_text(key)?);
        map.extend(value);
    }
    Some(map)
}
