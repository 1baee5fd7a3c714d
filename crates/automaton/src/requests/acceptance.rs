//! Accepts an automaton to be executed or stored: validates its states, and compares its browser, secrets and limits
//! with the operator's settings.

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};

use engine::assistant::tool_description;
use engine::values::{NumberForm, nano_usd, saturated, whole};
use engine::{Problem, WantedDocument, check_parts};
use json::weight;
use settings::{Caps, Providers, SettingsPart, origin_of};

use crate::machine::actions::{BrowserAction, Step};
use crate::machine::grammar::{Text, TextPart};
use crate::machine::states::{Automaton, FILE_WEIGHT_MAX, Line, Prompt};
use crate::machine::validation::check_anew;
use crate::machine::{AutomatonRun, Limits, Settings};
use crate::wire::{AutomatonOrder, BrowserForm};

use super::{AutomatonRequest, shared_members, texts};

/// The most origins that a request may list.
const ORIGINS_MAX: usize = 100;
/// The highest limits that a run may have on its actions, looks, questions to models, and states made by models.
const ACTIONS_MAX: u64 = 5_000;
const LOOKS_MAX: u64 = 20_000;
const ASKS_MAX: u64 = 300;
const STATES_MADE_MAX: u64 = 50;
/// The most states that a run may be allowed to execute.
const RECURSION_MAX: u64 = 10_000;
/// The longest duration of a run, in milliseconds. It is below fifteen minutes, after which the platform ends an alarm.
const RUNTIME_MS_MAX: u64 = 840_000;
pub(super) const RUNTIME_MS_MIN: u64 = 1_000;
/// The members that only a stored document has: the automaton, whether it is a tool, and what it does.
const IN_DOCUMENT: [&str; 3] = ["automaton", "tool", "description"];

impl AutomatonRequest {
    /// Returns the order for the run. `stored` is the operator's document with the requested name, and `forked` the
    /// order of the run to fork.
    pub(super) fn accept(
        &self,
        stored: Option<Value>,
        forked: Option<&AutomatonOrder>,
        providers: &Providers,
        caps: &Caps,
    ) -> Result<AutomatonOrder, Problem> {
        check_parts(providers, &needs(false))?;
        let Some(browser) = &providers.browser else {
            let what = "needs a browser, and this server's operator has set none (BROWSER_CDP, or the \
                        binding BROWSER)";
            return Err(Problem::conflict("automaton", what));
        };
        let mut parts = self.base(stored, forked, caps)?;
        add_members(&self.members, &mut parts, caps)?;
        check_parts(providers, &needs(parts.prompts.is_some()))?;
        let prices = &mut parts.limits;
        prices.second_nano_usd_max = browser.second_nano_usd;
        prices.ask_nano_usd_max = providers.chat_nano_usd_max();
        prices.nano_usd_max = prices
            .nano_usd_max
            .into_iter()
            .chain(caps.nano_usd_max)
            .min();
        let automaton = Automaton::from_json(&parts.automaton).map_err(|error| {
            let problem = Problem::field("automaton", format!("cannot be read: {error}"));
            problem.with(status_of_unread(&parts.automaton))
        })?;
        self.add_secrets(&automaton, providers, &mut parts);
        parts.files = self
            .files
            .iter()
            .map(|(name, file)| (name.clone(), file.form.clone()))
            .collect();
        check_values(&automaton, &parts)?;
        check_files(&automaton, &parts)?;
        add_own_origins(&automaton, &mut parts.origins);
        let has_origins = !parts.origins.is_empty();
        let order = executable(parts)?;
        if !has_origins {
            let what = "is missing: the automaton names no address of its own, so say which origins it \
                        may open, like [\"https://example.org\"]";
            return Err(Problem::field("origins", what));
        }
        Ok(order)
    }

