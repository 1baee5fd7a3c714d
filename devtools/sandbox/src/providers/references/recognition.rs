//! Recognises the candidates of a request in a picture by its label.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http::Method;
use serde_json::{Value, json};

use crate::name_folding::words;
use crate::picture::{self, Label, LabelledFace, inspect};
use crate::world::WorldPerson;

use super::super::context::ProviderContext;
use super::super::rekognition::sigv4::sha256_hex;
use super::super::reply::Reply;
use super::super::request::ParsedRequest;
use super::faults::{ReferencesFault, refusal, reply};

const PHOTO_BYTES_MAX: usize = 5_242_880;
const CANDIDATES_MAX: usize = 200;
const NAME_CHARS_MAX: usize = 100;
/// The model that is told.
const MODEL: &str = "drawn faces 1";

/// Somebody whom a request looks for.
enum Candidate {
    Number(String),
    Name(Vec<String>),
}

impl Candidate {
    fn means(&self, person: &WorldPerson) -> bool {
        match self {
            Self::Number(number) => *number == person.wikidata_number,
            Self::Name(name) => {
                let mut names = std::iter::once(&person.name).chain(&person.aliases);
                names.any(|other| words(other) == *name)
            }
        }
    }
}

pub(crate) fn answer(context: ProviderContext<'_>, request: &ParsedRequest) -> Reply {
    if request.method == Method::GET {
        let people = context.world.people.len();
        return Reply::json(
            200,
            &json!({"status": "ok", "model": MODEL, "photosAtOnce": 1, "people": people, "gallery": 0, "wikimedia": "ok"}),
        );
    }
    let expected = format!("Bearer {}", context.credentials.references_token);
    if request.header("authorization") != Some(expected.as_str()) {
        return reply(ReferencesFault::Unauthorized);
    }
    match recognise(context, request) {
        Ok(found) => Reply::json(200, &found),
        Err(refused) => *refused,
    }
}

fn recognise(context: ProviderContext<'_>, request: &ParsedRequest) -> Result<Value, Box<Reply>> {
    let (photo, candidates) = question(&request.body)?;
    let seen = inspect(&photo).map_err(|_| Box::new(reply(ReferencesFault::UnreadablePhoto)))?;
    let label = seen.label.or_else(|| context.marked_label(&photo));
    let faces = label.iter().flat_map(|label| {
        let faces = label.faces.iter();
        faces.map(|face| told(context, label, face, &candidates))
    });
    let faces: Vec<Value> = faces.collect();
    let compared = context.world.people.iter();
    let compared = compared.filter(|person| candidates.iter().any(|one| one.means(person)));
    Ok(json!({"model": MODEL, "faces": faces, "compared": compared.count(), "unready": 0}))
}

/// Returns what is told of a face of a picture: its box, and its match among the candidates.
fn told(
    context: ProviderContext<'_>,
    label: &Label,
    face: &LabelledFace,
    candidates: &[Candidate],
) -> Value {
    let world = context.world;
    let ours = label.world == world.fingerprint();
    let seen = ours
        .then(|| world.see(label.photo, face.person, context.rules))
        .flatten()
        .filter(|seen| !seen.missed);
    let found = seen.and_then(|seen| {
        let person = world.people.get(seen.person)?;
        let is_meant = candidates.iter().any(|one| one.means(person));
        is_meant.then(|| {
            json!({"number": person.wikidata_number, "name": person.name,
                "confidence": seen.match_confidence, "portrait": portrait(context, seen.person)})
        })
    });
    json!({
        "box": box_of(face),
        "match": found,
    })
}

fn box_of(face: &LabelledFace) -> Value {
    json!({"left": face.left, "top": face.top, "width": face.width, "height": face.height})
}

/// Returns what is told of a person's portrait.
fn portrait(context: ProviderContext<'_>, person: usize) -> Option<Value> {
    let ProviderContext { world, origin, .. } = context;
    let number = &world.people.get(person)?.wikidata_number;
    let portrait = picture::portrait(world, person)?;
    Some(json!({
        "url": format!("{origin}/portraits/{number}.jpg"),
        "page": format!("{origin}/portraits/{number}.jpg"),
        "sha256": sha256_hex(&portrait.file),
        "box": portrait.faces.first().map(box_of),
        "author": "The sandbox",
        "license": world.license,
        "licenseUrl": "",
    }))
}

/// Reads the photo and the candidates of a body.
fn question(body: &[u8]) -> Result<(Vec<u8>, Vec<Candidate>), Box<Reply>> {
    let wrong = |message: &str| Box::new(refusal(400, "bad_request", message));
    let body: Value = serde_json::from_slice(body).map_err(|_| wrong("The body must be JSON."))?;
    let photo = body.get("photo").and_then(Value::as_str);
    let photo = photo.and_then(|text| STANDARD.decode(text).ok());
    let photo = photo.filter(|photo| !photo.is_empty());
    let photo = photo.ok_or_else(|| wrong("\"photo\" must be the photo in base64."))?;
    if photo.len() > PHOTO_BYTES_MAX {
        return Err(Box::new(reply(ReferencesFault::TooLarge)));
    }
    let told = body.get("candidates").and_then(Value::as_array);
    let candidates: Option<Vec<Candidate>> = told
        .filter(|told| told.len() <= CANDIDATES_MAX)
        .and_then(|told| told.iter().map(candidate).collect());
    let candidates = candidates.ok_or_else(|| {
        wrong("\"candidates\" must be at most 200 objects with a \"number\" like \"Q42\", or a \"name\".")
    })?;
    Ok((photo, candidates))
}

fn candidate(told: &Value) -> Option<Candidate> {
    if let Some(number) = told.get("number") {
        let number = number.as_str()?;
        let digits = number.strip_prefix('Q')?;
        let is_number = !digits.is_empty() && digits.bytes().all(|digit| digit.is_ascii_digit());
        return is_number.then(|| Candidate::Number(number.to_owned()));
    }
    let name = told.get("name")?.as_str()?;
    let is_name = !name.trim().is_empty() && name.chars().count() <= NAME_CHARS_MAX;
    is_name.then(|| Candidate::Name(words(name)))
}

/// Returns the SHA-256 of the photo in a body, or of the whole body if it has no photo.
pub(crate) fn photo_digest(request: &ParsedRequest) -> String {
    match question(&request.body) {
        Ok((photo, _)) => sha256_hex(&photo),
        Err(_) => sha256_hex(&request.body),
    }
}
