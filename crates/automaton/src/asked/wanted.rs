//! Reads `{"automaton", "prompts"?, "parameters"?, "secrets"?, "origins"?, "browser"?, "options"?, "fork"?}`.

use std::collections::BTreeMap;

use serde_json::{Map, Value};

use domain::{RunToken, Secret, stored_name};
use engine::Problem;
use engine::assistant::STORED_TEXT_CHARS_MAX;
use engine::values::{NumberForm, check_turnstile_token, session};
use json::{begins_object, weight};
use mask::{SECRET_CHARS_MIN, can_be_hidden};

use crate::machine::states::{FILE_BYTES_MAX, FILE_WEIGHT_MAX};

/// The longest body of a request with an automaton, in bytes.
pub const AUTOMATON_BODY_BYTES_MAX: usize = FILE_BYTES_MAX + 256 * 1024;
/// The most parameters, and the most secrets, of a request.
const VALUES_MAX: usize = 100;

/// An automaton that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomatonRequest {
    pub(super) session: Option<String>,
    pub(super) turnstile_token: Option<String>,
    pub(super) automaton: WantedAutomaton,
    pub(super) fork: Option<AutomatonFork>,
    pub(super) secrets: BTreeMap<String, Secret>,
    /// The members that a stored document may have, too: `prompts`, `parameters`, `origins`, `browser` and
    /// `options`.
    pub(super) members: Map<String, Value>,
}

/// The automaton that is asked for, by where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum WantedAutomaton {
    /// The automaton that was sent.
    Sent(Value),
    /// One of the operator's automata, by its name.
    Stored(String),
    /// The automaton of the run that is forked.
    OfFork,
}

/// The run whose answers of models an automaton's run uses again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AutomatonFork {
    pub(super) run: RunToken,
    /// The position of the state from whose first execution on models are asked anew.
    pub(super) state: Option<u64>,
}

/// The members that a stored document may have, too.
pub(super) const SHARED_MEMBERS: [&str; 5] =
    ["prompts", "parameters", "origins", "browser", "options"];

impl AutomatonRequest {
    /// Reads a body. Returns `None` where it asks for no automaton.
    pub(super) fn from_body(body: &[u8]) -> Result<Option<Self>, Problem> {
        let has = |name: &[u8]| body.windows(name.len()).any(|part| part == name);
        if !(has(b"\"automaton\"") || has(b"\"state\"")) || !begins_object(body) {
            return Ok(None);
        }
        if weight(body) > FILE_WEIGHT_MAX {
            return Ok(None);
        }
        let Ok(body) = serde_json::from_slice::<Map<String, Value>>(body) else {
            return Ok(None);
        };
        let fork_names_state = body
            .get("fork")
            .and_then(|fork| fork.get("state"))
            .is_some();
        if !body.contains_key("automaton") && !fork_names_state {
            return Ok(None);
        }
        Self::from_members(body).map(Some)
    }

    fn from_members(mut body: Map<String, Value>) -> Result<Self, Problem> {
        let fork = match given(&mut body, "fork") {
            Some(fork) => Some(read_fork(&fork)?),
            None => None,
        };
        let automaton = match given(&mut body, "automaton") {
            Some(Value::String(name)) => {
                let what = "must be a list of states, or the name of one of GET /automata";
                let name = stored_name(&name).ok_or_else(|| Problem::field("automaton", what))?;
                WantedAutomaton::Stored(name.to_owned())
            }
            Some(sent) => WantedAutomaton::Sent(sent),
            None if fork.is_some() => WantedAutomaton::OfFork,
            None => {
                let what = "must be a list of states or a name";
                return Err(Problem::field("automaton", what));
            }
        };
        let session = match given(&mut body, "sessionId") {
            Some(value) => Some(session("sessionId", &value)?),
            None => None,
        };
        let turnstile_token = match given(&mut body, "turnstileToken") {
            None => None,
            Some(Value::String(token)) => {
                check_turnstile_token("turnstileToken", &token)?;
                Some(token)
            }
            Some(_) => return Err(Problem::field("turnstileToken", "must be a text")),
        };
        let secrets = match given(&mut body, "secrets") {
            Some(secrets) => texts("secrets", &secrets)?,
            None => BTreeMap::default(),
        };
        if let Some((name, _)) = secrets.iter().find(|(_, value)| !can_be_hidden(value)) {
            let what = format!(
                "is too short to be hidden: a secret has at least {SECRET_CHARS_MIN} characters, blanks not counted"
            );
            return Err(Problem::field(&format!("secrets.{name}"), what));
        }
        let secrets = secrets.into_iter();
        let secrets = secrets.map(|(name, value)| (name, Secret::from(value)));
        let this = Self {
            session,
            turnstile_token,
            automaton,
            fork,
            secrets: secrets.collect(),
            members: shared_members(&mut body),
        };
        match body.keys().next() {
            None => Ok(this),
            Some(unknown) => {
                let what = "is not a known member beside an automaton; known are automaton, prompts, \
                            parameters, secrets, origins, browser, options, fork, sessionId and \
                            turnstileToken";
                Err(Problem::field(unknown, what))
            }
        }
    }

