//! How the texts of a hit are weighed against each other, and how long it takes.

use crate::search::Hints;

use super::*;

fn hit(title: &str, categories: &[&str], description: &str) -> Hit {
    Hit {
        title: title.to_owned(),
        hints: Hints {
            description: Some(description.to_owned()),
            categories: categories.iter().map(|one| (*one).to_owned()).collect(),
            ..Hints::default()
        },
        ..Hit::default()
    }
}

/// Checks what is read of a hit, given like `("wax!", "Wax figure")`.
#[track_caller]
fn check_hit(hit: &Hit, says: Option<(&str, &str)>) {
    let expected = says.map(|(sign, words)| doubt(sign, words));
    assert_eq!(of_hit(hit), expected, "{hit:?}");
}

#[test]
fn a_rejecting_sign_comes_first_then_title_categories_and_description() {
    let wax = "Wax figures of Lucy Westenra";
    check_hit(
        &hit("Statue of Lucy", &[wax], "Poster"),
        Some(("wax!", "Wax figures")),
    );
    check_hit(
        &hit("Statue", &["Murals"], "Poster"),
        Some(("statue?", "Statue")),
    );
    check_hit(
        &hit("Lucy", &["2010", "Murals"], "Poster"),
        Some(("mural?", "Murals")),
    );
    check_hit(
        &hit("Lucy", &["2010"], "Poster"),
        Some(("poster?", "Poster")),
    );
    check_hit(&hit("Lucy", &["2010"], "At a gala"), None);
    check_hit(
        &hit("Poster", &[], "A photomontage"),
        Some(("montage!", "photomontage")),
    );
    check_hit(&hit("", &[], ""), None);
    assert_eq!(of_hit(&Hit::default()), None);
}

#[test]
fn the_model_of_a_wax_figure_may_be_told_of_in_another_text() {
    let category = "Madame Tussauds London";
    check_hit(
        &hit("Lucy Westenra 2010", &[category], ""),
        Some(("wax!", "Madame Tussauds")),
    );
    check_hit(
        &hit("Lucy Westenra 2010", &[category], "Lucy at the unveiling"),
        Some(("wax?", "Madame Tussauds")),
    );
    // An unveiling does not make a lookalike real.
    check_hit(
        &hit("Opening with a lookalike", &[], ""),
        Some(("lookalike!", "lookalike")),
    );
}

#[test]
fn what_a_description_tells_late_only_raises_a_doubt() {
    let life =
        "Lucy Westenra is an actress from Whitby who was seen in many films and plays. ".repeat(2);
    let late = format!("{life}There is a wax figure of her.");
    check_hit(
        &hit("Lucy Westenra", &[], &late),
        Some(("wax?", "wax figure")),
    );
    let early = format!("Wax figure. {life}");
    check_hit(
        &hit("Lucy Westenra", &[], &early),
        Some(("wax!", "Wax figure")),
    );
}

#[test]
fn the_providers_statement_rejects() {
    let mut generated = hit("Lucy Westenra", &["Wax figures"], "");
    generated.hints.generated = Some("Template:PD-algorithm".to_owned());
    check_hit(&generated, Some(("generated!", "Template:PD-algorithm")));
}

#[test]
fn every_sign_has_a_word_a_reason_and_a_place_in_storage() {
    for sign in WordSign::ALL {
        assert_eq!(WordSign::named(sign.as_str()), Some(*sign));
        let json = serde_json::to_string(sign).unwrap();
        assert_eq!(json, format!("\"{}\"", sign.as_str()));
        assert!(!sign.noun().is_empty());
    }
    let doubt = doubt_of("Wax figure of Lucy").unwrap();
    let json = serde_json::to_string(&doubt).unwrap();
    assert_eq!(
        json,
        r#"{"sign":"wax","words":"Wax figure","rejects":true}"#
    );
    assert_eq!(serde_json::from_str::<WordDoubt>(&json).unwrap(), doubt);
}

/// Returns the text of a phrase: of each word the first form, and no word that must not follow.
fn text_of(phrase: &str) -> String {
    let words = phrase.trim_start_matches('~').split(' ');
    let words = words.filter(|word| !word.starts_with('!'));
    let forms = words.map(|word| {
        word.split('|')
            .next()
            .unwrap()
            .trim_matches(['*', '?', '='])
    });
    let forms: Vec<&str> = forms
        .map(|form| if form == "_" { "Lucy" } else { form })
        .collect();
    forms.join(" ")
}

#[test]
fn each_phrase_of_the_tables_is_found_whole() {
    let mut others = Vec::new();
    for (meaning, phrases) in TABLES.into_iter().flatten() {
        for phrase in *phrases {
            let text = text_of(phrase);
            let mut found = Vec::new();
            PHRASES.read(&text, |one| found.push((one.meaning, one.words)));
            if found != [(*meaning, text.as_str())] {
                others.push(format!("{phrase}: {found:?}"));
            }
        }
    }
    assert!(others.is_empty(), "{}", others.join("\n"));
}

#[test]
fn quotations_are_bounded() {
    let endless = format!("generated{}by AI", " ".repeat(5_000));
    let doubt = doubt_of(&endless).unwrap();
    assert_eq!(doubt.words.chars().count(), QUOTED_CHARS_MAX);
}

#[test]
fn the_longest_texts_are_read_in_time_in_proportion() {
    // Far beyond what providers send: this takes minutes if time grows with the square.
    for part in [
        "wax ",
        "at the ",
        "蝋人",
        "ai ",
        "у статуи ",
        "é",
        "AI生",
        "généré par l'",
    ] {
        let text = part.repeat(20_000 / part.len());
        drop(of_hit(&hit(&text, &[text.as_str(); 20], &text)));
    }
}
