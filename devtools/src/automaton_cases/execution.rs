//! Executes a case in memory, in virtual time.

use std::collections::BTreeSet;

use serde_json::{Map, Value};

use automaton::machine::states::Automaton;
use automaton::machine::{
    Action, Answer, AutomatonRun, ChainFailure, Input, Limits, Notice, NoticeKind, OnUnknown,
    Order, Outcome, Parameters, Pause, Place,
};
use domain::page::{ActionFailure, Done};
use domain::{Failure, FailureKind};
use kernel::Millis;

use super::case::{Case, CaseKind};
use super::page_script::PageScript;
use super::recorder::Recorder;
use super::settings::settings;
use super::stand_in::StandIn;

/// The most looks and actions of a case. Cases need far fewer; the limit ends a case that would run for ever.
const STEPS_MAX: u32 = 200_000;

/// Executes a case and returns the engine's record, in the form of `expect`. The error is the sentence with which the
/// engine refused the order.
pub(super) fn execute(case: &Case) -> Result<Value, String> {
    let run = AutomatonRun::new(order(case)?).map_err(|finding| finding.to_string())?;
    Ok(conduct(run, case))
}

fn order(case: &Case) -> Result<Order, String> {
    let automaton = Automaton::from_json(case.member("states"));
    Ok(Order {
        automaton: automaton.map_err(|error| error.to_string())?,
        prompts: Vec::new(),
        settings: settings(case.member("config"))?,
        parameters: Parameters {
            open: names(case.member("parameters")),
            secret: BTreeSet::default(),
        },
        on_unknown: OnUnknown::End,
        regenerates: false,
        keeps_pictures: false,
        limits: Limits {
            actions_max: STEPS_MAX,
            looks_max: STEPS_MAX,
            runtime_ms_max: u64::MAX,
            call_ms_max: u64::MAX,
            notices_max: u32::MAX,
            ..Limits::default()
        },
    })
}

/// Returns the names of a case's parameters.
pub(super) fn names(parameters: &Value) -> BTreeSet<String> {
    let mut names = BTreeSet::default();
    for name in parameters.as_object().into_iter().flat_map(Map::keys) {
        names.insert(name.clone());
    }
    names
}

/// The simulated world of a case: its page, its models, and the time.
struct World<'case> {
    case: &'case Case,
    stand_in: StandIn<'case>,
    recorder: Recorder,
    now_ms: u64,
    /// The action that was begun last; `None` once the machine awaits something else.
    begun: Option<Place>,
}

fn conduct(mut run: AutomatonRun, case: &Case) -> Value {
    let parameters = case.member("parameters");
    let page = PageScript::of(case.member("signals"));
    let mut world = World {
        case,
        stand_in: StandIn {
            page: &page,
            parameters: parameters.as_object().cloned().unwrap_or_default(),
        },
        recorder: Recorder::new(parameters),
        now_ms: 0,
        begun: None,
    };
    run.handle(Input::Start, Millis(0));
    loop {
        while let Some(notice) = run.next_notice() {
            world.take(notice);
        }
        let Some(command) = run.next_command() else {
            break;
        };
        let outcome = world.outcome(&command.action, run.executed());
        let answer = Answer {
            command: command.id,
            attempts: 1,
            throttled: 0,
            nano_usd: 0,
            outcome,
            remarks: Vec::new(),
        };
        run.handle(Input::Answer(answer), Millis(world.now_ms));
    }
    world.recorder.into_expect(run.executed())
}

impl World<'_> {
    fn take(&mut self, notice: Notice) {
        match &notice.kind {
            NoticeKind::ActionBegun { place, .. } => self.begun = Some(*place),
            NoticeKind::Waiting { pause, .. } if *pause != Pause::Wanted => self.begun = None,
            _ => {}
        }
        self.recorder.take(notice);
    }

    /// Executes an action, advances the time by its duration, and returns its outcome.
    fn outcome(&mut self, action: &Action, executed: &[usize]) -> Outcome {
        let fails = |place| failure(self.case, place, executed);
        match action {
            Action::Look { .. } => {
                Outcome::Looked(Ok(self.stand_in.page.signals(self.now_ms).into()))
            }
            Action::Wait { ms } => {
                if let Some(says) = self.begun.and_then(fails) {
                    return Outcome::Acted(Err(ActionFailure::Failed(says)));
                }
                self.now_ms = self.now_ms.saturating_add(*ms);
                Outcome::Waited
            }
            // The cases have no prompts, so the machine neither asks a model nor reloads the page.
            Action::Ask(_) => {
                let says = "the cases have no such models";
                Outcome::Asked(Err(Failure::new(FailureKind::Down, says)))
            }
            Action::Reload => Outcome::Reloaded(Ok(())),
            Action::Investigate(_) => Outcome::Investigated(Err(ChainFailure {
                run: None,
                message: "Nobody investigates here.".to_owned(),
            })),
            Action::Act { place, action } => {
                if let Some(says) = fails(*place) {
                    return Outcome::Acted(Err(ActionFailure::Failed(says)));
                }
                if self.case.kind != CaseKind::Browser {
                    return Outcome::Acted(Ok(Done::default()));
                }
                let deed = self.stand_in.act(action, self.now_ms);
                self.recorder.take_events(deed.events);
                Outcome::Acted(deed.result)
            }
        }
    }
}

/// Returns the message with which a case makes an action fail, or `None` if the action does not fail. A case makes an
/// action fail either always or in one execution of its state; executions are counted from 1.
fn failure(case: &Case, place: Place, executed: &[usize]) -> Option<String> {
    let before = executed.iter().filter(|at| **at == place.state).count();
    let list = case.member("actions_fail").as_array()?;
    let is = |entry: &Value, name: &str, wanted: usize| {
        let number = entry.get(name).and_then(Value::as_u64);
        number.and_then(|number| usize::try_from(number).ok()) == Some(wanted)
    };
    let line = usize::try_from(place.line).ok()?;
    let entry = list.iter().find(|entry| {
        let is_run = entry.get("run").is_none() || is(entry, "run", before + 1);
        is(entry, "state", place.state) && is(entry, "line", line) && is_run
    })?;
    let says = entry.get("text").and_then(Value::as_str);
    Some(says.unwrap_or("The action fails in this case.").to_owned())
}
