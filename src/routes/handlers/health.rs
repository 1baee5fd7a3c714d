//! Reports the server's configuration, and on the operator's request whether each provider works.

use domain::FailureKind;
use engine::Problem;
use providers::wikidata::PersonSuggestion;
use serde_json::{Value, json};
use settings::{AtlasAccess, Providers, Settings, ToolsAccess};
use worker::{Cache, Env, Request, Response, Url};

use platform::Network as _;

use crate::auth::callers;
use crate::doctor::diagnose;
use crate::objects::budget;
use crate::people::{SuggestionPace, people_text, suggest_people};

use crate::transport::failure::Result;
use crate::transport::network::WorkerNetwork;
use crate::transport::replies;

use super::pages::file_text;

/// Handles `GET /health`. For the operator, `?deep=1` calls every provider once, and `?budget=1` adds today's spending.
pub(crate) async fn answer(request: &Request, env: &Env, settings: &Settings) -> Result<Response> {
    let url = request.url()?;
    for (key, value) in url.query_pairs() {
        if matches!(&*key, "deep" | "budget") && value != "1" {
            let problem = Problem::field(&key, "must be 1 if it is given");
            return Err(problem.into());
        }
    }
    let asks = |name| url.query_pairs().any(|(key, _)| key == name);
    if !asks("deep") && !asks("budget") {
        return replies::json(&outline(settings));
    }
    callers::check_deep_look(request, settings)?;
    let mut health = outline(settings);
    if let (true, Some(members)) = (asks("budget"), health.as_object_mut()) {
        let day = day_json(budget::report(env).await?, settings);
        members.insert("budget".into(), day);
    }
    if !asks("deep") {
        return replies::json(&health);
    }
    if let (Ok(providers), Some(members)) = (&settings.providers, health.as_object_mut()) {
        let network = WorkerNetwork::new(env);
        let people = settings.people.as_ref();
        let checks = diagnose(&network, providers, people, &settings.example.0).await;
        if !settings.wrong_parts().is_empty() || !checks.iter().all(|check| check.works) {
            members.insert("status".into(), "failing".into());
        }
        members.insert("checks".into(), json!(checks));
    }
    replies::json(&health)
}

fn outline(settings: &Settings) -> Value {
    let (example_a, example_b) = &settings.example;
    let more = settings.more_examples.iter();
    let examples: Vec<_> = more.map(|(a, b)| json!({"a": a, "b": b})).collect();
    let mut health = json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "example": {"a": example_a, "b": example_b},
        "examples": examples,
    });
    let missing = settings.missing();
    if let Some(members) = health.as_object_mut() {
        if let Ok(providers) = &settings.providers {
            members.insert("providers".into(), provider_ids(settings, providers));
            if providers.browser.is_some() {
                members.insert("capture".into(), true.into());
            }
        }
        if let Some(turnstile) = &settings.turnstile {
            let widget = json!({"siteKey": turnstile.site_key});
            members.insert("turnstile".into(), widget);
        }
        let for_whom = match settings.tools_access {
            ToolsAccess::Everybody => Some("everybody"),
            ToolsAccess::Operator => Some("operator"),
            ToolsAccess::Nobody => None,
        };
        if let Some(for_whom) = for_whom {
            members.insert("tools".into(), for_whom.into());
        }
        match settings.atlas {
            AtlasAccess::Nobody => {}
            AtlasAccess::Operator => {
                members.insert("atlas".into(), "operator".into());
            }
            AtlasAccess::Everybody { .. } => {
                members.insert("atlas".into(), "everybody".into());
            }
        }
        if settings.publish_days > 0 {
            members.insert("publish".into(), json!({"days": settings.publish_days}));
        }
        let wrong = settings.wrong_parts();
        if !wrong.is_empty() {
            members.insert("wrong".into(), json!(wrong));
        }
        if !missing.is_empty() {
            members.insert("status".into(), "not_configured".into());
            members.insert("missing".into(), json!(missing));
        }
    }
    health
}

