//! Tests of the refusals of each search.

use super::*;

/// Sends a request with a path and one header, and checks the status and a member of the response.
fn check(address: &str, header: Option<(&str, &str)>, expect: (u16, &str, Value)) {
    let mut sandbox = plain();
    let mut request = Request::get(address);
    if let Some((name, value)) = header {
        request = request.header(name, value);
    }
    let reply = sandbox.respond(request.body(Vec::new()).unwrap(), NOW_MS);
    let (code, pointer, value) = expect;
    assert_eq!(status(&reply), code, "{address}");
    assert_eq!(body(&reply).pointer(pointer), Some(&value), "{address}");
}

#[test]
fn brave_is_strict() {
    let key = Some(("x-subscription-token", "sandbox-brave-key"));
    let base = "/brave/res/v1/images/search?";
    let ask = |rest: &str, header, expect| check(&format!("{base}{rest}"), header, expect);
    let wrong = |place: [&str; 2]| (422, "/error/meta/errors/0/loc", json!(place));
    let token = ["header", "x-subscription-token"];
    ask("q=a", None, wrong(token));
    ask(
        "q=a",
        Some(("x-api-key", "sandbox-brave-key")),
        wrong(token),
    );
    ask("q=a&key=sandbox-brave-key", None, wrong(token));
    ask("q=a", None, (422, "/error/code", json!("VALIDATION")));
    let invalid = (422, "/error/code", json!("SUBSCRIPTION_TOKEN_INVALID"));
    ask("nonsense=1", Some(("x-subscription-token", "x")), invalid);
    ask("", key, wrong(["query", "q"]));
    ask("q=", key, wrong(["query", "q"]));
    ask("q=+", key, wrong(["query", "q"]));
    ask(
        &format!("q={}", "a".repeat(401)),
        key,
        wrong(["query", "q"]),
    );
    ask(
        &format!("q={}", "a+".repeat(51)),
        key,
        wrong(["query", "q"]),
    );
    ask("q=a&nonsense=1", key, wrong(["query", "nonsense"]));
    for (name, value) in [
        ("count", "0"),
        ("count", "201"),
        ("count", "x"),
        ("safesearch", "moderate"),
        ("country", "Germany"),
        ("search_lang", "e"),
        ("spellcheck", "maybe"),
    ] {
        ask(&format!("q=a&{name}={value}"), key, wrong(["query", name]));
    }
    let good = "count=200&safesearch=off&country=ALL&search_lang=en&spellcheck=false";
    ask(
        &format!("q={}&{good}", "a".repeat(400)),
        key,
        (200, "/type", json!("images")),
    );
    ask(
        &format!("q={}", "a+".repeat(50)),
        key,
        (200, "/type", json!("images")),
    );
}

#[test]
fn openverse_is_strict() {
    let ask = |rest: &str, status: u16, pointer: &str, text: &str| {
        let address = format!("/openverse/v1/images/?{rest}");
        check(&address, None, (status, pointer, json!(text)));
    };
    ask(
        "q=a&page_size=21",
        401,
        "/detail",
        "Ensure this value is less than or equal to 20.",
    );
    ask(
        "page_size=0",
        400,
        "/detail/page_size/0",
        "Ensure this value is greater than or equal to 1.",
    );
    ask(
        "page=x",
        400,
        "/detail/page/0",
        "A valid integer is required.",
    );
    ask(
        "page=21",
        400,
        "/detail/page/0",
        "Ensure this value is less than or equal to 20.",
    );
    for name in ["mature", "filter_dead"] {
        let place = format!("/detail/{name}/0");
        ask(
            &format!("{name}=x"),
            400,
            &place,
            "Must be a valid boolean.",
        );
    }
    ask(
        "license=by,xx",
        400,
        "/detail/license/0",
        "License 'xx' does not exist.",
    );
    ask(
        "license_type=free",
        400,
        "/detail/license_type/0",
        "License type 'free' does not exist.",
    );
    ask(
        "qq=a",
        400,
        "/detail/qq/0",
        "The sandbox knows no parameter of this name.",
    );
    ask(
        "pagesize=5",
        400,
        "/detail/pagesize/0",
        "Parameter 'pagesize' is deprecated in this release of the API. Use 'page_size' instead.",
    );
    let key = Some(("authorization", "Bearer x"));
    let refused = (
        401,
        "/detail",
        json!("Incorrect authentication credentials."),
    );
    check("/openverse/v1/images/?q=a", key, refused);
}

