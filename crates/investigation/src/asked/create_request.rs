//! The body of a request to create a run: a new run, or a fork of a stored one.

use serde_json::{Map, Value};

use domain::RunToken;
use engine::Problem;
use engine::values::{NumberForm, check_turnstile_token};
use json::{begins_object, weight};
use settings::Caps;

use crate::stored::Order;

use super::options::{
    BODY_BYTES_MAX, IN_BODY, RunRequest, check_options, check_together, set_option,
    take_beside_options, take_options,
};
use super::values::name;

/// The member that says that somebody passed the check for humans; it is no option of the run.
const TURNSTILE_TOKEN: &str = "turnstileToken";

/// The content of the body of a request to create a run.
#[derive(Debug, Clone, PartialEq)]
pub enum CreateRequest {
    /// A run of its own.
    New(RunRequest),
    /// A run that uses the answers of another again.
    Fork(ForkRequest),
}

/// A fork that is asked for. Its question is known once the forked run is.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkRequest {
    run: RunToken,
    people: Map<String, Value>,
    options: Map<String, Value>,
    turnstile_token: Option<String>,
}

impl CreateRequest {
    /// Reads `{"personA","personB","sessionId"?,"options"?}` or
    /// `{"fork":{"run","options"?},"sessionId"?}`.
    pub fn from_body(body: &[u8], caps: &Caps) -> Result<Self, Problem> {
        let not_json = || {
            Problem::new(
                400,
                "The body is not a JSON object; send {\"personA\":\"...\",\"personB\":\"...\"}.",
            )
        };
        if weight(body) > BODY_BYTES_MAX {
            let detail = "The body is not a JSON object of a question: it holds far more than one has; send \
                          {\"personA\":\"...\",\"personB\":\"...\"}.";
            return Err(Problem::new(400, detail));
        }
        let object = Some(body).filter(|body| begins_object(body));
        let read = object.and_then(|body| serde_json::from_slice(body).ok());
        let mut body: Map<String, Value> = read.ok_or_else(not_json)?;
        let turnstile_token = match body.remove(TURNSTILE_TOKEN) {
            None | Some(Value::Null) => None,
            Some(Value::String(token)) => {
                check_turnstile_token(TURNSTILE_TOKEN, &token)?;
                Some(token)
            }
            Some(_) => return Err(Problem::field(TURNSTILE_TOKEN, "must be a text")),
        };
        match body.remove("fork") {
            None | Some(Value::Null) => {
                let run = RunRequest::from_members(body, caps)?;
                Ok(Self::New(RunRequest {
                    turnstile_token,
                    ..run
                }))
            }
            Some(Value::Object(fork)) => {
                let fork = ForkRequest::read(fork, body, caps)?;
                Ok(Self::Fork(ForkRequest {
                    turnstile_token,
                    ..fork
                }))
            }
            Some(_) => Err(Problem::field(
                "fork",
                "must be an object: {\"run\":\"...\",\"options\":{}}",
            )),
        }
    }
}

impl CreateRequest {
    /// Returns the token of the check for humans, where the body has one.
    #[must_use]
    pub fn turnstile_token(&self) -> Option<&str> {
        match self {
            Self::New(run) => run.turnstile_token.as_deref(),
            Self::Fork(fork) => fork.turnstile_token.as_deref(),
        }
    }

    /// Returns the session that the run's token shall have, where the body names one.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::New(run) => run.session.as_deref(),
            Self::Fork(fork) => fork.options.get("session").and_then(Value::as_str),
        }
    }
}

impl ForkRequest {
    fn read(
        mut fork: Map<String, Value>,
        mut body: Map<String, Value>,
        caps: &Caps,
    ) -> Result<Self, Problem> {
        let mut options = take_options(&mut fork, "fork.options")?;
        let run = match fork.remove("run") {
            Some(Value::String(run)) => RunToken::parse(&run)
                .map_err(|_| Problem::field("fork.run", "is no run's token"))?,
            _ => return Err(Problem::field("fork.run", "is missing; give a run's token")),
        };
        if let Some(unknown) = fork.keys().next() {
            let what = "is not a known member; known are run and options";
            return Err(Problem::field(&format!("fork.{unknown}"), what));
        }
        take_beside_options(&mut body, &mut options)?;
        let known = [IN_BODY.person_a, IN_BODY.person_b];
        if let Some(unknown) = body.keys().find(|key| !known.contains(&key.as_str())) {
            let what = "can't be given beside fork; a fork's options stand inside it";
            return Err(Problem::field(unknown, what));
        }
        // A value that is wrong in itself is refused before the forked run is looked for.
        for (field, person) in &body {
            name(field, person)?;
        }
        check_options(&options, caps)?;
        Ok(Self {
            run,
            people: body,
            options,
            turnstile_token: None,
        })
    }

    /// Returns the token of the run that is forked.
    #[must_use]
    pub fn run(&self) -> &RunToken {
        &self.run
    }

