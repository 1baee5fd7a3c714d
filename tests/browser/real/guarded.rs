//! Nothing leaves the run's origins.

use cdp::Sharing;
use domain::page::{ActionFailure, PageAction, TypedText};

use super::site::{Page, Site};
use super::support::{Bench, pressing, terms, text, with_sharing};

/// Runs a test with windows that wait to be examined, and with an isolated network.
fn in_both(origins: &[&str], test: &impl AsyncFn(&Bench)) {
    for sharing in [Sharing::Own, Sharing::Shared] {
        with_sharing(&terms(origins), sharing, async |bench| test(bench).await);
    }
}

/// A page that tries something with another site, and reports when done.
fn check_kept_in(attempt: &str, remark: Option<&str>) {
    let other = Site::new(|_| Page::html("other"));
    let script = attempt.replace("OTHER", other.origin());
    let socket = script.replace("SOCKET", &other.origin().replace("http", "ws"));
    let site = Site::new(move |path| match path {
        "/" => Page::html(&format!("<title>-</title><body>{socket}")),
        "/worker.js" | "/shared.js" | "/service.js" => {
            let lines = "fetch('OTHER/1').catch(() => {}); try { new WebSocket('SOCKET/2') } catch {}\
                importScripts('OTHER/3')";
            Page::script(&socket_script(lines, &socket))
        }
        _ => Page::html("inner"),
    });
    in_both(&[site.origin()], &async |bench: &Bench| {
        bench.open(&site.url("/")).await;
        bench.look().await;
        if let Some(remark) = remark {
            let remark = remark.replace("OTHER", other.origin());
            bench.wait_for_remark(&remark).await;
        }
        bench.pause(400).await;
        let seen = bench.look().await.view.signals;
        assert_eq!(seen.url.unwrap(), site.url("/"), "{attempt}");
        assert_eq!(other.asked(), [""; 0], "{attempt}");
    });
}

/// Returns the script of a worker, with the other site's addresses as in the page.
fn socket_script(lines: &str, page: &str) -> String {
    let address = |scheme: &str| {
        let at = page.find(&format!("{scheme}://127.0.0.1:"));
        let end = |at: usize| {
            page[at + 19..]
                .find(|c: char| !c.is_ascii_digit())
                .map(|n| at + 19 + n)
        };
        at.and_then(|at| page.get(at..end(at)?))
            .unwrap_or("http://127.0.0.1:1")
            .to_owned()
    };
    lines
        .replace("OTHER", &address("http"))
        .replace("SOCKET", &address("ws"))
}

const REFUSED: &str = "A request was refused: OTHER is not among the run's origins.";

#[test]
fn a_pages_own_requests_are_refused() {
    check_kept_in(
        "<script>fetch('OTHER/f').catch(() => {})</script>",
        Some(REFUSED),
    );
    check_kept_in(
        "<img src=OTHER/i><link rel=stylesheet href=OTHER/s><script src=OTHER/j></script>",
        Some(REFUSED),
    );
    check_kept_in(
        "<script>navigator.sendBeacon('OTHER/b', 'x')</script>",
        None,
    );
    check_kept_in(
        "<link rel=preconnect href=OTHER><link rel=prefetch href=OTHER/p>",
        None,
    );
}

#[test]
fn frames_are_refused() {
    check_kept_in("<iframe src=OTHER/frame></iframe>", Some(REFUSED));
    check_kept_in(
        "<iframe srcdoc='<img src=OTHER/inner>'></iframe>",
        Some(REFUSED),
    );
    check_kept_in(
        "<iframe src='data:text/html,<img src=OTHER/data>'></iframe>",
        Some(REFUSED),
    );
}

#[test]
fn sockets_are_refused() {
    check_kept_in("<script>new WebSocket('SOCKET/w')</script>", None);
    let frame = "<script>const f = document.createElement('iframe'); document.body.append(f);
        new f.contentWindow.WebSocket('SOCKET/w')</script>";
    check_kept_in(frame, None);
    check_kept_in(
        "<iframe srcdoc='<script>new WebSocket(\"SOCKET/w\")</script>'></iframe>",
        None,
    );
}

