//! The one function from requests to replies.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::header::{ACCESS_CONTROL_ALLOW_ORIGIN, CONTENT_LENGTH};
use http::{Method, Request};
use serde_json::{Value, json};

use super::ask::{Ask, Route};
use super::calls::{Call, CallLog, Provider};
use super::faults::{CommonFault, Fault};
use super::options::Options;
use super::reply::{Body, Reply};
use super::{
    gemini, gemini_faults, google, google_faults, images, recogniser_faults, rekognition, ugly,
};
use crate::sandbox::picture::{self, Drawn};
use crate::sandbox::world::World;

/// Longer than anybody waits.
const HANG_MS: u64 = 600_000;
const SLOW_MS: u64 = 5_000;
const HUGE_BYTES: usize = 8 * 1024 * 1024;

/// All providers over one world.
///
/// Give each request with the time it arrives, in milliseconds since 1970; the reply says how long
/// to wait before sending it. Nothing else is read: the same requests at the same times get the
/// same replies.
#[derive(Debug)]
pub struct Sandbox {
    world: World,
    options: Options,
    calls: CallLog,
    counts: BTreeMap<Provider, u64>,
    bucket: Option<Bucket>,
    example: Option<(String, String)>,
}

/// A token bucket: a second's worth of requests, refilled continuously.
#[derive(Clone, Copy, Debug)]
struct Bucket {
    tokens: f64,
    filled_ms: u64,
}

impl Sandbox {
    /// A sandbox that has not been asked anything.
    #[must_use]
    pub fn new(world: World, options: Options) -> Self {
        let example = world.example();
        Self {
            world,
            options,
            calls: CallLog::default(),
            counts: BTreeMap::new(),
            bucket: None,
            example,
        }
    }

    /// One of the same world that has not been asked anything, and behaves otherwise.
    #[must_use]
    pub fn unasked_with(&self, options: Options) -> Self {
        Self {
            world: self.world.clone(),
            options,
            calls: CallLog::default(),
            counts: BTreeMap::new(),
            bucket: None,
            example: self.example.clone(),
        }
    }

    /// The world it answers from.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// How it behaves.
    #[must_use]
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Two names worth trying first.
    #[must_use]
    pub fn example(&self) -> Option<&(String, String)> {
        self.example.as_ref()
    }

