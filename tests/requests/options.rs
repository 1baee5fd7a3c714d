//! Which plans, sessions and people to avoid are accepted, in both forms.

use domain::{Limits, MemoryUse, Name, Pace, Plan, WordUse};
use investigation::requests::{CreateRequest, RunRequest};
use serde_json::{Value, json};
use settings::Caps;

use super::question::{
    Answers, Question, check_accepted, check_conflict, check_contradicts, check_problem,
    check_refused, from_body, limits_of,
};

#[test]
fn two_names_alone_get_the_specified_limits() {
    let asked = check_accepted(&Question::good(), &Caps::default());
    assert_eq!((&asked.session, &asked.request.avoid), (&None, &Vec::new()));
    assert_eq!(
        asked.request.limits,
        Limits {
            plan: Plan::BothEnds,
            pace: Pace::Quick,
            hops: 6,
            threshold_percent: 80,
            images_per_search: 5,
            searches_max: 20,
            polish_searches_max: 0,
            recognitions_max: 100,
            planner_calls_max: 12,
            runtime_ms_max: 120_000,
            words: WordUse::HintsFirst,
            memory: MemoryUse::On,
            ..Limits::default()
        }
    );
}

#[test]
fn every_option_given_is_taken_exactly() {
    let question = Question::good()
        .with_session("Session_1-x")
        .with("plan", "one-sided")
        .with("pace", "frugal")
        .with("hops", "3")
        .with("threshold", "95")
        .with("images", "7")
        .with("searches", "11")
        .with("recognitions", "42")
        .with("llm", "0")
        .with("runtimeMs", "30001")
        .avoiding(&["Cosette", " Mme  Thénardier "]);
    let asked = check_accepted(&question, &Caps::default());
    assert_eq!(asked.session.as_deref(), Some("Session_1-x"));
    let avoided: Vec<&str> = asked.request.avoid.iter().map(Name::as_str).collect();
    assert_eq!(avoided, ["Cosette", "Mme Thénardier"]);
    assert_eq!(
        asked.request.limits,
        Limits {
            plan: Plan::OneSided,
            pace: Pace::Frugal,
            hops: 3,
            threshold_percent: 95,
            images_per_search: 7,
            searches_max: 11,
            polish_searches_max: 0,
            recognitions_max: 42,
            planner_calls_max: 0,
            runtime_ms_max: 30_001,
            words: WordUse::HintsFirst,
            memory: MemoryUse::On,
            ..Limits::default()
        }
    );
}

#[test]
fn confirm_goes_with_both_ends_only() {
    let both = Question::good().with("confirm", "1");
    let asked = check_accepted(&both, &Caps::default());
    assert_eq!(asked.request.limits.confirm_searches_max, 1);
    let Answers { query, body } = both.with("plan", "one-sided").asked(&Caps::default());
    for outcome in [query, body] {
        check_conflict(outcome, "confirm");
    }
}

#[test]
fn years_are_in_order_and_an_empty_one_is_none() {
    let years = |since: &str, until: &str| {
        let question = Question::good().with("since", since).with("until", until);
        question.asked(&Caps::default())
    };
    let Answers { query, body } = years("1998", "2019");
    for asked in [query, body] {
        let years = asked.unwrap().request.limits.years;
        assert_eq!((years.since, years.until), (Some(1998), Some(2019)));
    }
    let Answers { query, body } = years("2020", "2019");
    for outcome in [query, body] {
        check_conflict(outcome, "until");
    }
    let asked = check_accepted(&Question::good().with("since", ""), &Caps::default());
    assert_eq!(asked.request.limits.years.since, None);
    for year in ["1825", "2200", "0", "-5", "1998.5", "last"] {
        check_refused(&Question::good().with("since", year), "since", "since");
    }
}

#[test]
fn a_memory_is_used_unless_it_is_not_wanted() {
    for (wanted, memory) in [("1", MemoryUse::On), ("0", MemoryUse::Off)] {
        let asked = Question::good().with("memory", wanted);
        let query = asked.asked(&Caps::default()).query;
        assert_eq!(query.unwrap().request.limits.memory, memory, "{wanted}");
    }
}

#[test]
fn polish_goes_with_both_ends_only() {
    let both = Question::good().with("polish", "4");
    let asked = check_accepted(&both, &Caps::default());
    assert_eq!(asked.request.limits.polish_searches_max, 4);
    let Answers { query, body } = both.with("plan", "one-sided").asked(&Caps::default());
    for outcome in [query, body] {
        let problem = check_conflict(outcome, "polish");
        assert!(
            problem.detail().contains("both-ends"),
            "{}",
            problem.detail()
        );
    }
}

