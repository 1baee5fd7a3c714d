//! Serves [`Sandbox::respond`] over sockets, with a real clock and real pauses.

use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body as WireBody, to_bytes};
use axum::extract::{Request, State};
use axum::response::{IntoResponse as _, Response};
use futures::stream;
use http::StatusCode;
use tokio::net::TcpListener;

use super::providers::{BodyEnding, Chunk, ReplyBody};
use super::service::Sandbox;

/// The largest request that is accepted, in bytes. The largest image in base64 is smaller.
const REQUEST_BYTES_MAX: usize = 16 * 1024 * 1024;
/// The longest delay before a reply, in milliseconds. A larger latency is reduced to this.
const LATENCY_MS_MAX: u64 = 600_000;

/// The pause between the last bytes of an incomplete body and the end of the connection, in milliseconds.
const BREAK_PAUSE_MS: u64 = 50;

type Shared = Arc<Mutex<Sandbox>>;

/// Binds a port of the loopback interface; 0 chooses a free port. The error is a sentence for the user.
pub async fn bind(port: u16) -> Result<TcpListener, String> {
    TcpListener::bind(("127.0.0.1", port))
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => {
                format!("port {port} is in use: stop what listens there, or choose another --port")
            }
            io::ErrorKind::PermissionDenied => {
                format!("port {port} may not be used by this user: choose one above 1023")
            }
            _ => format!("cannot listen on port {port}: {error}"),
        })
}

/// Serves until `SIGINT` or `SIGTERM` arrives.
pub async fn serve(listener: TcpListener, sandbox: Sandbox) -> io::Result<()> {
    let shared: Shared = Arc::new(Mutex::new(sandbox));
    let app = Router::new().fallback(handle).with_state(shared);
    let serving = axum::serve(listener, app);
    // Axum's graceful shutdown is not used, because it would wait for hanging replies, which never end.
    tokio::select! {
        result = async { serving.await } => result,
        () = stopped() => Ok(()),
    }
}

async fn stopped() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut terminated) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminated.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}

async fn handle(State(shared): State<Shared>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let Ok(bytes) = to_bytes(body, REQUEST_BYTES_MAX).await else {
        return (
            StatusCode::PAYLOAD_TOO_LARGE,
            "The request is larger than 16 MB.\n",
        )
            .into_response();
    };
    let request = http::Request::from_parts(head, bytes.to_vec());
    let reply = {
        let mut sandbox = shared.lock().unwrap_or_else(PoisonError::into_inner);
        sandbox.respond(request, now_ms())
    };
    pause(reply.latency_ms.min(LATENCY_MS_MAX)).await;
    reply.response.map(wire_body)
}

async fn pause(delay_ms: u64) {
    if delay_ms > 0 {
        tokio::time::sleep(Duration::from_millis(delay_ms)).await;
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the one place where the sandbox reads a clock"
)]
fn now_ms() -> u64 {
    let passed = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    passed.map_or(0, |passed| {
        u64::try_from(passed.as_millis()).unwrap_or(u64::MAX)
    })
}

fn wire_body(body: ReplyBody) -> WireBody {
    match body {
        ReplyBody::Whole(bytes) => WireBody::from(bytes),
        ReplyBody::Pieces { chunks, ending } => pieces(chunks, ending),
    }
}

fn pieces(chunks: Vec<Chunk>, ending: BodyEnding) -> WireBody {
    WireBody::from_stream(stream::unfold(
        (chunks.into_iter(), ending),
        |(mut rest, ending)| async move {
            match (rest.next(), ending) {
                (Some(chunk), _) => {
                    pause(chunk.pause_ms).await;
                    Some((Ok(chunk.bytes), (rest, ending)))
                }
                (None, BodyEnding::BrokenOff) => {
                    // The connection only breaks after a pause, so that the bytes sent before it arrive.
                    pause(BREAK_PAUSE_MS).await;
                    let broken =
                        io::Error::new(io::ErrorKind::ConnectionReset, "broken off on purpose");
                    Some((Err(broken), (rest, BodyEnding::Complete)))
                }
                (None, BodyEnding::Complete) => None,
            }
        },
    ))
}
