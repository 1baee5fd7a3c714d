//! Serves the sandbox's web site on a free local port, and sends short requests to it.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use serde_json::Value;
use tokio::runtime::Builder;

use sandbox::{SandboxOptions, server};

use super::stage::sandbox;

/// The longest wait for an answer.
const ANSWER_MAX: Duration = Duration::from_secs(10);

/// The sandbox's web site, served as long as the program runs.
#[derive(Debug)]
pub(super) struct LocalSite {
    host: String,
}

impl LocalSite {
    /// Serves the site on another thread, so that it responds during runs.
    pub(super) fn start() -> Result<Self, String> {
        let (tell, told) = mpsc::channel();
        thread::spawn(move || {
            let said = serve(&tell);
            // Once the site has started, nobody receives this result, and sending it fails.
            let _ = tell.send(said.map(|()| String::new()));
        });
        let host = told.recv().map_err(|error| error.to_string())??;
        Ok(Self { host })
    }

    /// Returns the site's address, without a trailing slash.
    pub(super) fn address(&self) -> String {
        format!("http://{}", self.host)
    }

    /// Returns the site's response as JSON.
    pub(super) fn ask(&self, method: &str, path: &str, body: &str) -> Result<Value, String> {
        let answer = ask(&self.host, method, path, body);
        let answer = answer.map_err(|error| format!("{method} {path}: {error}"))?;
        Ok(serde_json::from_str(&answer).unwrap_or(Value::String(answer)))
    }
}

fn serve(tell: &mpsc::Sender<Result<String, String>>) -> Result<(), String> {
    let runtime = Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    runtime.block_on(async {
        let listener = server::bind(0).await?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let options = SandboxOptions {
            origin: format!("http://{address}"),
            ..SandboxOptions::default()
        };
        let sandbox = sandbox(options)?;
        // Sending fails if the receiver has gone; then nobody needs the address.
        let _ = tell.send(Ok(address.to_string()));
        let served = server::serve(listener, sandbox).await;
        served.map_err(|error| error.to_string())
    })
}

fn ask(host: &str, method: &str, path: &str, body: &str) -> std::io::Result<String> {
    let mut stream = TcpStream::connect(host)?;
    stream.set_read_timeout(Some(ANSWER_MAX))?;
    let length = body.len();
    let head = format!(
        "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body.as_bytes())?;
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer)?;
    let answer = String::from_utf8_lossy(&answer);
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
    Ok(body.to_owned())
}