    /// Returns the order before the request's own members are added. It is the forked run's order or the default one,
    /// with the requested automaton and the members that are stored with that automaton.
    fn base(
        &self,
        stored: Option<Value>,
        forked: Option<&AutomatonOrder>,
        caps: &Caps,
    ) -> Result<AutomatonOrder, Problem> {
        let stored = stored.map(StoredAutomaton::of);
        let read = stored.as_ref().and_then(|stored| stored.as_ref().ok());
        let of_document = read.and_then(|stored| stored.members.get("prompts"));
        let has_prompts = has_prompts(self.members.get("prompts").or(of_document));
        let mut parts = match forked {
            Some(forked) if forked.order().is_ok() => forked.clone(),
            Some(_) => {
                let detail =
                    "The run to fork was made by another version; start the automaton anew.";
                return Err(Problem::new(409, detail));
            }
            None => default_order(caps, has_prompts),
        };
        match &self.automaton {
            Some(WantedDocument::Sent(automaton)) => {
                parts.automaton = automaton.clone();
                parts.name = None;
            }
            None if forked.is_some() => {}
            None => return Err(Problem::field("automaton", "is missing")),
            Some(WantedDocument::Stored(name)) => {
                let stored = stored.ok_or_else(|| {
                    let what = format!(
                        "names no stored automaton: there is no {name}; GET /automata lists them"
                    );
                    Problem::field("automaton", what).with(404)
                })?;
                let stored = stored?;
                parts.automaton = stored.automaton;
                parts.name = Some(name.clone());
                add_members(&stored.members, &mut parts, caps)?;
            }
        }
        Ok(parts)
    }

    /// Adds to the order the names of the request's secrets, and of the operator's secrets that the automaton or a
    /// prompt names.
    fn add_secrets(
        &self,
        automaton: &Automaton,
        providers: &Providers,
        parts: &mut AutomatonOrder,
    ) {
        let mut names: BTreeSet<String> = self.secrets.keys().cloned().collect();
        parts.sent = names.iter().cloned().collect();
        let kept = providers.kept_secrets.iter();
        let referred: BTreeSet<&str> = automaton.parameters().collect();
        let prompts = parts
            .prompts
            .as_ref()
            .map(Prompt::read_all)
            .and_then(Result::ok)
            .unwrap_or_default();
        let may_refer =
            |name: &str| referred.contains(name) || prompts.iter().any(|prompt| prompt.names(name));
        let kept = kept.filter(|secret| may_refer(&secret.name));
        names.extend(kept.map(|secret| secret.name.clone()));
        parts.secrets = names.into_iter().collect();
    }
}

/// Returns which parts of the settings a run needs. A run without prompts needs no model.
pub(super) fn needs(has_prompts: bool) -> Vec<SettingsPart> {
    let mut parts = vec![SettingsPart::Browsers, SettingsPart::Secrets];
    if has_prompts {
        parts.push(SettingsPart::VisionModel);
    }
    parts
}

/// Returns the status for an automaton that cannot be read: 409 if it has the form of a file, otherwise 400.
fn status_of_unread(automaton: &Value) -> u16 {
    if Automaton::has_form(automaton) {
        409
    } else {
        400
    }
}

/// Checks the other members of an automaton that is about to be stored, as a run would check them. The budget is not
/// checked, since the highest allowed budget is only known when a run begins.
fn check_members(members: &Map<String, Value>) -> Result<(), Problem> {
    let caps = Caps {
        nano_usd_max: None,
        ..Caps::default()
    };
    let mut parts = default_order(&caps, has_prompts(members.get("prompts")));
    add_members(members, &mut parts, &caps)
}

/// Returns the order if its automaton can be executed; otherwise a 409 problem.
fn executable(order: AutomatonOrder) -> Result<AutomatonOrder, Problem> {
    let machine = order
        .order()
        .map_err(|error| error.to_string())
        .and_then(|order| {
            let fresh = check_anew(&order.automaton);
            let machine = fresh.and_then(|()| AutomatonRun::new(order));
            machine.map_err(|finding| finding.to_string())
        });
    match machine {
        Ok(_) => Ok(order),
        Err(why) => {
            let why = why.trim_end_matches('.');
            let detail = format!("The automaton cannot be executed: {why}.");
            Err(Problem::new(409, detail))
        }
    }
}

