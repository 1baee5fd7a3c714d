//! A run's own Durable Object: one writer, an ordered log of events, viewers that come and go.
//!
//! The same class also keeps idempotency keys, each in an object of its own: asking and keeping is
//! one step there, so that two creations with one key give one run.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use worker::{DurableObject, Env, Request, Response, Result, State, durable_object};

use crate::kernel::Millis;
use crate::session::{Creation, Problem, Reservation, RunToken, conduct, interrupted_event};

use super::log::Log;
use super::platform::{Platform, StopSwitch, now_ms};
use super::{KV_BINDING, replies, settings};

/// Where the run's order is kept.
const ORDER_KEY: &str = "order";
/// Where an idempotency key's run is kept.
const RESERVATION_KEY: &str = "reservation";

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
            "/create" => self.create(request.json().await?).await,
            "/reserve" => self.reserve(request.json().await?).await,
            "/events" => {
                let after = url.query_pairs().find(|(key, _)| key == "after");
                let after = after.and_then(|(_, value)| value.parse().ok()).unwrap_or(0);
                self.events(after).await
            }
            "/last" => self.last().await,
            "/stop" => self.stop().await,
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
    async fn create(&self, creation: Creation) -> Result<Response> {
        if self.live().await?.is_some() {
            return Response::ok("created before");
        }
        let settings = settings(&self.env);
        let storage = self.state.storage();
        let (Ok(providers), Ok(run), Ok(request)) = (
            settings.providers,
            RunToken::parse(&creation.run),
            creation.order.request(),
        ) else {
            return Response::error("unusable order", 400);
        };
        storage.put(ORDER_KEY, &creation).await?;
        let kept_ms = creation
            .runtime_ms_max
            .saturating_add(settings.time_to_live_s * 1_000);
        storage.set_alarm(Duration::from_millis(kept_ms)).await?;
        // Two creations may have come this far; the first one conducts.
        if self.live.borrow().is_some() {
            return Response::ok("created before");
        }
        let log = Rc::new(Log::load(&storage.sql(), &creation.run)?);
        let stop = Rc::new(StopSwitch::default());
        let live = Live {
            log: log.clone(),
            stop: stop.clone(),
        };
        self.live.replace(Some(live));
        let time_to_live_s = settings.time_to_live_s;
        let platform = Platform {
            sql: storage.sql(),
            kv: self.env.kv(KV_BINDING)?,
            time_to_live_s,
            log,
            stop,
        };
        self.state.wait_until(async move {
            if conduct(&platform, &providers, &run, request, time_to_live_s)
                .await
                .is_err()
            {
                worker::console_error!("an event could not be kept; the run has ended");
            }
        });
        Response::ok("created")
    }

    async fn reserve(&self, wanted: Reservation) -> Result<Response> {
        let storage = self.state.storage();
        // Storage calls close the input gate: nothing comes between asking and keeping.
        if let Some(kept) = storage.get::<Reservation>(RESERVATION_KEY).await? {
            return Response::from_json(&kept);
        }
        storage.put(RESERVATION_KEY, &wanted).await?;
        let kept_ms = settings(&self.env).time_to_live_s.saturating_mul(1_000);
        storage.set_alarm(Duration::from_millis(kept_ms)).await?;
        Response::from_json(&wanted)
    }

    async fn events(&self, after: u32) -> Result<Response> {
        let Some(live) = self.live().await? else {
            return replies::problem(&unknown_run());
        };
        if live.log.is_ended() && after >= live.log.len() {
            return Ok(Response::empty()?.with_status(204));
        }
        replies::event_stream(live.log.view(after))
    }

    async fn last(&self) -> Result<Response> {
        let Some(live) = self.live().await? else {
            return replies::problem(&unknown_run());
        };
        match live.log.last().await {
            Some(json) => replies::json_text(&json),
            None => replies::problem(&unknown_run()),
        }
    }

    async fn stop(&self) -> Result<Response> {
        let Some(live) = self.live().await? else {
            return replies::problem(&unknown_run());
        };
        live.stop.turn_on();
        Ok(Response::empty()?.with_status(202))
    }

    /// The run of this object: conducted here, or found in storage after its conductor died. The
    /// latter can't go on, and says so once.
    async fn live(&self) -> Result<Option<Live>> {
        if let Some(live) = self.live.borrow().as_ref() {
            return Ok(Some(live.clone()));
        }
        let storage = self.state.storage();
        let Some(creation) = storage.get::<Creation>(ORDER_KEY).await? else {
            return Ok(None);
        };
        // Somebody else may have loaded it while storage was asked.
        if let Some(live) = self.live.borrow().as_ref() {
            return Ok(Some(live.clone()));
        }
        let sql = storage.sql();
        let log = Rc::new(Log::load(&sql, &creation.run)?);
        if !log.is_ended() {
            let number = log.len().saturating_add(1);
            let now = Millis(now_ms());
            let event = interrupted_event(&creation.run, number, now, log.jsons().iter());
            log.publish(&sql, &event)?;
        }
        let live = Live {
            log,
            stop: Rc::new(StopSwitch::default()),
        };
        self.live.replace(Some(live.clone()));
        Ok(Some(live))
    }
}

fn unknown_run() -> Problem {
    Problem::new(
        404,
        "There is no such run, or it has expired. Start it again at / or with POST /runs.",
    )
}
