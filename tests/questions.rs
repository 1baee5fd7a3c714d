//! Which questions are accepted, from an address and from a body, and how the others are refused.
#![allow(
    missing_docs,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::unwrap_used
)]

use serde_json::{Map, Value, json};
use url::form_urlencoded;
use visual_degrees::domain::{Limits, Name, Pace, Plan};
use visual_degrees::session::{Caps, CreateRequest, Problem, RunRequest};

/// One question in both forms: as an address's query and as a JSON body.
#[derive(Clone)]
struct Question {
    query: Vec<(String, String)>,
    body: Value,
}

/// What either form says of it.
struct Answers {
    query: Result<RunRequest, Problem>,
    body: Result<RunRequest, Problem>,
}

fn from_query(query: &str, caps: &Caps) -> Result<RunRequest, Problem> {
    RunRequest::from_query(form_urlencoded::parse(query.as_bytes()), caps)
}

fn new_run(body: &[u8], caps: &Caps) -> Result<RunRequest, Problem> {
    match CreateRequest::from_body(body, caps)? {
        CreateRequest::New(asked) => Ok(asked),
        CreateRequest::Fork(_) => panic!("nobody asked for a fork"),
    }
}

fn from_body(body: &Value) -> Result<RunRequest, Problem> {
    new_run(body.to_string().as_bytes(), &Caps::default())
}

impl Question {
    /// Two people and nothing else.
    fn of(person_a: &str, person_b: &str) -> Self {
        Self {
            query: vec![("a".into(), person_a.into()), ("b".into(), person_b.into())],
            body: json!({"personA": person_a, "personB": person_b}),
        }
    }

    /// Two good people.
    fn good() -> Self {
        Self::of("Jean Valjean", "Javert")
    }

    /// With an option; a text in the query is a number in the body where it reads as one.
    fn with(mut self, option: &str, text: &str) -> Self {
        self.query.push((option.into(), text.into()));
        let number = serde_json::from_str::<serde_json::Number>(text);
        let value = match number {
            Ok(number) if text.trim() == text => Value::Number(number),
            _ => Value::String(text.into()),
        };
        self.body["options"][option] = value;
        self
    }

    /// With a session, whose member has its own place and name in the body.
    fn with_session(mut self, session: &str) -> Self {
        self.query.push(("session".into(), session.into()));
        self.body["sessionId"] = json!(session);
        self
    }

    /// With people to avoid.
    fn avoiding(mut self, names: &[&str]) -> Self {
        for name in names {
            self.query.push(("avoid".into(), (*name).into()));
        }
        self.body["options"]["avoid"] = json!(names);
        self
    }

    fn asked(&self, caps: &Caps) -> Answers {
        let query = form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&self.query)
            .finish();
        Answers {
            query: from_query(&query, caps),
            body: new_run(self.body.to_string().as_bytes(), caps),
        }
    }
}

/// Refused as 400 with this field, in one sentence.
#[track_caller]
fn check_problem<T: std::fmt::Debug>(outcome: Result<T, Problem>, field: Option<&str>) -> Problem {
    let problem = outcome.unwrap_err();
    let detail = problem.detail();
    assert_eq!(problem.status(), 400, "{detail}");
    assert_eq!(problem.named_field(), field, "{detail}");
    assert!(detail.ends_with('.') && !detail.ends_with(".."), "{detail}");
    let json = serde_json::to_value(&problem).unwrap();
    let mut expected = json!({
        "type": "about:blank", "title": "Bad request", "status": 400, "detail": detail,
    });
    if let Some(field) = field {
        assert!(detail.starts_with(&format!("“{field}” ")), "{detail}");
        expected["field"] = json!(field);
    }
    assert_eq!(json, expected);
    problem
}

#[track_caller]
fn check_refused(question: &Question, in_query: &str, in_body: &str) {
    let answers = question.asked(&Caps::default());
    check_problem(answers.query, Some(in_query));
    check_problem(answers.body, Some(in_body));
}

