//! How the server is: what it is configured with, and on the operator's word whether each provider
//! works.

use serde_json::{Value, json};
use worker::{Env, Request, Response, Result};

use crate::session::{Providers, Settings, diagnose};

use super::worker_network::WorkerNetwork;
use super::{door, replies};

/// Answers `GET /health`, and `?deep=1`, which asks every provider once.
pub(super) async fn answer(request: &Request, env: &Env, settings: &Settings) -> Result<Response> {
    let is_deep = request
        .url()?
        .query_pairs()
        .any(|(key, value)| key == "deep" && value == "1");
    if !is_deep {
        return replies::json(&outline(settings));
    }
    if let Err(problem) = door::check_deep_look(request, settings)? {
        return replies::problem(&problem);
    }
    let mut health = outline(settings);
    if let (Ok(providers), Some(members)) = (&settings.providers, health.as_object_mut()) {
        let network = WorkerNetwork::new(env);
        let people = settings.people.as_ref();
        let checks = diagnose(&network, providers, people, &settings.example.0).await;
        if !checks.iter().all(|check| check.works) {
            members.insert("status".into(), "failing".into());
        }
        members.insert("checks".into(), json!(checks));
    }
    replies::json(&health)
}

fn outline(settings: &Settings) -> Value {
    let (example_a, example_b) = &settings.example;
    let mut health = json!({
        "status": "ok",
        "version": env!("CARGO_PKG_VERSION"),
        "example": {"a": example_a, "b": example_b},
    });
    let missing = settings.missing();
    if let Some(members) = health.as_object_mut() {
        if let Ok(providers) = &settings.providers {
            members.insert("providers".into(), provider_ids(settings, providers));
        }
        if !missing.is_empty() {
            members.insert("status".into(), "not_configured".into());
            members.insert("missing".into(), json!(missing));
        }
    }
    health
}

/// The ids of the providers that are asked, those of searches and planners in their order.
fn provider_ids(settings: &Settings, providers: &Providers) -> Value {
    let searches = providers.searches.iter().map(|priced| priced.search.id());
    let planners = providers.planners.iter().map(|priced| priced.planner.id());
    json!({
        "search": searches.collect::<Vec<_>>(),
        "recogniser": providers.recogniser.recogniser.id(),
        "planner": planners.collect::<Vec<_>>(),
        "people": settings.people.as_ref().map(|_| "wikidata"),
    })
}