#[test]
fn serpapi_is_strict() {
    let key = "api_key=sandbox-serpapi-key&engine=google_images";
    let bad_key =
        "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key";
    for (rest, status, text) in [
        ("engine=google_images&q=a".to_owned(), 401, bad_key),
        (
            "engine=google_images&q=a&api_key=x".to_owned(),
            401,
            bad_key,
        ),
        (
            "q=a&api_key=sandbox-serpapi-key".to_owned(),
            400,
            "Missing query `engine` parameter.",
        ),
        (
            "q=a&api_key=sandbox-serpapi-key&engine=bing".to_owned(),
            400,
            "Unsupported `bing` search engine.",
        ),
        (key.to_owned(), 400, "Missing query `q` parameter."),
        (
            format!("{key}&q=a&nonsense=1"),
            400,
            "Unsupported `nonsense` parameter.",
        ),
        (
            format!("{key}&q=a&ijn=x"),
            400,
            "Unsupported `x` value for `ijn` parameter.",
        ),
        (
            format!("{key}&q=a&safe=strict"),
            400,
            "Unsupported `strict` value for `safe` parameter.",
        ),
        (
            format!("{key}&q=a&image_type=all"),
            400,
            "Unsupported `all` value for `image_type` parameter.",
        ),
    ] {
        check(
            &format!("/serpapi/search?{rest}"),
            None,
            (status, "/error", json!(text)),
        );
    }
    let header = Some(("x-api-key", "sandbox-serpapi-key"));
    check(
        "/serpapi/search?engine=google_images&q=a",
        header,
        (401, "/error", json!(bad_key)),
    );
    let success = (200, "/search_metadata/status", json!("Success"));
    check(
        &format!("/serpapi/search.json?{key}&q=a&safe=active&image_type=face&ijn=0"),
        None,
        success,
    );
}

#[test]
fn serper_is_strict() {
    let mut sandbox = plain();
    let mut ask = |request: Request<Vec<u8>>, expect: u16, text: &str| {
        let reply = sandbox.respond(request, NOW_MS);
        assert_eq!(status(&reply), expect, "{text}");
        assert_eq!(body(&reply), json!({"message": text, "statusCode": expect}));
    };
    let key = "sandbox-serper-key";
    ask(serper("x", &json!({"q": "a"})), 403, "Unauthorized.");
    let mut bare = serper(key, &json!({"q": "a"}));
    let value = bare.headers_mut().remove("x-api-key").unwrap();
    bare.headers_mut().insert("authorization", value);
    ask(bare, 403, "Unauthorized.");
    ask(serper(key, &json!({})), 400, "Missing query parameter");
    ask(
        serper(key, &json!({"q": " "})),
        400,
        "Missing query parameter",
    );
    ask(serper(key, &json!([])), 400, "Invalid JSON body");
    ask(
        serper(key, &json!({"q": "a", "count": 5})),
        400,
        "Unknown parameter 'count'",
    );
    ask(
        serper(key, &json!({"q": "a", "num": 0})),
        400,
        "Invalid num parameter",
    );
    ask(
        serper(key, &json!({"q": "a", "num": "5"})),
        400,
        "Invalid num parameter",
    );
    let mut text = serper(key, &json!({"q": "a"}));
    text.headers_mut()
        .insert("content-type", "text/plain".parse().unwrap());
    ask(text, 400, "Invalid JSON body");
    let name = famous(&sandbox).replace('+', " ");
    let page = |sandbox: &mut Sandbox, page: u64| {
        let request = serper(key, &json!({"q": name, "num": 2, "page": page}));
        body(&sandbox.respond(request, NOW_MS))
    };
    let (first, second) = (page(&mut sandbox, 1), page(&mut sandbox, 2));
    assert_eq!(first["images"].as_array().unwrap().len(), 2);
    assert_ne!(
        first["images"][0]["imageUrl"],
        second["images"][0]["imageUrl"]
    );
    assert_eq!(status(&get(&mut sandbox, "/serper/images?q=a")), 404);
}
