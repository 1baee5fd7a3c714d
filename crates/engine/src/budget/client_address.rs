//! The rule of who is counted as one client.

use std::net::IpAddr;

/// Returns the name of a client by the address that `CF-Connecting-IP` gives. A household has a /64
/// of IPv6 and is one client; senders without an address are one client together.
#[must_use]
pub fn client_of(address: Option<&str>) -> String {
    match address.and_then(|address| address.trim().parse::<IpAddr>().ok()) {
        None => String::new(),
        Some(address) => match address.to_canonical() {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => {
                let [a, b, c, d, ..] = address.segments();
                format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
            }
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_is_an_address_or_a_network_of_ipv6() {
        assert_eq!(client_of(Some("192.0.2.7")), "192.0.2.7");
        assert_eq!(client_of(Some("::ffff:192.0.2.7")), "192.0.2.7");
        assert_eq!(client_of(Some("2001:db8:1:2:3:4:5:6")), "2001:db8:1:2::/64");
        assert_eq!(client_of(Some("2001:db8:1:2::1")), "2001:db8:1:2::/64");
        assert_eq!(client_of(Some("no address")), "");
        assert_eq!(client_of(None), "");
    }
}
