//! Every provider finds the example, each call at its own price and within a budget in dollars.

use devtools::rehearsal::Simulation;
use domain::Plan;
use sandbox::SandboxProvider;
use serde_json::Value;

use crate::observed::ObservedRun;

use super::documents::record_after;
use super::scenario::Scenario;

const RECOGNITION_NANO_USD: u64 = 1_000_000;
/// The default price of each image search, in billionths of a dollar.
const SEARCHES: [(SandboxProvider, u64); 6] = [
    (SandboxProvider::Google, 5_000_000),
    (SandboxProvider::Brave, 5_000_000),
    (SandboxProvider::Openverse, 0),
    (SandboxProvider::SerpApi, 15_000_000),
    (SandboxProvider::Serper, 1_000_000),
    (SandboxProvider::Commons, 0),
];

fn searching(provider: SandboxProvider) -> Scenario {
    Scenario::new().set("IMAGE_SEARCH", provider.name())
}

/// Returns the answered calls of a provider, by its own count.
fn answered(run: &ObservedRun, provider: SandboxProvider) -> u64 {
    let calls = run.conducted.calls.iter();
    let calls = calls.filter(|(name, _, status)| name == provider.name() && *status == 200);
    calls.count() as u64
}

fn nano_usd(run: &ObservedRun) -> u64 {
    let usd = run.last()["spent"]["usd"].as_f64().unwrap();
    // Some cents.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let nano_usd = (usd * 1e9).round() as u64;
    nano_usd
}

#[test]
fn every_image_search_finds_the_example_at_its_own_price() {
    for (provider, price) in SEARCHES {
        let run = searching(provider).run();
        assert_eq!(run.ending(), "final", "{provider}");
        let searches = answered(&run, provider);
        let recognitions = answered(&run, SandboxProvider::Rekognition);
        let charged = searches * price + recognitions * RECOGNITION_NANO_USD;
        assert_eq!(nano_usd(&run), charged, "{provider}");
        println!("{provider}: {searches} searches, {recognitions} recognitions, {charged} nano-$");
        for (other, _) in SEARCHES {
            assert!(
                other == provider || run.calls_of(other.name()) == 0,
                "{other}"
            );
        }
    }
}

/// Two runs of one isolate, at five photos per second together; five may go at once.
#[test]
fn runs_share_the_recognisers_pace() {
    let scenario = Scenario::new().set("RECOGNITIONS_PER_SECOND", "5");
    let runs = scenario.simulations(2);
    Simulation::conduct_together(&runs).unwrap();
    let mut photos = 0;
    let mut took_ms = 0;
    for run in &runs {
        let run = ObservedRun::of(run);
        assert_eq!(run.ending(), "final");
        let spent = &run.last()["spent"];
        photos += spent["rekognitionCalls"].as_u64().unwrap();
        took_ms = spent["runtimeMs"].as_u64().unwrap().max(took_ms);
    }
    let least_ms = (photos - 5) * 200;
    assert!(
        (least_ms..least_ms + 2_000).contains(&took_ms),
        "{photos} photos, {took_ms} ms"
    );
}

/// Returns the number of planner calls and their cost, at these prices per token.
fn planned(provider: SandboxProvider, nano_usd_in: u32, nano_usd_out: u32) -> (u64, u64) {
    let name = match provider {
        SandboxProvider::Gemini => "GEMINI",
        SandboxProvider::WorkersAi => "WORKERS_AI",
        _ => "OPENAI",
    };
    let settings = [("IN", nano_usd_in), ("OUT", nano_usd_out)].map(|(way, price)| {
        let setting = format!("PRICE_{name}_{way}_USD_PER_MILLION");
        (&*setting.leak(), format!("{}", f64::from(price) / 1_000.0))
    });
    let mut scenario = Scenario::new().set("PLANNER", provider.name());
    scenario.settings.extend(settings);
    let run = scenario.run();
    assert_eq!(run.ending(), "final", "{provider}");
    assert!(run.says("chosen by the planner"), "{provider}");
    let searches = answered(&run, SandboxProvider::Google) * 5_000_000;
    let recognitions = answered(&run, SandboxProvider::Rekognition) * RECOGNITION_NANO_USD;
    let calls = answered(&run, provider);
    assert_eq!(run.last()["spent"]["llmCalls"], calls, "{provider}");
    (calls, nano_usd(&run) - searches - recognitions)
}

