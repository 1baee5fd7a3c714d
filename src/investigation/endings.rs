//! What a provider's failure means for the run.

use crate::domain::{Failure, FailureKind, Provider};

use super::machine::{Investigation, State};
use super::notice::{ErrorCode, ErrorReport, Reason, Told};

/// So many unreadable answers in a row, and the provider counts as down.
const NONSENSE_MAX: u32 = 3;

impl Investigation {
    /// A provider that stays down ends the run, unless the run's time is what ran out.
    pub(super) fn end_with_failure(&mut self, provider: Provider, failure: &Failure) {
        if self.spend.time_left_ms(self.now) == 0 {
            self.end_as(State::Failure(Reason::RuntimeBudget));
            return;
        }
        let code = error_code(failure.kind);
        let message = message(provider, code, &failure.detail);
        self.end_with_error(code, Some(provider), message);
    }

    /// An answer that cannot be read is no proof of anything; the third in a row is one too many.
    pub(super) fn note_nonsense(&mut self, provider: Provider, failure: &Failure) {
        let [of_search, of_recogniser] = &mut self.nonsense_in_a_row;
        let count = match provider {
            Provider::Search => of_search,
            Provider::Recogniser => of_recogniser,
            Provider::Planner => return,
        };
        *count += 1;
        if *count >= NONSENSE_MAX {
            self.end_with_failure(provider, failure);
        } else if provider == Provider::Search {
            self.status(format!(
                "The image search gave no readable answer: {}.",
                failure.detail
            ));
        }
    }

    /// Our own mistake, told as such.
    pub(super) fn end_with_internal_error(&mut self, what: &str) {
        let message = format!("Something went wrong here: {what}.");
        self.end_with_error(ErrorCode::Internal, None, message);
    }

    fn end_with_error(&mut self, code: ErrorCode, provider: Option<Provider>, message: String) {
        let report = ErrorReport {
            code,
            provider,
            message,
            spent: self.spent(),
        };
        self.end_as(State::Broken(Box::new(report)));
    }

    /// The error is told with all that was spent by now.
    pub(super) fn finish_with_error(&mut self, report: ErrorReport) -> bool {
        let spent = self.spent();
        self.tell(Told::Error(ErrorReport { spent, ..report }));
        self.state = State::Ended;
        true
    }
}

fn error_code(kind: FailureKind) -> ErrorCode {
    match kind {
        FailureKind::Throttled => ErrorCode::ProviderThrottled,
        FailureKind::Quota => ErrorCode::ProviderQuota,
        FailureKind::Closed => ErrorCode::ProviderClosed,
        FailureKind::Misconfigured => ErrorCode::Misconfigured,
        FailureKind::Refused | FailureKind::BadImage => ErrorCode::ProviderRefused,
        FailureKind::Malformed | FailureKind::TooLarge | FailureKind::Down => {
            ErrorCode::ProviderDown
        }
    }
}

/// Who failed, how, and whether later helps.
fn message(provider: Provider, code: ErrorCode, detail: &str) -> String {
    let who = match provider {
        Provider::Search => "The image search",
        Provider::Recogniser => "The recogniser",
        Provider::Planner => "The planner",
    };
    let what = match code {
        ErrorCode::ProviderThrottled => "is asked too often at the moment; try again in a minute",
        ErrorCode::ProviderQuota => "has used up its quota; try again when it is renewed",
        ErrorCode::ProviderClosed => "is closed to this server's operator; trying again won't help",
        ErrorCode::ProviderRefused => "refused the request; trying again won't help",
        ErrorCode::ProviderDown => "gives no usable answer at the moment; try again later",
        ErrorCode::Misconfigured => "does not accept this server's settings; its operator must act",
        ErrorCode::Internal => "met an error of ours",
    };
    format!("{who} {what} ({detail}).")
}
