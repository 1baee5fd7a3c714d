//! Calls each configured provider once, as cheaply as possible. For each, reports in one line that it works or how to
//! fix it.

use domain::{Failure, FailureKind, NamedPerson, SearchQuestion, Wording};
use platform::Network;
use providers::calls::ask_once;
use providers::wikidata::{self, WikidataSettings};
use providers::{ImageSearch, Planner, Recogniser};
use serde::Serialize;
use settings::Providers;

/// The longest wait for a provider, in milliseconds.
const ANSWER_MS_MAX: u64 = 15_000;
/// A grey square of 80 by 80 pixels, which is the smallest photo that a recogniser accepts. It shows nobody.
const NOBODY_PNG: &[u8] = include_bytes!("nobody.png");

/// The result of one provider's check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Diagnosis {
    /// The provider's role: `search`, `recogniser`, `planner`, `vision` or `people`.
    pub role: &'static str,
    /// The provider's id in the settings.
    pub provider: &'static str,
    /// Whether the provider can be used.
    pub works: bool,
    /// A message for the operator. It contains no keys and no addresses with keys.
    pub message: String,
}

/// Calls every configured provider once, including the source of name suggestions. `example` is a name that a search
/// should find.
pub async fn diagnose<N: Network>(
    network: &N,
    providers: &Providers,
    people: Option<&WikidataSettings>,
    example: &str,
) -> Vec<Diagnosis> {
    let mut diagnoses = Vec::new();
    for priced in &providers.searches {
        diagnoses.push(check_search(network, priced.search.as_ref(), example).await);
    }
    for priced in &providers.recognisers {
        diagnoses.push(check_recogniser(network, priced.recogniser.as_ref()).await);
    }
    for priced in &providers.planners {
        diagnoses.push(check_model(network, "planner", priced.planner.as_ref()).await);
    }
    if let Some(priced) = &providers.vision {
        diagnoses.push(check_model(network, "vision", priced.planner.as_ref()).await);
    }
    if let Some(people) = people {
        diagnoses.push(check_people(network, people, example).await);
    }
    diagnoses
}

async fn check_search<N: Network>(
    network: &N,
    search: &dyn ImageSearch,
    example: &str,
) -> Diagnosis {
    let question = SearchQuestion {
        people: vec![NamedPerson {
            name: example.to_owned(),
            number: None,
        }],
        wording: Wording::InCompany,
    };
    let request = search.request(&question, 1, 0);
    let response = ask_once(network, ANSWER_MS_MAX, request).await;
    let result = response.and_then(|response| search.read(&question, &response));
    let what = match &result {
        Ok(list) if list.hits.is_empty() => format!(
            "answers, but finds no photo of {example}; if that is somebody known, look at its \
             settings"
        ),
        _ => "works".to_owned(),
    };
    diagnosis("search", (search.id(), search.name()), result, &what)
}

async fn check_recogniser<N: Network>(network: &N, recogniser: &dyn Recogniser) -> Diagnosis {
    let request = recogniser.request(NOBODY_PNG, &[], network.now_ms());
    let response = ask_once(network, ANSWER_MS_MAX, request).await;
    let result = response.and_then(|response| recogniser.read(&response));
    let who = (recogniser.id(), recogniser.name());
    let mut diagnosis = diagnosis("recogniser", who, result, "works");
    if let Some(request) = recogniser.status_request() {
        let response = ask_once(network, ANSWER_MS_MAX, request).await;
        let status = response.and_then(|response| recogniser.read_status(&response));
        let status = status.unwrap_or_else(|failure| {
            format!("What it has cannot be asked ({}).", failure.detail())
        });
        diagnosis.message = format!("{} {status}", diagnosis.message);
    }
    diagnosis
}

/// Calls a model. Whether it works or not, the message includes what the operator should know about the model.
async fn check_model<N: Network>(
    network: &N,
    role: &'static str,
    model: &dyn Planner,
) -> Diagnosis {
    let request = model.probe();
    let response = ask_once(network, ANSWER_MS_MAX, request).await;
    let result = response.and_then(|response| model.read_probe(&response));
    let what = if role == "vision" {
        "works for pictures (VISION_MODEL)"
    } else {
        "works"
    };
    let mut diagnosis = diagnosis(role, (model.id(), model.name()), result, what);
    if let Some(remark) = model.remark() {
        diagnosis.message = format!("{} {remark}", diagnosis.message);
    }
    diagnosis
}

