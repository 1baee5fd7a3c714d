//! The conductor against the whole sandbox in memory, in virtual time: real requests, real bytes,
//! no socket and no waiting. Processes may die; what they kept stays.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use futures::Stream;
use futures::future::join;

use crate::events::WireEvent;
use crate::investigation::Request;
use crate::journal::{Entry, Order};
use crate::sandbox::{Options, Sandbox, World};
use crate::session::{
    ConductOutcome, Fork, Providers, RunToken, SavedRun, Settings, StopSwitch, conduct, opening,
};

use super::bulletin::Bulletin;
use super::clock::Clock;
use super::trouble::{Fortune, Operation, Trouble};

/// When virtual time begins: 2026-11-21T10:00:00Z.
pub const START_MS: u64 = 1_795_255_200_000;
/// How long it takes until another process takes a run up.
const DOWN_MS: u64 = 7_000;
/// A run that outlives so many processes is stuck.
const LIVES_MAX: u32 = 20;

/// A document as it was put: when, under which key, what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Put {
    /// In milliseconds since 1970.
    pub at_ms: u64,
    /// The key.
    pub key: String,
    /// The stored text.
    pub document: String,
}

/// What a run left behind.
#[derive(Debug)]
pub struct Conducted {
    /// Its events as they are kept, in order.
    pub events: Vec<WireEvent>,
    /// Its events as a viewer was shown them who was always there, in order.
    pub seen: Vec<WireEvent>,
    /// Its journal.
    pub journal: Vec<String>,
    /// Its puts, in order.
    pub puts: Vec<Put>,
    /// The calls of the sandbox, in order, as `(provider, key, status)`.
    pub calls: Vec<(String, String, u16)>,
    /// How long it took, in virtual milliseconds.
    pub took_ms: u64,
    /// How many processes it took.
    pub lives: u32,
    /// How the last process ended.
    pub end: ProcessEnd,
    /// Its operations over all processes, in order, those that failed included.
    pub operations: Vec<Operation>,
}

/// How a process ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessEnd {
    /// The run is at its end.
    Done,
    /// The run is at its end; its last documents could not be written.
    Unwritten,
    /// The run could not go on; its last event.
    Interrupted(String),
    /// Journal or events could not be kept.
    Unkept,
    /// It died.
    Died,
}

/// Everything outside a run, in memory.
pub struct Town {
    pub(super) sandbox: RefCell<Sandbox>,
    pub(super) clock: Clock,
    pub(super) fortune: Fortune,
    pub(super) stop: StopSwitch,
    stop_after_events: Option<usize>,
    pub(super) journal: RefCell<BTreeMap<u32, String>>,
    pub(super) bulletin: Bulletin,
    pub(super) puts: RefCell<Vec<Put>>,
    lives: Cell<u32>,
    end: RefCell<ProcessEnd>,
    providers: Providers,
    run: RunToken,
    time_to_live_s: u64,
}

/// The settings that lead to the sandbox, and to nothing else.
#[must_use]
pub fn sandbox_settings(options: &Options, more: &[(&str, &str)]) -> Settings {
    let keys = &options.credentials;
    let mut settings: BTreeMap<&str, &str> = BTreeMap::from([
        ("GOOGLE_API_KEY", keys.google_key.as_str()),
        ("GOOGLE_CX", keys.google_cx.as_str()),
        ("GOOGLE_BASE", options.origin.as_str()),
        ("AWS_ACCESS_KEY_ID", keys.aws_access_key_id.as_str()),
        ("AWS_SECRET_ACCESS_KEY", keys.aws_secret_access_key.as_str()),
        ("AWS_REGION", keys.aws_region.as_str()),
        ("REKOGNITION_ENDPOINT", options.origin.as_str()),
        ("GEMINI_API_KEY", keys.gemini_key.as_str()),
        ("GEMINI_BASE", options.origin.as_str()),
        ("GEMINI_MODEL", keys.gemini_model()),
        ("IMAGE_ORIGIN_ALLOWED", options.origin.as_str()),
        ("PUBLIC", "1"),
    ]);
    settings.extend(more.iter().copied());
    Settings::read(|name| settings.get(name).map(|value| (*value).to_owned()))
}

/// Conducts a run from its first event to its last write, in a sandbox of its own.
///
/// Fails where the settings are incomplete, or where the run waits for something that never comes.
pub fn conduct_in_memory(
    world: World,
    options: Options,
    settings: &[(&str, &str)],
    request: Request,
    troubles: Vec<Trouble>,
) -> Result<Conducted, String> {
    let sandbox = Sandbox::new(world, options);
    let mut town = Town::new(sandbox, settings)?.with_troubles(troubles);
    town.open(request, None)?;
    town.conduct_to_end()?;
    Ok(town.conducted())
}

impl Town {
    /// A town with one sandbox and no run yet.
    ///
    /// Fails where the settings are incomplete.
    pub fn new(sandbox: Sandbox, settings: &[(&str, &str)]) -> Result<Self, String> {
        let settings = sandbox_settings(sandbox.options(), settings);
        let providers = settings.providers.map_err(|missing| missing.join(", "))?;
        let run = RunToken::new(Some("s1"), [7; 24]).map_err(|error| error.to_string())?;
        Ok(Self {
            sandbox: RefCell::new(sandbox),
            clock: Clock::new(START_MS),
            fortune: Fortune::default(),
            stop: StopSwitch::default(),
            stop_after_events: None,
            journal: RefCell::default(),
            bulletin: Bulletin::default(),
            puts: RefCell::default(),
            lives: Cell::new(0),
            end: RefCell::new(ProcessEnd::Died),
            providers,
            run,
            time_to_live_s: settings.time_to_live_s,
        })
    }

