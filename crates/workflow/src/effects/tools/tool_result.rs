//! Converts a tool's answer to the form in which the run stores it, with pictures and sounds as separate artifacts.

use serde_json::Value;

use domain::Sha256Digest;
use domain::chat::ImageRef;
use json::weight;
use mask::Mask;
use mcp::{CallResult, Content, Media};
use platform::{ARTIFACTS_BYTES_MAX, Effects, WriteError};

use crate::machine::{Block, LeftOut, ToolResult};

/// The longest answer without its pictures, in bytes of JSON. It has to fit into a row of the journal.
const RESULT_BYTES_MAX: usize = 1_000_000;
/// The most memory of a parsed answer, in bytes. A journal entry with a larger one could not be read again.
const RESULT_WEIGHT_MAX: usize = 30_000_000;
/// The most content blocks of one answer.
const BLOCKS_MAX: usize = 1_000;

/// Stores the answer's pictures and sounds, and returns the answer with the approximate number of bytes that it adds to
/// the journal. `left` is the number of bytes that the journal still has room for.
pub(super) fn tool_result<E: Effects>(
    effects: &E,
    mask: &Mask,
    result: CallResult,
    left: usize,
) -> Result<(ToolResult, usize), WriteError> {
    let bytes = json_bytes(&result);
    let is_heavy = result_weight(&result) > RESULT_WEIGHT_MAX;
    if bytes > RESULT_BYTES_MAX || result.content.len() > BLOCKS_MAX || is_heavy {
        let says = format!(
            "The tool answered with {bytes} bytes in {} blocks; a run takes {RESULT_BYTES_MAX} in {BLOCKS_MAX} \
             at most, and values of {RESULT_WEIGHT_MAX} bytes of memory. Ask it for less.",
            result.content.len()
        );
        return Ok(told_instead(says));
    }
    if bytes > left {
        let says = format!(
            "The tool answered with {bytes} bytes, and this run has room for {left} more of what its tools \
             answer. Ask for less, or in several runs."
        );
        return Ok(told_instead(says));
    }
    let blocks = result.content.into_iter().map(|content| {
        Ok(match content {
            Content::Text(text) => Block::Text(text),
            Content::Image(media) => kept(effects, mask, &media, true)?,
            Content::Audio(media) => kept(effects, mask, &media, false)?,
            Content::Other(value) => unreadable_media(&value).unwrap_or(Block::Other(value)),
        })
    });
    let result = ToolResult {
        blocks: blocks.collect::<Result<_, _>>()?,
        structured: result.structured,
        is_error: result.is_error,
    };
    Ok((result, bytes))
}

/// Returns an error of the tool with a message that the answer is too large. The tool was executed all the same.
fn told_instead(says: String) -> (ToolResult, usize) {
    let bytes = says.len();
    let result = ToolResult {
        blocks: vec![Block::Text(says)],
        structured: None,
        is_error: true,
    };
    (result, bytes)
}

/// Returns the memory that a result takes once it is parsed from the journal, in bytes.
fn result_weight(result: &CallResult) -> usize {
    let content = result.content.iter().map(|content| match content {
        Content::Other(value) => weight(value.to_string().as_bytes()),
        Content::Text(_) | Content::Image(_) | Content::Audio(_) => 0,
    });
    let structured = result.structured.as_ref().map(Value::to_string);
    content.sum::<usize>() + structured.map_or(0, |json| weight(json.as_bytes()))
}

/// Stores a picture or a sound. Returns the block that refers to it, or one that says why it was not stored.
fn kept<E: Effects>(
    effects: &E,
    mask: &Mask,
    media: &Media,
    is_picture: bool,
) -> Result<Block, WriteError> {
    if mask.is_in(&media.mime_type) || mask.is_in_file(&media.bytes) {
        return Ok(Block::LeftOut(LeftOut {
            is_picture,
            bytes: media.bytes.len(),
            why: "a secret of this server's settings is written in it".to_owned(),
        }));
    }
    let digest = Sha256Digest::of(&media.bytes);
    if !effects.keep_artifact(&digest, &media.mime_type, &media.bytes)? {
        let why = format!(
            "a run keeps {ARTIFACTS_BYTES_MAX} bytes of pictures and sounds, and has no room left for it"
        );
        return Ok(Block::LeftOut(LeftOut {
            is_picture,
            bytes: media.bytes.len(),
            why,
        }));
    }
    let kept = ImageRef {
        digest,
        mime_type: media.mime_type.clone(),
    };
    Ok(if is_picture {
        Block::Image(kept)
    } else {
        Block::Audio(kept)
    })
}

/// Returns a block for a picture or a sound whose form violates the protocol; `None` for other kinds of content.
fn unreadable_media(content: &Value) -> Option<Block> {
    let is_picture = match content.get("type").and_then(Value::as_str)? {
        "image" => true,
        "audio" => false,
        _ => return None,
    };
    let data = content.get("data").and_then(Value::as_str);
    Some(Block::LeftOut(LeftOut {
        is_picture,
        bytes: data.map_or(0, str::len),
        why: "its data must be base64, and its mimeType a type like image/png".to_owned(),
    }))
}

/// Returns the approximate number of bytes that a result takes in the journal, without its pictures and sounds.
fn json_bytes(result: &CallResult) -> usize {
    let content = result.content.iter().map(|content| match content {
        Content::Text(text) => escaped_bytes(text),
        Content::Image(media) | Content::Audio(media) => media.mime_type.len(),
        Content::Other(value) => value.to_string().len(),
    });
    let structured = result.structured.as_ref().map(Value::to_string);
    content.sum::<usize>() + structured.map_or(0, |structured| structured.len())
}

/// Returns the number of bytes that a text takes in JSON, in which a control character takes six and a quote two.
fn escaped_bytes(text: &str) -> usize {
    let bytes = text.bytes().map(|byte| match byte {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' => 2,
        0..0x20 => 6,
        _ => 1,
    });
    bytes.sum()
}
