//! A run of an automaton with a real browser, from its request to its last event.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use sandbox::Sandbox;
use serde_json::Value;

use automaton::wire::AutomatonEngine;
use cdp::{BrowserClient, DevTools, Sharing};
use domain::{RunToken, Secret};
use engine::run::{RecordLimits, SavedRun, conduct};
use platform::isolate::{Paces, PhotoPool};
use visual_degrees::engines::{EngineName, REGISTRY};
use visual_degrees::run_object::{Beginning, CreationJson};

use crate::local_browsers::LocalDevTools;

use super::clock::now_ms;
use super::effects::{LiveEffects, LiveStore};
use super::stage::Stage;
use super::watched_browser::Watch;

/// The limits for storing a run's record, which no measurement reads.
const RECORD: RecordLimits = RecordLimits {
    time_to_live_s: 3_600,
    kv_writes_max: 10,
};

/// A run that has begun. One process after the other conducts it.
pub(super) struct LiveRun<'stage> {
    stage: &'stage Stage,
    token: RunToken,
    store: Rc<LiveStore>,
    secrets: BTreeMap<String, Secret>,
    watch: Rc<Watch>,
    models: Rc<RefCell<Sandbox>>,
}

/// The result of a run.
#[derive(Debug)]
pub(super) struct LiveOutcome {
    /// The events, in order.
    pub(super) events: Vec<Value>,
    /// The value of the observer's expression before the page was closed; `None` without an observer.
    pub(super) answer: Option<Value>,
    /// The time from the start of the browser to its end in milliseconds, without the time for observing.
    pub(super) took_ms: u64,
}

impl LiveOutcome {
    /// Returns the type of the last event, with its reason if it failed.
    pub(super) fn ending(&self) -> String {
        let text = |pointer: &str| {
            let value = self.events.last().and_then(|last| last.pointer(pointer));
            value.and_then(Value::as_str).map(str::to_owned)
        };
        let kind = text("/type").unwrap_or_else(|| "no end".to_owned());
        match text("/payload/reason") {
            Some(reason) => format!("{kind}: {reason}"),
            None => kind,
        }
    }

    /// Returns the message with which the run ended.
    pub(super) fn message(&self) -> &str {
        let last = self.events.last();
        let message = last.and_then(|last| last.pointer("/payload/message"));
        message.and_then(Value::as_str).unwrap_or_default()
    }

    /// Returns whether the run completed.
    pub(super) fn is_completed(&self) -> bool {
        self.ending() == "completed"
    }

    /// Returns the number of questions that were sent to models.
    pub(super) fn asks(&self) -> u64 {
        let last = self.events.last();
        let asks = last.and_then(|last| last.pointer("/payload/spent/asks"));
        asks.and_then(Value::as_u64).unwrap_or_default()
    }
}

impl<'stage> LiveRun<'stage> {
    /// Begins a run from the body of a request, which is parsed as in the Worker.
    pub(super) fn begin(stage: &'stage Stage, body: &Value, watch: Watch) -> Result<Self, String> {
        let wanted = EngineName::wanted(body.to_string().as_bytes(), &stage.caps);
        let wanted = wanted.ok_or("the body asks for no run")?;
        let wanted = wanted.map_err(|problem| format!("{problem:?}"))?;
        let secrets = wanted.secrets();
        let order = wanted.accept(None, None, (&stage.providers, &stage.caps));
        let order = order.map_err(|problem| format!("{problem:?}"))?;
        let token = RunToken::new(Some("s1"), [7; 24]).map_err(|error| error.to_string())?;
        let creation = CreationJson {
            run: token.to_string(),
            order,
            creator: None,
            fork: None,
            secrets,
            host: None,
            starter: None,
            key: None,
            kept_until_ms: None,
        };
        let creation = serde_json::to_string(&creation).map_err(|error| error.to_string())?;
        let ttl_s = RECORD.time_to_live_s;
        let beginning = Beginning::read(&creation, &stage.providers, now_ms(), ttl_s);
        let beginning = beginning.ok_or("the run cannot begin")?;
        let store = LiveStore::default();
        store.begin(&beginning.entries);
        Ok(Self {
            stage,
            token,
            store: Rc::new(store),
            secrets: beginning.secrets,
            watch: Rc::new(watch),
            models: stage.models.clone(),
        })
    }

    /// Conducts the run in one process until the run ends.
    pub(super) async fn drive(&self) -> Result<LiveOutcome, String> {
        let devtools = LocalDevTools::new(&self.stage.browser(), Sharing::Shared);
        let began_ms = now_ms();
        self.drive_over(devtools, self.secrets.clone()).await?;
        let took_ms = now_ms().saturating_sub(began_ms);
        let watching_ms = self.watch.watching_ms.get();
        Ok(self.outcome(took_ms.saturating_sub(watching_ms)))
    }

    /// Conducts the run in one process, which has these secrets and this connection.
    pub(super) async fn drive_over<D: DevTools>(
        &self,
        devtools: D,
        secrets: BTreeMap<String, Secret>,
    ) -> Result<(), String> {
        let effects = LiveEffects {
            store: self.store.clone(),
            client: BrowserClient::new(devtools, None),
            models: self.models.clone(),
            secrets,
            watch: self.watch.clone(),
            paces: Paces::default(),
            photo_pool: PhotoPool::default(),
        };
        let events = self.store.events();
        let saved = SavedRun {
            entries: self.store.entries(),
            events: events.iter().map(|event| event.json.clone()).collect(),
            has_ended: events.last().is_some_and(|event| event.is_last),
        };
        let (providers, caps) = (&self.stage.providers, &self.stage.caps);
        let conducted = conduct::<_, AutomatonEngine>(
            &effects,
            providers,
            caps,
            REGISTRY,
            &self.token,
            &saved,
            RECORD,
        );
        let conducted = Box::pin(conducted).await;
        conducted.map_err(|error| format!("the run could not be kept: {error:?}"))?;
        Ok(())
    }

    /// Returns the run's journal, the oldest entry first.
    pub(super) fn entries(&self) -> Vec<String> {
        self.store.entries()
    }

    /// Returns the bodies of all requests that were sent to models.
    pub(super) fn questions(&self) -> Vec<Value> {
        self.store.questions()
    }

    /// Returns the result of the run so far.
    pub(super) fn outcome(&self, took_ms: u64) -> LiveOutcome {
        let events = self.store.events();
        let read = |json: &str| serde_json::from_str(json).unwrap_or_default();
        LiveOutcome {
            events: events.iter().map(|event| read(&event.json)).collect(),
            answer: self.watch.answer.borrow().clone(),
            took_ms,
        }
    }
}
