//! The options of a run, from an address or a JSON body, checked against the operator's caps. Nothing is spent before
//! they are accepted here.

use serde::de::Error;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};
use url::form_urlencoded;

use domain::{
    AVOID_MAX, Limits, MemoryUse, NAME_CHARS_MAX, Name, NameError, Pace, Plan,
    THRESHOLD_PERCENT_MIN, WikidataNumber, WordUse, YearRange,
};
use engine::values::{
    NumberForm, is_letter_or_digit, nano_usd, read_members, saturated, session, whole,
};
use engine::{OrderError, Problem};
use settings::Caps;

use crate::machine::Request;
use crate::wire::Order;

/// The longest body of a request, in bytes.
pub const BODY_BYTES_MAX: usize = 16_384;

/// The least time limit that makes sense for a run, in milliseconds.
pub(super) const RUNTIME_MS_MIN: u64 = 1_000;

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

/// The longest part of an address, in bytes. A name of a hundred characters has at most 1,200 bytes when encoded.
const PART_BYTES_MAX: usize = 4_096;

/// The largest number of different parameters that are read from an address. It exceeds the number of known parameters.
const OPTIONS_MAX: usize = 32;

/// The names of the fields for the two people and the session, which differ between an address and a body.
pub(super) struct FieldNames {
    pub(super) person_a: &'static str,
    pub(super) person_b: &'static str,
    pub(super) session: &'static str,
}

/// The names and options of a link.
#[derive(Deserialize)]
struct Link {
    #[serde(default, deserialize_with = "given_name")]
    a: Option<Name>,
    #[serde(default, deserialize_with = "given_name")]
    b: Option<Name>,
    #[serde(flatten)]
    options: Map<String, Value>,
}

/// A requested run, within the operator's caps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRequest {
    /// The session for the run's token, if given.
    pub session: Option<String>,
    /// The question for the machine.
    pub request: Request,
    /// The token that proves that the requester passed the check for humans.
    pub turnstile_token: Option<String>,
}

impl RunRequest {
    fn of(person_a: Name, person_b: Name, caps: &Caps) -> Self {
        Self {
            session: None,
            request: Request {
                sources: Vec::new(),
                person_a: person_a.into(),
                person_b: person_b.into(),
                avoid: Vec::new(),
                limits: Limits {
                    words: WordUse::HintsFirst,
                    memory: MemoryUse::On,
                    ..caps.default_limits()
                },
            },
            turnstile_token: None,
        }
    }

    /// Reads `a=&b=&hops=...`, the part after the question mark; `avoid` may be repeated.
    pub fn from_query(query: &str, caps: &Caps) -> Result<Self, Problem> {
        // A long part is refused before it is decoded, because decoding takes several times the memory of the text.
        if query.split('&').any(|part| part.len() > PART_BYTES_MAX) {
            let detail = "A part of the address is far too long; give names and options of a run.";
            return Err(Problem::new(400, detail));
        }
        let mut members = Map::new();
        let mut avoid = Vec::new();
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            let value = Value::String(value.into_owned());
            match key.as_ref() {
                "lastEventId" => {}
                "avoid" if avoid.len() < AVOID_MAX => avoid.push(value),
                "avoid" => return Err(too_many_to_avoid()),
                _ if members.len() >= OPTIONS_MAX => {
                    return Err(Problem::new(400, "The address has too many options."));
                }
                _ if members.insert(key.to_string(), value).is_some() => {
                    return Err(Problem::field(&key, "is given twice; give it once"));
                }
                _ => {}
            }
        }
        if !avoid.is_empty() {
            members.insert("avoid".into(), Value::Array(avoid));
        }
        Self::of_link(members, caps, NumberForm::Text)
    }

    /// Reads `{"a","b","hops"?,...}`: the options of a link, as JSON values.
    pub fn from_arguments(arguments: Map<String, Value>, caps: &Caps) -> Result<Self, Problem> {
        Self::of_link(arguments, caps, NumberForm::Json)
    }

    fn of_link(
        members: Map<String, Value>,
        caps: &Caps,
        form: NumberForm,
    ) -> Result<Self, Problem> {
        let Link { a, b, options } = read_members(members)?;
        accept([a, b], options, &IN_QUERY, caps, form)
    }

    /// Restores the request of an earlier run, within today's caps.
    pub(super) fn again(order: &Order, caps: &Caps) -> Result<Self, OrderError> {
        let mut request = order.request()?;
        let limits = &mut request.limits;
        limits.searches_max = limits.searches_max.min(caps.searches_max);
        limits.recognitions_max = limits.recognitions_max.min(caps.recognitions_max);
        limits.planner_calls_max = limits.planner_calls_max.min(caps.planner_calls_max);
        limits.runtime_ms_max = limits.runtime_ms_max.min(caps.runtime_ms_max);
        limits.nano_usd_max = match (limits.nano_usd_max, caps.nano_usd_max) {
            (Some(asked), Some(cap)) => Some(asked.min(cap)),
            (asked, cap) => asked.or(cap),
        };
        Ok(Self {
            session: None,
            request,
            turnstile_token: None,
        })
    }
}

