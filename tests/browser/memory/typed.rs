//! Typing texts: how they are sent, and the message if a field ends up with another text.

use domain::page::ActionFailure;
use platform::Browser as _;
use serde_json::{Value, json};

use super::failures::{methods, typing, typing_text};
use super::scripted::{Does, begun, function, in_virtual_time};

#[test]
fn a_secret_goes_to_its_field_in_one_piece_and_other_texts_as_keys() {
    in_virtual_time(async {
        let (browser, log) = begun(|_, _| None).await;
        browser
            .act(&typing(Some("https://shop.example")), 5_000)
            .await
            .unwrap();
        let sent = log.borrow().join("\n");
        assert_eq!(
            sent.matches("hunter2").count(),
            2,
            "it is put in, and read back"
        );
        assert!(!sent.contains("dispatchKeyEvent"));
        for text in ["hunter2", "my hunter2!"] {
            log.borrow_mut().clear();
            let sent_secret = typing_text(text, None);
            browser.act(&sent_secret, 5_000).await.unwrap();
            assert!(
                !methods(&log.borrow()).contains(&"keyDown".to_owned()),
                "{text}"
            );
        }
        log.borrow_mut().clear();
        browser.act(&typing(None), 5_000).await.unwrap();
        let keys = methods(&log.borrow())
            .iter()
            .filter(|one| *one == "keyDown")
            .count();
        assert_eq!(keys, 7);
    });
}

#[test]
fn a_typed_text_is_asked_for_three_times_beside_its_click() {
    in_virtual_time(async {
        let (browser, log) = begun(|_, _| None).await;
        browser.act(&typing(None), 5_000).await.unwrap();
        let sent = methods(&log.borrow());
        for asked in ["aimField", "focused", "held"] {
            let count = sent.iter().filter(|one| *one == asked).count();
            assert_eq!(count, 1, "{asked}: {sent:?}");
        }
        let focused = sent.iter().position(|one| one == "focused").unwrap();
        let is_key = |one: &String| ["rawKeyDown", "keyDown", "keyUp"].contains(&one.as_str());
        let keys = sent.iter().skip(focused + 1).take_while(|one| is_key(one));
        assert_eq!(
            keys.count(),
            6 + 14,
            "nothing is asked between clearing and keys"
        );
    });
}

#[test]
fn a_field_that_holds_something_else_fails_in_words() {
    in_virtual_time(async {
        for (text, held, expected, reads_max) in [
            (
                "hunting",
                json!({"state": "other", "count": 4, "holds": "hunt", "lengthMax": 4}),
                "the field holds \"hunt\" instead of the text; it takes at most 4",
                21,
            ),
            (
                "hunting",
                json!({"state": "other", "count": 0, "holds": "", "lengthMax": -1}),
                "the field holds nothing instead of the text",
                11,
            ),
            (
                "hunting",
                json!({"state": "other", "count": 9, "holds": "a hunter2", "lengthMax": -1}),
                "the field holds \"a ***\" instead of the text",
                21,
            ),
            (
                "hunter2",
                json!({"state": "other", "count": 3, "holds": null, "lengthMax": -1}),
                "the field holds 3 of 7 characters",
                10,
            ),
        ] {
            let answer = json!({"result": {"value": held}});
            let script = move |method: &str, params: &Value| {
                let answer = answer.clone();
                (function(method, params) == "held").then_some(Does::Answers(answer))
            };
            let (browser, log) = begun(script).await;
            let outcome = browser.act(&typing_text(text, None), 5_000).await;
            assert_eq!(outcome, Err(ActionFailure::Failed(expected.to_owned())));
            let reads = methods(&log.borrow())
                .iter()
                .filter(|one| *one == "held")
                .count();
            // What is not a secret, and may be typed once more, is read for as long again.
            assert_eq!(reads, reads_max, "a page may write later, with a limit");
        }
    });
}
