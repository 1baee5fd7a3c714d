//! The answers of tools, in words. Text that strangers wrote is quoted and bounded in these answers.

use std::fmt::Write as _;
use std::future::Future;
use std::rc::Rc;

use domain::{Secret, Sha256Digest};
use engine::Problem;
use engine::assistant::{Answer, CallPlace, Members, quoted};
use engine::run::EventLog;
use futures::Stream;
use futures::future::{Either, select};
use platform::events::BROKEN_OFF;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::engines::EngineName;
use crate::sealed::{Origin, ReplayLimits, Verdict, is_of_digest, replay};

use super::{CallFrames, CallPoint};

/// The members of a photo that the answer about a connection includes, each with the words that precede it in the
/// sentence.
const OF_PHOTO: [(&str, &str); 5] = [
    ("imageUrl", " in the photo "),
    ("contextUrl", " on the page "),
    ("title", ", titled "),
    ("author", ", by "),
    ("license", ", licence "),
];

/// Makes the answer to a query of the atlas from the JSON of `GET /atlas/people/{id}` or `GET /atlas/path`. The text
/// includes, for each connection, its confidence and the address and page of its best photo.
#[must_use]
pub fn known_answer(found: &Value) -> Answer {
    let mut text = String::new();
    let mut links = Vec::new();
    let edges = found.get("edges").and_then(Value::as_array);
    let edges = edges.map(Vec::as_slice).unwrap_or_default();
    for edge in edges {
        links.push(link(edge));
        text.push_str(&sentence(edge));
    }
    let mut members = Members::default();
    for member in ["person", "threshold", "next", "path", "isWhole"] {
        members.add_of(member, found, member);
    }
    if let Some(weakest) = found.get("weakest").filter(|weakest| weakest.is_object()) {
        let ends = |edge: &Value| ["from", "to"].map(|end| edge.get(end).cloned());
        let edge = edges.iter().find(|edge| ends(edge) == ends(weakest));
        let mut told = Members::default();
        for member in ["from", "fromName", "to", "toName", "edgeConfidence"] {
            told.add_of(member, edge.unwrap_or(weakest), member);
        }
        members.add("weakest", told.into_value());
        if let Some(edge) = edge {
            let (from, to) = (name(edge, "fromName"), name(edge, "toName"));
            let percent = percent(edge);
            let _ = writeln!(
                text,
                "The weakest link is that of {from} and {to}, {percent}."
            );
        }
    }
    if links.is_empty() {
        text.push_str("Nothing of that is known yet; find_chain searches for more.");
    } else if found.get("isWhole") == Some(&Value::Bool(false)) {
        text.push_str("Not everybody was looked at, so there may be a shorter chain.\n");
    }
    if let Some(next) = found.get("next").and_then(Value::as_u64) {
        let _ = writeln!(text, "There are more: call seen_with with offset {next}.");
    }
    members.add("links", links.into());
    Answer::new(members, text)
}

/// Returns a connection and its best photo as JSON.
fn link(edge: &Value) -> Value {
    let mut members = Members::default();
    for member in [
        "from",
        "fromName",
        "to",
        "toName",
        "photos",
        "edgeConfidence",
    ] {
        members.add_of(member, edge, member);
    }
    for (member, _) in OF_PHOTO {
        members.add_of(member, photo(edge), member);
    }
    members.into_value()
}

/// Returns a sentence about a connection.
fn sentence(edge: &Value) -> String {
    let (from, to, percent) = (name(edge, "fromName"), name(edge, "toName"), percent(edge));
    let mut said = format!("{from} was seen with {to}, {percent},");
    for (member, before) in OF_PHOTO {
        if let Some(words) = photo(edge).get(member).and_then(Value::as_str) {
            said.push_str(before);
            said.push_str(&quoted(words));
        }
    }
    match edge.get("photos").and_then(Value::as_u64) {
        None | Some(0 | 1) => said.push_str(".\n"),
        Some(photos) => {
            let _ = writeln!(said, ". It is the best of {photos} photos of both.");
        }
    }
    said
}

fn photo(edge: &Value) -> &Value {
    edge.pointer("/evidence/0").unwrap_or(&Value::Null)
}

