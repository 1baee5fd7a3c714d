//! Connects natively to a browser at an address.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures::future::LocalBoxFuture;
use tokio::task::spawn_local;

use cdp::{DevTools, Sharing};

use super::socket::{self, LocalSocket};

/// A browser at an address, for [`cdp::BrowserClient`]. Requires a `LocalSet` of `tokio`.
#[derive(Debug, Clone)]
pub struct LocalDevTools {
    address: String,
    sharing: Sharing,
}

impl LocalDevTools {
    /// Makes the browser at an address like `http://127.0.0.1:9333`. The path of the browser's socket identifies its
    /// session, because a restart changes it.
    #[must_use]
    pub fn new(address: &str, sharing: Sharing) -> Self {
        Self {
            address: address.trim_end_matches('/').to_owned(),
            sharing,
        }
    }
}

impl DevTools for LocalDevTools {
    type Socket = LocalSocket;
    type Turn = ();

    fn now_ms(&self) -> u64 {
        #[expect(clippy::disallowed_methods, reason = "this is the clock, natively")]
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        let now_ms = now.map(|now| now.as_millis()).unwrap_or_default();
        u64::try_from(now_ms).unwrap_or(u64::MAX)
    }

    async fn sleep(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        spawn_local(task);
    }

    fn sharing(&self) -> Sharing {
        self.sharing
    }

    async fn take_turn(&self) {}

    async fn begin_session(&self) -> Result<String, String> {
        let socket = socket::socket_address(&self.address).await?;
        let path = socket.find("/devtools/").and_then(|at| socket.get(at..));
        Ok(path.unwrap_or_default().to_owned())
    }

    async fn connect(&self, session: &str) -> Result<LocalSocket, String> {
        let address = self.address.replacen("http", "ws", 1);
        LocalSocket::connect(&format!("{address}{session}")).await
    }

    async fn end_session(&self, _session: &str) {}
}
