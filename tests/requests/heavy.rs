//! Questions that are short enough, but would take far more memory than their length. All were found by tests/fuzz.

use domain::{Name, NameError};
use settings::{Bindings, Caps, EngineVariables, Settings};

use super::question::{check_problem, from_query, new_run};

#[test]
fn a_body_of_many_small_values_is_refused() {
    for options in [r#"{"":0}"#, "0", r#""""#] {
        let list = vec![options; 14_000 / (options.len() + 1)].join(",");
        let body = format!(r#"{{"personA":"A B","personB":"C D","options":[{list}]}}"#);
        check_problem(new_run(body.as_bytes(), &Caps::default()), None);
    }
}

#[test]
fn an_address_of_many_options_is_refused() {
    let many = |what: fn(usize) -> String| (0..40).map(what).collect::<String>();
    let query = format!("a=A+B&b=C+D{}", many(|number| format!("&o{number}=")));
    check_problem(from_query(&query, &Caps::default()), None);
    let query = format!("a=A+B&b=C+D{}", many(|number| format!("&avoid=N{number}")));
    check_problem(from_query(&query, &Caps::default()), Some("avoid"));
}

#[test]
fn an_address_with_a_far_too_long_part_is_refused_undecoded() {
    let query = format!("a=A+B&b=%{}", "[0],".repeat(1_500));
    check_problem(from_query(&query, &Caps::default()), None);
    // The longest name, in the longest letters.
    let name = "%F0%9F%98%80".repeat(99) + "A";
    assert!(from_query(&format!("a=A+B&b={name}"), &Caps::default()).is_ok());
}

#[test]
fn a_field_of_a_long_name_is_told_in_short() {
    let query = format!("a=A+B&b=C+D&{}=1", "é".repeat(1_000));
    let problem = from_query(&query, &Caps::default()).unwrap_err();
    assert_eq!(problem.named_field(), Some(&*"é".repeat(64)));
    assert!(problem.detail().len() < 500, "{}", problem.detail());
}

#[test]
fn a_name_of_many_words_is_too_long() {
    assert_eq!(Name::parse(&"a ".repeat(8_000)), Err(NameError::TooLong));
    assert_eq!(Name::parse(&" ".repeat(8_000)), Err(NameError::Empty));
    assert!(Name::parse(&format!("A{}B", " ".repeat(8_000))).is_ok());
    assert!(Name::parse(&"a ".repeat(50)).is_ok());
    assert_eq!(Name::parse(&"a ".repeat(51)), Err(NameError::TooLong));
}

#[test]
fn a_setting_of_many_wrong_words_is_told_in_short() {
    let words: Vec<String> = (0..1_000)
        .map(|number| format!("w-{}", "x".repeat(number % 9)))
        .collect();
    let words = words.join(",");
    let settings = Settings::read(
        |name| (name == "IMAGE_SEARCH").then(|| words.clone()),
        Bindings::default(),
        &EngineVariables::default(),
    );
    let missing = settings.missing();
    assert!(missing.iter().any(|wrong| wrong.contains("w-xx")));
    assert!(missing.len() < 20, "{}", missing.len());
}
