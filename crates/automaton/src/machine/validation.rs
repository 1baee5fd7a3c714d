//! Validates an automaton: whether it can be executed, and which parts will surprise its author.

use std::fmt;

use domain::page::By;

use super::actions::{BrowserAction, Locator, Step};
use super::grammar::{Call, Cause};
use super::interface::Parameters;
use super::role_selector::RoleSelector;
use super::states::{Automaton, Check, CheckKind, Line, Prompt, State};

const NO_ROLE: &str = "the selector of the kind \"role\" is a role, or a role and a name in double quotes, like \
    button[name=\"Sign in\"]";

/// Why an automaton cannot be executed, and where it is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The position of the state in its list, from 0; `None` if the error concerns the whole order.
    pub state: Option<usize>,
    /// The number of the action in its state, from 1; `None` if the error concerns no single action.
    pub line: Option<u32>,
    /// The position of the error in the action's string, in bytes from 0; `None` if it concerns no single place.
    pub byte: Option<usize>,
    /// The kind of the error; `None` if it concerns no action.
    pub cause: Option<Cause>,
    /// What is wrong, as part of a sentence that quotes no value.
    pub message: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(state) = self.state {
            write!(formatter, "state {}: ", state.saturating_add(1))?;
        }
        if let Some(line) = self.line {
            write!(formatter, "line {line}: ")?;
        }
        if let Some(byte) = self.byte {
            write!(formatter, "byte {byte}: ")?;
        }
        formatter.write_str(&self.message)
    }
}

/// Checks whether an automaton can be executed. Fails with the first reason why it cannot.
pub fn check(automaton: &Automaton, parameters: &Parameters) -> Result<(), Finding> {
    for (at, state) in automaton.states.iter().enumerate() {
        check_state(at, state, parameters)?;
    }
    Ok(())
}

/// Checks further rules, which apply only to new runs. An older run that breaks them continues and can be replayed.
pub fn check_anew(automaton: &Automaton) -> Result<(), Finding> {
    for (at, state) in automaton.states.iter().enumerate() {
        for (check_at, check) in state.checks.iter().enumerate() {
            if let Check::Query(query) = check.without_not()
                && query.by == By::Role
                && RoleSelector::read(&query.selector).is_none()
            {
                let number = check_at.saturating_add(1);
                return Err(of_state(at, format!("check {number}: {NO_ROLE}")));
            }
        }
        if state
            .each
            .as_ref()
            .is_some_and(|each| is_no_role(&each.locator))
        {
            return Err(of_state(at, format!("`for_each`: {NO_ROLE}")));
        }
        for (line_at, line) in state.lines.iter().enumerate() {
            let Line::Call {
                step: Ok(Step::Act(action)),
                ..
            } = line
            else {
                continue;
            };
            if let Some(message) = complaint(action) {
                return Err(Finding {
                    line: Some(u32::try_from(line_at.saturating_add(1)).unwrap_or(u32::MAX)),
                    cause: Some(Cause::BadArguments),
                    ..of_state(at, message.to_owned())
                });
            }
        }
    }
    Ok(())
}

/// Returns what is wrong with an action of a new run.
fn complaint(action: &BrowserAction) -> Option<&'static str> {
    if let BrowserAction::Click { percentage, .. } = action
        && !(0.0..=1.0).contains(percentage)
    {
        return Some(
            "`percentage` must be a number from 0 to 1: it is a share of the element's width",
        );
    }
    let onto = match action {
        BrowserAction::Drag { onto, .. } => onto.as_ref(),
        _ => None,
    };
    let mut locators = action.locator().into_iter().chain(onto);
    locators.any(is_no_role).then_some(NO_ROLE)
}

/// Returns whether a locator of the kind `role` cannot be read. One that refers to values of the run is not known yet.
fn is_no_role(locator: &Locator) -> bool {
    let selector = locator.selector.as_literal();
    locator.by == By::Role && selector.is_some_and(|text| RoleSelector::read(text).is_none())
}

/// Checks whether models can make states from prompts. Names of prompts must be unique, since each becomes a state's
/// name.
pub fn check_prompts(prompts: &[Prompt]) -> Result<(), Finding> {
    for (at, prompt) in prompts.iter().enumerate() {
        let before = prompts.iter().take(at);
        let message = if prompt.name.trim().is_empty() {
            "its name is blank"
        } else if before.clone().any(|other| other.name == prompt.name) {
            "a prompt before it has its name"
        } else {
            continue;
        };
        return Err(Finding {
            state: None,
            ..of_state(at, format!("prompt {}: {message}", at.saturating_add(1)))
        });
    }
    Ok(())
}

fn of_state(state: usize, message: String) -> Finding {
    Finding {
        state: Some(state),
        line: None,
        byte: None,
        cause: None,
        message,
    }
}