#[test]
fn plans_have_two_names() {
    let plan = |name: &str| limits_of(&Question::good().with("plan", name)).plan;
    assert_eq!(plan("both-ends"), Plan::BothEnds);
    assert_eq!(plan("one-sided"), Plan::OneSided);
    for name in [
        "",
        "Both-Ends",
        "both_ends",
        "bothends",
        " one-sided",
        "1",
        "random",
    ] {
        check_refused(&Question::good().with("plan", name), "plan", "plan");
    }
}

#[test]
fn a_session_is_1_to_64_letters_digits_underscores_or_hyphens() {
    for session in ["x", "A-b_9", "-", &"x".repeat(64)] {
        let asked = check_accepted(&Question::good().with_session(session), &Caps::default());
        assert_eq!(asked.session.as_deref(), Some(session));
    }
    for session in [
        "",
        " ",
        "a b",
        "a.b",
        "a/b",
        "a:b",
        "é",
        "a\n",
        "a%20",
        &"x".repeat(65),
    ] {
        check_refused(
            &Question::good().with_session(session),
            "session",
            "sessionId",
        );
    }
    for value in [json!(7), json!(["x"]), json!({}), json!(false)] {
        let body = json!({"personA": "X", "personB": "Y", "sessionId": value});
        check_problem(from_body(&body), Some("sessionId"));
    }
    let body = json!({"personA": "X", "personB": "Y", "sessionId": null, "options": null});
    assert_eq!(from_body(&body).unwrap().session, None);
}

#[test]
fn up_to_twenty_people_may_be_avoided() {
    let names: Vec<String> = (0..21).map(|number| format!("Person {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let asked = check_accepted(&Question::good().avoiding(&names[..20]), &Caps::default());
    assert_eq!(asked.request.avoid.len(), 20);
    check_refused(&Question::good().avoiding(&names), "avoid", "avoid");
    let one = json!({"personA": "X", "personB": "Y", "options": {"avoid": "Cosette"}});
    assert_eq!(
        from_body(&one).unwrap().request.avoid[0].as_str(),
        "Cosette"
    );
    let none = json!({"personA": "X", "personB": "Y", "options": {"avoid": []}});
    assert!(from_body(&none).unwrap().request.avoid.is_empty());
}

#[test]
fn neither_end_of_the_chain_may_be_avoided() {
    let question = Question::of("Éponine Thénardier", "Javert");
    for name in [
        "Éponine Thénardier",
        "EPONINE  thenardier",
        "Javert",
        "javert",
    ] {
        check_contradicts(&question.clone().avoiding(&[name]), "avoid", "avoid");
        check_contradicts(
            &question.clone().avoiding(&["Cosette", name]),
            "avoid",
            "avoid",
        );
    }
    check_accepted(&question.avoiding(&["Azelma Thénardier"]), &Caps::default());
}

#[test]
fn an_unknown_option_is_refused_by_name() {
    for option in [
        "hop",
        "Hops",
        "personA",
        "limit",
        "sessionId",
        "",
        "a[]",
        "confidence",
    ] {
        let mut question = Question::good();
        question.query.push((option.into(), "1".into()));
        check_problem(question.asked(&Caps::default()).query, Some(option));
        let body = json!({"personA": "X", "personB": "Y", "options": {option: 1}});
        check_problem(from_body(&body), Some(option));
    }
    for member in ["hops", "a", "person_a", "session", ""] {
        let body = json!({"personA": "X", "personB": "Y", member: 1});
        check_problem(from_body(&body), Some(member));
    }
    for options in [json!(7), json!("hops=3"), json!([]), json!(false)] {
        let body = json!({"personA": "X", "personB": "Y", "options": options});
        check_problem(from_body(&body), Some("options"));
    }
}

#[test]
fn pictures_of_pages_are_wanted_by_a_word_of_each_form() {
    let of_query = |value: &str| {
        let query = format!("a=Ann&b=Bob&capture={value}");
        RunRequest::from_query(&query, &Caps::default())
    };
    let of_body = |value: Value| {
        let body = json!({"personA": "Ann", "personB": "Bob", "options": {"capture": value}});
        CreateRequest::from_body(body.to_string().as_bytes(), &Caps::default())
    };
    for (text, is_wanted) in [("1", true), ("0", false)] {
        let asked = of_query(text).unwrap();
        assert_eq!(asked.request.limits.captures_pages, is_wanted);
        match of_body(json!(is_wanted)).unwrap() {
            CreateRequest::New(asked) => {
                assert_eq!(asked.request.limits.captures_pages, is_wanted);
            }
            CreateRequest::Fork(_) => panic!("nobody asked for a fork"),
        }
    }
    for wrong in ["", "2", "true", "yes"] {
        let problem = of_query(wrong).unwrap_err();
        assert!(problem.detail().contains("must be 1 or 0"), "{problem:?}");
    }
    for wrong in [json!(1), json!("1"), json!(null), json!([])] {
        let problem = of_body(wrong).unwrap_err();
        assert!(
            problem.detail().contains("must be true or false"),
            "{problem:?}"
        );
    }
}
