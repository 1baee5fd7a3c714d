//! The answers about what earlier runs have proven: the atlas in words.

use std::fmt::Write as _;

use serde_json::Value;

use engine::assistant::Answer;
use engine::assistant::Members;
use engine::assistant::quoted;

/// The members of a photo that a line is told with, and the words before each.
const OF_PHOTO: [(&str, &str); 5] = [
    ("imageUrl", " in the photo "),
    ("contextUrl", " on the page "),
    ("title", ", titled "),
    ("author", ", by "),
    ("license", ", licence "),
];

/// Returns the answer about what is known, by what `GET /atlas/people/{id}` or `GET /atlas/path` answers: its members, with
/// the best photo's address and page beside each line. The text says of each line how sure it is, and by which photo.
#[must_use]
pub fn known_answer(found: &Value) -> Answer {
    let mut text = String::new();
    let mut links = Vec::new();
    let edges = found.get("edges").and_then(Value::as_array);
    let edges = edges.map(Vec::as_slice).unwrap_or_default();
    for edge in edges {
        links.push(link(edge));
        text.push_str(&sentence(edge));
    }
    let mut members = Members::default();
    for member in ["person", "threshold", "next", "path", "isWhole"] {
        members.add_of(member, found, member);
    }
    if let Some(weakest) = found.get("weakest").filter(|weakest| weakest.is_object()) {
        let ends = |edge: &Value| ["from", "to"].map(|end| edge.get(end).cloned());
        let edge = edges.iter().find(|edge| ends(edge) == ends(weakest));
        let mut told = Members::default();
        for member in ["from", "fromName", "to", "toName", "edgeConfidence"] {
            told.add_of(member, edge.unwrap_or(weakest), member);
        }
        members.add("weakest", told.into_value());
        if let Some(edge) = edge {
            let (from, to) = (name(edge, "fromName"), name(edge, "toName"));
            let percent = percent(edge);
            let _ = writeln!(
                text,
                "The weakest link is that of {from} and {to}, {percent}."
            );
        }
    }
    if links.is_empty() {
        text.push_str("Nothing of that is known yet; find_chain searches for more.");
    } else if found.get("isWhole") == Some(&Value::Bool(false)) {
        text.push_str("Not everybody was looked at, so there may be a shorter chain.\n");
    }
    if let Some(next) = found.get("next").and_then(Value::as_u64) {
        let _ = writeln!(text, "There are more: call seen_with with offset {next}.");
    }
    members.add("links", links.into());
    Answer::new(members, text)
}

/// Returns a line as a value, with its best photo.
fn link(edge: &Value) -> Value {
    let mut members = Members::default();
    for member in [
        "from",
        "fromName",
        "to",
        "toName",
        "photos",
        "edgeConfidence",
    ] {
        members.add_of(member, edge, member);
    }
    for (member, _) in OF_PHOTO {
        members.add_of(member, photo(edge), member);
    }
    members.into_value()
}

/// Returns a line in words.
fn sentence(edge: &Value) -> String {
    let (from, to, percent) = (name(edge, "fromName"), name(edge, "toName"), percent(edge));
    let mut said = format!("{from} was seen with {to}, {percent},");
    for (member, before) in OF_PHOTO {
        if let Some(words) = photo(edge).get(member).and_then(Value::as_str) {
            said.push_str(before);
            said.push_str(&quoted(words));
        }
    }
    match edge.get("photos").and_then(Value::as_u64) {
        None | Some(0 | 1) => said.push_str(".\n"),
        Some(photos) => {
            let _ = writeln!(said, ". It is the best of {photos} photos of both.");
        }
    }
    said
}

fn photo(edge: &Value) -> &Value {
    edge.pointer("/evidence/0").unwrap_or(&Value::Null)
}

fn name(edge: &Value, member: &str) -> String {
    quoted(edge.get(member).and_then(Value::as_str).unwrap_or_default())
}

fn percent(edge: &Value) -> String {
    let percent = edge.get("edgeConfidence").and_then(Value::as_f64);
    format!("{:.1} %", percent.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edge(from: &str, to: &str, percent: f64) -> Value {
        let photo = json!({"imageUrl": "https://x.example/1.jpg", "contextUrl": "https://x.example/1",
            "title": "Gala\u{202e}” of the year", "author": "Eve", "license": "CC BY 4.0", "faces": []});
        json!({"from": from, "fromName": from.to_uppercase(), "to": to, "toName": format!("{to}\u{202e}”"),
            "edgeConfidence": percent, "photos": 3, "evidence": [photo]})
    }

    #[test]
    fn lines_are_told_with_percent_and_photo_and_strangers_words_are_quoted() {
        let mut one = edge("ann", "cyd", 81.0);
        one["photos"] = json!(1);
        one["evidence"] = json!([{"imageUrl": "https://x.example/2.jpg"}]);
        let found = json!({"person": {"id": "ann", "name": "Ann"}, "edges": [edge("ann", "bob", 98.54), one],
            "next": 24});
        let answer = known_answer(&found);
        assert_eq!(
            answer.text,
            "“ANN” was seen with “bob\"”, 98.5 %, in the photo “https://x.example/1.jpg” on the page \
             “https://x.example/1”, titled “Gala\" of the year”, by “Eve”, licence “CC BY 4.0”. It is the best of 3 \
             photos of both.\n\
             “ANN” was seen with “cyd\"”, 81.0 %, in the photo “https://x.example/2.jpg”.\n\
             There are more: call seen_with with offset 24.\n"
        );
        let value = answer.value.unwrap();
        assert_eq!(value["next"], 24);
        assert_eq!(value["links"][0]["imageUrl"], "https://x.example/1.jpg");
        assert_eq!(value["links"][0]["author"], "Eve");
        assert_eq!(value["links"][0]["edgeConfidence"], 98.54);
        let nobody = known_answer(&json!({"edges": []}));
        assert!(nobody.text.contains("find_chain"));
    }

    #[test]
    fn a_chain_is_told_link_by_link_with_its_weakest() {
        let found = json!({"path": [{"id": "ann"}, {"id": "bob"}, {"id": "cyd"}],
            "edges": [edge("ann", "bob", 98.5), edge("bob", "cyd", 80.25)],
            "weakest": {"from": "bob", "to": "cyd"}, "isWhole": false});
        let answer = known_answer(&found);
        let value = answer.value.unwrap();
        assert_eq!(value["links"][0]["to"], "bob");
        let weakest = json!({"from": "bob", "fromName": "BOB", "to": "cyd", "toName": "cyd\"",
            "edgeConfidence": 80.25});
        assert_eq!(value["weakest"], weakest);
        let end = "The weakest link is that of “BOB” and “cyd\"”, 80.2 %.\nNot everybody was looked at, so there may \
                   be a shorter chain.\n";
        assert!(answer.text.ends_with(end), "{}", answer.text);
        let none = known_answer(&json!({"path": [], "edges": [], "isWhole": false}));
        assert!(none.text.contains("find_chain") && !none.is_error);
        assert!(!none.text.contains("shorter"), "{}", none.text);
    }
}
