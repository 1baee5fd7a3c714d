//! The options of a run: their names, ranges and defaults.

use std::collections::{BTreeMap, BTreeSet};

use domain::{AVOID_MAX, BUDGET_MAX, Pace, Plan};
use engine::Problem;
use investigation::requests::{CreateRequest, RunRequest};
use investigation::wire::Order;
use serde_json::{Map, Value, json};
use settings::Caps;

use super::{description, schema};

fn body_with(option: &str, value: &Value) -> Result<RunRequest, Problem> {
    let body = json!({"personA": "Ann", "personB": "Bob", "options": {option: value}});
    match CreateRequest::from_body(body.to_string().as_bytes(), &Caps::default())? {
        CreateRequest::New(run) => Ok(run),
        CreateRequest::Fork(_) => panic!("nobody asked for a fork"),
    }
}

fn query_with(option: &str, value: &Value) -> Result<RunRequest, Problem> {
    RunRequest::from_query(&format!("a=Ann&b=Bob&{option}={value}"), &Caps::default())
}

/// The schemas of the options, in an address or in a body.
fn in_query() -> BTreeMap<String, Value> {
    let description = description();
    let parameters = &description["paths"]["/investigate"]["get"]["parameters"];
    let parameters = parameters.as_array().unwrap().iter();
    let of_query = parameters.filter(|parameter| parameter["in"] == "query");
    let schemas = of_query.map(|parameter| {
        let name = parameter["name"].as_str().unwrap().to_owned();
        (name, parameter["schema"].clone())
    });
    schemas
        .filter(|(name, _)| name != "a" && name != "b")
        .collect()
}

fn in_body() -> BTreeMap<String, Value> {
    let Value::Object(schemas) = schema("Options")["properties"].take() else {
        panic!("options have no properties");
    };
    schemas.into_iter().collect()
}

/// Returns the options that the refusal of an unknown one lists.
fn known() -> BTreeSet<String> {
    let refusal = body_with("unknown", &json!(1)).unwrap_err();
    let (_, list) = refusal.detail().split_once("known are ").unwrap();
    let list = list.trim_end_matches('.').replace(" and ", ", ");
    list.split(", ").map(str::to_owned).collect()
}

#[test]
fn the_options_are_those_that_are_known() {
    for described in [in_query(), in_body()] {
        assert_eq!(described.into_keys().collect::<BTreeSet<_>>(), known());
    }
    assert_eq!(schema("Options")["additionalProperties"], false);
}

#[test]
fn numbers_are_taken_within_their_ranges_and_refused_beside_them() {
    let mut checked = 0;
    for (option, schema) in in_query().into_iter().chain(in_body()) {
        if schema["type"] != "integer" {
            continue;
        }
        let range = ["minimum", "maximum"].map(|bound| schema[bound].as_i64().unwrap());
        let [least, most] = range;
        for number in [least - 1, least, most, most + 1] {
            let value = json!(number);
            let is_within = (least..=most).contains(&number);
            let of_query = query_with(&option, &value).is_ok();
            let of_body = body_with(&option, &value).is_ok();
            assert_eq!(
                (of_query, of_body),
                (is_within, is_within),
                "{option}={number}"
            );
        }
        checked += 1;
    }
    // Years are in the address alone, since in a body they may also be empty.
    assert_eq!(checked, 2 * 9 + 2);
}

#[test]
fn dollars_have_their_range() {
    let dollars = &schema("Dollars")["anyOf"][0];
    let range = ["minimum", "maximum"].map(|bound| dollars[bound].as_f64().unwrap());
    for usd in range {
        assert!(body_with("budgetUsd", &json!(usd)).is_ok(), "{usd}");
    }
    for usd in [range[0] / 2.0, range[1] + 1.0] {
        assert!(body_with("budgetUsd", &json!(usd)).is_err(), "{usd}");
    }
}

#[test]
fn defaults_are_what_is_given_unasked() {
    let unasked = RunRequest::from_query("a=Ann&b=Bob", &Caps::default()).unwrap();
    let order = serde_json::to_value(Order::new(&unasked.request)).unwrap();
    for described in [in_query(), in_body()] {
        let defaults: Map<String, Value> = described
            .into_iter()
            .filter_map(|(option, schema)| Some((option, schema.get("default")?.clone())))
            .collect();
        assert_eq!(defaults.len(), 11);
        for (option, default) in &defaults {
            // Members that are only stored on request are not part of it.
            let ordered = order.get(option).cloned().unwrap_or_else(|| json!(0));
            assert_eq!(*default, ordered, "{option}");
        }
    }
}

#[test]
fn words_are_those_of_the_plans_and_paces() {
    let words = |schema: &Value| -> BTreeSet<String> {
        let words = schema["enum"].as_array().unwrap().iter();
        words
            .map(|word| word.as_str().unwrap().to_owned())
            .collect()
    };
    let plans: BTreeSet<String> = Plan::ALL.map(|plan| plan.as_str().to_owned()).into();
    let paces: BTreeSet<String> = Pace::ALL.map(|pace| pace.as_str().to_owned()).into();
    let stored = ["Order", "Meta"].map(|name| schema(name)["properties"].take());
    for described in [json!(in_query()), json!(in_body())].iter().chain(&stored) {
        assert_eq!(words(&described["plan"]), plans);
        assert_eq!(words(&described["pace"]), paces);
    }
    assert_eq!(in_query()["avoid"]["maxItems"], AVOID_MAX);
    assert_eq!(in_body()["avoid"]["anyOf"][1]["maxItems"], AVOID_MAX);
    let budget = &schema("Order")["properties"]["searches"]["maximum"];
    assert_eq!(*budget, BUDGET_MAX);
}
