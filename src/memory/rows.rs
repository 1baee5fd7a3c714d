//! Converts values to the rows of the memory, which are JSON, and back.

use std::collections::{BTreeMap, BTreeSet};

use domain::{
    Candidate, Confidence, Credit, DateSource, Face, Hints, Hit, PAIRED_PEOPLE_MAX,
    PhotoToRemember, Portrait, RecalledPerson, RecalledPhoto, RecognisedBy, RememberedAnswer,
    Sha256Digest, THRESHOLD_PERCENT_MIN, Taken, fold, wikidata_of,
};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

/// The longest stored text about a photo, in characters.
const TEXT_CHARS_MAX: usize = 300;
/// The longest stored address of a photo or a page, in bytes.
const URL_BYTES_MAX: usize = 2_000;

/// A photo in the form in which the statements read it.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct PhotoRow<'photo> {
    digest: &'photo str,
    recogniser: &'photo str,
    /// The recogniser's model, and whom the recogniser looked for, if that was not everybody.
    model: Option<&'photo str>,
    candidates: Option<&'photo [Candidate]>,
    at: u64,
    body: Option<&'photo str>,
    is_vetoed: bool,
    hit: HitRow,
    faces: Vec<FaceRow<'photo>>,
    people: Vec<PersonRow<'photo>>,
    /// The suffixes of the people's names, by which a search finds them, each with the person's id.
    names: Vec<(String, String)>,
    /// The ids of everybody whom the recogniser named, however uncertainly, each with the highest confidence.
    named: Vec<(String, f64)>,
    /// The digests by which the statements recognise that the photo or a person in it was forgotten.
    marks: Vec<String>,
}

/// A person in a photo: the id, the name, the confidence, the folded name and the Wikidata number.
#[derive(Debug, Serialize)]
struct PersonRow<'photo>(String, &'photo str, f64, String, Option<String>);

/// A face. The statements find its members by their positions: the id, the name, the confidence, the box as left,
/// top, width and height, the addresses, and the portrait if there is one. A stored face is parsed as a [`Face`] without conversion.
#[derive(Debug, Serialize)]
struct FaceRow<'photo>(
    &'photo str,
    &'photo str,
    Confidence,
    [f64; 4],
    &'photo [String],
    #[serde(skip_serializing_if = "Option::is_none")] Option<&'photo Portrait>,
);

/// A photo's address, page, title and credit.
#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
struct HitRow {
    image_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context_url: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license_url: Option<String>,
    /// When the photo was taken. The atlas tells it; a run reads the photo's file anew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    taken: Option<Taken>,
}

impl HitRow {
    fn of(hit: &Hit, taken: Option<Taken>) -> Self {
        let text = |text: &String| text.chars().take(TEXT_CHARS_MAX).collect::<String>();
        let short = |url: &&String| url.len() <= URL_BYTES_MAX;
        Self {
            image_url: hit.image_url.clone(),
            context_url: hit.context_url.as_ref().filter(short).cloned(),
            title: text(&hit.title),
            author: hit.credit.author.as_ref().map(text),
            license: hit.credit.license.as_ref().map(text),
            license_url: hit.credit.license_url.as_ref().filter(short).cloned(),
            taken,
        }
    }

    fn read(self) -> Hit {
        let of_page = |taken: &Taken| taken.source == DateSource::Provider;
        let taken = self.taken.filter(of_page);
        Hit {
            image_url: self.image_url,
            context_url: self.context_url,
            title: self.title,
            credit: Credit {
                author: self.author,
                license: self.license,
                license_url: self.license_url,
            },
            hints: Hints {
                taken: taken.map(|taken| taken.date),
                ..Hints::default()
            },
            ..Hit::default()
        }
    }
}

impl<'photo> FaceRow<'photo> {
    fn of(face: &'photo Face) -> Self {
        let sides = face.face_box.sides();
        let portrait = face.portrait.as_deref();
        let (id, name, urls) = (&face.id, &face.name, &face.urls);
        Self(id, name, face.confidence, sides, urls, portrait)
    }
}

/// Serializes photos for the statements. Each photo occurs once, and photos whose addresses are too long are omitted.
pub(super) fn photo_rows(photos: &[PhotoToRemember]) -> String {
    let mut seen = BTreeSet::new();
    let is_meant = |photo: &&PhotoToRemember| {
        photo.hit.image_url.len() <= URL_BYTES_MAX && seen.insert(photo.digest.clone())
    };
    let photos = photos.iter().filter(is_meant);
    let rows: Vec<PhotoRow> = photos.map(photo_row).collect();
    // The rows contain only texts and numbers, so serializing them cannot fail.
    serde_json::to_string(&rows).unwrap_or_default()
}

