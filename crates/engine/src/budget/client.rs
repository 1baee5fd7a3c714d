//! The digest that is kept of a client.

use domain::Sha256Digest;

use super::client_of;

/// The number of characters of a digest that are kept.
const DIGEST_CHARS: usize = 16;

/// Returns the short digest of a client's address, which is another one each day. Nothing else is
/// kept of the client.
#[must_use]
pub fn client_digest(address: Option<&str>, now_ms: u64) -> String {
    let client = client_of(address);
    let day = super::ledger::day_of(now_ms);
    let digest = Sha256Digest::of(format!("client {day} {client}").as_bytes());
    digest.as_str().chars().take(DIGEST_CHARS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY_MS: u64 = 86_400_000;

    #[test]
    fn a_client_is_an_ipv4_address_or_an_ipv6_network_for_a_day() {
        let of = |address| client_digest(Some(address), DAY_MS);
        assert_eq!(of("192.0.2.1").len(), DIGEST_CHARS);
        assert_ne!(of("192.0.2.1"), of("192.0.2.2"));
        assert_eq!(of("192.0.2.1"), of("::ffff:192.0.2.1"));
        assert_eq!(of("2001:db8:1:2::1"), of("2001:db8:1:2:ffff::9"));
        assert_ne!(of("2001:db8:1:2::1"), of("2001:db8:1:3::1"));
        assert_ne!(
            of("192.0.2.1"),
            client_digest(Some("192.0.2.1"), 2 * DAY_MS)
        );
        assert_eq!(client_digest(None, DAY_MS), of("nonsense"));
    }
}
