//! The calls of the atlas, by method and path.

use percent_encoding::percent_decode_str;
use serde_json::Value;

use domain::{Sha256Digest, THRESHOLD_PERCENT, THRESHOLD_PERCENT_MIN};
use engine::Problem;
use engine::values::NumberForm;

use super::absence::no_such_address;

/// The longest id of a person, in bytes. Ids are the recogniser's, or made of a name.
const ID_BYTES_MAX: usize = 400;

/// A call of the atlas.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AtlasCall {
    /// `GET /atlas`: how much is known.
    Size,
    /// `GET /atlas/people?q=`.
    People,
    /// `GET /atlas/people/{id}?offset=&threshold=`.
    Person(String),
    /// `GET /atlas/path?a=&b=&threshold=`.
    Path,
    /// `DELETE /atlas/people/{id}`.
    ForgetPerson(String),
    /// `DELETE /atlas/photos/{digest}`.
    ForgetPhoto(Sha256Digest),
}

impl AtlasCall {
    /// Returns the call of a method and the segments behind `atlas`, with the methods that the address takes. The call is
    /// `None` where it takes others.
    pub(super) fn of(
        method: &str,
        segments: &[&str],
    ) -> Result<(Option<Self>, &'static str), Problem> {
        let reads = matches!(method, "GET" | "HEAD");
        let deletes = method == "DELETE";
        Ok(match segments {
            [] => (reads.then_some(Self::Size), "GET"),
            ["people"] => (reads.then_some(Self::People), "GET"),
            ["path"] => (reads.then_some(Self::Path), "GET"),
            ["people", id] => {
                let id = id_of(id)?;
                let call = if deletes {
                    Some(Self::ForgetPerson(id))
                } else {
                    reads.then_some(Self::Person(id))
                };
                (call, "GET, DELETE")
            }
            ["photos", digest] => {
                let digest = Sha256Digest::parse(digest).ok_or_else(no_such_address)?;
                (deletes.then_some(Self::ForgetPhoto(digest)), "DELETE")
            }
            _ => return Err(no_such_address()),
        })
    }
}

/// Returns the least confidence of a link that is asked for, in percent: that of a run unless another one is.
pub fn threshold_percent(given: Option<&Value>, form: NumberForm) -> Result<u32, Problem> {
    let Some(given) = given else {
        return Ok(THRESHOLD_PERCENT);
    };
    let number = form
        .whole(given)
        .and_then(|number| u32::try_from(number).ok());
    let number = number.filter(|number| (THRESHOLD_PERCENT_MIN..=100).contains(number));
    let what = format!("must be a whole number from {THRESHOLD_PERCENT_MIN} to 100");
    number.ok_or_else(|| Problem::field("threshold", what))
}

fn id_of(segment: &str) -> Result<String, Problem> {
    let id = percent_decode_str(segment).decode_utf8();
    let id = id
        .ok()
        .filter(|id| id.len() <= ID_BYTES_MAX && !id.chars().any(char::is_control));
    id.map(String::from).ok_or_else(no_such_address)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(method: &str, path: &str, expected: Result<AtlasCall, u16>) {
        let segments: Vec<&str> = path.split('/').filter(|one| !one.is_empty()).collect();
        let found = AtlasCall::of(method, &segments).map_err(|problem| problem.status());
        let found = found.and_then(|(call, _)| call.ok_or(405));
        assert_eq!(found, expected, "{method} {path}");
    }

    #[test]
    fn a_link_is_as_sure_as_a_run_wants_it_unless_asked_otherwise() {
        let text = |text: &str| {
            let found = threshold_percent(Some(&text.into()), NumberForm::Text);
            found.map_err(|problem| problem.status())
        };
        assert_eq!(threshold_percent(None, NumberForm::Text).ok(), Some(80));
        for (given, expected) in [("50", Ok(50)), ("62", Ok(62)), ("100", Ok(100))] {
            assert_eq!(text(given), expected);
        }
        for wrong in ["49", "101", "-1", "62.5", "x", "80 %", "99999999999"] {
            assert_eq!(text(wrong), Err(400), "{wrong}");
        }
        let number = |number: Value| threshold_percent(Some(&number), NumberForm::Json).ok();
        assert_eq!(number(62.into()), Some(62));
        assert_eq!([number("62".into()), number(Value::Null)], [None, None]);
    }

    #[test]
    fn each_call_has_its_method_and_its_address() {
        let digest = Sha256Digest::new([0xAB; 32]);
        check("GET", "", Ok(AtlasCall::Size));
        check("POST", "", Err(405));
        check("HEAD", "people", Ok(AtlasCall::People));
        check("GET", "path", Ok(AtlasCall::Path));
        let id = "name:éponine thénardier";
        let path = "people/name:%C3%A9ponine%20th%C3%A9nardier";
        check("GET", path, Ok(AtlasCall::Person(id.into())));
        check("DELETE", path, Ok(AtlasCall::ForgetPerson(id.into())));
        check("PUT", path, Err(405));
        let photo = format!("photos/{digest}");
        check("DELETE", &photo, Ok(AtlasCall::ForgetPhoto(digest)));
        check("GET", &photo, Err(405));
        for wrong in ["photos/x", "people/%FF", "people/a%00b", "people/a/b", "x"] {
            check("GET", wrong, Err(404));
        }
        check("GET", &format!("people/{}", "x".repeat(401)), Err(404));
    }
}
