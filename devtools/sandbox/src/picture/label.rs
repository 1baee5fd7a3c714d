//! The label of a picture, which lists the people in it and is written into the picture's own
//! bytes: a `tEXt` chunk in a PNG, an APP11 segment in a JPEG. The recogniser reads this and
//! nothing else, so that what it sees depends on the bytes it was sent, as with a real one.

use serde::{Deserialize, Serialize};
use serde_json::json;

/// The chunk's keyword and the segment's signature.
pub const KEYWORD: &str = "visual-degrees";
const VERSION: u64 = 1;
const PNG_SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";

/// The label of a picture: its world, its photo and its faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The fingerprint of the world that the picture belongs to.
    pub world: String,
    /// An index into the world's photos.
    pub photo: usize,
    /// The faces, in the order of painting.
    pub faces: Vec<LabelledFace>,
}

/// A face: the person, and the place as fractions of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LabelledFace {
    /// An index into the world's people.
    pub person: usize,
    /// The distance from the left rim of the picture to the box.
    pub left: f64,
    /// The distance from the upper rim of the picture to the box.
    pub top: f64,
    /// The width of the box.
    pub width: f64,
    /// The height of the box.
    pub height: f64,
}

impl Label {
    /// Returns the compact text that is embedded.
    #[must_use]
    pub fn to_text(&self) -> String {
        let faces: Vec<_> = self
            .faces
            .iter()
            .map(|face| json!([face.person, face.left, face.top, face.width, face.height]))
            .collect();
        json!({"v": VERSION, "w": self.world, "n": self.photo, "f": faces}).to_string()
    }

    /// Reads the embedded text. Returns `None` for another version or anything else.
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

/// The facts that the recogniser can tell from a file before looking at faces.
#[derive(Clone, Debug, PartialEq)]
pub struct Inspection {
    /// The width that the file's head gives.
    pub width_px: u32,
    /// The height that the file's head gives.
    pub height_px: u32,
    /// The label of the file; a foreign picture has none.
    pub label: Option<Label>,
}

/// The reason why bytes are no picture that the recogniser takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InspectError {
    /// The bytes are neither PNG nor JPEG.
    Format,
    /// The file begins well and ends early, or its parts do not fit together.
    Damaged,
}

/// Reads a PNG or JPEG file's size and label, and checks that it is whole.
pub fn inspect(bytes: &[u8]) -> Result<Inspection, InspectError> {
    if bytes.starts_with(&PNG_SIGNATURE) {
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
    let mut rest = bytes.get(PNG_SIGNATURE.len()..)?;
    let mut size = None;
    let mut label = None;
    loop {
        let length = usize::try_from(big_endian(rest)?).ok()?;
        let kind = rest.get(4..8)?;
        let data = rest.get(8..length.checked_add(8)?)?;
        // The checksum is not compared, but it must be there.
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
    // A file cut anywhere does not end with the end mark.
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

/// Reads the keyword, a zero byte and the text: the layout of a `tEXt` chunk, used in the JPEG
/// segment too.
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
