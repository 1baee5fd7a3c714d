//! Requests for automaton runs. `POST /runs` is checked against the operator's browsers, secrets and limits before
//! anything is spent.

mod acceptance;

use std::collections::BTreeMap;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value, json};

use domain::{RunToken, Secret, stored_name};
use engine::assistant::STORED_TEXT_CHARS_MAX;
use engine::budget::Amount;
use engine::record::nano_usd_told;
use engine::values::{
    members_of, optional_object, optional_session, optional_turnstile_token, read_members,
};
use engine::{
    ChildOutput, ChildResult, ForkTerms, Given, NoResult, ParentLimits, Problem, Requests,
    StartTerms, WantedDocument, optional_whole_number,
};
use mask::{SECRET_CHARS_MIN, can_be_hidden};
use settings::{Caps, Providers, Settings, SettingsPart, SharedAccess};

use crate::machine::states::{FILE_BYTES_MAX, FILE_WEIGHT_MAX};
use crate::wire::{AutomatonEngine, AutomatonOrder, SentFile};

use acceptance::{RUNTIME_MS_MIN, needs};

pub use acceptance::check_stored_automaton;

/// The longest body of a request for an automaton, in bytes.
pub const AUTOMATON_BODY_BYTES_MAX: usize = FILE_BYTES_MAX + 256 * 1024 + FILES_BYTES_MAX / 3 * 4;
/// The most bytes of all files of a request together, and the most files. A page may send a file as a text, which must be
/// within one message of the browser.
const FILES_BYTES_MAX: usize = 600_000;
const FILES_MAX: usize = 10;
/// The longest name of a file, and the longest media type, in characters.
const FILE_NAME_CHARS_MAX: usize = 200;
/// The most parameters of a request, and also the most secrets.
const VALUES_MAX: usize = 100;
/// The members, besides the automaton, that both a request and a stored document may have.
const SHARED_MEMBERS: [&str; 5] = ["prompts", "parameters", "origins", "browser", "options"];
/// The setting that says which automata people other than the operator may start.
pub const PUBLIC_AUTOMATA: &str = "PUBLIC_AUTOMATA";

/// A request for an automaton's run: `{"automaton", "prompts"?, "parameters"?, "secrets"?, "files"?, "origins"?,
/// "browser"?, "options"?, "fork"?}`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct AutomatonRequest {
    /// The automaton; `None` to use the automaton of the run to fork.
    #[serde(default, deserialize_with = "document")]
    automaton: Option<WantedDocument>,
    #[serde(skip)]
    secrets: BTreeMap<String, Secret>,
    #[serde(skip)]
    files: BTreeMap<String, GivenFile>,
    #[serde(default, deserialize_with = "optional_object")]
    fork: Option<AutomatonFork>,
    #[serde(default, deserialize_with = "optional_session")]
    session_id: Option<String>,
    #[serde(default, deserialize_with = "optional_turnstile_token")]
    turnstile_token: Option<String>,
    /// The members that a stored document may have as well: `prompts`, `parameters`, `origins`, `browser` and
    /// `options`.
    #[serde(flatten)]
    members: Map<String, Value>,
}

/// The run to fork. The new run reuses the answers that models gave to it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct AutomatonFork {
    run: RunToken,
    /// The position of the state at whose first execution the use of old answers ends; `None` to use all of them.
    #[serde(default, deserialize_with = "optional_whole_number")]
    state: Option<u32>,
}

fn document<'de, D: Deserializer<'de>>(d: D) -> Result<Option<WantedDocument>, D::Error> {
    let what = "must be a list of states, or the name of one of GET /automata";
    WantedDocument::optional(d, what)
}

impl AutomatonRequest {
    /// Reads the body of a request. Returns `None` if it requests no automaton.
    fn from_body(body: &[u8]) -> Option<Result<Self, Problem>> {
        let mut members = members_of(body, FILE_WEIGHT_MAX, ["automaton", "state"])?;
        let secrets = members.remove("secrets").unwrap_or_default();
        let files = members.remove("files").unwrap_or_default();
        let read = read_members(members);
        let read = read.and_then(|this: Self| this.with_secrets(&secrets));
        Some(read.and_then(|this| {
            Ok(Self {
                files: read_files(files)?,
                ..this
            })
        }))
    }

    fn with_secrets(mut self, secrets: &Value) -> Result<Self, Problem> {
        let beside = [
            "automaton",
            "secrets",
            "files",
            "fork",
            "sessionId",
            "turnstileToken",
        ];
        self.members = shared_members(self.members, "beside an automaton", &beside)?;
        if secrets.is_null() {
            return Ok(self);
        }
        for (name, value) in texts("secrets", secrets)? {
            if !can_be_hidden(&value) {
                let what = format!(
                    "is too short to be hidden: a secret has at least {SECRET_CHARS_MIN} characters, blanks not counted"
                );
                return Err(Problem::field(&format!("secrets.{name}"), what));
            }
            self.secrets.insert(name, value.into());
        }
        Ok(self)
    }

    /// Returns the first member or option of the request that only the operator may set. For example, a stranger must
    /// not decide that an action may be executed twice.
    fn operators_member(&self) -> Option<&str> {
        let is_given = |name: &&str| self.members.contains_key(*name);
        let options = self.members.get("options");
        let member = ["prompts", "origins", "browser"].into_iter().find(is_given);
        let has_reaction = options.is_some_and(|options| options.get("onUnknown").is_some());
        member.or_else(|| has_reaction.then_some("onUnknown"))
    }
}

