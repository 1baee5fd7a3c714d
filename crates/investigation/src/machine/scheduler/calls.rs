//! Calls in flight: how each is sent, what its answer is for, and which answers will never arrive, because the run ends
//! or its process was replaced.

use domain::{
    Failure, FoundHits, PersonIndex, PhotoFailure, PlanAnswer, PlanQuestion, RecalledPhoto,
    SidesToConnect,
};
use kernel::{CommandId, LostCall};

use crate::machine::budget::{Budget, CallKind};
use crate::machine::interface::{
    Action, Answer, CaptureReport, Command, Fetched, Outcome, PhotoPage, Reason, Recognised,
};

use super::survey::{SurveyNumber, SurveyPhoto};
use super::{Scheduler, UNDER_WAY_MAX};

/// A command whose answer is awaited.
#[derive(Debug, Clone)]
pub struct PendingCall {
    pub action: Action,
    pub purpose: Purpose,
    pub attempts_max: u32,
}

/// The purpose of a call's answer.
#[derive(Debug, Clone)]
pub enum Purpose {
    Search {
        survey: SurveyNumber,
    },
    Fetch {
        survey: SurveyNumber,
        photo: SurveyPhoto,
    },
    Recognise {
        survey: SurveyNumber,
        photo: SurveyPhoto,
        fetched: Fetched,
    },
    Plan {
        table: Vec<PersonIndex>,
        allowed_queries: Vec<String>,
    },
    Capture {
        page: PhotoPage,
    },
    Recall,
}

impl Purpose {
    /// Returns the survey that the call belongs to.
    pub fn survey(&self) -> Option<SurveyNumber> {
        match self {
            Self::Search { survey }
            | Self::Fetch { survey, .. }
            | Self::Recognise { survey, .. } => Some(*survey),
            Self::Plan { .. } | Self::Capture { .. } | Self::Recall => None,
        }
    }

    /// Returns the photo that the call is about.
    pub fn photo(&self) -> Option<&SurveyPhoto> {
        match self {
            Self::Fetch { photo, .. } | Self::Recognise { photo, .. } => Some(photo),
            Self::Search { .. } | Self::Plan { .. } | Self::Capture { .. } | Self::Recall => None,
        }
    }

    pub fn is_fetch(&self) -> bool {
        matches!(self, Self::Fetch { .. })
    }

    pub fn is_recognise(&self) -> bool {
        matches!(self, Self::Recognise { .. })
    }

    pub fn is_recall(&self) -> bool {
        matches!(self, Self::Recall)
    }

    pub fn is_plan(&self) -> bool {
        matches!(self, Self::Plan { .. })
    }
}

/// The answer to a call, with its purpose.
#[derive(Debug)]
pub enum AnsweredCall {
    Search(AnsweredSearch),
    Fetch(AnsweredFetch),
    Photo(AnsweredPhoto),
    Advice(AnsweredAdvice),
    Capture(CaptureReport),
    Recalled(Vec<RecalledPhoto>),
    /// The number of remembered photos that make a chain between these sides.
    Connected {
        sides: Box<SidesToConnect>,
        photos: usize,
    },
    /// The answer is of another kind than the command.
    Misfit,
}

#[derive(Debug)]
pub struct AnsweredSearch {
    pub survey: SurveyNumber,
    /// The requested search.
    pub action: Action,
    pub result: Result<FoundHits, Failure>,
}

#[derive(Debug)]
pub struct AnsweredFetch {
    pub survey: SurveyNumber,
    pub photo: SurveyPhoto,
    pub fetched_by: CommandId,
    pub result: Result<Fetched, PhotoFailure>,
}

#[derive(Debug)]
pub struct AnsweredPhoto {
    pub survey: SurveyNumber,
    pub photo: SurveyPhoto,
    pub fetched: Fetched,
    /// The most attempts that the call could have made.
    pub attempts_max: u32,
    pub result: Result<Recognised, Failure>,
}

#[derive(Debug)]
pub struct AnsweredAdvice {
    /// The people of the table that the planner was asked about.
    pub table: Vec<PersonIndex>,
    pub allowed_queries: Vec<String>,
    pub result: Result<PlanAnswer, Failure>,
}

/// What follows from a lost answer.
#[derive(Debug)]
pub enum Lost {
    /// The call is sent again, or is no longer needed.
    NothingToDo,
    /// The run's time is over.
    OutOfTime,
    /// The call may not be sent again, and the run goes on without it.
    NotAgain(Purpose),
}

impl Scheduler {
    /// Asks the planner about these people.
    pub fn ask(&mut self, question: PlanQuestion, people: Vec<PersonIndex>, budget: &mut Budget) {
        let purpose = Purpose::Plan {
            table: people,
            allowed_queries: question.allowed_queries.clone(),
        };
        self.send(Action::Plan(question), purpose, budget);
    }

    /// Captures the page at this address.
    pub fn capture(&mut self, page: PhotoPage, url: String, budget: &mut Budget) {
        self.send(Action::Capture { url }, Purpose::Capture { page }, budget);
    }

