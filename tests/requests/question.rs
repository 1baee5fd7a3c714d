//! A question in both forms, with both results.

use domain::Limits;
use engine::Problem;
use investigation::requests::{CreateRequest, RunRequest};
use serde_json::{Value, json};
use settings::Caps;
use url::form_urlencoded;

/// One question in both forms: as an address's query and as a JSON body.
#[derive(Clone)]
pub struct Question {
    pub query: Vec<(String, String)>,
    pub body: Value,
}

/// The results of both forms.
pub struct Answers {
    pub query: Result<RunRequest, Problem>,
    pub body: Result<RunRequest, Problem>,
}

impl Question {
    /// Makes a question of two people only.
    pub fn of(person_a: &str, person_b: &str) -> Self {
        Self {
            query: vec![("a".into(), person_a.into()), ("b".into(), person_b.into())],
            body: json!({"personA": person_a, "personB": person_b}),
        }
    }

    /// Makes a valid question.
    pub fn good() -> Self {
        Self::of("Jean Valjean", "Javert")
    }

    /// Adds an option; a text that looks like a number is one in the body.
    pub fn with(mut self, option: &str, text: &str) -> Self {
        self.query.push((option.into(), text.into()));
        let number = serde_json::from_str::<serde_json::Number>(text);
        let value = match number {
            Ok(number) if text.trim() == text => Value::Number(number),
            _ => Value::String(text.into()),
        };
        self.body["options"][option] = value;
        self
    }

    /// Adds a session, whose member has another place and name in the body.
    pub fn with_session(mut self, session: &str) -> Self {
        self.query.push(("session".into(), session.into()));
        self.body["sessionId"] = json!(session);
        self
    }

    /// Adds people to avoid.
    pub fn avoiding(mut self, names: &[&str]) -> Self {
        for name in names {
            self.query.push(("avoid".into(), (*name).into()));
        }
        self.body["options"]["avoid"] = json!(names);
        self
    }

    pub fn asked(&self, caps: &Caps) -> Answers {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.query)
            .finish();
        Answers {
            query: from_query(&query, caps),
            body: new_run(self.body.to_string().as_bytes(), caps),
        }
    }
}

pub fn from_query(query: &str, caps: &Caps) -> Result<RunRequest, Problem> {
    RunRequest::from_query(query, caps)
}

pub fn new_run(body: &[u8], caps: &Caps) -> Result<RunRequest, Problem> {
    match CreateRequest::from_body(body, caps)? {
        CreateRequest::New(asked) => Ok(asked),
        CreateRequest::Fork(_) => panic!("nobody asked for a fork"),
    }
}

pub fn from_body(body: &Value) -> Result<RunRequest, Problem> {
    new_run(body.to_string().as_bytes(), &Caps::default())
}

/// Checks a refusal with 400 and this field, in one sentence.
#[track_caller]
pub fn check_problem<T: std::fmt::Debug>(
    outcome: Result<T, Problem>,
    field: Option<&str>,
) -> Problem {
    check_status(outcome, (400, "Bad request"), field)
}

/// Checks a refusal with 409: each member is valid, but not all of them together.
#[track_caller]
pub fn check_conflict<T: std::fmt::Debug>(outcome: Result<T, Problem>, field: &str) -> Problem {
    check_status(outcome, (409, "Conflict"), Some(field))
}

/// Removes the range, which must be complete if present, and equal to the sentence's.
#[track_caller]
fn check_range(problem: &mut Value, detail: &str) {
    let problem = problem.as_object_mut().unwrap();
    let (least, most) = (problem.remove("minimum"), problem.remove("maximum"));
    assert_eq!(least.is_some(), most.is_some(), "{detail}");
    if let Some((least, most)) = least.zip(most) {
        // Whole dollars are written without a fraction.
        let number = |value: Value| value.as_f64().unwrap().to_string();
        let range = format!(" from {} to {}", number(least), number(most));
        assert!(detail.contains(&range), "{detail}: {range}");
    }
}

#[track_caller]
fn check_status<T: std::fmt::Debug>(
    outcome: Result<T, Problem>,
    (status, title): (u16, &str),
    field: Option<&str>,
) -> Problem {
    let problem = outcome.unwrap_err();
    let detail = problem.detail();
    assert_eq!(problem.status(), status, "{detail}");
    assert_eq!(problem.named_field(), field, "{detail}");
    assert!(detail.ends_with('.') && !detail.ends_with(".."), "{detail}");
    let mut json = serde_json::to_value(&problem).unwrap();
    check_range(&mut json, detail);
    let mut expected = json!({
        "type": "about:blank", "title": title, "status": status, "detail": detail,
    });
    if let Some(field) = field {
        assert!(detail.starts_with(&format!("“{field}” ")), "{detail}");
        expected["field"] = json!(field);
    }
    assert_eq!(json, expected);
    problem
}

#[track_caller]
pub fn check_refused(question: &Question, in_query: &str, in_body: &str) {
    let answers = question.asked(&Caps::default());
    check_problem(answers.query, Some(in_query));
    check_problem(answers.body, Some(in_body));
}

/// Checks a refusal with 409 in both forms.
#[track_caller]
pub fn check_contradicts(question: &Question, in_query: &str, in_body: &str) {
    let answers = question.asked(&Caps::default());
    check_conflict(answers.query, in_query);
    check_conflict(answers.body, in_body);
}

/// Checks that both forms are accepted with equal results.
#[track_caller]
pub fn check_accepted(question: &Question, caps: &Caps) -> RunRequest {
    let Answers { query, body } = question.asked(caps);
    let (query, body) = (query.unwrap(), body.unwrap());
    assert_eq!(query, body);
    query
}

pub fn limits_of(question: &Question) -> Limits {
    check_accepted(question, &Caps::default()).request.limits
}
