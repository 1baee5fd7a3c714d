//! The atlas, as a page and as JSON: the people and connections that this server's runs have recognised. Reading the
//! atlas only queries the database, so it costs nothing.

use std::cell::{Cell, RefCell};

use domain::Sha256Digest;
use engine::Problem;
use engine::budget::client_digest;
use engine::values::NumberForm;
use serde_json::{Value, json};
use settings::{AtlasAccess, Settings};
use worker::{Cache, Env, Request, Response, Url};

use platform::MemoryDown;

use crate::auth::{AtlasReaders, AtlasReading, callers};
use crate::memory::{
    OFFSET_MAX, PathSearch, Statement, find_people, forgetting, lines_of, most_seen, person, photo,
    photos_of, size, told_path,
};
use crate::problems::threshold_percent;
use crate::publication::{mark, mark_of_person};
use crate::routes::{AtlasCall, ResponseFormat};

use crate::storage::chains;
use crate::storage::photo_database::PhotoDatabase;
use crate::transport::bindings::{self, now_ms};
use crate::transport::failure::Result;
use crate::transport::replies::{self, header};

use super::pages;

/// The number of photos that are forgotten in one step. The next constant is the most steps of one request.
const FORGOTTEN_AT_ONCE: u64 = 50;
const STEPS_MAX: usize = 20;

/// A query of the atlas.
pub(crate) enum Question {
    /// The totals.
    Size,
    /// The people with a word of their name beginning with this text; for an empty text, those with the most photos.
    People(String),
    /// The people seen with somebody. Contains the person's id or name, an offset, and the lowest confidence in
    /// percent.
    Person(String, u64, u32),
    /// The shortest known chain between two people. Contains the id or name of each, and the lowest confidence in
    /// percent.
    Path(String, String, u32),
}

impl Question {
    /// Returns the cost of the query.
    fn reading(&self) -> AtlasReading {
        match self {
            Self::Size | Self::People(_) | Self::Person(..) => AtlasReading::Some,
            Self::Path(..) => AtlasReading::Many,
        }
    }

    /// Returns the query as pairs of key and value, which identify it in the cache.
    fn pairs(&self) -> Vec<(&'static str, String)> {
        match self {
            Self::Size => vec![("of", "size".to_owned())],
            Self::People(typed) => vec![("typed", typed.trim().to_owned())],
            Self::Person(person, offset, threshold) => vec![
                ("person", person.clone()),
                ("offset", offset.to_string()),
                ("threshold", threshold.to_string()),
            ],
            Self::Path(a, b, threshold) => vec![
                ("a", a.clone()),
                ("b", b.clone()),
                ("threshold", threshold.to_string()),
            ],
        }
    }
}

/// Handles a request below `/atlas`.
pub(crate) async fn answer(
    request: &Request,
    env: &Env,
    settings: &Settings,
    call: AtlasCall,
) -> Result<Response> {
    let url = request.url()?;
    let question = match call {
        AtlasCall::ForgetPerson(id) => {
            return forget(request, env, settings, Some(&id), None).await;
        }
        AtlasCall::ForgetPhoto(digest) => {
            return forget(request, env, settings, None, Some(digest)).await;
        }
        AtlasCall::Size => Ok(Question::Size),
        AtlasCall::People => Ok(Question::People(query(&url, "q"))),
        AtlasCall::Person(id) => {
            offset_of(&url).and_then(|offset| Ok(Question::Person(id, offset, threshold_of(&url)?)))
        }
        AtlasCall::Path => threshold_of(&url)
            .map(|threshold| Question::Path(query(&url, "a"), query(&url, "b"), threshold)),
    };
    if pages::format_of_link(request) == ResponseFormat::Html {
        return match settings.atlas {
            AtlasAccess::Nobody => pages::answer(request, env, 404).await,
            AtlasAccess::Operator => pages::atlas(request, env, false).await,
            AtlasAccess::Everybody { is_indexed } => pages::atlas(request, env, is_indexed).await,
        };
    }
    // A caller who may not read the atlas must not learn whether the query is valid.
    let is_operator = callers::check_atlas(request, settings)?;
    replies::json_text(&told_to(request, env, is_operator, &question?).await?)
}

fn query(url: &Url, name: &str) -> String {
    let value = url.query_pairs().find(|(key, _)| key == name);
    value.map_or_else(String::new, |(_, value)| value.into_owned())
}

