//! The `extmetadata` of a file: what the templates on its page say, in HTML.

use serde_json::{Map, Value, json};

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::images::{caption, escaped};
use super::subject::{categories, taken_in};

/// The licenses: short name, code and address. The public domain has no address.
const LICENSES: [(&str, &str, Option<&str>); 5] = [
    (
        "CC BY-SA 4.0",
        "cc-by-sa-4.0",
        Some("https://creativecommons.org/licenses/by-sa/4.0"),
    ),
    (
        "CC BY 2.0",
        "cc-by-2.0",
        Some("https://creativecommons.org/licenses/by/2.0"),
    ),
    (
        "CC BY-SA 3.0",
        "cc-by-sa-3.0",
        Some("http://creativecommons.org/licenses/by-sa/3.0/"),
    ),
    (
        "CC0",
        "cc0",
        Some("http://creativecommons.org/publicdomain/zero/1.0/deed.en"),
    ),
    ("Public domain", "pd", None),
];
/// The names of the photographers. None of them is among the world's people.
const ARTISTS: [&str; 4] = [
    "Society Pages & Gazette",
    "Photo desk of the Reform Club",
    "Literary Archive",
    "Gallery of the Opera",
];

/// Returns the metadata that pass the filter. If none do, the result is an empty list, because that is how PHP writes
/// an empty object.
pub(super) fn extended(context: ProviderContext<'_>, photo: usize, filter: &[&str]) -> Value {
    let kept: Map<String, Value> = everything(context, photo)
        .into_iter()
        .filter(|(name, _)| filter.is_empty() || filter.contains(name))
        .map(|(name, value)| (name.to_owned(), value))
        .collect();
    if kept.is_empty() {
        json!([])
    } else {
        Value::Object(kept)
    }
}

fn everything(context: ProviderContext<'_>, photo: usize) -> Vec<(&'static str, Value)> {
    let draw = |what: &str, count: usize| below(hash(&[what.into(), photo.into()]), count);
    let (short, code, address) = LICENSES
        .get(draw("license", LICENSES.len()))
        .copied()
        .unwrap_or(("CC0", "cc0", None));
    let text = escaped(&caption(context, photo));
    let year = taken_in(photo);
    let page = |value: String| json!({"value": value, "source": "commons-desc-page"});
    let known = |value: &str| json!({"value": value, "source": "commons-desc-page", "hidden": ""});
    let mut members = vec![
        (
            "DateTime",
            json!({"value": "2026-03-01 12:00:00", "source": "mediawiki-metadata", "hidden": ""}),
        ),
        (
            "ObjectName",
            json!({"value": caption(context, photo), "source": "mediawiki-metadata", "hidden": ""}),
        ),
        // The real API has a number here, although all other values are texts.
        (
            "CommonsMetadataExtension",
            json!({"value": 1.2, "source": "extension", "hidden": ""}),
        ),
        (
            "Categories",
            json!({"value": categories(context, photo).join("|"), "source": "commons-categories", "hidden": ""}),
        ),
        (
            "Assessments",
            json!({"value": "", "source": "commons-categories", "hidden": ""}),
        ),
        (
            "ImageDescription",
            page(format!(
                "<div class=\"description mw-content-ltr en\" dir=\"ltr\" lang=\"en\"><span class=\"language en\" title=\"English\"><b>English: </b></span> {text}</div>"
            )),
        ),
        (
            "DateTimeOriginal",
            page(format!(
                "<time class=\"dtstart\" datetime=\"{year}\">{year}</time>"
            )),
        ),
        (
            "Credit",
            page("<span class=\"int-own-work\" lang=\"en\">Own work</span>".to_owned()),
        ),
        ("LicenseShortName", known(short)),
        ("UsageTerms", known(short)),
        (
            "AttributionRequired",
            known(if short.starts_with("CC BY") {
                "true"
            } else {
                "false"
            }),
        ),
        (
            "Copyrighted",
            known(if short == "Public domain" {
                "False"
            } else {
                "True"
            }),
        ),
        (
            "Restrictions",
            json!({"value": "personality", "source": "commons-desc-page", "hidden": ""}),
        ),
        (
            "License",
            json!({"value": code, "source": "commons-templates", "hidden": ""}),
        ),
    ];
    if let Some(address) = address {
        members.push(("LicenseUrl", known(address)));
    }
    if let Some(artist) = artist(draw("artist form", 6), draw("artist", ARTISTS.len())) {
        members.push(("Artist", page(artist)));
    }
    members
}

/// Returns the artist in one of several forms: as a link of some kind, as a plain name, or not at all.
fn artist(form: usize, number: usize) -> Option<String> {
    let name = ARTISTS.get(number).map(|name| escaped(name))?;
    let page = name.replace("&amp;", "%26").replace(' ', "_");
    match form {
        0 => None,
        1 => Some(name),
        2 => Some(format!(
            "<bdi><a rel=\"nofollow\" class=\"external text\" href=\"https://photos.example.org/{page}\">{name}</a></bdi>"
        )),
        3 => Some(format!("<div class=\"fn value\">\n{name}</div>")),
        _ => Some(format!(
            "<a href=\"//commons.wikimedia.org/wiki/User:{page}\" title=\"User:{name}\">{name}</a>"
        )),
    }
}
