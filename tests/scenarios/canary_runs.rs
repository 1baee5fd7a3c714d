//! With a recognisable key in every secret setting, nothing emitted contains one, even if a provider fails or echoes
//! requests.

use domain::{Limits, Pace};
use engine::Problem;
use sandbox::{FaultPlan, SandboxOptions, SandboxProvider, fault_kinds_of};
use settings::{Bindings, Settings};
use visual_degrees::auth::{Caller, may_look_deep, may_start};
use visual_degrees::doctor::diagnose;
use visual_degrees::engines::EngineName;
use visual_degrees::people::suggest_people;
use visual_degrees::sealed::seal;

use super::canaries::Canaries;
use super::error_table::{failing_scenario, fetching_scenario, next_of};
use super::sandbox_network::SandboxNetwork;
use super::scenario::Scenario;

const ALL: [(&str, &str); 2] = [
    (
        "IMAGE_SEARCH",
        "brave,commons,google,openverse,serpapi,serper",
    ),
    ("PLANNER", "gemini,workers-ai,openai"),
];
/// The price of a self-hosted model must be set.
const OPENAI_PRICES: [(&str, &str); 2] = [
    ("PRICE_OPENAI_IN_USD_PER_MILLION", "1"),
    ("PRICE_OPENAI_OUT_USD_PER_MILLION", "1"),
];

/// Returns the setting that lists a provider.
fn list_of(provider: SandboxProvider) -> Option<&'static str> {
    match provider {
        SandboxProvider::Image | SandboxProvider::Wikidata => None,
        SandboxProvider::Rekognition | SandboxProvider::References => Some("RECOGNISER"),
        SandboxProvider::Gemini | SandboxProvider::WorkersAi | SandboxProvider::OpenAi => {
            Some("PLANNER")
        }
        _ => Some("IMAGE_SEARCH"),
    }
}

/// Checks everything that a run with these keys emits, and its sealed file; returns the number of answers.
#[track_caller]
fn check_run(canaries: &Canaries, what: &str, mut scenario: Scenario) -> usize {
    scenario.options.credentials = canaries.options().credentials;
    let run = scenario
        .set("SEAL_KEY", canaries.key("SEAL_KEY"))
        .set("OPERATOR_TOKEN", canaries.key("OPERATOR_TOKEN"))
        .run();
    for put in &run.conducted.puts {
        canaries.check_untold(what, &put.key);
        canaries.check_untold(what, &put.document);
    }
    let events = run.conducted.events.iter();
    let events: Vec<_> = events.map(|event| event.json.clone()).collect();
    for text in run.conducted.journal.iter().chain(&events) {
        canaries.check_untold(what, text);
    }
    let key = canaries.key("SEAL_KEY").into();
    let sealed = seal(&run.conducted.journal, &events, Some(&key)).unwrap();
    canaries.check_untold(what, &sealed);
    run.conducted.calls.len()
}

/// Checks the doctor's messages and the responses about people, with this fault at each call of a provider.
#[track_caller]
fn check_asking(canaries: &Canaries, what: &str, provider: SandboxProvider, kind: &str) {
    let plan = format!(r#"[{{"provider":"{provider}","from":1,"kind":"{kind}"}}]"#);
    let options = SandboxOptions {
        faults: FaultPlan::parse(&plan).unwrap(),
        ..canaries.options()
    };
    let network = SandboxNetwork::new(options, "");
    let list = list_of(provider).map(|list| (list, provider.name()));
    let more: Vec<_> = list.into_iter().chain(OPENAI_PRICES).collect();
    let settings = canaries.settings(&more);
    let people = settings.people.as_ref().unwrap();
    let providers = settings.providers.as_ref().unwrap();
    let example = network.example();
    let asking = diagnose(&network, providers, Some(people), &example);
    let (checks, _) = network.answer_at_once(asking);
    canaries.check_untold(what, &serde_json::to_string(&checks).unwrap());
    let (suggested, _) = network.answer_at_once(suggest_people(&network, people, &example));
    canaries.check_untold(what, &format!("{suggested:?}"));
}

#[test]
fn no_key_is_told_whatever_fails() {
    let canaries = Canaries::mixed();
    let mut rows = 0;
    for provider in SandboxProvider::ALL {
        for kind in fault_kinds_of(provider) {
            let what = format!("{provider} {kind}");
            check_asking(&canaries, &what, provider, kind);
            let scenario = match provider {
                SandboxProvider::Wikidata => continue,
                SandboxProvider::Image => fetching_scenario(provider, kind),
                _ => {
                    let providers = [Some(provider), next_of(provider)];
                    let providers: Vec<_> = providers.into_iter().flatten().collect();
                    failing_scenario(&providers, kind, 4)
                }
            };
            check_run(&canaries, &what, scenario);
            rows += 1;
        }
    }
    println!("{rows} failures, no key told");
}

#[test]
fn no_key_is_told_where_a_provider_repeats_it() {
    let (mut runs, mut answers) = (0, 0);
    for canaries in [Canaries::mixed(), Canaries::like_codes()] {
        for provider in SandboxProvider::ALL {
            for status in [200, 400, 401, 403, 429, 500] {
                for text in ["", "-text"] {
                    answers += check_echo(&canaries, provider, &format!("echo-{status}{text}"));
                    runs += 1;
                }
            }
        }
    }
    println!("{runs} runs with {answers} calls, where a provider repeats its key: none told");
    assert!(answers > runs);
}

/// Checks the calls of a run in which the provider echoes requests.
fn check_echo(canaries: &Canaries, provider: SandboxProvider, kind: &str) -> usize {
    let what = format!("{provider} {kind}");
    check_asking(canaries, &what, provider, kind);
    let mut scenario = Scenario::new().with_planner().fault(provider, kind);
    scenario.limits = Limits {
        pace: Pace::Frugal,
        searches_max: 4,
        images_per_search: 3,
        recognitions_max: 6,
        planner_calls_max: 2,
        ..Limits::default()
    };
    for (name, price) in OPENAI_PRICES {
        scenario = scenario.set(name, price);
    }
    if let Some(list) = list_of(provider) {
        scenario = scenario.set(list, provider.name());
    }
    check_run(canaries, &what, scenario)
}

#[test]
fn no_key_is_told_by_settings_and_refusals() {
    let canaries = Canaries::mixed();
    let settings = canaries.settings(&ALL);
    canaries.check_debug(&settings);
    for sent in ["", "Bearer ", "Bearer wrong", "Basic wrong"] {
        let caller = Caller {
            authorization: Some(format!("{sent}{}", canaries.key("SEAL_KEY"))),
            ..Caller::default()
        };
        let refusals = [
            may_start(&settings, &caller),
            may_look_deep(&settings, &caller),
        ];
        for refusal in refusals.into_iter().filter_map(Result::err) {
            canaries.check_untold("a refusal", &serde_json::to_string(&refusal).unwrap());
        }
    }
    // A key in any wrong setting.
    let key = canaries.key("GEMINI_API_KEY");
    let wrong = Settings::read(
        |_| Some(key.clone()),
        Bindings::default(),
        &EngineName::variables(),
    );
    assert!(wrong.providers.is_err());
    let refusal = Problem::missing_settings(&wrong.missing());
    canaries.check_untold("a refusal", &serde_json::to_string(&refusal).unwrap());
}
