//! A key in every secret setting, and nothing that is told has one: not where a provider fails, nor
//! where it repeats what it was sent.

use futures::FutureExt as _;
use visual_degrees::domain::{Limits, Name, Pace};
use visual_degrees::investigation::Request;
use visual_degrees::sandbox::{FaultPlan, SandboxOptions, SandboxProvider, fault_kinds_of};
use visual_degrees::sealed::seal;
use visual_degrees::session::{
    Caller, Problem, Settings, diagnose, may_look_deep, may_start, suggest_people,
};

use super::canaries::Canaries;
use super::echo::{ECHO_BASE, Echo, Manner};
use super::error_table::{failing_scenario, fetching_scenario, next_of};
use super::sandbox_network::SandboxNetwork;

const ALL: [(&str, &str); 2] = [
    (
        "IMAGE_SEARCH",
        "brave,commons,google,openverse,serpapi,serper",
    ),
    ("PLANNER", "gemini,workers-ai,openai"),
];
/// Each provider, where it is asked, and in which list it stands.
const PROVIDERS: [(&str, &str, Option<&str>); 11] = [
    ("brave", "BRAVE_BASE", Some("IMAGE_SEARCH")),
    ("commons", "COMMONS_BASE", Some("IMAGE_SEARCH")),
    ("google", "GOOGLE_BASE", Some("IMAGE_SEARCH")),
    ("openverse", "OPENVERSE_BASE", Some("IMAGE_SEARCH")),
    ("serpapi", "SERPAPI_BASE", Some("IMAGE_SEARCH")),
    ("serper", "SERPER_BASE", Some("IMAGE_SEARCH")),
    ("rekognition", "REKOGNITION_ENDPOINT", None),
    ("gemini", "GEMINI_BASE", Some("PLANNER")),
    ("workers-ai", "WORKERS_AI_BASE", Some("PLANNER")),
    ("openai", "OPENAI_BASE", Some("PLANNER")),
    ("wikidata", "WIKIDATA_BASE", None),
];

fn small_limits() -> Limits {
    Limits {
        pace: Pace::Frugal,
        searches_max: 4,
        images_per_search: 3,
        recognitions_max: 6,
        planner_calls_max: 2,
        ..Limits::default()
    }
}

/// Everything that a run tells, and its sealed file.
#[track_caller]
fn check_run(
    canaries: &Canaries,
    what: &str,
    told: &[String],
    journal: &[String],
    events: &[String],
) {
    for text in told.iter().chain(journal).chain(events) {
        canaries.check_untold(what, text);
    }
    let key = canaries.key("SEAL_KEY").into();
    let sealed = seal(journal, events, Some(&key)).unwrap();
    canaries.check_untold(what, &sealed);
}

/// What the doctor says, and who asks for people reads, where each call of a provider fails so.
#[track_caller]
fn check_asking(canaries: &Canaries, what: &str, network: &SandboxNetwork, settings: &Settings) {
    let people = settings.people.as_ref().unwrap();
    let providers = settings.providers.as_ref().unwrap();
    let example = network.example();
    let asking = diagnose(network, providers, Some(people), &example);
    let (checks, _) = network.answer_at_once(asking);
    canaries.check_untold(what, &serde_json::to_string(&checks).unwrap());
    let (suggested, _) = network.answer_at_once(suggest_people(network, people, &example));
    canaries.check_untold(what, &format!("{suggested:?}"));
}