pub(super) fn accept(
    people: [Option<Name>; 2],
    options: Map<String, Value>,
    names: &FieldNames,
    caps: &Caps,
    form: NumberForm,
) -> Result<RunRequest, Problem> {
    let [person_a, person_b] = people;
    let missing = |field| Problem::field(field, "is missing; give a full name");
    let person_a = person_a.ok_or_else(|| missing(names.person_a))?;
    let person_b = person_b.ok_or_else(|| missing(names.person_b))?;
    let mut run = RunRequest::of(person_a, person_b, caps);
    for (key, value) in options {
        set_option(&mut run, &key, &value, names, caps, form)?;
    }
    check_together(&run, names)?;
    Ok(run)
}

/// Checks each option by itself, for a run whose people are not known yet.
pub(super) fn check_options(options: &Map<String, Value>, caps: &Caps) -> Result<(), Problem> {
    let nobody = Name::parse("Nobody").map_err(|error| Problem::field("options", error))?;
    let mut run = RunRequest::of(nobody.clone(), nobody, caps);
    for (key, value) in options {
        set_option(&mut run, key, value, &IN_BODY, caps, NumberForm::Json)?;
    }
    Ok(())
}

/// Checks that people and options do not exclude each other. The error is 409, since each of them is allowed alone.
pub(super) fn check_together(run: &RunRequest, names: &FieldNames) -> Result<(), Problem> {
    let (one, other) = (&run.request.person_a, &run.request.person_b);
    if one.is_same_as(other) {
        let what = "names the same person as the other; give two different people, or where two \
                    have one name the Wikidata number of each";
        return Err(Problem::conflict(names.person_b, what));
    }
    let mut avoided = run.request.avoid.iter();
    if avoided.any(|name| name.is_same_as(&one.name) || name.is_same_as(&other.name)) {
        let what = "names one of the two people of the chain; give other people";
        return Err(Problem::conflict("avoid", what));
    }
    let limits = &run.request.limits;
    if limits.plan == Plan::OneSided && limits.polish_searches_max > 0 {
        let what = "goes with the plan both-ends only; leave it out, or the plan";
        return Err(Problem::conflict("polish", what));
    }
    if limits.plan == Plan::OneSided && limits.confirm_searches_max > 0 {
        let what = "goes with the plan both-ends only; leave it out, or the plan";
        return Err(Problem::conflict("confirm", what));
    }
    if !limits.years.is_valid() {
        let what = "is before the year given as since; give the first year as since";
        return Err(Problem::conflict("until", what));
    }
    Ok(())
}

