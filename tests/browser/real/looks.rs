//! What looks see of a page.

use domain::page::{By, Condition, Item, Look, Query};
use platform::{Browser as _, Browsers as _};

use super::site::{Page, Site};
use super::support::{Bench, MS_MAX, terms, with_browser};

fn item(text: &str, selector: &str) -> Item {
    Item {
        text: text.to_owned(),
        selector: selector.to_owned(),
    }
}

#[track_caller]
fn check_items(body: &str, expected: &[(&str, &str)]) {
    let site = Site::of(&format!("<!doctype html><body style='margin:0'>{body}"));
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let items = bench.look().await.view.signals.items.unwrap();
        let expected: Vec<Item> = expected
            .iter()
            .map(|(text, selector)| item(text, selector))
            .collect();
        assert_eq!(items, expected, "{body}");
    });
}

#[test]
fn texts_are_those_of_an_elements_own() {
    let body =
        "<h1> A <b>bold</b>  title </h1><div><span>inner</span></div><p>   </p><p>x&amp;y\n z</p>";
    check_items(
        body,
        &[
            ("A title", "h1"),
            ("bold", "b"),
            ("inner", "span"),
            ("x&y\n z", "p"),
        ],
    );
    let (long, shown) = ("x".repeat(101), format!("{}...", "x".repeat(100)));
    check_items(&format!("<p>{long}</p>"), &[(&shown, "p")]);
    check_items(
        &format!("<p>{}</p>", "x".repeat(100)),
        &[(&"x".repeat(100), "p")],
    );
    let (half, whole) = (
        format!("{}\u{1f600}", "x".repeat(99)),
        format!("{}\u{fffd}...", "x".repeat(99)),
    );
    check_items(&format!("<p>{half}</p>"), &[(&whole, "p")]);
}

#[test]
fn selectors_have_tag_classes_and_named_attributes_in_their_order() {
    check_items(
        "<a class='b md:flex _c 2d' title=\"it's\" id=i data-x=no href='/a b' data-testid=t rel=n>link</a>",
        &[(
            "link",
            "a.b._c[title*=\"it's\"][id=\"i\"][href*=\"/a b\"][data-testid=\"t\"]",
        )],
    );
    check_items(
        "<button type=submit required aria-label='say \"hi\"'>go</button>",
        &[(
            "go",
            "button[type=\"submit\"][required=\"\"][aria-label*=\"say \\\"hi\\\"\"]",
        )],
    );
}

#[test]
fn only_visible_elements_in_the_viewport_are_listed() {
    check_items(
        "<p style='display:none'>none</p><p style='visibility:hidden'>hidden</p><p style='opacity:0'>clear</p>\
         <p style='position:absolute;top:600px'>below</p><p style='position:absolute;top:550px'>touches</p>\
         <svg width=90 height=20><text y=15>drawn</text></svg><script>1</script><p>seen</p>",
        &[("touches", "p"), ("seen", "p")],
    );
    // Only what hides an element itself counts, as in the original.
    check_items(
        "<div style='opacity:0'><p>in what is clear</p></div><p style='opacity:1e-9'>nearly clear</p>\
         <div style='visibility:hidden'>hidden<p style='visibility:visible'>in what is hidden</p></div>\
         <div style='display:contents'>no box<p>in no box</p></div>\
         <p style='transform:scale(40);width:.1px;height:.1px;overflow:hidden'>less than a pixel</p>",
        &[
            ("in what is clear", "p"),
            ("nearly clear", "p"),
            ("in what is hidden", "p"),
            ("in no box", "p"),
        ],
    );
}

#[test]
fn what_is_covered_is_left_out_unless_all_is() {
    let cover = "<div style='position:fixed;inset:0;z-index:9'></div>";
    check_items(
        &format!("<p>under</p>{cover}<b style='position:fixed;z-index:10;top:50px'>over</b>"),
        &[("over", "b")],
    );
    check_items(
        &format!("<p>low</p><b style='position:relative;z-index:3'>high</b>{cover}"),
        &[("high", "b")],
    );
}

#[test]
fn a_page_fakes_neither_texts_nor_selectors() {
    let fakes = "<form class=real name=querySelectorAll><input name=getAttributeNames><input name=classList>\
        <input name=parentNode><input name=firstChild><img name=createTreeWalker>own text</form>\
        <script>
        Element.prototype.getAttributeNames = () => ['id'];
        Element.prototype.getAttribute = () => 'faked';
        Document.prototype.createTreeWalker = () => null;
        Object.defineProperty(Node.prototype, 'firstChild', {get: () => null});
        String.prototype.trim = () => 'faked';
        window.visualDegrees = {look: () => ({title: 'faked'})};
        </script>";
    check_items(
        fakes,
        &[("own text", "form.real[name=\"querySelectorAll\"]")],
    );
}

