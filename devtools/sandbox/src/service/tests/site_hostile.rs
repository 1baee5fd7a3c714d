//! Tests of the hostile pages and of the canary as a browser without scripts sees them.

use std::collections::BTreeSet;

use super::site::{Visitor, text};
use super::*;

const PAGES: usize = 300;

/// Returns the kinds of each hostile page, according to the site's list.
fn kinds(visitor: &mut Visitor) -> Vec<Vec<String>> {
    let list = body(&visitor.get("/site/hostile"));
    serde_json::from_value(list["pages"].clone()).unwrap()
}

/// Returns the number of the page whose only kind is this one.
fn page_of(visitor: &mut Visitor, kind: &str) -> usize {
    let kinds = kinds(visitor);
    let alone = kinds.iter().position(|kinds| *kinds == [kind]);
    alone.unwrap_or_else(|| panic!("no page has the kind {kind} alone"))
}

#[test]
fn the_pages_are_the_same_every_time_and_each_has_an_honest_target() {
    let all = || {
        let mut visitor = Visitor::new();
        let pages = (0..PAGES).map(|number| visitor.get(&format!("/site/hostile/{number}")));
        pages.map(|reply| text(&reply)).collect::<Vec<_>>()
    };
    let pages = all();
    assert_eq!(pages, all());
    let different: BTreeSet<_> = pages.iter().collect();
    assert_eq!(different.len(), PAGES);
    for (number, page) in pages.iter().enumerate() {
        let form = format!("action=\"/site/hostile/{number}/continue\" method=\"post\"");
        assert!(page.contains(&form), "{number}");
        assert!(
            page.contains("<input id=\"word\" name=\"word\""),
            "{number}"
        );
        let button = "<button id=\"continue\" type=\"submit\">Continue</button>";
        assert!(page.contains(button), "{number}");
        for mark in ["@HERE", "@FOREIGN", "@THIRD", "@SOCKET", "@HOST"] {
            assert!(!page.contains(mark), "{number} has {mark}");
        }
        assert_eq!(
            page.matches("<script").count(),
            page.matches("</script>").count()
        );
    }
}

#[test]
fn every_kind_that_is_wanted_occurs() {
    let mut visitor = Visitor::new();
    let kinds = kinds(&mut visitor);
    assert_eq!(kinds.len(), PAGES);
    let names: BTreeSet<String> = kinds.into_iter().flatten().collect();
    assert!(names.len() >= 100, "{}", names.len());
    for wanted in [
        "alert-endless",
        "beforeunload-trap",
        "confirm-until-yes",
        "continues-in-a-new-tab",
        "downloads-by-link",
        "fake-selectors",
        "frame-of-another-origin",
        "frames-in-frames",
        "history-holds",
        "hundred-megabytes",
        "leak-by-beacon",
        "leak-by-fetch",
        "leak-by-image",
        "leak-by-service-worker",
        "leak-by-socket",
        "leaves-for-a-file",
        "leaves-for-a-script",
        "leaves-for-data",
        "leaves-for-loopback",
        "log-in-of-another-origin",
        "moved-to-another-origin",
        "orders-in-attributes",
        "orders-in-the-title",
        "orders-out-of-sight",
        "pop-ups-at-once",
        "prompt-for-password",
        "refreshes-itself",
        "script-without-end",
    ] {
        assert!(names.contains(wanted), "{wanted}");
    }
}

#[test]
fn whoever_continues_is_told_of_once_and_led_on() {
    let mut visitor = Visitor::new();
    let honest = page_of(&mut visitor, "alert-bounded");
    let to = visitor.send(&format!("/site/hostile/{honest}/continue"), "word=hello");
    let done = format!("/site/hostile/{honest}/done");
    assert_eq!(to, Ok(done.clone()));
    assert!(visitor.page(&done).contains("You have arrived."));
    assert_eq!(visitor.lines(), ["continue done {\"word\":\"hello\"}"]);
    assert_eq!(
        visitor.log()["actions"][0]["variant"],
        format!("hostile/{honest}")
    );

    let twisted = page_of(&mut visitor, "sends-what-was-typed-onward");
    let address = format!("/site/hostile/{twisted}/continue");
    let kind = "application/x-www-form-urlencoded";
    let request = Request::post(address).header("content-type", kind);
    let reply = visitor.ask(request, "word=x");
    assert_eq!(status(&reply), 307);
    let to = reply.response.headers()[LOCATION].to_str().unwrap();
    assert_eq!(
        to,
        format!("http://localhost:8788/site/canary/{twisted}/onward")
    );
    assert_eq!(visitor.lines().len(), 2);
}

