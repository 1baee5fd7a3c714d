//! What is done on a page.

use visual_degrees::page::{ActionFailure, Area, By, Direction, PageAction};

use super::site::{Page, Site};
use super::support::{Bench, locator, target, terms, text, with_browser};

/// A page whose title tells what happened, one word after the other.
const TOLD: &str = "<!doctype html><title>-</title><script>const tell = (word) => { document.title += ' ' + word; };\
    </script><body style='margin:0'>";

fn site(body: &str) -> Site {
    Site::of(&format!("{TOLD}{body}"))
}

async fn told(bench: &Bench) -> String {
    bench.look().await.view.title
}

fn failed(outcome: Result<visual_degrees::page::Done, ActionFailure>) -> String {
    match outcome {
        Err(ActionFailure::Failed(words)) => words,
        other => panic!("it did not fail: {other:?}"),
    }
}

#[track_caller]
fn check(body: &str, test: impl AsyncFnOnce(&Bench)) {
    let site = site(body);
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        test(bench).await;
    });
}

#[test]
fn a_click_is_trusted_and_at_its_share_of_the_width() {
    let body = "<button style='position:absolute;left:100px;top:50px;width:200px;height:40px' \
        onclick='tell([event.clientX, event.clientY, event.isTrusted, event.button])'>x</button>";
    check(body, async |bench| {
        let click = PageAction::Click {
            target: target("button", 300),
            button: visual_degrees::page::MouseButton::Left,
            percentage: 0.2,
        };
        let point = bench.act(&click).await.unwrap().point.unwrap();
        assert_eq!((point.x, point.y), (140.0, 70.0));
        assert_eq!(told(bench).await, "- 140,70,true,0");
    });
}

#[test]
fn a_far_element_is_scrolled_to_and_its_point_is_the_documents() {
    let body = "<div style='height:3000px'></div><button onclick='tell(scrollY > 1000)'>x</button><div style='height:2000px'></div>";
    check(body, async |bench| {
        let mut unscrolled = target("button", 100);
        unscrolled.is_scrolled_to = false;
        assert!(failed(bench.click_by(unscrolled).await).contains("outside of the viewport"));
        let point = bench.click("button").await.unwrap().point.unwrap();
        assert!(point.y > 3_000.0, "{point:?}");
        assert_eq!(told(bench).await, "- true");
    });
}

#[test]
fn what_lies_above_gets_no_click_and_is_told() {
    let body = "<button onclick='tell(1)'>below</button>\
        <div id=wall class='a b' style='position:fixed;inset:0' onclick='tell(2)' onmousedown='tell(3)'>Cookies, please accept</div>";
    check(body, async |bench| {
        let words = failed(bench.click("button").await);
        assert!(
            words.contains("div#wall.a.b \"Cookies, please accept\""),
            "{words}"
        );
        assert_eq!(told(bench).await, "-");
    });
}

#[test]
fn what_lies_inside_or_around_an_element_is_the_element() {
    let body = "<button onclick='tell(1)'><span style='display:block'>in</span></button>\
        <p onclick='tell(2)'><i style='pointer-events:none'>around</i></p>";
    check(body, async |bench| {
        bench.click("button").await.unwrap();
        bench.click("i").await.unwrap();
        assert_eq!(told(bench).await, "- 1 2");
    });
}

#[test]
fn a_link_over_two_lines_is_hit() {
    let body = "<p style='width:200px;font:20px monospace'>xxxxxxxxxxx <a href='#there' onclick='tell(1)'>aaaa bbbb</a></p>";
    check(body, async |bench| {
        bench.click("a").await.unwrap();
        assert_eq!(told(bench).await, "- 1");
    });
}

#[test]
fn an_obstacle_that_goes_away_is_waited_for() {
    let body = "<button onclick='tell(1)'>x</button><div id=wall style='position:fixed;inset:0' onclick='tell(2)'></div>\
        <script>setTimeout(() => document.getElementById('wall').remove(), 400)</script>";
    check(body, async |bench| {
        bench.click_by(target("button", 2_000)).await.unwrap();
        assert_eq!(told(bench).await, "- 1");
    });
}

#[test]
fn a_button_that_flees_from_the_pointer_lets_nothing_else_be_clicked() {
    let body = "<div id=trap style='position:fixed;inset:0' onclick='tell(\"trap\")' onmousedown='tell(\"trap\")'></div>\
        <button style='position:fixed;left:10px;top:10px' onclick='tell(\"hit\")'>x</button><script>
        const b = document.querySelector('button'); let n = 0;
        const flee = () => { n += 1; b.style.left = `${10 + (n % 7) * 100}px`; };
        b.addEventListener('pointermove', flee); b.addEventListener('mouseover', flee);
        addEventListener('pointermove', flee, true);</script>";
    check(body, async |bench| {
        let outcome = bench.click("button").await;
        let told = told(bench).await;
        match outcome {
            // The button may flee between the press and its end: then the page got a press alone.
            Ok(_) => assert!(told == "- hit" || told == "-", "{told}"),
            Err(ActionFailure::Failed(_)) => assert_eq!(told, "-"),
            other => panic!("{other:?}"),
        }
    });
}

