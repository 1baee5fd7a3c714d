//! The label of a picture, which lists the people in it. It is embedded in the file: as a `tEXt` chunk in a PNG, as an
//! APP11 segment in a JPEG. The recogniser only reads the label, so its answer depends on the bytes, as a real
//! recogniser's does.

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::png_chunks::SIGNATURE;

/// The keyword of a PNG's chunk, and the signature of a JPEG's segment.
pub const KEYWORD: &str = "visual-degrees";
const VERSION: u64 = 1;

/// The label of a picture: its world, its photo and its faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The fingerprint of the world that the picture belongs to.
    pub world: String,
    /// An index into the world's photos.
    pub photo: usize,
    /// The faces, in the order in which they were painted.
    pub faces: Vec<LabelledFace>,
}

/// A face in a label: the person, and the box around the face in fractions of the picture's width and height.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelledFace {
    /// An index into the world's people.
    pub person: usize,
    /// The distance of the box from the left edge.
    pub left: f64,
    /// The distance of the box from the upper edge.
    pub top: f64,
    /// The width of the box.
    pub width: f64,
    /// The height of the box.
    pub height: f64,
}

impl Label {
    /// Returns the label as the compact text that is embedded in a file.
    #[must_use]
    pub fn to_text(&self) -> String {
        let faces: Vec<_> = self
            .faces
            .iter()
            .map(|face| json!([face.person, face.left, face.top, face.width, face.height]))
            .collect();
        json!({"v": VERSION, "w": self.world, "n": self.photo, "f": faces}).to_string()
    }

    /// Parses an embedded text. Returns `None` if it has another version or is not a label.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        #[derive(Deserialize)]
        struct Wire {
            v: u64,
            w: String,
            n: usize,
            f: Vec<(usize, f64, f64, f64, f64)>,
        }
        let wire: Wire = serde_json::from_str(text).ok()?;
        (wire.v == VERSION).then(|| Self {
            world: wire.w,
            photo: wire.n,
            faces: wire
                .f
                .into_iter()
                .map(|(person, left, top, width, height)| LabelledFace {
                    person,
                    left,
                    top,
                    width,
                    height,
                })
                .collect(),
        })
    }
}

/// What the recogniser knows of a file before it looks at the faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// The width in pixels, according to the file's header.
    pub width_px: u32,
    /// The height in pixels, according to the file's header.
    pub height_px: u32,
    /// The label; `None` for a picture that the sandbox did not draw.
    pub label: Option<Label>,
}

/// Why the recogniser does not accept a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectError {
    /// The bytes are neither PNG nor JPEG.
    Format,
    /// The file is truncated or inconsistent.
    Damaged,
}

/// Reads the size and the label of a PNG or JPEG, and checks that the file is complete.
pub fn inspect(bytes: &[u8]) -> Result<Inspection, InspectError> {
    if bytes.starts_with(&SIGNATURE) {
        inspect_png(bytes).ok_or(InspectError::Damaged)
    } else if bytes.starts_with(&[0xff, 0xd8, 0xff]) {
        inspect_jpeg(bytes).ok_or(InspectError::Damaged)
    } else {
        Err(InspectError::Format)
    }
}

fn big_endian(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.get(..4)?.try_into().ok()?))
}

fn inspect_png(bytes: &[u8]) -> Option<Inspection> {
    let mut rest = bytes.get(SIGNATURE.len()..)?;
    let mut size = None;
    let mut label = None;
    loop {
        let length = usize::try_from(big_endian(rest)?).ok()?;
        let kind = rest.get(4..8)?;
        let data = rest.get(8..length.checked_add(8)?)?;
        // The chunk's checksum is not verified, but it must be present.
        let after = rest.get(length.checked_add(12)?..)?;
        match kind {
            b"IHDR" => size = Some((big_endian(data)?, big_endian(data.get(4..)?)?)),
            b"tEXt" => label = label.or_else(|| labelled(data)),
            b"IEND" => {
                let (width_px, height_px) = size?;
                return Some(Inspection {
                    width_px,
                    height_px,
                    label,
                });
            }
            _ => {}
        }
        rest = after;
    }
}

