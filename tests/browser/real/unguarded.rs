//! A page without its guard for a while: its connection was lost, or its process ended.

use cdp::Sharing;
use domain::page::{Look, PageAction};
use platform::{Browser as _, Browsers as _};
use settings::AddressPolicy;

use super::site::{Page, Site};
use super::support::{Bench, MS_MAX, in_chromium, started_with, terms, text, with_sharing};

/// Checks a page that does this repeatedly while the connection is lost: no other host may be contacted.
fn check_kept_in(does: &str) {
    for sharing in [Sharing::Own, Sharing::Shared] {
        let other = Site::new(|_| Page::html("other"));
        let does = does.replace("OTHER", other.origin());
        let does = does.replace("SOCKET", &other.origin().replace("http", "ws"));
        let site = Site::of(&format!("<title>-</title><body>x<script>{does}</script>"));
        let terms = terms(&[site.origin()]);
        with_sharing(&terms, sharing, async |bench: &Bench| {
            let (browser, address) = bench.begin_another(&terms).await;
            let url = text(&site.url("/"));
            let open = PageAction::Navigate { url };
            browser.act(&open, MS_MAX).await.unwrap();
            browser.look(&Look::default(), MS_MAX).await.unwrap();
            drop(browser);
            bench.pause(600).await;
            assert_eq!(other.asked(), [""; 0], "{sharing:?}: {does}");
            let attached = bench.client.attach_browser(&terms, &address, None, MS_MAX);
            let attached = attached.await.unwrap();
            attached.look(&Look::default(), MS_MAX).await.unwrap();
            bench.pause(200).await;
            assert_eq!(other.asked(), [""; 0], "{sharing:?}: {does}");
            attached.end().await;
        });
    }
}

#[test]
fn nothing_is_asked_of_others_while_nobody_guards() {
    for does in [
        "setInterval(() => { fetch('OTHER/f').catch(() => {}); new Image().src = 'OTHER/i';
            navigator.sendBeacon('OTHER/b') }, 30)",
        "setInterval(() => { const f = document.createElement('iframe'); f.src = 'OTHER/frame'; document.body.append(f) }, 60)",
        "setInterval(() => { const f = document.createElement('iframe'); document.body.append(f);
            try { new f.contentWindow.WebSocket('SOCKET/w') } catch {} }, 60)",
        "setTimeout(() => { location = 'OTHER/away' }, 300)",
        "setInterval(() => { open('OTHER/window') }, 100)",
        "const code = `setInterval(() => { fetch('OTHER/b').catch(() => {}); try { new WebSocket('SOCKET/c') } catch {} }, 30)`;
            new Worker(URL.createObjectURL(new Blob([code])))",
    ] {
        check_kept_in(does);
    }
}

#[test]
fn what_the_terms_say_holds_once_another_connection_took_over() {
    let site = Site::of("<title>-</title>x");
    let terms = terms(&[site.origin()]);
    let set =
        "[new Date(0).toLocaleString(), Notification.permission, innerWidth, document.hasFocus()]";
    for sharing in [Sharing::Own, Sharing::Shared] {
        with_sharing(&terms, sharing, async |bench: &Bench| {
            bench.open(&site.url("/")).await;
            let before = bench.run(set).await;
            assert!(
                before.contains("denied") && before.contains("09:00"),
                "{before}"
            );
            let attached = bench
                .client
                .attach_browser(&terms, &bench.address, Some(&bench.browser), MS_MAX)
                .await
                .unwrap();
            attached.look(&Look::default(), MS_MAX).await.unwrap();
            assert_eq!(bench.run(set).await, before);
            let lost = bench.browser.look(&Look::default(), MS_MAX).await;
            assert!(lost.is_err(), "the old connection is closed");
            attached.end().await;
        });
    }
}

#[test]
fn documents_that_began_unguarded_are_armed() {
    let frames = "<title>-</title><body><script>const frames = [];
        setInterval(() => { if (frames.length < 10) {
            const f = document.createElement('iframe'); document.body.append(f); frames.push(f.contentWindow); }
            document.title = frames.map((of) => { try { new of.RTCPeerConnection(); return 'made' } catch (error) { return error.name } }).join(' '); }, 30)</script>";
    let page = "<title>-</title><script>setInterval(() => {
            try { new RTCPeerConnection(); document.title = 'made' } catch (error) { document.title = error.name } }, 30);
        if (!location.search) setTimeout(() => { location = '/?again' }, 500)</script>";
    for (html, sharing) in [
        (frames, Sharing::Own),
        (frames, Sharing::Shared),
        (page, Sharing::Own),
        (page, Sharing::Shared),
    ] {
        let site = Site::of(html);
        let terms = terms(&[site.origin()]);
        with_sharing(&terms, sharing, async |bench: &Bench| {
            let (browser, address) = bench.begin_another(&terms).await;
            let url = text(&site.url("/"));
            let open = PageAction::Navigate { url };
            browser.act(&open, MS_MAX).await.unwrap();
            drop(browser);
            bench.pause(900).await;
            let attached = bench.client.attach_browser(&terms, &address, None, MS_MAX);
            let attached = attached.await.unwrap();
            bench.pause(100).await;
            let title = attached.look(&Look::default(), MS_MAX).await;
            let title = title.unwrap().view.signals.title;
            assert!(
                title.contains("NotSupportedError") && !title.contains("made"),
                "{title}"
            );
            attached.end().await;
        });
    }
}

/// A provider's browsers may only reach the web through its proxy.
#[test]
fn a_browser_that_was_started_with_a_proxy_keeps_it() {
    let site = Site::new(|_| Page::html("<title>Through</title>x"));
    let proxy = format!("--proxy-server={}", site.origin());
    let Some(chromium) = started_with(&[&proxy]) else {
        return;
    };
    let terms = terms(&["http://far.example"]);
    let policy = Some(AddressPolicy::default());
    in_chromium(
        chromium,
        &terms,
        Sharing::Own,
        policy,
        async |bench: &Bench| {
            bench.open("http://far.example/a").await;
            assert_eq!(bench.look().await.view.signals.title, "Through");
            assert!(site.asked().contains(&"http://far.example/a".to_owned()));
            // No guard and no proxy of ours stops a WebSocket handshake here, so the page's own world does.
            let made = "(() => { try { new WebSocket(TO); return 'made' } catch (error) { return error.name } })()";
            for (to, expected) in [
                ("'ws://far.example/b'", "made"),
                ("'ws://other.example/'", "SecurityError"),
                (
                    "{ n: 0, toString() { return this.n++ ? 'ws://other.example/' : 'ws://far.example/' } }",
                    "made",
                ),
                // What a page puts in the place of the browser's own functions decides nothing.
                (
                    "(RegExp.prototype[Symbol.replace] = () => 'http://far.example', 'ws://other.example/')",
                    "SecurityError",
                ),
                (
                    "(Object.defineProperty(document, 'baseURI', { value: 'ws://far.example/' }), \
                     document.head.innerHTML = '<base href=\"ws://other.example/\">', '/x')",
                    "SecurityError",
                ),
            ] {
                assert_eq!(bench.run(&made.replace("TO", to)).await, expected, "{to}");
            }
            bench.pause(200).await;
            let asked = site.asked();
            assert!(
                !asked.iter().any(|path| path.contains("other.example")),
                "{asked:?}"
            );
        },
    );
}