async fn check_people<N: Network>(
    network: &N,
    people: &WikidataSettings,
    example: &str,
) -> Diagnosis {
    let request = wikidata::search_request(people, example);
    let response = ask_once(network, ANSWER_MS_MAX, request).await;
    let result = response.and_then(|response| wikidata::read_numbers(&response));
    let what = match &result {
        Ok(numbers) if numbers.is_empty() => format!("answers, but knows nobody named {example}"),
        _ => "works".to_owned(),
    };
    diagnosis("people", ("wikidata", "Wikidata"), result, &what)
}

fn diagnosis<T>(
    role: &'static str,
    (provider, name): (&'static str, &'static str),
    result: Result<T, Failure>,
    what: &str,
) -> Diagnosis {
    let works = result.is_ok();
    let message = match result {
        Ok(_) => format!("{name} {what}."),
        Err(failure) => format!(
            "{name} does not work ({}): {}.",
            failure.detail(),
            advice(provider, failure.kind)
        ),
    };
    Diagnosis {
        role,
        provider,
        works,
        message,
    }
}

/// Returns the advice on what the operator can do about a failure.
fn advice(provider: &str, kind: FailureKind) -> String {
    let settings = settings_of(provider);
    match (provider, kind) {
        ("google", FailureKind::Closed) => {
            "this project has no access to Custom Search: it is closed to new customers; set \
             IMAGE_SEARCH=commons"
                .to_owned()
        }
        ("rekognition", FailureKind::Misconfigured) => format!(
            "look at {settings}; the clock of this machine may be wrong, a session token may have \
             expired, the key needs the right rekognition:RecognizeCelebrities, and a new account \
             has to be activated for Rekognition first"
        ),
        ("rekognition", FailureKind::Down) => {
            "it cannot be reached; look at AWS_REGION, since not every region has it, and at your \
             connection, or try again later"
                .to_owned()
        }
        ("references", FailureKind::Down) => format!(
            "it cannot be reached, or Wikimedia cannot be from there; start it (docs/recogniser.md), and look at \
             {settings}"
        ),
        ("commons" | "wikidata", FailureKind::Misconfigured) => {
            "Wikimedia wants to know who is asking: set CONTACT to your mail or web address"
                .to_owned()
        }
        ("workers-ai", FailureKind::Down) => format!(
            "without CLOUDFLARE_API_TOKEN it is asked through the binding AI of wrangler.toml, \
             which `wrangler dev` has only with a login; look at {settings}"
        ),
        (_, FailureKind::Misconfigured | FailureKind::Refused | FailureKind::BadImage) => {
            format!("look at {settings}")
        }
        (_, FailureKind::Closed) => {
            "it is closed to this account; choose another provider".to_owned()
        }
        (_, FailureKind::Quota) => {
            "its quota or credit is used up; wait until it is renewed, or raise it".to_owned()
        }
        (_, FailureKind::Throttled) => "it is asked too often; try again in a minute".to_owned(),
        (_, FailureKind::Malformed | FailureKind::MalformedHandedOver | FailureKind::TooLarge) => {
            format!(
                "it answers something else than expected; look at its address and at {settings}"
            )
        }
        (_, FailureKind::Down | FailureKind::HandedOver) => {
            "it cannot be reached; look at its address and at your connection, or try again later"
                .to_owned()
        }
    }
}

/// Returns the names of the settings that a provider needs.
fn settings_of(provider: &str) -> &'static str {
    match provider {
        "brave" => "BRAVE_API_KEY",
        "commons" | "wikidata" => "CONTACT",
        "google" => "GOOGLE_API_KEY and GOOGLE_CX",
        "openverse" => "OPENVERSE_BASE",
        "serpapi" => "SERPAPI_API_KEY",
        "serper" => "SERPER_API_KEY",
        "rekognition" => {
            "AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN and AWS_REGION"
        }
        "references" => "REFERENCES_BASE and REFERENCES_TOKEN",
        "gemini" => "GEMINI_API_KEY and GEMINI_MODEL",
        "workers-ai" => "CLOUDFLARE_ACCOUNT_ID, CLOUDFLARE_API_TOKEN and WORKERS_AI_MODEL",
        "openai" => "OPENAI_BASE, OPENAI_API_KEY and OPENAI_MODEL",
        _ => "its settings",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_photo_of_nobody_is_one_that_a_recogniser_takes() {
        let size = imagesize::blob_size(NOBODY_PNG).unwrap();
        assert_eq!((size.width, size.height), (80, 80));
    }
}