#[test]
fn no_key_is_told_whatever_fails() {
    let canaries = Canaries::mixed();
    let (seal_key, token) = (canaries.key("SEAL_KEY"), canaries.key("OPERATOR_TOKEN"));
    let mut rows = 0;
    for provider in SandboxProvider::ALL {
        for kind in fault_kinds_of(provider) {
            let what = format!("{provider} {kind}");
            let plan = format!(
                r#"[{{"provider":"{}","from":1,"kind":"{kind}"}}]"#,
                provider.name()
            );
            let options = SandboxOptions {
                faults: FaultPlan::parse(&plan).unwrap(),
                ..canaries.options()
            };
            let network = SandboxNetwork::new(options, "");
            let list = PROVIDERS.iter().find(|(name, ..)| *name == provider.name());
            let list = list.and_then(|(name, _, list)| Some((list.as_ref().copied()?, *name)));
            let list: Vec<_> = list.into_iter().collect();
            check_asking(&canaries, &what, &network, &canaries.settings(&list));
            let mut scenario = match provider {
                SandboxProvider::Wikidata => continue,
                SandboxProvider::Image => fetching_scenario(provider, kind),
                _ => {
                    let providers: Vec<_> = [Some(provider), next_of(provider)]
                        .into_iter()
                        .flatten()
                        .collect();
                    failing_scenario(&providers, kind, 4)
                }
            };
            scenario.options.credentials = canaries.options().credentials;
            let run = scenario
                .set("SEAL_KEY", &*seal_key)
                .set("OPERATOR_TOKEN", &*token)
                .run();
            let puts = run.conducted.puts.iter();
            let puts: Vec<_> = puts
                .map(|put| format!("{}: {}", put.key, put.document))
                .collect();
            let events = run.conducted.events.iter();
            let events: Vec<_> = events.map(|event| event.json.clone()).collect();
            check_run(&canaries, &what, &puts, &run.conducted.journal, &events);
            rows += 1;
        }
    }
    println!("{rows} failures, no key told");
}

#[test]
fn no_key_is_told_where_a_provider_repeats_it() {
    let (mut runs, mut asked) = (0, 0);
    for canaries in [Canaries::mixed(), Canaries::like_codes()] {
        for (provider, base, list) in PROVIDERS {
            for status in [200, 400, 401, 403, 429, 500] {
                for is_json in [true, false] {
                    let manner = Manner { status, is_json };
                    asked += check_echo(&canaries, provider, base, list, manner);
                    runs += 1;
                }
            }
        }
    }
    println!("{runs} runs, {asked} answers that repeat a key, none told");
}

/// How often the provider repeated what it was sent.
fn check_echo(
    canaries: &Canaries,
    provider: &str,
    base: &str,
    list: Option<&str>,
    manner: Manner,
) -> u32 {
    let what = format!("{provider} HTTP {}", manner.status);
    let mut more = vec![(base, ECHO_BASE)];
    more.extend(list.map(|list| (list, provider)));
    if provider == "openai" {
        let price = [
            "PRICE_OPENAI_IN_USD_PER_MILLION",
            "PRICE_OPENAI_OUT_USD_PER_MILLION",
        ];
        more.extend(price.map(|price| (price, "1")));
    }
    let settings = canaries.settings(&more);
    let echo = Echo::new(canaries.options(), manner);
    let providers = settings.providers.as_ref().unwrap();
    let (a, b) = echo.example_pair();
    let request = Request {
        person_a: Name::parse(&a).unwrap().into(),
        person_b: Name::parse(&b).unwrap().into(),
        avoid: Vec::new(),
        limits: small_limits(),
    };
    echo.conduct(providers, &request);
    let (told, journal) = echo.told();
    let events: Vec<_> = told
        .iter()
        .filter(|text| text.starts_with('{'))
        .cloned()
        .collect();
    check_run(canaries, &what, &told, &journal, &events);
    let people = settings.people.as_ref();
    let checks = diagnose(&echo, providers, people, &a)
        .now_or_never()
        .unwrap();
    canaries.check_untold(&what, &serde_json::to_string(&checks).unwrap());
    assert!(echo.asked() > 0, "{what}");
    echo.asked()
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
    // A key in the wrong line, whichever.
    let key = canaries.key("GEMINI_API_KEY");
    let wrong = Settings::read(|_| Some(key.clone()), false);
    assert!(wrong.providers.is_err());
    let refusal = Problem::missing_settings(&wrong.missing());
    canaries.check_untold("a refusal", &serde_json::to_string(&refusal).unwrap());
}