fn offset_of(url: &Url) -> Told<u64> {
    let offset = query(url, "offset");
    if offset.is_empty() {
        return Ok(0);
    }
    let number = NumberForm::Text.whole(&offset.into());
    number
        .filter(|number| *number <= OFFSET_MAX)
        .ok_or_else(|| {
            let what = format!("must be a whole number from 0 to {OFFSET_MAX}");
            Problem::field("offset", what)
        })
}

fn threshold_of(url: &Url) -> Told<u32> {
    let threshold = Some(query(url, "threshold")).filter(|text| !text.is_empty());
    threshold_percent(threshold.map(Value::from).as_ref(), NumberForm::Text)
}

/// Returns the answer to a query for this caller, as JSON.
pub(crate) async fn read(
    request: &Request,
    env: &Env,
    settings: &Settings,
    question: &Question,
) -> Result<String> {
    let is_operator = callers::check_atlas(request, settings)?;
    told_to(request, env, is_operator, question).await
}

async fn told_to(
    request: &Request,
    env: &Env,
    is_operator: bool,
    question: &Question,
) -> Result<String> {
    if is_operator {
        return Ok(told(env, question).await?);
    }
    let asked = (question.pairs(), question.reading());
    told_to_stranger(request, env, asked, async || told(env, question).await).await
}

/// Returns the answer to a query from the database, as JSON.
async fn told(env: &Env, question: &Question) -> Told<String> {
    let atlas = Atlas::of(env)?;
    Ok(match question {
        Question::Size => atlas.ask(&size()).await?,
        Question::People(typed) => {
            let statement = match typed.trim() {
                "" => most_seen(),
                typed => find_people(typed),
            };
            format!("{{\"people\":{}}}", atlas.ask(&statement).await?)
        }
        Question::Person(id_or_name, offset, threshold) => {
            let person = atlas.person(id_or_name).await?;
            let question = lines_of(id_of(&person), *offset, *threshold);
            let lines = atlas.ask(&question).await?;
            let rest = lines.strip_prefix('{').unwrap_or("}");
            format!("{{\"person\":{person},{rest}")
        }
        Question::Path(a, b, threshold) => {
            for (field, typed) in [("a", a), ("b", b)] {
                if typed.trim().is_empty() {
                    let what = "is missing: an id of the atlas, or a name";
                    return Err(Problem::field(field, what));
                }
            }
            let (a, b) = atlas.both(a, b).await?;
            let ends = [id_of(&a), id_of(&b)];
            if ends[0] == ends[1] {
                return Err(Problem::field("b", "is the same person as a"));
            }
            let mut search = PathSearch::new(ends, *threshold);
            while let Some(statement) = search.next_question() {
                search.take(&atlas.ask(&statement).await?);
            }
            let found = told_path(ends, &search.found(), *threshold);
            atlas.ask(&found).await?
        }
    })
}

fn id_of(person: &Value) -> &str {
    person.get("id").and_then(Value::as_str).unwrap_or_default()
}

/// Forgets a person or a photo for good, for the operator only. Lists the published chains that still show them:
/// `{photos, isWhole, chains, chainsUnknown}`. The status is 202 if more may be left to forget.
async fn forget(
    request: &Request,
    env: &Env,
    settings: &Settings,
    person: Option<&str>,
    photo: Option<Sha256Digest>,
) -> Result<Response> {
    callers::check_forget(request, settings)?;
    let atlas = Atlas::of(env)?;
    let mut forgotten = Vec::new();
    note_forgotten();
    let is_whole = match (person, photo) {
        (Some(person), _) => atlas.forget_person(person, &mut forgotten).await,
        (None, Some(photo)) => atlas.forget_photo(photo, &mut forgotten).await,
        (None, None) => Ok(true),
    };
    note_forgotten();
    let is_whole = match is_whole {
        Ok(is_whole) => is_whole,
        // A repeated request would not find the photos that were forgotten so far, so they are reported now.
        Err(_) if !forgotten.is_empty() => false,
        Err(problem) => return Err(problem.into()),
    };
    let photos = forgotten.iter().map(mark);
    let marks: Vec<String> = photos.chain(person.map(mark_of_person)).collect();
    let (chains, unknown) = chains::showing(env, &marks).await;
    let told = json!({
        "photos": forgotten.len(), "isWhole": is_whole, "chains": chains, "chainsUnknown": unknown,
    });
    let status = if is_whole { 200 } else { 202 };
    Ok(replies::json(&told)?.with_status(status))
}

