//! Requests for an investigation: the body that creates a run or forks a stored one, and the runs that other runs begin
//! (child runs).

mod options;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use domain::{Name, RunToken};
use engine::budget::Amount;
use engine::values::{NumberForm, optional_object, optional_turnstile_token, read_members};
use engine::{
    ChildOutput, ChildResult, ForkTerms, Given, ParentLimits, Problem, Requests, StartTerms,
    check_parts,
};
use json::{begins_object, weight};
use settings::{Caps, Providers, Settings, SettingsPart};

use crate::wire::{InvestigationEngine, Order};

use options::{
    IN_BODY, RUNTIME_MS_MIN, accept, check_options, check_together, given_name, set_option,
};

pub use options::{BODY_BYTES_MAX, RunRequest};

/// The body of a request to create a run.
#[derive(Debug, Clone, PartialEq)]
pub enum CreateRequest {
    /// An independent run.
    New(RunRequest),
    /// A run that reuses the answers of another.
    Fork(ForkRequest),
}

/// A requested fork. Its question is known only when the forked run is loaded.
#[derive(Debug, Clone, PartialEq)]
pub struct ForkRequest {
    run: RunToken,
    people: [Option<Name>; 2],
    options: Map<String, Value>,
    turnstile_token: Option<String>,
}

/// The members of a body. The session and the two people's Wikidata numbers become options, since they may also be
/// given in `options`.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Body {
    #[serde(default, deserialize_with = "given_name")]
    person_a: Option<Name>,
    #[serde(default, deserialize_with = "given_name")]
    person_b: Option<Name>,
    wikidata_a: Option<Value>,
    wikidata_b: Option<Value>,
    session_id: Option<Value>,
    options: Option<Map<String, Value>>,
    #[serde(default, deserialize_with = "optional_object")]
    fork: Option<ForkBody>,
    #[serde(default, deserialize_with = "optional_turnstile_token")]
    turnstile_token: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ForkBody {
    run: RunToken,
    options: Option<Map<String, Value>>,
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
        let members: Map<String, Value> = read.ok_or_else(not_json)?;
        let has_options = members.contains_key("options");
        let body: Body = read_members(members)?;
        if body.fork.is_some() && has_options {
            let what = "can't be given beside fork; a fork's options stand inside it";
            return Err(Problem::field("options", what));
        }
        let (forked, options) = match body.fork {
            Some(fork) => (Some(fork.run), fork.options),
            None => (None, body.options),
        };
        let mut options = options.unwrap_or_default();
        for (member, option, value) in [
            (IN_BODY.session, "session", body.session_id),
            ("wikidataA", "wikidataA", body.wikidata_a),
            ("wikidataB", "wikidataB", body.wikidata_b),
        ] {
            let before = value.and_then(|value| options.insert(option.to_owned(), value));
            if before.is_some() {
                let what = "stands in the options, too; give it once";
                return Err(Problem::conflict(member, what));
            }
        }
        let people = [body.person_a, body.person_b];
        let turnstile_token = body.turnstile_token;
        let Some(run) = forked else {
            let run = accept(people, options, &IN_BODY, caps, NumberForm::Json)?;
            return Ok(Self::New(RunRequest {
                turnstile_token,
                ..run
            }));
        };
        // An invalid value is refused before the forked run is loaded.
        check_options(&options, caps)?;
        Ok(Self::Fork(ForkRequest {
            run,
            people,
            options,
            turnstile_token,
        }))
    }

    /// Returns the token of the check for humans, if the body has one.
    #[must_use]
    pub fn turnstile_token(&self) -> Option<&str> {
        match self {
            Self::New(run) => run.turnstile_token.as_deref(),
            Self::Fork(fork) => fork.turnstile_token.as_deref(),
        }
    }

    /// Returns the session for the run's token, if the body names one.
    #[must_use]
    pub fn session(&self) -> Option<&str> {
        match self {
            Self::New(run) => run.session.as_deref(),
            Self::Fork(fork) => fork.options.get("session").and_then(Value::as_str),
        }
    }
}

impl ForkRequest {
    /// Returns the token of the run to fork.
    #[must_use]
    pub fn run(&self) -> &RunToken {
        &self.run
    }

