//! What the client needs of the platform: sockets, a clock, and a way to go on beside the caller.

use futures::future::LocalBoxFuture;

/// Whose browser a session is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sharing {
    /// The session is a browser of the run's own: it ends with the run, and asks nobody for anything that the
    /// run's guard refuses.
    Own,
    /// The browser is there for many runs and goes on after this one: what begins in it waits for the guard of
    /// the run whose it is.
    Shared,
}

/// Browsers that speak the `DevTools` protocol, and the clock that belongs to them. Failures are sentences
/// without a full stop.
///
/// Everything happens on one thread. The words of a failure are shown to users.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/>
pub trait DevTools: 'static {
    /// A connection to a browser.
    type Socket: DevToolsSocket + 'static;
    /// A place among the browsers that may be open at once; dropping it makes room for others.
    type Turn: 'static;

    /// Returns the time in milliseconds since 1970.
    fn now_ms(&self) -> u64;

    /// Waits for so many milliseconds.
    fn sleep(&self, ms: u64) -> impl Future<Output = ()>;

    /// Carries on with a task beside the caller, for as long as the process lives.
    fn spawn(&self, task: LocalBoxFuture<'static, ()>);

    /// Returns whose browser a session is.
    fn sharing(&self) -> Sharing;

    /// Waits until there is room for one more browser.
    fn take_turn(&self) -> impl Future<Output = Self::Turn>;

    /// Begins a session, and returns its id.
    fn begin_session(&self) -> impl Future<Output = Result<String, String>>;

    /// Connects to a session that was begun here or by another process.
    fn connect(&self, session: &str) -> impl Future<Output = Result<Self::Socket, String>>;

    /// Ends a session where it is the run's own.
    fn end_session(&self, session: &str) -> impl Future<Output = ()>;
}

/// The error that a message could not be sent: the connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SocketClosed;

/// A connection to a browser: messages of text in both directions.
pub trait DevToolsSocket {
    /// Sends a message.
    fn send(&self, message: &str) -> Result<(), SocketClosed>;

    /// Waits for the next message. Returns `None` once the connection is closed, by either side.
    fn next(&self) -> impl Future<Output = Option<String>>;

    /// Closes the connection.
    fn close(&self);
}
