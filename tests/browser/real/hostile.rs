//! Malicious pages: each ends with a message, within its limits.

use domain::page::{ActionFailure, BrowserGone, Look, MouseButton, PageAction};
use platform::{Browser as _, Browsers as _};

use super::support::{Bench, MS_MAX, pressing, target, text, with_page};

/// The time by which everything must have ended, even on a busy machine, in milliseconds.
const ENDS_MS_MAX: u64 = 120_000;

#[test]
fn dialogs_without_end_are_the_end_of_the_page() {
    with_page(
        "<script>for (;;) alert('\\ud800 again')</script>",
        async |bench, site| {
            let began_ms = Bench::now_ms();
            let outcome = bench
                .act(&PageAction::Navigate {
                    url: text(&site.url("/")),
                })
                .await;
            drop(outcome);
            let gone = bench
                .browser
                .look(&Look::default(), MS_MAX)
                .await
                .unwrap_err();
            assert_eq!(
                gone,
                BrowserGone("the page opened more than 20 dialogs in a row".to_owned())
            );
            assert!(Bench::now_ms() - began_ms < ENDS_MS_MAX);
            let gone = bench.click("html").await.unwrap_err();
            assert!(matches!(gone, ActionFailure::BrowserGone(_)), "{gone:?}");
            check_ended(bench).await;
        },
    );
}

/// Closes the browser, and checks that its page no longer exists.
async fn check_ended(bench: &Bench) {
    let began_ms = Bench::now_ms();
    bench.browser.end().await;
    assert!(Bench::now_ms() - began_ms < ENDS_MS_MAX);
    let attached = bench
        .client
        .attach_browser(&bench.terms, &bench.address, None, 5_000)
        .await;
    assert!(attached.is_err());
}

#[test]
fn a_script_without_end_is_told_and_ended() {
    with_page(
        "<button onclick='for (;;);'>x</button>",
        async |bench, site| {
            bench.open(&site.url("/")).await;
            let click = PageAction::Click {
                target: target("button", 100),
                button: MouseButton::Left,
                clicks: 1,
                percentage: 0.5,
            };
            // Aiming must end before the time does, on a busy machine too: only a press without an answer is unknown.
            let outcome = bench.browser.act(&click, 8_000).await.unwrap_err();
            assert!(
                matches!(outcome, ActionFailure::UnknownOutcome(_)),
                "{outcome:?}"
            );
            let gone = bench
                .browser
                .look(&Look::default(), 1_000)
                .await
                .unwrap_err();
            assert!(gone.0.contains("did not answer"), "{gone:?}");
            check_ended(bench).await;
        },
    );
}

#[test]
fn a_page_that_crashes_is_told() {
    with_page("<p>x</p>", async |bench, site| {
        bench.open(&site.url("/")).await;
        bench.crash().await;
        let gone = bench
            .browser
            .look(&Look::default(), 3_000)
            .await
            .unwrap_err();
        assert!(gone.0.contains("crashed"), "{gone:?}");
    });
}

#[test]
fn a_hundred_megabytes_of_elements_end_in_words() {
    let script = "<p>first</p><script>const one = '<div><i>x</i></div>'.repeat(1000);\
        for (let n = 0; n < 400; n++) document.body.insertAdjacentHTML('beforeend', one);\
        document.body.append('y'.repeat(50e6)); document.body.title = 'z'.repeat(5e6);</script>";
    with_page(script, async |bench, site| {
        let began_ms = Bench::now_ms();
        bench.open(&site.url("/")).await;
        match bench.browser.look(&Look::default(), 5_000).await {
            // There are too many elements to list.
            Ok(seen) => assert_eq!(seen.view.signals.items, None),
            Err(BrowserGone(words)) => assert!(!words.is_empty()),
        }
        assert!(Bench::now_ms() - began_ms < ENDS_MS_MAX);
        check_ended(bench).await;
    });
}

#[test]
fn what_is_too_long_is_left_out() {
    let html = format!(
        "<body title='{0}'>long selector<p class='{1}'>long class</p><script>history.replaceState(0, '', '?' + 'q'.repeat(9000));\
         document.title = 't'.repeat(1e6)</script><style>b{{display:inline-block;width:5px;height:5px;font-size:4px}}</style>{2}",
        "v".repeat(100_000),
        "c".repeat(3_000),
        "<b>i</b>".repeat(2_500)
    );
    with_page(&html, async |bench, site| {
        bench.open(&site.url("/")).await;
        let view = bench.look().await.view;
        assert_eq!(view.signals.title.len(), 200);
        assert_eq!(view.signals.url, None);
        let items = view.signals.items.unwrap();
        let selectors: Vec<&str> = items.iter().map(|item| item.selector.as_str()).collect();
        assert_eq!(selectors[..3], ["", "", "b"]);
        assert_eq!(items.len(), 1_000);
    });
}

#[test]
fn a_page_on_which_it_is_slow_to_say_what_lies_where_ends_in_time() {
    with_page(&"<b>i</b>".repeat(2_500), async |bench, site| {
        bench.open(&site.url("/")).await;
        let began_ms = Bench::now_ms();
        assert_eq!(bench.look().await.view.signals.items, None);
        assert!(Bench::now_ms() - began_ms < ENDS_MS_MAX);
    });
}

#[test]
fn a_page_that_reloads_without_end_is_looked_at() {
    with_page(
        "<title>again</title><script>setTimeout(() => location.reload(), 20)</script>",
        async |bench, site| {
            bench.open(&site.url("/")).await;
            match bench.browser.look(&Look::default(), 4_000).await {
                Ok(seen) => assert_eq!(seen.view.signals.title, "again"),
                Err(BrowserGone(words)) => assert!(!words.is_empty()),
            }
        },
    );
}

#[test]
fn frames_without_end_are_looked_at() {
    let html = "<p>x</p><script>for (let n = 0; n < 100; n++) document.body.append(document.createElement('iframe'))</script>";
    with_page(html, async |bench, site| {
        bench.open(&site.url("/")).await;
        assert_eq!(bench.texts().await, ["x"]);
    });
}

#[test]
fn another_process_goes_on_with_half_typed_text() {
    with_page("<input id=a><p>text</p>", async |bench, site| {
        bench.open(&site.url("/")).await;
        bench.type_into("#a", text("half")).await.unwrap();
        let attached = bench
            .client
            .attach_browser(&bench.terms, &bench.address, None, MS_MAX)
            .await;
        let attached = attached.unwrap();
        let press = pressing(text("!"));
        attached.act(&press, MS_MAX).await.unwrap();
        assert_eq!(bench.run("input.value").await, "half!");
        let seen = attached.look(&Look::default(), MS_MAX).await.unwrap();
        assert_eq!(seen.view.signals.items.unwrap().len(), 1);
        drop(attached);
        assert_eq!(bench.texts().await, ["text"]);
        let mut other = bench.address.clone();
        other.context = Some("another".to_owned());
        assert!(
            bench
                .client
                .attach_browser(&bench.terms, &other, None, MS_MAX)
                .await
                .is_err()
        );
        other.session = "/devtools/browser/none".to_owned();
        assert!(
            bench
                .client
                .attach_browser(&bench.terms, &other, None, MS_MAX)
                .await
                .is_err()
        );
        bench.client.end_browser(&bench.address).await;
        assert!(
            bench
                .client
                .attach_browser(&bench.terms, &bench.address, None, MS_MAX)
                .await
                .is_err()
        );
    });
}
