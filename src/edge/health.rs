//! Tells how the server is: what it is configured with, and on the operator's request whether each
//! provider works.

use serde_json::{Value, json};
use worker::{Env, Request, Response, Result};

use engine::Problem;
use settings::{AtlasAccess, Providers, Settings, ToolsAccess};

use crate::doctor::diagnose;

use super::worker_network::WorkerNetwork;
use super::{budget, door, replies};

/// Answers `GET /health`. For the operator `?deep=1` asks every provider once, and `?budget=1` tells
/// what is spent today.
pub(super) async fn answer(request: &Request, env: &Env, settings: &Settings) -> Result<Response> {
    let url = request.url()?;
    for (key, value) in url.query_pairs() {
        if matches!(&*key, "deep" | "budget") && value != "1" {
            let problem = Problem::field(&key, "must be 1; leave it out where it is not asked for");
            return replies::problem(&problem);
        }
    }
    let asks = |name| url.query_pairs().any(|(key, _)| key == name);
    if !asks("deep") && !asks("budget") {
        return replies::json(&outline(settings));
    }
    if let Err(problem) = door::check_deep_look(request, settings)? {
        return replies::problem(&problem);
    }
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

/// Adds the limits of the day to a report of what is spent and reserved.
fn day_json(mut report: Value, settings: &Settings) -> Value {
    if let Some(members) = report.as_object_mut() {
        members.insert("limits".into(), json!(settings.start_limits));
    }
    report
}

/// Returns the ids of the providers that are asked, those of searches and planners in their order.
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
