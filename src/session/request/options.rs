//! What a user asks for, from an address or a JSON body, held against the operator's caps.
//! Nothing is spent before it is accepted here.

use serde_json::{Map, Value};

use crate::domain::{Name, Pace, Plan, THRESHOLD_PERCENT_MIN, fold};
use crate::investigation::Request;
use crate::journal::{AVOID_MAX, Order, OrderError};
use crate::session::identifiers::RunToken;
use crate::session::settings::Caps;

use super::problem::Problem;

/// The longest body of a request, in bytes.
pub const BODY_BYTES_MAX: usize = 16_384;
/// The shortest run that makes sense, in milliseconds.
const RUNTIME_MS_MIN: u64 = 1_000;

/// The names under which the two people and the session are given.
pub(super) struct FieldNames {
    pub(super) person_a: &'static str,
    pub(super) person_b: &'static str,
    session: &'static str,
}

const IN_QUERY: FieldNames = FieldNames {
    person_a: "a",
    person_b: "b",
    session: "session",
};
pub(super) const IN_BODY: FieldNames = FieldNames {
    person_a: "personA",
    person_b: "personB",
    session: "sessionId",
};

/// A run that is asked for, within the operator's caps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRequest {
    /// The session that its token shall have, where one is given.
    pub session: Option<String>,
    /// What its machine is given.
    pub request: Request,
}

impl RunRequest {
    /// Reads `?a=&b=&hops=...`; `avoid` may be repeated.
    pub fn from_query<'a>(
        pairs: impl Iterator<Item = (std::borrow::Cow<'a, str>, std::borrow::Cow<'a, str>)>,
        caps: &Caps,
    ) -> Result<Self, Problem> {
        let mut options = Map::new();
        let mut people = Map::new();
        let mut avoid = Vec::new();
        for (key, value) in pairs {
            let value = Value::String(value.into_owned());
            match key.as_ref() {
                "lastEventId" => {}
                "avoid" => avoid.push(value),
                "a" | "b" => insert_once(&mut people, &key, value)?,
                _ => insert_once(&mut options, &key, value)?,
            }
        }
        if !avoid.is_empty() {
            options.insert("avoid".into(), Value::Array(avoid));
        }
        accept(&people, options, &IN_QUERY, caps, whole_number_of_text)
    }

    /// The same request as of an earlier run, within today's caps.
    pub(super) fn again(order: &Order, caps: &Caps) -> Result<Self, OrderError> {
        let mut request = order.request()?;
        let limits = &mut request.limits;
        limits.searches_max = limits.searches_max.min(caps.searches_max);
        limits.recognitions_max = limits.recognitions_max.min(caps.recognitions_max);
        limits.planner_calls_max = limits.planner_calls_max.min(caps.planner_calls_max);
        limits.runtime_ms_max = limits.runtime_ms_max.min(caps.runtime_ms_max);
        Ok(Self {
            session: None,
            request,
        })
    }

    /// Reads `{"personA","personB","sessionId"?,"options"?}`.
    pub(super) fn from_members(mut body: Map<String, Value>, caps: &Caps) -> Result<Self, Problem> {
        let mut options = take_options(&mut body, "options")?;
        take_session(&mut body, &mut options)?;
        let known = [IN_BODY.person_a, IN_BODY.person_b];
        if let Some(unknown) = body.keys().find(|key| !known.contains(&key.as_str())) {
            return Err(Problem::field(
                unknown,
                "is not a known member; known are personA, personB, sessionId, options and fork",
            ));
        }
        accept(&body, options, &IN_BODY, caps, Value::as_u64)
    }
}

/// An object of options, taken out of a body.
pub(super) fn take_options(
    body: &mut Map<String, Value>,
    field: &str,
) -> Result<Map<String, Value>, Problem> {
    match body.remove("options") {
        None | Some(Value::Null) => Ok(Map::new()),
        Some(Value::Object(options)) => Ok(options),
        Some(_) => Err(Problem::field(field, "must be an object")),
    }
}

/// The session is one of the options, wherever it is given.
pub(super) fn take_session(
    body: &mut Map<String, Value>,
    options: &mut Map<String, Value>,
) -> Result<(), Problem> {
    match body.remove(IN_BODY.session) {
        None | Some(Value::Null) => Ok(()),
        Some(session) => insert_once(options, "session", session),
    }
}

fn insert_once(map: &mut Map<String, Value>, key: &str, value: Value) -> Result<(), Problem> {
    match map.insert(key.to_owned(), value) {
        None => Ok(()),
        Some(_) => Err(Problem::field(key, "is given twice; give it once")),
    }
}

fn whole_number_of_text(value: &Value) -> Option<u64> {
    value.as_str()?.parse().ok()
}

