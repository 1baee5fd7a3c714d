//! Requests for runs, of whatever engine.

use std::collections::BTreeMap;
use std::rc::Rc;

use domain::{RunToken, Secret};
use engine::assistant::{Answer, CallPlace};
use engine::journal::Entry;
use engine::run::{ConductOutcome, RecordLimits, SavedRun};
use engine::{
    ChildOrder, Engine, Given, Opened, OrderSummary, ParentLimits, Problem, Registry, Requests,
    StartTerms, Tools,
};
use platform::{Browsers, Effects, RememberedPhotos, WriteError};
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value};
use settings::{Caps, Providers, Settings};

use super::{ALL, EngineName, with_engine};

/// A request for a run, as parsed by the run's engine.
pub trait WantedRun {
    /// Returns the engine of the run.
    fn engine(&self) -> EngineName;

    /// Returns the parts of the request that all engines have in common.
    fn terms(&self) -> StartTerms<'_>;

    /// Returns the secrets that came with the request, by name.
    fn secrets(&self) -> BTreeMap<String, Secret>;

    /// Checks whether a caller who may start runs may start this one.
    fn may_start(&self, settings: &Settings, is_operator: bool) -> Result<(), Problem>;

    /// Makes the run's order as JSON, within the operator's limits. `forked` is the order of the run to fork, if any.
    fn accept(
        self: Box<Self>,
        stored: Option<Value>,
        forked: Option<&RawValue>,
        given: (&Providers, &Caps),
    ) -> Result<Box<RawValue>, Problem>;
}

struct WantedOf<E: Requests> {
    engine: EngineName,
    wanted: E::Wanted,
}

impl<E: Requests> WantedRun for WantedOf<E> {
    fn engine(&self) -> EngineName {
        self.engine
    }

    fn terms(&self) -> StartTerms<'_> {
        E::terms(&self.wanted)
    }

    fn secrets(&self) -> BTreeMap<String, Secret> {
        E::secrets(&self.wanted)
    }

    fn may_start(&self, settings: &Settings, is_operator: bool) -> Result<(), Problem> {
        E::may_start(settings, is_operator, &self.wanted)?;
        let caps = settings.caps_of(is_operator);
        for request in E::begins(&self.wanted) {
            let begun = read_begun(&request, caps)?;
            begun
                .may_start(settings, is_operator)
                .map_err(|problem| in_its_turn(&problem))?;
        }
        Ok(())
    }

    fn accept(
        self: Box<Self>,
        stored: Option<Value>,
        forked: Option<&RawValue>,
        (providers, caps): (&Providers, &Caps),
    ) -> Result<Box<RawValue>, Problem> {
        let forked: Option<E::Order> = match forked.map(|order| serde_json::from_str(order.get())) {
            Some(Ok(order)) => Some(order),
            Some(Err(_)) => return Err(Problem::new(409, E::HOW_TO_FORK)),
            None => None,
        };
        for request in E::begins(&self.wanted) {
            let begun = read_begun(&request, caps)?;
            if begun.terms().stored_name.is_none() {
                let order = begun.accept(None, None, (providers, caps));
                order.map_err(|problem| in_its_turn(&problem))?;
            }
        }
        let given = Given {
            stored,
            forked: forked.as_ref(),
            providers,
            caps,
        };
        let order = E::accept(self.wanted, given)?;
        to_raw_value(&order).map_err(|_| Problem::new(500, "The order could not be written."))
    }
}

/// Parses the request for a run that another run begins.
fn read_begun(request: &Value, caps: &Caps) -> Wanted {
    let body = request.to_string();
    let wanted = EngineName::wanted(body.as_bytes(), caps);
    let wanted = wanted.unwrap_or_else(|| Err(Problem::new(400, EngineName::wrong_length())));
    wanted.map_err(|problem| in_its_turn(&problem))
}

/// Converts the refusal of a child run to a refusal of its parent's request. The status becomes 409, because the
/// refused field does not belong to the parent's request.
fn in_its_turn(problem: &Problem) -> Problem {
    let status = match problem.status() {
        400 => 409,
        status => status,
    };
    let detail = format!(
        "A run that this one would begin is refused: {}",
        problem.detail()
    );
    Problem::new(status, detail)
}

/// A parsed request, or the reason why it is refused.
pub type Wanted = Result<Box<dyn WantedRun>, Problem>;