#[test]
fn every_planner_finds_the_example_and_each_token_has_its_price() {
    for provider in [
        SandboxProvider::Gemini,
        SandboxProvider::WorkersAi,
        SandboxProvider::OpenAi,
    ] {
        let (calls, read) = planned(provider, 1, 0);
        let (_, written) = planned(provider, 0, 1);
        assert!(
            calls > 0 && read > 50 * calls && written > 10 * calls,
            "{provider}"
        );
        assert_eq!(planned(provider, 0, 0), (calls, 0), "{provider}");
        let (_, both) = planned(provider, 300, 2_500);
        assert_eq!(both, 300 * read + 2_500 * written, "{provider}");
        println!("{provider}: {calls} calls, {read} tokens read, {written} written");
    }
}

#[test]
fn a_budget_in_dollars_is_never_passed() {
    for (provider, price) in SEARCHES {
        let whole = nano_usd(&searching(provider).run());
        let mut ended_by_budget = 0;
        for part in 0..=10 {
            for plan in Plan::ALL {
                let mut scenario = searching(provider);
                scenario.limits.plan = plan;
                let budget = whole * part / 8;
                scenario.limits.nano_usd_max = Some(budget);
                let run = scenario.run();
                let spent = nano_usd(&run);
                let what = format!("{provider} {} within {budget}", plan.as_str());
                assert!(spent <= budget, "{what}: {spent}");
                assert!(
                    !run.ending().starts_with("error"),
                    "{what}: {}",
                    run.ending()
                );
                let is_by_budget = run.ending() == "no_path usd_budget";
                ended_by_budget += u32::from(is_by_budget);
                if budget < price {
                    assert!(is_by_budget, "{what}: {}", run.ending());
                    assert_eq!(run.calls_of(provider.name()), 0, "{what}");
                }
            }
        }
        println!("{provider}: {ended_by_budget} of 22 runs ended by the budget of part of {whole}");
        assert!(ended_by_budget > 0, "{provider}");
    }
}

#[test]
fn where_the_search_is_free_dollars_limit_recognitions_only() {
    for recognitions in [0, 1, 7] {
        let mut scenario = searching(SandboxProvider::Commons);
        scenario.limits.nano_usd_max = Some(recognitions * RECOGNITION_NANO_USD);
        let run = scenario.run();
        assert_eq!(run.ending(), "no_path usd_budget");
        assert_eq!(answered(&run, SandboxProvider::Rekognition), recognitions);
        assert!(
            run.calls_of("commons") > 0,
            "a free search needs no dollars"
        );
    }
    let mut free = searching(SandboxProvider::Commons).set("PRICE_RECOGNITION_USD_PER_1000", "0");
    free.limits.nano_usd_max = Some(0);
    let run = free.run();
    assert_eq!((&*run.ending(), nano_usd(&run)), ("final", 0));
}

#[test]
fn author_licence_and_page_of_a_commons_photo_are_told_and_kept() {
    let run = searching(SandboxProvider::Commons).run();
    let evidence = run.events.iter();
    let evidence = evidence.filter(|event| event["type"] == "evidence");
    let told: Vec<&Value> = evidence.map(|event| &event["edge"]).collect();
    let record = record_after(&run, run.conducted.puts.len()).unwrap();
    let kept = record["edges"].as_array().unwrap();
    assert!(!kept.is_empty());
    let (mut photos, mut authors) = (0, 0);
    for edge in told.into_iter().chain(kept) {
        for photo in edge["evidence"].as_array().unwrap() {
            let text = |name: &str| photo[name].as_str().unwrap_or_default();
            photos += 1;
            authors += usize::from(!text("author").is_empty());
            assert!(!text("license").is_empty(), "{photo}");
            assert!(text("contextUrl").contains("File:"), "{photo}");
        }
    }
    println!("{photos} photos, {authors} with an author");
    assert!(authors > photos / 2, "{authors} of {photos}");
}