/// Adds the daily limits to the report of what is spent and reserved today.
fn day_json(mut report: Value, settings: &Settings) -> Value {
    if let Some(members) = report.as_object_mut() {
        members.insert("limits".into(), json!(settings.start_limits));
    }
    report
}

/// Returns the ids of the configured providers. Searches and planners are in order of preference.
fn provider_ids(settings: &Settings, providers: &Providers) -> Value {
    let searches = providers.searches.iter().map(|priced| priced.search.id());
    let recognisers = (providers.recognisers.iter()).map(|priced| priced.recogniser.id());
    let planners = providers.planners.iter().map(|priced| priced.planner.id());
    json!({
        "search": searches.collect::<Vec<_>>(),
        "recogniser": recognisers.collect::<Vec<_>>(),
        "planner": planners.collect::<Vec<_>>(),
        "people": settings.people.as_ref().map(|_| "wikidata"),
    })
}

/// Responds with the API's description, `public/openapi.json` (`OpenAPI` 3.1).
pub(crate) async fn describe(request: &Request, env: &Env) -> Result<Response> {
    replies::json_text(&file_text(request, env, "/openapi.json").await?)
}

/// How long suggestions may be cached, which is a day.
const CACHE_CONTROL: &str = "public, max-age=86400";

thread_local! {
    static PACE: SuggestionPace = SuggestionPace::default();
}

/// Responds with the people whom the query's `q` may name.
pub(crate) async fn suggest(request: &Request, env: &Env, settings: &Settings) -> Result<Response> {
    let url = request.url()?;
    let typed = url.query_pairs().find(|(key, _)| key == "q");
    let typed = typed.as_ref().map(|(_, text)| text.as_ref());
    suggested(("q", typed), &url, env, settings).await
}

/// Responds with the people whom the text in a field of the request may name. `url` is any address of this server.
pub(crate) async fn suggested(
    (field, typed): (&str, Option<&str>),
    url: &Url,
    env: &Env,
    settings: &Settings,
) -> Result<Response> {
    let Some(wikidata) = &settings.people else {
        let detail = "Suggestions are switched off here; the operator may set PEOPLE=wikidata.";
        return Err(Problem::new(404, detail).into());
    };
    let text = people_text(field, typed)?;
    let mut url = url.clone();
    url.set_path("/people");
    // The cache key contains only the text, so that other parts of the request's address do not matter.
    url.query_pairs_mut().clear().append_pair("q", &text);
    let cache = Cache::default();
    if let Some(cached) = cache.get(url.as_str(), false).await? {
        return Ok(cached);
    }
    let network = WorkerNetwork::new(env);
    let Some(wait_ms) = PACE.with(|pace| pace.take_turn(network.now_ms())) else {
        return busy("Too many names are looked up at the moment; try again in a few seconds.");
    };
    network.sleep(wait_ms).await;
    match suggest_people(&network, wikidata, &text).await {
        Ok(people) => {
            let people: Vec<_> = people.iter().map(person_json).collect();
            let mut response = replies::json(&json!({"people": people}))?;
            response.headers().set("cache-control", CACHE_CONTROL)?;
            // A failure to cache the suggestions only makes the next request slower.
            if let Err(error) = cache.put(url.as_str(), response.cloned()?).await {
                worker::console_warn!("suggestions are not cached: {error}");
            }
            Ok(response)
        }
        Err(failure) if failure.kind == FailureKind::Throttled => {
            busy("Wikidata is asked too often at the moment; try again in a few seconds.")
        }
        Err(failure) => {
            let detail = format!("Wikidata gives no suggestions ({}).", failure.detail());
            Err(Problem::new(503, detail).into())
        }
    }
}

fn person_json(person: &PersonSuggestion) -> serde_json::Value {
    json!({
        "number": person.number.as_str(),
        "label": person.label,
        "description": person.description,
        "alias": person.alias,
    })
}

fn busy(detail: &str) -> Result<Response> {
    Err(Problem::too_many(detail, 5).into())
}