/// Adds the members of a request or a stored document to the order.
fn add_members(
    members: &Map<String, Value>,
    parts: &mut AutomatonOrder,
    caps: &Caps,
) -> Result<(), Problem> {
    // Prompts are read first, because the defaults of the options depend on whether there are any.
    if let Some(prompts) = members.get("prompts") {
        Prompt::read_all(prompts)
            .map_err(|error| Problem::field("prompts", format!("cannot be read: {error}")))?;
        parts.prompts = Some(prompts.clone());
    }
    for (name, value) in members {
        match name.as_str() {
            "prompts" => {}
            "parameters" => parts.parameters.extend(texts("parameters", value)?),
            "origins" => parts.origins = origins(value)?,
            "browser" => parts.browser = browser(value, &parts.browser)?,
            _ => {
                let options = value.as_object();
                let what = "must be an object";
                let options = options.ok_or_else(|| Problem::field("options", what))?;
                for (key, value) in options {
                    set_option(parts, key, value, caps)?;
                }
            }
        }
    }
    Ok(())
}

fn has_prompts(prompts: Option<&Value>) -> bool {
    let prompts = prompts.and_then(Value::as_array);
    prompts.is_some_and(|prompts| !prompts.is_empty())
}

fn default_order(caps: &Caps, has_prompts: bool) -> AutomatonOrder {
    let settings = if has_prompts {
        Settings::with_prompts()
    } else {
        Settings::default()
    };
    let limits = Limits {
        nano_usd_max: caps.nano_usd_max,
        ..Limits::default()
    };
    AutomatonOrder::new(settings, limits)
}

fn origins(value: &Value) -> Result<Vec<String>, Problem> {
    let what =
        format!("must be a list of at most {ORIGINS_MAX} origins, like [\"https://example.org\"]");
    let list = value.as_array().filter(|list| list.len() <= ORIGINS_MAX);
    let list = list.ok_or_else(|| Problem::field("origins", &what))?;
    let texts: Option<Vec<_>> = list
        .iter()
        .map(|origin| origin.as_str().filter(is_address))
        .collect();
    let texts = texts.ok_or_else(|| Problem::field("origins", &what))?;
    let read: Option<Vec<_>> = texts.into_iter().map(origin_of).collect();
    // The text looks like an origin, but a browser could not parse it.
    read.ok_or_else(|| Problem::conflict("origins", what))
}

/// Returns whether a text has the form of an origin that the API's description requires.
fn is_address(text: &&str) -> bool {
    let host = text
        .strip_prefix("https://")
        .or_else(|| text.strip_prefix("http://"));
    let host = host.map(|host| host.strip_suffix('/').unwrap_or(host));
    host.is_some_and(|host| !host.is_empty() && !host.contains(['/', '?', '#', '@']))
}

fn browser(value: &Value, before: &BrowserForm) -> Result<BrowserForm, Problem> {
    let what = "must be an object with width, height (100 to 4096 pixels), language like en-US, \
                timeZone like Europe/Berlin, dialogs, which is dismiss or accept, and webRtc and downloads, true or false";
    let problem = || Problem::field("browser", what);
    let mut all = serde_json::to_value(before).map_err(|_| problem())?;
    let (Some(all_members), Some(members)) = (all.as_object_mut(), value.as_object()) else {
        return Err(problem());
    };
    for (name, before) in [("webRtc", before.web_rtc), ("downloads", before.downloads)] {
        all_members.entry(name).or_insert_with(|| before.into());
    }
    for (name, value) in members {
        let place = all_members.get_mut(name).ok_or_else(problem)?;
        place.clone_from(value);
    }
    let read: Option<BrowserForm> = serde_json::from_str(&all.to_string()).ok();
    let read = read.filter(BrowserForm::is_sound).ok_or_else(problem)?;
    // Stored orders are not checked, since earlier runs used whatever names their browser accepted.
    if read.time_zone.parse::<chrono_tz::Tz>().is_err() {
        let what = "is the name of no time zone; names are like Europe/Berlin and UTC";
        return Err(Problem::conflict("browser.timeZone", what));
    }
    Ok(read)
}