    /// Builds the fork's request: the forked run's order with the requested changes, within today's caps.
    pub fn resolve(self, forked: &Order, caps: &Caps) -> Result<RunRequest, Problem> {
        let Ok(mut run) = RunRequest::again(forked, caps) else {
            let detail =
                "The run to fork was made by another version; start a new run for the pair.";
            return Err(Problem::new(409, detail));
        };
        self.check_people(&run)?;
        for (key, value) in self.options {
            set_option(&mut run, &key, &value, &IN_BODY, caps, NumberForm::Json)?;
        }
        check_together(&run, &IN_BODY)?;
        Ok(run)
    }

    /// Checks that names given together with a fork only repeat those of the forked run.
    fn check_people(&self, forked: &RunRequest) -> Result<(), Problem> {
        let people = [
            (IN_BODY.person_a, &forked.request.person_a),
            (IN_BODY.person_b, &forked.request.person_b),
        ];
        for (given, (field, person)) in self.people.iter().zip(people) {
            let is_same = |name: &Name| name.is_same_as(&person.name);
            if !given.as_ref().is_none_or(is_same) {
                let what = "is not the person of the forked run; leave it out";
                return Err(Problem::conflict(field, what));
            }
        }
        Ok(())
    }
}

fn output(path: &[&str], message: String) -> ChildOutput {
    ChildOutput {
        value: json!({"path": path}),
        message,
    }
}

/// Returns the names along a chain.
fn path_of(event: &Value) -> Vec<&str> {
    let people = event
        .get("path")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    people.map(|person| text_of(person, "name")).collect()
}

/// Returns the text in an object's member, or an empty text if the member is missing or is no text.
fn text_of<'json>(json: &'json Value, member: &str) -> &'json str {
    json.get(member).and_then(Value::as_str).unwrap_or_default()
}

impl Requests for InvestigationEngine {
    type Wanted = CreateRequest;

    const KEEPS_ARTIFACTS: bool = true;
    const BODY_BYTES_MAX: usize = BODY_BYTES_MAX;
    const BEGIN_ANEW: &'static str = "Start a new run for the pair.";
    const HOW_TO_FORK: &'static str = "The run to fork is a search; send its fork alone.";

    /// Reads every body that is neither empty nor too long, because a body that names no other engine belongs to this
    /// one.
    fn read(body: &[u8], caps: &Caps) -> Option<Result<CreateRequest, Problem>> {
        let may_be_one = !body.is_empty() && body.len() <= BODY_BYTES_MAX;
        may_be_one.then(|| CreateRequest::from_body(body, caps))
    }

    fn read_query(query: &str, caps: &Caps) -> Option<Result<CreateRequest, Problem>> {
        Some(RunRequest::from_query(query, caps).map(CreateRequest::New))
    }