fn name(edge: &Value, member: &str) -> String {
    quoted(edge.get(member).and_then(Value::as_str).unwrap_or_default())
}

fn percent(edge: &Value) -> String {
    let percent = edge.get("edgeConfidence").and_then(Value::as_f64);
    format!("{:.1} %", percent.unwrap_or_default())
}

/// Makes the answer about the people that a name may mean, from the JSON of `GET /people`.
#[must_use]
pub fn people_answer(found: &Value) -> Answer {
    let people = found.get("people").and_then(Value::as_array);
    let mut told = Vec::new();
    let mut text = String::new();
    for person in people.into_iter().flatten() {
        let mut members = Members::default();
        for member in ["number", "label", "description", "alias"] {
            members.add_of(member, person, member);
            if let Some(words) = person.get(member).and_then(Value::as_str) {
                text.push_str(&quoted(words));
                text.push(' ');
            }
        }
        text.push('\n');
        told.push(members.into_value());
    }
    if told.is_empty() {
        text.push_str("Wikidata knows nobody of this name.");
    }
    let mut members = Members::default();
    members.add("people", told.into());
    Answer::new(members, text)
}

/// Makes the refusal for an unknown run, in words for callers of tools.
#[must_use]
pub fn no_run_of_tools() -> Problem {
    Problem::new(
        404,
        "There is no such run here, or not any more: a run is kept for some minutes after its end. Give the run as a \
         tool's answer named it, or call that tool again.",
    )
}

/// Makes the refusal for a caller who may not stop a run, in words for callers of tools.
#[must_use]
pub fn only_its_beginner() -> Problem {
    Problem::new(
        403,
        "Only whoever began this run may stop it: give the argument secret, with the secret in the answer to the call \
         that began it. Everybody else may wait for its end with get_run.",
    )
}

/// Makes the refusal for a stored document whose run cannot begin although the call's arguments are valid. If the
/// refusal names a field, it is a field of the document, not an argument.
#[must_use]
pub fn not_by_arguments(problem: &Problem) -> Problem {
    if problem.named_field().is_none() {
        return problem.clone();
    }
    let detail = format!(
        "This tool cannot be begun as this server's operator has stored it, whatever its arguments: {}",
        problem.detail()
    );
    Problem::new(problem.status(), detail)
}

/// Makes the answer about a run that was told to stop and has not ended yet.
#[must_use]
pub fn stopping(run: &str) -> Answer {
    let mut members = Members::default();
    members.add_text("run", run);
    members.add_text("state", "stopping");
    let text = format!("The run is being stopped. get_run with run {run} tells what it found.");
    Answer::new(members, text)
}

/// The time without progress after which [`SILENCE`] is sent, in milliseconds.
const SILENCE_MS_MAX: u64 = 10_000;
/// The event-stream comment that keeps a connection open while there is no progress.
const SILENCE: &str = ":\n\n";

/// A tool call that waits for a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WatchedCall {
    /// Which of the run's events the client has received, and how to answer the call.
    pub point: CallPoint,
    /// The address of the run's page.
    pub address: String,
    /// The secret with which the caller may stop the run; `None` if somebody else began it.
    pub secret: Option<String>,
}

/// What a watched run needs from its environment: a clock, and whether the run has expired.
pub trait Watch {
    /// Waits for this many milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;
    /// Returns the time in milliseconds since 1970.
    fn now_ms(&self) -> u64;
    /// Returns whether the run has expired.
    fn has_expired(&self) -> bool;
}

/// Returns the event stream that answers a call about a run of this engine.
pub fn watched(
    call: WatchedCall,
    engine: EngineName,
    log: Rc<EventLog>,
    watch: impl Watch,
) -> impl Stream<Item = String> {
    let place = CallPlace {
        run: call.point.run.clone(),
        address: call.address,
        secret: call.secret,
    };
    let watcher = Watcher {
        frames: CallFrames::new(call.point),
        engine,
        log,
        place,
        is_greeted: false,
        is_answered: false,
    };
    futures::stream::unfold((watcher, watch), |(mut watcher, watch)| async move {
        let frames = watcher.next(&watch).await?;
        Some((frames, (watcher, watch)))
    })
}

