//! The tool with which assistants search for a chain, and the text of its answers. Everything from the web is bounded,
//! and quoted in the text.

use std::fmt::Write as _;
use std::rc::Rc;

use serde_json::{Map, Value};

use domain::{DateSource, Sha256Digest, WikidataNumber};
use engine::assistant::{Answer, CallPlace, Members, quoted};
use engine::store::outline;
use engine::{Opened, Problem, Tools};
use settings::Caps;

use crate::requests::{CreateRequest, RunRequest};
use crate::wire::InvestigationEngine;

/// The tool that searches for a chain; `find_chain.json` describes it.
const FIND_CHAIN: &str = "find_chain";

/// The members of a photo that an answer repeats, each as its name in the run's event and its name in the answer.
const OF_PHOTO: [(&str, &str); 10] = [
    ("imageUrl", "imageUrl"),
    ("contextUrl", "pageUrl"),
    ("title", "title"),
    ("author", "author"),
    ("license", "license"),
    ("licenseUrl", "licenseUrl"),
    ("sha256", "sha256"),
    ("doubt", "doubt"),
    ("making", "making"),
    ("taken", "taken"),
];

/// Returns the answer with a chain, from the run's last event.
fn found(event: &Value, place: &CallPlace) -> Answer {
    let links: Vec<Link> = list(event, "edges").map(Link::of).collect();
    let weakest = links
        .iter()
        .min_by(|one, other| one.confidence.total_cmp(&other.confidence));
    let mut members = place.members("found");
    let mut people = Vec::new();
    for person in list(event, "path") {
        let id = text(person, "id");
        let mut told = Members::default();
        told.add_of("name", person, "name");
        if let Some(number) = links.iter().find_map(|link| link.wikidata(id)) {
            told.add_text("wikidata", number.as_str());
        }
        people.push(told.into_value());
    }
    members.add("people", people.into());
    let mut told = Vec::new();
    for link in &links {
        told.push(link.json());
    }
    members.add("links", told.into());
    if let Some(weakest) = weakest {
        members.add("weakest", weakest.members().into_value());
    }
    let sentence = certificate(event);
    members.add("certificate", sentence.as_str().into());
    members.add_of("spent", event, "spent");
    let word = if links.len() == 1 { "link" } else { "links" };
    let mut said = format!("A chain of {} {word} was found.\n", links.len());
    for (at, link) in links.iter().enumerate() {
        let _ = writeln!(said, "{}. {}", at + 1, link.sentence());
    }
    if let Some(weakest) = weakest {
        let (from, to) = (quoted(weakest.from), quoted(weakest.to));
        let confidence = weakest.confidence;
        let _ = writeln!(
            said,
            "The weakest link is that of {from} and {to}, {confidence:.1} %."
        );
    }
    let _ = write!(said, "{sentence}\n{}", end(event, place));
    Answer::new(members, said)
}

/// Returns the answer of a run that ended without a chain, or failed.
fn not_found(event: &Value, place: &CallPlace) -> Answer {
    let is_error = text(event, "type") != "no_path";
    let state = if is_error { "failed" } else { "not_found" };
    let mut members = place.members(state);
    let says = match text(event, "explanation") {
        "" => text(event, "message"),
        explanation => explanation,
    };
    let reason = match text(event, "reason") {
        "" => text(event, "code"),
        reason => reason,
    };
    members.add_text("message", says);
    members.add_text("reason", reason);
    members.add_of("suggestions", event, "suggestions");
    members.add_of("spent", event, "spent");
    let what = if is_error {
        "The search failed"
    } else {
        "No chain was found, which does not prove that there is none"
    };
    let mut said = format!("{what} ({reason}): {}\n", quoted(says));
    let suggestions: Vec<String> = list(event, "suggestions")
        .filter_map(Value::as_str)
        .map(quoted)
        .collect();
    if !suggestions.is_empty() {
        let names = suggestions.join(", ");
        let _ = writeln!(
            said,
            "Perhaps one of these is meant, who were recognised: {names}."
        );
    }
    said.push_str(&end(event, place));
    Answer {
        is_error,
        ..Answer::new(members, said)
    }
}

