//! Actions on a page other than clicks.

use domain::page::{By, Direction, PageAction};

use super::site::{Page, Site};
use super::support::{Bench, locator, pressing, terms, text, with_browser};
use super::telling::{check, failed, told};

#[test]
fn a_text_takes_the_place_of_what_was_there() {
    let body = "<input value=before oninput='tell(\"input\")' onkeydown='tell(event.key + event.isTrusted)'><textarea>x\ny</textarea>\
        <div contenteditable>edit</div>";
    check(body, async |bench| {
        bench.type_into("input", text("aB")).await.unwrap();
        let words = told(bench).await;
        assert!(words.ends_with("atrue input Btrue input"), "{words}");
        bench
            .type_into("textarea", text("l\u{e9}\n\u{1f600}!"))
            .await
            .unwrap();
        bench
            .type_into("[contenteditable]", text("new"))
            .await
            .unwrap();
        let values = bench
            .run("[input.value, textarea.value, div.innerText].join('|')")
            .await;
        assert_eq!(values, "aB|l\u{e9}\n\u{1f600}!|new");
    });
}

#[test]
fn keys_go_to_the_element_that_was_meant_or_nowhere() {
    let body = "<p>no field</p><input id=a onfocus='document.getElementById(\"b\").focus()'><input id=b><label>L<input id=c></label>";
    check(body, async |bench| {
        let words = failed(bench.type_into("p", text("typed")).await);
        assert!(
            words.contains("takes no keys") && !words.contains("typed text"),
            "{words}"
        );
        let words = failed(bench.type_into("#a", text("typed")).await);
        assert!(words.contains("input#b"), "{words}");
        bench.type_into("label", text("by label")).await.unwrap();
        let values = bench.run("[a.value, b.value, c.value].join('|')").await;
        assert_eq!(values, "||by label");
    });
}

#[test]
fn keys_are_pressed_by_name() {
    let body = "<form action=/sent><input name=q autofocus onkeydown='tell(event.key + (event.ctrlKey ? \"^\" : \"\"))'></form>";
    check(body, async |bench| {
        bench.type_into("input", text("hi")).await.unwrap();
        for key in ["ctrl+l", "ArrowLeft", "tab"] {
            bench.act(&pressing(text(key))).await.unwrap();
        }
        let words = told(bench).await;
        assert!(words.ends_with("h i Control^ l^ ArrowLeft Tab"), "{words}");
        let words = failed(bench.act(&pressing(text("s3cret"))).await);
        assert!(
            words.contains("unknown") && !words.contains("s3cret"),
            "{words}"
        );
        bench.click("input").await.unwrap();
        bench.act(&pressing(text("enter"))).await.unwrap();
        let url = bench.look().await.view.signals.url.unwrap();
        assert!(url.ends_with("/sent?q=hi"), "{url}");
    });
}

/// Looks until the page and the box are scrolled this far, at most fifty times, and returns how far they are: a busy
/// browser scrolls some frames after the wheel event.
async fn scrolled(bench: &Bench, far: &str) -> String {
    let mut found = String::new();
    for _ in 0..1_000 {
        bench.look().await;
        found = bench.run("`${scrollY} ${box.scrollTop}`").await;
        if found == far {
            break;
        }
    }
    found
}

#[test]
fn the_wheel_is_turned_over_the_page_and_over_an_element() {
    let body = "<div id=box style='height:200px;overflow:auto'><div style='height:2000px'>x</div></div><div style='height:5000px'></div>";
    check(body, async |bench| {
        let scroll = |over: Option<&str>, notches| PageAction::Scroll {
            over: over.map(|selector| locator(By::CssSelector, selector)),
            timeout_ms: 100,
            direction: Direction::Down,
            notches,
        };
        bench.act(&scroll(None, 3.0)).await.unwrap();
        assert_eq!(scrolled(bench, "300 0").await, "300 0");
        bench.act(&scroll(None, -3.0)).await.unwrap();
        assert_eq!(scrolled(bench, "0 0").await, "0 0");
        bench.act(&scroll(Some("#box"), 5.0)).await.unwrap();
        assert_eq!(scrolled(bench, "0 500").await, "0 500");
        assert!(failed(bench.act(&scroll(Some("#none"), 1.0)).await).contains("no such element"));
        let to = |selector| PageAction::ScrollTo {
            locator: locator(By::CssSelector, selector),
            timeout_ms: 100,
        };
        assert_eq!(bench.act(&to("#none")).await.unwrap().point, None);
    });
}

