//! The stored forms of what comes from outside: a model's answer, a result, a provider's failure, and a
//! browser's address.

use serde::{Deserialize, Serialize};

use domain::chat::{ChatReply, ModelToolCall};
use domain::page::BrowserAddress;
use domain::{Failure, FailureKind};

/// The stored form of a [`ChatReply`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ReplyForm {
    text: String,
    model: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    calls: Vec<ModelCallForm>,
}

impl ReplyForm {
    /// Returns the stored form of an answer.
    #[must_use]
    pub fn of(reply: &ChatReply) -> Self {
        let calls = reply.calls.iter().map(|call| ModelCallForm {
            id: call.id.clone(),
            tool: call.tool.clone(),
            arguments: call.arguments.clone(),
        });
        Self {
            text: reply.text.clone(),
            model: reply.model.clone(),
            calls: calls.collect(),
        }
    }

    /// Reads the answer back.
    #[must_use]
    pub fn read(self) -> ChatReply {
        let calls = self.calls.into_iter().map(|call| ModelToolCall {
            id: call.id,
            tool: call.tool,
            arguments: call.arguments,
        });
        ChatReply {
            calls: calls.collect(),
            text: self.text,
            model: self.model,
        }
    }
}

/// A tool that a model calls.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct ModelCallForm {
    id: String,
    tool: String,
    arguments: String,
}

/// The stored form of a `Result`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum ResultForm<T, F> {
    /// The thing that was asked for.
    Ok(T),
    /// The reason why the thing that was asked for did not come.
    Failed(F),
}

impl<T, F> ResultForm<T, F> {
    /// Returns the stored form of a result.
    pub fn of<A, B>(result: &Result<A, B>, ok: impl Fn(&A) -> T, failed: impl Fn(&B) -> F) -> Self {
        match result {
            Ok(value) => Self::Ok(ok(value)),
            Err(error) => Self::Failed(failed(error)),
        }
    }

    /// Returns whether the thing that was asked for came.
    pub fn is_ok(&self) -> bool {
        matches!(self, Self::Ok(_))
    }

    /// Reads the result back. Fails where one of its parts cannot be read.
    pub fn read<A, B, E>(
        self,
        ok: impl Fn(T) -> Result<A, E>,
        failed: impl Fn(F) -> Result<B, E>,
    ) -> Result<Result<A, B>, E> {
        Ok(match self {
            Self::Ok(value) => Ok(ok(value)?),
            Self::Failed(error) => Err(failed(error)?),
        })
    }
}

/// The stored form of a `Result`, for `#[serde(with = "ResultDef")]`.
#[derive(Serialize, Deserialize)]
#[serde(remote = "Result", rename_all = "camelCase")]
pub enum ResultDef<T, E> {
    /// The thing that was asked for.
    Ok(T),
    /// The reason why the thing that was asked for did not come.
    #[serde(rename = "failed")]
    Err(E),
}

/// The stored form of a [`Failure`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FailureForm {
    kind: String,
    detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    retry_after_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    provider: Option<String>,
}

impl FailureForm {
    /// Returns the stored form of a failure.
    #[must_use]
    pub fn of(failure: &Failure) -> Self {
        Self {
            kind: failure.kind.as_str().to_owned(),
            detail: failure.detail().to_owned(),
            retry_after_ms: failure.retry_after_ms(),
            provider: failure.provider().map(str::to_owned),
        }
    }

    /// Reads the failure back. Returns `None` where it is of no kind that this program knows.
    #[must_use]
    pub fn read(self) -> Option<Failure> {
        let failure =
            Failure::new(FailureKind::named(&self.kind)?, self.detail).after(self.retry_after_ms);
        Some(match self.provider {
            Some(provider) => failure.of(&provider),
            None => failure,
        })
    }
}

/// The stored form of a [`BrowserAddress`], as far as it is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct BrowserAddressForm {
    /// The browser's session.
    session: String,
    /// The run's own context in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context: Option<String>,
    /// The page in that context.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    target: Option<String>,
}

impl BrowserAddressForm {
    /// Returns the form of an address.
    #[must_use]
    pub fn of(address: &BrowserAddress) -> Self {
        Self {
            session: address.session.clone(),
            context: address.context.clone(),
            target: address.target.clone(),
        }
    }

    /// Reads the address back.
    #[must_use]
    pub fn read(&self) -> BrowserAddress {
        BrowserAddress {
            session: self.session.clone(),
            context: self.context.clone(),
            target: self.target.clone(),
        }
    }
}
