//! The `extmetadata` of a file: what the templates on its page say, in HTML.

use serde_json::{Map, Value, json};

use crate::hash::{below, hash};

use super::super::context::ProviderContext;
use super::super::images::{escaped, file_caption};
use super::subject::{categories, description, taken_in};
use super::templates::is_generated;

/// A license: short name, code and address.
type License = (&'static str, &'static str, Option<&'static str>);

const PUBLIC_DOMAIN: License = ("Public domain", "pd", None);
const LICENSES: [License; 5] = [
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
    PUBLIC_DOMAIN,
];
/// The months as they are written.
const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
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
    let (short, code, address) = if is_generated(context, photo) {
        PUBLIC_DOMAIN
    } else {
        let number = draw("license", LICENSES.len());
        LICENSES.get(number).copied().unwrap_or(PUBLIC_DOMAIN)
    };
    let text = escaped(&description(context, photo));
    let page = |value: String| json!({"value": value, "source": "commons-desc-page"});
    let known = |value: &str| json!({"value": value, "source": "commons-desc-page", "hidden": ""});
    let mut members = vec![
        (
            "DateTime",
            json!({"value": "2026-03-01 12:00:00", "source": "mediawiki-metadata", "hidden": ""}),
        ),
        (
            "ObjectName",
            json!({"value": file_caption(context, photo), "source": "mediawiki-metadata", "hidden": ""}),
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
    if let Some(date) = date(photo) {
        members.push(("DateTimeOriginal", page(date)));
    }
    if let Some(artist) = artist(draw("artist form", 6), draw("artist", ARTISTS.len())) {
        members.push(("Artist", page(artist)));
    }
    members
}

/// Returns the date in one of several forms. The extension takes it out of a `<time>`, which `Taken on` and ISO dates
/// have; `Other date` has a statement for machines in an invisible element. Some files have no date.
fn date(photo: usize) -> Option<String> {
    let draw = |what: &str, count: usize| below(hash(&[what.into(), photo.into()]), count);
    let (year, month, day) = (taken_in(photo), 1 + draw("month", 12), 1 + draw("day", 28));
    let statement = |precision: &str| {
        format!(
            "<div style=\"display: none;\">date QS:P,+{year}-00-00T00:00:00Z/9{precision}</div>"
        )
    };
    match draw("date form", 8) {
        0 => None,
        1 => Some(format!("circa {year}{}", statement(",P1480,Q5727902"))),
        2 => Some(format!("{year}{}", statement(""))),
        3 => Some(format!("{day} {} {year}", MONTHS.get(month - 1)?)),
        4 => Some(format!("{year}-{month:02}")),
        5 => Some(format!("{year}-{month:02}-{day:02} 20:15:00")),
        _ => Some(format!("{year}-{month:02}-{day:02}")),
    }
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
