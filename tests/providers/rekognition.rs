//! What is sent to the recogniser, and how its answers are parsed.

use domain::{Face, FaceBox, Failure};
use platform::WireResponse;
use providers::{Credentials, Recogniser as _, Signer, rekognition};
use serde_json::{Value, json};

use super::shapes::check_wrong_types;
use super::shared::{SECRET, check_malformed, check_row, check_rows, headers, ok};

pub const REPLY: &str = include_str!("rekognition.json");
const FAILURES: &str = include_str!("rekognition_failures.json");
/// 2015-08-30 12:36:00 UTC.
pub const NOW_MS: u64 = 1_440_938_160_000;

pub fn rekognition_settings() -> rekognition::RekognitionSettings {
    rekognition::RekognitionSettings {
        endpoint: rekognition::endpoint_default("eu-west-1"),
        signer: Signer {
            credentials: Credentials {
                access_key_id: "AKIDEXAMPLE".into(),
                secret_access_key: SECRET.into(),
                session_token: None,
            },
            region: "eu-west-1".into(),
            service: rekognition::SERVICE.into(),
        },
    }
}

pub fn read(response: &WireResponse) -> Result<Vec<Face>, Failure> {
    rekognition_settings()
        .read(response)
        .map(|answer| answer.faces)
}

