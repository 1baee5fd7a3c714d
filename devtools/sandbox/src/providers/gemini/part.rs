//! A part of a content: a text, a picture, a call of a function, or the answer to one.

use serde_json::{Map, Value};

use super::super::language_model::{ImageMistake, size_of};
use super::super::reply::Reply;
use super::members::{check_members, invalid, member};

const PART: [&str; 8] = [
    "text",
    "inlineData",
    "functionCall",
    "functionResponse",
    "thought",
    "thoughtSignature",
    "fileData",
    "videoMetadata",
];
const DATA: [&str; 5] = [
    "text",
    "inlineData",
    "functionCall",
    "functionResponse",
    "fileData",
];
const IMAGE_TYPES: [&str; 5] = [
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/heic",
    "image/heif",
];

/// A parsed part.
#[derive(Debug)]
pub(super) enum Part {
    Text(String),
    /// The width and height of a picture, in pixels.
    Image((usize, usize)),
    Call {
        name: String,
        id: Option<String>,
        signature: Option<String>,
    },
    Response {
        name: String,
        id: Option<String>,
        text: String,
        is_error: bool,
    },
}

/// Parses a part. `place` is its place for error messages, such as `contents[0].parts[0]`.
pub(super) fn read(part: &Value, place: &str) -> Result<Part, Box<Reply>> {
    check_members(part, place, &PART)?;
    let named = DATA
        .into_iter()
        .filter_map(|name| Some((name, member(part, name)?)));
    let mut named = named.filter(|(_, value)| !value.is_null());
    let Some((kind, value)) = named.next() else {
        return Err(invalid(&format!(
            "* GenerateContentRequest.{place}.data: required oneof field 'data' must have one initialized field\n"
        )));
    };
    if named.next().is_some() {
        return Err(invalid(&format!(
            "Invalid value at '{place}' (oneof), oneof field 'data' is already set."
        )));
    }
    match kind {
        "text" => match value.as_str() {
            Some(text) => Ok(Part::Text(text.to_owned())),
            None => Err(invalid(&format!(
                "Invalid value at '{place}.text' (TYPE_STRING), {value}"
            ))),
        },
        "inlineData" => image(value, place),
        "functionCall" => call(part, value, place),
        "functionResponse" => response(value, place),
        _ => Err(invalid(
            "Unsupported file uri: only files of this project can be read.",
        )),
    }
}

fn image(data: &Value, place: &str) -> Result<Part, Box<Reply>> {
    let place = format!("{place}.inline_data");
    check_members(data, &place, &["mimeType", "data", "displayName"])?;
    let text = |name: &str| member(data, name).and_then(Value::as_str);
    let mime = text("mimeType").unwrap_or_default();
    if !IMAGE_TYPES.contains(&mime) {
        return Err(invalid(&format!("Unsupported MIME type: {mime}")));
    }
    match size_of(text("data").unwrap_or_default()) {
        Ok(size) => Ok(Part::Image(size)),
        Err(ImageMistake::NotBase64) => Err(invalid(&format!(
            "Invalid value at '{place}.data' (TYPE_BYTES), Base64 decoding failed"
        ))),
        Err(ImageMistake::NotAnImage) => Err(invalid("Unable to process input image.")),
    }
}

fn call(part: &Value, call: &Value, place: &str) -> Result<Part, Box<Reply>> {
    let place = format!("{place}.function_call");
    check_members(call, &place, &["name", "args", "id"])?;
    structure(call, "args", &place)?;
    let signature = member(part, "thoughtSignature").and_then(Value::as_str);
    Ok(Part::Call {
        name: name(call, &place)?,
        id: id(call),
        signature: signature.map(str::to_owned),
    })
}

fn response(response: &Value, place: &str) -> Result<Part, Box<Reply>> {
    let place = format!("{place}.function_response");
    let known = [
        "name",
        "response",
        "id",
        "parts",
        "willContinue",
        "scheduling",
    ];
    check_members(response, &place, &known)?;
    let name = name(response, &place)?;
    let Some(answer) = structure(response, "response", &place)? else {
        return Err(invalid(&format!(
            "* GenerateContentRequest.{place}.response: response is not specified\n"
        )));
    };
    let mut names = ["result", "output", "error", "content"].into_iter();
    let text = names.find_map(|name| answer.get(name)?.as_str());
    Ok(Part::Response {
        name,
        id: id(response),
        text: text.map_or_else(|| Value::from(answer.clone()).to_string(), str::to_owned),
        is_error: answer.contains_key("error"),
    })
}

fn id(value: &Value) -> Option<String> {
    value.get("id").and_then(Value::as_str).map(str::to_owned)
}

fn name(value: &Value, place: &str) -> Result<String, Box<Reply>> {
    let name = value
        .get("name")
        .and_then(Value::as_str)
        .unwrap_or_default();
    if name.is_empty() {
        return Err(invalid(&format!(
            "* GenerateContentRequest.{place}.name: Name cannot be empty.\n"
        )));
    }
    Ok(name.to_owned())
}

/// Returns a member that must be an object if it is present.
fn structure<'value>(
    value: &'value Value,
    name: &str,
    place: &str,
) -> Result<Option<&'value Map<String, Value>>, Box<Reply>> {
    match value.get(name) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::Object(members)) => Ok(Some(members)),
        Some(other) => Err(invalid(&format!(
            "Invalid value at '{place}.{name}' (type.googleapis.com/google.protobuf.Struct), {other}"
        ))),
    }
}
