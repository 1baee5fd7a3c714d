//! Tests of the refusals and the failures of Commons.

use super::*;

#[test]
fn who_does_not_say_who_asks_gets_a_text() {
    let mut sandbox = plain();
    let name = famous(&sandbox);
    let api = format!("{BASE}&gsrsearch={name}");
    let file =
        local(&body(&search(&mut sandbox, &name))["query"]["pages"][0]["imageinfo"][0]["thumburl"]);
    for address in [api, file] {
        for (agent, expect) in [
            (None, 403),
            (Some("curl/8"), 403),
            (Some("a/1 (b@example.org)"), 200),
        ] {
            let mut request = Request::get(&address);
            if let Some(agent) = agent {
                request = request.header("user-agent", agent);
            }
            let reply = sandbox.respond(request.body(Vec::new()).unwrap(), NOW_MS);
            assert_eq!(status(&reply), expect, "{agent:?}");
            if expect == 403 {
                let headers = reply.response.headers();
                assert!(
                    headers[CONTENT_TYPE]
                        .to_str()
                        .unwrap()
                        .starts_with("text/plain")
                );
                let text = String::from_utf8(reply.response.into_body().bytes()).unwrap();
                assert!(text.contains("https://w.wiki/4wJS"), "{text}");
            }
        }
    }
}

#[test]
fn what_is_wrong_is_an_error_with_status_200_or_only_a_warning() {
    let mut sandbox = plain();
    let too_long = format!(
        "action=query&generator=search&gsrsearch={}",
        "a".repeat(301)
    );
    for (rest, code) in [
        ("action=query&generator=search", Some("missingparam")),
        (
            "action=query&generator=search&gsrsearch=",
            Some("missingparam"),
        ),
        ("action=query&generator=allpages", Some("badvalue")),
        ("action=opensearch", Some("badvalue")),
        (&too_long, Some("cirrussearch-query-too-long")),
        (
            "action=query&generator=search&gsrsearch=a&gsrlimit=x",
            Some("badinteger"),
        ),
        ("action=query&generator=search&gsrsearch=a&gsrlimit=0", None),
        (
            "action=query&generator=search&gsrsearch=a&gsrlimit=501",
            None,
        ),
        (
            "action=query&generator=search&gsrsearch=a&gsrlimit=max",
            None,
        ),
        ("action=query&generator=search&gsrsearch=a&unknown=1", None),
        (
            "action=query&generator=search&gsrsearch=a&prop=imageinfo&iiprop=nonsense",
            None,
        ),
        (
            "action=query&generator=search&gsrsearch=a&prop=imageinfo&iiurlwidth=wide",
            Some("badinteger"),
        ),
    ] {
        let address = format!("/commons/w/api.php?format=json&formatversion=2&{rest}");
        let reply = get(&mut sandbox, &address);
        assert_eq!(status(&reply), 200, "{rest}");
        let header = reply.response.headers().get("mediawiki-api-error");
        assert_eq!(header.map(|code| code.to_str().unwrap()), code, "{rest}");
        let answer = body(&reply);
        assert_eq!(answer["error"]["code"].as_str(), code, "{rest}");
        assert_eq!(
            answer["error"]["info"].is_string(),
            code.is_some(),
            "{rest}"
        );
        let has_warning = code.is_none() && !rest.contains("max");
        assert_eq!(
            answer["warnings"].is_object(),
            has_warning,
            "{rest}: {answer}"
        );
    }
    let html = get(&mut sandbox, "/commons/w/api.php?action=query");
    assert!(
        html.response.headers()[CONTENT_TYPE]
            .to_str()
            .unwrap()
            .starts_with("text/html")
    );
    let galleries = BASE.replace("&gsrnamespace=6", "");
    let name = famous(&sandbox);
    let none = body(&get(&mut sandbox, &format!("{galleries}&gsrsearch={name}")));
    assert!(
        none.get("query").is_none(),
        "files are in namespace 6 alone"
    );
}

#[test]
fn each_fault_has_its_body() {
    let fail = |kind: &str| {
        ask_any(
            &mut faulty(SandboxProvider::Commons, kind),
            SandboxProvider::Commons,
        )
    };
    for (kind, code) in [
        ("ratelimited", "ratelimited"),
        ("maxlag", "maxlag"),
        ("readonly", "readonly"),
        ("internal-api-error", "internal_api_error_DBQueryError"),
        ("search-backend-error", "cirrussearch-backend-error"),
        ("search-busy-error", "cirrussearch-too-busy-error"),
    ] {
        let reply = fail(kind);
        assert_eq!(reply.response.headers()["mediawiki-api-error"], code);
        assert_eq!(body(&reply)["error"]["code"], code);
    }
    for (kind, wait) in [
        ("maxlag", Some("5")),
        ("throttled-429", Some("5")),
        ("throttled-bare", None),
    ] {
        let reply = fail(kind);
        let header = reply.response.headers().get(RETRY_AFTER);
        assert_eq!(header.map(|wait| wait.to_str().unwrap()), wait, "{kind}");
    }
    let text = |kind: &str| String::from_utf8(fail(kind).response.into_body().bytes()).unwrap();
    assert!(text("missing-agent-403").contains("w.wiki/4wJS"));
    assert!(text("throttled-429").contains("Your bot is making too many requests"));
    assert!(text("bad-gateway-html").starts_with("<!DOCTYPE html>"));
    assert!(text("unavailable-503").starts_with("upstream connect error"));
    let mut sandbox = faulty(SandboxProvider::Commons, "thumb-step-400");
    let pages = body(&ask_any(&mut sandbox, SandboxProvider::Commons));
    let pages = pages["query"]["pages"].as_array().unwrap();
    let refused = get(&mut sandbox, &local(&pages[0]["imageinfo"][0]["thumburl"]));
    assert_eq!(status(&refused), 400);
    let text = String::from_utf8(refused.response.into_body().bytes()).unwrap();
    assert_eq!(text, "Use thumbnail steps listed on https://w.wiki/GHai\n");
}
