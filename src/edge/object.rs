//! A run's own Durable Object: one writer, an ordered log of events, viewers that come and go.
//!
//! The same class also keeps idempotency keys, each in an object of its own: asking and keeping is
//! one step there, so that two creations with one key give one run.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

use futures::StreamExt as _;
use serde::de::DeserializeOwned;
use serde_json::json;
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::journal::{Entry, Opened, answers_to_keep};
use crate::sealed::seal;
use crate::session::{Creation, Log, Problem, Reservation, RunToken, StopSwitch, opening};
use crate::store::outline;

use super::platform::{now_ms, sleep};
use super::{diary, events, replies, settings, shelf};

/// An alarm within this time need not be set anew.
const SOON_MS: u64 = 60_000;
/// Where the user's wish to end the run is kept.
const STOP_NAME: &str = "stop";
/// Where an idempotency key's run is kept.
const RESERVATION_NAME: &str = "reservation";

/// A run that this instance knows of.
#[derive(Clone)]
pub(super) struct Live {
    pub(super) log: Rc<Log>,
    pub(super) stop: Rc<StopSwitch>,
    pub(super) opened: Rc<Opened>,
}

/// One run, or one idempotency key.
#[durable_object]
pub struct RunObject {
    pub(super) state: State,
    pub(super) env: Env,
    pub(super) live: RefCell<Option<Live>>,
    /// Which of this instance's conductors is the one: the last.
    pub(super) conductors: Rc<Cell<u32>>,
    /// Whether one of them is at work.
    pub(super) is_conducted: Cell<bool>,
}

impl DurableObject for RunObject {
    fn new(state: State, env: Env) -> Self {
        Self {
            state,
            env,
            live: RefCell::new(None),
            conductors: Rc::default(),
            is_conducted: Cell::new(false),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        let url = request.url()?;
        if url.path() == "/create" {
            return self.create(body(&mut request).await?).await;
        }
        if url.path() == "/reserve" {
            return self.reserve(body(&mut request).await?).await;
        }
        let Some(live) = self.touch().await? else {
            return replies::problem(&unknown_run());
        };
        match url.path() {
            "/events" => {
                let after = url.query_pairs().find(|(key, _)| key == "after");
                let after = after.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
                view(&live, after)
            }
            "/last" => last(&live).await,
            "/stop" => self.stop(&live),
            "/outline" => outlined(&live),
            "/sealed" => self.sealed(&live),
            "/answers" => self.answers(&live),
            _ => Response::error("no such call", 404),
        }
    }

    /// Conducts the run, with no viewer needed; and deletes it when its time to live is over.
    async fn alarm(&self) -> Result<Response> {
        if let Some(live) = self.live()? {
            self.conduct(live).await?;
        } else {
            self.state.storage().delete_all().await?;
            self.live.replace(None);
        }
        Response::empty()
    }
}

impl RunObject {
    /// Begins the run, or finds it begun.
    async fn create(&self, creation: Creation) -> Result<Response> {
        if self.touch().await?.is_some() {
            return Response::ok("created before");
        }
        let settings = settings(&self.env);
        let (Ok(providers), Ok(run), Ok(request)) = (
            settings.providers,
            RunToken::parse(&creation.run),
            creation.order.request(),
        ) else {
            return Response::error("unusable order", 400);
        };
        let mut opened = opening(&providers, &run, request, now_ms(), settings.time_to_live_s);
        opened.forked_from = creation.fork.as_ref().map(|fork| fork.run.clone());
        let kept = creation.fork.into_iter().flat_map(|fork| fork.answers);
        let entries = std::iter::once(Entry::Opened(opened)).chain(kept.map(Entry::Kept));
        let storage = self.state.storage();
        diary::begin(&storage.sql(), entries)?;
        // The run is there; the alarm conducts it at once.
        self.touch().await?;
        Response::ok("created")
    }

    /// The run of an idempotency key: the first one wanted, for all who ask later.
    async fn reserve(&self, wanted: Reservation) -> Result<Response> {
        let storage = self.state.storage();
        let known = shelf::get::<Reservation>(&storage.sql(), RESERVATION_NAME)?;
        let kept = known.as_ref().unwrap_or(&wanted);
        if known.is_none() {
            shelf::put(&storage.sql(), RESERVATION_NAME, kept)?;
        }
        // Also where an earlier request could not set it: the key shall not stay for ever.
        if storage.get_alarm().await?.is_none() {
            let kept_ms = settings(&self.env).time_to_live_s.saturating_mul(1_000);
            storage.set_alarm(Duration::from_millis(kept_ms)).await?;
        }
        replies::json(kept)
    }

