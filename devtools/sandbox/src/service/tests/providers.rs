//! Tests of the answers and the refusals of each provider.

use super::*;

#[test]
fn everybody_answers_a_good_request() {
    for provider in SandboxProvider::ALL {
        assert_eq!(status(&ask_any(&mut plain(), provider)), 200, "{provider}");
    }
}

#[test]
fn the_search_honours_its_parameters() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let all = body(&search(&mut sandbox, &format!("q={name}&num=4")));
    let items = all["items"].as_array().unwrap();
    assert_eq!(items.len(), 4);
    assert!(all["searchInformation"]["totalResults"].is_string());
    assert!(items[0]["image"]["byteSize"].is_u64());
    let later = body(&search(&mut sandbox, &format!("q={name}&num=2&start=3")));
    assert_eq!(later["items"][0], items[2]);
    assert_eq!(later["queries"]["previousPage"][0]["startIndex"], 1);
    let mask = "items(link,mime),searchInformation/totalResults";
    let few = body(&search(
        &mut sandbox,
        &format!("q={name}&num=1&fields={mask}"),
    ));
    assert_eq!(few.as_object().unwrap().len(), 2);
    assert_eq!(few["items"][0].as_object().unwrap().len(), 2);
    let none = body(&search(&mut sandbox, "q=nobody+anywhere"));
    assert!(none.get("items").is_none());
    assert_eq!(none["searchInformation"]["totalResults"], "0");
}

#[test]
fn the_search_says_how_large_a_file_really_is() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let item = body(&search(&mut sandbox, &format!("q={name}&num=1")))["items"][0].clone();
    let address = item["link"]
        .as_str()
        .unwrap()
        .strip_prefix("http://127.0.0.1:8788")
        .unwrap();
    let reply = get(&mut sandbox, address);
    assert_eq!(
        reply.response.headers()[CONTENT_TYPE],
        item["mime"].as_str().unwrap()
    );
    let bytes = reply.response.into_body().bytes();
    assert_eq!(item["image"]["byteSize"], bytes.len());
    let size = crate::picture::inspect(&bytes).unwrap();
    assert_eq!(item["image"]["width"], size.width_px);
}

#[test]
fn the_search_is_strict() {
    let mut sandbox = plain();
    let base = "/customsearch/v1?searchType=image&q=a";
    let good = "key=sandbox-google-key&cx=sandbox-engine";
    for (rest, expect) in [
        ("", 403),
        ("&key=x&cx=sandbox-engine", 400),
        ("&key=sandbox-google-key", 400),
        ("&key=sandbox-google-key&cx=", 400),
        (&format!("&{good}&num=11"), 400),
        (&format!("&{good}&num=0"), 400),
        (&format!("&{good}&start=91&num=10"), 400),
        (&format!("&{good}&imgType=photograph"), 400),
        (&format!("&{good}&nonsense=1"), 400),
        (&format!("&{good}&fields=items("), 400),
        (&format!("&{good}&fields=nonsense"), 400),
        (
            &format!("&{good}&start=90&num=10&imgType=photo&safe=active"),
            200,
        ),
    ] {
        assert_eq!(
            status(&get(&mut sandbox, &format!("{base}{rest}"))),
            expect,
            "{rest}"
        );
    }
    let wrong = get(&mut sandbox, &format!("{base}&key=x"));
    assert_eq!(
        body(&wrong)["error"]["details"][0]["reason"],
        "API_KEY_INVALID"
    );
}

