//! The network of a run in memory: the sandbox answers each request in virtual time.

use std::rc::Rc;

use platform::{Network, TransportError, WireRequest};
use sandbox::{Reply, SandboxProvider};

use super::fault_injector::{FaultDecision, FaultTiming, Operation, never};
use super::in_memory_effects::InMemoryEffects;
use super::outside_body::OutsideBody;
use super::tool_servers::{RealBody, ToolServers};

/// The response of an external service.
enum OutsideAnswer {
    Reply(Reply),
    Real(Result<http::Response<RealBody>, TransportError>),
}

impl InMemoryEffects {
    /// Sends a request. The service responds at once, but its latency passes in [`head`](Self::head).
    fn answer(&self, request: WireRequest) -> OutsideAnswer {
        if let Some(servers) = self.tool_servers(&request) {
            return OutsideAnswer::Real(servers.open(request));
        }
        let now_ms = self.shared.clock.now_ms();
        OutsideAnswer::Reply(self.shared.sandbox.borrow_mut().respond(request, now_ms))
    }

    async fn head(
        &self,
        answer: OutsideAnswer,
    ) -> Result<http::Response<OutsideBody>, TransportError> {
        match answer {
            OutsideAnswer::Real(answer) => Ok(answer?.map(OutsideBody::Real)),
            OutsideAnswer::Reply(reply) => {
                self.sleep(reply.latency_ms).await;
                let clock = self.shared.clock.clone();
                Ok(OutsideBody::of_sandbox(reply.response, clock))
            }
        }
    }

    /// Returns the real MCP servers if the request is for one of them.
    fn tool_servers(&self, request: &WireRequest) -> Option<&Rc<dyn ToolServers>> {
        let servers = self.shared.tool_servers.as_ref();
        servers.filter(|servers| servers.serves(request.uri()))
    }

    /// Returns the kind of operation that a request counts as.
    fn operation_of(&self, request: &WireRequest) -> Operation {
        if self.tool_servers(request).is_some() || request.uri().path().starts_with("/mcp/") {
            Operation::Tool
        } else {
            Operation::Send(provider_of(request))
        }
    }
}

/// Returns the provider that a request is for. All base addresses are the sandbox's, but each provider has its own
/// paths.
fn provider_of(request: &WireRequest) -> SandboxProvider {
    match request.uri().path() {
        "/" => SandboxProvider::Rekognition,
        path if path.starts_with("/v1beta/") => SandboxProvider::Gemini,
        path if path.starts_with("/cloudflare/") => SandboxProvider::WorkersAi,
        path if path.starts_with("/openai/") => SandboxProvider::OpenAi,
        path => SandboxProvider::searching_at(path).unwrap_or(SandboxProvider::Image),
    }
}

impl Network for InMemoryEffects {
    type Body = OutsideBody;

    fn now_ms(&self) -> u64 {
        self.shared.clock.now_ms()
    }

    fn jitter(&self) -> f64 {
        0.5
    }

    async fn sleep(&self, ms: u64) {
        self.shared.clock.sleep(ms).await;
    }

    async fn open(
        &self,
        request: WireRequest,
    ) -> Result<http::Response<OutsideBody>, TransportError> {
        let decision = self.fault(self.operation_of(&request));
        match decision {
            FaultDecision::Fail(FaultTiming::Before) => return Err(TransportError::Broken),
            FaultDecision::Hang(FaultTiming::Before) => return never().await,
            FaultDecision::Proceed
            | FaultDecision::Fail(FaultTiming::After)
            | FaultDecision::Hang(FaultTiming::After) => {}
        }
        let answer = self.answer(request);
        self.note_effect();
        match decision {
            FaultDecision::Fail(_) => Err(TransportError::Broken),
            FaultDecision::Hang(_) => never().await,
            FaultDecision::Proceed => self.head(answer).await,
        }
    }
}