/// A file of a request, with its content in base64.
#[derive(Debug, Clone, PartialEq)]
struct GivenFile {
    form: SentFile,
    base64: Secret,
}

/// A file as a request has it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct WrittenFile {
    name: String,
    #[serde(default)]
    media_type: String,
    base64: String,
}

/// Reads the files of a request: `{NAME: {"name", "mediaType"?, "base64"}}`. Errors quote nothing of them.
fn read_files(files: Value) -> Result<BTreeMap<String, GivenFile>, Problem> {
    if files.is_null() {
        return Ok(BTreeMap::default());
    }
    let what = format!(
        "must be an object of at most {FILES_MAX} files, like \
                        {{\"CV\": {{\"name\": \"cv.pdf\", \"mediaType\": \"application/pdf\", \"base64\": \"...\"}}}}"
    );
    let files: Option<BTreeMap<String, WrittenFile>> = serde_json::from_value(files).ok();
    let files = files.filter(|files| files.len() <= FILES_MAX);
    let files = files.ok_or_else(|| Problem::field("files", &what))?;
    let mut left = FILES_BYTES_MAX;
    let mut read = BTreeMap::default();
    for (name, file) in files {
        let known = stored_name(&name).ok_or_else(|| Problem::field("files", &what))?;
        let problem = |what: String| Problem::field(&format!("files.{known}"), what);
        let is_name = |text: &str| {
            text.chars().count() <= FILE_NAME_CHARS_MAX && !text.chars().any(char::is_control)
        };
        if file.name.is_empty() || !is_name(&file.name) || !is_name(&file.media_type) {
            let what = format!(
                "must have a name, and name and media type are at most {FILE_NAME_CHARS_MAX} characters"
            );
            return Err(problem(what));
        }
        let bytes = STANDARD
            .decode(&file.base64)
            .map_err(|_| problem("must have its content as base64".to_owned()))?;
        left = left.checked_sub(bytes.len()).ok_or_else(|| {
            problem(format!(
                "is too large: all files together have at most {FILES_BYTES_MAX} bytes"
            ))
        })?;
        let form = SentFile {
            name: file.name,
            media_type: file.media_type,
            bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
        };
        let base64 = file.base64.into();
        read.insert(name, GivenFile { form, base64 });
    }
    Ok(read)
}

/// Returns the name under which a file's content is passed along with the secrets, whose own names have no blanks.
pub(crate) fn passed_as(file: &str) -> String {
    format!("file {file}")
}

/// Returns the members that are not null. Fails if one of them is not in [`SHARED_MEMBERS`]. The names in `beside` only
/// complete the error's list of known members.
fn shared_members(
    mut members: Map<String, Value>,
    place: &str,
    beside: &[&str],
) -> Result<Map<String, Value>, Problem> {
    let is_shared = |name: &&String| SHARED_MEMBERS.contains(&name.as_str());
    if let Some(unknown) = members.keys().find(|name| !is_shared(name)) {
        let known = [beside, &SHARED_MEMBERS].concat().join(", ");
        let what = format!("is not a known member {place}; known are {known}");
        return Err(Problem::field(unknown, what));
    }
    members.retain(|_, value| !value.is_null());
    Ok(members)
}

/// Reads a map of texts. Errors quote none of the texts.
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

/// Checks that the caller may start an automaton, which acts on pages in the operator's name. The operator may start
/// any, and other people only what the setting allows.
fn may_start_automaton(
    settings: &Settings,
    is_operator: bool,
    wanted: &AutomatonRequest,
) -> Result<(), Problem> {
    let is_stored = matches!(wanted.automaton, Some(WantedDocument::Stored(_)));
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
        AutomatonRequest::from_body(body)
    }

    fn terms(wanted: &AutomatonRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session_id.as_deref(),
            turnstile_token: wanted.turnstile_token.as_deref(),
            fork: wanted.fork.as_ref().map(|fork| ForkTerms {
                run: &fork.run,
                before: fork.state.map(|state| state.to_string()),
            }),
            stored_name: wanted
                .automaton
                .as_ref()
                .and_then(WantedDocument::stored_name),
        }
    }

    fn secrets(wanted: &AutomatonRequest) -> BTreeMap<String, Secret> {
        let files = wanted.files.iter();
        let files = files.map(|(name, file)| (passed_as(name), file.base64.clone()));
        wanted.secrets.clone().into_iter().chain(files).collect()
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

    /// Returns the highest cost of the run, for its browser and its questions to models.
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

    /// Returns the run's result for its parent, and its cost in billionths of a dollar. The result is `{"endState",
    /// "url", "title", "texts", "extracted"?}`: the message of the state that ended the run, what was read from the last
    /// page, and what the states have extracted. If
    /// the outcome of an action is unknown, the parent does not begin the run again.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let text = |member| last_event.pointer(member).and_then(Value::as_str);
        let read = |member: &str| last_event.pointer(&format!("/payload/read/{member}"));
        let says = text("/payload/message").filter(|says| !says.is_empty());
        let result = match text("/type") {
            Some("completed") => {
                let words = says.unwrap_or_default();
                let mut value = json!({
                    "endState": words,
                    "url": read("url"),
                    "title": read("title"),
                    "texts": read("texts"),
                });
                let extracted = last_event.pointer("/payload/extracted");
                if let (Some(members), Some(extracted)) = (value.as_object_mut(), extracted) {
                    members.insert("extracted".to_owned(), extracted.clone());
                }
                Ok(ChildOutput {
                    value,
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