/// Checks that every parameter to which the automaton refers has exactly one value: a public or a secret one.
fn check_values(automaton: &Automaton, parts: &AutomatonOrder) -> Result<(), Problem> {
    let twice = parts
        .secrets
        .iter()
        .find(|name| parts.parameters.contains_key(*name));
    if let Some(name) = twice {
        let what = "is a secret, too; give it in one of both";
        return Err(Problem::field(&format!("parameters.{name}"), what));
    }
    let is_given = |name: &&str| {
        parts.parameters.contains_key(*name) || parts.secrets.iter().any(|known| known == name)
    };
    match automaton.parameters().find(|name| !is_given(name)) {
        None => Ok(()),
        Some(name) => {
            let what = "is missing: the automaton refers to it; give it in parameters, or in secrets \
                        where nobody may see it";
            Err(Problem::field(&format!("parameters.{name}"), what))
        }
    }
}

/// Checks that the request has each file that the automaton uploads, and allows downloads if it downloads one.
fn check_files(automaton: &Automaton, parts: &AutomatonOrder) -> Result<(), Problem> {
    let lines = automaton.states.iter().flat_map(|state| &state.lines);
    for line in lines {
        let Line::Call {
            step: Ok(Step::Act(action)),
            ..
        } = line
        else {
            continue;
        };
        match action {
            BrowserAction::Upload { files, .. } => {
                if let Some(name) = files.iter().find(|name| !parts.files.contains_key(*name)) {
                    let what = "is missing: the automaton uploads it";
                    return Err(Problem::field(&format!("files.{name}"), what));
                }
            }
            BrowserAction::Download { .. } if !parts.browser.downloads => {
                let what = "must be true, since the automaton downloads a file, which is then stored with the run";
                return Err(Problem::field("browser.downloads", what));
            }
            _ => {}
        }
    }
    Ok(())
}

/// Adds the origins of the addresses that the automaton itself opens, so that a request need not list them.
fn add_own_origins(automaton: &Automaton, origins: &mut Vec<String>) {
    for line in automaton.states.iter().flat_map(|state| &state.lines) {
        if let Line::Call {
            step: Ok(Step::Act(BrowserAction::Navigate { url })),
            ..
        } = line
            && let Some(origin) = origin_of_address(url)
            && !origins.contains(&origin)
            && origins.len() < ORIGINS_MAX
        {
            origins.push(origin);
        }
    }
}

/// Returns the origin of an address, even if a parameter follows the origin. Returns `None` if the parameter could
/// change the host.
fn origin_of_address(url: &Text) -> Option<String> {
    let TextPart::Literal(beginning) = url.parts().first()? else {
        return None;
    };
    let (scheme, rest) = beginning.split_once("://")?;
    let host = match rest.find(['/', '?', '#']) {
        Some(end) => rest.get(..end)?,
        None if url.as_literal().is_some() => rest,
        None => return None,
    };
    origin_of(&format!("{scheme}://{host}"))
}

/// Sets an option of the order from its JSON value.
fn set_option(
    order: &mut AutomatonOrder,
    key: &str,
    value: &Value,
    caps: &Caps,
) -> Result<(), Problem> {
    let number =
        |least: u64, most: u64| whole(key, NumberForm::Json.whole(value), least..=most, false);
    let flag = || {
        let what = "must be true or false";
        value.as_bool().ok_or_else(|| Problem::field(key, what))
    };
    let (limits, settings) = (&mut order.limits, &mut order.settings);
    match key {
        "onUnknown" => {
            let reaction = value.as_str().and_then(|name| name.parse().ok());
            let what = "must be end or again";
            order.on_unknown = reaction.ok_or_else(|| Problem::field(key, what))?;
        }
        "regenerate" => order.regenerates = flag()?,
        "pictures" => order.keeps_pictures = flag()?,
        "actions" => limits.actions_max = number(0, ACTIONS_MAX).map(saturated)?,
        "looks" => limits.looks_max = number(1, LOOKS_MAX).map(saturated)?,
        "llm" => limits.asks_max = number(0, ASKS_MAX).map(saturated)?,
        "statesMade" => limits.states_made_max = number(0, STATES_MADE_MAX).map(saturated)?,
        "runtimeMs" => limits.runtime_ms_max = number(RUNTIME_MS_MIN, RUNTIME_MS_MAX)?,
        "callMs" => limits.call_ms_max = number(RUNTIME_MS_MIN, RUNTIME_MS_MAX)?,
        "budgetUsd" => limits.nano_usd_max = nano_usd(value, NumberForm::Json, caps)?,
        "transitionPeriodMs" => settings.transition_period_ms = number(0, RUNTIME_MS_MAX)?,
        "actionPeriodMs" => settings.action_period_ms = number(0, RUNTIME_MS_MAX)?,
        "recursionLimit" => {
            settings.recursion_limit = number(0, RECURSION_MAX).map(saturated)?;
        }
        "allowMultipleStates" => settings.allows_multiple_states = flag()?,
        "stateTimeoutMs" => settings.state_timeout_ms = signed(number(0, RUNTIME_MS_MAX)?),
        "noStatesTimeoutMs" => {
            settings.no_states_timeout_ms = signed(number(0, RUNTIME_MS_MAX)?);
        }
        _ => {
            let what = "is not a known option of an automaton; known are onUnknown, \
                        regenerate, pictures, actions, looks, llm, statesMade, runtimeMs, callMs, \
                        budgetUsd, transitionPeriodMs, actionPeriodMs, recursionLimit, \
                        allowMultipleStates, stateTimeoutMs and noStatesTimeoutMs";
            return Err(Problem::field(key, what));
        }
    }
    Ok(())
}

