//! Pictures, and secrets that must not be shown.

use std::ops::Range;

use domain::page::{BrowserTerms, Look, TypedText};
use platform::Browser as _;

use super::site::Site;
use super::support::{Bench, terms, with_browser};

const SECRET: &str = "hunter2 & co";

fn secret_terms(site: &Site) -> BrowserTerms {
    BrowserTerms {
        accepts_questions: false,
        allows_web_rtc: false,
        allows_downloads: false,
        secrets: vec![SECRET.into()],
        ..terms(&[site.origin()])
    }
}

fn picture_wish() -> Look {
    Look {
        wants_picture: true,
        ..Look::default()
    }
}

async fn jpeg(bench: &Bench, look: &Look) -> Option<Vec<u8>> {
    bench
        .look_for(look)
        .await
        .picture
        .map(|picture| picture.jpeg)
}

/// Returns the pixels of a picture, and its width.
fn pixels(jpeg: &[u8]) -> (Vec<u8>, usize) {
    let mut decoder = jpeg_decoder::Decoder::new(jpeg);
    let pixels = decoder.decode().unwrap();
    (pixels, usize::from(decoder.info().unwrap().width))
}

/// Returns whether a part of the picture is nearly uniform.
fn is_plain(jpeg: &[u8], xs: Range<usize>, ys: Range<usize>) -> bool {
    let (pixels, width) = pixels(jpeg);
    let reds = ys.flat_map(|y| xs.clone().map(move |x| (y * width + x) * 3));
    let reds: Vec<u8> = reds.map(|at| pixels[at]).collect();
    reds.iter().max().unwrap() - reds.iter().min().unwrap() < 24
}

const FORM: &str = "<body style='margin:0'><input id=a style='position:absolute;left:50px;top:50px;width:300px;height:50px;font-size:40px'>\
    <input id=b type=password style='position:absolute;left:50px;top:150px;width:300px;height:50px;font-size:40px'>\
    <div id=c contenteditable style='position:absolute;left:50px;top:250px;width:300px;height:50px;font-size:40px'>x</div>";

#[test]
fn a_picture_has_the_viewports_size_and_no_secret_in_a_field() {
    let site = Site::of(FORM);
    with_browser(&secret_terms(&site), async |bench| {
        bench.open(&site.url("/")).await;
        let typed = |text: &str| TypedText {
            text: text.into(),
            origins: None,
        };
        for field in ["#a", "#b", "#c"] {
            bench.type_into(field, typed("plain words")).await.unwrap();
        }
        let open = jpeg(bench, &picture_wish()).await.unwrap();
        let (all, width) = pixels(&open);
        assert_eq!((width, all.len()), (800, 800 * 600 * 3));
        assert!(!is_plain(&open, 60..300, 60..90), "plain words are shown");
        assert!(
            is_plain(&open, 60..300, 160..190),
            "every password is covered"
        );
        for field in ["#a", "#b", "#c"] {
            let own = TypedText {
                text: format!("x{SECRET}").as_str().into(),
                origins: Some(vec![site.origin().to_owned()]),
            };
            bench.type_into(field, own).await.unwrap();
        }
        // The editable element is also a text, so that no picture is taken.
        assert_eq!(jpeg(bench, &picture_wish()).await, None);
        bench.type_into("#c", typed("plain")).await.unwrap();
        let covered = jpeg(bench, &picture_wish()).await.unwrap();
        assert!(is_plain(&covered, 60..300, 60..90));
        assert!(is_plain(&covered, 60..300, 160..190));
        assert_eq!(
            bench
                .run("document.documentElement.childElementCount")
                .await,
            "2"
        );
    });
}

#[test]
fn a_page_cannot_take_the_covers_away() {
    let script = "<script>new MutationObserver((all) => { for (const one of all) for (const node of one.addedNodes) node.remove?.(); \
        document.title = 'seen'; }).observe(document.documentElement, {childList: true});\
        setInterval(() => { document.querySelectorAll('html > div').forEach((d) => d.remove()) }, 1)</script>";
    let site = Site::of(&format!("{FORM}<title>-</title>{script}"));
    with_browser(&secret_terms(&site), async |bench| {
        bench.open(&site.url("/")).await;
        let own = TypedText {
            text: SECRET.into(),
            origins: Some(vec![site.origin().to_owned()]),
        };
        bench.type_into("#a", own).await.unwrap();
        for _ in 0..5 {
            if let Some(covered) = jpeg(bench, &picture_wish()).await {
                assert!(is_plain(&covered, 60..300, 60..90));
            }
        }
    });
}

#[test]
fn there_is_no_picture_of_a_secret_in_a_text() {
    let site = Site::of("<p>you are hunter2 <b>&amp;</b> co</p>");
    with_browser(&secret_terms(&site), async |bench| {
        bench.open(&site.url("/")).await;
        assert_eq!(jpeg(bench, &picture_wish()).await, None);
    });
}

#[test]
fn the_numbers_of_elements_stand_in_the_picture() {
    let site = Site::of(
        "<body style='margin:0'><button style='position:absolute;left:400px;top:300px;width:100px;height:60px;background:#fff;border:0'></button>",
    );
    with_browser(&terms(&[site.origin()]), async |bench| {
        bench.open(&site.url("/")).await;
        let plain = jpeg(bench, &picture_wish()).await.unwrap();
        assert!(is_plain(&plain, 400..410, 300..310));
        let wish = Look {
            wants_elements: true,
            ..picture_wish()
        };
        let numbered = jpeg(bench, &wish).await.unwrap();
        assert!(!is_plain(&numbered, 395..412, 295..315));
    });
}

#[test]
fn what_is_cut_has_no_secret_in_it() {
    let html = "<title>hunter2 &amp; co</title><p title='hunter2 & co'>hunter2 &amp; co</p><a href='/?q=hunter2%20%26%20co'>link</a>\
        <button aria-label='hunter2 & co' id=ok>x</button><script>history.replaceState(0, '', '?q=hunter2+%26+co'); alert('hunter2 & co')</script>";
    let site = Site::of(html);
    with_browser(&secret_terms(&site), async |bench| {
        bench.open(&site.url("/")).await;
        let wish = Look {
            wants_elements: true,
            ..Look::default()
        };
        let seen = bench.look_for(&wish).await;
        let remarks = bench.browser.take_remarks();
        // Addresses and selectors are never truncated: the caller removes secrets from them.
        let items = seen.view.signals.items.unwrap();
        let texts: Vec<&str> = items.iter().map(|item| item.text.as_str()).collect();
        let told = format!("{texts:?} {:?} {remarks:?}", seen.view.elements);
        assert!(!told.contains("hunter2"), "{told}");
        assert_eq!(seen.view.signals.title, "***");
        assert_eq!(texts[0], "***");
        assert!(told.contains("(alert) was accepted: \\\"***\\\""), "{told}");
    });
}

#[test]
fn a_busy_picture_is_made_smaller_or_left_out() {
    let html = "<canvas width=1600 height=1200></canvas><script>const c = document.querySelector('canvas').getContext('2d');\
        const d = c.createImageData(1600, 1200); for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 == 3 ? 255 : Math.random() * 256;\
        c.putImageData(d, 0, 0)</script>";
    let site = Site::of(html);
    let mut large = terms(&[site.origin()]);
    large.viewport.width = 1_600;
    large.viewport.height = 1_200;
    with_browser(&large, async |bench| {
        bench.open(&site.url("/")).await;
        let jpeg = jpeg(bench, &picture_wish()).await;
        assert!(jpeg.is_none_or(|jpeg| jpeg.len() <= 400_000));
    });
}
