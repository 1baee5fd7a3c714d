//! Calls under way: sent, answered in the order of asking (until the end is decided), lost or
//! withdrawn.

use crate::domain::{Failure, FailureKind, PersonIndex};

use super::command::{Action, Command, CommandId};
use super::input::{Answer, Fetched, LostCall, Outcome};
use super::machine::{Investigation, Route, State};
use super::notice::Reason;
use super::spend::{ATTEMPTS_MAX, Kind};
use super::survey::{Photo, SurveyNumber};

/// Calls under way at the same time at most: so many requests of one Worker may wait for headers.
pub(super) const UNDER_WAY_MAX: usize = 5;

/// A command whose answer is awaited.
#[derive(Debug, Clone)]
pub(super) struct Call {
    pub(super) action: Action,
    pub(super) purpose: Purpose,
    attempts_max: u32,
}

/// What its answer is for.
#[derive(Debug, Clone)]
pub(super) enum Purpose {
    Search {
        survey: SurveyNumber,
    },
    Fetch {
        survey: SurveyNumber,
        photo: Photo,
    },
    Recognise {
        survey: SurveyNumber,
        photo: Photo,
        fetched: Fetched,
    },
    Plan {
        table: Vec<PersonIndex>,
        allowed_queries: Vec<String>,
    },
}

impl Purpose {
    /// The survey that it is for.
    pub(super) fn survey(&self) -> Option<SurveyNumber> {
        match self {
            Self::Search { survey }
            | Self::Fetch { survey, .. }
            | Self::Recognise { survey, .. } => Some(*survey),
            Self::Plan { .. } => None,
        }
    }

    /// The photo that it is about.
    pub(super) fn photo(&self) -> Option<&Photo> {
        match self {
            Self::Fetch { photo, .. } | Self::Recognise { photo, .. } => Some(photo),
            Self::Search { .. } | Self::Plan { .. } => None,
        }
    }
}

impl Investigation {
    /// Sends a command. The caller checked the budget.
    pub(super) fn send(&mut self, action: Action, purpose: Purpose) {
        self.last_command = self.last_command.saturating_add(1);
        self.send_as(CommandId(self.last_command), action, purpose);
    }

    fn send_as(&mut self, id: CommandId, action: Action, purpose: Purpose) {
        let attempts_max = match Kind::of(&action) {
            Some(kind) => {
                // It is none of those that wait any more.
                let sharers = self.photos_unpaid() + 1;
                let attempts_max = self.spend.attempts_max(kind, sharers);
                let allowance = self.spend.allowance_mut(kind);
                // Noted before it is sent: whatever happens to the answer, the call was made.
                allowance.begin(attempts_max);
                attempts_max
            }
            None => 1,
        };
        self.outbox.command(Command {
            id,
            attempts_max,
            time_left_ms: self.spend.time_left_ms(self.now),
            action: action.clone(),
        });
        let call = Call {
            action,
            purpose,
            attempts_max,
        };
        self.calls.insert(id, call);
    }

    pub(super) fn take_answer(&mut self, answer: Answer) {
        let Some(call) = self.calls.remove(&answer.command) else {
            return;
        };
        if let Some(kind) = Kind::of(&call.action) {
            let allowance = self.spend.allowance_mut(kind);
            allowance.settle(call.attempts_max, answer.attempts.min(ATTEMPTS_MAX));
        }
        self.spend.nano_usd = self.spend.nano_usd.saturating_add(answer.nano_usd);
        if self.is_ending() {
            self.take_in_late(call.purpose, answer.outcome);
            return;
        }
        match (call.purpose, answer.outcome) {
            (Purpose::Search { survey }, Outcome::Searched(result)) => {
                self.on_searched(survey, result);
            }
            (Purpose::Fetch { survey, photo }, Outcome::Fetched(result)) => {
                self.on_fetched(answer.command, survey, photo, result);
            }
            (
                Purpose::Recognise {
                    survey,
                    photo,
                    fetched,
                },
                Outcome::Recognised(result),
            ) => {
                self.on_recognised(survey, &photo, &fetched, result, call.attempts_max);
            }
            (
                Purpose::Plan {
                    table,
                    allowed_queries,
                },
                Outcome::Planned(result),
            ) => {
                self.on_planned(&table, &allowed_queries, result);
            }
            _ => self.end_with_internal_error("an answer did not fit its command"),
        }
    }

