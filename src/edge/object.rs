//! A run's own Durable Object: one writer, an ordered log of events, viewers that come and go.
//!
//! The same class also keeps idempotency keys, each in an object of its own: asking and keeping is
//! one step there, so that two creations with one key give one run.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use serde::de::DeserializeOwned;
use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::events::WireEvent;
use crate::kernel::Millis;
use crate::session::{Creation, Problem, Reservation, RunToken, conduct, interrupted_event};

use crate::store::outline;

use super::log::Log;
use super::platform::{Platform, StopSwitch, now_ms};
use super::{KV_BINDING, records, replies, settings, shelf};

/// Where the run's order is kept.
const ORDER_NAME: &str = "order";
/// Where an idempotency key's run is kept.
const RESERVATION_NAME: &str = "reservation";

/// A run that this instance knows of.
#[derive(Clone)]
struct Live {
    log: Rc<Log>,
    stop: Rc<StopSwitch>,
}

/// One run, or one idempotency key.
#[durable_object]
pub struct RunObject {
    state: State,
    env: Env,
    live: RefCell<Option<Live>>,
}

impl DurableObject for RunObject {
    fn new(state: State, env: Env) -> Self {
        Self {
            state,
            env,
            live: RefCell::new(None),
        }
    }

    async fn fetch(&self, mut request: Request) -> Result<Response> {
        let url = request.url()?;
        match url.path() {
            "/create" => self.create(body(&mut request).await?).await,
            "/reserve" => self.reserve(body(&mut request).await?).await,
            "/events" => {
                let after = url.query_pairs().find(|(key, _)| key == "after");
                let after = after.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
                self.events(after)
            }
            "/last" => self.last().await,
            "/stop" => self.stop(),
            "/outline" => self.outline(),
            _ => Response::error("no such call", 404),
        }
    }

    /// The run's time to live is over.
    async fn alarm(&self) -> Result<Response> {
        self.state.storage().delete_all().await?;
        self.live.replace(None);
        Response::empty()
    }
}

impl RunObject {
    /// Begins the run, or finds it begun. Synchronous up to the first `await`: no other request can
    /// see the order without its conductor.
    async fn create(&self, creation: Creation) -> Result<Response> {
        if self.live()?.is_some() {
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
        let storage = self.state.storage();
        let time_to_live_s = settings.time_to_live_s;
        let kv = self.env.kv(KV_BINDING)?;
        shelf::put(&storage.sql(), ORDER_NAME, &creation)?;
        let log = Rc::new(Log::load(&storage.sql(), &creation.run)?);
        let stop = Rc::new(StopSwitch::default());
        self.live.replace(Some(Live {
            log: log.clone(),
            stop: stop.clone(),
        }));
        let platform = Platform {
            sql: storage.sql(),
            kv,
            time_to_live_s,
            log,
            stop,
        };
        self.state.wait_until(async move {
            let conducted = conduct(&platform, &providers, &run, request, time_to_live_s).await;
            if conducted.is_err() && !platform.log.is_ended() {
                worker::console_error!("an event could not be kept; the run has ended");
                let event = interruption(&platform.log, &run.to_string());
                platform.log.end(&platform.sql, &event);
            }
        });
        let kept_ms = time_to_live_s.saturating_mul(1_000);
        let kept_ms = creation.runtime_ms_max.saturating_add(kept_ms);
        storage.set_alarm(Duration::from_millis(kept_ms)).await?;
        Response::ok("created")
    }

    /// The run of an idempotency key: the first one wanted, for all who ask later.
    async fn reserve(&self, wanted: Reservation) -> Result<Response> {
        let storage = self.state.storage();
        if let Some(kept) = shelf::get::<Reservation>(&storage.sql(), RESERVATION_NAME)? {
            return replies::json(&kept);
        }
        shelf::put(&storage.sql(), RESERVATION_NAME, &wanted)?;
        let kept_ms = settings(&self.env).time_to_live_s.saturating_mul(1_000);
        storage.set_alarm(Duration::from_millis(kept_ms)).await?;
        replies::json(&wanted)
    }

    /// The run's record shall not say for ever that it goes on.
    fn record_interruption(&self, run: &str, event: String) {
        let (Ok(kv), Ok(run)) = (self.env.kv(KV_BINDING), RunToken::parse(run)) else {
            return;
        };
        let time_to_live_s = settings(&self.env).time_to_live_s;
        self.state.wait_until(async move {
            let noted = records::note_interruption(&kv, &run, &event, time_to_live_s).await;
            if noted.is_err() {
                worker::console_error!("the record of an interrupted run could not be written");
            }
        });
    }

    /// What is known of a run whose documents are not in KV, yet or any more.
    fn outline(&self) -> Result<Response> {
        let Some(live) = self.live()? else {
            return replies::problem(&unknown_run());
        };
        let last = live.log.jsons().last().cloned();
        let event = last.and_then(|json| serde_json::from_str(&json).ok());
        let event: serde_json::Value = event.unwrap_or_default();
        replies::json(&outline(&event, live.log.is_ended()))
    }

    fn events(&self, after: u32) -> Result<Response> {
        let Some(live) = self.live()? else {
            return replies::problem(&unknown_run());
        };
        if live.log.is_ended() && after >= live.log.len() {
            return Ok(Response::empty()?.with_status(204));
        }
        replies::event_stream(live.log.view(after))
    }

    async fn last(&self) -> Result<Response> {
        let Some(live) = self.live()? else {
            return replies::problem(&unknown_run());
        };
        match live.log.last().await {
            Some(json) => replies::json_text(&json),
            None => replies::problem(&unknown_run()),
        }
    }

    fn stop(&self) -> Result<Response> {
        let Some(live) = self.live()? else {
            return replies::problem(&unknown_run());
        };
        live.stop.turn_on();
        Ok(Response::empty()?.with_status(202))
    }

    /// The run of this object: conducted here, or found in storage after its conductor died. The
    /// latter can't go on, and says so once.
    fn live(&self) -> Result<Option<Live>> {
        if let Some(live) = self.live.borrow().as_ref() {
            return Ok(Some(live.clone()));
        }
        let sql = self.state.storage().sql();
        let Some(creation) = shelf::get::<Creation>(&sql, ORDER_NAME)? else {
            return Ok(None);
        };
        let log = Rc::new(Log::load(&sql, &creation.run)?);
        if !log.is_ended() {
            let event = interruption(&log, &creation.run);
            log.end(&sql, &event);
            self.record_interruption(&creation.run, event.json);
        }
        let live = Live {
            log,
            stop: Rc::new(StopSwitch::default()),
        };
        self.live.replace(Some(live.clone()));
        Ok(Some(live))
    }
}

/// The last event of a run that cannot go on.
fn interruption(log: &Log, run: &str) -> WireEvent {
    let number = log.len().saturating_add(1);
    interrupted_event(run, number, Millis(now_ms()), log.jsons().iter())
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