/// The database of the atlas. Its failures become refusals.
struct Atlas(PhotoDatabase);

impl Atlas {
    fn of(env: &Env) -> Told<Self> {
        let none = || {
            let detail = "This server keeps no memory: it has no database by the binding DB.";
            Problem::new(404, detail)
        };
        PhotoDatabase::of(env).map(Self).ok_or_else(none)
    }

    async fn ask(&self, statement: &Statement) -> Told<String> {
        let found = self.0.ask(statement).await.map_err(down)?;
        found.ok_or_else(|| Problem::new(404, "Nobody is known here by this id or name."))
    }

    /// Returns the person with this id or name.
    async fn person(&self, id_or_name: &str) -> Told<Value> {
        let found = self.ask(&person(id_or_name)).await?;
        Ok(serde_json::from_str(&found).unwrap_or_default())
    }

    /// Returns the two people with these ids or names. The refusal names those who are unknown.
    async fn both(&self, a: &str, b: &str) -> Told<(Value, Value)> {
        let is_unknown = |problem: &Problem| problem.status() == 404;
        match (self.person(a).await, self.person(b).await) {
            (Ok(a), Ok(b)) => Ok((a, b)),
            (Err(one), Err(other)) if is_unknown(&one) && is_unknown(&other) => Err(nobody(
                "a",
                "names nobody who is known here, and neither does “b”",
            )),
            (Err(one), _) if is_unknown(&one) => Err(nobody("a", "names nobody who is known here")),
            (Ok(_), Err(other)) if is_unknown(&other) => {
                Err(nobody("b", "names nobody who is known here"))
            }
            (Err(problem), _) | (_, Err(problem)) => Err(problem),
        }
    }

    /// Forgets a person in steps. Adds the forgotten photos to `forgotten`, and returns whether no photos are left.
    async fn forget_person(&self, id: &str, forgotten: &mut Vec<Sha256Digest>) -> Told<bool> {
        // From now on, no run stores anything about the person.
        self.forget(&[], Some(id)).await?;
        for _ in 0..STEPS_MAX {
            let answer = self.ask(&photos_of(id, FORGOTTEN_AT_ONCE)).await?;
            let listed: Value = serde_json::from_str(&answer).unwrap_or_default();
            let texts = listed.as_array().into_iter().flatten();
            let digests = texts.filter_map(|digest| Sha256Digest::parse(digest.as_str()?));
            let digests: Vec<Sha256Digest> = digests.collect();
            if digests.is_empty() && forgotten.is_empty() {
                let detail =
                    "Nobody is known here by this id. From now on no photo of theirs is kept.";
                return Err(Problem::new(404, detail));
            }
            self.forget(&digests, Some(id)).await?;
            let is_last = (digests.len() as u64) < FORGOTTEN_AT_ONCE;
            forgotten.extend(digests);
            if is_last {
                return Ok(true);
            }
        }
        Ok(false)
    }

    async fn forget_photo(
        &self,
        digest: Sha256Digest,
        forgotten: &mut Vec<Sha256Digest>,
    ) -> Told<bool> {
        let known = self.0.ask(&photo(&digest)).await.map_err(down)?;
        self.forget(std::slice::from_ref(&digest), None).await?;
        if known.is_none() {
            let detail = "This photo is not kept here. From now on it is not.";
            return Err(Problem::new(404, detail));
        }
        forgotten.push(digest);
        Ok(true)
    }

    async fn forget(&self, digests: &[Sha256Digest], person: Option<&str>) -> Told<()> {
        // If the tables had another version, the statements would silently change nothing.
        self.0.check_version().await.map_err(down)?;
        let statements = forgetting(digests, person);
        self.0.change(&statements).await.map_err(down)
    }
}

fn nobody(field: &str, what: &str) -> Problem {
    Problem::field(
        field,
        format!("{what}; give an id of the atlas, or a full name"),
    )
    .with(404)
}

fn down(MemoryDown(why): MemoryDown) -> Problem {
    let detail = format!("The atlas is unavailable ({why}); try again in a few seconds.");
    Problem::new(503, detail).after(5)
}

/// A value, or the refusal of the request.
type Told<T> = Result<T, Problem>;