    /// The end is decided. A photo whose answer is here by then was paid for: it is evidence as any
    /// other, and may make the chain shorter or surer. What a search found is kept.
    fn take_in_late(&mut self, purpose: Purpose, outcome: Outcome) {
        match (purpose, outcome) {
            (
                Purpose::Recognise {
                    survey,
                    photo,
                    fetched,
                },
                Outcome::Recognised(Ok(recognised)),
            ) => {
                self.on_recognised(survey, &photo, &fetched, Ok(recognised), ATTEMPTS_MAX);
                self.renew_end();
            }
            (Purpose::Search { survey }, Outcome::Searched(Ok(hits))) => {
                self.on_searched(survey, Ok(hits));
            }
            (purpose, _) => {
                if let Some(survey) = purpose.survey() {
                    self.answered(survey);
                }
            }
        }
    }

    /// What a late photo shows may undo the decision.
    fn renew_end(&mut self) {
        match (&self.state, &self.route) {
            (State::Success(_), Route::OneSided(_)) => self.renew_one_sided(),
            (State::Failure(Reason::UnknownPerson), _) if self.unknown_sides().is_empty() => {
                self.state = State::Discovery;
                self.status("Everybody is recognised after all; the search goes on.");
            }
            _ => {}
        }
    }

    /// The user ends the run. What is under way is not waited for; its attempts were made all the
    /// same.
    pub(super) fn stop(&mut self, lost: &[LostCall]) {
        if self.state == State::Fresh {
            self.spend.start(self.now);
        }
        self.end_as(State::Failure(Reason::Stopped));
        self.withdraw(lost);
    }

    /// Nobody waits any more for any call: so many attempts were made of each of these, and none
    /// of the others.
    pub(super) fn withdraw(&mut self, lost: &[LostCall]) {
        for call in lost {
            self.give_up(call, false);
        }
        let not_begun: Vec<CommandId> = self.calls.keys().copied().collect();
        for command in not_begun {
            self.give_up(&LostCall::unsent(command), false);
        }
    }

    /// What nobody has begun yet is not begun any more.
    pub(super) fn forget_unsent(&mut self) {
        for command in self.outbox.withdraw_commands() {
            self.give_up(&LostCall::unsent(command.id), false);
        }
    }

    /// Its answer will never come. None for a call that is not under way.
    fn give_up(&mut self, lost: &LostCall, is_in_vain: bool) -> Option<Call> {
        let call = self.calls.remove(&lost.command)?;
        if let Some(kind) = Kind::of(&call.action) {
            let allowance = self.spend.allowance_mut(kind);
            let attempts = lost.attempts.min(ATTEMPTS_MAX);
            if is_in_vain {
                allowance.settle_lost(call.attempts_max, attempts);
            } else {
                allowance.settle(call.attempts_max, attempts);
            }
        }
        self.spend.nano_usd = self.spend.nano_usd.saturating_add(lost.nano_usd);
        Some(call)
    }

    /// Whoever conducted the run has died: a call whose answer is lost counts as spent and is sent
    /// again under its number, so that its answer keeps its place, where the budgets allow it.
    pub(super) fn send_lost_again(&mut self, lost: &[LostCall]) {
        for lost in lost {
            if let Some(call) = self.give_up(lost, true)
                && !self.is_ending()
            {
                self.send_again(lost.command, call);
            }
        }
    }

    fn send_again(&mut self, id: CommandId, call: Call) {
        let Call {
            action, purpose, ..
        } = call;
        let Some(kind) = Kind::of(&action) else {
            return self.send_as(id, action, purpose);
        };
        match self.spend.refusal(kind, self.now) {
            None if self.spend.allowance(kind).left() > 0 => self.send_as(id, action, purpose),
            Some(Reason::RuntimeBudget) if kind != Kind::Plan => {
                self.end_as(State::Failure(Reason::RuntimeBudget));
            }
            // What is left is kept for others, whose answers may be here already.
            _ => self.do_without(purpose),
        }
    }

    /// A call was lost, and there is nothing left to make it again.
    fn do_without(&mut self, purpose: Purpose) {
        match purpose {
            Purpose::Plan {
                table,
                allowed_queries,
            } => {
                let failure = Failure::new(FailureKind::Down, "its answer was lost");
                self.on_planned(&table, &allowed_queries, Err(failure));
            }
            Purpose::Search { survey } => self.lose_search(survey),
            Purpose::Fetch { survey, photo } | Purpose::Recognise { survey, photo, .. } => {
                self.lose_photo(survey, &photo);
            }
        }
    }
}
