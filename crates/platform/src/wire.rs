//! The values that go to a transport and come back from it.

/// A request as it is handed to a transport.
pub type WireRequest = http::Request<Vec<u8>>;

/// An answer as a transport read it, whole and within its bound.
pub type WireResponse = http::Response<Vec<u8>>;
