//! `action=wbgetentities`: labels, descriptions and aliases by number.

use serde_json::{Map, Value, json};

use super::super::context::ProviderContext;
use super::super::mediawiki::ApiCall;
use super::super::reply::Reply;
use super::claims;
use super::item::{Item, find};
use super::search::page_id;

const PARAMETERS: [&str; 9] = [
    "ids",
    "sites",
    "titles",
    "redirects",
    "props",
    "languages",
    "languagefallback",
    "normalize",
    "sitefilter",
];
const PROPERTIES: [&str; 9] = [
    "info",
    "sitelinks",
    "sitelinks/urls",
    "aliases",
    "labels",
    "descriptions",
    "claims",
    "datatype",
    "",
];

/// The parts of each item that a call requests.
struct WantedParts<'call> {
    properties: Vec<&'call str>,
    /// The languages of labels and descriptions; empty for all.
    languages: Vec<&'call str>,
    /// Whether an item without a label in these languages is answered with a label in another language.
    falls_back: bool,
}

pub(super) fn body(
    context: ProviderContext<'_>,
    call: &mut ApiCall<'_>,
) -> Result<Map<String, Value>, Box<Reply>> {
    call.warn_of_unrecognised(&PARAMETERS);
    let ids = call.list("ids")?;
    if ids.is_empty() {
        return Err(call.error(
            "param-missing",
            "Either provide the Item \"ids\" or pairs of \"sites\" and \"titles\" for corresponding pages",
        ));
    }
    let is_number = |id: &str| {
        id.strip_prefix('Q').is_some_and(|digits| {
            !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
        })
    };
    if let Some(wrong) = ids.iter().find(|id| !is_number(id)) {
        let info = format!("Could not find an entity with the ID \"{wrong}\".");
        return Err(call.error("no-such-entity", &info));
    }
    let mut properties = call.known_list("wbgetentities", "props", &PROPERTIES)?;
    if call.text("props").is_none() {
        properties = vec!["info", "aliases", "labels", "descriptions", "claims"];
    }
    let wanted = WantedParts {
        properties,
        languages: call.list("languages")?,
        falls_back: call.text("languagefallback").is_some(),
    };
    let entities: Map<String, Value> = ids
        .iter()
        .map(|id| {
            let entity = match find(context, id) {
                Some(item) => entity(&item, &wanted),
                None => json!({"id": id, "missing": ""}),
            };
            ((*id).to_owned(), entity)
        })
        .collect();
    Ok(Map::from_iter([
        ("entities".to_owned(), Value::Object(entities)),
        ("success".to_owned(), 1.into()),
    ]))
}

fn entity(item: &Item, wanted: &WantedParts<'_>) -> Value {
    let mut entity = Map::new();
    let mut put = |name: &str, value: Value| entity.insert(name.to_owned(), value);
    let wants = |property: &str| wanted.properties.contains(&property);
    if wants("info") {
        put("pageid", page_id(item).into());
        put("ns", 0.into());
        put("title", json!(item.id));
        put("lastrevid", 2_345_678_901_u64.into());
        put("modified", json!("2026-10-01T08:00:00Z"));
    }
    put("type", json!("item"));
    put("id", json!(item.id));
    let speaks =
        |language: &str| wanted.languages.is_empty() || wanted.languages.contains(&language);
    if wants("labels") {
        let mut labels = Map::new();
        if speaks(item.label_language) {
            let label = json!({"language": item.label_language, "value": item.label});
            labels.insert(item.label_language.to_owned(), label);
        } else if wanted.falls_back
            && let Some(language) = wanted.languages.first()
        {
            let label = json!({"language": item.label_language, "value": item.label,
                "for-language": language});
            labels.insert((*language).to_owned(), label);
        }
        put("labels", Value::Object(labels));
    }
    if wants("descriptions") {
        let text = item.description.as_ref().filter(|_| speaks("en"));
        let texts = text.map(|text| ("en".to_owned(), json!({"language": "en", "value": text})));
        put("descriptions", Value::Object(texts.into_iter().collect()));
    }
    if wants("aliases") {
        let alias = |name: &String| json!({"language": "en", "value": name});
        let names: Vec<Value> = item.aliases.iter().map(alias).collect();
        let has_names = !names.is_empty() && speaks("en");
        let names = has_names.then(|| ("en".to_owned(), Value::Array(names)));
        put("aliases", Value::Object(names.into_iter().collect()));
    }
    if wants("claims") {
        put("claims", Value::Object(claims::all(item)));
    }
    Value::Object(entity)
}