#[test]
fn a_page_that_is_moved_says_where_to() {
    let mut visitor = Visitor::new();
    for (kind, to) in [
        (
            "moved-to-another-origin",
            "http://localhost:8788/site/canary/",
        ),
        ("moved-to-loopback", "http://127.0.0.1:9333/"),
        ("moved-to-a-file", "file:///etc/passwd"),
        ("moved-for-ever", "/site/hostile/"),
    ] {
        let number = page_of(&mut visitor, kind);
        let reply = visitor.get(&format!("/site/hostile/{number}"));
        assert_eq!(status(&reply), 302, "{kind}");
        let location = reply.response.headers()[LOCATION].to_str().unwrap();
        assert!(location.starts_with(to), "{kind}: {location}");
    }
}

#[test]
fn slow_parts_are_slow_and_every_part_answers() {
    let mut visitor = Visitor::new();
    let drops = page_of(&mut visitor, "comes-in-drops");
    let reply = visitor.get(&format!("/site/hostile/{drops}"));
    assert!(reply.response.body().pauses_ms() >= 10_000);
    assert!(!reply.is_short());
    for (part, expect, header) in [
        ("done", 200, "content-type"),
        ("file", 200, "content-disposition"),
        ("picture", 200, "content-type"),
        ("never", 200, "content-type"),
        ("authentication", 401, "www-authenticate"),
        ("worker.js", 200, "service-worker-allowed"),
        ("frame?depth=3", 200, "content-type"),
        ("other", 404, "content-type"),
    ] {
        let reply = visitor.get(&format!("/site/hostile/0/{part}"));
        assert_eq!(status(&reply), expect, "{part}");
        assert!(reply.response.headers().contains_key(header), "{part}");
        assert_eq!(reply.latency_ms > 0, part == "never", "{part}");
    }
    let deep = visitor.page("/site/hostile/0/frame?depth=4000000");
    assert!(deep.contains("frame?depth=19\""), "{deep}");
    for path in [
        "/site/hostile/300",
        "/site/hostile/x",
        "/site/hostile/+1",
        "/site/hostile/",
    ] {
        assert_eq!(status(&visitor.get(path)), 404, "{path}");
    }
}

#[test]
fn the_canary_hears_what_leaves_and_nothing_else() {
    let mut visitor = Visitor::new();
    for number in 0..PAGES {
        visitor.get(&format!("/site/hostile/{number}"));
    }
    visitor.page("/site/v0/");
    let silent = json!({"arrived": [], "count": 0});
    assert_eq!(body(&visitor.get("/site/canary")), silent);
    for method in ["GET", "POST", "PUT", "OPTIONS", "DELETE"] {
        let request = Request::builder().method(method).uri("/site/canary/3/x");
        let request = request.header("x-amz-target", "any");
        let reply = visitor.ask(request, "typed:sandbox-site-password");
        assert_eq!(status(&reply), 200, "{method}");
        assert_eq!(reply.response.headers()["access-control-allow-origin"], "*");
    }
    let heard = body(&visitor.get("/site/canary"));
    assert_eq!(heard["count"], 5);
    assert_eq!(heard["arrived"][3]["method"], "OPTIONS");
    assert_eq!(heard["arrived"][1]["has_password"], true);
    assert!(!heard.to_string().contains("sandbox-site-password"));
    assert_eq!(visitor.lines(), [""; 0]);
    visitor.ask(Request::delete("/site/canary"), "");
    assert_eq!(body(&visitor.get("/site/canary")), silent);
}
