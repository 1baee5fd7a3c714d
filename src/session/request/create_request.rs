//! What a body asks for: a new run, or a fork of one that is kept.

use serde_json::{Map, Value};

use crate::investigation::Request;
use crate::session::identifiers::RunToken;
use crate::session::settings::Caps;

use super::options::{
    Asked, IN_BODY, check_together, name, set_option, take_options, take_session,
};
use super::problem::Problem;

/// A body, read.
#[derive(Debug, Clone, PartialEq)]
pub enum Wish {
    /// A run of its own.
    New(Asked),
    /// A run that uses the answers of another again.
    Fork(ForkWish),
}

/// A fork that was asked for; its question is known once its run is.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkWish {
    run: RunToken,
    people: Map<String, Value>,
    options: Map<String, Value>,
}

impl Wish {
    /// Reads `{"personA","personB","sessionId"?,"options"?}` or
    /// `{"fork":{"run","options"?},"sessionId"?}`.
    pub fn from_body(body: &[u8], caps: &Caps) -> Result<Self, Problem> {
        let not_json = |_| {
            Problem::new(
                400,
                "The body is not a JSON object; send {\"personA\":\"...\",\"personB\":\"...\"}.",
            )
        };
        let mut body: Map<String, Value> = serde_json::from_slice(body).map_err(not_json)?;
        match body.remove("fork") {
            None | Some(Value::Null) => Asked::from_members(body, caps).map(Self::New),
            Some(Value::Object(fork)) => ForkWish::read(fork, body).map(Self::Fork),
            Some(_) => Err(Problem::field(
                "fork",
                "must be an object: {\"run\":\"...\",\"options\":{}}",
            )),
        }
    }
}

impl ForkWish {
    fn read(mut fork: Map<String, Value>, mut body: Map<String, Value>) -> Result<Self, Problem> {
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
        take_session(&mut body, &mut options)?;
        let known = [IN_BODY.person_a, IN_BODY.person_b];
        if let Some(unknown) = body.keys().find(|key| !known.contains(&key.as_str())) {
            let what = "can't be given beside fork; a fork's options stand inside it";
            return Err(Problem::field(unknown, what));
        }
        Ok(Self {
            run,
            people: body,
            options,
        })
    }

    /// Which run is forked.
    #[must_use]
    pub fn run(&self) -> &RunToken {
        &self.run
    }

    /// The question of the forked run with what is asked to be changed, within today's caps.
    pub fn resolve(self, forked: Request, caps: &Caps) -> Result<Asked, Problem> {
        let mut asked = Asked {
            session: None,
            request: forked,
        };
        let limits = &mut asked.request.limits;
        limits.searches_max = limits.searches_max.min(caps.searches_max);
        limits.recognitions_max = limits.recognitions_max.min(caps.recognitions_max);
        limits.planner_calls_max = limits.planner_calls_max.min(caps.planner_calls_max);
        limits.runtime_ms_max = limits.runtime_ms_max.min(caps.runtime_ms_max);
        self.check_people(&asked.request)?;
        for (key, value) in self.options {
            set_option(&mut asked, &key, &value, &IN_BODY, caps, Value::as_u64)?;
        }
        check_together(&asked)?;
        Ok(asked)
    }

    /// Names beside a fork may only repeat what it is of.
    fn check_people(&self, forked: &Request) -> Result<(), Problem> {
        let people = [
            (IN_BODY.person_a, &forked.person_a),
            (IN_BODY.person_b, &forked.person_b),
        ];
        for (field, person) in people {
            let Some(value) = self.people.get(field) else {
                continue;
            };
            if name(field, value)?.folded() != person.folded() {
                let what = "is not the person of the forked run; leave it out";
                return Err(Problem::field(field, what));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Limits, Name, Plan};

    const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";

    fn forked() -> Request {
        Request {
            person_a: Name::parse("Jean Valjean").unwrap(),
            person_b: Name::parse("Cosette").unwrap(),
            avoid: Vec::new(),
            limits: Limits {
                searches_max: 90,
                ..Limits::default()
            },
        }
    }

    fn resolved(body: &str) -> Result<Asked, String> {
        let caps = Caps::default();
        let wish = Wish::from_body(body.as_bytes(), &caps);
        let wish = wish.map_err(|problem| format!("{problem:?}"))?;
        let Wish::Fork(wish) = wish else {
            return Err("no fork".into());
        };
        wish.resolve(forked(), &caps)
            .map_err(|problem| format!("{problem:?}"))
    }

    #[test]
    fn a_fork_changes_what_it_names_and_keeps_the_rest_within_the_caps() {
        let body = format!(
            r#"{{"fork":{{"run":"{RUN}","options":{{"threshold":90,"avoid":"Javert","plan":"one-sided"}}}},"sessionId":"s2"}}"#
        );
        let asked = resolved(&body).unwrap();
        assert_eq!(asked.session.as_deref(), Some("s2"));
        assert_eq!(asked.request.person_a.as_str(), "Jean Valjean");
        assert_eq!(asked.request.avoid.len(), 1);
        let limits = asked.request.limits;
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
