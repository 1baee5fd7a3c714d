//! Parses the content of a message, which is a text or a list of parts.

use serde_json::Value;

use super::super::language_model::{ImageMistake, size_of};
use super::super::reply::Reply;
use super::errors::{missing, refusal, wrong_type};

/// The largest picture, in characters of base64. This is the length of 20 MB of bytes.
const IMAGE_CHARS_MAX: usize = 20 * 1024 * 1024 / 3 * 4;
const UNSUPPORTED: &str = "You uploaded an unsupported image. Please make sure your image has of one the following formats: ['png', 'jpeg', 'gif', 'webp'].";

/// Returns the text of a message. If its content has parts, each must have one of these types.
pub(super) fn text_of(message: &Value, place: &str, kinds: &[&str]) -> Result<String, Box<Reply>> {
    let place = format!("{place}.content");
    let parts = match message.get("content") {
        Some(Value::String(text)) => return Ok(text.clone()),
        Some(Value::Array(parts)) if !parts.is_empty() => parts,
        None => return Err(missing(&place)),
        Some(other) => {
            let got = if other.is_null() {
                "null"
            } else {
                "something else"
            };
            let message = format!("Invalid value for 'content': expected a string, got {got}.");
            return Err(refusal(Some(&place), None, &message));
        }
    };
    let mut text = String::new();
    for (number, part) in parts.iter().enumerate() {
        let place = format!("{place}[{number}]");
        let kind = part.get("type").and_then(Value::as_str);
        let kind = kind.ok_or_else(|| missing(&format!("{place}.type")))?;
        if !kinds.contains(&kind) {
            let message = format!("Invalid value: '{kind}'. Supported values are: {kinds:?}.");
            let place = format!("{place}.type");
            return Err(refusal(Some(&place), Some("invalid_value"), &message));
        }
        if kind == "image_url" {
            continue;
        }
        let words = part.get(kind).and_then(Value::as_str);
        let words = words.ok_or_else(|| wrong_type(&format!("{place}.{kind}"), "a string"))?;
        text.push_str(words);
    }
    Ok(text)
}

/// Returns the width and height of each picture of a message, in pixels.
pub(super) fn image_sizes(message: &Value, place: &str) -> Result<Vec<(usize, usize)>, Box<Reply>> {
    let parts = message.get("content").and_then(Value::as_array);
    let parts = parts.into_iter().flatten().enumerate();
    let images = parts.filter(|(_, part)| part.get("type").is_some_and(|kind| kind == "image_url"));
    let sizes = images.map(|(number, part)| {
        let place = format!("{place}.content[{number}].image_url");
        let url = part.pointer("/image_url/url").and_then(Value::as_str);
        let url = url.ok_or_else(|| missing(&format!("{place}.url")))?;
        image_size(url)
    });
    sizes.collect()
}

fn image_size(url: &str) -> Result<(usize, usize), Box<Reply>> {
    let Some(data) = url.strip_prefix("data:") else {
        let message = format!("Error while downloading {url}.");
        return Err(refusal(Some("url"), Some("invalid_image_url"), &message));
    };
    let unsupported = || refusal(None, Some("invalid_image_format"), UNSUPPORTED);
    let Some((kind, base64)) = data.split_once(";base64,") else {
        return Err(unsupported());
    };
    if !matches!(
        kind,
        "image/png" | "image/jpeg" | "image/gif" | "image/webp"
    ) {
        return Err(unsupported());
    }
    if base64.len() > IMAGE_CHARS_MAX {
        // The real API's message is unknown, so this one is made up.
        let message = "Image size exceeds the limit of 20 MB.";
        return Err(refusal(None, Some("image_too_large"), message));
    }
    size_of(base64).map_err(|mistake| match mistake {
        ImageMistake::NotBase64 => {
            let message = "Invalid base64 image_url.";
            refusal(None, Some("invalid_base64"), message)
        }
        ImageMistake::NotAnImage => unsupported(),
    })
}