/// Returns the end of an answer: what the run cost, and the address where a person can see the run.
fn end(event: &Value, place: &CallPlace) -> String {
    let spent = event.get("spent").unwrap_or(&Value::Null);
    format!(
        "It cost ${}: {} searches and {} recognised photos. A person sees it at {}",
        number(spent, "usd"),
        number(spent, "searchCalls"),
        number(spent, "rekognitionCalls"),
        place.address
    )
}

/// A link of a chain, with the photo that proves it best.
struct Link<'event> {
    from: &'event str,
    to: &'event str,
    confidence: f64,
    photos: usize,
    photo: &'event Value,
    /// The faces of the link's two people, each with the person's Id.
    faces: Vec<&'event Value>,
}

impl<'event> Link<'event> {
    fn of(edge: &'event Value) -> Self {
        let photos = edge.get("evidence").and_then(Value::as_array);
        let photo = photos
            .and_then(|photos| photos.first())
            .unwrap_or(&Value::Null);
        let both = [text(edge, "from"), text(edge, "to")];
        let face = |id: &str| list(photo, "faces").find(|face| text(face, "id") == id);
        Self {
            from: text(edge, "fromName"),
            to: text(edge, "toName"),
            confidence: number(edge, "edgeConfidence"),
            photos: photos.map_or(0, Vec::len),
            photo,
            faces: both.into_iter().filter_map(face).collect(),
        }
    }

    /// Returns the Wikidata number of the person with this Id, if the recogniser stated it for this link's photo.
    fn wikidata(&self, id: &str) -> Option<WikidataNumber> {
        let mut faces = self.faces.iter();
        let face = faces.find(|face| text(face, "id") == id)?;
        list(face, "urls").find_map(|url| WikidataNumber::of_page(url.as_str()?))
    }

    /// Returns the two people and the confidence.
    fn members(&self) -> Members {
        let mut members = Members::default();
        members.add_text("from", self.from);
        members.add_text("to", self.to);
        members.add("confidence", self.confidence.into());
        members
    }

    fn json(&self) -> Value {
        let mut photo = Members::default();
        for (member, name) in OF_PHOTO {
            photo.add_of(name, self.photo, member);
        }
        let mut faces = Vec::new();
        for face in &self.faces {
            let mut told = Members::default();
            for member in ["name", "confidence", "box"] {
                told.add_of(member, face, member);
            }
            faces.push(told.into_value());
        }
        photo.add("faces", faces.into());
        let mut members = self.members();
        members.add("photos", self.photos.into());
        members.add("photo", photo.into_value());
        members.into_value()
    }

    fn sentence(&self) -> String {
        let faces = self.faces.iter().map(|face| {
            let (name, confidence) = (quoted(text(face, "name")), number(face, "confidence"));
            format!("{name} recognised with {confidence:.1} %")
        });
        let mut said = faces.collect::<Vec<_>>().join(" and ");
        let _ = write!(
            said,
            " in the photo {}",
            quoted(text(self.photo, "imageUrl"))
        );
        for (member, before) in [
            ("contextUrl", " on the page "),
            ("title", ", titled "),
            ("author", ", by "),
            ("license", ", licence "),
        ] {
            if let Some(value) = self.photo.get(member).and_then(Value::as_str) {
                let _ = write!(said, "{before}{}", quoted(value));
            }
        }
        if let Some(date) = self.photo.pointer("/taken/date").and_then(Value::as_str) {
            let _ = write!(said, ", taken {date}, {}", date_source(self.photo));
        }
        let _ = match self.photos {
            0 | 1 => write!(said, "."),
            photos => write!(said, ". It is the best of {photos} photos of both."),
        };
        said
    }
}

/// Returns who says when a photo was taken, such as `by the camera`.
fn date_source(photo: &Value) -> &'static str {
    let source = photo.pointer("/taken/source").cloned().unwrap_or_default();
    serde_json::from_value(source).map_or("", DateSource::words)
}