    /// The calls so far, the oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &Call> {
        self.calls.rows()
    }

    /// A drawn photo.
    pub(super) fn photo(&mut self, photo: usize) -> Option<Arc<Drawn>> {
        picture::photo(&self.world, photo, self.options.rules)
    }

    /// Answers one request that arrives at `now_ms`.
    pub fn respond(&mut self, request: Request<Vec<u8>>, now_ms: u64) -> Reply {
        let ask = Ask::from(request);
        let reply = match ask.route() {
            Route::Provider(provider) => self.serve(provider, &ask, now_ms),
            Route::Page(photo) => images::page(self, photo),
            Route::Calls if ask.method == Method::DELETE => {
                self.calls.clear();
                Reply::json(200, &json!([]))
            }
            Route::Calls => Reply::json(200, &json!(self.calls().collect::<Vec<_>>())),
            Route::Health => Reply::json(200, &self.health()),
            Route::Preflight => Reply::new(204, "text/plain", Vec::new())
                .with(ACCESS_CONTROL_ALLOW_ORIGIN, "*")
                .with_named(
                    "access-control-allow-methods",
                    "GET, HEAD, POST, DELETE, OPTIONS",
                )
                .with_named("access-control-allow-headers", "*"),
            Route::Unknown => Reply::json(
                404,
                &json!({"error": {"code": 404,
                "message": format!("The sandbox has no {} {}.", ask.method, ask.path)}}),
            ),
        };
        if ask.method == Method::HEAD {
            reply.head_only()
        } else {
            reply
        }
    }

    fn health(&self) -> Value {
        let example = self.example.as_ref().map(|(a, b)| json!({"a": a, "b": b}));
        json!({
            "status": "ok", "world": self.world.name, "people": self.world.people.len(),
            "photos": self.world.photos.len(), "example": example,
        })
    }

    fn serve(&mut self, provider: Provider, ask: &Ask, now_ms: u64) -> Reply {
        let count = self.counts.entry(provider).or_insert(0);
        *count += 1;
        let fault = self.options.faults.at(provider, *count);
        let key = key_of(provider, ask);
        let reply = match fault {
            None => self.answer(provider, ask, now_ms),
            Some(fault) => self.fail(fault, provider, ask, now_ms),
        };
        let reply = reply.later(self.options.latency.of(provider));
        let silent = fault == Some(Fault::Common(CommonFault::Hang));
        let status = if silent {
            0
        } else {
            reply.response.status().as_u16()
        };
        self.calls.record(provider, key, status);
        reply
    }

    fn answer(&mut self, provider: Provider, ask: &Ask, now_ms: u64) -> Reply {
        match provider {
            Provider::Google => google::answer(self, ask),
            Provider::Image => images::answer(self, ask),
            Provider::Rekognition => rekognition::answer(self, ask, now_ms),
            Provider::Gemini => gemini::answer(self, ask),
        }
    }

    fn fail(&mut self, fault: Fault, provider: Provider, ask: &Ask, now_ms: u64) -> Reply {
        match fault {
            Fault::Common(fault) => self.fail_anyhow(fault, provider, ask, now_ms),
            Fault::Google(fault) => google_faults::reply(fault),
            Fault::Rekognition(fault) => {
                recogniser_faults::reply(fault, &rekognition::request_id(ask, now_ms))
            }
            Fault::Gemini(fault) => gemini_faults::reply(self, fault, ask),
            Fault::Image(kind) => {
                let photo = images::photo_of(&ask.path, "/photos/")
                    .or_else(|| images::photo_of(&ask.path, "/thumbnails/"))
                    .filter(|photo| *photo < self.world.photos.len());
                images::open(match photo {
                    Some(photo) => ugly::reply(self, ask, photo, kind),
                    None => images::missing(),
                })
            }
        }
    }

    fn fail_anyhow(
        &mut self,
        fault: CommonFault,
        provider: Provider,
        ask: &Ask,
        now_ms: u64,
    ) -> Reply {
        match fault {
            CommonFault::Hang => self.answer(provider, ask, now_ms).later(HANG_MS),
            CommonFault::Slow => self.answer(provider, ask, now_ms).later(SLOW_MS),
            CommonFault::Garbage => Reply::new(
                200,
                json_type(provider),
                br#"{"items":[{"link":"http://"#.to_vec(),
            ),
            CommonFault::Empty => Reply::new(200, json_type(provider), Vec::new()),
            CommonFault::NotFound => not_found(provider),
            CommonFault::TruncatedBody => self.answer(provider, ask, now_ms).broken_off(),
            CommonFault::Huge => Reply::new(200, json_type(provider), huge()),
        }
    }

    /// Takes a token for one recognition; false where the limit is reached.
    pub(super) fn admit(&mut self, now_ms: u64) -> bool {
        let Some(per_second) = self.options.recognitions_per_second_max else {
            return true;
        };
        let size = f64::from(per_second);
        let bucket = self.bucket.get_or_insert(Bucket {
            tokens: size,
            filled_ms: now_ms,
        });
        let passed_s = now_ms.saturating_sub(bucket.filled_ms) as f64 / 1_000.0;
        bucket.tokens = (bucket.tokens + passed_s * size).min(size);
        bucket.filled_ms = bucket.filled_ms.max(now_ms);
        let admitted = bucket.tokens >= 1.0;
        if admitted {
            bucket.tokens -= 1.0;
        }
        admitted
    }
}

fn key_of(provider: Provider, ask: &Ask) -> String {
    match provider {
        Provider::Google => ask.parameter("q").unwrap_or_default().to_owned(),
        Provider::Image => ask.address(),
        Provider::Rekognition => rekognition::image_digest(ask),
        Provider::Gemini => super::sigv4::sha256_hex(&ask.body),
    }
}

fn json_type(provider: Provider) -> &'static str {
    match provider {
        Provider::Rekognition => "application/x-amz-json-1.1",
        Provider::Image => "image/jpeg",
        Provider::Google | Provider::Gemini => "application/json; charset=UTF-8",
    }
}

fn not_found(provider: Provider) -> Reply {
    match provider {
        Provider::Google | Provider::Gemini => {
            let message = "Requested entity was not found.";
            let error = json!({"code": 404, "message": message, "status": "NOT_FOUND"});
            Reply::pretty(404, &json!({"error": error}))
        }
        Provider::Rekognition => Reply::new(
            404,
            json_type(provider),
            br#"{"__type":"ResourceNotFoundException"}"#.to_vec(),
        ),
        Provider::Image => images::missing(),
    }
}

/// What no reader should try to keep: a list that does not end before its limit.
fn huge() -> Vec<u8> {
    let mut bytes = br#"{"items":["#.to_vec();
    while bytes.len() < HUGE_BYTES {
        bytes.extend_from_slice(br#"{"link":"http://127.0.0.1/photos/0.jpg","title":"huge"},"#);
    }
    bytes.extend_from_slice(b"{}]}");
    bytes
}

impl Reply {
    /// Whether the head claims more bytes than come.
    #[must_use]
    pub fn is_short(&self) -> bool {
        let claimed = self.response.headers().get(CONTENT_LENGTH);
        let claimed = claimed.and_then(|length| length.to_str().ok()?.parse::<usize>().ok());
        let sent = match self.response.body() {
            Body::Whole(bytes) => bytes.len(),
            Body::Pieces { chunks, .. } => chunks.iter().map(|chunk| chunk.bytes.len()).sum(),
        };
        claimed.is_some_and(|claimed| claimed > sent)
    }
}