    fn terms(wanted: &CreateRequest) -> StartTerms<'_> {
        StartTerms {
            session: wanted.session(),
            turnstile_token: wanted.turnstile_token(),
            fork: match wanted {
                CreateRequest::New(_) => None,
                CreateRequest::Fork(fork) => Some(ForkTerms {
                    run: fork.run(),
                    before: None,
                }),
            },
            stored_name: None,
        }
    }

    fn may_start(_: &Settings, _is_operator: bool, _: &CreateRequest) -> Result<(), Problem> {
        Ok(())
    }

    fn accept(wanted: CreateRequest, given: Given<'_, Self>) -> Result<Order, Problem> {
        let wanted = match (wanted, given.forked) {
            (CreateRequest::New(wanted), _) => wanted,
            (CreateRequest::Fork(fork), Some(forked)) => fork.resolve(forked, given.caps)?,
            (CreateRequest::Fork(_), None) => return Err(Problem::new(404, Self::BEGIN_ANEW)),
        };
        let order = Order::new(&wanted.request);
        check_parts(given.providers, &Self::needs(&order))?;
        if wanted.request.limits.captures_pages && given.providers.browser.is_none() {
            let what = "needs a browser, and this server's operator has set none (BROWSER_CDP, or the \
                        binding BROWSER)";
            return Err(Problem::conflict("capture", what));
        }
        Ok(order)
    }

    fn needs(order: &Order) -> Vec<SettingsPart> {
        let captures_pages = order.captures_pages();
        captures_pages
            .then_some(SettingsPart::Browsers)
            .into_iter()
            .collect()
    }

    /// Returns the order, with a planner budget of 0 if no planner is configured.
    fn with_settings(mut order: Order, providers: &Providers) -> Order {
        if providers.planners.is_empty() {
            order = order.without_planner();
        }
        if providers.converter.is_some() {
            order = order.with_conversions();
        }
        if providers.wikidata.is_some() {
            order = order.with_lives();
        }
        order = match providers.memory {
            Some(memory) => order.told_of_memory(memory.is_everybodys),
            None => order.without_memory(),
        };
        order
            .with_prices(providers.attempt_prices())
            .with_sources(&providers.search_sources())
    }

    fn order_runtime_ms_max(order: &Order) -> u64 {
        order.runtime_ms_max()
    }

    fn most(order: &Order, providers: &Providers) -> Option<Amount> {
        let limits = order.request().ok()?.limits;
        Some(Amount::most_of(&limits, providers.attempt_prices()))
    }

    const NOUN: &'static str = "investigation";

    fn limited(order: Order, left: &ParentLimits<'_>) -> Result<Order, String> {
        if left.runtime_ms_max < RUNTIME_MS_MIN {
            let noun = left.noun;
            return Err(format!(
                "The {noun}'s time does not last for an investigation."
            ));
        }
        let mut request = order
            .request()
            .map_err(|error| format!("The order does not hold: {error}."))?;
        let limits = &mut request.limits;
        if let Some(left) = left.nano_usd_max {
            limits.nano_usd_max = Some(limits.nano_usd_max.unwrap_or(left).min(left));
        }
        limits.runtime_ms_max = limits.runtime_ms_max.min(left.runtime_ms_max);
        Ok(Order::new(&request))
    }

    fn nano_usd_max(order: &Order) -> u64 {
        let limits = order.request().map(|request| request.limits.nano_usd_max);
        limits.ok().flatten().unwrap_or_default()
    }

    /// Returns the child run's result, `{"path": [NAME, ...]}`, and what the run spent, in billionths of a dollar. The
    /// path is empty if no chain was found.
    fn end(last_event: &Value) -> (ChildResult, u64) {
        let usd = last_event.pointer("/spent/usd").and_then(Value::as_f64);
        let nano_usd = Amount::nano_usd_of(usd.unwrap_or_default());
        let message = text_of(last_event, "message");
        let result = match text_of(last_event, "type") {
            "final" => {
                let path = path_of(last_event);
                let hops = path.len().saturating_sub(1);
                Ok(output(&path, format!("A chain of {hops} hops was found.")))
            }
            "no_path" => Ok(output(&[], message.to_owned())),
            _ if message.is_empty() => Err("The investigation ended without a result.".into()),
            _ => Err(message.into()),
        };
        (result, nano_usd)
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
        let request = CreateRequest::from_body(body.as_bytes(), &caps)
            .map_err(|problem| format!("{problem:?}"))?;
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

    fn end(event: &Value) -> (ChildResult, u64) {
        InvestigationEngine::end(event)
    }

    #[test]
    fn each_end_is_read() {
        let people = json!([{"name": "Cosette"}, {"name": "Javert"}]);
        let found = json!({"type": "final", "path": people, "spent": {"usd": 0.002}});
        let (found, nano_usd) = end(&found);
        assert_eq!(found.unwrap().value, json!({"path": ["Cosette", "Javert"]}));
        assert_eq!(nano_usd, 2_000_000);
        let none = json!({"type": "no_path", "message": "None.", "spent": {"usd": 0}});
        let none = end(&none).0.unwrap();
        assert_eq!((none.value, &*none.message), (json!({"path": []}), "None."));
        let failed = end(&json!({"type": "error", "message": "Down."})).0;
        assert_eq!(failed.unwrap_err().message, "Down.");
        assert!(end(&Value::Null).0.is_err());
    }
}