fn photo_row(photo: &PhotoToRemember) -> PhotoRow<'_> {
    let answer = &photo.answer;
    let people = sure_people(&answer.faces).into_iter();
    let mut names = Vec::new();
    let mut marks = vec![photo.digest.to_string()];
    let people = people.map(|(id, face)| {
        let confidence = face.confidence.percent();
        let folded = fold(&face.name);
        let parts = name_parts(&folded).into_iter();
        names.extend(parts.map(|part| (part.to_owned(), id.clone())));
        PersonRow(
            id,
            &face.name,
            confidence,
            folded,
            wikidata_of(face).map(|number| number.to_string()),
        )
    });
    let people = people.collect();
    let sure = named_people(&answer.faces).into_iter();
    let marked = sure.map(|(id, confidence)| {
        marks.push(Sha256Digest::of(id.as_bytes()).to_string());
        (id, confidence.percent())
    });
    let everybody = marked.collect();
    PhotoRow {
        digest: photo.digest.as_str(),
        recogniser: &answer.by.recogniser,
        model: answer.by.model.as_deref(),
        candidates: answer.candidates.as_deref(),
        at: answer.at_ms,
        body: answer.body.as_ref().map(Sha256Digest::as_str),
        is_vetoed: photo.is_vetoed,
        hit: HitRow::of(&photo.hit, photo.taken),
        faces: answer.faces.iter().map(FaceRow::of).collect(),
        people,
        names,
        named: everybody,
        marks,
    }
}

/// A recogniser's answer as the statement in `answer.sql` returns it.
#[derive(Deserialize)]
struct AnswerRow {
    #[serde(rename = "at")]
    at_ms: u64,
    #[serde(flatten)]
    by: RecognisedBy,
    candidates: Option<Vec<Candidate>>,
    body: Option<String>,
    faces: Vec<Face>,
}

/// Parses a recogniser's stored answer. Returns `None` if this program did not write it.
#[must_use]
pub fn read_answer(json: &str) -> Option<RememberedAnswer> {
    let row: AnswerRow = serde_json::from_str(json).ok()?;
    Some(RememberedAnswer {
        faces: row.faces,
        by: row.by,
        candidates: row.candidates,
        at_ms: row.at_ms,
        body: row.body.as_deref().and_then(Sha256Digest::parse),
    })
}

/// Parses recalled photos. Each photo occurs once, and photos that this program did not write are skipped.
#[must_use]
pub fn read_recalled(json: &str) -> Vec<RecalledPhoto> {
    let rows: Vec<(String, HitRow, Box<RawValue>)> = serde_json::from_str(json).unwrap_or_default();
    let mut seen = BTreeSet::new();
    let rows = rows
        .into_iter()
        .filter(|(digest, _, _)| seen.insert(digest.clone()));
    let photos = rows.filter_map(|(digest, hit, people)| {
        let digest = Sha256Digest::parse(&digest)?;
        let read: Vec<(String, String, f64, String, Option<String>)> =
            serde_json::from_str(people.get()).ok()?;
        let people = read
            .into_iter()
            .map(|(id, name, confidence, _, number)| RecalledPerson {
                id,
                name,
                number,
                confidence: Confidence::clamped(confidence),
            });
        Some(RecalledPhoto {
            digest,
            hit: hit.read(),
            people: people.collect(),
        })
    });
    photos.collect()
}

/// A search by name can begin at the first word of a name, and at this many of the words after it.
const NAME_WORDS_MAX: usize = 6;

/// Returns each person whom the recogniser named with at least the lowest confidence that a run may require, as an id
/// and a face. Each person occurs once, and there are at most [`PAIRED_PEOPLE_MAX`].
#[must_use]
pub fn sure_people(faces: &[Face]) -> Vec<(String, &Face)> {
    let least = f64::from(THRESHOLD_PERCENT_MIN);
    let mut sure: Vec<(String, &Face)> = Vec::new();
    for face in faces
        .iter()
        .filter(|face| face.confidence.percent() >= least)
    {
        let id = id_of(face);
        match sure.iter_mut().find(|(known, _)| *known == id) {
            Some((_, known)) if known.confidence < face.confidence => *known = face,
            Some(_) => {}
            None if fold(&face.name).is_empty() => {}
            None => sure.push((id, face)),
        }
    }
    sure.truncate(PAIRED_PEOPLE_MAX);
    sure
}

/// Returns everybody whom the recogniser named, however uncertainly. Each occurs once, with the highest confidence.
#[must_use]
pub fn named_people(faces: &[Face]) -> BTreeMap<String, Confidence> {
    let mut named = BTreeMap::new();
    for face in faces.iter().filter(|face| !fold(&face.name).is_empty()) {
        let known = named.entry(id_of(face)).or_insert(face.confidence);
        *known = face.confidence.max(*known);
    }
    named
}

/// Returns the recogniser's id for a face, or an id made from the name if the recogniser sent none.
fn id_of(face: &Face) -> String {
    if face.id.is_empty() {
        format!("name:{}", fold(&face.name))
    } else {
        face.id.clone()
    }
}

/// Returns the suffixes of a folded name that begin with one of its words. With them, a search finds any word of a
/// name.
pub(super) fn name_parts(folded: &str) -> Vec<&str> {
    let spaces = folded.match_indices(' ').take(NAME_WORDS_MAX);
    let later = spaces.filter_map(|(space, _)| folded.get(space + 1..));
    std::iter::once(folded).chain(later).collect()
}