#[test]
fn workers_are_guarded_or_refused() {
    check_kept_in(
        "<i title='OTHER SOCKET'></i><script>new Worker('/worker.js')</script>",
        Some(REFUSED),
    );
    check_kept_in(
        "<i title='OTHER SOCKET'></i><script>new SharedWorker('/shared.js')</script>",
        None,
    );
    check_kept_in(
        "<i title='OTHER SOCKET'></i><script>navigator.serviceWorker.register('/service.js')</script>",
        None,
    );
    let blob = "<script>const code = `fetch('OTHER/b').catch(() => {}); new WebSocket('SOCKET/c')`;
        new Worker(URL.createObjectURL(new Blob([code])))</script>";
    check_kept_in(blob, Some(REFUSED));
}

#[test]
fn windows_ask_nothing_of_others() {
    let opened = "A new tab was opened, number 2. The page stays the one before: switch_to goes to the new one.";
    let link = "<a id=a target=_blank href=OTHER/w>w</a><script>a.click()</script>";
    for attempt in [
        "<script>onclick = () => window.open('OTHER/w')</script>open",
        link,
    ] {
        let other = Site::new(|_| Page::html("other"));
        let html = attempt.replace("OTHER", other.origin());
        let site = Site::of(&html);
        in_both(&[site.origin()], &async |bench: &Bench| {
            bench.open(&site.url("/")).await;
            // A window requires user activation.
            bench.click("html").await.unwrap();
            bench.click("a").await.ok();
            bench.wait_for_remark(opened).await;
            bench.pause(300).await;
            assert_eq!(other.asked(), [""; 0], "{attempt}");
            assert_eq!(bench.look().await.view.signals.url.unwrap(), site.url("/"));
        });
    }
}

#[test]
fn redirects_are_checked_one_by_one() {
    let other = Site::new(|_| Page::html("other"));
    let away = other.url("/away");
    let site = Site::new(move |path| match path {
        "/" => Page::html("<a href=/one>go</a>"),
        "/one" => Page::redirect("/two"),
        "/two" => Page::redirect(&away),
        "/file" => Page::redirect("file:///etc/passwd"),
        _ => Page::redirect("/loop"),
    });
    in_both(&[site.origin()], &async |bench: &Bench| {
        let open = |path: &str| PageAction::Navigate {
            url: text(&site.url(path)),
        };
        let outcome = bench.act(&open("/one")).await;
        assert!(
            matches!(outcome, Err(ActionFailure::Refused(_))),
            "{outcome:?}"
        );
        for path in ["/file", "/loop"] {
            let outcome = bench.act(&open(path)).await;
            assert!(
                matches!(outcome, Err(ActionFailure::Failed(_))),
                "{path}: {outcome:?}"
            );
        }
        bench.open(&site.url("/")).await;
        bench.click("a").await.unwrap();
        bench.look().await;
        assert_eq!(other.asked(), [""; 0]);
    });
}

#[test]
fn a_page_that_leads_away_stays_within_the_origins() {
    for script in [
        "location = 'OTHER/'",
        "document.write('<meta http-equiv=refresh content=0;url=OTHER/>')",
    ] {
        let other = Site::new(|_| Page::html("other"));
        let site = Site::of(&format!(
            "<script>{}</script>",
            script.replace("OTHER", other.origin())
        ));
        in_both(&[site.origin()], &async |bench: &Bench| {
            bench.open(&site.url("/")).await;
            bench.pause(300).await;
            bench.look().await;
            assert_eq!(other.asked(), [""; 0], "{script}");
        });
    }
}