#[test]
fn the_recogniser_reads_the_bytes_it_is_sent() {
    let mut sandbox = sandbox(SandboxOptions {
        rules: Rules::from(0.0),
        bad_images: false,
        ..SandboxOptions::default()
    });
    let photo = crowded(&sandbox);
    let thumbnail = get(&mut sandbox, &format!("/thumbnails/{photo}.jpg"))
        .response
        .into_body();
    for image in [picture(&mut sandbox, photo), thumbnail.bytes()] {
        let reply = recognise(&mut sandbox, &image);
        assert_eq!(status(&reply), 200);
        assert_eq!(reply.response.headers()["x-amzn-requestid"].len(), 36);
        let seen = body(&reply);
        let mut found: Vec<&str> = seen["CelebrityFaces"]
            .as_array()
            .unwrap()
            .iter()
            .map(|face| face["Id"].as_str().unwrap())
            .collect();
        found.sort_unstable();
        let people = sandbox.world().people_in(photo);
        let mut expected: Vec<&str> = people
            .iter()
            .map(|person| sandbox.world().people[*person].id.as_str())
            .collect();
        expected.sort_unstable();
        assert_eq!(found, expected);
        let face = &seen["CelebrityFaces"][0];
        assert_eq!(face["Face"]["Emotions"].as_array().unwrap().len(), 8);
        assert_eq!(face["Face"]["Landmarks"].as_array().unwrap().len(), 5);
        assert!(face["MatchConfidence"].as_f64().unwrap() >= 80.0);
    }
}

#[test]
fn missed_faces_are_unrecognised_ones() {
    let mut sandbox = sandbox(SandboxOptions {
        rules: Rules::from(1.0),
        bad_images: false,
        ..SandboxOptions::default()
    });
    let photo = crowded(&sandbox);
    let image = picture(&mut sandbox, photo);
    let seen = body(&recognise(&mut sandbox, &image));
    assert_eq!(seen["CelebrityFaces"], json!([]));
    let count = sandbox.world().people_in(photo).len();
    assert_eq!(seen["UnrecognizedFaces"].as_array().unwrap().len(), count);
}

#[test]
fn a_picture_of_another_world_shows_strangers() {
    let mut sandbox = plain();
    let mut other = Sandbox::new(
        World::generate(9, 30, 80),
        SandboxOptions {
            bad_images: false,
            ..SandboxOptions::default()
        },
    );
    let photo = crowded(&other);
    let image = picture(&mut other, photo);
    let seen = body(&recognise(&mut sandbox, &image));
    assert_eq!(seen["CelebrityFaces"], json!([]));
    assert!(!seen["UnrecognizedFaces"].as_array().unwrap().is_empty());
}

#[test]
fn the_recogniser_is_strict() {
    let mut sandbox = plain();
    let photo = crowded(&sandbox);
    let image = picture(&mut sandbox, photo);
    let mut check = |body: Vec<u8>, expect: &str| {
        let request = signed_request(&sandbox, body, NOW_MS);
        let reply = sandbox.respond(request, NOW_MS);
        assert_eq!(status(&reply), 400, "{expect}");
        assert_eq!(self::body(&reply)["__type"], expect);
    };
    let bytes = |text: &str| json!({"Image": {"Bytes": text}}).to_string().into_bytes();
    let file = |file: &[u8]| bytes(&STANDARD.encode(file));
    check(b"{".to_vec(), "SerializationException");
    check(bytes("****"), "SerializationException");
    check(bytes("AAA"), "SerializationException");
    check(
        bytes(&(STANDARD.encode(&image) + "\n")),
        "SerializationException",
    );
    check(
        bytes("data:image/png;base64,AAAA"),
        "InvalidImageFormatException",
    );
    check(b"{}".to_vec(), "InvalidParameterException");
    check(bytes(""), "ValidationException");
    check(file(&vec![0; 5_242_881]), "ValidationException");
    check(file(&vec![0; 5_242_880]), "InvalidImageFormatException");
    check(file(b"GIF89a......"), "InvalidImageFormatException");
    check(file(b"<!DOCTYPE html>"), "InvalidImageFormatException");
    check(
        file(&image[..image.len() / 2]),
        "InvalidImageFormatException",
    );
    check(
        br#"{"Image":{"S3Object":{"Bucket":"b"}}}"#.to_vec(),
        "InvalidS3ObjectException",
    );
    let tiny = crate::picture::tiny_photo(sandbox.world(), photo, Rules::default()).unwrap();
    assert_eq!(
        body(&recognise(&mut sandbox, &tiny))["__type"],
        "InvalidParameterException"
    );
}

