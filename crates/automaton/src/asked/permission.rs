//! The permission to start an automaton: it acts on pages in the operator's name.

use engine::Problem;
use settings::{Settings, SharedAccess};

use super::wanted::{AutomatonRequest, WantedAutomaton};

/// The setting that says which automata others than the operator may start.
pub const PUBLIC_AUTOMATA: &str = "PUBLIC_AUTOMATA";

/// Checks that an automaton may be started by the operator, or by somebody else who may start runs.
pub(super) fn may_start_automaton(
    settings: &Settings,
    is_operator: bool,
    wanted: &AutomatonRequest,
) -> Result<(), Problem> {
    let is_stored = matches!(wanted.automaton, WantedAutomaton::Stored(_));
    match settings.shared_access(PUBLIC_AUTOMATA) {
        _ if is_operator => Ok(()),
        SharedAccess::Operator => Err(Problem::new(
            401,
            "An automaton acts on web pages and needs the operator's token: send it as \
             “Authorization: Bearer TOKEN”.",
        )),
        _ if !is_stored => Err(Problem::new(
            403,
            "Here only the operator's own automata can be started without the operator's token: give \
             the name of one of GET /automata.",
        )),
        _ => match wanted.operators_member() {
            None => Ok(()),
            Some(member) => Err(Problem::new(
                403,
                format!(
                    "Here only the operator chooses the {member} of a stored automaton: leave \
                     {member} out."
                ),
            )),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};
    use settings::{Bindings, EngineVariables, SharedVariable, among};

    #[test]
    fn strangers_start_the_operators_automata_as_the_operator_has_written_them() {
        let variables = EngineVariables {
            shared: vec![SharedVariable {
                name: PUBLIC_AUTOMATA,
                may_be_any: false,
            }],
            ..EngineVariables::default()
        };
        let refusal = |settings: &[(&str, &str)], body: Value| {
            let settings = Settings::read(among(settings), Bindings::default(), &variables);
            let wanted = AutomatonRequest::from_body(body.to_string().as_bytes());
            let wanted = wanted.unwrap().unwrap();
            assert_eq!(may_start_automaton(&settings, true, &wanted), Ok(()));
            may_start_automaton(&settings, false, &wanted).err()
        };
        let stored = [(PUBLIC_AUTOMATA, "stored")];
        let mut body =
            json!({"automaton": "buy", "parameters": {"A": "b"}, "options": {"pictures": false}});
        assert_eq!(refusal(&stored, body.clone()), None);
        assert_eq!(refusal(&[], body.clone()).unwrap().status(), 401);
        assert_eq!(
            refusal(&stored, json!({"automaton": []})).unwrap().status(),
            403
        );
        for (name, value) in [("onUnknown", "again"), ("onUnknown", "end")] {
            body["options"] = json!({name: value});
            let refusal = refusal(&stored, body.clone()).unwrap();
            assert!(
                refusal.status() == 403 && refusal.detail().contains(name),
                "{refusal:?}"
            );
        }
        for member in ["prompts", "origins", "browser"] {
            let body = json!({"automaton": "buy", member: []});
            let refusal = refusal(&stored, body).unwrap();
            assert!(
                refusal.status() == 403 && refusal.detail().contains(member),
                "{refusal:?}"
            );
        }
    }
}
