//! Parameters: the machine only knows their names, so it cannot reveal a value.

use automaton::machine::grammar::TextPart;
use serde_json::json;

use super::scene::{Scene, at, state};

#[test]
fn texts_keep_references_and_no_values() {
    let action = "type('css selector', '#p', 'x' + parameters['PASSWORD'] + 'y')";
    let mut scene = Scene::new(&[state("A", "u", &[action], "done")], &[(0, at("u"))]);
    scene.order.parameters.secret.insert("PASSWORD".to_owned());
    let told = scene.run();
    let typed =
        "do 0:1 type(by='css selector', selector='#p', text='x' + parameters['PASSWORD'] + 'y')";
    assert!(told.contains(&format!("0 {typed}")), "{told:#?}");
    assert!(
        scene.acted[0].contains("Parameter(\"PASSWORD\")"),
        "{:?}",
        scene.acted
    );
    let parts = scene.order.automaton.parameters().collect::<Vec<_>>();
    assert_eq!(parts, ["PASSWORD"]);
}

#[test]
fn a_reference_is_wherever_a_text_may_be() {
    let actions = [
        "navigate_to('https://a.example/' + parameters['ROOM'])",
        "navigate_to(parameters['LINK'])",
        "click('css selector', parameters['WHERE'])",
        "press_key(parameters['KEY'])",
    ];
    let mut scene = Scene::new(&[state("A", "u", &actions, "done")], &[(0, at("u"))]);
    for name in ["ROOM", "LINK", "WHERE", "KEY"] {
        scene.order.parameters.open.insert(name.to_owned());
    }
    scene.run();
    assert_eq!(scene.acted.len(), 4);
}

#[test]
fn errors_and_findings_quote_nothing() {
    let canary = "c4n4ry-s3cr3t";
    for action in [
        format!("type('css selector', '#p', '{canary}"),
        format!("type('css selector', '#p', '{canary}', {canary}='x')"),
        format!("press_key('{canary}' + 5)"),
        format!("navigate_to('{canary}')"),
        format!("fly('{canary}')"),
    ] {
        let states = [state("A", "u", &[&action], "")];
        let finding = Scene::new(&states, &[]).finding();
        assert!(
            !format!("{finding} {finding:?}").contains(canary),
            "{finding:?}"
        );
    }
    let wrong = json!([{"name": "A", "checks": [{"type": canary, "params": {"url": canary}}]}]);
    let automaton = automaton::machine::states::Automaton::from_json(&wrong).unwrap();
    assert!(!format!("{automaton:?}").contains(canary));
}

#[test]
fn parts_are_joined() {
    let call =
        automaton::machine::grammar::read_call("press_key('a' + 'b' + parameters['K'] + '' + 'c')");
    let call = call.unwrap();
    let text = call
        .argument("key")
        .and_then(|value| value.as_text())
        .unwrap();
    let expected = [
        TextPart::Literal("ab".to_owned()),
        TextPart::Parameter("K".to_owned()),
        TextPart::Literal("c".to_owned()),
    ];
    assert_eq!(text.parts(), expected);
}
