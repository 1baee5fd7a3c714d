//! The addresses and their methods.

use std::collections::{BTreeMap, BTreeSet};

use visual_degrees::engines::EngineName;
use visual_degrees::routes::{AtlasCall, Route, StoredCall};

use super::description;

const RUN: &str = "s1.AAAAAAAAAAAAAAAAAAAAAA";
const METHODS: [&str; 8] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE", "QUERY",
];

/// Returns the operation of a route; `None` for static files and for the MCP server, which another protocol describes.
fn operation(route: &Route) -> Option<&'static str> {
    Some(match route {
        Route::Page | Route::PostMessage | Route::ResumeCall | Route::EndSession => return None,
        Route::Create => "createRun",
        Route::Investigate => "investigate",
        Route::InvestigateByBody => "investigateByBody",
        Route::Record(_) => "getRun",
        Route::Delete(_) => "deleteRun",
        Route::Events(_) => "getEvents",
        Route::Stop(_) => "stopRun",
        Route::Sealed(_) => "getSealed",
        Route::Publish(_) => "publishRun",
        Route::Chain(_) => "getChain",
        Route::DeleteChain(_) => "deleteChain",
        Route::Replay => "replay",
        Route::Trace(_) => "getTrace",
        Route::RunDocument(_, "automaton") => "getRunAutomaton",
        Route::RunDocument(_, name) => panic!("{name} is not known here"),
        Route::Artifact(..) => "getArtifact",
        Route::Stored { path, call } => match (*path, call) {
            ("workflows", StoredCall::List) => "listWorkflows",
            ("workflows", StoredCall::Show(_)) => "getWorkflow",
            ("workflows", StoredCall::Store(_)) => "storeWorkflow",
            ("workflows", StoredCall::Remove(_)) => "deleteWorkflow",
            ("automata", StoredCall::List) => "listAutomata",
            ("automata", StoredCall::Show(_)) => "getAutomaton",
            ("automata", StoredCall::Store(_)) => "storeAutomaton",
            ("automata", StoredCall::Remove(_)) => "deleteAutomaton",
            (path, _) => panic!("{path} is not known here"),
        },
        Route::Health => "getHealth",
        Route::People => "suggestPeople",
        Route::Atlas(call) => match call {
            AtlasCall::Size => "getAtlas",
            AtlasCall::People => "findKnownPeople",
            AtlasCall::Person(_) => "getKnownPerson",
            AtlasCall::Path => "getKnownPath",
            AtlasCall::ForgetPerson(_) => "forgetPerson",
            AtlasCall::ForgetPhoto(_) => "forgetPhoto",
        },
        Route::Description => "getDescription",
    })
}

/// The number of operations in [`operation`].
const OPERATIONS: usize = 32;

/// Returns the operations of each path, by method.
fn described() -> BTreeMap<String, BTreeMap<String, String>> {
    let description = description();
    let paths = description["paths"].as_object().unwrap().iter();
    let operations = paths.map(|(path, item)| {
        let methods = item.as_object().unwrap().iter();
        let methods = methods.filter(|(name, _)| *name != "parameters");
        let operations = methods.map(|(method, operation)| {
            let id = operation["operationId"].as_str().unwrap().to_owned();
            (method.to_uppercase(), id)
        });
        let path = path.replace("{run}", RUN).replace("{name}", "orders");
        (
            path.replace("{digest}", &"ab".repeat(32)),
            operations.collect(),
        )
    });
    operations.collect()
}

#[test]
fn every_route_is_described_with_its_methods_and_nothing_else_is() {
    let mut found = BTreeSet::new();
    for (path, operations) in described() {
        for method in METHODS {
            // HEAD is GET without a body.
            let described = operations.get(if method == "HEAD" { "GET" } else { method });
            match Route::of(method, &path, &EngineName::paths()) {
                Ok(route) => {
                    let id = operation(&route);
                    assert_eq!(id, described.map(String::as_str), "{method} {path}");
                    found.extend(id);
                }
                Err(problem) => {
                    assert_eq!(described, None, "{method} {path}");
                    assert_eq!(problem.status(), 405, "{method} {path}");
                    let (_, allowed) = problem.header().unwrap();
                    let mut allowed: BTreeSet<&str> = allowed.split(", ").collect();
                    allowed.retain(|method| !["HEAD", "OPTIONS"].contains(method));
                    let described: BTreeSet<&str> = operations.keys().map(String::as_str).collect();
                    assert_eq!(allowed, described, "{path}");
                }
            }
        }
    }
    assert_eq!(found.len(), OPERATIONS, "{found:?}");
}

/// Every refusal is declared as problem+json, and every operation lists its statuses.
#[test]
fn each_status_is_named_and_refusals_are_problems() {
    let description = description();
    let mut refusals = 0;
    for (path, operations) in description["paths"].as_object().unwrap() {
        for (method, operation) in operations.as_object().unwrap() {
            let Some(responses) = operation["responses"].as_object() else {
                continue;
            };
            assert!(!responses.contains_key("default"), "{method} {path}");
            for (status, response) in responses {
                let name = response["$ref"]
                    .as_str()
                    .and_then(|name| name.rsplit_once('/'));
                let response = match name {
                    Some((_, name)) => &description["components"]["responses"][name],
                    None => response,
                };
                let problem = &response["content"]["application/problem+json"]["schema"];
                let stated = problem["properties"]["status"]["const"].as_u64();
                let expected = status.parse::<u64>().ok().filter(|status| *status >= 400);
                assert_eq!(stated, expected, "{status} of {method} {path}");
                refusals += usize::from(expected.is_some());
            }
        }
    }
    assert!(refusals > 50, "{refusals}");
}

/// The response to a start links to everything that can be done with the run.
#[test]
fn links_lead_from_the_creation_to_every_route_of_the_run() {
    let description = description();
    let created = &description["paths"]["/runs"]["post"]["responses"]["202"];
    let links = created["links"].as_object().unwrap().values();
    let mut linked: Vec<&str> = links
        .map(|link| {
            assert_eq!(link["parameters"]["path.run"], "$response.body#/run");
            link["operationId"].as_str().unwrap()
        })
        .collect();
    linked.sort_unstable();
    let paths = description["paths"].as_object().unwrap().iter();
    let of_run = paths.filter(|(path, _)| path.starts_with("/runs/{run}"));
    let mut expected: Vec<&str> = of_run
        .flat_map(|(_, item)| item.as_object().unwrap().values())
        .filter_map(|operation| operation["operationId"].as_str())
        .collect();
    expected.sort_unstable();
    assert_eq!(linked, expected);
}
