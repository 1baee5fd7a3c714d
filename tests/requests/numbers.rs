//! Which numbers are accepted, in both forms.

use domain::{Limits, MemoryUse, WordUse};
use serde_json::json;
use settings::Caps;

use super::question::{
    Answers, Question, check_accepted, check_problem, check_refused, from_body, new_run,
};

/// A numeric option: its name, its range, and the limit that it sets.
pub type NumberOption = (&'static str, u64, u64, fn(&Limits) -> u64);

pub fn numbers(caps: &Caps) -> [NumberOption; 9] {
    [
        ("hops", 1, 6, |limits| limits.hops.into()),
        ("threshold", 50, 100, |limits| {
            limits.threshold_percent.into()
        }),
        ("images", 1, 10, |limits| limits.images_per_search.into()),
        ("searches", 1, caps.searches_max.into(), |limits| {
            limits.searches_max.into()
        }),
        ("polish", 0, caps.searches_max.into(), |limits| {
            limits.polish_searches_max.into()
        }),
        ("confirm", 0, caps.searches_max.into(), |limits| {
            limits.confirm_searches_max.into()
        }),
        ("recognitions", 1, caps.recognitions_max.into(), |limits| {
            limits.recognitions_max.into()
        }),
        ("llm", 0, caps.planner_calls_max.into(), |limits| {
            limits.planner_calls_max.into()
        }),
        ("runtimeMs", 1_000, caps.runtime_ms_max, |limits| {
            limits.runtime_ms_max
        }),
    ]
}

#[track_caller]
fn check_range(caps: &Caps, (option, least, most, taken): NumberOption) {
    let asked = |number: u64| {
        Question::good()
            .with(option, &number.to_string())
            .asked(caps)
    };
    for number in [least, least + 1, most - 1, most] {
        let number = number.clamp(least, most);
        let Answers { query, body } = asked(number);
        assert_eq!(
            taken(&query.unwrap().request.limits),
            number,
            "{option}={number}"
        );
        assert_eq!(
            taken(&body.unwrap().request.limits),
            number,
            "{option}: {number}"
        );
    }
    let range = format!("from {least} to {most}.");
    let above = [most + 1, u64::from(u32::MAX) + 1 + least, u64::MAX];
    for number in least.checked_sub(1).into_iter().chain(above) {
        let Answers { query, body } = asked(number);
        for outcome in [query, body] {
            let problem = check_problem(outcome, Some(option));
            assert!(problem.detail().ends_with(&range), "{}", problem.detail());
            let told = serde_json::to_value(&problem).unwrap();
            assert_eq!(
                (&told["minimum"], &told["maximum"]),
                (&json!(least), &json!(most))
            );
        }
    }
}

#[test]
fn each_number_is_taken_within_its_range_and_refused_beside_it() {
    let caps = Caps::default();
    for number in numbers(&caps) {
        check_range(&caps, number);
    }
}

#[test]
fn caps_lower_what_may_be_asked_for_and_what_is_given_unasked() {
    let caps = Caps {
        searches_max: 8,
        recognitions_max: 30,
        planner_calls_max: 2,
        runtime_ms_max: 20_000,
        nano_usd_max: Some(50_000_000),
        are_lifted_by_token: false,
    };
    for number in numbers(&caps) {
        check_range(&caps, number);
    }
    let limits = check_accepted(&Question::good(), &caps).request.limits;
    assert_eq!(
        limits,
        Limits {
            searches_max: 8,
            recognitions_max: 30,
            planner_calls_max: 2,
            runtime_ms_max: 20_000,
            nano_usd_max: Some(50_000_000),
            words: WordUse::HintsFirst,
            memory: MemoryUse::On,
            ..Limits::default()
        }
    );
}

#[test]
fn more_than_strangers_may_have_needs_the_operators_token() {
    let caps = Caps {
        are_lifted_by_token: true,
        ..Caps::default()
    };
    let of = |option: &str, value: &str| {
        let Answers { query, body } = Question::good().with(option, value).asked(&caps);
        [query, body].map(|outcome| {
            let problem = outcome.unwrap_err();
            (problem.status(), problem.detail().to_owned())
        })
    };
    for (status, detail) in of("searches", "51") {
        assert_eq!(status, 401);
        let words = "from 1 to 50; more needs the operator's token.";
        assert!(detail.ends_with(words), "{detail}");
    }
    for (option, value) in [("searches", "0"), ("hops", "7")] {
        for (status, detail) in of(option, value) {
            assert_eq!(status, 400, "{option}: {detail}");
        }
    }
}

#[test]
fn what_is_no_whole_number_is_refused() {
    for (option, ..) in numbers(&Caps::default()) {
        for text in [
            "",
            " ",
            "many",
            "-1",
            "5.5",
            "+5",
            "1e400",
            "0x5",
            "5 ",
            " 5",
            "٥",
            "5,000",
            "NaN",
            "18446744073709551616",
            "null",
            "true",
        ] {
            let question = Question::good().with(option, text);
            check_refused(&question, option, option);
        }
        for text in ["5.0", "50e0", "-0"] {
            let Answers { query, .. } = Question::good().with(option, text).asked(&Caps::default());
            check_problem(query, Some(option));
        }
        for value in [
            json!(null),
            json!(true),
            json!("5"),
            json!([5]),
            json!({"number": 5}),
        ] {
            let mut question = Question::good();
            question.body["options"] = json!({ option: value });
            check_problem(from_body(&question.body), Some(option));
        }
    }
}

#[test]
fn in_json_a_number_without_a_fraction_is_a_whole_one() {
    for (option, text, whole) in [
        ("searches", "20.0", 20),
        ("runtimeMs", "1e4", 10_000),
        ("llm", "-0", 0),
        ("llm", "-0.0", 0),
    ] {
        let body = format!(r#"{{"personA":"X","personB":"Y","options":{{"{option}":{text}}}}}"#);
        let limits = new_run(body.as_bytes(), &Caps::default())
            .unwrap()
            .request
            .limits;
        let (_, _, _, taken) = numbers(&Caps::default())
            .into_iter()
            .find(|(name, ..)| *name == option)
            .unwrap();
        assert_eq!(taken(&limits), whole, "{option}: {text}");
    }
}
