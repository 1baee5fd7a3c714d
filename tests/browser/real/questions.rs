//! Pages that prompt their visitors: dialogs, choosers, permissions. Nobody is there to answer.

use domain::page::{ActionFailure, PageAction};
use platform::Browser as _;

use super::site::{Page, Site};
use super::support::{terms, text, with_browser, with_page};

#[test]
fn dialogs_are_answered_and_told() {
    let html = "<title>-</title><button onclick='document.title = [alert(\"hello\\n there\"), confirm(\"sure?\"), prompt(\"name?\")]'>x</button>";
    with_page(html, async |bench, site| {
        bench.open(&site.url("/")).await;
        bench.click("button").await.unwrap();
        assert_eq!(bench.look().await.view.signals.title, ",false,");
        let remarks = bench.browser.take_remarks();
        let expected = [
            "A dialog (alert) was accepted: \"hello there\".",
            "A dialog (confirm) was dismissed: \"sure?\".",
            "A dialog (prompt) was dismissed: \"name?\".",
        ];
        assert_eq!(remarks, expected);
    });
}

#[test]
fn questions_are_answered_with_yes_where_the_run_says_so() {
    let html = "<title>-</title><button onclick='document.title = [confirm(\"sure?\"), prompt(\"name?\", \"Ann\")]'>x</button>";
    let site = Site::of(html);
    let mut terms = terms(&[site.origin()]);
    terms.accepts_questions = true;
    with_browser(&terms, async |bench| {
        bench.open(&site.url("/")).await;
        bench.click("button").await.unwrap();
        assert_eq!(bench.look().await.view.signals.title, "true,Ann");
        let remarks = bench.browser.take_remarks();
        assert_eq!(remarks[1], "A dialog (prompt) was accepted: \"name?\".");
    });
}

#[test]
fn downloads_are_told_to_the_run_whose_page_began_them() {
    let frame = Site::of("<a id=a href=/file download=inner.txt>x</a><script>a.click()</script>");
    let inner = frame.origin().replace("127.0.0.1", "localhost");
    let site = Site::of(&format!(
        "<a id=b href=/file download=outer.txt>x</a><iframe src={inner}/></iframe>"
    ));
    let terms = terms(&[site.origin(), &inner]);
    with_browser(&terms, async |bench| {
        let (other, _) = bench.begin_another(&terms).await;
        bench.open(&site.url("/")).await;
        bench.click("#b").await.unwrap();
        bench
            .wait_for_remark("A download was refused: \"outer.txt\".")
            .await;
        bench.pause(300).await;
        assert_eq!(other.take_remarks(), [""; 0]);
        other.end().await;
    });
}

#[test]
fn a_page_that_wants_to_keep_its_visitors_is_left() {
    let site = Site::new(|path| match path {
        "/" => Page::html(
            "<input><script>onbeforeunload = (event) => { event.preventDefault(); return 'stay' }</script>",
        ),
        _ => Page::html("<title>left</title>"),
    });
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        bench.type_into("input", text("x")).await.unwrap();
        bench.open(&site.url("/next")).await;
        assert_eq!(bench.look().await.view.signals.title, "left");
        bench
            .wait_for_remark("A dialog (beforeunload) was accepted: \"\".")
            .await;
    });
}

#[test]
fn file_choosers_are_closed_and_told() {
    with_page("<input type=file>", async |bench, site| {
        bench.open(&site.url("/")).await;
        bench.click("input").await.unwrap();
        bench
            .wait_for_remark("A file chooser was closed: nothing is uploaded.")
            .await;
    });
}

#[test]
fn permissions_are_refused_without_a_question() {
    let html = "<title>-</title><script>navigator.geolocation.getCurrentPosition(() => document.title = 'given', () => document.title = 'refused');\
        Notification.requestPermission().then((said) => document.title += said)</script>";
    with_page(html, async |bench, site| {
        bench.open(&site.url("/")).await;
        bench.pause(300).await;
        let title = bench.look().await.view.signals.title;
        assert!(
            title.contains("refused") && title.contains("denied"),
            "{title}"
        );
    });
}

#[test]
fn what_asks_the_user_outside_of_the_page_is_no_hindrance() {
    let site = Site::new(|path| match path {
        "/login" => Page::unauthorised(),
        _ => Page::html(
            "<title>-</title><script>print(); close(); document.title = 'on'; document.documentElement.requestFullscreen().catch(() => {})</script><p>x</p>",
        ),
    });
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        assert_eq!(bench.look().await.view.signals.title, "on");
        let login = PageAction::Navigate {
            url: text(&site.url("/login")),
        };
        // A browser with windows refuses such a page; a headless shell shows the response's body.
        let outcome = bench.act(&login).await;
        assert!(
            matches!(outcome, Ok(_) | Err(ActionFailure::Failed(_))),
            "{outcome:?}"
        );
        bench.open(&site.url("/")).await;
        assert_eq!(bench.look().await.view.signals.title, "on");
    });
}