pub(super) fn set_option(
    run: &mut RunRequest,
    key: &str,
    value: &Value,
    names: &FieldNames,
    caps: &Caps,
    form: NumberForm,
) -> Result<(), Problem> {
    let within = |least: u64, most: u64| whole(key, form.whole(value), least..=most, false);
    let small = |least: u32, most: u32| within(least.into(), most.into()).map(saturated);
    let may_lift = caps.are_lifted_by_token;
    let capped = |least: u64, most: u64| whole(key, form.whole(value), least..=most, may_lift);
    let budget = |least: u64, most: u32| capped(least, most.into()).map(saturated);
    let limits = &mut run.request.limits;
    match key {
        "session" => run.session = Some(session(names.session, value)?),
        "plan" => limits.plan = plan(value)?,
        "pace" => limits.pace = pace(value)?,
        "hops" => limits.hops = small(1, 6)?,
        "threshold" => limits.threshold_percent = small(THRESHOLD_PERCENT_MIN, 100)?,
        "images" => limits.images_per_search = small(1, 10)?,
        "searches" => limits.searches_max = budget(1, caps.searches_max)?,
        "polish" => limits.polish_searches_max = budget(0, caps.searches_max)?,
        "confirm" => limits.confirm_searches_max = budget(0, caps.searches_max)?,
        "recognitions" => limits.recognitions_max = budget(1, caps.recognitions_max)?,
        "llm" => limits.planner_calls_max = budget(0, caps.planner_calls_max)?,
        "since" => limits.years.since = year(key, value, form)?,
        "until" => limits.years.until = year(key, value, form)?,
        "capture" => limits.captures_pages = is_wanted(key, value, form)?,
        "memory" => {
            limits.memory = if is_wanted(key, value, form)? {
                MemoryUse::On
            } else {
                MemoryUse::Off
            };
        }
        "runtimeMs" => limits.runtime_ms_max = capped(RUNTIME_MS_MIN, caps.runtime_ms_max)?,
        "budgetUsd" => limits.nano_usd_max = nano_usd(value, form, caps)?,
        "avoid" => run.request.avoid = avoid(value)?,
        "wikidataA" => run.request.person_a.wikidata = number_of(key, value)?,
        "wikidataB" => run.request.person_b.wikidata = number_of(key, value)?,
        _ => {
            let what = "is not a known option; known are session, plan, pace, hops, threshold, \
                        images, searches, polish, confirm, recognitions, llm, since, until, capture, \
                        memory, runtimeMs, budgetUsd, avoid, wikidataA and wikidataB";
            return Err(Problem::field(key, what));
        }
    }
    Ok(())
}

/// Reads the name of somebody, for `#[serde(deserialize_with)]`.
pub(super) fn given_name<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Name>, D::Error> {
    let text = String::deserialize(deserializer)?;
    parse_name(&text).map(Some).map_err(D::Error::custom)
}

fn parse_name(text: &str) -> Result<Name, NameError> {
    // The limit applies to the text as it is sent, spaces included, because the API's description states it so.
    if text.chars().count() > NAME_CHARS_MAX {
        Err(NameError::TooLong)
    } else if text.chars().any(is_letter_or_digit) {
        Name::parse(text)
    } else {
        Name::parse(text).and(Err(NameError::NoLetter))
    }
}

/// Reads a Wikidata number; `None` for an empty text, with which a fork drops the number of the forked run.
fn number_of(field: &str, value: &Value) -> Result<Option<WikidataNumber>, Problem> {
    let is_plain = |text: &&str| {
        text.bytes()
            .all(|byte| byte == b' ' || byte.is_ascii_graphic())
    };
    match value.as_str().filter(is_plain).map(str::trim) {
        Some("") => Ok(None),
        text => match text.and_then(WikidataNumber::parse) {
            Some(number) => Ok(Some(number)),
            None => Err(Problem::field(field, "must be a Wikidata number, like Q42")),
        },
    }
}

/// Reads a year; `None` for an empty text, with which a fork drops the year of the forked run.
fn year(field: &str, value: &Value, form: NumberForm) -> Result<Option<u16>, Problem> {
    if value.as_str() == Some("") {
        return Ok(None);
    }
    let (first, last) = YearRange::YEARS.into_inner();
    let year = whole(field, form.whole(value), first.into()..=last.into(), false)?;
    Ok(u16::try_from(year).ok())
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

/// Reads whether an option is switched on: `true` or `false` in JSON, 1 or 0 in an address.
fn is_wanted(field: &str, value: &Value, form: NumberForm) -> Result<bool, Problem> {
    match (form, value) {
        (NumberForm::Json, Value::Bool(is_wanted)) => Ok(*is_wanted),
        (NumberForm::Json, _) => Err(Problem::field(field, "must be true or false")),
        (NumberForm::Text, value) => match value.as_str() {
            Some("1") => Ok(true),
            Some("0") => Ok(false),
            _ => Err(Problem::field(field, "must be 1 or 0")),
        },
    }
}

fn avoid(value: &Value) -> Result<Vec<Name>, Problem> {
    let values = match value {
        Value::Array(values) => values.as_slice(),
        one => std::slice::from_ref(one),
    };
    if values.len() > AVOID_MAX {
        return Err(too_many_to_avoid());
    }
    let names = values.iter().map(|value| match value.as_str() {
        Some(text) => parse_name(text).map_err(|error| Problem::field("avoid", error)),
        None => Err(Problem::field("avoid", "must be a name")),
    });
    names.collect()
}

fn too_many_to_avoid() -> Problem {
    let what = format!("may be given {AVOID_MAX} times at most");
    Problem::field("avoid", what)
}