impl EngineName {
    /// Parses the body of a request. Returns `None` if no engine accepts it.
    #[must_use]
    pub fn wanted(body: &[u8], caps: &Caps) -> Option<Wanted> {
        let too_long = || Problem::new(413, Self::wrong_length());
        Self::by_body().find_map(|engine| {
            with_engine!(engine, E => {
                let wanted = E::read(body, caps)?;
                // The body of another engine may be longer.
                let is_long = body.len() > E::BODY_BYTES_MAX;
                Some(boxed::<E>(engine, if is_long { Err(too_long()) } else { wanted }))
            })
        })
    }

    /// Parses the query of a link that starts a run. Returns `None` if no engine accepts it.
    #[must_use]
    pub fn wanted_by_query(query: &str, caps: &Caps) -> Option<Wanted> {
        Self::by_body().find_map(
            |engine| with_engine!(engine, E => Some(boxed::<E>(engine, E::read_query(query, caps)?))),
        )
    }
}

pub(super) fn boxed<E: Requests>(engine: EngineName, wanted: Result<E::Wanted, Problem>) -> Wanted {
    wanted.map(|wanted| -> Box<dyn WantedRun> { Box::new(WantedOf::<E> { engine, wanted }) })
}

/// The first journal entry of a run, of whatever engine.
#[derive(Debug, Clone)]
pub struct OpenedRun {
    engine: EngineName,
    header: Rc<Header>,
    first_entry: Rc<str>,
}

/// The members that the first entries of all engines have.
#[derive(Debug)]
struct Header {
    engine: String,
    run: String,
    expires_ms: u64,
    forked_from: Option<String>,
    host: Option<String>,
}

impl Header {
    fn of<E: Engine>(opened: Opened<E>) -> Self {
        Self {
            engine: opened.engine,
            run: opened.run,
            expires_ms: opened.expires_ms,
            forked_from: opened.forked_from,
            host: opened.host,
        }
    }
}

impl OpenedRun {
    /// Parses a journal's first entry. Returns `None` if this program did not write it.
    #[must_use]
    pub fn of_first_entry(json: &str) -> Option<Self> {
        let engine = EngineName::of_first_entry(json)?;
        let header = with_engine!(engine, E => Header::of(opened::<E>(json)?));
        Some(Self {
            engine,
            header: Rc::new(header),
            first_entry: json.into(),
        })
    }

    /// Returns the engine of the run.
    #[must_use]
    pub fn engine(&self) -> EngineName {
        self.engine
    }

    /// Returns the entry as the type of engine `E`; `None` if the run belongs to another engine.
    #[must_use]
    pub fn as_engine<E: Engine>(&self) -> Option<Opened<E>> {
        let is_of_it = self.engine.order_tag() == E::ORDER_TAG;
        is_of_it.then(|| opened(&self.first_entry)).flatten()
    }

    /// Returns the summary of the run's order for the operator's log.
    #[must_use]
    pub fn summary(&self) -> OrderSummary {
        with_engine!(self.engine, E => match self.as_engine::<E>() {
            Some(opened) => E::summary(&opened.order),
            None => OrderSummary::default(),
        })
    }

    /// Returns the run's public token.
    #[must_use]
    pub fn run(&self) -> &str {
        &self.header.run
    }

    /// Returns the version of the program that began the run.
    #[must_use]
    pub fn program_version(&self) -> &str {
        &self.header.engine
    }

    /// Returns when everything about the run is deleted, in milliseconds since 1970.
    #[must_use]
    pub fn expires_ms(&self) -> u64 {
        self.header.expires_ms
    }

    /// Returns the token of the run whose answers this one reuses, if it is a fork.
    #[must_use]
    pub fn forked_from(&self) -> Option<&str> {
        self.header.forked_from.as_deref()
    }

    /// Returns the host of this server at which the run was created, if known.
    #[must_use]
    pub fn host(&self) -> Option<&str> {
        self.header.host.as_deref()
    }
}

fn opened<E: Engine>(json: &str) -> Option<Opened<E>> {
    match Entry::<E>::from_json(json) {
        Ok(Entry::Opened(opened)) => Some(opened),
        _ => None,
    }
}

/// The functions by which a run of any engine can begin child runs of all engines of this program.
pub const REGISTRY: Registry = Registry {
    stored_key,
    child_order,
};