    /// Kept before it is promised: it holds for a conductor that takes the run up later, too.
    fn stop(&self, live: &Live) -> Result<Response> {
        shelf::put(&self.state.storage().sql(), STOP_NAME, &true)?;
        live.stop.turn_on();
        Ok(Response::empty()?.with_status(202))
    }

    /// The run as one file, once it has ended.
    fn sealed(&self, live: &Live) -> Result<Response> {
        if !live.log.is_ended() {
            let detail = "The run still goes on; its sealed file is there after its last event.";
            return replies::problem(&Problem::new(409, detail));
        }
        let entries = diary::entries(&self.state.storage().sql())?;
        let key = settings(&self.env).seal_key;
        match seal(&entries, &live.log.jsons(), key.as_ref()) {
            Ok(file) => replies::download(&file, &format!("{}.sealed.json", live.opened.run)),
            Err(error) => {
                worker::console_error!("a run could not be sealed: {error}");
                replies::problem(&Problem::new(500, "The run could not be sealed."))
            }
        }
    }

    /// The question and the answers, for a fork.
    fn answers(&self, live: &Live) -> Result<Response> {
        let entries = diary::entries(&self.state.storage().sql())?;
        // What cannot be read is no answer; the others are.
        let entries = entries
            .iter()
            .filter_map(|json| Entry::from_json(json).ok());
        let answers = answers_to_keep(entries.collect());
        replies::json(&json!({"order": live.opened.order, "answers": answers}))
    }

    /// The run of this object. Where its conductor has died with an earlier instance, the alarm
    /// takes it up.
    async fn touch(&self) -> Result<Option<Live>> {
        let storage = self.state.storage();
        let Some(live) = self.live()? else {
            // Its time is over, and the alarm for its deletion may have been lost.
            if !diary::entries(&storage.sql())?.is_empty() {
                storage.delete_all().await?;
                self.live.replace(None);
            }
            return Ok(None);
        };
        if !self.is_conducted.get() {
            // An ended run may still have documents to write; an alarm for its deletion stays, and
            // so does one that will soon take the run up.
            let soon_ms = if live.log.is_ended() {
                u64::MAX
            } else {
                SOON_MS
            };
            let alarm_ms = storage
                .get_alarm()
                .await?
                .and_then(|at| u64::try_from(at).ok());
            let now_ms = now_ms();
            let is_set = alarm_ms.is_some_and(|at| at > now_ms && at - now_ms <= soon_ms);
            if !is_set {
                storage.set_alarm(Duration::ZERO).await?;
            }
        }
        Ok(Some(live))
    }

    /// The run of this object, if there is one and its time to live is not over.
    fn live(&self) -> Result<Option<Live>> {
        if let Some(live) = self.live.borrow().as_ref() {
            let is_over = live.opened.expires_ms <= now_ms();
            return Ok((!is_over).then(|| live.clone()));
        }
        let sql = self.state.storage().sql();
        let entries = diary::entries(&sql)?;
        let first = entries.first().map(|json| Entry::from_json(json));
        let Some(Ok(Entry::Opened(opened))) = first else {
            return Ok(None);
        };
        if opened.expires_ms <= now_ms() {
            return Ok(None);
        }
        let stop = StopSwitch::default();
        if shelf::get::<bool>(&sql, STOP_NAME)? == Some(true) {
            stop.turn_on();
        }
        let live = Live {
            log: Rc::new(events::load(&sql, &opened.run)?),
            stop: Rc::new(stop),
            opened: Rc::new(opened),
        };
        self.live.replace(Some(live.clone()));
        Ok(Some(live))
    }
}

fn view(live: &Live, after: u32) -> Result<Response> {
    if live.log.is_ended() && after >= live.log.len() {
        return Ok(Response::empty()?.with_status(204));
    }
    replies::event_stream(live.log.clone().view(after, sleep).map(Ok))
}

/// The last event, once it is there.
async fn last(live: &Live) -> Result<Response> {
    if let Some(json) = live.log.last().await {
        return replies::json_text(&json);
    }
    let detail = "The run's events can't be kept at the moment; ask for it again.";
    replies::problem(&Problem::new(503, detail))
}

/// What is known of a run whose documents are not in KV, yet or any more.
fn outlined(live: &Live) -> Result<Response> {
    let last = live.log.jsons().last().cloned();
    let event = last.and_then(|json| serde_json::from_str(&json).ok());
    let event: serde_json::Value = event.unwrap_or_default();
    replies::json(&outline(&event, live.log.is_ended()))
}

/// What the Worker sent, as JSON.
async fn body<T: DeserializeOwned>(request: &mut Request) -> Result<T> {
    Ok(serde_json::from_str(&request.text().await?)?)
}

fn unknown_run() -> Problem {
    Problem::new(
        404,
        "There is no such run, or it has expired. Start it again at / or with POST /runs.",
    )
}
