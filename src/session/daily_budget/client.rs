//! Who is counted as one client.

use std::net::{IpAddr, Ipv6Addr};

use crate::domain::Sha256Digest;

/// The characters of a digest that are kept.
const DIGEST_CHARS: usize = 16;
/// Who sends no address counts as one client.
const NO_ADDRESS: &str = "none";

/// The short digest of a client's address, another one each day: that is all that is kept of it.
/// An IPv6 address counts by its first 64 bits, which one line has.
#[must_use]
pub fn client_digest(address: Option<&str>, now_ms: u64) -> String {
    let network = match address.and_then(|text| text.trim().parse().ok()) {
        Some(IpAddr::V4(address)) => address.to_string(),
        Some(IpAddr::V6(address)) => match address.to_ipv4_mapped() {
            Some(address) => address.to_string(),
            None => first_half(address),
        },
        None => NO_ADDRESS.to_owned(),
    };
    let day = super::ledger::day_of(now_ms);
    let digest = Sha256Digest::of(format!("client {day} {network}").as_bytes());
    digest.as_str().chars().take(DIGEST_CHARS).collect()
}

fn first_half(address: Ipv6Addr) -> String {
    let [a, b, c, d, ..] = address.segments();
    Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0).to_string()
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