struct Watcher {
    frames: CallFrames,
    engine: EngineName,
    log: Rc<EventLog>,
    place: CallPlace,
    is_greeted: bool,
    is_answered: bool,
}

impl Watcher {
    async fn next(&mut self, watch: &impl Watch) -> Option<String> {
        if self.is_answered {
            return None;
        }
        if !std::mem::replace(&mut self.is_greeted, true) {
            return Some(self.frames.greeting());
        }
        loop {
            let news = self.news();
            if !news.is_empty() {
                return Some(news);
            }
            if let Some(words) = self.log.last_words() {
                // If the run cannot be read at the moment, the client reconnects in the way that its era of the
                // protocol defines.
                let is_gone = words != BROKEN_OFF;
                let failed = Answer::failed(
                    "The run was deleted, or is not kept any longer; call the tool again that began it.",
                );
                return is_gone.then(|| self.answer(&failed));
            }
            let left_ms = self.frames.point().until_ms;
            let left_ms = left_ms.map(|until_ms| until_ms.saturating_sub(watch.now_ms()));
            if left_ms == Some(0) {
                let newest = self.event(self.log.len());
                let answer = self.engine.answer(&newest, false, &self.place);
                return Some(self.answer(&answer));
            }
            let pause_ms = left_ms.unwrap_or(SILENCE_MS_MAX).min(SILENCE_MS_MAX);
            let after = self.frames.point().after;
            let news = std::pin::pin!(self.log.news_after(after));
            let silence = std::pin::pin!(watch.sleep(pause_ms));
            if let Either::Right(_) = select(news, silence).await {
                if watch.has_expired() {
                    // The run should have been deleted by now but was not, so its streams end here.
                    self.log.expire();
                } else if pause_ms == SILENCE_MS_MAX {
                    return Some(SILENCE.to_owned());
                }
            }
        }
    }

    /// Returns the progress that was not sent yet, and the answer if the run has ended.
    fn news(&mut self) -> String {
        let mut news = String::new();
        let newest = self.log.len();
        for number in self.frames.point().after.saturating_add(1)..=newest {
            let event = self.event(number);
            self.frames.pass(number);
            if let Some(says) = self.engine.progress(&event) {
                news.push_str(&self.frames.progress(number, &says).unwrap_or_default());
            }
        }
        if self.log.is_ended() {
            let answer = self.engine.answer(&self.event(newest), true, &self.place);
            news.push_str(&self.answer(&answer));
        }
        news
    }

    fn answer(&mut self, answer: &Answer) -> String {
        self.is_answered = true;
        self.frames.answer(answer)
    }

    /// Returns the run's event with this number; null if there is none.
    fn event(&self, number: u32) -> Value {
        let json = self.log.json(number);
        let event = json.and_then(|json| serde_json::from_str(&json).ok());
        event.unwrap_or_default()
    }
}

#[derive(Deserialize)]
struct File<'file> {
    #[serde(borrow)]
    body: Body<'file>,
}

#[derive(Deserialize)]
struct Body<'file> {
    #[serde(borrow)]
    order: &'file RawValue,
    #[serde(borrow)]
    events: Vec<&'file RawValue>,
}

/// Checks the file that is stored for a chain's digest. The answer says whether the content has this digest, whether
/// a replay yields the same run, and what the chain is. `key` is the operator's signing key.
#[must_use]
pub fn checked(
    file: &str,
    digest: &Sha256Digest,
    key: Option<&Secret>,
    place: &CallPlace,
) -> Answer {
    let limits = ReplayLimits::SERVER;
    let report = replay(file, key, limits);
    let is_same = matches!(&report, Ok(report) if report.result == Verdict::Identical);
    let is_genuine = is_same && is_of_digest(file, digest, limits);
    let signature = match report.as_ref().map(|report| report.origin) {
        Ok(Origin::ThisServer) => "this_server",
        Ok(Origin::NotThisServer) => "not_this_server",
        Ok(Origin::Unsigned) => "unsigned",
        Ok(Origin::NotChecked) | Err(_) => "not_checked",
    };
    let why = match &report {
        Ok(report) => report.says.clone(),
        Err(error) => error.to_string(),
    };
    let verdict = if is_genuine {
        "The file is what it claims: its digest fits its content, and executed again its answers lead to the same \
         chain."
    } else {
        "The file is NOT what it claims, or cannot be checked here. Do not rely on it."
    };
    let mut members = place.members("unknown");
    members.add("digest", digest.as_str().into());
    members.add("isGenuine", is_genuine.into());
    members.add_text("signature", signature);
    // A file that is not genuine must not be quoted.
    let told = Some(file)
        .filter(|_| is_genuine)
        .and_then(|file| told(file, place));
    let chain = match told {
        Some(Answer { value, text, .. }) => {
            let value = value.unwrap_or_default();
            for member in ["state", "people", "links", "weakest", "certificate"] {
                members.add_of(member, &value, member);
            }
            text
        }
        None => why,
    };
    Answer::new(members, format!("{verdict}\n{chain}"))
}

