//! Which names are accepted, in both forms.

use serde_json::json;
use settings::Caps;

use super::question::{
    Question, check_accepted, check_contradicts, check_problem, check_refused, from_body,
    from_query,
};

/// Returns texts that are not names.
pub fn no_names() -> Vec<String> {
    let mut texts: Vec<String> = [
        "",
        " ",
        "   ",
        "\u{a0}",
        "?!",
        "...",
        "™",
        "Jean\u{0}Valjean",
    ]
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
        check_contradicts(&Question::of(person_a, person_b), "b", "personB");
        check_contradicts(&Question::of(person_b, person_a), "b", "personB");
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
    let long = format!("  {}  ", "é".repeat(96));
    check_accepted(&Question::of(&long, "AT&T #1 + 100%"), &Caps::default());
    // Spaces count as sent.
    let longer = format!("  {}  ", "é".repeat(97));
    check_refused(&Question::of(&longer, "Javert"), "a", "personA");
}
