//! Frames, also of other sites in processes of their own, and tabs.

use domain::page::{Look, PageAction, WantedTab};
use platform::{Browser as _, Browsers as _};

use super::site::{Page, Site};
use super::support::{MS_MAX, in_chromium, started_with, target, terms, text};

/// Puts each site into a process of its own, as browsers with a window do.
const ISOLATED: &str = "--site-per-process";

const INNER: &str = "<body style='margin:0'><p>Inside</p><input><button onclick=\"this.textContent = 'Hello ' + \
    document.querySelector('input').value\">Go</button>";

#[test]
fn a_frame_of_another_site_is_seen_and_acted_on_in_its_own_process() {
    let Some(chromium) = started_with(&[ISOLATED]) else {
        return;
    };
    let inner = Site::new(|path| match path {
        "/in" => Page::html(INNER),
        _ => Page::html("<iframe id=deep src=/in></iframe>"),
    });
    // The same server under another host is another site.
    let other = inner.origin().replace("127.0.0.1", "localhost");
    let outer = Site::of(&format!(
        "<div style='height:900px'></div><iframe id=far src={other}/ style='width:500px;height:300px'></iframe>"
    ));
    let terms = terms(&[outer.origin(), &other]);
    let sharing = cdp::Sharing::Shared;
    in_chromium(chromium, &terms, sharing, None, async |bench| {
        bench.open(&outer.url("/")).await;
        let field = "iframe#far >> #deep >> input";
        bench
            .browser
            .act(
                &PageAction::Type {
                    target: target(field, 3_000),
                    text: text("Ada"),
                    interval_ms: 0,
                },
                MS_MAX,
            )
            .await
            .unwrap();
        bench.click("iframe#far >> #deep >> button").await.unwrap();
        let items = bench.look().await.view.signals.items.unwrap();
        let button = items.iter().find(|item| item.text == "Hello Ada").unwrap();
        assert_eq!(button.selector, "iframe#far >> iframe#deep >> button");
    });
}

#[test]
fn another_process_goes_on_in_the_tab_that_is_the_page() {
    let Some(chromium) = started_with(&[]) else {
        return;
    };
    let site = Site::new(|path| match path {
        "/" => Page::html("<a target=_blank href=/two>open</a>"),
        _ => Page::html("<title>Two</title><p>second</p>"),
    });
    let terms = terms(&[site.origin()]);
    let sharing = cdp::Sharing::Shared;
    in_chromium(chromium, &terms, sharing, None, async |bench| {
        bench.open(&site.url("/")).await;
        bench.click("a").await.unwrap();
        let switch = |tab| PageAction::SwitchTo {
            tab,
            timeout_ms: 2_000,
        };
        bench.act(&switch(WantedTab::New)).await.unwrap();
        assert_eq!(bench.texts().await, ["second"]);
        let address = bench.browser.address();
        assert_eq!(address.tabs.len(), 2);
        assert_eq!(address.target.as_ref(), address.tabs.last());
        let attached = bench
            .client
            .attach_browser(&terms, &address, Some(&bench.browser), MS_MAX);
        let attached = attached.await.unwrap();
        let title = attached.look(&Look::default(), MS_MAX).await.unwrap();
        assert_eq!(title.view.signals.title, "Two");
        attached
            .act(&switch(WantedTab::Number(1)), MS_MAX)
            .await
            .unwrap();
        let first = attached.look(&Look::default(), MS_MAX).await.unwrap();
        assert_eq!(first.view.signals.items.unwrap()[0].text, "open");
        attached.end().await;
    });
}
