//! An automaton that is asked for: what `POST /runs` says of it is held against the operator's browsers,
//! secrets and limits. Nothing is spent before it is accepted here.

mod acceptance;

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use domain::{RunToken, Secret, stored_name};
use engine::assistant::STORED_TEXT_CHARS_MAX;
use engine::budget::Amount;
use engine::record::nano_usd_told;
use engine::values::{NumberForm, check_turnstile_token, session};
use engine::{
    ChildOutput, ChildResult, ForkTerms, Given, NoResult, ParentLimits, Problem, Requests,
    StartTerms,
};
use json::{begins_object, weight};
use mask::{SECRET_CHARS_MIN, can_be_hidden};
use settings::{Caps, Providers, Settings, SettingsPart, SharedAccess};

use crate::machine::states::{FILE_BYTES_MAX, FILE_WEIGHT_MAX};
use crate::wire::{AutomatonEngine, AutomatonOrder};

use acceptance::{RUNTIME_MS_MIN, needs};

pub use acceptance::check_stored_automaton;

/// The longest body of a request with an automaton, in bytes.
pub const AUTOMATON_BODY_BYTES_MAX: usize = FILE_BYTES_MAX + 256 * 1024;
/// The most parameters, and the most secrets, of a request.
const VALUES_MAX: usize = 100;
/// The members that a stored document may have, too.
const SHARED_MEMBERS: [&str; 5] = ["prompts", "parameters", "origins", "browser", "options"];
/// The setting that says which automata others than the operator may start.
pub const PUBLIC_AUTOMATA: &str = "PUBLIC_AUTOMATA";

/// An automaton that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct AutomatonRequest {
    session: Option<String>,
    turnstile_token: Option<String>,
    automaton: WantedAutomaton,
    fork: Option<AutomatonFork>,
    secrets: BTreeMap<String, Secret>,
    /// The members that a stored document may have, too: `prompts`, `parameters`, `origins`, `browser` and
    /// `options`.
    members: Map<String, Value>,
}

/// The automaton that is asked for, by where it comes from.
#[derive(Debug, Clone, PartialEq)]
enum WantedAutomaton {
    /// The automaton that was sent.
    Sent(Value),
    /// One of the operator's automata, by its name.
    Stored(String),
    /// The automaton of the run that is forked.
    OfFork,
}

/// The run whose answers of models an automaton's run uses again.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AutomatonFork {
    run: RunToken,
    /// The position of the state from whose first execution on models are asked again.
    state: Option<u64>,
}

