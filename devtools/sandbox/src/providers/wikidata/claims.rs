//! `action=wbgetclaims`: the statements about an item, of one property or of all.

use serde_json::{Map, Value, json};

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::mediawiki::ApiCall;
use super::super::reply::Reply;
use super::item::{Item, find};

const PARAMETERS: [&str; 5] = ["entity", "claim", "property", "rank", "props"];
/// The properties for the dates of somebody's birth and death.
const BORN: &str = "P569";
const DIED: &str = "P570";

pub(super) fn body(
    context: ProviderContext<'_>,
    call: &mut ApiCall<'_>,
) -> Result<Map<String, Value>, Box<Reply>> {
    call.warn_of_unrecognised(&PARAMETERS);
    let Some(entity) = call.text("entity") else {
        let info = "Either provide an Entity ID or a claim GUID.";
        return Err(call.error("param-missing", info));
    };
    let Some(item) = find(context, entity) else {
        let info = format!("Could not find an entity with the ID \"{entity}\".");
        return Err(call.error("no-such-entity", &info));
    };
    let mut claims = all(&item);
    if let Some(property) = call.text("property") {
        claims.retain(|known, _| known == property);
    }
    Ok(Map::from_iter([(
        "claims".to_owned(),
        Value::Object(claims),
    )]))
}

/// Returns all statements about an item by property. Nobody in a world was born after a photo of it, or died before;
/// of some people, the dates are vague, unknown or disputed.
pub(super) fn all(item: &Item) -> Map<String, Value> {
    let value = json!({"entity-type": "item", "id": item.class});
    let class = json!({"snaktype": "value", "property": "P31", "datatype": "wikibase-item",
        "datavalue": {"type": "wikibase-entityid", "value": value}});
    let mut claims = Map::from_iter([("P31".to_owned(), json!([statement(&class, "normal")]))]);
    if !item.is_human() {
        return claims;
    }
    let draw =
        |what: &str, count: usize| below(hash(&[what.into(), item.id.as_str().into()]), count);
    let year = 1_930 + draw("born", 40);
    let born = match draw("born form", 8) {
        0 => json!([statement(&time(BORN, year - year % 10, 8), "normal")]),
        1 => json!([statement(
            &json!({"snaktype": "somevalue", "property": BORN, "datatype": "time"}),
            "normal"
        )]),
        2 => json!([
            statement(&time(BORN, year + 60, 9), "deprecated"),
            statement(&time(BORN, year, 11), "normal"),
            statement(&time(BORN, year + 1, 11), "normal")
        ]),
        3 => json!([
            statement(&time(BORN, year + 60, 11), "normal"),
            statement(&time(BORN, year, 11), "preferred")
        ]),
        _ => json!([statement(&time(BORN, year, 11), "normal")]),
    };
    claims.insert(BORN.to_owned(), born);
    if draw("dead", 8) == 0 {
        claims.insert(
            DIED.to_owned(),
            json!([statement(&time(DIED, 2_026, 10), "normal")]),
        );
    }
    claims
}

fn statement(snak: &Value, rank: &str) -> Value {
    json!({"mainsnak": snak, "type": "statement", "rank": rank})
}

/// Returns a snak with a date of this precision: 8 is a decade, 9 a year, 10 a month and 11 a day.
fn time(property: &str, year: usize, precision: u8) -> Value {
    let time = match precision {
        11 => format!("+{year}-03-11T00:00:00Z"),
        10 => format!("+{year}-03-00T00:00:00Z"),
        _ => format!("+{year}-00-00T00:00:00Z"),
    };
    let value = json!({"time": time, "timezone": 0, "before": 0, "after": 0, "precision": precision,
        "calendarmodel": "http://www.wikidata.org/entity/Q1985727"});
    json!({"snaktype": "value", "property": property, "datatype": "time",
        "datavalue": {"type": "time", "value": value}})
}