fn query(by: By, selector: &str, is_visible: bool, timeout_ms: u64) -> Query {
    Query {
        by,
        selector: selector.to_owned(),
        condition: if is_visible {
            Condition::Visible
        } else {
            Condition::Present
        },
        timeout_ms,
    }
}

#[test]
fn questions_for_elements_are_answered_in_every_way() {
    let body = "<body style='margin:0'><a id=i name=n class='c d' href=/x> Go   there </a>\
        <p style='position:absolute;top:590px;height:20px'>below</p><p id=hid style='display:none'>x</p>";
    let site = Site::of(body);
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let look = Look {
            queries: vec![
                query(By::CssSelector, "a#i.c", true, 0),
                query(
                    By::XPath,
                    "//*[normalize-space(text())='Go there']",
                    true,
                    0,
                ),
                query(By::Id, "i", true, 0),
                query(By::Name, "n", true, 0),
                query(By::TagName, "a", true, 0),
                query(By::ClassName, "c", true, 0),
                query(By::LinkText, "Go there", true, 0),
                query(By::PartialLinkText, "there", true, 0),
                query(By::CssSelector, "p", false, 0),
                query(By::CssSelector, "p", true, 0),
                query(By::CssSelector, "#hid", false, 0),
                query(By::CssSelector, "#hid", true, 0),
                query(By::CssSelector, "a[", false, 0),
                query(By::XPath, "count(//a)", false, 0),
                query(By::LinkText, "there", false, 0),
                query(By::Id, "none", false, 150),
            ],
            ..Look::default()
        };
        let found = bench.look_for(&look).await.view.signals.found;
        assert_eq!(found, [0, 1, 2, 3, 4, 5, 6, 7, 8, 10]);
    });
}

#[test]
fn an_element_is_waited_for() {
    let site = Site::of(
        "<script>setTimeout(() => document.body.innerHTML = '<b id=late>late</b>', 2000)</script><body>",
    );
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let look = |timeout_ms| Look {
            queries: vec![query(By::Id, "late", true, timeout_ms)],
            ..Look::default()
        };
        assert_eq!(bench.look_for(&look(100)).await.view.signals.found, [0; 0]);
        let seen = bench.look_for(&look(9_000)).await.view.signals;
        assert_eq!(seen.found, [0]);
        assert_eq!(seen.items.unwrap(), [item("late", "b[id=\"late\"]")]);
    });
}

#[test]
fn a_look_waits_for_the_page_that_an_action_leads_to() {
    let site = Site::new(|path| match path {
        "/" => Page::html("<a href=/next>next</a>"),
        "/next" => Page::html("<title>next</title><body><script src=/slow.js></script>"),
        _ => Page::script(
            "fetch('/data').then((a) => a.text()).then((t) => document.body.append(t))",
        )
        .after(300),
    });
    let terms = terms(&[site.origin()]);
    with_browser(&terms, async |bench| {
        bench.open(&site.url("/")).await;
        bench.click("a").await.unwrap();
        let seen = bench.look().await.view;
        assert_eq!(seen.signals.title, "next");
        assert_eq!(seen.signals.url.unwrap(), site.url("/next"));
        let items = seen.signals.items.unwrap();
        assert!(items[0].text.starts_with("fetch("), "{items:?}");
    });
}

/// A page that was never navigated is not waited for until it is quiet.
#[test]
fn an_empty_page_that_nobody_opened_is_seen() {
    with_browser(&terms(&[]), async |bench| {
        let browser = bench
            .client
            .begin_browser(&bench.terms, &|_| Ok(()), MS_MAX);
        let browser = browser.await.unwrap();
        let seen = browser.look(&Look::default(), MS_MAX).await.unwrap();
        assert_eq!(seen.view.signals.url.unwrap(), "about:blank");
        assert_eq!(seen.view.signals.items.unwrap(), []);
        browser.end().await;
    });
}

#[test]
fn a_page_that_never_rests_is_looked_at_with_a_limit() {
    // The next change always waits in the page's queue, so that it comes before a look does.
    let site = Site::of(
        "<b>0</b><script>let n = 0, before = performance.now(), rest = 0; const next = new MessageChannel();
          next.port1.onmessage = () => {
            rest = Math.max(rest, performance.now() - before); before = performance.now();
            document.title = Math.ceil(rest); document.querySelector('b').textContent = ++n;
            next.port2.postMessage(0) };
          next.port2.postMessage(0)</script>",
    );
    with_browser(&terms(&[site.origin()]), async |bench| {
        // On a busy machine the page itself sometimes gets no time: its title says for how long.
        for _ in 0..10 {
            bench.open(&site.url("/")).await;
            let began_ms = Bench::now_ms();
            assert_eq!(bench.texts().await.len(), 1);
            let first_ms = Bench::now_ms() - began_ms;
            assert_eq!(bench.texts().await.len(), 1);
            let seen = bench.look().await.view;
            if first_ms >= 700 {
                return;
            }
            let rested_ms: u64 = seen.signals.title.parse().unwrap();
            assert!(
                rested_ms >= 17,
                "{first_ms}: nobody waited for the page to rest, which never did for over {rested_ms} ms"
            );
        }
        panic!("the page rested in each of ten tries");
    });
}