#[test]
fn a_page_that_cannot_be_opened_fails_in_words() {
    let site = Site::new(|path| match path {
        "/empty" => Page::html("").with("content-disposition: attachment; filename=x.zip"),
        _ => Page::missing(),
    });
    let closed = "http://127.0.0.1:1";
    with_browser(&terms(&[site.origin(), closed]), async |bench| {
        let open = |url: &str| PageAction::Navigate { url: text(url) };
        let words = failed(bench.act(&open(closed)).await);
        assert!(words.contains("net::ERR_"), "{words}");
        bench.open(&site.url("/missing")).await;
        assert_eq!(bench.texts().await, ["not found"]);
        let words = failed(bench.act(&open(&site.url("/empty"))).await);
        assert!(words.contains("net::ERR_ABORTED"), "{words}");
        bench
            .wait_for_remark("A download was refused: \"x.zip\".")
            .await;
    });
}

#[test]
fn the_usual_elements_do_what_they_do_for_people() {
    let body = "<input type=checkbox id=c><label for=c>check</label><select><option>One<option>Two<option>Three</select>\
        <input id=n type=number><input id=m type=email><iframe id=f srcdoc='<script>onclick = () => { parent.document.title += 7 }</script>in'></iframe>\
        <button disabled onclick='tell(8)'>no</button><summary>s</summary>";
    check(body, async |bench| {
        bench.click("label").await.unwrap();
        bench.type_into("select", text("Two")).await.unwrap();
        bench.act(&pressing(text("enter"))).await.unwrap();
        bench.type_into("#n", text("4.5")).await.unwrap();
        bench.type_into("#m", text("a@b.example")).await.unwrap();
        bench.click("#f").await.unwrap();
        let values = bench
            .run("[c.checked, document.querySelector('select').value, n.value, m.value].join('|')")
            .await;
        assert_eq!(values, "true|Two|4.5|a@b.example");
        assert_eq!(told(bench).await, "-7");
        let words = failed(bench.click("button").await);
        assert!(words.contains("is disabled"), "{words}");
        assert_eq!(told(bench).await, "-7");
    });
}

/// Prints what a transition costs: `cargo test --test all transitions_cost -- --ignored --nocapture`.
#[test]
#[ignore = "it measures, and other tests beside it would be measured as well"]
fn transitions_cost_little() {
    let body = "<button onclick='document.querySelector(\"p\").textContent = ++n'>x</button><p>0</p><input><script>let n = 0</script>";
    check(body, async |bench| {
        let (mut clicks, mut looks) = (Vec::new(), Vec::new());
        for number in 1..=40 {
            let began_ms = Bench::now_ms();
            bench.click("button").await.unwrap();
            let clicked_ms = Bench::now_ms();
            let texts = bench.texts().await;
            looks.push(Bench::now_ms() - clicked_ms);
            clicks.push(clicked_ms - began_ms);
            assert!(texts.contains(&number.to_string()));
        }
        clicks.sort_unstable();
        looks.sort_unstable();
        println!(
            "a click: median {} ms; the look after it: median {} ms",
            clicks[20], looks[20]
        );
        let began_ms = Bench::now_ms();
        bench
            .type_into("input", text(&"x".repeat(100)))
            .await
            .unwrap();
        println!("100 characters typed: {} ms", Bench::now_ms() - began_ms);
        assert!(clicks[20] + looks[20] < 60);
    });
}
