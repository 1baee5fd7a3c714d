//! The person meant by a typed name, and the cost of a run.

use serde_json::json;
use settings::Caps;

use super::question::{
    Question, check_accepted, check_conflict, check_contradicts, check_problem, check_refused,
    from_body, limits_of,
};

fn numbers(question: &Question) -> [Option<String>; 2] {
    let request = check_accepted(question, &Caps::default()).request;
    [request.person_a, request.person_b]
        .map(|person| person.wikidata.map(|number| number.to_string()))
}

#[test]
fn a_number_says_who_is_meant() {
    let question = Question::good().with("wikidataA", "Q10738");
    assert_eq!(numbers(&question), [Some("Q10738".into()), None]);
    let question = question.with("wikidataB", " q42 ");
    let both = [Some("Q10738".into()), Some("Q42".into())];
    assert_eq!(numbers(&question), both);
    // In a body they may accompany the names, but only once.
    let beside = json!({"personA": "X", "personB": "Y", "wikidataA": "Q1"});
    let meant = from_body(&beside).unwrap().request.person_a.wikidata;
    assert_eq!(meant.unwrap().as_str(), "Q1");
    let mut twice = beside;
    twice["options"] = json!({"wikidataA": "Q1"});
    check_conflict(from_body(&twice), "wikidataA");
}

#[test]
fn what_is_no_number_is_refused() {
    for wrong in [
        "Q",
        "Q0",
        "P31",
        "Q1|Q2",
        "https://www.wikidata.org/wiki/Q1",
        "\u{a0}Q1",
    ] {
        let question = Question::good().with("wikidataB", wrong);
        check_refused(&question, "wikidataB", "wikidataB");
    }
    check_refused(
        &Question::good().with("wikidataA", "42"),
        "wikidataA",
        "wikidataA",
    );
}

#[test]
fn two_people_of_one_name_are_two_where_their_numbers_differ() {
    let same = Question::of("John Thornton", "john thornton").with("wikidataA", "Q1");
    check_contradicts(&same, "b", "personB");
    let two = same.clone().with("wikidataB", "Q2");
    assert_eq!(numbers(&two), [Some("Q1".into()), Some("Q2".into())]);
    let one = Question::of("The Rock", "Dwayne Johnson");
    let one = one.with("wikidataA", "Q10738").with("wikidataB", "Q10738");
    check_contradicts(&one, "b", "personB");
}

#[test]
fn a_run_may_cost_what_is_asked_for_and_no_more_than_the_cap() {
    assert_eq!(limits_of(&Question::good()).nano_usd_max, None);
    let asked = |usd: &str| limits_of(&Question::good().with("budgetUsd", usd)).nano_usd_max;
    assert_eq!(asked("0.05"), Some(50_000_000));
    assert_eq!(asked("0.001"), Some(1_000_000));
    assert_eq!(asked("3"), Some(3_000_000_000));
    for wrong in ["0", "-1", "0.0001", "1001", "NaN", "inf", "much"] {
        let question = Question::good().with("budgetUsd", wrong);
        check_refused(&question, "budgetUsd", "budgetUsd");
    }
    assert_eq!(asked(""), None);
    let caps = Caps {
        nano_usd_max: Some(20_000_000),
        ..Caps::default()
    };
    let unasked = check_accepted(&Question::good(), &caps);
    assert_eq!(unasked.request.limits.nano_usd_max, Some(20_000_000));
    let over = Question::good().with("budgetUsd", "0.03").asked(&caps);
    let problem = check_problem(over.query, Some("budgetUsd"));
    assert!(problem.detail().contains("from 0.001 to 0.02"));
}