fn signed(ms: u64) -> i64 {
    i64::try_from(ms).unwrap_or(i64::MAX)
}

/// A stored document: an automaton with its other members.
struct StoredAutomaton {
    /// The automaton, as it was written.
    automaton: Value,
    /// The members that a request may have as well.
    members: Map<String, Value>,
}

impl StoredAutomaton {
    /// Parses a stored document, which is a list of states, or `{"automaton", "prompts"?, "parameters"?, "origins"?,
    /// "browser"?, "options"?}`.
    fn of(document: Value) -> Result<Self, Problem> {
        match document {
            Value::Object(mut document) if document.contains_key("automaton") => {
                let automaton = document.remove("automaton").unwrap_or_default();
                document.retain(|name, _| !IN_DOCUMENT.contains(&name.as_str()));
                let members = shared_members(document, "of a stored automaton", &IN_DOCUMENT)?;
                Ok(Self { automaton, members })
            }
            automaton => Ok(Self {
                automaton,
                members: Map::new(),
            }),
        }
    }
}

/// Checks an automaton to be stored. Returns its metadata for the list of automata, or why it cannot be stored.
pub fn check_stored_automaton(body: &[u8]) -> Result<Value, Problem> {
    let problem = |why: &dyn std::fmt::Display| {
        Problem::new(400, format!("The automaton cannot be stored: {why}."))
    };
    if weight(body) > FILE_WEIGHT_MAX {
        return Err(problem(&"it takes too much memory"));
    }
    // The body is parsed once more as an automaton, since that parser reports the byte at which the JSON breaks.
    let Ok(document) = serde_json::from_slice(body) else {
        return Err(match Automaton::parse(body) {
            Err(error) => problem(&error),
            Ok(_) => problem(&"it is no JSON"),
        });
    };
    let description = tool_description(&document)?.map(str::to_owned);
    let stored = StoredAutomaton::of(document)?;
    let automaton = Automaton::from_json(&stored.automaton)
        .map_err(|error| problem(&error).with(status_of_unread(&stored.automaton)))?;
    check_members(&stored.members)?;
    let prompts = match stored.members.get("prompts") {
        Some(prompts) => Prompt::read_all(prompts).map_err(|error| problem(&error))?,
        None => Vec::new(),
    };
    let mut parameters: Vec<&str> = automaton.parameters().collect();
    parameters.sort_unstable();
    parameters.dedup();
    let mut about = json!({
        "states": automaton.states.len(),
        "prompts": prompts.len(),
        "parameters": parameters,
    });
    if let (Some(description), Some(about)) = (description, about.as_object_mut()) {
        let given = stored
            .members
            .get("parameters")
            .and_then(Value::as_object)
            .into_iter()
            .flat_map(Map::keys)
            .map(String::as_str);
        about.insert("given".to_owned(), given.collect::<Vec<_>>().into());
        about.insert("description".to_owned(), description.into());
    }
    Ok(about)
}
