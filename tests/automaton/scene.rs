//! A compact way to write automata, run them on a page in virtual time, and print the run as lines.

use automaton::machine::actions::BrowserAction;
use automaton::machine::states::Automaton;
use automaton::machine::validation::Finding;
use automaton::machine::{
    Action, Answer, AutomatonRun, ChainEnd, ChainFailure, Command, Ending, Input, Limits, Notice,
    NoticeKind, OnUnknown, Order, Outcome, Parameters, Settings,
};
use domain::page::{ActionFailure, Done, Item, Signals};
use domain::{Failure, FailureKind};
use kernel::Millis;
use serde_json::{Value, json};

/// A state that matches this address, in the old format.
pub fn state(name: &str, url: &str, actions: &[&str], end: &str) -> Value {
    json!({
        "name": name,
        "description": "",
        "checks": [{"type": "url", "value": url}],
        "actions": actions,
        "end_state": end,
    })
}

pub const CLICK: &str = "click(by='css selector', selector='#go')";
pub const KEY: &str = "press_key('enter')";

/// An empty page at this address.
pub fn at(url: &str) -> Signals {
    Signals {
        url: Some(url.to_owned()),
        items: Some(Vec::new()),
        ..Signals::default()
    }
}

/// A page with these visible elements, each a text and a selector.
pub fn showing(url: &str, items: &[(&str, &str)]) -> Signals {
    let items = items.iter().map(|(text, selector)| Item {
        text: (*text).to_owned(),
        selector: (*selector).to_owned(),
    });
    Signals {
        items: Some(items.collect()),
        ..at(url)
    }
}

/// An automaton on a page.
pub struct Scene {
    pub order: Order,
    /// The page's signals from each time on, in milliseconds.
    pub page: Vec<(u64, Signals)>,
    /// Actions that fail, by state and line.
    pub results: Vec<((usize, u32), ActionFailure)>,
    /// The duration of each look, in milliseconds.
    pub look_ms: u64,
    /// What every action that extracts texts reads.
    pub extracted: Vec<String>,
    /// The browser's actions.
    pub acted: Vec<String>,
}

impl Scene {
    pub fn new(states: &[Value], page: &[(u64, Signals)]) -> Self {
        Self {
            order: Order {
                automaton: Automaton::from_json(&Value::from(states.to_vec())).unwrap(),
                prompts: Vec::new(),
                settings: Settings::default(),
                parameters: Parameters::default(),
                on_unknown: OnUnknown::End,
                regenerates: false,
                keeps_pictures: false,
                limits: Limits::default(),
            },
            page: page.to_vec(),
            results: Vec::new(),
            look_ms: 0,
            extracted: Vec::new(),
            acted: Vec::new(),
        }
    }

    #[must_use]
    pub fn fails(mut self, state: usize, line: u32, failure: ActionFailure) -> Self {
        self.results.push(((state, line), failure));
        self
    }

    pub fn finding(self) -> Finding {
        AutomatonRun::new(self.order).unwrap_err()
    }

    /// Returns the page's signals at this time.
    pub fn signals(&self, now_ms: u64) -> Signals {
        let mut past = self.page.iter().filter(|(from_ms, _)| *from_ms <= now_ms);
        past.next_back()
            .map(|(_, page)| page.clone())
            .unwrap_or_default()
    }

    /// Returns the outcome of a command at this time, and its duration in milliseconds.
    pub fn outcome(&mut self, command: &Command, now_ms: u64) -> (Outcome, u64) {
        match &command.action {
            Action::Look { .. } => (
                Outcome::Looked(Ok(self.signals(now_ms).into())),
                self.look_ms,
            ),
            Action::Wait { ms } => (Outcome::Waited, *ms),
            Action::Ask(_) => {
                let failure = Failure::new(FailureKind::Down, "nobody answers");
                (Outcome::Asked(Err(failure)), 0)
            }
            Action::Reload => (Outcome::Reloaded(Ok(())), 0),
            Action::Investigate(call) => {
                let people = format!("{} and {}", call.person_a, call.person_b);
                self.acted.push(format!("find {people}"));
                let place = (call.place.state, call.place.line);
                let has_failed = self.results.iter().any(|(known, _)| *known == place);
                let run = "s.r".to_owned();
                let message = format!("Looked for {people}.");
                let end = if has_failed {
                    let run = Some(run);
                    Err(ChainFailure { run, message })
                } else {
                    Ok(ChainEnd { run, message })
                };
                (Outcome::Investigated(end), 5_000)
            }
            Action::Act { place, action } => {
                let place = (place.state, place.line);
                let mut results = self.results.iter();
                let failure = results.find(|(known, _)| *known == place);
                self.acted
                    .push(format!("{}:{} {action:?}", place.0, place.1));
                let result = match failure {
                    Some((_, failure)) => Err(failure.clone()),
                    None if matches!(action, BrowserAction::Extract { .. }) => Ok(Done {
                        values: self.extracted.clone(),
                        ..Done::default()
                    }),
                    None => Ok(Done::default()),
                };
                (Outcome::Acted(result), 0)
            }
        }
    }