#[test]
fn a_button_that_always_moves_is_hit_or_nothing_is() {
    let body = "<div style='position:fixed;inset:0' onclick='tell(\"trap\")' onmousedown='tell(\"trap\")'></div>\
        <button style='position:fixed;top:10px;width:30px' onclick='tell(\"hit\")'>x</button><script>
        const b = document.querySelector('button'); let x = 0;
        const move = () => { x = (x + 23) % 700; b.style.left = `${x}px`; requestAnimationFrame(move); }; move();</script>";
    check(body, async |bench| {
        let mut hits = 0;
        for _ in 0..10 {
            match bench.click("button").await {
                Ok(_) => hits += 1,
                Err(ActionFailure::Failed(_)) => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        let told = told(bench).await;
        assert_eq!(told.matches("hit").count(), hits, "{told}");
        assert!(!told.contains("trap"), "{told}");
    });
}

#[test]
fn a_press_that_reaches_another_element_is_kept_from_it() {
    // The page swaps what lies there between the last measurement and the press.
    let body = "<button id=good style='position:fixed;left:0;top:0;width:100px;height:50px' onclick='tell(\"hit\")'>x</button>\
        <button id=bad style='position:fixed;left:0;top:0;width:100px;height:50px;z-index:-1' \
        onpointerdown='tell(\"bad\")' onmousedown='tell(\"bad\")' onclick='tell(\"bad\")' onfocus='tell(\"bad\")'>y</button><script>
        const bad = document.getElementById('bad'); let on = 0;
        setInterval(() => { bad.style.zIndex = (on = !on) ? 9 : -1; }, 1)</script>";
    check(body, async |bench| {
        let mut hits = 0;
        for _ in 0..20 {
            hits += usize::from(bench.click("#good").await.is_ok());
        }
        let told = told(bench).await;
        assert_eq!(told.matches("hit").count(), hits, "{told}");
        assert!(!told.contains("bad"), "{told}");
        assert!(hits > 0);
    });
}

#[test]
fn the_fallback_is_clicked_where_the_element_is_gone_and_that_is_told() {
    let body = "<div style='height:2000px'></div><div style='height:500px' onclick='tell([event.pageX, event.pageY])'>x</div>";
    check(body, async |bench| {
        let mut gone = target("#gone", 100);
        gone.fallback = Some(Area {
            x: 300.0,
            y: 2_200.0,
            width: 100.0,
            height: 50.0,
        });
        let done = bench.click_by(gone.clone()).await.unwrap();
        assert!(done.has_fallen_back);
        assert_eq!(told(bench).await, "- 350,2225");
        gone.locator = locator(By::CssSelector, "#gone[");
        assert!(failed(bench.click_by(gone).await).contains("css selector"));
    });
}

#[test]
fn what_is_not_there_fails_in_words_without_its_selector() {
    check("<p style='width:0;height:0'></p>", async |bench| {
        let words = failed(bench.click("#s3cret").await);
        assert!(
            words.contains("no such element") && !words.contains("s3cret"),
            "{words}"
        );
        let words = failed(bench.click("p").await);
        assert!(words.contains("not shown"), "{words}");
        for (by, bad) in [(By::CssSelector, "s3cret[["), (By::XPath, "//s3cret[")] {
            let mut bad_target = target("", 100);
            bad_target.locator = locator(by, bad);
            let words = failed(bench.click_by(bad_target).await);
            assert!(
                words.contains(by.as_str()) && !words.contains("s3cret"),
                "{words}"
            );
        }
    });
}

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
            bench
                .act(&PageAction::PressKey { key: text(key) })
                .await
                .unwrap();
        }
        let words = told(bench).await;
        assert!(words.ends_with("h i Control^ l^ ArrowLeft Tab"), "{words}");
        let words = failed(
            bench
                .act(&PageAction::PressKey {
                    key: text("s3cret"),
                })
                .await,
        );
        assert!(
            words.contains("unknown") && !words.contains("s3cret"),
            "{words}"
        );
        bench.click("input").await.unwrap();
        bench
            .act(&PageAction::PressKey { key: text("enter") })
            .await
            .unwrap();
        let url = bench.look().await.view.signals.url.unwrap();
        assert!(url.ends_with("/sent?q=hi"), "{url}");
    });
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
        bench.look().await;
        assert_eq!(bench.run("`${scrollY} ${box.scrollTop}`").await, "300 0");
        bench.act(&scroll(None, -3.0)).await.unwrap();
        bench.look().await;
        bench.act(&scroll(Some("#box"), 5.0)).await.unwrap();
        bench.look().await;
        assert_eq!(bench.run("`${scrollY} ${box.scrollTop}`").await, "0 500");
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
        bench
            .act(&PageAction::PressKey { key: text("enter") })
            .await
            .unwrap();
        bench.type_into("#n", text("4.5")).await.unwrap();
        bench.type_into("#m", text("a@b.example")).await.unwrap();
        bench.click("#f").await.unwrap();
        let values = bench
            .run("[c.checked, document.querySelector('select').value, n.value, m.value].join('|')")
            .await;
        assert_eq!(values, "true|Two|4.5|a@b.example");
        assert_eq!(told(bench).await, "-7");
        let outcome = bench.click("button").await;
        assert!(
            !matches!(outcome, Err(ActionFailure::BrowserGone(_))),
            "{outcome:?}"
        );
        println!("a disabled button: {outcome:?}");
        assert_eq!(told(bench).await, "-7");
    });
}

/// Prints what a transition costs: `cargo test --features sandbox --test all transitions_cost -- --ignored --nocapture`.
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
