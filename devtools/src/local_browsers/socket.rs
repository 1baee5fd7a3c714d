//! A socket to a browser, natively.

use std::cell::RefCell;

use futures::channel::mpsc;
use futures::lock::Mutex;
use futures::stream::SplitStream;
use futures::{SinkExt as _, StreamExt as _};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio::sync::Notify;
use tokio::task::spawn_local;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::{WebSocketStream, client_async};
use url::Url;

use cdp::{DevToolsSocket, SocketClosed};

/// The longest response about the socket's address, in bytes.
const ANSWER_BYTES_MAX: u64 = 100_000;

/// A socket to a browser.
#[derive(Debug)]
pub struct LocalSocket {
    messages: Mutex<SplitStream<WebSocketStream<TcpStream>>>,
    outgoing: RefCell<Option<mpsc::UnboundedSender<Message>>>,
    closed: Notify,
}

impl LocalSocket {
    /// Connects to a socket's `ws://` address.
    pub(super) async fn connect(address: &str) -> Result<Self, String> {
        let stream = connect(address).await?;
        let (socket, _) = client_async(address, stream)
            .await
            .map_err(|error| format!("the browser's socket could not be opened: {error}"))?;
        let (mut sink, messages) = socket.split();
        let (outgoing, mut waiting) = mpsc::unbounded();
        spawn_local(async move {
            while let Some(message) = waiting.next().await {
                if sink.send(message).await.is_err() {
                    return;
                }
            }
            // Closing fails if the other side has already closed the socket, which does not matter.
            let _ = sink.close().await;
        });
        Ok(Self {
            messages: Mutex::new(messages),
            outgoing: RefCell::new(Some(outgoing)),
            closed: Notify::new(),
        })
    }
}

impl DevToolsSocket for LocalSocket {
    fn send(&self, message: &str) -> Result<(), SocketClosed> {
        let outgoing = self.outgoing.borrow();
        let sender = outgoing.as_ref().ok_or(SocketClosed)?;
        let sent = sender.unbounded_send(Message::text(message));
        sent.map_err(|_| SocketClosed)
    }

    async fn next(&self) -> Option<String> {
        let mut messages = self.messages.lock().await;
        loop {
            let message = tokio::select! {
                message = messages.next() => message?.ok()?,
                () = self.closed.notified() => return None,
            };
            match message {
                Message::Text(text) => return Some(text.to_string()),
                Message::Close(_) => return None,
                _ => {}
            }
        }
    }

    fn close(&self) {
        *self.outgoing.borrow_mut() = None;
        self.closed.notify_one();
    }
}

/// Requests the address of a browser's socket.
pub(super) async fn socket_address(address: &str) -> Result<String, String> {
    let broken = |error: std::io::Error| format!("the browser does not answer: {error}");
    let mut stream = connect(address).await?;
    let host = address.trim_start_matches("http://").trim_end_matches('/');
    let request =
        format!("GET /json/version HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n");
    stream.write_all(request.as_bytes()).await.map_err(broken)?;
    let mut answer = Vec::new();
    // The browser keeps the connection open, so only as many bytes are read as the head announces.
    loop {
        let mut piece = [0; 4_096];
        let length = stream.read(&mut piece).await.map_err(broken)?;
        answer.extend(piece.iter().take(length));
        let text = String::from_utf8_lossy(&answer);
        let is_whole = text
            .split_once("\r\n\r\n")
            .is_some_and(|(_, body)| body.trim_end().ends_with('}'));
        let is_over = u64::try_from(answer.len()).unwrap_or(u64::MAX) > ANSWER_BYTES_MAX;
        if length == 0 || is_whole || is_over {
            break;
        }
    }
    let text = String::from_utf8_lossy(&answer);
    let body = text.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    let version: serde_json::Value = serde_json::from_str(body.trim())
        .map_err(|_| "the address does not answer as a browser does".to_owned())?;
    let socket = version
        .get("webSocketDebuggerUrl")
        .and_then(serde_json::Value::as_str);
    let socket = socket.ok_or("the browser did not say where its socket is")?;
    Ok(socket.to_owned())
}

async fn connect(address: &str) -> Result<TcpStream, String> {
    let url = Url::parse(address).map_err(|_| "the browser's address cannot be read".to_owned())?;
    let host = url.host_str().unwrap_or_default().to_owned();
    let port = url.port_or_known_default().unwrap_or_default();
    let stream = TcpStream::connect((host.as_str(), port)).await;
    let stream = stream.map_err(|error| format!("the browser cannot be reached: {error}"))?;
    // Commands are small, and each waits for its answer, so data is sent without delay.
    stream
        .set_nodelay(true)
        .map_err(|error| error.to_string())?;
    Ok(stream)
}