fn stored_key(request: &Value, caps: &Caps) -> Option<String> {
    let wanted = EngineName::wanted(request.to_string().as_bytes(), caps)?.ok()?;
    let documents = wanted.engine().documents()?;
    wanted.terms().stored_name.map(|name| documents.key(name))
}

fn child_order(
    request: &Value,
    stored: Option<&Value>,
    given: (&Providers, &Caps),
    left: &ParentLimits<'_>,
) -> Result<ChildOrder, String> {
    let body = request.to_string();
    let mut orders = EngineName::by_body()
        .filter_map(|engine| with_engine!(engine, E => order_of::<E>(&body, stored, given, left)));
    let unknown = || "No engine of this program takes this request.".to_owned();
    orders.next().unwrap_or_else(|| Err(unknown()))
}

/// Makes the order of a run of engine `E`. Returns `None` if the request is for a run of another engine.
fn order_of<E: Requests>(
    body: &str,
    stored: Option<&Value>,
    (providers, caps): (&Providers, &Caps),
    left: &ParentLimits<'_>,
) -> Option<Result<ChildOrder, String>> {
    let wanted = E::read(body.as_bytes(), caps)?;
    let given = Given {
        stored: stored.cloned(),
        forked: None,
        providers,
        caps,
    };
    let order = wanted
        .and_then(|wanted| E::accept(wanted, given))
        .map_err(|problem| problem.detail().to_owned())
        .and_then(|order| E::limited(order, left));
    Some(order.map(|order| ChildOrder {
        nano_usd_max: E::nano_usd_max(&order),
        noun: E::NOUN,
        end: E::end,
        // An order contains only texts and numbers, so serializing it cannot fail.
        json: serde_json::to_string(&order).unwrap_or_default(),
    }))
}

impl EngineName {
    /// Conducts a run of this engine, as [`engine::run::conduct`] does.
    pub async fn conduct<E>(
        self,
        effects: &E,
        (providers, caps): (&Providers, &Caps),
        run: &RunToken,
        saved: &SavedRun,
        record: RecordLimits,
    ) -> Result<ConductOutcome, WriteError>
    where
        E: Effects + Browsers + RememberedPhotos,
    {
        with_engine!(self, G => {
            let conducting =
                engine::run::conduct::<_, G>(effects, providers, caps, REGISTRY, run, saved, record);
            Box::pin(conducting).await
        })
    }
}

impl EngineName {
    /// Returns the names of the tools that begin a run, except those that stored documents provide.
    pub fn tools() -> impl Iterator<Item = &'static str> {
        let engines = ALL.iter().copied();
        let tools = engines.flat_map(|engine| with_engine!(engine, E => E::TOOLS));
        tools.copied()
    }

    /// Parses a call of one of [`Self::tools`]. Returns `None` for any other tool.
    #[must_use]
    pub fn wanted_by_call(
        tool: &str,
        arguments: &Map<String, Value>,
        caps: &Caps,
    ) -> Option<Wanted> {
        ALL.iter().find_map(
            |engine| with_engine!(*engine, E => Some(boxed::<E>(*engine, E::read_call(tool, arguments, caps)?))),
        )
    }

    /// Returns the JSON of the tool that a stored document of this engine provides; `None` if the document is not a
    /// tool. `about` is the result of the document's check.
    #[must_use]
    pub fn stored_tool(self, name: &str, about: &Value, settings: &Settings) -> Option<String> {
        with_engine!(self, E => E::stored_tool(name, about, settings))
    }

    /// Returns the body of `POST /runs` that is equivalent to a call of this stored document.
    #[must_use]
    pub fn stored_call(self, name: &str, arguments: Map<String, Value>) -> Value {
        with_engine!(self, E => E::stored_call(name, arguments))
    }

    /// Returns one line of progress about an event; `None` if the event does not concern waiting callers.
    #[must_use]
    pub fn progress(self, event: &Value) -> Option<String> {
        with_engine!(self, E => E::progress(event))
    }

    /// Returns the answer about a run, made from its newest event.
    #[must_use]
    pub fn answer(self, event: &Value, is_ended: bool, place: &CallPlace) -> Answer {
        with_engine!(self, E => E::answer(event, is_ended, place))
    }
}
