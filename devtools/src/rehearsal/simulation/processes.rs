//! Conducts runs against the whole sandbox in memory and in virtual time: with real requests and real bytes, but
//! without sockets or waiting. A process may die, but what it has stored remains.

use std::cell::{Cell, RefCell};
use std::pin::Pin;
use std::rc::Rc;

use futures::Stream;
use futures::future::{join, join_all};
use sandbox::{Sandbox, SandboxOptions, World};

use domain::{RunToken, Sha256Digest};
use engine::Requests;
use engine::journal::Entry;
use engine::run::{ConductOutcome, RecordLimits, SavedRun};
use investigation::machine::Request;
use investigation::wire::{InvestigationEngine, Order};
use platform::WireRequest;
use platform::events::WireEvent;
use platform::isolate::PhotoPool;
use settings::{Caps, Providers};
use visual_degrees::engines::EngineName;
use visual_degrees::run_object::{Beginning, ForkOf, opening};

use super::children::ChildTerms;
use super::crash_points::RESTART_MS;
use super::fault_injector::InjectedFault;
use super::in_memory_effects::{InMemoryEffects, START_MS};
use super::outcome::{ProcessEnd, SimulatedRun};
use super::page_world::PageWorld;
use super::settings::sandbox_settings;
use super::tool_servers::ToolServers;

/// The number of processes after which a run counts as stuck.
const PROCESSES_MAX: u32 = 20;

/// A run and everything outside it, in memory.
pub struct Simulation {
    pub(super) effects: InMemoryEffects,
    processes: Cell<u32>,
    end: RefCell<ProcessEnd>,
    providers: Providers,
    run: RunToken,
    record: RecordLimits,
    caps: Caps,
    host: Option<String>,
}

/// Conducts a run from its first event to its last write, in its own sandbox.
///
/// Fails if the settings are incomplete, or if the run waits for something that never happens.
pub fn conduct_in_memory(
    world: World,
    options: SandboxOptions,
    settings: &[(&str, &str)],
    request: &Request,
    faults: Vec<InjectedFault>,
) -> Result<SimulatedRun, String> {
    let sandbox = Sandbox::new(world, options);
    let mut simulation = Simulation::new(sandbox, settings)?.with_faults(faults);
    simulation.open(request, None)?;
    simulation.conduct_to_end()?;
    Ok(simulation.conducted())
}

impl Simulation {
    /// Makes the environment of a run, which [`open`](Self::open) begins. Fails if the settings are incomplete.
    pub fn new(sandbox: Sandbox, settings: &[(&str, &str)]) -> Result<Self, String> {
        let settings = sandbox_settings(sandbox.options(), settings);
        let providers = settings.providers.map_err(|missing| missing.join(", "))?;
        let run = RunToken::new(Some("s1"), [7; 24]).map_err(|error| error.to_string())?;
        Ok(Self {
            effects: InMemoryEffects::new(sandbox),
            processes: Cell::new(0),
            end: RefCell::new(ProcessEnd::Died),
            providers,
            run,
            record: RecordLimits {
                time_to_live_s: settings.time_to_live_s,
                kv_writes_max: settings.kv_writes_max,
            },
            caps: settings.caps,
            host: None,
        })
    }

    /// Adds faults to inject.
    #[must_use]
    pub fn with_faults(mut self, faults: Vec<InjectedFault>) -> Self {
        self.effects.inject(faults);
        self
    }

    /// Sets the memory limit for photos, shared by all runs made [`beside`](Self::beside) this one.
    #[must_use]
    pub fn with_photo_pool(mut self, pool: PhotoPool) -> Self {
        self.effects.set_photo_pool(pool);
        self
    }

    /// Adds MCP servers besides the sandbox's.
    #[must_use]
    pub fn with_tool_servers(mut self, servers: Rc<dyn ToolServers>) -> Self {
        self.effects.set_tool_servers(servers);
        self
    }

    /// Sets the pages that browsers see.
    #[must_use]
    pub fn with_page_world(mut self, world: PageWorld) -> Self {
        self.effects.set_page_world(world);
        self
    }

    /// Returns the browsers' actions on all pages in order, each with the page's address. The texts include the values
    /// of secrets, because pages get these.
    #[must_use]
    pub fn deeds(&self) -> Vec<String> {
        self.effects.pages().deeds()
    }

    /// Stores a document of the operator under its key.
    pub fn store_document(&self, key: &str, json: &str) {
        let mut stored = self.effects.stored.borrow_mut();
        stored.insert(key.to_owned(), json.to_owned());
    }

    /// Returns how often an open page lost its last connection.
    #[must_use]
    pub fn pages_left_alone(&self) -> u32 {
        self.effects.pages().left_alone()
    }

