//! Names that resolve to private addresses: nothing from there is shown, whatever the name.

use cdp::Sharing;
use domain::page::{ActionFailure, Look, PageAction};
use platform::Browser as _;
use settings::AddressPolicy;

use super::site::{Page, Site};
use super::support::{Bench, MS_MAX, in_chromium, started_with, terms, text};

const REMARK: &str = "The page was left: http://public.example is at a private address.";

/// Runs a test in a browser for which a public host name resolves to a private address. With a policy, the other site
/// is the allowed one.
fn with_private_host(
    page: &str,
    has_policy: bool,
    sharing: Sharing,
    test: impl AsyncFnOnce(&Bench, &Site),
) {
    let private = Site::new(|path| match path {
        "/image" => Page::of(
            "image/svg+xml",
            "<svg xmlns='http://www.w3.org/2000/svg' width='50' height='50'><rect width='50' height='50'/></svg>",
        ),
        "/script" => Page::script("document.body.append('the intranet')"),
        "/style" => Page::of("text/css", "body::before { content: 'the intranet' }"),
        _ => Page::html("<title>the intranet</title><p>the intranet"),
    });
    let page = page.to_owned();
    let site = Site::new(move |path| match path {
        "/" => Page::html(&page),
        "/worker.js" => {
            Page::script("fetch('http://public.example/').then((a) => a.text()).then(postMessage)")
        }
        "/to" => Page::redirect("http://public.example/"),
        _ => Page::html("other"),
    });
    let rule = private.origin().replace("http://", "");
    let rule = format!("--host-resolver-rules=MAP public.example:80 {rule}");
    let Some(chromium) = started_with(&[&rule]) else {
        return;
    };
    let terms = terms(&[site.origin(), "http://public.example"]);
    let policy = AddressPolicy::new(Some(site.origin().to_owned()), Vec::new());
    let policy = has_policy.then_some(policy);
    in_chromium(chromium, &terms, sharing, policy, async |bench| {
        test(bench, &site).await;
    });
}

async fn look(bench: &Bench) -> (String, bool) {
    let wish = Look {
        wants_picture: true,
        ..Look::default()
    };
    let seen = bench.browser.look(&wish, MS_MAX).await.unwrap();
    (format!("{:?}", seen.view), seen.picture.is_some())
}

#[test]
fn a_page_at_a_private_address_is_not_opened_whatever_its_name_is() {
    for sharing in [Sharing::Own, Sharing::Shared] {
        with_private_host("x", true, sharing, async |bench, site| {
            for url in ["http://public.example/".to_owned(), site.url("/to")] {
                let open = PageAction::Navigate { url: text(&url) };
                let outcome = bench.act(&open).await;
                let Err(ActionFailure::Refused(words)) = outcome else {
                    panic!("{url}: {outcome:?}");
                };
                assert!(
                    words.contains("http://public.example is at a private address"),
                    "{words}"
                );
                let (view, _) = look(bench).await;
                assert!(!view.contains("intranet"), "{view}");
                bench.open(&site.url("/")).await;
                assert!(look(bench).await.0.contains("\"x\""));
            }
        });
    }
}

#[test]
fn a_page_that_shows_what_is_at_a_private_address_is_left() {
    for shows in [
        "<iframe src=http://public.example/></iframe>",
        "<img src=http://public.example/image>",
        "<script src=http://public.example/script></script>",
        "<link rel=stylesheet href=http://public.example/style>",
        "<script>fetch('http://public.example/').then((a) => a.text()).then((a) => document.body.append(a))</script>",
        "<script>new Worker('/worker.js').onmessage = (event) => document.body.append(event.data)</script>",
        "<script>location = 'http://public.example/'</script>",
        "<meta http-equiv=refresh content='0;url=http://public.example/'>",
        "<script>setTimeout(() => { const f = document.createElement('iframe'); f.src = '/to'; document.body.append(f) }, 50)</script>",
    ] {
        for sharing in [Sharing::Own, Sharing::Shared] {
            let page = format!("<body><p>a page</p>{shows}");
            with_private_host(&page, true, sharing, async |bench, site| {
                let open = PageAction::Navigate {
                    url: text(&site.url("/")),
                };
                // It may be left before it has loaded.
                let _ = bench.act(&open).await;
                let remarks = bench.wait_for_remark(REMARK).await;
                assert_eq!(remarks.len(), 1, "{remarks:?}");
                let (view, _) = look(bench).await;
                assert!(
                    !view.contains("intranet") && !view.contains("a page"),
                    "{shows}: {view}"
                );
            });
        }
    }
}

#[test]
fn no_look_sees_what_is_at_a_private_address() {
    let page = "<button onclick=\"location = 'http://public.example/'\">x</button>";
    with_private_host(page, true, Sharing::Shared, async |bench, site| {
        bench.open(&site.url("/")).await;
        bench.click("button").await.unwrap();
        for _ in 0..10 {
            let (view, _) = look(bench).await;
            assert!(!view.contains("intranet"), "{view}");
        }
        bench.wait_for_remark(REMARK).await;
    });
}

#[test]
fn where_there_is_no_policy_private_addresses_are_as_others() {
    with_private_host("x", false, Sharing::Shared, async |bench, _| {
        bench.open("http://public.example/").await;
        let (view, has_picture) = look(bench).await;
        assert!(view.contains("intranet") && has_picture);
    });
}
