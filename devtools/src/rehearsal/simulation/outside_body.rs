//! The body of a response from outside: the sandbox's, in virtual time, or a real server's.

use std::rc::Rc;

use http::header::CONTENT_LENGTH;

use platform::{IncomingBody, TransportError};
use sandbox::{BodyEnding, ReplyBody};

use super::tool_servers::{RealBody, next_piece};
use super::virtual_clock::VirtualClock;

/// The body of a response from outside.
pub(super) enum OutsideBody {
    Sandbox(SandboxBody),
    Real(RealBody),
}

pub(super) struct SandboxBody {
    clock: Rc<VirtualClock>,
    body: ReplyBody,
    promised: Option<usize>,
}

impl OutsideBody {
    /// Makes the body of a sandbox's response, timed by this clock.
    pub(super) fn of_sandbox(
        response: http::Response<ReplyBody>,
        clock: Rc<VirtualClock>,
    ) -> http::Response<Self> {
        let promised = response.headers().get(CONTENT_LENGTH);
        let promised = promised.and_then(|length| length.to_str().ok()?.parse().ok());
        response.map(|body| {
            Self::Sandbox(SandboxBody {
                clock,
                body,
                promised,
            })
        })
    }
}

impl IncomingBody for OutsideBody {
    fn promised_bytes(&self) -> Option<usize> {
        match self {
            Self::Sandbox(body) => body.promised,
            Self::Real(_) => None,
        }
    }

    async fn read(self, bytes_max: usize) -> Result<Vec<u8>, TransportError> {
        let mut body = match self {
            Self::Sandbox(body) => return body.read(bytes_max).await,
            Self::Real(body) => body,
        };
        let mut bytes = Vec::new();
        while let Some(piece) = next_piece(&mut body) {
            bytes.extend(piece?);
            if bytes.len() > bytes_max {
                return Err(TransportError::TooLarge);
            }
        }
        Ok(bytes)
    }

    async fn next(&mut self) -> Option<Result<Vec<u8>, TransportError>> {
        match self {
            Self::Sandbox(body) => body.next().await,
            Self::Real(body) => next_piece(body),
        }
    }
}

impl SandboxBody {
    async fn read(self, bytes_max: usize) -> Result<Vec<u8>, TransportError> {
        let mut is_whole = true;
        let mut bytes = Vec::new();
        match self.body {
            ReplyBody::Whole(whole) => bytes = whole,
            ReplyBody::Pieces { chunks, ending } => {
                for chunk in chunks {
                    self.clock.sleep(chunk.pause_ms).await;
                    bytes.extend(chunk.bytes);
                    if bytes.len() > bytes_max {
                        return Err(TransportError::TooLarge);
                    }
                }
                is_whole = ending == BodyEnding::Complete;
            }
        }
        if bytes.len() > bytes_max {
            return Err(TransportError::TooLarge);
        }
        let is_short = self.promised.is_some_and(|length| length != bytes.len());
        if is_short || !is_whole {
            return Err(TransportError::Broken);
        }
        Ok(bytes)
    }

    async fn next(&mut self) -> Option<Result<Vec<u8>, TransportError>> {
        match &mut self.body {
            ReplyBody::Whole(whole) => whole.next().await,
            ReplyBody::Pieces { chunks, ending } => {
                if chunks.is_empty() {
                    let is_whole = *ending == BodyEnding::Complete;
                    return (!is_whole).then_some(Err(TransportError::Broken));
                }
                let chunk = chunks.remove(0);
                self.clock.sleep(chunk.pause_ms).await;
                Some(Ok(chunk.bytes))
            }
        }
    }
}