/// How long an answer may be cached.
const CACHE_CONTROL: &str = "public, max-age=60";
/// The header that states when a cached answer was made, in milliseconds since 1970.
const MADE_MS: &str = "atlas-made-ms";
/// The most queries of strangers that may be in flight in one isolate.
const UNDER_WAY_MAX: usize = 4;
/// The time after which a query no longer counts as in flight, in milliseconds. By then the database has ended the
/// query. Without this time, a query would count forever if its reader disconnects and the platform does not drop its
/// [`Turn`].
const UNDER_WAY_MS_MAX: u64 = 30_000;

thread_local! {
    static READERS: RefCell<AtlasReaders> = RefCell::default();
    /// The start times of the queries in flight.
    static UNDER_WAY: RefCell<Vec<u64>> = const { RefCell::new(Vec::new()) };
    /// The time of the last deletion. Answers that were cached before it must not be used.
    static FORGOTTEN_MS: Cell<u64> = const { Cell::new(0) };
}

/// Records that something was forgotten now.
pub(crate) fn note_forgotten() {
    FORGOTTEN_MS.set(now_ms());
}

/// Returns the answer for a caller who is not the operator, as JSON, from the cache if possible. `pairs` identifies
/// the query in the cache, and `tell` queries the database.
pub(crate) async fn told_to_stranger(
    request: &Request,
    env: &Env,
    (pairs, reading): (Vec<(&'static str, String)>, AtlasReading),
    tell: impl AsyncFnOnce() -> Told<String>,
) -> Result<String> {
    let cache = Cache::default();
    let mut address = request.url()?;
    address.set_path("/atlas/told");
    address.set_query(None);
    address.query_pairs_mut().extend_pairs(pairs);
    if let Some(mut cached) = cache.get(address.as_str(), false).await? {
        let header = cached.headers().get(MADE_MS)?;
        let made_ms = header.and_then(|text| text.parse::<u64>().ok());
        if made_ms.is_some_and(|made_ms| made_ms > FORGOTTEN_MS.get()) {
            return Ok(cached.text().await?);
        }
    }
    admit(request, env, reading).await?;
    let Some(_turn) = Turn::take() else {
        let detail = "The atlas is read by many at the moment; try again in a few seconds.";
        return Err(Problem::new(503, detail).after(5).into());
    };
    let made_ms = now_ms();
    let text = tell().await?;
    let response = Response::ok(&text)?;
    let headers = response.headers();
    headers.set("cache-control", CACHE_CONTROL)?;
    headers.set(MADE_MS, &made_ms.to_string())?;
    // A failure to cache the answer only makes the next request slower.
    if let Err(error) = cache.put(address.as_str(), response).await {
        worker::console_warn!("the atlas is not cached: {error}");
    }
    Ok(text)
}

/// Applies the rate limits for strangers. Each isolate has its own limit. For costly queries, the platform's limit also
/// applies, if configured.
async fn admit(request: &Request, env: &Env, reading: AtlasReading) -> Result<()> {
    let address = header(request, "cf-connecting-ip");
    let client = client_digest(address.as_deref(), now_ms());
    let taken = READERS.with_borrow_mut(|readers| readers.take(&client, reading, now_ms()));
    let mut wait_s = taken.err();
    if wait_s.is_none()
        && reading == AtlasReading::Many
        && let Some(limiter) = bindings::rate_limiter(env)
        && !limiter.limit(format!("atlas {client}")).await?.success
    {
        wait_s = Some(60);
    }
    let Some(wait_s) = wait_s else {
        return Ok(());
    };
    let detail = format!("Too much was read of the atlas; try again in {wait_s} seconds.");
    Err(Problem::too_many(detail, wait_s).into())
}

/// A query in flight, with its start time in milliseconds since 1970.
struct Turn(u64);

impl Turn {
    fn take() -> Option<Self> {
        let begun_ms = now_ms();
        UNDER_WAY.with_borrow_mut(|under_way| {
            under_way.retain(|one| begun_ms.saturating_sub(*one) < UNDER_WAY_MS_MAX);
            (under_way.len() < UNDER_WAY_MAX).then(|| {
                under_way.push(begun_ms);
                Self(begun_ms)
            })
        })
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        UNDER_WAY.with_borrow_mut(|under_way| {
            if let Some(place) = under_way.iter().position(|one| *one == self.0) {
                under_way.swap_remove(place);
            }
        });
    }
}