/// Accepted in both forms as one and the same.
#[track_caller]
fn check_accepted(question: &Question, caps: &Caps) -> RunRequest {
    let Answers { query, body } = question.asked(caps);
    let (query, body) = (query.unwrap(), body.unwrap());
    assert_eq!(query, body);
    query
}

fn limits_of(question: &Question) -> Limits {
    check_accepted(question, &Caps::default()).request.limits
}

/// A small generator of the same bytes in every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    fn bytes(&mut self, most: u64) -> Vec<u8> {
        let length = self.next() % most;
        (0..length).map(|_| self.next().to_le_bytes()[3]).collect()
    }
}

// Names

/// Texts that are no name.
fn no_names() -> Vec<String> {
    let mut texts: Vec<String> = ["", " ", "   ", "\u{a0}", "?!", "...", "Jean\u{0}Valjean"]
        .map(str::to_owned)
        .to_vec();
    for control in [
        '\t', '\n', '\r', '\u{1b}', '\u{7f}', '\u{85}', '\u{202e}', '\u{2066}',
    ] {
        texts.push(format!("Jean{control}Valjean"));
        texts.push(format!("Fantine{control}"));
    }
    texts.push("x".repeat(101));
    texts.push("é".repeat(101));
    texts.push("x ".repeat(51));
    texts
}

#[test]
fn a_name_that_is_empty_or_too_long_or_has_control_characters_is_refused() {
    for text in no_names() {
        check_refused(&Question::of(&text, "Javert"), "a", "personA");
        check_refused(&Question::of("Jean Valjean", &text), "b", "personB");
        check_refused(&Question::good().avoiding(&[&text]), "avoid", "avoid");
        check_refused(
            &Question::good().avoiding(&["Cosette", &text]),
            "avoid",
            "avoid",
        );
    }
}

#[test]
fn a_missing_name_is_refused() {
    let caps = Caps::default();
    check_problem(from_query("", &caps), Some("a"));
    check_problem(from_query("b=Javert", &caps), Some("a"));
    check_problem(from_query("a=Javert", &caps), Some("b"));
    check_problem(from_query("personA=X&personB=Y", &caps), Some("a"));
    check_problem(from_body(&json!({})), Some("personA"));
    check_problem(from_body(&json!({"personB": "Javert"})), Some("personA"));
    check_problem(from_body(&json!({"personA": "Javert"})), Some("personB"));
}

#[test]
fn a_name_that_is_no_text_is_refused() {
    for value in [
        json!(null),
        json!(7),
        json!(true),
        json!(["Javert"]),
        json!({"name": "Javert"}),
    ] {
        check_problem(
            from_body(&json!({"personA": value, "personB": "X"})),
            Some("personA"),
        );
        check_problem(
            from_body(&json!({"personA": "X", "personB": value})),
            Some("personB"),
        );
        let body = json!({"personA": "X", "personB": "Y", "options": {"avoid": [value]}});
        check_problem(from_body(&body), Some("avoid"));
    }
}

#[test]
fn the_same_person_twice_is_refused_however_it_is_spelt() {
    for (person_a, person_b) in [
        ("Javert", "Javert"),
        ("Javert", "JAVERT"),
        ("  Jean   Valjean ", "Jean Valjean"),
        ("Éponine Thénardier", "eponine thenardier"),
        ("J. K. Rowling", "JK Rowling"),
        ("Jean-Luc Picard", "Jean Luc Picard"),
        ("Sinéad O'Connor", "Sinead O’Connor"),
        ("Søren", "soren"),
    ] {
        check_refused(&Question::of(person_a, person_b), "b", "personB");
        check_refused(&Question::of(person_b, person_a), "b", "personB");
    }
    check_accepted(
        &Question::of("Prince Harry", "Prince William"),
        &Caps::default(),
    );
    check_accepted(
        &Question::of("Jane Bennet", "Mary Jane Bennet"),
        &Caps::default(),
    );
}

