//! Errors that only an address can have, and what only it can express.

use investigation::requests::RunRequest;
use serde_json::json;
use settings::Caps;

use crate::random::SplitMix64;

use super::question::{
    Answers, Question, check_conflict, check_problem, from_body, from_query, new_run,
};

#[test]
fn what_is_given_twice_is_refused() {
    for option in ["a", "b", "hops", "session", "plan", "runtimeMs", "unknown"] {
        let query = format!("{option}=1&a=Jean+Valjean&b=Javert&{option}=1");
        check_problem(from_query(&query, &Caps::default()), Some(option));
    }
    let mut body = Question::good().with("session", "x1").body;
    body["sessionId"] = json!("x1");
    check_conflict(from_body(&body), "sessionId");
}

#[test]
fn a_query_may_say_where_a_stream_goes_on() {
    let asked = from_query(
        "a=Jean+Valjean&b=Javert&lastEventId=s.r.7",
        &Caps::default(),
    );
    let plain = from_query("a=Jean%20Valjean&b=%4aavert", &Caps::default());
    assert_eq!(asked.unwrap(), plain.unwrap());
}

#[test]
fn random_bytes_never_panic_and_are_never_accepted() {
    let mut random = SplitMix64(11);
    let caps = Caps::default();
    for _ in 0..2_000 {
        let bytes = random.bytes(300);
        check_problem(new_run(&bytes, &caps), None);
        let query = RunRequest::from_query(&String::from_utf8_lossy(&bytes), &caps);
        assert_eq!(query.unwrap_err().status(), 400);
        // The same bytes as a name: accepted, or refused as one.
        let name = String::from_utf8_lossy(&bytes);
        let Answers { query, body } = Question::of(&name, "Javert").asked(&caps);
        assert_eq!(query.is_ok(), body.is_ok());
        if let Err(problem) = query {
            assert_eq!(problem.named_field(), Some("a"));
        }
    }
}