/// Returns the items of a list member.
fn list<'json>(json: &'json Value, member: &str) -> impl Iterator<Item = &'json Value> {
    let list = json.get(member).and_then(Value::as_array);
    list.into_iter().flatten()
}

/// Describes an event in one line; `None` if the event is not worth a line.
fn progress(event: &Value) -> Option<String> {
    match text(event, "type") {
        "status" => Some(text(event, "message"))
            .filter(|message| !message.is_empty())
            .map(quoted),
        "evidence" => {
            let edge = event.get("edge")?;
            let (from, to) = (quoted(text(edge, "fromName")), quoted(text(edge, "toName")));
            let confidence = number(edge, "edgeConfidence");
            Some(format!(
                "{from} and {to} were recognised in one photo, {confidence:.1} %."
            ))
        }
        "path_update" => {
            let people = names(event.get("path")?);
            Some(format!("The chain so far: {}.", people.join(", ")))
        }
        _ => None,
    }
}

/// Returns the quoted names along a path.
fn names(path: &Value) -> Vec<String> {
    let people = path.as_array().into_iter().flatten();
    people.map(|person| quoted(text(person, "name"))).collect()
}

/// Returns the certificate of a chain as a text that quotes nothing from the web.
fn certificate(event: &Value) -> String {
    let list = |name: &str| event.pointer(name).and_then(Value::as_array);
    let length = |name: &str| list(name).map_or(0, Vec::len);
    let proven = list("/certificate/proven").into_iter().flatten();
    let photos: u64 = proven.filter_map(|pair| pair.get("photos")?.as_u64()).sum();
    // The years are the server's own words.
    let years = event
        .pointer("/certificate/years/message")
        .and_then(Value::as_str);
    let years = years.map_or_else(String::new, |years| format!("{years} "));
    format!(
        "Every link is proven by a photo in which both people were recognised, {photos} photos in all. {years}Shorter \
         ways that were looked for in vain: {excluded}; that stay open: {open}. {disclaimer}",
        excluded = length("/certificate/excluded"),
        open = length("/certificate/open"),
        disclaimer = text(event, "disclaimer"),
    )
}

/// Returns the text in a member, or an empty text if the member is missing or is no text.
fn text<'json>(json: &'json Value, member: &str) -> &'json str {
    json.get(member).and_then(Value::as_str).unwrap_or_default()
}

/// Returns the number in a member, or 0 if the member is missing or is no number.
fn number(json: &Value, member: &str) -> f64 {
    json.get(member).and_then(Value::as_f64).unwrap_or_default()
}

impl Tools for InvestigationEngine {
    const HAS_WHOLE_DOCUMENTS: bool = true;

    /// Returns an outline of the run from its last stored event. KV holds the whole record of an ended run.
    fn outline(_opened: &Opened<Self>, events: &[Rc<str>], is_ended: bool) -> Value {
        let last = events
            .last()
            .and_then(|json| serde_json::from_str(json).ok());
        outline(&last.unwrap_or_default(), is_ended)
    }

    fn trace(
        _opened: &Opened<Self>,
        _events: &[Rc<str>],
        _artifact: &dyn Fn(&Sha256Digest) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>, Problem> {
        let detail =
            "This run is a search; what it has told is its events, GET /runs/{run}/events.";
        Err(Problem::new(409, detail))
    }

    const TOOLS: &'static [&'static str] = &[FIND_CHAIN];

    fn read_call(
        tool: &str,
        arguments: &Map<String, Value>,
        caps: &Caps,
    ) -> Option<Result<CreateRequest, Problem>> {
        (tool == FIND_CHAIN)
            .then(|| RunRequest::from_arguments(arguments.clone(), caps).map(CreateRequest::New))
    }

    fn progress(event: &Value) -> Option<String> {
        progress(event)
    }

    fn answer(event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        match event.get("type").and_then(Value::as_str) {
            Some("final") => found(event, place),
            Some(_) if is_ended => not_found(event, place),
            _ => Answer::going_on(place, progress(event).as_deref()),
        }
    }
}