impl AutomatonRequest {
    /// Reads `{"automaton", "prompts"?, "parameters"?, "secrets"?, "origins"?, "browser"?, "options"?,
    /// "fork"?}`. Returns `None` where a body asks for no automaton.
    fn from_body(body: &[u8]) -> Result<Option<Self>, Problem> {
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
        let secrets = secrets
            .into_iter()
            .map(|(name, value)| (name, Secret::from(value)));
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
    fn operators_member(&self) -> Option<&str> {
        let is_given = |name: &&str| self.members.contains_key(*name);
        let options = self.members.get("options");
        let member = ["prompts", "origins", "browser"].into_iter().find(is_given);
        let has_reaction = options.is_some_and(|options| options.get("onUnknown").is_some());
        member.or_else(|| has_reaction.then_some("onUnknown"))
    }
}

/// Takes the members that a stored document may have, too, out of a body.
fn shared_members(body: &mut Map<String, Value>) -> Map<String, Value> {
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
fn texts(field: &str, value: &Value) -> Result<BTreeMap<String, String>, Problem> {
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
            .filter(|text| (1..=STORED_TEXT_CHARS_MAX).contains(&text.chars().count()))
            .ok_or_else(|| {
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
    let run = members
        .get("run")
        .and_then(Value::as_str)
        .and_then(|run| RunToken::parse(run).ok());
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

/// Checks that an automaton, which acts on pages in the operator's name, may be started by the operator or
/// by another who may start runs.
fn may_start_automaton(
    settings: &Settings,
    is_operator: bool,
    wanted: &AutomatonRequest,
) -> Result<(), Problem> {
    let is_stored = matches!(wanted.automaton, WantedAutomaton::Stored(_));
    match settings.shared_access(PUBLIC_AUTOMATA) {
        _ if is_operator => Ok(()),
        SharedAccess::Operator => Err(Problem::new(
            401,
            "An automaton acts on web pages and needs the operator's token: send it as \
             “Authorization: Bearer TOKEN”.",
        )),
        _ if !is_stored => Err(Problem::new(
            403,
            "Here only the operator's own automata can be started without the operator's token: give \
             the name of one of GET /automata.",
        )),
        _ => match wanted.operators_member() {
            None => Ok(()),
            Some(member) => Err(Problem::new(
                403,
                format!(
                    "Here only the operator chooses the {member} of a stored automaton: leave \
                     {member} out."
                ),
            )),
        },
    }
}

impl Requests for AutomatonEngine {
    type Wanted = AutomatonRequest;

    const KEEPS_ARTIFACTS: bool = true;
    const KEPT_SECRETS: Option<&'static str> = Some("AUTOMATON_SECRETS");
    const BODY_BYTES_MAX: usize = AUTOMATON_BODY_BYTES_MAX;
    const BEGIN_ANEW: &'static str = "Start the automaton anew.";
    const HOW_TO_FORK: &'static str = "The run to fork is of an automaton; send the automaton, or the state from which \
                                       models are to be asked again, beside the fork.";

    fn read(body: &[u8], _caps: &Caps) -> Option<Result<AutomatonRequest, Problem>> {
        AutomatonRequest::from_body(body).transpose()
    }

    fn terms(wanted: &AutomatonRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session.as_deref(),
            turnstile_token: wanted.turnstile_token.as_deref(),
            fork: wanted.fork.as_ref().map(|fork| ForkTerms {
                run: &fork.run,
                before: fork.state.map(|state| state.to_string()),
            }),
            stored_name: match &wanted.automaton {
                WantedAutomaton::Stored(name) => Some(name),
                WantedAutomaton::Sent(_) | WantedAutomaton::OfFork => None,
            },
        }
    }

    fn secrets(wanted: &AutomatonRequest) -> BTreeMap<String, Secret> {
        wanted.secrets.clone()
    }

    fn may_start(
        settings: &Settings,
        is_operator: bool,
        wanted: &AutomatonRequest,
    ) -> Result<(), Problem> {
        may_start_automaton(settings, is_operator, wanted)
    }

    fn needs(order: &AutomatonOrder) -> Vec<SettingsPart> {
        needs(order.prompts.is_some())
    }

    fn accept(wanted: AutomatonRequest, given: Given<'_, Self>) -> Result<AutomatonOrder, Problem> {
        wanted.accept(given.stored, given.forked, given.providers, given.caps)
    }

    fn order_runtime_ms_max(order: &AutomatonOrder) -> u64 {
        order.limits.runtime_ms_max
    }

    /// Returns what the browser and the questions to models may cost.
    fn most(order: &AutomatonOrder, _providers: &Providers) -> Option<Amount> {
        let limits = order.order().ok()?.limits;
        let seconds = limits.runtime_ms_max.div_ceil(1_000);
        let browser = seconds.saturating_mul(limits.second_nano_usd_max);
        let asks = match order.prompts {
            Some(_) => u64::from(limits.asks_max).saturating_mul(limits.ask_nano_usd_max),
            None => 0,
        };
        let most = browser.saturating_add(asks);
        Some(Amount {
            searches: 0,
            recognitions: 0,
            nano_usd: limits.nano_usd_max.map_or(most, |cap| cap.min(most)),
        })
    }

    const NOUN: &'static str = "automaton";

    fn limited(order: AutomatonOrder, left: &ParentLimits<'_>) -> Result<AutomatonOrder, String> {
        if left.runtime_ms_max < RUNTIME_MS_MIN {
            let noun = left.noun;
            return Err(format!("The {noun}'s time does not last for an automaton."));
        }
        Ok(order.within(left.runtime_ms_max, left.nano_usd_max))
    }

    fn nano_usd_max(order: &AutomatonOrder) -> u64 {
        order.limits.nano_usd_max.unwrap_or_default()
    }

    /// Returns `{"endState", "url", "title", "texts"}`: the words of the state with which the run ended, and
    /// the page that it saw last. A run that ended where the outcome of an action is unknown is not begun
    /// again.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let text = |member| last_event.pointer(member).and_then(Value::as_str);
        let read = |member: &str| last_event.pointer(&format!("/payload/read/{member}"));
        let says = text("/payload/message").filter(|says| !says.is_empty());
        let result = match text("/type") {
            Some("completed") => {
                let words = says.unwrap_or_default();
                Ok(ChildOutput {
                    value: json!({
                        "endState": words,
                        "url": read("url"),
                        "title": read("title"),
                        "texts": read("texts"),
                    }),
                    message: format!("The automaton was completed: {words}"),
                })
            }
            Some("stopped") => Err("The automaton was stopped.".into()),
            _ => Err(NoResult {
                is_unknown: text("/payload/reason") == Some("unknown_outcome"),
                ..says
                    .unwrap_or("The automaton ended without a result.")
                    .into()
            }),
        };
        (result, nano_usd_told(last_event).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod permission {
        use super::*;
        use serde_json::{Value, json};
        use settings::{Bindings, EngineVariables, SharedVariable, among};

        #[test]
        fn strangers_start_the_operators_automata_as_the_operator_has_written_them() {
            let variables = EngineVariables {
                shared: vec![SharedVariable {
                    name: PUBLIC_AUTOMATA,
                    may_be_any: false,
                }],
                ..EngineVariables::default()
            };
            let refusal = |settings: &[(&str, &str)], body: Value| {
                let settings = Settings::read(among(settings), Bindings::default(), &variables);
                let wanted = AutomatonRequest::from_body(body.to_string().as_bytes());
                let wanted = wanted.unwrap().unwrap();
                assert_eq!(may_start_automaton(&settings, true, &wanted), Ok(()));
                may_start_automaton(&settings, false, &wanted).err()
            };
            let stored = [(PUBLIC_AUTOMATA, "stored")];
            let mut body = json!({"automaton": "buy", "parameters": {"A": "b"}, "options": {"pictures": false}});
            assert_eq!(refusal(&stored, body.clone()), None);
            assert_eq!(refusal(&[], body.clone()).unwrap().status(), 401);
            assert_eq!(
                refusal(&stored, json!({"automaton": []})).unwrap().status(),
                403
            );
            for (name, value) in [("onUnknown", "again"), ("onUnknown", "end")] {
                body["options"] = json!({name: value});
                let refusal = refusal(&stored, body.clone()).unwrap();
                assert!(
                    refusal.status() == 403 && refusal.detail().contains(name),
                    "{refusal:?}"
                );
            }
            for member in ["prompts", "origins", "browser"] {
                let body = json!({"automaton": "buy", member: []});
                let refusal = refusal(&stored, body).unwrap();
                assert!(
                    refusal.status() == 403 && refusal.detail().contains(member),
                    "{refusal:?}"
                );
            }
        }
    }

    mod begun {
        use super::*;

        #[test]
        fn each_end_is_read() {
            let end = |event: Value| AutomatonEngine::end(&event);
            let read =
                json!({"url": "https://shop.example/", "title": "Shop", "texts": ["Thanks"]});
            let payload = json!({"message": "Ordered", "read": &read, "spent": {"usd": 0.5}});
            let (completed, nano_usd) = end(json!({"type": "completed", "payload": payload}));
            let value = completed.unwrap().value;
            assert_eq!(value["endState"], "Ordered");
            assert_eq!(value["texts"], read["texts"]);
            assert_eq!(nano_usd, 500_000_000);
            let stopped = end(json!({"type": "stopped"})).0.unwrap_err();
            assert_eq!(stopped.message, "The automaton was stopped.");
            let failed = json!({"type": "failed", "payload": {"message": "No state passes."}});
            let failed = end(failed).0.unwrap_err();
            assert_eq!(
                (&*failed.message, failed.is_unknown),
                ("No state passes.", false)
            );
            let unknown = json!({"message": "Nobody knows.", "reason": "unknown_outcome"});
            let unknown = end(json!({"type": "failed", "payload": unknown}));
            assert!(unknown.0.unwrap_err().is_unknown);
            assert!(end(Value::Null).0.is_err());
        }
    }
}