fn accept(
    people: &Map<String, Value>,
    options: Map<String, Value>,
    names: &FieldNames,
    caps: &Caps,
    whole_number: fn(&Value) -> Option<u64>,
) -> Result<RunRequest, Problem> {
    let person_a = person(people, names.person_a)?;
    let person_b = person(people, names.person_b)?;
    if person_a.folded() == person_b.folded() {
        let what = "names the same person as the other; give two different people";
        return Err(Problem::field(names.person_b, what));
    }
    let mut run = RunRequest {
        session: None,
        request: Request {
            person_a,
            person_b,
            avoid: Vec::new(),
            limits: caps.default_limits(),
        },
    };
    for (key, value) in options {
        set_option(&mut run, &key, &value, names, caps, whole_number)?;
    }
    check_together(&run)?;
    Ok(run)
}

/// Options that exclude each other.
pub(super) fn check_together(run: &RunRequest) -> Result<(), Problem> {
    let limits = &run.request.limits;
    if limits.plan == Plan::OneSided && limits.polish_searches_max > 0 {
        let what = "goes with the plan both-ends only; leave it out, or the plan";
        return Err(Problem::field("polish", what));
    }
    Ok(())
}

fn person(people: &Map<String, Value>, field: &str) -> Result<Name, Problem> {
    let Some(value) = people.get(field) else {
        return Err(Problem::field(field, "is missing; give a full name"));
    };
    name(field, value)
}

pub(super) fn name(field: &str, value: &Value) -> Result<Name, Problem> {
    let text = value
        .as_str()
        .ok_or_else(|| Problem::field(field, "must be a name"))?;
    Name::parse(text).map_err(|error| Problem::field(field, error))
}

pub(super) fn set_option(
    run: &mut RunRequest,
    key: &str,
    value: &Value,
    names: &FieldNames,
    caps: &Caps,
    whole_number: fn(&Value) -> Option<u64>,
) -> Result<(), Problem> {
    let within = |least: u64, most: u64| match whole_number(value) {
        Some(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(Problem::field(
            key,
            format!("must be a whole number from {least} to {most}"),
        )),
    };
    let small = |least: u32, most: u32| {
        within(u64::from(least), u64::from(most))
            .map(|number| u32::try_from(number).unwrap_or(most))
    };
    let limits = &mut run.request.limits;
    match key {
        "session" => run.session = Some(session(names.session, value)?),
        "plan" => limits.plan = plan(value)?,
        "pace" => limits.pace = pace(value)?,
        "hops" => limits.hops = small(1, 6)?,
        "threshold" => limits.threshold_percent = small(THRESHOLD_PERCENT_MIN, 100)?,
        "images" => limits.images_per_search = small(1, 10)?,
        "searches" => limits.searches_max = small(1, caps.searches_max)?,
        "polish" => limits.polish_searches_max = small(0, caps.searches_max)?,
        "recognitions" => limits.recognitions_max = small(1, caps.recognitions_max)?,
        "llm" => limits.planner_calls_max = small(0, caps.planner_calls_max)?,
        "runtimeMs" => limits.runtime_ms_max = within(RUNTIME_MS_MIN, caps.runtime_ms_max)?,
        "avoid" => run.request.avoid = avoid(&run.request, value)?,
        _ => {
            let what = "is not a known option; known are session, plan, pace, hops, threshold, \
                        images, searches, polish, recognitions, llm, runtimeMs and avoid";
            return Err(Problem::field(key, what));
        }
    }
    Ok(())
}

fn session(field: &str, value: &Value) -> Result<String, Problem> {
    let text = value.as_str().unwrap_or_default();
    // The token's own rule; the random part does not matter here.
    RunToken::new(Some(text), [0; 24])
        .map(|token| token.session().to_owned())
        .map_err(|error| Problem::field(field, error))
}

fn plan(value: &Value) -> Result<Plan, Problem> {
    value
        .as_str()
        .and_then(Plan::named)
        .ok_or_else(|| Problem::field("plan", "must be both-ends or one-sided"))
}

fn pace(value: &Value) -> Result<Pace, Problem> {
    value
        .as_str()
        .and_then(Pace::named)
        .ok_or_else(|| Problem::field("pace", "must be quick or frugal"))
}

fn avoid(request: &Request, value: &Value) -> Result<Vec<Name>, Problem> {
    let values = match value {
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    if values.len() > AVOID_MAX {
        return Err(Problem::field(
            "avoid",
            format!("may be given {AVOID_MAX} times at most"),
        ));
    }
    let names: Vec<Name> = values
        .iter()
        .map(|value| name("avoid", value))
        .collect::<Result<_, _>>()?;
    let typed = [request.person_a.folded(), request.person_b.folded()];
    if names
        .iter()
        .any(|name| typed.contains(&fold(name.as_str())))
    {
        return Err(Problem::field(
            "avoid",
            "names one of the two people of the chain; give other people",
        ));
    }
    Ok(names)
}
