//! States that begin investigations.

use automaton::machine::Parameters;
use automaton::machine::states::Prompt;
use domain::page::ActionFailure;
use serde_json::json;

use super::scene::{CLICK, Scene, at, state};

const FIND: &str = "investigate('Ann', person_b=parameters['WHO'])";

fn scene(actions: &[&str]) -> Scene {
    let states = [state("Ask", "https://a/", actions, "Found out")];
    let mut scene = Scene::new(&states, &[(0, at("https://a/"))]);
    scene.order.parameters.open.insert("WHO".to_owned());
    scene
}

#[test]
fn an_investigation_is_waited_for_and_told() {
    let mut found = scene(&[FIND, CLICK]);
    let lines = found.run();
    let told = |what: &str| lines.iter().any(|line| line.contains(what));
    assert!(
        told("investigation Looked for 'Ann' and parameters['WHO']."),
        "{lines:?}"
    );
    assert!(
        told("5000 done 0:1") && told("end completed \"Found out\""),
        "{lines:?}"
    );
    assert_eq!(found.acted[0], "find 'Ann' and parameters['WHO']");
    assert_eq!(found.acted.len(), 2);
}

#[test]
fn one_that_has_no_end_is_an_action_that_failed() {
    let failure = ActionFailure::Failed(String::new());
    let mut lost = scene(&[FIND, CLICK]).fails(0, 1, failure);
    let lines = lost.run();
    assert!(
        lines
            .iter()
            .any(|line| line.contains("failed 0:1 failed tried")),
        "{lines:?}"
    );
    assert!(lines.last().unwrap().contains("end action"), "{lines:?}");
    assert_eq!(lost.acted.len(), 1);
}

#[test]
fn a_run_begins_three_and_no_more() {
    let mut many = scene(&[FIND, FIND, FIND, FIND]);
    let lines = many.run();
    assert_eq!(many.acted.len(), 3);
    assert!(lines.last().unwrap().contains("end budget"), "{lines:?}");
}

#[test]
fn nobody_is_searched_for_by_a_secret() {
    let mut hidden = scene(&[FIND]);
    hidden.order.parameters = Parameters::default();
    hidden.order.parameters.secret.insert("WHO".to_owned());
    let finding = hidden.finding();
    assert!(finding.message.contains("is a secret"), "{finding}");
}

#[test]
fn no_model_begins_one() {
    use automaton::machine::grammar::read_numbered;
    assert!(read_numbered("investigate('Ann', 'Bob')").is_err());
    // A prompt's text is free; the resulting call is restricted to the closed list.
    assert!(Prompt::read_all(&json!([])).is_ok());
}
