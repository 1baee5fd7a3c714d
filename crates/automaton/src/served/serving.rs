//! The answers about automata's runs and stored automata: the automaton's own part of what every engine
//! gives.

use std::rc::Rc;

use serde_json::{Value, json};

use engine::{Opened, RunDocument, Served, StoredDocuments};
use settings::Settings;

use crate::asked::{AUTOMATON_BODY_BYTES_MAX, PUBLIC_AUTOMATA, check_stored_automaton};
use crate::stored::AutomatonEngine;

use super::kept::kept_automaton;
use super::record::automaton_record;

impl Served for AutomatonEngine {
    const PAGE: Option<&'static str> = Some("/automaton");
    const STORED_DOCUMENTS: Option<StoredDocuments> = Some(StoredDocuments {
        path: "automata",
        noun: "automaton",
        key_prefix: "automaton:",
        variable: PUBLIC_AUTOMATA,
        may_be_any: false,
        bytes_max: AUTOMATON_BODY_BYTES_MAX,
        check: check_stored_automaton,
        list,
    });
    const RUN_DOCUMENT: Option<RunDocument<Self>> = Some(RunDocument {
        name: "automaton",
        make: kept_automaton,
    });

    fn outline(opened: &Opened<Self>, events: &[Rc<str>], _is_ended: bool) -> Value {
        automaton_record(opened, events)
    }
}

/// Returns the names of the stored automata and what is told of each, and the names of the kept secrets.
fn list(named: Vec<(String, Option<Value>)>, settings: &Settings, is_shown: bool) -> Value {
    let automata = named.into_iter().map(|(name, about)| {
        let of = |member| about.as_ref().and_then(|about| about.get(member));
        json!({
            "name": name,
            "states": of("states"),
            "prompts": of("prompts"),
            "parameters": of("parameters"),
        })
    });
    let providers = settings.providers.iter().filter(|_| is_shown);
    let has_browser = settings
        .providers
        .iter()
        .any(|providers| providers.browser.is_some());
    let secrets = providers.flat_map(|providers| &providers.kept_secrets);
    let secrets = secrets.map(|secret| json!({"name": secret.name, "origins": secret.origins}));
    json!({
        "automata": automata.collect::<Vec<_>>(),
        "secrets": secrets.collect::<Vec<_>>(),
        "hasBrowser": has_browser,
        "startedBy": settings.shared_access(PUBLIC_AUTOMATA).as_str(),
    })
}