    /// Returns the number of pages open in browsers.
    #[must_use]
    pub fn open_pages(&self) -> usize {
        self.effects.pages().count()
    }

    /// Ends every browser, as in a crash.
    pub fn end_browsers(&self) {
        self.effects.pages().close_all();
    }

    /// Returns the run's artifact with this digest, if stored.
    #[must_use]
    pub fn artifact(&self, digest: &str) -> Option<Vec<u8>> {
        let digest = Sha256Digest::parse(digest)?;
        self.effects.artifacts.borrow().get(&digest).cloned()
    }

    /// Sets the host name at which the run is requested.
    #[must_use]
    pub fn at_host(mut self, host: &str) -> Self {
        self.host = Some(host.to_owned());
        self
    }

    /// Makes the user stop the run after this many events.
    #[must_use]
    pub fn stopped_after(mut self, events: usize) -> Self {
        self.effects.stop_after(events);
        self
    }

    /// Makes another run of the same process, which has not begun. It shares the sandbox, the clock and the rate
    /// limits. Its number must be unique.
    ///
    /// Fails if the number is not valid in a token.
    pub fn beside(&self, number: u8) -> Result<Self, String> {
        let run = RunToken::new(Some("s1"), [number; 24]).map_err(|error| error.to_string())?;
        let outside = InMemoryEffects::beside(&self.effects);
        Ok(Self {
            run,
            ..self.with_outside(outside, 0)
        })
    }

    /// Returns a copy of this run with another environment, as if this many processes had already conducted it.
    pub(super) fn with_outside(&self, effects: InMemoryEffects, processes: u32) -> Self {
        Self {
            effects,
            processes: Cell::new(processes),
            end: RefCell::new(ProcessEnd::Died),
            providers: self.providers.clone(),
            run: self.run.clone(),
            host: self.host.clone(),
            caps: self.caps.clone(),
            record: self.record,
        }
    }

    /// Conducts runs of one process concurrently, each to its end.
    ///
    /// Fails if a run waits for something that never happens.
    pub fn conduct_together(runs: &[Self]) -> Result<(), String> {
        let Some(first) = runs.first() else {
            return Ok(());
        };
        let all = join_all(runs.iter().map(Self::processes));
        let ends = first.effects.clock().run(all)?;
        ends.into_iter().collect::<Result<Vec<_>, _>>().map(|_| ())
    }

    /// Stops the run as a user does. It stays stopped in later processes.
    pub fn stop(&self) {
        self.effects.stop();
    }

    /// Removes all injected faults, for this and all later processes.
    pub fn clear_faults(&self) {
        self.effects.faults().clear();
    }

    /// Begins a run as the creation of its object does.
    pub fn open(
        &mut self,
        request: &Request,
        fork: Option<ForkOf<InvestigationEngine>>,
    ) -> Result<(), String> {
        self.open_order::<InvestigationEngine>(Order::new(request), fork);
        Ok(())
    }

    /// Returns the operator's providers and caps.
    #[must_use]
    pub fn operator(&self) -> (&Providers, &Caps) {
        (&self.providers, &self.caps)
    }

    /// Returns the number of child runs.
    #[must_use]
    pub fn children(&self) -> usize {
        self.effects.children.len()
    }

    /// Returns the number of child runs that were asked to stop.
    #[must_use]
    pub fn stopped_children(&self) -> usize {
        self.effects.children.count(InMemoryEffects::is_stopped)
    }

    /// Returns the sandbox's response to a request that belongs to no run.
    #[must_use]
    pub fn ask_sandbox(&self, request: WireRequest) -> http::Response<Vec<u8>> {
        self.effects.ask_sandbox(request)
    }

    /// Begins a run of any engine with these first entries, as its object does.
    pub fn begin(&self, beginning: &Beginning) {
        self.allow_children();
        self.effects.secrets.replace(beginning.secrets.clone());
        for (number, entry) in (1u32..).zip(&beginning.entries) {
            self.effects.append_entry(number, entry.clone());
        }
    }

    /// Allows the run to begin child runs.
    fn allow_children(&self) {
        self.effects.children.allow(ChildTerms {
            providers: self.providers.clone(),
            caps: self.caps.clone(),
            record: self.record,
        });
    }

    /// Begins a run of any engine.
    pub fn open_order<E: Requests>(&mut self, order: E::Order, fork: Option<ForkOf<E>>) {
        let (providers, now_ms) = (&self.providers, self.effects.clock().now_ms());
        self.allow_children();
        let mut opened = opening::<E>(
            providers,
            &self.run,
            order,
            now_ms,
            self.record.time_to_live_s,
        );
        opened.forked_from = fork.as_ref().map(|fork| fork.run.clone());
        opened.host.clone_from(&self.host);
        let kept = fork.into_iter().flat_map(|fork| fork.answers);
        let entries = std::iter::once(Entry::Opened(opened)).chain(kept.map(Entry::Inherited));
        let entries = (1u32..).zip(entries);
        for (number, entry) in entries {
            self.effects.append_entry(number, entry.to_json());
        }
    }

