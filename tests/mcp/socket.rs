//! Requests of the MCP client on real sockets.

// Each program uses a part of this.
#![allow(dead_code, clippy::indexing_slicing)]

use std::cell::RefCell;
use std::io::Read as _;
use std::time::Duration;

use devtools::rehearsal::simulation::{RealBody, ToolServers};
use http::Uri;
use mcp::{CallFailure, Connection, Exchange, Operation, Reply, Step};
use platform::TransportError;
use serde_json::Value;

/// The longest wait for an answer.
const ANSWER_MAX: Duration = Duration::from_secs(20);

/// The longest wait for the rest of a stream, which is there or comes at once.
const SILENCE_MAX: Duration = Duration::from_millis(300);

/// Servers on real sockets, and the calls they really executed.
pub struct RealServers {
    agent: ureq::Agent,
    addresses: Vec<Uri>,
    calls: RefCell<Vec<String>>,
}

impl RealServers {
    /// At these addresses.
    pub fn new(addresses: &[String]) -> Self {
        let addresses = addresses.iter().filter_map(|address| address.parse().ok());
        Self {
            agent: agent(),
            addresses: addresses.collect(),
            calls: RefCell::default(),
        }
    }

    /// Returns and clears the answered calls, as `tool {arguments}`.
    pub fn take_calls(&self) -> Vec<String> {
        self.calls.take()
    }

    fn note(&self, body: &[u8]) {
        let json: Value = serde_json::from_slice(body).unwrap_or_default();
        if json["method"] == "tools/call" {
            let tool = json["params"]["name"].as_str().unwrap_or_default();
            let call = format!("{tool} {}", json["params"]["arguments"]);
            self.calls.borrow_mut().push(call);
        }
    }
}

impl ToolServers for RealServers {
    fn serves(&self, address: &Uri) -> bool {
        self.addresses.contains(address)
    }

    fn open(
        &self,
        request: http::Request<Vec<u8>>,
    ) -> Result<http::Response<RealBody>, TransportError> {
        let body = request.body().clone();
        let answer = send(&self.agent, request).map_err(|_| TransportError::Broken)?;
        if answer.status().is_success() {
            self.note(&body);
        }
        Ok(answer.map(|body| -> RealBody { Box::new(body.into_reader()) }))
    }
}

/// Returns the HTTP client.
pub fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder()
        .http_status_as_error(false)
        .max_redirects(0)
        .timeout_global(Some(ANSWER_MAX))
        .build();
    config.into()
}

type Answer = ureq::http::Response<ureq::Body>;

/// Sends a request and waits for the head of the response.
pub fn send(agent: &ureq::Agent, request: http::Request<Vec<u8>>) -> Result<Answer, ureq::Error> {
    let (head, body) = request.into_parts();
    if head.method == http::Method::POST {
        return agent.run(http::Request::from_parts(head, body));
    }
    // The rest of a stream: if nothing comes, it is requested again.
    let request = agent.configure_request(http::Request::from_parts(head, ()));
    agent.run(request.timeout_recv_body(Some(SILENCE_MAX)).build())
}

/// Drives one exchange, like a session.
pub fn conduct(
    agent: &ureq::Agent,
    connection: Connection,
    operation: Operation,
) -> (Connection, Result<Reply, CallFailure>) {
    let mut exchange = Exchange::new(connection, operation);
    let mut step = exchange.begin();
    let mut answer: Option<Answer> = None;
    loop {
        while let Some(aside) = exchange.aside() {
            let _ = send(agent, aside);
        }
        for progress in exchange.take_progress() {
            println!("progress: {} of {:?}", progress.progress, progress.total);
        }
        step = match step {
            Step::Done(result) => return (exchange.into_connection(), result),
            Step::Pause(ms) => {
                std::thread::sleep(Duration::from_millis(ms));
                exchange.go_on()
            }
            Step::Send(request) => match send(agent, request) {
                Err(_) => exchange.take_nothing(),
                Ok(head) => {
                    let next = exchange.take_head(head.status(), head.headers());
                    answer = Some(head);
                    next
                }
            },
            Step::Read => {
                let mut piece = [0; 4_096];
                let body = answer.as_mut().map(ureq::http::Response::body_mut);
                match body.map(|body| body.as_reader().read(&mut piece)) {
                    Some(Ok(length)) if length > 0 => exchange.take_bytes(&piece[..length]),
                    Some(Ok(_)) => exchange.take_end(true),
                    Some(Err(_)) | None => exchange.take_end(false),
                }
            }
        };
    }
}