fn check_state(at: usize, state: &State, parameters: &Parameters) -> Result<(), Finding> {
    for (check_at, check) in state.checks.iter().enumerate() {
        if let Check::Signal { kind, value } = check.without_not() {
            let what = match (kind, value) {
                (CheckKind::Unknown, _) => "is of no known type",
                (_, None) => "compares with something that is no text",
                _ => continue,
            };
            return Err(of_state(
                at,
                format!("check {} {what}", check_at.saturating_add(1)),
            ));
        }
    }
    if let Some(each) = &state.each {
        let selector = &each.locator.selector;
        if let Some(name) = selector.parameters().find(|name| !parameters.has(name)) {
            let message = format!("`for_each`: the run has no parameter {name:?}");
            return Err(of_state(at, message));
        }
        if selector.codes().next().is_some() {
            let message = "`for_each`: no element is found by a one-time code".to_owned();
            return Err(of_state(at, message));
        }
    }
    for (line_at, line) in state.lines.iter().enumerate() {
        let own = state.each.as_ref().map(|each| each.parameter.as_str());
        check_line(line, parameters, own).map_err(|(cause, byte, message)| Finding {
            state: Some(at),
            line: Some(u32::try_from(line_at.saturating_add(1)).unwrap_or(u32::MAX)),
            byte,
            cause: Some(cause),
            message,
        })?;
    }
    Ok(())
}

/// Checks an action. `own` is the parameter that its state itself gives a value.
fn check_line(
    line: &Line,
    parameters: &Parameters,
    own: Option<&str>,
) -> Result<(), (Cause, Option<usize>, String)> {
    match line {
        Line::Unread(unread) => {
            let error = unread.error();
            Err((error.cause, Some(error.byte), error.message.clone()))
        }
        Line::Call { call, step } => {
            if let Some(name) = missing_parameter(call, parameters, own) {
                let message = format!("the run has no parameter {name:?}");
                return Err((Cause::MissingParameter, None, message));
            }
            if let Some(name) = call.codes().find(|name| !parameters.secret.contains(*name)) {
                let message = format!("{name:?} is no secret, so that it has no codes");
                return Err((Cause::BadArguments, None, message));
            }
            match step {
                Ok(Step::Investigate { .. }) => {
                    // The names of the people are sent to providers and emitted, so none of them may be a secret.
                    let mut names = call.parameters();
                    match names.find(|name| parameters.secret.contains(*name)) {
                        None => Ok(()),
                        Some(name) => {
                            let message =
                                format!("{name:?} is a secret, and nobody is searched for by one");
                            Err((Cause::BadArguments, None, message))
                        }
                    }
                }
                Ok(_) => Ok(()),
                Err(why) => Err((Cause::BadArguments, None, why.clone())),
            }
        }
        Line::Terminate { .. } | Line::PassedOver(_) => Ok(()),
    }
}

fn missing_parameter<'call>(
    call: &'call Call,
    parameters: &Parameters,
    own: Option<&str>,
) -> Option<&'call str> {
    call.parameters()
        .find(|name| !parameters.has(name) && own != Some(name))
}

/// Something in a state that does not do what it seems to do, which causes a warning.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Surprise {
    /// The position of the state in its list, from 0.
    pub state: usize,
    /// What is surprising, in one sentence about the state.
    pub says: &'static str,
}

/// Returns the surprises of an automaton, in the order of its states.
#[must_use]
pub fn surprises(automaton: &Automaton) -> Vec<Surprise> {
    let mut found = Vec::new();
    for (at, state) in automaton.states.iter().enumerate() {
        let before = automaton.states.iter().take(at);
        let has_namesake = before.clone().any(|other| other.name == state.name);
        let says = surprises_of(state, has_namesake).into_iter().flatten();
        found.extend(says.map(|says| Surprise { state: at, says }));
    }
    found
}

fn surprises_of(state: &State, has_namesake: bool) -> [Option<&'static str>; 6] {
    let is_call = |line: &Line| matches!(line, Line::Terminate { is_call: true });
    let is_passed_over = |line: &Line| matches!(line, Line::PassedOver(_));
    [
        state
            .checks
            .is_empty()
            .then_some("it has no checks, so it never passes."),
        has_namesake.then_some("a state before it has its name; they count as two states."),
        state
            .continuity
            .misspelt
            .is_some()
            .then_some("`continous` is read as `continuous`."),
        (state.end.is_some() && !state.has_words_at_end())
            .then_some("its end is blank, and counts as none."),
        state
            .lines
            .iter()
            .any(is_call)
            .then_some("`terminate` is no function of the old format; its actions end there."),
        state
            .lines
            .iter()
            .any(is_passed_over)
            .then_some("an action would write a file, and is passed over."),
    ]
}