#[test]
fn elements_that_can_be_acted_on_have_a_selector_each() {
    let body = "<ul><li><button>Buy</button></li><li><button>Buy</button></li></ul>\
        <label for=q>Search</label><input id=q placeholder=Words><input type=password name=pw value=hidden>\
        <input type=submit value=Send><div role=tab>Tab</div><div style='cursor:pointer'><i>icon</i></div>\
        <input type=hidden><p>text</p><a>no link</a><div style='height:900px'></div><button>far</button>";
    let site = Site::of(body);
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let wish = Look {
            wants_elements: true,
            ..Look::default()
        };
        let elements = bench.look_for(&wish).await.view.elements;
        let told: Vec<String> = elements
            .iter()
            .map(|one| format!("{} {:?} {:?} {}", one.tag, one.role, one.text, one.selector))
            .collect();
        let expected = [
            "button \"\" \"Buy\" li:nth-of-type(1) > button:nth-of-type(1)",
            "button \"\" \"Buy\" li:nth-of-type(2) > button:nth-of-type(1)",
            "label \"\" \"Search\" label[for=\"q\"]",
            "input \"text\" \"Search\" input[id=\"q\"][placeholder=\"Words\"]",
            "input \"password\" \"pw\" input[type=\"password\"][name=\"pw\"]",
            "input \"submit\" \"Send\" input[type=\"submit\"]",
            "div \"tab\" \"Tab\" div[role=\"tab\"]",
            "div \"\" \"icon\" div:nth-of-type(2)",
        ];
        assert_eq!(told, expected);
        let named: Vec<&str> = elements
            .iter()
            .filter_map(|one| one.named.as_deref())
            .collect();
        let expected = [
            "textbox[name=\"Search\"]",
            "button[name=\"Send\"]",
            "tab[name=\"Tab\"]",
        ];
        assert_eq!(
            named, expected,
            "the password field has no name, and the others no role"
        );
        assert!(elements[0].area.width > 10.0 && elements[1].area.y > elements[0].area.y);
    });
}

#[test]
fn a_role_and_a_name_are_those_of_one_element() {
    let body = "<button>Open</button><button hidden>Open</button><button>Page 2</button><button>Say \"a\\b\"</button>\
        <button>Again</button><a href=x>Again</a><a href=y>Again</a><button>Hunter2 is it</button>\
        <div id=h></div><script>h.attachShadow({mode: 'closed'}).innerHTML = '<button>Inside</button>'</script>\
        <iframe srcdoc='<button>Framed</button>' title=f></iframe>";
    let site = Site::of(body);
    let mut terms = terms(&[site.origin()]);
    terms.secrets = vec!["Hunter2".into()];
    with_browser(&terms, async |bench| {
        bench.open(&site.url("/")).await;
        let wish = Look {
            wants_elements: true,
            ..Look::default()
        };
        let elements = bench.look_for(&wish).await.view.elements;
        let named: Vec<&str> = elements
            .iter()
            .filter_map(|one| one.named.as_deref())
            .collect();
        let expected = [
            "button[name=\"Open\"]",
            "button[name=\"Say \\\"a\\\\b\\\"\"]",
            "button[name=\"Again\"]",
            "div#h >> button[name=\"Inside\"]",
            "iframe[title=\"f\"] >> button[name=\"Framed\"]",
        ];
        assert_eq!(named, expected);
        for selector in expected {
            let query = Query {
                by: By::Role,
                selector: selector.to_owned(),
                condition: Condition::Shown,
                timeout_ms: 0,
            };
            let look = Look {
                queries: vec![query],
                ..Look::default()
            };
            let found = bench.look_for(&look).await.view.signals.found;
            assert_eq!(found, [0], "{selector}");
        }
    });
}

