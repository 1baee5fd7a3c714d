//! The image search: Google's Custom Search JSON API.

use serde_json::{Value, json};

use super::ask::Ask;
use super::fields::Mask;
use super::google_faults::{bad_key, invalid_argument, no_key};
use super::reply::Reply;
use super::sandbox::Sandbox;
use super::ugly::{Ugly, ugliness};
use crate::sandbox::hash::{below, hash, unit};
use crate::sandbox::picture::format_of;

/// What may stand in the query, after `discovery` of the API.
const PARAMETERS: [&str; 44] = [
    "key",
    "cx",
    "q",
    "searchType",
    "num",
    "start",
    "safe",
    "imgType",
    "imgSize",
    "imgColorType",
    "imgDominantColor",
    "rights",
    "dateRestrict",
    "filter",
    "siteSearch",
    "siteSearchFilter",
    "fileType",
    "exactTerms",
    "excludeTerms",
    "orTerms",
    "hq",
    "gl",
    "hl",
    "lr",
    "cr",
    "sort",
    "c2coff",
    "snippetLength",
    "fields",
    "prettyPrint",
    "alt",
    "quotaUser",
    "callback",
    "access_token",
    "oauth_token",
    "$.xgafv",
    "linkSite",
    "relatedSite",
    "highRange",
    "lowRange",
    "googlehost",
    "enableAlternateSearchHandler",
    "uploadType",
    "upload_protocol",
];
const TOP_LEVEL: [&str; 9] = [
    "kind",
    "url",
    "queries",
    "context",
    "searchInformation",
    "spelling",
    "items",
    "promotions",
    "*",
];
const CHOICES: [(&str, &[&str]); 5] = [
    ("safe", &["active", "off", "high", "medium"]),
    (
        "imgType",
        &["clipart", "face", "lineart", "stock", "photo", "animated"],
    ),
    (
        "imgSize",
        &[
            "HUGE", "ICON", "LARGE", "MEDIUM", "SMALL", "XLARGE", "XXLARGE",
        ],
    ),
    ("imgColorType", &["mono", "gray", "color", "trans"]),
    ("searchType", &["image"]),
];

struct Query<'a> {
    text: &'a str,
    num: usize,
    start: usize,
    images: bool,
    mask: Mask,
    pretty: bool,
}

pub(super) fn answer(sandbox: &mut Sandbox, ask: &Ask) -> Reply {
    match read(sandbox, ask) {
        Ok(query) => found(sandbox, &query),
        Err(refusal) => *refusal,
    }
}

fn read<'a>(sandbox: &Sandbox, ask: &'a Ask) -> Result<Query<'a>, Box<Reply>> {
    let credentials = &sandbox.options().credentials;
    let key = ask
        .header("x-goog-api-key")
        .or_else(|| ask.parameter("key"))
        .ok_or_else(|| Box::new(no_key()))?;
    if key != credentials.google_key {
        return Err(Box::new(bad_key("customsearch.googleapis.com")));
    }
    let invalid = || refusal("Request contains an invalid argument.");
    if let Some((unknown, _)) = ask
        .parameters
        .iter()
        .find(|(name, _)| !PARAMETERS.contains(&name.as_str()))
    {
        return Err(refusal(&format!(
            "Invalid JSON payload received. Unknown name \"{unknown}\": Cannot bind query parameter. Field '{unknown}' could not be found in request message."
        )));
    }
    let text = ask
        .parameter("q")
        .filter(|text| !text.trim().is_empty())
        .ok_or_else(invalid)?;
    if ask.parameter("cx") != Some(&credentials.google_cx) {
        return Err(invalid());
    }
    for (name, choices) in CHOICES {
        let known = |value: &str| {
            choices
                .iter()
                .any(|choice| choice.eq_ignore_ascii_case(value))
        };
        if ask.parameter(name).is_some_and(|value| !known(value)) {
            return Err(invalid());
        }
    }
    let number = |name: &str, otherwise: usize| match ask.parameter(name) {
        None => Ok(otherwise),
        Some(digits) => digits.parse::<usize>().map_err(|_| invalid()),
    };
    let (num, start) = (number("num", 10)?, number("start", 1)?);
    if !(1..=10).contains(&num) || start == 0 || start.saturating_add(num) > 100 {
        return Err(invalid());
    }
    Ok(Query {
        text,
        num,
        start,
        images: ask.parameter("searchType").is_some(),
        mask: mask(ask)?,
        pretty: ask.parameter("prettyPrint") != Some("false"),
    })
}

