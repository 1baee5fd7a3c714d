//! The sending of calls, and their answers.

use domain::{PersonIndex, PlanQuestion};
use kernel::CommandId;

use crate::machine::budget::{Budget, CallKind};
use crate::machine::interface::{Action, Answer, CaptureReport, Command, Outcome, PhotoPage};

use super::call::{
    AnsweredAdvice, AnsweredCall, AnsweredFetch, AnsweredPhoto, AnsweredSearch, PendingCall,
    Purpose,
};
use super::{Scheduler, UNDER_WAY_MAX};

impl Scheduler {
    /// Asks the planner about these people.
    pub fn ask(&mut self, question: PlanQuestion, people: Vec<PersonIndex>, budget: &mut Budget) {
        let purpose = Purpose::Plan {
            table: people,
            allowed_queries: question.allowed_queries.clone(),
        };
        self.send(Action::Plan(question), purpose, budget);
    }

    /// Has a picture taken of a page at this address.
    pub fn capture(&mut self, page: PhotoPage, url: String, budget: &mut Budget) {
        self.send(Action::Capture { url }, Purpose::Capture { page }, budget);
    }

    /// Asks the memory for photos.
    pub fn recall(&mut self, action: Action, budget: &mut Budget) {
        self.send(action, Purpose::Recall, budget);
    }

    /// Returns whether remembered photos are asked for now.
    pub fn is_recalling(&self) -> bool {
        self.calls.values().any(|call| call.purpose.is_recall())
    }

    /// Returns whether remembered photos are looked at now.
    pub fn looks_at_recalled(&self) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.list().is_recalled() && !survey.is_dropped())
    }

    /// Sends a command. The caller checked the budget.
    pub(super) fn send(&mut self, action: Action, purpose: Purpose, budget: &mut Budget) {
        self.last_command = self.last_command.saturating_add(1);
        self.send_as(CommandId(self.last_command), action, purpose, budget);
    }

    /// Sends a command under its number.
    pub(super) fn send_as(
        &mut self,
        id: CommandId,
        action: Action,
        purpose: Purpose,
        budget: &mut Budget,
    ) {
        let kind = CallKind::of(&action);
        let attempts_max = match kind {
            // The call's own photo no longer is one of those that wait.
            Some(kind) => budget.begin(kind, self.photos_unpaid() + 1),
            None => 1,
        };
        let time_left_ms = budget.call_ms_max(kind);
        self.commands.add(Command {
            id,
            attempts_max,
            throttled_max: budget.throttled_max(),
            time_left_ms,
            silence_ms_max: time_left_ms,
            action: action.clone(),
        });
        let call = PendingCall {
            action,
            purpose,
            attempts_max,
        };
        self.calls.insert(id, call);
    }

    /// Closes a call that is answered, and settles it. Returns `None` for an answer that nobody
    /// waits for.
    pub fn close(&mut self, answer: Answer, budget: &mut Budget) -> Option<AnsweredCall> {
        let call = self.calls.remove(&answer.command)?;
        if let Some(kind) = CallKind::of(&call.action) {
            budget.settle(kind, call.attempts_max, answer.attempts);
        }
        budget.count_throttled(answer.throttled);
        budget.pay(answer.nano_usd);
        self.end_call_of(&call.purpose);
        Some(answered(call, answer.command, answer.outcome))
    }

    /// Notes that a call's survey has one call less under way.
    pub(super) fn end_call_of(&mut self, purpose: &Purpose) {
        if let Some(number) = purpose.survey()
            && let Some(survey) = self.survey_mut(number)
        {
            survey.end_call();
        }
    }

    pub(super) fn has_free_slot(&self) -> bool {
        self.calls.len() < UNDER_WAY_MAX
    }

    /// Returns the number of photos that are fetched now, and of those that were fetched and are
    /// not recognised yet.
    pub(super) fn photos_unpaid(&self) -> usize {
        let fetches = self.calls.values().filter(|call| call.purpose.is_fetch());
        let waiting = self.surveys.iter().map(super::Survey::photos_waiting);
        fetches.count() + waiting.sum::<usize>()
    }

    /// Returns the number of photos whose bytes are held, or will be.
    pub(super) fn photos_in_hand(&self) -> usize {
        let calls = self.calls.values();
        let recognised = calls.filter(|call| call.purpose.is_recognise());
        recognised.count() + self.photos_unpaid()
    }
}

/// Returns the result of a call, by its purpose.
fn answered(call: PendingCall, command: CommandId, outcome: Outcome) -> AnsweredCall {
    match (call.purpose, outcome) {
        (Purpose::Recall, Outcome::Connected(photos)) => match call.action {
            Action::Connect(sides) => AnsweredCall::Connected { sides, photos },
            _ => AnsweredCall::Misfit,
        },
        (Purpose::Search { survey }, Outcome::Searched(result)) => {
            AnsweredCall::Search(AnsweredSearch {
                survey,
                action: call.action,
                result,
            })
        }
        (Purpose::Fetch { survey, photo }, Outcome::Fetched(result)) => {
            AnsweredCall::Fetch(AnsweredFetch {
                survey,
                photo,
                fetched_by: command,
                result,
            })
        }
        (
            Purpose::Recognise {
                survey,
                photo,
                fetched,
            },
            Outcome::Recognised(result),
        ) => AnsweredCall::Photo(AnsweredPhoto {
            survey,
            photo,
            fetched,
            attempts_max: call.attempts_max,
            result,
        }),
        (
            Purpose::Plan {
                table,
                allowed_queries,
            },
            Outcome::Planned(result),
        ) => AnsweredCall::Advice(AnsweredAdvice {
            table,
            allowed_queries,
            result,
        }),
        (Purpose::Capture { page }, Outcome::Captured(result)) => {
            AnsweredCall::Capture(CaptureReport { page, result })
        }
        (Purpose::Recall, Outcome::Recalled(photos)) => AnsweredCall::Recalled(photos),
        _ => AnsweredCall::Misfit,
    }
}