#[test]
fn what_the_empty_page_shows_is_known_without_asking_it() {
    let site = Site::of("<p>x");
    with_browser(&terms(&[site.origin()]), async |bench| {
        let query = |selector: &str| Query {
            by: By::CssSelector,
            selector: selector.to_owned(),
            condition: Condition::Present,
            timeout_ms: 5_000,
        };
        let mut wish = Look {
            queries: vec![query("p"), query("#q")],
            wants_elements: true,
            ..Look::default()
        };
        let began_ms = Bench::now_ms();
        let known = bench.look_for(&wish).await.view;
        assert!(Bench::now_ms() - began_ms < 2_500, "nothing was waited for");
        // Queries that find something in it, and invalid ones, are asked of the page's script.
        for (selector, found, unanswered) in [("body", &[0][..], &[][..]), ("b[", &[], &[0])] {
            wish.queries = vec![query(selector)];
            let mut asked = bench.look_for(&wish).await.view;
            let signals = &mut asked.signals;
            assert_eq!((&*signals.found, &*signals.unanswered), (found, unanswered));
            signals.found.clear();
            signals.unanswered.clear();
            assert_eq!(known, asked);
        }
        bench.open(&site.url("/")).await;
        assert_eq!(bench.texts().await, ["x"]);
    });
}

#[test]
fn language_and_time_zone_are_those_of_the_terms() {
    let page = "<script>document.title = [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone,\
        (0.5).toLocaleString(), innerWidth, innerHeight].join()</script>";
    let site = Site::of(page);
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        assert_eq!(
            bench.look().await.view.signals.title,
            "de-DE,Asia/Tokyo,0,5,800,600"
        );
        let gone = bench.browser.reload(MS_MAX).await;
        assert_eq!(gone, Ok(()));
        assert_eq!(
            bench.look().await.view.signals.title,
            "de-DE,Asia/Tokyo,0,5,800,600"
        );
    });
}

#[test]
fn a_look_leaves_texts_out_where_the_browser_is_slow_to_tell_what_lies_above_them() {
    let small = "<style>body{margin:0;display:flex;flex-wrap:wrap}i{width:2px;height:2px;font:2px/2px serif}</style>";
    let site = Site::of(&format!("{small}{}", "<i>x</i>".repeat(60_000)));
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let items = bench.look().await.view.signals.items.unwrap();
        assert!((50..900).contains(&items.len()), "{}", items.len());
        let remarks = bench.browser.take_remarks();
        assert!(has_left_texts_out(&remarks), "{remarks:?}");
    });
}

fn has_left_texts_out(remarks: &[String]) -> bool {
    remarks
        .iter()
        .any(|remark| remark.starts_with("Not all texts of the page"))
}

/// Prints what looks cost: `cargo test --test all looks_cost -- --ignored --nocapture`.
#[test]
#[ignore = "it measures, and other tests beside it would be measured as well"]
fn what_looks_cost() {
    let rows: Vec<String> = (0..2_500)
        .map(|row| {
            format!("<tr class='row r{row}'><td>{row}</td><td id=c{row}>cell <b>bold</b></td></tr>")
        })
        .collect();
    let rows = rows.concat();
    let flow = format!("<table>{rows}</table>");
    let dense = format!(
        "<style>td,tr,table{{font-size:1px;padding:0;display:inline}}</style><table>{rows}</table>"
    );
    let spans = "<i>x</i>".repeat(10_000);
    let small = "i{width:4px;height:4px;font:3px/4px serif}body{margin:0;line-height:4px;";
    let blocks = format!("<style>{small}}}i{{display:inline-block}}</style>{spans}");
    let flex = format!("<style>{small}display:flex;flex-wrap:wrap}}</style>{spans}");
    let slow = std::cell::RefCell::new(Vec::new());
    for (name, body) in [
        ("a long page", flow),
        ("all of it in the viewport, in letters of a pixel", dense),
        ("all of it in the viewport, in lines", blocks),
        ("all of it in the viewport, in one flex box", flex),
    ] {
        let site = Site::of(&body);
        with_browser(&terms(&[site.origin()]), async |bench| {
            bench.open(&site.url("/")).await;
            let items = bench.look().await.view.signals.items.unwrap().len();
            let is_cut = has_left_texts_out(&bench.browser.take_remarks());
            let mut taken_ms = Vec::new();
            for _ in 0..30 {
                let began_ms = Bench::now_ms();
                bench.look().await;
                taken_ms.push(Bench::now_ms() - began_ms);
            }
            taken_ms.sort_unstable();
            println!(
                "{name}, 10,000 elements, {items} items{}: median {} ms, slowest {} ms",
                if is_cut { ", cut" } else { "" },
                taken_ms[15],
                taken_ms[29]
            );
            if taken_ms[15] > 60 && !is_cut {
                slow.borrow_mut().push(name);
            }
        });
    }
    assert_eq!(slow.into_inner(), [""; 0], "each is cut or takes 60 ms");
}