#[test]
fn a_request_signed_too_early_or_for_another_body_is_refused() {
    let mut sandbox = plain();
    let request = signed_request(&sandbox, b"{}".to_vec(), NOW_MS - 400_000);
    let late = sandbox.respond(request, NOW_MS);
    assert_eq!(body(&late)["__type"], "InvalidSignatureException");
    let mut request = signed_request(&sandbox, b"{}".to_vec(), NOW_MS);
    *request.body_mut() = b"{ }".to_vec();
    let changed = sandbox.respond(request, NOW_MS);
    assert_eq!(body(&changed)["__type"], "InvalidSignatureException");
    let mut request = signed_request(&sandbox, b"{}".to_vec(), NOW_MS);
    request
        .headers_mut()
        .insert("content-type", "application/json".parse().unwrap());
    assert_eq!(status(&sandbox.respond(request, NOW_MS)), 403);
}

#[test]
fn the_recogniser_has_a_limit_per_second() {
    let options = SandboxOptions {
        recognitions_per_second_max: Some(2),
        bad_images: false,
        ..SandboxOptions::default()
    };
    let mut sandbox = sandbox(options);
    let image = picture(&mut sandbox, 0);
    let statuses: Vec<u16> = (0..3)
        .map(|_| status(&recognise(&mut sandbox, &image)))
        .collect();
    assert_eq!(statuses, [200, 200, 400]);
    let body = json!({"Image": {"Bytes": STANDARD.encode(&image)}})
        .to_string()
        .into_bytes();
    let request = signed_request(&sandbox, body, NOW_MS + 1_000);
    assert_eq!(status(&sandbox.respond(request, NOW_MS + 1_000)), 200);
}

#[test]
fn the_planner_answers_in_the_schema() {
    let mut sandbox = plain();
    let prompt = prompt(&sandbox);
    let answer = body(&plan(&mut sandbox, &prompt));
    assert_eq!(answer["candidates"][0]["finishReason"], "STOP");
    assert!(answer["usageMetadata"]["totalTokenCount"].as_u64().unwrap() > 10);
    let text = answer["candidates"][0]["content"]["parts"][0]["text"]
        .as_str()
        .unwrap();
    let choice: Value = serde_json::from_str(text).unwrap();
    assert!((1..=2).contains(&choice["nextCandidates"].as_array().unwrap().len()));
}

#[test]
fn a_temporary_key_of_any_region_needs_its_token() {
    let keys = crate::SandboxCredentials {
        aws_session_token: Some("token".to_owned()),
        aws_region: "eu-west-1".to_owned(),
        ..crate::SandboxCredentials::default()
    };
    let options = SandboxOptions {
        credentials: keys,
        bad_images: false,
        ..SandboxOptions::default()
    };
    let mut temporary = sandbox(options);
    let image = drawn(&temporary, 1);
    let body = json!({"Image": {"Bytes": STANDARD.encode(&image)}});
    let body = body.to_string().into_bytes();
    let good = signed_request(&temporary, body.clone(), NOW_MS);
    assert_eq!(good.headers()["x-amz-security-token"], "token");
    assert_eq!(status(&temporary.respond(good, NOW_MS)), 200);
    let without = signed_request(&plain(), body.clone(), NOW_MS);
    assert_eq!(status(&temporary.respond(without, NOW_MS)), 400);
    let mut other = signed_request(&temporary, body, NOW_MS);
    let headers = other.headers_mut();
    headers.insert("x-amz-security-token", "another".parse().unwrap());
    let refused = temporary.respond(other, NOW_MS);
    assert_eq!(
        self::body(&refused)["__type"],
        "UnrecognizedClientException"
    );
}
