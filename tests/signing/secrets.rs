//! Keys are never displayed.

use std::fmt::Debug;

use domain::{NamedPerson, PlanQuestion, SearchQuestion, Wording};
use platform::WireResponse;
use providers::{
    Credentials, ImageSearch as _, Planner as _, Recogniser as _, Signer, gemini, google,
    rekognition,
};
use settings::{Access, Bindings, Settings};
use visual_degrees::engines::EngineName;

use super::signer::{NOW_MS, REGION};

#[track_caller]
fn check_shows_no_secret(what: &impl Debug) {
    for shown in [format!("{what:?}"), format!("{what:#?}")] {
        assert!(!shown.contains("SECRET"), "{shown}");
    }
}

fn secret_signer() -> Signer {
    Signer {
        credentials: Credentials {
            access_key_id: "AKIDEXAMPLE".into(),
            secret_access_key: "SECRET1".into(),
            session_token: Some("SECRET2".into()),
        },
        region: REGION.into(),
        service: rekognition::SERVICE.into(),
    }
}

#[test]
fn debug_of_the_signer_shows_the_key_id_and_no_secret() {
    let signer = secret_signer();
    check_shows_no_secret(&signer);
    check_shows_no_secret(&signer.credentials);
    assert!(format!("{signer:?}").contains("AKIDEXAMPLE"));
    let settings = rekognition::RekognitionSettings {
        endpoint: rekognition::endpoint_default(REGION),
        signer,
    };
    check_shows_no_secret(&settings);
    let request = settings.request(b"photo", &[], NOW_MS).unwrap();
    check_shows_no_secret(&request);
    let response: WireResponse = http::Response::new(b"SECRET".to_vec());
    check_shows_no_secret(&settings.read(&response));
}

fn search_settings() -> google::GoogleSettings {
    google::GoogleSettings {
        base: google::BASE_DEFAULT.into(),
        key: "SECRET".into(),
        engine: "engine".into(),
    }
}

fn planner_settings() -> gemini::GeminiSettings {
    gemini::GeminiSettings {
        base: gemini::BASE_DEFAULT.into(),
        key: "SECRET".into(),
        model: gemini::MODEL_DEFAULT.into(),
    }
}

#[test]
fn debug_of_the_search_settings_shows_no_key() {
    check_shows_no_secret(&search_settings());
}

#[test]
fn debug_of_the_planner_settings_shows_no_key() {
    check_shows_no_secret(&planner_settings());
}

#[test]
fn debug_of_a_request_shows_no_key() {
    let search = SearchQuestion {
        people: vec![NamedPerson {
            name: "Fantine".into(),
            number: None,
        }],
        wording: Wording::Names,
    };
    check_shows_no_secret(&search_settings().request(&search, 5, 0).unwrap());
    let question = PlanQuestion {
        person_a: "Fantine".into(),
        person_b: "Javert".into(),
        frontier: "Fantine".into(),
        candidates: Vec::new(),
        allowed_queries: Vec::new(),
        hops_left: 1,
        searches_left: 1,
        recognitions_left: 1,
        may_guess: false,
    };
    check_shows_no_secret(&planner_settings().request(&question).unwrap());
}

#[test]
fn debug_of_who_may_start_shows_no_token() {
    check_shows_no_secret(&Access::Token("SECRET".into()));
}

#[test]
fn debug_of_all_settings_shows_no_secret() {
    let secrets = [
        "GOOGLE_API_KEY",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "GEMINI_API_KEY",
        "OPERATOR_TOKEN",
    ];
    let lookup = |name: &str| match name {
        "GOOGLE_CX" | "AWS_ACCESS_KEY_ID" => Some("id".into()),
        _ if secrets.contains(&name) => Some("SECRET-0123456789".into()),
        _ => None,
    };
    let settings = Settings::read(lookup, Bindings::default(), &EngineName::variables());
    assert!(settings.providers.is_ok());
    check_shows_no_secret(&settings);
}