#[test]
fn names_are_trimmed_and_their_spaces_collapsed() {
    let asked = check_accepted(
        &Question::of("  Jean   Valjean ", "李小龙"),
        &Caps::default(),
    );
    assert_eq!(asked.request.person_a.as_str(), "Jean Valjean");
    assert_eq!(asked.request.person_b.as_str(), "李小龙");
    let long = format!("  {}  ", "é".repeat(100));
    check_accepted(&Question::of(&long, "AT&T #1 + 100%"), &Caps::default());
}

// Options

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
        }
    );
}

/// A number's option: its name, its range, and where it ends up.
type Number = (&'static str, u64, u64, fn(&Limits) -> u64);

fn numbers(caps: &Caps) -> [Number; 8] {
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
fn check_range(caps: &Caps, (option, least, most, taken): Number) {
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
            ..Limits::default()
        }
    );
}

#[test]
fn polish_goes_with_both_ends_only() {
    let both = Question::good().with("polish", "4");
    let asked = check_accepted(&both, &Caps::default());
    assert_eq!(asked.request.limits.polish_searches_max, 4);
    let Answers { query, body } = both.with("plan", "one-sided").asked(&Caps::default());
    for outcome in [query, body] {
        let problem = check_problem(outcome, Some("polish"));
        assert!(
            problem.detail().contains("both-ends"),
            "{}",
            problem.detail()
        );
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
            "-0",
            "5.0",
            "5.5",
            "1e3",
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
            // JSON knows -0 and 1e3 as numbers, still not as whole ones.
            check_refused(&question, option, option);
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
        check_refused(&question.clone().avoiding(&[name]), "avoid", "avoid");
        check_refused(
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
fn what_is_given_twice_is_refused() {
    for option in ["a", "b", "hops", "session", "plan", "runtimeMs", "unknown"] {
        let query = format!("{option}=1&a=Jean+Valjean&b=Javert&{option}=1");
        check_problem(from_query(&query, &Caps::default()), Some(option));
    }
    let mut body = Question::good().with("session", "x1").body;
    body["sessionId"] = json!("x1");
    check_problem(from_body(&body), Some("session"));
}

#[test]
fn a_query_may_say_where_a_stream_goes_on() {
    let asked = from_query(
        "a=Jean+Valjean&b=Javert&lastEventId=s.r.7",
        &Caps::default(),
    );
    let plain = from_query("a=Jean%20Valjean&b=%4aavert", &Caps::default());
    assert_eq!(asked.unwrap(), plain.unwrap());
}

// Words

/// A refusal of every kind there is, from both forms.
fn refusals() -> Vec<Problem> {
    let mut questions: Vec<Question> = no_names()
        .iter()
        .map(|text| Question::of(text, "Javert"))
        .collect();
    let names: Vec<String> = (0..21).map(|number| format!("Person {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let good = Question::good;
    questions.extend([
        Question::of("Javert", "JAVERT"),
        good().avoiding(&names),
        good().avoiding(&["javert"]),
        good().with_session("a b"),
        good().with("plan", "random"),
        good().with("unknown", "1"),
    ]);
    for (option, ..) in numbers(&Caps::default()) {
        questions.push(good().with(option, "-1"));
    }
    let caps = Caps::default();
    let mut outcomes: Vec<Result<RunRequest, Problem>> = Vec::new();
    for question in &questions {
        let Answers { query, body } = question.asked(&caps);
        outcomes.extend([query, body]);
    }
    for query in ["", "a=X", "a=X&a=X", "a=X&b=Y&hops=1&hops=1"] {
        outcomes.push(from_query(query, &caps));
    }
    for body in [
        json!([]),
        json!({}),
        json!({"personA": 7, "personB": "Y"}),
        json!({"personA": "X", "personB": "Y", "unknown": 1}),
        json!({"personA": "X", "personB": "Y", "options": 1}),
    ] {
        outcomes.push(from_body(&body));
    }
    outcomes.push(new_run(b"{", &caps));
    outcomes.into_iter().map(Result::unwrap_err).collect()
}

#[test]
fn every_refusal_says_what_to_do() {
    let advice = [
        "give ",
        "must be ",
        "remove ",
        "shorten ",
        "send ",
        "known are ",
        "at most",
        "leave ",
    ];
    let mut silent: Vec<String> = refusals()
        .iter()
        .map(|problem| problem.detail().to_owned())
        .filter(|detail| !advice.iter().any(|word| detail.contains(word)))
        .collect();
    silent.sort();
    silent.dedup();
    assert!(silent.is_empty(), "no word of what to do in {silent:#?}");
}

// Garbage

#[test]
fn a_body_that_is_no_json_object_is_refused_as_a_whole() {
    let deep = |open: &str, close: &str| format!("{}1{}", open.repeat(1_000), close.repeat(1_000));
    let good = Question::good().body.to_string();
    let mut bodies: Vec<String> = [
        "",
        " ",
        "null",
        "7",
        "\"a=X&b=Y\"",
        "[]",
        "[[]]",
        "[\"X\",\"Y\"]",
        "a=X&b=Y",
        "{]",
        "{}{}",
        "{\"personA\":\"X\",}",
        "{'personA':'X'}",
        "\u{feff}{}",
    ]
    .map(str::to_owned)
    .to_vec();
    bodies.push(deep("[", "]"));
    bodies.push(deep("{\"personA\":", "}"));
    bodies.push(format!("{{\"personA\":{}}}", deep("[", "]")));
    bodies.extend((0..good.len()).map(|length| good[..length].to_owned()));
    for body in bodies {
        let outcome = new_run(body.as_bytes(), &Caps::default());
        let problem = check_problem(outcome, None);
        assert!(
            problem
                .detail()
                .starts_with("The body is not a JSON object"),
            "{body}"
        );
    }
}

#[test]
fn random_bytes_never_panic_and_are_never_accepted() {
    let mut random = Random(11);
    let caps = Caps::default();
    for _ in 0..2_000 {
        let bytes = random.bytes(300);
        check_problem(new_run(&bytes, &caps), None);
        let query = RunRequest::from_query(form_urlencoded::parse(&bytes), &caps);
        assert_eq!(query.unwrap_err().status(), 400);
        // The same bytes where a name stands: a name, or refused as such.
        let name = String::from_utf8_lossy(&bytes);
        let Answers { query, body } = Question::of(&name, "Javert").asked(&caps);
        assert_eq!(query.is_ok(), body.is_ok());
        if let Err(problem) = query {
            assert_eq!(problem.named_field(), Some("a"));
        }
    }
}

#[test]
fn wrong_types_anywhere_are_refused_by_name() {
    let question = Question::good()
        .with_session("s1")
        .with("plan", "one-sided")
        .with("pace", "frugal")
        .with("hops", "3");
    let good = question.body;
    assert!(from_body(&good).is_ok());
    let places = [
        ("/personA", "personA"),
        ("/personB", "personB"),
        ("/sessionId", "sessionId"),
        ("/options", "options"),
        ("/options/plan", "plan"),
        ("/options/hops", "hops"),
    ];
    for (place, field) in places {
        for wrong in [
            json!(true),
            json!(-1.5e300),
            json!([]),
            json!([[]]),
            json!([{}]),
        ] {
            let mut body = good.clone();
            *body.pointer_mut(place).unwrap() = wrong;
            check_problem(from_body(&body), Some(field));
        }
    }
    let many: Map<String, Value> = (0..1_000).map(|n| (format!("x{n}"), json!(n))).collect();
    assert!(from_body(&Value::Object(many)).is_err());
}