#[test]
fn an_action_opens_only_the_runs_origins() {
    let site = Site::of("x");
    in_both(&[site.origin()], &async |bench: &Bench| {
        for address in [
            "https://example.com/",
            "file:///etc/passwd",
            "about:blank",
            "chrome://version",
            "javascript:1",
        ] {
            let outcome = bench
                .act(&PageAction::Navigate { url: text(address) })
                .await;
            assert!(
                matches!(outcome, Err(ActionFailure::Refused(_))),
                "{address}: {outcome:?}"
            );
        }
    });
}

#[test]
fn a_frame_of_another_origin_of_the_run_is_guarded_as_well() {
    let outside = Site::new(|_| Page::html("outside"));
    let inner = {
        let html = format!(
            "<script>fetch('{0}/f').catch(() => {{}}); try {{ new WebSocket('{1}/w') }} catch {{}}</script>",
            outside.origin(),
            outside.origin().replace("http", "ws")
        );
        Site::of(&html)
    };
    let frame = inner.origin().replace("127.0.0.1", "localhost");
    let site = Site::of(&format!("<iframe src={frame}/frame></iframe>"));
    in_both(&[site.origin(), &frame], &async |bench: &Bench| {
        bench.open(&site.url("/")).await;
        bench.look().await;
        let remark = REFUSED.replace("OTHER", outside.origin());
        bench.wait_for_remark(&remark).await;
        assert!(!inner.asked().is_empty());
        bench.pause(200).await;
        assert_eq!(outside.asked(), [""; 0]);
    });
}

fn secret(text: &str, origins: &[&str]) -> TypedText {
    TypedText {
        text: text.into(),
        origins: Some(origins.iter().map(|one| (*one).to_owned()).collect()),
    }
}

#[test]
fn a_secret_is_typed_on_its_origins_alone() {
    let site = Site::of(
        "<input id=a oninput='document.title = event.isTrusted'><div tabindex=0>x</div><iframe srcdoc='<input autofocus>'></iframe>",
    );
    in_both(
        &[site.origin(), "https://shop.example"],
        &async |bench: &Bench| {
            bench.open(&site.url("/")).await;
            let foreign = secret("hunter2", &["https://shop.example"]);
            let outcome = bench.type_into("#a", foreign.clone()).await;
            let Err(ActionFailure::Refused(words)) = outcome else {
                panic!("{outcome:?}");
            };
            assert!(
                words.contains(site.origin()) && !words.contains("hunter2"),
                "{words}"
            );
            let own = secret("hunter2", &[site.origin()]);
            for place in ["div", "iframe"] {
                let outcome = bench.type_into(place, own.clone()).await;
                assert!(
                    !matches!(outcome, Ok(_) | Err(ActionFailure::UnknownOutcome(_))),
                    "{outcome:?}"
                );
            }
            assert_eq!(bench.run("input.value").await, "");
            bench.type_into("#a", own).await.unwrap();
            assert_eq!(bench.run("input.value").await, "hunter2");
            assert_eq!(bench.look().await.view.signals.title, "true");
            let key = pressing(foreign);
            assert!(matches!(
                bench.act(&key).await,
                Err(ActionFailure::Failed(_))
            ));
            let key = pressing(secret("a", &["https://shop.example"]));
            assert!(matches!(
                bench.act(&key).await,
                Err(ActionFailure::Refused(_))
            ));
        },
    );
}

/// A page that adds traps to the prototype of all objects does not get what is taken away from it.
#[test]
fn traps_of_a_page_give_back_nothing() {
    let site = Site::of(
        "<title>-</title><script>let leak; Object.prototype.get = (of) => { leak = of; };
        const told = [];
        for (const name of ['RTCPeerConnection', 'SharedWorker', 'WebTransport']) {
            leak = undefined;
            try { globalThis[name].x; Reflect.get(globalThis[name], 'y') } catch {}
            told.push(leak === undefined ? 'kept' : 'leaked');
        }
        delete Object.prototype.get;
        document.title = told.join()</script>",
    );
    in_both(&[site.origin()], &async |bench: &Bench| {
        bench.open(&site.url("/")).await;
        assert_eq!(bench.look().await.view.signals.title, "kept,kept,kept");
    });
}