    /// Returns the whole run as lines.
    pub fn run(&mut self) -> Vec<String> {
        self.conduct().0
    }

    /// Returns the whole run as lines, and how it ended.
    pub fn conduct(&mut self) -> (Vec<String>, Ending) {
        let mut run = AutomatonRun::new(self.order.clone()).unwrap();
        let (mut lines, mut now_ms) = (Vec::new(), 0);
        run.handle(Input::Start, Millis(now_ms));
        loop {
            lines.extend(std::iter::from_fn(|| run.next_notice()).map(|notice| line(&notice)));
            let Some(command) = run.next_command() else {
                let ending = run.ending().unwrap_or_else(|| panic!("{lines:#?}"));
                return (lines, ending.clone());
            };
            let (outcome, ms) = self.outcome(&command, now_ms);
            now_ms += ms;
            run.handle(answer(&command, outcome), Millis(now_ms));
        }
    }

    /// Returns the run's decisions, each with its time in milliseconds.
    pub fn decisions(&mut self) -> Vec<String> {
        let is_look = |line: &String| line.contains(" look ") || line.contains(" end ");
        self.run().into_iter().filter(is_look).collect()
    }
}

/// Returns the answer to a command, after one free attempt.
pub fn answer(command: &Command, outcome: Outcome) -> Input {
    Input::Answer(Answer {
        command: command.id,
        attempts: 1,
        throttled: 0,
        nano_usd: 0,
        outcome,
        remarks: Vec::new(),
    })
}

/// Returns a notice as one line that begins with its time in milliseconds.
pub fn line(notice: &Notice) -> String {
    let told = match &notice.kind {
        NoticeKind::Started { states } => format!("start {states}"),
        NoticeKind::Warning { state, message } => match state {
            Some(state) => format!("warning {state} {message}"),
            None => format!("warning {message}"),
        },
        NoticeKind::Waiting { ms, pause } => format!("wait {ms} {pause:?}"),
        NoticeKind::Looked {
            passed, decision, ..
        } => format!("look {passed:?} {}", decision.as_ref()),
        NoticeKind::StateEntered { state, name } => format!("enter {state} {name}"),
        NoticeKind::ActionBegun { place, call } => {
            format!("do {}:{} {call}", place.state, place.line)
        }
        NoticeKind::ActionDone { place, .. } => format!("done {}:{}", place.state, place.line),
        NoticeKind::ActionFailed {
            place,
            cause,
            was_tried,
            ..
        } => {
            let how = if *was_tried { "tried" } else { "unread" };
            format!(
                "failed {}:{} {} {how}",
                place.state,
                place.line,
                cause.as_ref()
            )
        }
        NoticeKind::Chain { message, .. } => format!("investigation {message}"),
        NoticeKind::Recovering { place } => format!("recover {}:{}", place.state, place.line),
        NoticeKind::RoundBegun {
            state,
            position,
            count,
        } => format!("round {state} {position} of {count}"),
        NoticeKind::StateLeft { state } => format!("leave {state}"),
        NoticeKind::Making { why } => format!("making {}", why.as_ref()),
        NoticeKind::Offered { offers } => format!("offered {offers:?}"),
        NoticeKind::StateMade { written } => format!("made {written}"),
        NoticeKind::StateDropped => "dropped".to_owned(),
        NoticeKind::StateChanged { state, .. } => format!("changed {state}"),
        NoticeKind::StateKept { state, proof, .. } => {
            let proof = proof.as_ref().map_or("unproven", AsRef::as_ref);
            format!("kept {state} {proof}")
        }
        NoticeKind::Asked { about, attempt } => format!("ask {} {attempt}", about.as_ref()),
        NoticeKind::Answered {
            about,
            says,
            refused,
            ..
        } => {
            let refused = refused
                .as_ref()
                .map_or(String::new(), |why| format!(" refused: {why}"));
            format!("answer {} {says}{refused}", about.as_ref())
        }
        NoticeKind::Bounded { notices } => format!("bounded {notices}"),
        NoticeKind::Remark(remark) => format!("remark {remark}"),
        NoticeKind::Ended { ending, .. } => match ending {
            Ending::Completed { message, .. } => format!("end completed {message:?}"),
            Ending::Failed { why, .. } => format!("end {}", why.as_ref()),
            Ending::Stopped => "end stopped".to_owned(),
        },
    };
    format!("{} {told}", notice.at.0)
}
