//! Tells the network addresses that anybody may reach from those of private networks.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The special-purpose networks of IPv4, each with the length of its prefix.
///
/// Source: <https://www.iana.org/assignments/iana-ipv4-special-registry/>
const SPECIAL: [(Ipv4Addr, u32); 15] = [
    (Ipv4Addr::UNSPECIFIED, 8),
    (Ipv4Addr::new(10, 0, 0, 0), 8),
    (Ipv4Addr::new(100, 64, 0, 0), 10),
    (Ipv4Addr::new(127, 0, 0, 0), 8),
    (Ipv4Addr::new(169, 254, 0, 0), 16),
    (Ipv4Addr::new(172, 16, 0, 0), 12),
    (Ipv4Addr::new(192, 0, 0, 0), 24),
    (Ipv4Addr::new(192, 0, 2, 0), 24),
    (Ipv4Addr::new(192, 88, 99, 0), 24),
    (Ipv4Addr::new(192, 168, 0, 0), 16),
    (Ipv4Addr::new(198, 18, 0, 0), 15),
    (Ipv4Addr::new(198, 51, 100, 0), 24),
    (Ipv4Addr::new(203, 0, 113, 0), 24),
    (Ipv4Addr::new(224, 0, 0, 0), 4),
    (Ipv4Addr::new(240, 0, 0, 0), 4),
];

/// Returns whether a network address, as browsers write it, is a private one: of this machine, of a network
/// that is not public, or for a special purpose. What is no address is none.
pub(crate) fn is_private(address: &str) -> bool {
    let address = address.trim_start_matches('[').trim_end_matches(']');
    // The zone of a link is no part of the address.
    let address = address.split('%').next().unwrap_or_default();
    match address.parse() {
        Ok(IpAddr::V4(address)) => is_private_v4(address),
        Ok(IpAddr::V6(address)) => is_private_v6(address),
        Err(_) => false,
    }
}

fn is_private_v4(address: Ipv4Addr) -> bool {
    let is_in = |(network, length): &(Ipv4Addr, u32)| {
        (address.to_bits() ^ network.to_bits()).leading_zeros() >= *length
    };
    SPECIAL.iter().any(is_in)
}

/// Source: <https://www.iana.org/assignments/iana-ipv6-special-registry/>
fn is_private_v6(address: Ipv6Addr) -> bool {
    let inner = |high: u16, low: u16| {
        let bits = (u32::from(high) << 16) | u32::from(low);
        is_private_v4(Ipv4Addr::from_bits(bits))
    };
    match address.segments() {
        // An address of IPv4: mapped, or as translators write it.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            inner(high, low)
        }
        [0x2002, high, low, ..] => inner(high, low),
        // Of what is global, for tunnels and protocols, and for examples.
        [0x2001, second, ..] => second < 0x200 || second == 0xdb8,
        [0x3fff, second, ..] => second < 0x1000,
        [first, ..] => first & 0xe000 != 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn private_addresses_are_told_from_public_ones() {
        for private in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.127.255.255",
            "127.0.0.1",
            "127.255.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.168.1.1",
            "198.19.0.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "[::1]",
            "::1",
            "fe80::1%eth0",
            "fd00::1",
            "fec0::1",
            "ff02::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "2002:a00:1::1",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
        ] {
            assert!(is_private(private), "{private}");
        }
        for public in [
            "",
            "no address",
            "1.1.1.1",
            "93.184.215.14",
            "100.63.0.1",
            "100.128.0.1",
            "172.15.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.17.0.1",
            "223.255.255.255",
            "2606:4700:4700::1111",
            "[2001:4860:4860::8888]",
            "::ffff:1.1.1.1",
            "64:ff9b::101:101",
            "2002:101:101::1",
        ] {
            assert!(!is_private(public), "{public}");
        }
    }
}
