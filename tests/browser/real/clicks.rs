//! A click reaches the intended element, or nothing.

use domain::page::{ActionFailure, Area, By, Fallback, MouseButton, PageAction};

use super::support::{locator, target};
use super::telling::{check, failed, told};

#[test]
fn a_click_is_trusted_and_at_its_share_of_the_width() {
    let body = "<button style='position:absolute;left:100px;top:50px;width:200px;height:40px' \
        onclick='tell([event.clientX, event.clientY, event.isTrusted, event.button])'>x</button>";
    check(body, async |bench| {
        let click = PageAction::Click {
            target: target("button", 300),
            button: MouseButton::Left,
            clicks: 1,
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
fn what_lies_inside_an_element_is_the_element_and_what_lies_around_it_is_not() {
    let body = "<button onclick='tell(1)'><span style='display:block'>in</span></button>\
        <p onclick='tell(2)'><i style='pointer-events:none'>around</i></p>";
    check(body, async |bench| {
        bench.click("button").await.unwrap();
        let words = failed(bench.click("i").await);
        assert!(
            words.contains("pointer-events: none") && words.contains("p \"around\""),
            "{words}"
        );
        assert_eq!(told(bench).await, "- 1");
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
            Ok(_) => assert_eq!(told, "- hit"),
            Err(ActionFailure::Failed(_)) => assert_eq!(told, "-"),
            Err(ActionFailure::UnknownOutcome(words)) if words.contains("moved away") => {
                assert_eq!(told, "-");
            }
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
                Err(ActionFailure::UnknownOutcome(words)) if words.contains("moved away") => {}
                Err(other) => panic!("{other:?}"),
            }
        }
        let told = told(bench).await;
        assert_eq!(told.matches("hit").count(), hits, "{told}");
        assert!(!told.contains("trap"), "{told}");
    });
}

#[test]
fn a_button_that_moves_away_under_the_press_is_told_and_nothing_else_is_clicked() {
    let body = "<div style='position:fixed;inset:0' onclick='tell(\"trap\")'><button style='position:fixed;left:10px;top:10px' \
        onclick='tell(\"hit\")' onmousedown='tell(\"down\"); this.style.left = \"500px\"'>x</button></div>";
    check(body, async |bench| {
        let outcome = bench.click("button").await;
        let words = match outcome {
            Err(ActionFailure::UnknownOutcome(words)) => words,
            other => panic!("{other:?}"),
        };
        assert!(words.contains("moved away"), "{words}");
        assert_eq!(told(bench).await, "- down");
    });
}

#[test]
fn a_press_that_a_page_answers_with_something_above_is_done() {
    let body = "<button onmousedown='tell(\"down\"); wall.hidden = false'>x</button>\
        <div id=wall hidden style='position:fixed;inset:0'></div><i onmousedown='this.remove()'>y</i>";
    check(body, async |bench| {
        bench.click("button").await.unwrap();
        assert_eq!(told(bench).await, "- down");
        bench.run("document.getElementById('wall').remove()").await;
        bench.click("i").await.unwrap();
    });
}

#[test]
fn a_press_that_reaches_another_element_is_kept_from_it() {
    // The page swaps the elements between the last measurement and the press, and sometimes between press and release:
    // then the press has happened, but the browser makes no click of it.
    let body = "<button id=good style='position:fixed;left:0;top:0;width:100px;height:50px' \
        onmousedown='tell(\"down\")' onclick='tell(\"hit\")'>x</button>\
        <button id=bad style='position:fixed;left:0;top:0;width:100px;height:50px;z-index:-1' \
        onpointerdown='tell(\"bad\")' onmousedown='tell(\"bad\")' onclick='tell(\"bad\")' onfocus='tell(\"bad\")' \
        onmouseup='tell(\"above\")'>y</button><script>
        const bad = document.getElementById('bad'); let on = 0;
        setInterval(() => { bad.style.zIndex = (on = !on) ? 9 : -1; }, 1)</script>";
    check(body, async |bench| {
        let mut done = 0;
        for _ in 0..20 {
            done += usize::from(bench.click("#good").await.is_ok());
        }
        let told = told(bench).await;
        assert!(!told.contains("bad"), "{told}");
        assert_eq!(told.matches("down").count(), done, "{told}");
        let [hits, above] = ["hit", "above"].map(|one| told.matches(one).count());
        assert_eq!(hits + above, done, "{told}");
        assert!(hits > 0, "{told}");
    });
}

#[test]
fn what_is_around_an_element_gets_no_press_that_was_meant_for_it() {
    // It lets presses through between the last measurement and the press, and sometimes before the release.
    let body = "<div onpointerdown='tell(event.target.id)' onclick='tell(event.target.id)' id=bad style='padding:40px'>\
        <button id=good>x</button></div><script>const good = document.getElementById('good'); let on = 0;\
        setInterval(() => { good.style.pointerEvents = (on = !on) ? 'none' : ''; }, 1)</script>";
    check(body, async |bench| {
        let mut done = 0;
        for _ in 0..20 {
            done += usize::from(bench.click("#good").await.is_ok());
        }
        let told = told(bench).await;
        assert!(!told.contains("bad"), "{told}");
        assert!(done > 0 && told.contains("good"), "{done}: {told}");
    });
}

#[test]
fn the_fallback_is_clicked_where_the_element_is_gone_and_that_is_told() {
    let body = "<div style='height:2000px'></div><div style='height:500px' onclick='tell([event.pageX, event.pageY])'>x</div>";
    check(body, async |bench| {
        let mut gone = target("#gone", 100);
        gone.fallback = Some(Fallback::Taken(Area {
            x: 300.0,
            y: 2_200.0,
            width: 100.0,
            height: 50.0,
        }));
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
