//! Answers `GET /people?q=`: suggests who may be meant, cached and paced, since Wikidata asks for
//! both.

use serde_json::json;
use worker::{Cache, Env, Request, Response, Result, Url};

use domain::FailureKind;
use engine::Problem;
use platform::Network as _;
use providers::wikidata::PersonSuggestion;
use settings::Settings;

use crate::people::{SuggestionPace, people_text, suggest_people};

use super::replies;
use super::worker_network::WorkerNetwork;

/// The cache's rule for a suggestion, which holds for a day.
const CACHE_CONTROL: &str = "public, max-age=86400";

thread_local! {
    static PACE: SuggestionPace = SuggestionPace::default();
}

/// Answers with the people whom `?q=` may name.
pub(super) async fn answer(request: &Request, env: &Env, settings: &Settings) -> Result<Response> {
    let url = request.url()?;
    let typed = url.query_pairs().find(|(key, _)| key == "q");
    let typed = typed.as_ref().map(|(_, text)| text.as_ref());
    suggested(("q", typed), &url, env, settings).await
}

/// Answers with the people whom a text may name, which a field of the request gave. `url` is an address of this server.
pub(super) async fn suggested(
    (field, typed): (&str, Option<&str>),
    url: &Url,
    env: &Env,
    settings: &Settings,
) -> Result<Response> {
    let Some(wikidata) = &settings.people else {
        let detail = "Suggestions are switched off here; the operator may set PEOPLE=wikidata.";
        return replies::problem(&Problem::new(404, detail));
    };
    let text = match people_text(field, typed) {
        Ok(text) => text,
        Err(problem) => return replies::problem(&problem),
    };
    let mut url = url.clone();
    url.set_path("/people");
    // The address of the cached answer has the question in one form, whatever else the request's
    // address holds.
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
            // The answer is good without the cache, too.
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
            replies::problem(&Problem::new(503, detail))
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
    replies::problem(&Problem::too_many(detail, 5))
}
