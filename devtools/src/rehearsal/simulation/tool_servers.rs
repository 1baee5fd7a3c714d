//! The real MCP servers beside a world in memory.

use std::io::Read;

use http::Uri;

use platform::{TransportError, WireRequest};

/// A body that is read while the world in memory waits.
pub type RealBody = Box<dyn Read>;
/// The number of bytes that are read at once.
const PIECE_BYTES: usize = 4_096;

/// A client of real MCP servers. Its time is not the run's: for the run, everything comes at
/// once.
pub trait ToolServers {
    /// Returns whether it asks the server at this address.
    fn serves(&self, address: &Uri) -> bool;

    /// Sends a request and waits for its answer's head.
    fn open(&self, request: WireRequest) -> Result<http::Response<RealBody>, TransportError>;
}

/// Returns the next piece of a body, or `None` at its end.
pub(super) fn next_piece(body: &mut RealBody) -> Option<Result<Vec<u8>, TransportError>> {
    let mut piece = vec![0; PIECE_BYTES];
    match body.read(&mut piece) {
        Ok(0) => None,
        Ok(length) => {
            piece.truncate(length);
            Some(Ok(piece))
        }
        Err(_) => Some(Err(TransportError::Broken)),
    }
}