    /// Makes the request of the fork: the forked run's order with what is to be changed, within
    /// today's caps.
    pub fn resolve(self, forked: &Order, caps: &Caps) -> Result<RunRequest, Problem> {
        let Ok(mut run) = RunRequest::again(forked, caps) else {
            let detail = "The run to fork was made by another version; start the pair anew.";
            return Err(Problem::new(409, detail));
        };
        self.check_people(&run)?;
        for (key, value) in self.options {
            set_option(&mut run, &key, &value, &IN_BODY, caps, NumberForm::Json)?;
        }
        check_together(&run, &IN_BODY)?;
        Ok(run)
    }

    /// Checks that names given beside a fork only repeat those of the forked run.
    fn check_people(&self, forked: &RunRequest) -> Result<(), Problem> {
        let people = [
            (IN_BODY.person_a, &forked.request.person_a),
            (IN_BODY.person_b, &forked.request.person_b),
        ];
        for (field, person) in people {
            let Some(value) = self.people.get(field) else {
                continue;
            };
            if !name(field, value)?.is_same_as(&person.name) {
                let what = "is not the person of the forked run; leave it out";
                return Err(Problem::conflict(field, what));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::Plan;

    const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

    fn forked() -> Order {
        let order = r#"{"version":1,"personA":"Jean Valjean","personB":"Cosette","avoid":[],
            "plan":"both-ends","pace":"quick","hops":6,"threshold":80,"images":5,"searches":90,
            "polish":0,"recognitions":100,"llm":12,"runtimeMs":120000}"#;
        serde_json::from_str(order).unwrap()
    }

    fn resolved(body: &str) -> Result<RunRequest, String> {
        let caps = Caps::default();
        let request = CreateRequest::from_body(body.as_bytes(), &caps);
        let request = request.map_err(|problem| format!("{problem:?}"))?;
        let CreateRequest::Fork(fork) = request else {
            return Err("no fork".into());
        };
        fork.resolve(&forked(), &caps)
            .map_err(|problem| format!("{problem:?}"))
    }

    #[test]
    fn a_fork_changes_what_it_names_and_keeps_the_rest_within_the_caps() {
        let body = format!(
            r#"{{"fork":{{"run":"{RUN}","options":{{"threshold":90,"avoid":"Javert","plan":"one-sided"}}}},"sessionId":"s2"}}"#
        );
        let run = resolved(&body).unwrap();
        assert_eq!(run.session.as_deref(), Some("s2"));
        let asked = CreateRequest::from_body(body.as_bytes(), &Caps::default()).unwrap();
        assert_eq!(asked.session(), Some("s2"));
        assert_eq!(run.request.person_a.as_str(), "Jean Valjean");
        assert_eq!(run.request.avoid.len(), 1);
        let limits = run.request.limits;
        assert_eq!(
            (limits.threshold_percent, limits.plan),
            (90, Plan::OneSided)
        );
        assert_eq!((limits.searches_max, limits.hops), (50, 6));
    }

    #[test]
    fn a_fork_may_repeat_its_people_and_change_nobody() {
        let with = |person: &str| {
            resolved(&format!(
                r#"{{"personA":"{person}","fork":{{"run":"{RUN}"}}}}"#
            ))
        };
        assert!(with("jean valjean").is_ok());
        assert!(with("Javert").unwrap_err().contains("personA"));
    }

    #[test]
    fn the_token_of_the_check_for_humans_is_beside_what_is_asked() {
        let read = |body: &str| CreateRequest::from_body(body.as_bytes(), &Caps::default());
        let token = |body: &str| {
            let request = read(body).unwrap();
            request.turnstile_token().map(str::to_owned)
        };
        let run = r#""personA":"Cosette","personB":"Javert""#;
        assert_eq!(token(&format!("{{{run}}}")), None);
        assert_eq!(
            token(&format!(r#"{{{run},"turnstileToken":"t"}}"#)),
            Some("t".into())
        );
        let fork = format!(r#"{{"fork":{{"run":"{RUN}"}},"turnstileToken":"t"}}"#);
        assert_eq!(token(&fork), Some("t".into()));
        let wrong = read(&format!(r#"{{{run},"turnstileToken":1}}"#)).unwrap_err();
        assert_eq!(wrong.named_field(), Some("turnstileToken"));
    }

    #[test]
    fn a_wrong_fork_is_refused_with_its_field() {
        for (body, field) in [
            (r#"{"fork":1}"#.to_owned(), "fork"),
            (r#"{"fork":{}}"#.to_owned(), "fork.run"),
            (r#"{"fork":{"run":"nonsense"}}"#.to_owned(), "fork.run"),
            (
                format!(r#"{{"fork":{{"run":"{RUN}","hops":3}}}}"#),
                "fork.hops",
            ),
            (
                format!(r#"{{"fork":{{"run":"{RUN}","options":3}}}}"#),
                "fork.options",
            ),
            (
                format!(r#"{{"fork":{{"run":"{RUN}"}},"options":{{}}}}"#),
                "options",
            ),
            (
                format!(r#"{{"fork":{{"run":"{RUN}","options":{{"hops":9}}}}}}"#),
                "hops",
            ),
        ] {
            let problem = resolved(&body).unwrap_err();
            assert!(
                problem.contains(&format!("\"{field}\"")),
                "{body}: {problem}"
            );
        }
    }
}
