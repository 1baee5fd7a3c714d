//! The meaning of a provider's failure for the run.

use domain::{Failure, FailureKind, Provider};

use crate::machine::interface::{ErrorCode, ErrorReport, FailedProvider, Spent};

/// The reason why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunError {
    code: ErrorCode,
    provider: Option<FailedProvider>,
    message: String,
}

impl RunError {
    /// Makes the error of a provider that stays down, refuses, or is closed.
    pub fn of_provider(provider: Provider, failure: &Failure) -> Self {
        let code = error_code(failure.kind);
        Self {
            code,
            provider: Some(FailedProvider {
                role: provider,
                id: failure.provider().map(str::to_owned),
            }),
            message: message(provider, code, failure.detail()),
        }
    }

    /// Makes the error of a mistake in this program, which is told as such.
    pub fn internal(what: &str) -> Self {
        Self {
            code: ErrorCode::Internal,
            provider: None,
            message: format!("Something went wrong here: {what}."),
        }
    }

    /// Returns the error as it is told, with all that was spent by then.
    pub fn report(&self, spent: Spent) -> ErrorReport {
        ErrorReport {
            code: self.code,
            provider: self.provider.clone(),
            message: self.message.clone(),
            spent,
        }
    }
}

fn error_code(kind: FailureKind) -> ErrorCode {
    match kind {
        FailureKind::Throttled => ErrorCode::ProviderThrottled,
        FailureKind::Quota => ErrorCode::ProviderQuota,
        FailureKind::Closed => ErrorCode::ProviderClosed,
        FailureKind::Misconfigured => ErrorCode::Misconfigured,
        FailureKind::Refused | FailureKind::BadImage => ErrorCode::ProviderRefused,
        FailureKind::Malformed
        | FailureKind::TooLarge
        | FailureKind::Down
        | FailureKind::HandedOver
        | FailureKind::MalformedHandedOver => ErrorCode::ProviderDown,
    }
}

/// Returns the sentence that tells who failed, how, and whether trying later helps.
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