    /// What goes wrong.
    #[must_use]
    pub fn with_troubles(mut self, troubles: Vec<Trouble>) -> Self {
        self.fortune = Fortune::new(troubles);
        self
    }

    /// The user stops the run when so many events are out.
    #[must_use]
    pub fn stopped_after(mut self, events: usize) -> Self {
        self.stop_after_events = Some(events);
        self
    }

    /// The user stops the run; once and for all its processes.
    pub fn stop(&self) {
        self.stop.turn_on();
    }

    pub(super) fn stop_when_due(&self) {
        let events = self.stop_after_events;
        if events.is_some_and(|events| self.bulletin.kept().len() >= events) {
            self.stop();
        }
    }

    /// From now on nothing goes wrong.
    pub fn heal(&self) {
        self.fortune.lift();
    }

    /// Begins a run, as its object does when it is created.
    #[allow(clippy::needless_pass_by_value)] // A run takes its request over.
    pub fn open(&mut self, request: Request, fork: Option<Fork>) -> Result<(), String> {
        let (providers, now_ms) = (&self.providers, self.clock.now_ms());
        let order = Order::new(&request);
        let mut opened = opening(providers, &self.run, order, now_ms, self.time_to_live_s);
        opened.forked_from = fork.as_ref().map(|fork| fork.run.clone());
        let kept = fork.into_iter().flat_map(|fork| fork.answers);
        let entries = std::iter::once(Entry::Opened(opened)).chain(kept.map(Entry::Inherited));
        let entries = (1u32..).zip(entries.map(|entry| entry.to_json()));
        self.journal.borrow_mut().extend(entries);
        Ok(())
    }

    /// One process: it conducts until the run is done, it cannot go on, or it dies.
    ///
    /// Fails where it waits for something that never comes.
    pub fn live(&self) -> Result<ProcessEnd, String> {
        self.clock.run(self.process())
    }

    /// One process after the other until one does not die.
    pub fn conduct_to_end(&self) -> Result<ProcessEnd, String> {
        self.clock.run(self.processes())?
    }

    /// The same before an audience: viewers and stoppers on the same clock, to the last of them.
    pub fn conduct_before<A: Future>(
        &self,
        audience: A,
    ) -> Result<(ProcessEnd, A::Output), String> {
        let (end, audience) = self.clock.run(join(self.processes(), audience))?;
        Ok((end?, audience))
    }

    /// The bytes for one viewer who has seen the events up to `after`, until the connection breaks
    /// with its process; none where the run has ended and nothing comes after that event.
    pub fn view(&self, after: u32) -> Option<impl Stream<Item = Vec<u8>>> {
        self.bulletin.view(after, |ms| self.clock.sleep(ms))
    }

    async fn processes(&self) -> Result<ProcessEnd, String> {
        for _ in 0..LIVES_MAX {
            match self.process().await {
                ProcessEnd::Died => self.clock.sleep(DOWN_MS).await,
                outcome => return Ok(outcome),
            }
        }
        Err("process after process dies".to_owned())
    }

    async fn process(&self) -> ProcessEnd {
        self.lives.set(self.lives.get() + 1);
        self.stop_when_due();
        let past = self.past();
        let ttl_s = self.time_to_live_s;
        let life = Box::pin(conduct(self, &self.providers, &self.run, &past, ttl_s));
        let end = match self.fortune.of_life(life).await {
            None => ProcessEnd::Died,
            Some(Ok(ConductOutcome::Done)) => ProcessEnd::Done,
            Some(Ok(ConductOutcome::Unwritten)) => ProcessEnd::Unwritten,
            Some(Ok(ConductOutcome::Interrupted(event))) => ProcessEnd::Interrupted(event),
            Some(Err(_)) => ProcessEnd::Unkept,
        };
        match end {
            ProcessEnd::Died => self.bulletin.cut(),
            ProcessEnd::Unkept => self.bulletin.break_off(),
            ProcessEnd::Done | ProcessEnd::Unwritten | ProcessEnd::Interrupted(_) => {}
        }
        self.end.replace(end.clone());
        end
    }

    /// What the run's object would hand to a new process.
    fn past(&self) -> SavedRun {
        let events = self.bulletin.kept();
        SavedRun {
            entries: self.journal.borrow().values().cloned().collect(),
            events: events.iter().map(|event| event.json.clone()).collect(),
            has_ended: events.last().is_some_and(|event| event.is_last),
        }
    }

    /// What the run left behind so far.
    #[must_use]
    pub fn conducted(&self) -> Conducted {
        let sandbox = self.sandbox.borrow();
        let calls = sandbox.calls().map(|call| {
            let provider = call.provider.name().to_owned();
            (provider, call.key.clone(), call.status)
        });
        Conducted {
            calls: calls.collect(),
            took_ms: self.clock.now_ms() - START_MS,
            events: self.bulletin.kept(),
            seen: self.bulletin.seen(),
            journal: self.journal.borrow().values().cloned().collect(),
            puts: self.puts.borrow().clone(),
            lives: self.lives.get(),
            end: self.end.borrow().clone(),
            operations: self.fortune.operations(),
        }
    }
}
