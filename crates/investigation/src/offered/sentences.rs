//! What the events of a search say to those who wait, and the certificate in one sentence.

use serde_json::Value;

use engine::assistant::quoted;

/// Returns what an event tells in one line; `None` where it tells nothing that is worth a line.
pub(super) fn progress(event: &Value) -> Option<String> {
    match text(event, "type") {
        "status" => Some(text(event, "message"))
            .filter(|message| !message.is_empty())
            .map(quoted),
        "evidence" => {
            let edge = event.get("edge")?;
            let (from, to) = (quoted(text(edge, "fromName")), quoted(text(edge, "toName")));
            let confidence = number(edge, "edgeConfidence");
            Some(format!(
                "{from} and {to} were recognised in one photo, {confidence:.1} %."
            ))
        }
        "path_update" => {
            let people = names(event.get("path")?);
            Some(format!("The chain so far: {}.", people.join(", ")))
        }
        _ => None,
    }
}

/// Returns the quoted names along a path.
fn names(path: &Value) -> Vec<String> {
    let people = path.as_array().into_iter().flatten();
    people.map(|person| quoted(text(person, "name"))).collect()
}

/// Returns the certificate of a chain in one sentence, without a word of a stranger.
pub(super) fn certificate(event: &Value) -> String {
    let list = |name: &str| event.pointer(name).and_then(Value::as_array);
    let length = |name: &str| list(name).map_or(0, Vec::len);
    let proven = list("/certificate/proven").into_iter().flatten();
    let photos: u64 = proven.filter_map(|pair| pair.get("photos")?.as_u64()).sum();
    format!(
        "Every link is proven by a photo in which both people were recognised, {photos} photos in all. Shorter \
         ways that were looked for in vain: {excluded}; that stay open: {open}. {disclaimer}",
        excluded = length("/certificate/excluded"),
        open = length("/certificate/open"),
        disclaimer = text(event, "disclaimer"),
    )
}

/// Returns the text of a member, or an empty text.
pub(super) fn text<'json>(json: &'json Value, member: &str) -> &'json str {
    json.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the number of a member, or 0.
pub(super) fn number(json: &Value, member: &str) -> f64 {
    json.get(member).and_then(Value::as_f64).unwrap_or_default()
}
