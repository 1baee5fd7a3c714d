//! No secret stands in anything that a run keeps or tells.

use serde_json::json;
use visual_degrees::rehearsal::PageWorld;

use super::bench::{PASSWORD, conducted, last, request, shop, state};

#[test]
fn a_secret_reaches_the_page_and_nothing_else() {
    let run = conducted(&request(2), shop(2), Vec::new());
    let typed = format!("https://shop.example/ type input.word {PASSWORD}");
    assert!(run.deeds().contains(&typed));
    assert!(!format!("{:?}", run.conducted()).contains(PASSWORD));
    assert_eq!(last(&run)["type"], "completed");
}

#[test]
fn a_page_that_shows_a_secret_is_masked() {
    let echo = format!("You typed {PASSWORD}!");
    let address = format!("https://shop.example/?word={PASSWORD}");
    let world = PageWorld::default()
        .with_page(
            "https://shop.example/",
            &[("Welcome", "h1"), ("Word", "input")],
        )
        .with_link("https://shop.example/", "input", &address)
        .with_page(&address, &[(echo.as_str(), "p")]);
    let states = [
        state(
            "Begin",
            &[("url", "about:blank")],
            &["navigate_to('https://shop.example/')"],
            "",
        ),
        state(
            "Type",
            &[("text", "Welcome")],
            &[
                "type('css selector', 'input', parameters['WORD'])",
                "click('css selector', 'input')",
            ],
            "",
        ),
        state("Seen", &[("text", "You typed ***!")], &[], "Masked"),
    ];
    let body = json!({"automaton": states, "secrets": {"WORD": PASSWORD}});
    let run = conducted(&body, world, Vec::new());
    assert_eq!(last(&run)["payload"]["message"], "Masked");
    assert!(!format!("{:?}", run.conducted()).contains(PASSWORD));
}