    /// Asks the memory for photos.
    pub fn recall(&mut self, action: Action, budget: &mut Budget) {
        self.send(action, Purpose::Recall, budget);
    }

    /// Returns whether a request for remembered photos is in flight.
    pub fn is_recalling(&self) -> bool {
        self.calls.values().any(|call| call.purpose.is_recall())
    }

    /// Returns whether recalled photos are being looked at.
    pub fn looks_at_recalled(&self) -> bool {
        let mut surveys = self.surveys.iter();
        surveys.any(|survey| survey.list().is_recalled() && !survey.is_dropped())
    }

    /// Sends a command. The caller checked the budget.
    pub(super) fn send(&mut self, action: Action, purpose: Purpose, budget: &mut Budget) {
        self.last_command = self.last_command.saturating_add(1);
        self.send_as(CommandId(self.last_command), action, purpose, budget);
    }

    /// Sends a command with a given number.
    pub(super) fn send_as(
        &mut self,
        id: CommandId,
        action: Action,
        purpose: Purpose,
        budget: &mut Budget,
    ) {
        let kind = CallKind::of(&action);
        let attempts_max = match kind {
            // The call's own photo is no longer among the waiting ones.
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

    /// Closes an answered call and settles it. Returns `None` for an answer that no call waits for.
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

    /// Notes that one of the calls of this call's survey has ended.
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

    /// Returns the number of photos being fetched, and of those fetched but not recognised yet.
    pub(super) fn photos_unpaid(&self) -> usize {
        let fetches = self.calls.values().filter(|call| call.purpose.is_fetch());
        let waiting = self.surveys.iter().map(super::Survey::photos_waiting);
        fetches.count() + waiting.sum::<usize>()
    }

    /// Returns the number of photos whose bytes are or will be in memory.
    pub(super) fn photos_in_hand(&self) -> usize {
        let calls = self.calls.values();
        let recognised = calls.filter(|call| call.purpose.is_recognise());
        recognised.count() + self.photos_unpaid()
    }

    /// Withdraws all calls. Their attempts are those in `lost`; calls not in `lost` made none.
    pub fn withdraw(&mut self, lost: &[LostCall], budget: &mut Budget) {
        for call in lost {
            self.settle_withdrawn(call, budget);
        }
        let not_begun: Vec<CommandId> = self.calls.keys().copied().collect();
        for command in not_begun {
            self.settle_withdrawn(&LostCall::unsent(command), budget);
        }
    }

    /// Drops the calls that were not taken yet.
    pub fn forget_unsent(&mut self, budget: &mut Budget) {
        for command in self.commands.withdraw() {
            self.settle_withdrawn(&LostCall::unsent(command.id), budget);
        }
    }

    /// Settles a withdrawn call, whose attempts count as made.
    fn settle_withdrawn(&mut self, withdrawn: &LostCall, budget: &mut Budget) {
        if let Some(call) = self.calls.remove(&withdrawn.command) {
            if let Some(kind) = CallKind::of(&call.action) {
                budget.settle(kind, call.attempts_max, withdrawn.attempts);
            }
            budget.count_throttled(withdrawn.throttled);
            budget.pay(withdrawn.nano_usd);
        }
    }

    /// Charges a call whose answer was lost with the run's process. If the budgets allow it, sends the call again with
    /// the same number, so that its answer keeps its place.
    pub fn lose(&mut self, lost: &LostCall, is_awaited: bool, budget: &mut Budget) -> Lost {
        let Some(call) = self.calls.remove(&lost.command) else {
            return Lost::NothingToDo;
        };
        if let Some(kind) = CallKind::of(&call.action) {
            budget.settle_lost(kind, call.attempts_max, lost.attempts);
        }
        budget.count_throttled(lost.throttled);
        budget.pay(lost.nano_usd);
        if is_awaited {
            self.send_again(lost.command, call, budget)
        } else {
            Lost::NothingToDo
        }
    }

    fn send_again(&mut self, id: CommandId, call: PendingCall, budget: &mut Budget) -> Lost {
        let PendingCall {
            mut action,
            purpose,
            ..
        } = call;
        // A photo is fetched again in any case, but converted only if the budget still allows it.
        if let Action::Fetch { may_convert, .. } | Action::FetchKnown { may_convert, .. } =
            &mut action
        {
            *may_convert &= budget.may_convert();
        }
        if let Some(kind) = CallKind::of(&action) {
            match budget.refusal(kind) {
                None if budget.left(kind) > 0 => {}
                Some(Reason::RuntimeBudget)
                    if !matches!(kind, CallKind::Planner | CallKind::Page) =>
                {
                    return Lost::OutOfTime;
                }
                // The remaining attempts are reserved for others, whose answers may already be here.
                _ => {
                    self.end_call_of(&purpose);
                    return Lost::NotAgain(purpose);
                }
            }
        }
        self.send_as(id, action, purpose, budget);
        Lost::NothingToDo
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
                result: result.map(FoundHits::from),
            })
        }
        (Purpose::Search { survey }, Outcome::Found(found)) => {
            AnsweredCall::Search(AnsweredSearch {
                survey,
                action: call.action,
                result: Ok(found),
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
