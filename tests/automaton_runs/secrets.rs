//! No secret is in anything that a run stores or emits.

use devtools::rehearsal::PageWorld;
use serde_json::json;

use devtools::rehearsal::{FaultKind, FaultTiming, InjectedFault};

use super::bench::{PASSWORD, beginning, conducted, last, request, shop, simulation, state};

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

/// A secret of the request is never replaced by the operator's of the same name.
#[test]
fn a_secret_that_was_sent_is_never_the_operators() {
    const OPERATORS: &str = "operators-own-password";
    let kept =
        json!([{"name": "PASSWORD", "value": OPERATORS, "origins": ["https://shop.example"]}]);
    let run = |faults| {
        let simulation = simulation(shop(2), faults, &[("AUTOMATON_SECRETS", &kept.to_string())]);
        simulation.begin(&beginning(&simulation, &request(2)));
        simulation.conduct_to_end().unwrap();
        simulation
    };
    let operations = u32::try_from(run(Vec::new()).conducted().operations.len()).unwrap();
    let mut lost = 0;
    for number in 1..=operations {
        for when in FaultTiming::ALL {
            let crash = InjectedFault {
                at: None,
                number,
                when,
                kind: FaultKind::Crash,
            };
            let run = run(vec![crash]);
            let typed = run
                .deeds()
                .into_iter()
                .find(|deed| deed.contains(OPERATORS));
            assert_eq!(typed, None, "{number} {when:?}");
            let told = format!("{:?}", run.conducted());
            assert!(
                !told.contains(OPERATORS) && !told.contains(PASSWORD),
                "{number} {when:?}"
            );
            let end = last(&run);
            let says = end["payload"]["message"].as_str().unwrap();
            match end["payload"]["reason"].as_str() {
                None | Some("unknown_outcome") => {}
                Some("browser" | "refused") => {
                    lost += 1;
                    assert!(
                        says.contains("PASSWORD") && says.contains("gone"),
                        "{number}: {says}"
                    );
                }
                Some(other) => panic!("{number} {when:?}: {other}"),
            }
        }
    }
    assert!(lost > 10, "{lost}");
}

/// A page that knows the operator's secret shows it in many ways, beside an unknown one.
#[test]
fn what_a_page_makes_of_a_secret_is_hidden_in_all_that_is_kept() {
    let copies = [
        "corr ect- hors e-ba tter y".to_owned(),
        PASSWORD.to_uppercase(),
        "Y29ycmVjdC1ob3JzZS1iYXR0ZXJ5".to_owned(),
        "correct&#45;horse&#x2d;battery".to_owned(),
        "636f72726563742d686f7273652d62617474657279".to_owned(),
    ];
    let address = "https://shop.example/?to=correct%252Dhorse%252Dbattery";
    let mut items: Vec<(&str, &str)> = copies.iter().map(|copy| (copy.as_str(), "p")).collect();
    items.extend(["cor", "rect-", "hor", "sebat", "tery"].map(|box_of_it| (box_of_it, "i")));
    items.push(("Thanks", "h1"));
    let world =
        shop(1)
            .with_page(address, &items)
            .with_link("https://shop.example/", "button.in", address);
    let run = conducted(&request(1), world, Vec::new());
    let told = format!("{:?}", run.conducted());
    for never in copies
        .iter()
        .map(String::as_str)
        .chain(["%252Dhorse", "\"cor\"", "sebat"])
    {
        assert!(!told.contains(never), "{never}");
    }
    assert!(told.contains("Thanks"));
}

#[test]
fn every_secret_is_noted_before_it_is_used() {
    let kept =
        json!([{"name": "PASSWORD", "value": PASSWORD, "origins": ["https://shop.example"]}]);
    let simulation = simulation(
        shop(1),
        Vec::new(),
        &[("AUTOMATON_SECRETS", &kept.to_string())],
    );
    let mut body = request(1);
    body.as_object_mut().unwrap().remove("secrets");
    simulation.begin(&beginning(&simulation, &body));
    simulation.conduct_to_end().unwrap();
    let told = format!("{:?}", simulation.conducted());
    assert!(
        told.contains("typed") && told.contains("PASSWORD"),
        "{told}"
    );
}