fn inspect_jpeg(bytes: &[u8]) -> Option<Inspection> {
    // A truncated file does not end with the end marker.
    if !bytes.ends_with(&[0xff, 0xd9]) {
        return None;
    }
    let mut rest = bytes.get(2..)?;
    let mut size = None;
    let mut label = None;
    loop {
        let [0xff, marker] = *rest.get(..2)? else {
            return None;
        };
        let length = usize::from(u16::from_be_bytes(rest.get(2..4)?.try_into().ok()?));
        let data = rest.get(4..length.checked_add(2)?)?;
        match marker {
            0xc0..=0xc2 => {
                let pixels = |at: usize| {
                    let pair = data.get(at..at.checked_add(2)?)?.try_into().ok()?;
                    Some(u32::from(u16::from_be_bytes(pair)))
                };
                size = Some((pixels(3)?, pixels(1)?));
            }
            0xeb => label = label.or_else(|| labelled(data)),
            0xda => {
                let (width_px, height_px) = size?;
                return Some(Inspection {
                    width_px,
                    height_px,
                    label,
                });
            }
            _ => {}
        }
        rest = rest.get(length.checked_add(2)?..)?;
    }
}

/// Parses a keyword, a zero byte and a text. This is the layout of a `tEXt` chunk; the JPEG segment uses it, too.
fn labelled(data: &[u8]) -> Option<Label> {
    let text = data.strip_prefix(KEYWORD.as_bytes())?.strip_prefix(&[0])?;
    Label::from_text(std::str::from_utf8(text).ok()?)
}

#[cfg(test)]
mod tests {
    use super::super::encode::{Format, encode};
    use super::*;

    fn label() -> Label {
        let face = LabelledFace {
            person: 17,
            left: 0.25,
            top: 0.1875,
            width: 0.125,
            height: 0.3,
        };
        Label {
            world: "00ff".into(),
            photo: 4,
            faces: vec![face, LabelledFace { person: 0, ..face }],
        }
    }

    #[test]
    fn the_text_never_changes() {
        let text = r#"{"f":[[17,0.25,0.1875,0.125,0.3],[0,0.25,0.1875,0.125,0.3]],"n":4,"v":1,"w":"00ff"}"#;
        assert_eq!(label().to_text(), text);
        assert_eq!(Label::from_text(text), Some(label()));
        assert_eq!(Label::from_text(&text.replace("\"v\":1", "\"v\":2")), None);
    }

    #[test]
    fn both_formats_carry_it() {
        let pixels = vec![120; 100 * 90 * 3];
        for format in [Format::Png, Format::Jpeg] {
            let file = encode(&pixels, 100, 90, format, &label()).unwrap();
            let seen = inspect(&file).unwrap();
            assert_eq!((seen.width_px, seen.height_px), (100, 90));
            assert_eq!(seen.label, Some(label()), "{format:?}");
        }
    }

    #[test]
    fn a_file_cut_anywhere_is_damaged() {
        let pixels = vec![120; 100 * 90 * 3];
        for format in [Format::Png, Format::Jpeg] {
            let file = encode(&pixels, 100, 90, format, &label()).unwrap();
            for length in 8..file.len() {
                assert_eq!(
                    inspect(&file[..length]),
                    Err(InspectError::Damaged),
                    "{format:?} {length}"
                );
            }
        }
    }

    #[test]
    fn other_files_are_refused() {
        for bytes in [
            &b""[..],
            b"GIF89a",
            b"RIFF\0\0\0\0WEBP",
            b"<html>",
            b"\xff\xd8",
        ] {
            assert_eq!(inspect(bytes), Err(InspectError::Format));
        }
    }
}