#[test]
fn rekognition_is_asked_with_the_photo_in_base64_and_signed() {
    let settings = rekognition_settings();
    let request = settings
        .request(&[0xFF, 0xD8, 0xFF, 0xE0], &[], NOW_MS)
        .unwrap();
    assert_eq!(request.method(), "POST");
    assert_eq!(
        request.uri().to_string(),
        "https://rekognition.eu-west-1.amazonaws.com/"
    );
    assert_eq!(request.body(), br#"{"Image":{"Bytes":"/9j/4A=="}}"#);
    let headers = headers(&request);
    let (names, values): (Vec<&str>, Vec<&str>) = headers.into_iter().unzip();
    assert_eq!(
        names,
        [
            "authorization",
            "content-type",
            "x-amz-date",
            "x-amz-target"
        ]
    );
    let scope = "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/eu-west-1/rekognition/aws4_request, \
                 SignedHeaders=content-type;host;x-amz-date;x-amz-target, Signature=";
    assert!(values[0].starts_with(scope), "{}", values[0]);
    assert_eq!(
        values[1..],
        [
            "application/x-amz-json-1.1",
            "20150830T123600Z",
            "RekognitionService.RecognizeCelebrities"
        ]
    );
    assert!(!format!("{request:?}").contains(SECRET));
}

#[test]
fn rekognition_is_sent_a_token_only_where_there_is_one_and_one_slash() {
    let mut settings = rekognition_settings();
    settings.endpoint = "http://127.0.0.1:9001/".into();
    settings.signer.credentials.session_token = Some("TOK".into());
    let request = settings.request(b"photo", &[], NOW_MS).unwrap();
    assert_eq!(request.uri().to_string(), "http://127.0.0.1:9001/");
    assert_eq!(request.headers()["x-amz-security-token"], "TOK");
    let authorization = request.headers()["authorization"].to_str().unwrap();
    let names = "SignedHeaders=content-type;host;x-amz-date;x-amz-security-token;x-amz-target,";
    assert!(authorization.contains(names), "{authorization}");
}

#[test]
fn the_real_rekognition_reply_gives_the_match_confidence() {
    let faces = read(&ok(REPLY)).unwrap();
    let [face] = &faces[..] else {
        panic!("{faces:?}");
    };
    assert_eq!(
        (face.id.as_str(), face.name.as_str()),
        ("1SK7cR8M", "Jeff Bezos")
    );
    // 99.991... belongs to the box.
    assert!((face.confidence.percent() - 99.997_940_063_476_56).abs() < 1e-9);
    let FaceBox {
        left,
        top,
        width,
        height,
    } = face.face_box;
    for (read, sent) in [
        (left, 0.256_649_076),
        (top, 0.165_099_054),
        (width, 0.471_216_261),
        (height, 0.475_733_846),
    ] {
        assert!((read - sent).abs() < 1e-8, "{read} and {sent}");
    }
    assert_eq!(
        face.urls,
        [
            "www.wikidata.org/wiki/Q312556",
            "www.imdb.com/name/nm1757263"
        ]
    );
}

pub fn faces(celebrities: &Value) -> Result<Vec<Face>, Failure> {
    read(&ok(json!({"CelebrityFaces": celebrities}).to_string()))
}

#[test]
fn nobody_recognised_is_an_empty_answer() {
    assert_eq!(faces(&json!([])), Ok(Vec::new()));
    let unknown = json!({"CelebrityFaces": [], "UnrecognizedFaces": [{"Confidence": 99.9}]});
    assert_eq!(read(&ok(unknown.to_string())), Ok(Vec::new()));
}

#[test]
fn a_face_without_match_confidence_counts_for_nothing() {
    let read = faces(&json!([{"Name": "Fantine", "Id": "1", "Face": {"Confidence": 99.9}}]));
    assert!(read.unwrap()[0].confidence.percent() < f64::EPSILON);
}

#[test]
fn a_face_with_neither_id_nor_name_is_nobody() {
    for celebrity in [
        json!({"MatchConfidence": 99.9}),
        json!({"Id": "", "Name": "", "MatchConfidence": 99.9}),
        json!({"Id": "", "Name": " ?! ", "MatchConfidence": 99.9}),
    ] {
        let known = json!({"Id": "1", "Name": "Fantine", "MatchConfidence": 90.0});
        let read = faces(&json!([celebrity, known])).unwrap();
        let names: Vec<&str> = read.iter().map(|face| face.name.as_str()).collect();
        assert_eq!(names, ["Fantine"], "{celebrity}");
    }
}

#[test]
fn two_hundred_faces_are_cut_to_sixty_four_and_long_texts_are_cut() {
    let celebrity = |number: u32| {
        json!({
            "Name": "ï".repeat(100_000 / (1 + 9_999 * usize::from(number > 0))),
            "Id": format!("{number}"), "MatchConfidence": 90.0,
            "Urls": vec!["u".repeat(300); 20],
        })
    };
    let celebrities: Vec<Value> = (0..200).map(celebrity).collect();
    let read = faces(&Value::Array(celebrities)).unwrap();
    assert_eq!(read.len(), 64);
    assert_eq!(read[63].id, "63");
    assert_eq!(read[0].name, "ï".repeat(256));
    assert_eq!(read[0].urls, vec!["u".repeat(256); 4]);
}

#[test]
fn odd_numbers_never_make_a_confidence_outside_its_range() {
    for (number, percent) in [
        ("0", 0.0),
        ("-5", 0.0),
        ("-1e308", 0.0),
        ("1e-320", 0.0),
        ("79.9999", 79.9999),
    ] {
        let body = format!(r#"{{"CelebrityFaces":[{{"Id":"1","MatchConfidence":{number}}}]}}"#);
        let read = read(&ok(body)).unwrap();
        assert!(
            (read[0].confidence.percent() - percent).abs() < 1e-9,
            "{number}"
        );
    }
    for number in ["100.5", "1e9", "1e308", "18446744073709551616"] {
        let body = format!(r#"{{"CelebrityFaces":[{{"Id":"1","MatchConfidence":{number}}}]}}"#);
        if let Ok(read) = read(&ok(body)) {
            assert!(read[0].confidence.percent() <= 100.0, "{number}");
        }
    }
    for number in ["NaN", "Infinity", "-Infinity", "1e999"] {
        let body = format!(r#"{{"CelebrityFaces":[{{"Id":"1","MatchConfidence":{number}}}]}}"#);
        check_malformed(number, read(&ok(body)));
    }
    for odd in [
        json!(null),
        json!("NaN"),
        json!("99.9"),
        json!(true),
        json!([99.9]),
    ] {
        let read = faces(&json!([{"Id": "1", "MatchConfidence": odd}])).unwrap();
        assert!(read[0].confidence.percent() < f64::EPSILON, "{odd}");
    }
}

#[test]
fn one_odd_member_loses_no_paid_answer() {
    let good = read(&ok(REPLY)).unwrap();
    let with = |place: &str, odd: &Value| {
        let mut reply: Value = serde_json::from_str(REPLY).unwrap();
        let known = json!({"Id": "2", "Name": "Fantine", "MatchConfidence": 90.0});
        *reply.pointer_mut(place).unwrap() = odd.clone();
        reply["CelebrityFaces"].as_array_mut().unwrap().push(known);
        let faces = read(&ok(reply.to_string())).unwrap();
        assert_eq!(faces.last().unwrap().name, "Fantine", "{place} {odd}");
        faces[0].clone()
    };
    let place = |member: &str| format!("/CelebrityFaces/0/{member}");
    for odd in [json!(null), json!(7), json!({}), json!([null])] {
        assert_eq!(with(&place("Id"), &odd).name, good[0].name);
        assert_eq!(with(&place("Name"), &odd).id, good[0].id);
        assert_eq!(with(&place("Urls"), &odd).urls, [""; 0]);
        assert_eq!(with(&place("Urls/0"), &odd).urls, good[0].urls[1..]);
        for member in ["Face", "Face/BoundingBox", "Face/BoundingBox/Left"] {
            let face = with(&place(member), &odd);
            assert_eq!(face.confidence, good[0].confidence);
            if odd != json!(7) || member != "Face/BoundingBox/Left" {
                assert!(face.face_box.left.abs() < f64::EPSILON, "{member} {odd}");
            }
        }
        assert_eq!(with("/CelebrityFaces/0", &odd).name, "Fantine");
        check_malformed("no list", faces(&json!({"odd": odd})));
    }
    check_malformed("nothing", read(&ok("{}")));
    check_malformed("null", faces(&json!(null)));
}

#[test]
fn each_failure_of_rekognition_has_its_kind_and_hint() {
    check_rows(read, FAILURES);
}

#[test]
fn a_photo_too_large_is_told_as_such_by_either_exception() {
    let message = "1 validation error detected: Value 'java.nio.HeapByteBuffer[pos=0]' at \
                   'image.bytes' failed to satisfy constraint: Member must have length less than \
                   or equal to 5242880";
    for kind in ["ValidationException", "InvalidParameterException"] {
        let body = json!({"__type": kind, "Message": message});
        let row = json!({"kind": "TooLarge", "status": 400, "body": body});
        check_row(read, &row);
    }
}

#[test]
fn an_aws_error_type_counts_whatever_stands_beside_it() {
    let kind = "ThrottlingException";
    for body in [
        json!({"__type": kind, "message": null}),
        json!({"__type": kind, "Message": null, "code": null}),
        json!({"__type": kind, "message": "x", "Message": "x"}),
        json!({"__type": kind, "code": kind, "Code": kind}),
        json!({"__type": kind, "Message": {"text": "x"}}),
    ] {
        let row = json!({"kind": "Throttled", "status": 400, "body": body});
        check_row(read, &row);
    }
}

#[test]
fn wrong_types_never_make_a_person() {
    let good = read(&ok(REPLY)).unwrap().remove(0);
    let is_url = |url: &String| good.urls.contains(url) || url == "Mallory";
    check_wrong_types(REPLY, read, |faces| {
        faces.iter().all(|face| {
            (face.id == good.id || face.id.is_empty())
                && (face.name == good.name || face.name.is_empty())
                && face.confidence <= good.confidence
                && face.urls.iter().all(&is_url)
        })
    });
}
