//! Reads answers of judges: one JSON object with numbers, and nothing around it.

use serde_json::Value;

/// The longest answer that is read, in bytes.
const ANSWER_BYTES_MAX: usize = 10_000;

/// Returns an answer without the one Markdown fence that models like to put around it.
pub(super) fn unfenced(text: &str) -> &str {
    let text = text.trim();
    let inside = text
        .strip_prefix("```")
        .and_then(|rest| rest.strip_suffix("```"));
    let Some(inside) = inside else { return text };
    // The name of a language may stand behind the fence.
    let (first, rest) = inside.split_once('\n').unwrap_or(("", inside));
    let is_name = first.chars().all(|letter| letter.is_ascii_alphanumeric());
    if is_name { rest.trim() } else { inside.trim() }
}

/// Returns the member of an answer that is one JSON object. An error is a sentence for the model.
pub(super) fn member(text: &str, name: &str) -> Result<Value, String> {
    let text = unfenced(text);
    if text.len() > ANSWER_BYTES_MAX {
        return Err("The answer was too long.".to_owned());
    }
    let object: Option<Value> = serde_json::from_str(text).ok();
    let mut object = object.ok_or("The answer was not one JSON object and nothing else.")?;
    let member = object.get_mut(name).map(Value::take);
    member.ok_or_else(|| format!("The answer had no {name:?}."))
}

/// Returns a number of a list that has so many entries, from 1.
pub(super) fn number(value: &Value, count: usize) -> Result<usize, String> {
    let number = json::whole(value).and_then(|number| usize::try_from(number).ok());
    let number = number.ok_or("The answer had something that is no number.")?;
    if number > count {
        return Err(format!("The answer had a number above {count}."));
    }
    Ok(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fence_is_taken_off() {
        for (text, expected) in [
            ("{}", "{}"),
            (" {} \n", "{}"),
            ("```json\n{}\n```", "{}"),
            ("```\n{}\n```", "{}"),
            ("```{}```", "{}"),
            ("so: ```{}```", "so: ```{}```"),
            ("```", "```"),
        ] {
            assert_eq!(unfenced(text), expected);
        }
    }

    #[test]
    fn only_an_object_with_numbers_of_the_list_is_an_answer() {
        assert_eq!(member("{\"prompt\": 2}", "prompt"), Ok(Value::from(2)));
        for text in [
            "2",
            "It is {\"prompt\": 2}",
            "{\"prompt\": 2} so",
            "{}",
            "{\"prompts\": 2}",
            "",
        ] {
            assert!(member(text, "prompt").is_err(), "{text}");
        }
        for (value, read) in [
            (Value::from(0), Some(0)),
            (Value::from(3), Some(3)),
            (Value::from(4), None),
            (Value::from(-1), None),
            (Value::from(1.5), None),
            (Value::from("1"), None),
        ] {
            assert_eq!(number(&value, 3).ok(), read);
        }
    }
}