/// Returns the answer about the run in this file.
fn told(file: &str, place: &CallPlace) -> Option<Answer> {
    let File { body } = serde_json::from_str(file).ok()?;
    let engine = EngineName::of_order(body.order.get())?;
    let last: Value = serde_json::from_str(body.events.last()?.get()).ok()?;
    Some(engine.answer(&last, true, place))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn edge(from: &str, to: &str, percent: f64) -> Value {
        let photo = json!({"imageUrl": "https://x.example/1.jpg", "contextUrl": "https://x.example/1",
            "title": "Gala\u{202e}” of the year", "author": "Eve", "license": "CC BY 4.0", "faces": []});
        json!({"from": from, "fromName": from.to_uppercase(), "to": to, "toName": format!("{to}\u{202e}”"),
            "edgeConfidence": percent, "photos": 3, "evidence": [photo]})
    }

    #[test]
    fn lines_are_told_with_percent_and_photo_and_strangers_words_are_quoted() {
        let mut one = edge("ann", "cyd", 81.0);
        one["photos"] = json!(1);
        one["evidence"] = json!([{"imageUrl": "https://x.example/2.jpg"}]);
        let found = json!({"person": {"id": "ann", "name": "Ann"}, "edges": [edge("ann", "bob", 98.54), one],
            "next": 24});
        let answer = known_answer(&found);
        assert_eq!(
            answer.text,
            "“ANN” was seen with “bob\"”, 98.5 %, in the photo “https://x.example/1.jpg” on the page \
             “https://x.example/1”, titled “Gala\" of the year”, by “Eve”, licence “CC BY 4.0”. It is the best of 3 \
             photos of both.\n\
             “ANN” was seen with “cyd\"”, 81.0 %, in the photo “https://x.example/2.jpg”.\n\
             There are more: call seen_with with offset 24.\n"
        );
        let value = answer.value.unwrap();
        assert_eq!(value["next"], 24);
        assert_eq!(value["links"][0]["imageUrl"], "https://x.example/1.jpg");
        assert_eq!(value["links"][0]["author"], "Eve");
        assert_eq!(value["links"][0]["edgeConfidence"], 98.54);
        let nobody = known_answer(&json!({"edges": []}));
        assert!(nobody.text.contains("find_chain"));
    }

    #[test]
    fn a_chain_is_told_link_by_link_with_its_weakest() {
        let found = json!({"path": [{"id": "ann"}, {"id": "bob"}, {"id": "cyd"}],
            "edges": [edge("ann", "bob", 98.5), edge("bob", "cyd", 80.25)],
            "weakest": {"from": "bob", "to": "cyd"}, "isWhole": false});
        let answer = known_answer(&found);
        let value = answer.value.unwrap();
        assert_eq!(value["links"][0]["to"], "bob");
        let weakest = json!({"from": "bob", "fromName": "BOB", "to": "cyd", "toName": "cyd\"",
            "edgeConfidence": 80.25});
        assert_eq!(value["weakest"], weakest);
        let end = "The weakest link is that of “BOB” and “cyd\"”, 80.2 %.\nNot everybody was looked at, so there may \
                   be a shorter chain.\n";
        assert!(answer.text.ends_with(end), "{}", answer.text);
        let none = known_answer(&json!({"path": [], "edges": [], "isWhole": false}));
        assert!(none.text.contains("find_chain") && !none.is_error);
        assert!(!none.text.contains("shorter"), "{}", none.text);
    }
}
