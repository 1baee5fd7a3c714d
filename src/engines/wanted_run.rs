//! A request for a run of any engine.

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use domain::Secret;
use engine::{Asked, Given, Problem, StartTerms};
use settings::{Caps, Providers, Settings};

use super::{EngineName, with_engine};

/// A request for a run that its engine has read.
pub trait WantedRun {
    /// Returns the engine of the run.
    fn engine(&self) -> EngineName;

    /// Returns what the request says beside its question.
    fn terms(&self) -> StartTerms<'_>;

    /// Returns the secrets that came with the request, by their names.
    fn secrets(&self) -> BTreeMap<String, Secret>;

    /// Returns whether a caller who may start runs may start this one.
    fn may_start(&self, settings: &Settings, is_operator: bool) -> Result<(), Problem>;

    /// Makes the order of the run, as JSON, within what the operator allows. `forked` is the order of the run
    /// that is forked.
    fn accept(
        self: Box<Self>,
        stored: Option<Value>,
        forked: Option<&RawValue>,
        given: (&Providers, &Caps),
    ) -> Result<Box<RawValue>, Problem>;
}

struct WantedOf<E: Asked> {
    engine: EngineName,
    wanted: E::Wanted,
}

impl<E: Asked> WantedRun for WantedOf<E> {
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

/// Reads the request for a run that another one begins.
fn read_begun(request: &Value, caps: &Caps) -> Wanted {
    let body = request.to_string();
    let wanted = EngineName::wanted(body.as_bytes(), caps);
    let wanted = wanted.unwrap_or_else(|| Err(Problem::new(400, EngineName::wrong_length())));
    wanted.map_err(|problem| in_its_turn(&problem))
}

/// Says that a refusal is about a run that would be begun by the run that was asked for. What is wrong in itself there is
/// no member of this request, so that it is 409 here.
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

/// A request, or the reason why it is refused.
pub type Wanted = Result<Box<dyn WantedRun>, Problem>;

impl EngineName {
    /// Reads the body of a request. Returns `None` where it asks for no run of any engine.
    #[must_use]
    pub fn wanted(body: &[u8], caps: &Caps) -> Option<Wanted> {
        Self::by_body().find_map(
            |engine| with_engine!(engine, E => Some(boxed::<E>(engine, E::read(body, caps)?))),
        )
    }

    /// Reads the query of a link that starts a run. Returns `None` where no link starts one.
    #[must_use]
    pub fn wanted_by_query(query: &str, caps: &Caps) -> Option<Wanted> {
        Self::by_body().find_map(
            |engine| with_engine!(engine, E => Some(boxed::<E>(engine, E::read_query(query, caps)?))),
        )
    }
}

pub(super) fn boxed<E: Asked>(engine: EngineName, wanted: Result<E::Wanted, Problem>) -> Wanted {
    wanted.map(|wanted| -> Box<dyn WantedRun> { Box::new(WantedOf::<E> { engine, wanted }) })
}
