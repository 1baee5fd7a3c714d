//! Real MCP servers that an in-memory run may call.

use std::io::Read;

use http::Uri;

use platform::{TransportError, WireRequest};

/// The body of a real response. Virtual time stands still while it is read.
pub type RealBody = Box<dyn Read>;
/// The number of bytes read at once.
const PIECE_BYTES: usize = 4_096;

/// A client of real MCP servers. Its calls take no virtual time.
pub trait ToolServers {
    /// Returns whether this address is that of one of the servers.
    fn serves(&self, address: &Uri) -> bool;

    /// Sends a request and waits for the head of the response.
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