fn refusal(message: &str) -> Box<Reply> {
    Box::new(invalid_argument(message))
}

fn mask(ask: &Ask) -> Result<Mask, Box<Reply>> {
    let Some(text) = ask.parameter("fields") else {
        return Ok(Mask::default());
    };
    let mask =
        Mask::parse(text).ok_or_else(|| refusal(&format!("Invalid field selection {text}")))?;
    if let Some(name) = mask.names().find(|name| !TOP_LEVEL.contains(name)) {
        return Err(refusal(&format!(
            "Error expanding 'fields' parameter. Cannot find matching fields for path '{name}'."
        )));
    }
    Ok(mask)
}

fn found(sandbox: &mut Sandbox, query: &Query<'_>) -> Reply {
    let all = sandbox.world().search_all(query.text);
    let total = all.len();
    let page: Vec<usize> = all
        .into_iter()
        .skip(query.start - 1)
        .take(query.num)
        .collect();
    let items: Vec<Value> = page
        .into_iter()
        .filter_map(|photo| item(sandbox, query, photo))
        .collect();
    let seconds = 0.1 + unit(hash(&["search time".into(), query.text.into()])) * 0.9;
    let mut answer = json!({
        "kind": "customsearch#search",
        "url": {"type": "application/json", "template": "https://www.googleapis.com/customsearch/v1?q={searchTerms}&num={count?}&start={startIndex?}&lr={language?}&safe={safe?}&cx={cx?}&sort={sort?}&filter={filter?}&gl={gl?}&cr={cr?}&googlehost={googleHost?}&c2coff={disableCnTwTranslation?}&hq={hq?}&hl={hl?}&siteSearch={siteSearch?}&siteSearchFilter={siteSearchFilter?}&exactTerms={exactTerms?}&excludeTerms={excludeTerms?}&linkSite={linkSite?}&orTerms={orTerms?}&dateRestrict={dateRestrict?}&lowRange={lowRange?}&highRange={highRange?}&searchType={searchType}&fileType={fileType?}&rights={rights?}&imgSize={imgSize?}&imgType={imgType?}&imgColorType={imgColorType?}&imgDominantColor={imgDominantColor?}&alt=json"},
        "queries": queries(sandbox, query, total, items.len()),
        "context": {"title": "search"},
        "searchInformation": {
            "searchTime": (seconds * 1e6).round() / 1e6,
            "formattedSearchTime": format!("{seconds:.2}"),
            "totalResults": total.to_string(),
            "formattedTotalResults": grouped(total),
        },
    });
    if !items.is_empty()
        && let Some(members) = answer.as_object_mut()
    {
        members.insert("items".to_owned(), Value::Array(items));
    }
    let answer = query.mask.apply(answer);
    if query.pretty {
        Reply::pretty(200, &answer)
    } else {
        Reply::json(200, &answer)
    }
}

fn queries(sandbox: &Sandbox, query: &Query<'_>, total: usize, shown: usize) -> Value {
    let page = |start: usize, count: usize| {
        let mut page = json!({
            "title": format!("Google Custom Search - {}", query.text),
            "totalResults": total.to_string(), "searchTerms": query.text, "count": count,
            "startIndex": start, "inputEncoding": "utf8", "outputEncoding": "utf8", "safe": "off",
            "cx": sandbox.options().credentials.google_cx,
        });
        if query.images
            && let Some(members) = page.as_object_mut()
        {
            members.insert("searchType".to_owned(), "image".into());
        }
        json!([page])
    };
    let mut queries = serde_json::Map::new();
    queries.insert("request".to_owned(), page(query.start, shown));
    let next = query.start + query.num;
    if next <= total && next + query.num <= 100 {
        queries.insert("nextPage".to_owned(), page(next, query.num));
    }
    if query.start > 1 {
        let before = query.start.saturating_sub(query.num).max(1);
        queries.insert("previousPage".to_owned(), page(before, query.num));
    }
    Value::Object(queries)
}

fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (position, digit) in digits.chars().enumerate() {
        if position > 0 && (digits.len() - position).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn item(sandbox: &mut Sandbox, query: &Query<'_>, photo: usize) -> Option<Value> {
    let origin = sandbox.options().origin.clone();
    let host = origin
        .split_once("://")
        .map_or(origin.as_str(), |(_, host)| host)
        .to_owned();
    let title = caption(sandbox, photo);
    let page = format!("{origin}/pages/{photo}");
    let mut item = json!({
        "kind": "customsearch#result", "title": title, "displayLink": host,
        "htmlTitle": bold(&title, query.text), "snippet": title, "htmlSnippet": bold(&title, query.text),
    });
    let members = item.as_object_mut()?;
    if !query.images {
        members.insert("link".to_owned(), page.clone().into());
        members.insert("formattedUrl".to_owned(), page.into());
        return Some(item);
    }
    let file = described(sandbox, photo)?;
    members.insert("link".to_owned(), file.link.into());
    members.insert("mime".to_owned(), file.mime.into());
    if file.mime != "image/" {
        members.insert("fileFormat".to_owned(), file.mime.into());
    }
    let drawn = sandbox.photo(photo)?;
    let image = json!({
        "contextLink": page, "height": file.height_px, "width": file.width_px,
        "byteSize": file.bytes,
        "thumbnailLink": format!("{origin}/thumbnails/{photo}.jpg"),
        "thumbnailHeight": drawn.thumbnail_height_px, "thumbnailWidth": drawn.thumbnail_width_px,
    });
    members.insert("image".to_owned(), image);
    Some(item)
}

/// What the search believes about a file: the truth, except where the file is ugly.
struct Described {
    link: String,
    mime: &'static str,
    width_px: u16,
    height_px: u16,
    bytes: usize,
}

fn described(sandbox: &mut Sandbox, photo: usize) -> Option<Described> {
    let drawn = sandbox.photo(photo)?;
    let options = sandbox.options();
    let (origin, format) = (&options.origin, format_of(photo));
    let mut file = Described {
        link: format!("{origin}/photos/{photo}.{}", format.extension()),
        mime: format.mime(),
        width_px: drawn.width_px,
        height_px: drawn.height_px,
        bytes: drawn.file.len(),
    };
    match ugliness(options, photo) {
        Some(Ugly::RawLink) => file.link = format!("x-raw-image:///{:064x}", hash(&[photo.into()])),
        Some(Ugly::Gif) => {
            file.link = format!("{origin}/photos/{photo}.gif");
            file.mime = "image/gif";
        }
        Some(Ugly::OversizeDeclared) => file.bytes = super::ugly::OVERSIZE_BYTES,
        Some(Ugly::Tiny) => (file.width_px, file.height_px) = (79, 79),
        // An address without an ending tells the search nothing.
        None if options.ugly && below(hash(&["bare".into(), photo.into()]), 20) == 0 => {
            file.link = format!("{origin}/photos/{photo}");
            file.mime = "image/";
        }
        _ => {}
    }
    Some(file)
}

const OCCASIONS: [&str; 10] = [
    "at the spring gala",
    "on the evening of the premiere",
    "at the garden party",
    "backstage",
    "at the charity dinner",
    "arriving together",
    "at the seaside festival",
    "in the reading room",
    "after the awards",
    "at the opening night",
];

/// A title as pages have it: the people, an occasion, and now and then somebody who is not there.
pub(super) fn caption(sandbox: &Sandbox, photo: usize) -> String {
    let world = sandbox.world();
    let draw = |what: &str, count: usize| below(hash(&[what.into(), photo.into()]), count);
    let mut names: Vec<&str> = world
        .people_in(photo)
        .iter()
        .filter_map(|person| world.people.get(*person))
        .map(|person| person.name.as_str())
        .collect();
    if sandbox.options().ugly && draw("gossip", 6) == 0 {
        let absent = world.people.get(draw("absent", world.people.len()));
        names.extend(absent.map(|person| person.name.as_str()));
    }
    let occasion = OCCASIONS
        .get(draw("occasion", OCCASIONS.len()))
        .copied()
        .unwrap_or_default();
    let who = match names.split_last() {
        None => "An empty room".to_owned(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, others)) => format!("{} and {last}", others.join(", ")),
    };
    format!("{who} {occasion}")
}

/// The title with the words of the query emphasised, escaped for HTML.
fn bold(title: &str, query: &str) -> String {
    let wanted = crate::sandbox::name_folding::words(query);
    let words = title.split(' ').map(|word| {
        let safe = escaped(word);
        let hit = crate::sandbox::name_folding::words(word)
            .iter()
            .any(|folded| wanted.contains(folded));
        if hit { format!("<b>{safe}</b>") } else { safe }
    });
    words.collect::<Vec<_>>().join(" ")
}

/// Text that is safe in HTML.
pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