    /// Returns the first member or option of the request that only the operator chooses: whether an action
    /// may be done twice is no matter of whoever starts it.
    pub(super) fn operators_member(&self) -> Option<&str> {
        let is_given = |name: &&str| self.members.contains_key(*name);
        let options = self.members.get("options");
        let member = ["prompts", "origins", "browser"].into_iter().find(is_given);
        let has_reaction = options.is_some_and(|options| options.get("onUnknown").is_some());
        member.or_else(|| has_reaction.then_some("onUnknown"))
    }
}

/// Takes the members that a stored document may have, too, out of a body.
pub(super) fn shared_members(body: &mut Map<String, Value>) -> Map<String, Value> {
    let mut taken = Map::new();
    for name in SHARED_MEMBERS {
        if let Some(value) = given(body, name) {
            taken.insert(name.to_owned(), value);
        }
    }
    taken
}

/// Takes a member out. Returns `None` where it is absent or null.
fn given(body: &mut Map<String, Value>, name: &str) -> Option<Value> {
    body.remove(name).filter(|value| !value.is_null())
}

/// Reads names and their texts. No error quotes a text.
pub(super) fn texts(field: &str, value: &Value) -> Result<BTreeMap<String, String>, Problem> {
    let members = value
        .as_object()
        .filter(|members| members.len() <= VALUES_MAX);
    let what =
        format!("must be an object of at most {VALUES_MAX} texts, like {{\"NAME\": \"...\"}}");
    let members = members.ok_or_else(|| Problem::field(field, what))?;
    let mut texts = BTreeMap::default();
    for (name, value) in members {
        let known = stored_name(name).ok_or_else(|| {
            let what = "has a name that is not 1 to 64 letters, digits, -, _ and .";
            Problem::field(field, what)
        })?;
        let text = value
            .as_str()
            .filter(|text| (1..=STORED_TEXT_CHARS_MAX).contains(&text.chars().count()));
        let text = text.ok_or_else(|| {
            let what = format!("must be a text of 1 to {STORED_TEXT_CHARS_MAX} characters");
            Problem::field(&format!("{field}.{known}"), what)
        })?;
        texts.insert(known.to_owned(), text.to_owned());
    }
    Ok(texts)
}

fn read_fork(fork: &Value) -> Result<AutomatonFork, Problem> {
    let what = "must be an object: {\"run\":\"...\",\"state\":0}";
    let members = fork
        .as_object()
        .ok_or_else(|| Problem::field("fork", what))?;
    let known = |key: &&String| !matches!(key.as_str(), "run" | "state");
    if let Some(unknown) = members.keys().find(known) {
        let what = "is not a known member beside an automaton; known are run and state";
        return Err(Problem::field(&format!("fork.{unknown}"), what));
    }
    let run = members.get("run").and_then(Value::as_str);
    let run = run.and_then(|run| RunToken::parse(run).ok());
    let state = match members.get("state") {
        None | Some(Value::Null) => None,
        Some(state) => {
            let state = NumberForm::Json.whole(state);
            let state = state.filter(|state| u32::try_from(*state).is_ok());
            Some(state.ok_or_else(|| {
                Problem::field("fork.state", "must be the position of a state, from 0")
            })?)
        }
    };
    Ok(AutomatonFork {
        run: run.ok_or_else(|| Problem::field("fork.run", "is no run's token"))?,
        state,
    })
}
