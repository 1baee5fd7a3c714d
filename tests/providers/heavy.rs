//! Answers that are short enough, but would take far more memory than their length. All were found by tests/fuzz.

use domain::FailureKind;
use providers::{Planner as _, RECOGNITION_BYTES_MAX};
use serde_json::json;

use super::gemini::{gemini_settings, read_plan};
use super::openai::openai_settings;
use super::search_table::SEARCHES;
use super::shared::{answered, check_malformed, ok};
use super::workers_ai::workers_ai_settings;

/// An ignored member of a megabyte: six bytes became an object of 640.
fn heavy(around: &str) -> String {
    let list = format!("[{}]", vec![r#"{"":0}"#; 140_000].join(","));
    around.replace('@', &list)
}

#[test]
fn an_answer_of_many_small_values_is_not_read() {
    let heavy = heavy(r#"{"results":[],"other":@}"#);
    assert!(heavy.len() < 1_048_576);
    for search in SEARCHES {
        check_malformed(search.name, (search.read)(&ok(heavy.as_str())));
    }
    check_malformed("gemini", read_plan(&ok(heavy.as_str())));
    check_malformed("openai", openai_settings().read(&ok(heavy.as_str())).0);
    check_malformed(
        "workers-ai",
        workers_ai_settings().read(&ok(heavy.as_str())).0,
    );
    let answer = heavy.replace("results", "CelebrityFaces");
    // The recogniser's may be larger.
    let twice = format!("{},{}", &answer[..answer.len() - 1], &answer[1..]);
    check_malformed("rekognition", super::rekognition::read(&ok(twice)));
}

#[test]
fn an_error_of_many_small_values_is_known_by_its_status() {
    let heavy = heavy(r#"{"error":{"code":"QUOTA_LIMITED"},"other":@}"#);
    for search in SEARCHES {
        let failure = (search.read)(&answered(429, &[], heavy.as_str())).unwrap_err();
        assert_eq!(failure.kind, FailureKind::Throttled, "{}", search.name);
    }
}

#[test]
fn the_largest_answer_of_the_recogniser_is_read() {
    let place = json!({"Type": "eyeLeft", "X": 0.123_456_789, "Y": 0.987_654_321});
    let mood = json!({"Type": "HAPPY", "Confidence": 99.123_456_789});
    let face = json!({
        "BoundingBox": {"Width": 0.25, "Height": 0.25, "Left": 0.5, "Top": 0.5},
        "Confidence": 99.5, "Landmarks": vec![place; 30], "Emotions": vec![mood; 8],
        "Pose": {"Roll": 1.5, "Yaw": 2.5, "Pitch": 3.5},
        "Quality": {"Brightness": 50.5, "Sharpness": 60.5},
        "Smile": {"Value": true, "Confidence": 90.5},
    });
    let celebrity = json!({
        "Id": "1SK7cR8M", "Name": "Jean Valjean", "MatchConfidence": 99.5, "Face": face,
        "Urls": ["www.wikidata.org/wiki/Q1", "www.imdb.com/name/nm1"],
        "KnownGender": {"Type": "Male"},
    });
    let answer = json!({
        "CelebrityFaces": vec![celebrity; 64], "UnrecognizedFaces": vec![face; 36],
    });
    let answer = answer.to_string();
    assert!(answer.len() < RECOGNITION_BYTES_MAX);
    assert_eq!(super::rekognition::read(&ok(answer)).unwrap().len(), 64);
}

#[test]
fn a_plan_of_a_megabyte_is_none() {
    let words = "a".repeat(300_000);
    let plan = json!({"nextCandidates": ["Fantine"], "narration": words});
    let texts = [
        plan.to_string(),
        "[".repeat(300_000),
        format!(r#"{{"nextCandidates":[{}""]}}"#, r#""","#.repeat(80_000)),
    ];
    for text in texts {
        let parts = json!([{"text": text}]);
        let answer = json!({"candidates": [{"content": {"parts": parts}}]});
        check_malformed("gemini", gemini_settings().read(&ok(answer.to_string())).0);
        let answer = json!({"choices": [{"message": {"content": text}}]});
        check_malformed("openai", openai_settings().read(&ok(answer.to_string())).0);
    }
    let answer = json!({"response": plan});
    check_malformed(
        "workers-ai",
        workers_ai_settings().read(&ok(answer.to_string())).0,
    );
}
