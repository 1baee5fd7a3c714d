//! The answers about what earlier runs have proven: the atlas in words.

use serde_json::Value;

use super::answer::Answer;
use super::members::Members;
use super::quoted::quoted;

/// Returns the answer about what is known, by what `GET /atlas/people/{id}` or `GET /atlas/path` answers: its members, with
/// the best photo's address and page beside each line.
#[must_use]
pub fn known_answer(found: &Value) -> Answer {
    let mut text = String::new();
    let mut links = Vec::new();
    let edges = found.get("edges").and_then(Value::as_array);
    for edge in edges.into_iter().flatten() {
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
        for member in ["imageUrl", "contextUrl", "title"] {
            let photo = edge.pointer("/evidence/0").unwrap_or(&Value::Null);
            members.add_of(member, photo, member);
        }
        for (member, then) in [("fromName", " was seen with "), ("toName", "\n")] {
            let name = edge.get(member).and_then(Value::as_str);
            text.push_str(&quoted(name.unwrap_or_default()));
            text.push_str(then);
        }
        links.push(members.into_value());
    }
    if links.is_empty() {
        text.push_str("Nothing of that is known yet; find_chain searches for more.");
    }
    let mut members = Members::default();
    for member in ["person", "next", "path", "weakest", "isWhole"] {
        members.add_of(member, found, member);
    }
    members.add("links", links.into());
    Answer::new(members, text)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn edge() -> Value {
        json!({"from": "c1", "fromName": "Ann", "to": "c2", "toName": "Bob\u{202e}”",
            "edgeConfidence": 98.5, "photos": 3, "evidence": [{"imageUrl": "https://x.example/1.jpg", "faces": []}]})
    }

    #[test]
    fn lines_are_told_with_their_photo_and_strangers_words_are_quoted() {
        let found = json!({"person": {"id": "c1", "name": "Ann"}, "edges": [edge()], "next": 24});
        let answer = known_answer(&found);
        assert_eq!(answer.text, "“Ann” was seen with “Bob\"”\n");
        let value = answer.value.unwrap();
        assert_eq!(value["next"], 24);
        assert_eq!(value["links"][0]["imageUrl"], "https://x.example/1.jpg");
        assert_eq!(value["links"][0]["edgeConfidence"], 98.5);
        let nobody = known_answer(&json!({"edges": []}));
        assert!(nobody.text.contains("find_chain"));
    }

    #[test]
    fn a_chain_is_told_link_by_link() {
        let found = json!({"path": [{"id": "c1"}, {"id": "c2"}], "edges": [edge()],
            "weakest": {"from": "c1", "to": "c2"}, "isWhole": true});
        let value = known_answer(&found).value.unwrap();
        assert_eq!(value["links"][0]["to"], "c2");
        assert_eq!(value["weakest"]["to"], "c2");
        let none = known_answer(&json!({"path": [], "edges": [], "isWhole": false}));
        assert!(none.text.contains("find_chain") && !none.is_error);
    }
}