    /// Takes over a run that another program has begun: its whole journal, and the events sent to its viewers.
    pub fn take_over(&self, entries: &[String], events: &[WireEvent]) {
        for (number, entry) in (1u32..).zip(entries) {
            self.effects.append_entry(number, entry.clone());
        }
        self.effects.events().load(events);
    }

    /// Runs one process. It conducts until the run is done or fails, or until the process dies.
    ///
    /// Fails if the process waits for something that never happens.
    pub fn run_process(&self) -> Result<ProcessEnd, String> {
        self.effects.clock().run(self.process())
    }

    /// Runs one process after the other until a process ends without dying.
    pub fn conduct_to_end(&self) -> Result<ProcessEnd, String> {
        self.effects.clock().run(self.processes())?
    }

    /// Runs one process after the other, and at the same time an audience (viewers, or a user who stops the run) on the
    /// same clock, until both are done.
    pub fn conduct_with_audience<A: Future>(
        &self,
        audience: A,
    ) -> Result<(ProcessEnd, A::Output), String> {
        let both = join(self.processes(), audience);
        let (end, audience) = self.effects.clock().run(both)?;
        Ok((end?, audience))
    }

    /// Returns the bytes for a viewer who has seen the events up to `after`, until the connection breaks with its
    /// process. Returns `None` if the run has ended and no event follows.
    pub fn view(&self, after: u32) -> Option<impl Stream<Item = Vec<u8>>> {
        let clock = self.effects.clock();
        self.effects.events().view(after, |ms| clock.sleep(ms))
    }

    /// Waits in virtual time, for an audience.
    pub async fn sleep(&self, ms: u64) {
        self.effects.clock().sleep(ms).await;
    }

    async fn processes(&self) -> Result<ProcessEnd, String> {
        for _ in 0..PROCESSES_MAX {
            match self.process().await {
                ProcessEnd::Died => self.effects.clock().sleep(RESTART_MS).await,
                outcome => return Ok(outcome),
            }
        }
        Err("process after process dies".to_owned())
    }

    async fn process(&self) -> ProcessEnd {
        self.processes.set(self.processes.get() + 1);
        self.effects.stop_when_due();
        let past = self.past();
        let first = past.entries.first();
        // If the first entry is unreadable, the failure is reported in the form of an investigation's events.
        let engine = first.and_then(|json| EngineName::of_first_entry(json));
        let engine = engine.unwrap_or(EngineName::Investigation);
        let (effects, run, record) = (&self.effects, &self.run, self.record);
        let (providers, caps) = (&self.providers, &self.caps);
        let process = engine.conduct(effects, (providers, caps), run, &past, record);
        let process: Pin<Box<dyn Future<Output = _> + '_>> = Box::pin(process);
        let end = match self.effects.faults().run_process(process).await {
            None => ProcessEnd::Died,
            Some(Ok(ConductOutcome::Done)) => ProcessEnd::Done,
            Some(Ok(ConductOutcome::Unwritten)) => ProcessEnd::Unwritten,
            Some(Ok(ConductOutcome::Interrupted(event))) => ProcessEnd::Interrupted(event),
            Some(Err(_)) => ProcessEnd::Unkept,
        };
        match end {
            ProcessEnd::Died => {
                self.effects.events().cut();
                self.effects.secrets.borrow_mut().clear();
            }
            ProcessEnd::Unkept => self.effects.events().break_off(),
            ProcessEnd::Done | ProcessEnd::Unwritten | ProcessEnd::Interrupted(_) => {}
        }
        self.end.replace(end.clone());
        end
    }

    /// Returns the stored entries and events that the run's object passes to a new process.
    fn past(&self) -> SavedRun {
        let events = self.effects.events().kept();
        SavedRun {
            entries: self.effects.entries(),
            events: events.iter().map(|event| event.json.clone()).collect(),
            has_ended: events.last().is_some_and(|event| event.is_last),
        }
    }

    /// Returns what the run has left behind so far.
    #[must_use]
    pub fn conducted(&self) -> SimulatedRun {
        SimulatedRun {
            calls: self.effects.calls(),
            took_ms: self.effects.clock().now_ms() - START_MS,
            events: self.effects.events().kept(),
            seen: self.effects.events().seen(),
            journal: self.effects.entries(),
            puts: self.effects.documents(),
            processes: self.processes.get(),
            end: self.end.borrow().clone(),
            operations: self.effects.faults().operations(),
        }
    }
}
