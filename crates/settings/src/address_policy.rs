//! Decides which addresses received from strangers may be fetched: https on public host names, but no private networks,
//! no literal IP addresses, and not this server itself. Hosts may be in any script, within the length limits of host
//! names.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use thiserror::Error;
use url::{Host, Url};

use crate::own_host::OwnHost;

/// The longest address that is accepted, in bytes.
const ADDRESS_CHARS_MAX: usize = 2_048;

/// The names that never lead to a public host (RFC 6761, RFC 6762, RFC 8375, RFC 9476, and common practice).
const PRIVATE_SUFFIXES: [&str; 14] = [
    "localhost",
    "local",
    "localdomain",
    "internal",
    "intranet",
    "private",
    "corp",
    "home",
    "lan",
    "home.arpa",
    "onion",
    "test",
    "invalid",
    "alt",
];

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

/// The longest label of a host, in ASCII (RFC 1035, section 2.3.4).
const LABEL_BYTES_MAX: usize = 63;
/// The longest host (RFC 1035, section 2.3.4).
const HOST_BYTES_MAX: usize = 253;
/// The longest host in an address, in bytes: each byte percent-encoded, and a port. The parser would decode a longer
/// one, using fifty times its bytes, before its length could be checked.
const AUTHORITY_BYTES_MAX: usize = HOST_BYTES_MAX * 3 + 6;

/// The rules that decide which addresses may be fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    allowed_origin: Option<String>,
    own_hosts: Vec<OwnHost>,
}

impl AddressPolicy {
    /// Makes a policy. `allowed_origin`, which is the sandbox's, is always allowed. `own_hosts` are this server's own.
    #[must_use]
    pub fn new(allowed_origin: Option<String>, own_hosts: Vec<OwnHost>) -> Self {
        Self {
            allowed_origin,
            own_hosts,
        }
    }

    /// Returns the policy for a server that is reached at this host too, like `example.org` or `127.0.0.1:8787`.
    #[must_use]
    pub fn at_host(mut self, host: Option<&str>) -> Self {
        self.own_hosts.extend(host.and_then(OwnHost::parse));
        self
    }

    /// Returns the address to fetch in place of a found one. `http` becomes `https`, since nothing is fetched
    /// unencrypted.
    pub fn check(&self, address: &str) -> Result<Url, AddressError> {
        check_length(address)?;
        self.permitted(parse(address).ok_or(AddressError::Unparsable)?)
    }

    /// Returns the address to fetch for the target of a redirect, by the rules of [`Self::check`].
    pub fn check_redirect(&self, from: &Url, location: &str) -> Result<Url, AddressError> {
        check_length(location)?;
        let target = join(from, location).ok_or(AddressError::Unparsable)?;
        let is_plain = target.scheme() == "http";
        let target = self.permitted(target)?;
        // If only the scheme differs, the host redirects https to http, so trying https again would only loop.
        if is_plain && target == *from {
            return Err(AddressError::Scheme);
        }
        Ok(target)
    }

    /// Returns whether an origin's answer came from a private network. This is possible because anybody can register a
    /// name that leads there. `network_address` is the IP address of the answer's sender, as browsers write it.
    #[must_use]
    pub fn is_private(&self, origin: &str, network_address: &str) -> bool {
        self.allowed_origin.as_deref() != Some(origin) && is_private(network_address)
    }

    fn permitted(&self, mut url: Url) -> Result<Url, AddressError> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo);
        }
        if self.own_hosts.iter().any(|own| own.is_of(&url)) {
            return Err(AddressError::OwnServer);
        }
        let is_allowed = self
            .allowed_origin
            .as_ref()
            .is_some_and(|allowed| *allowed == url.origin().ascii_serialization());
        if is_allowed {
            return Ok(url);
        }
        // `url.port()` omits the default port of the scheme, which is allowed.
        let has_port = url.port().is_some();
        match url.scheme() {
            "https" => {}
            "http" if !has_port => url.set_scheme("https").map_err(|()| AddressError::Scheme)?,
            _ => return Err(AddressError::Scheme),
        }
        if has_port {
            return Err(AddressError::Port);
        }
        match url.host() {
            Some(Host::Domain(name)) if is_public(name) => Ok(url),
            Some(Host::Domain(_)) => Err(AddressError::PrivateName),
            // The parser has already normalised decimal, octal and short forms to plain IPv4, so they are refused too.
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(AddressError::Literal),
            None => Err(AddressError::Unparsable),
        }
    }
}

/// The reason why an address is not fetched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum AddressError {
    /// The text is not an address, or is too long.
    #[error("its address cannot be read")]
    Unparsable,
    /// The scheme is neither https nor http.
    #[error("its address is not https")]
    Scheme,
    /// The address contains a user name or a password.
    #[error("its address carries a user name")]
    UserInfo,
    /// The address has a non-default port.
    #[error("its address names a port")]
    Port,
    /// The host is an IP address instead of a name.
    #[error("its address is a number, not a name")]
    Literal,
    /// The host is a name that leads into a private network or nowhere.
    #[error("its address is private")]
    PrivateName,
    /// The host is this server itself.
    #[error("its address is this server")]
    OwnServer,
}

/// Refuses an address that is too long.
fn check_length(address: &str) -> Result<(), AddressError> {
    if address.len() > ADDRESS_CHARS_MAX {
        return Err(AddressError::Unparsable);
    }
    Ok(())
}

fn is_public(name: &str) -> bool {
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    let is_private = PRIVATE_SUFFIXES
        .iter()
        .any(|suffix| name == *suffix || name.ends_with(&format!(".{suffix}")));
    name.contains('.') && !is_private
}

/// Returns whether an IP address, as browsers write it, is not public: it belongs to this machine or to a private
/// network, or is reserved for a special purpose. False if the text is not an IP address.
fn is_private(address: &str) -> bool {
    let bare = address.trim_start_matches('[').trim_end_matches(']');
    // The zone after `%` is not part of the address and would not parse.
    match bare.split('%').next().unwrap_or_default().parse() {
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
        // An IPv4 address, mapped or translated to IPv6, is judged by the rules for IPv4.
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            inner(high, low)
        }
        [0x2002, high, low, ..] => inner(high, low),
        // These networks belong to the global range 2000::/3, but are reserved for tunnels, protocols or documentation.
        [0x2001, second, ..] => second < 0x200 || second == 0xdb8,
        [0x3fff, second, ..] => second < 0x1000,
        [first, ..] => first & 0xe000 != 0x2000,
    }
}

/// Parses an address; `None` if it is invalid, if its host is too long, or if it has a control character. The parser
/// would silently drop line breaks.
pub(crate) fn parse(address: &str) -> Option<Url> {
    let url = is_bounded(address).then(|| Url::parse(address).ok());
    url.flatten().filter(has_host_of_usual_length)
}

/// Parses an address that may be relative to `base`, with the checks of [`parse`].
pub(crate) fn join(base: &Url, address: &str) -> Option<Url> {
    let url = is_bounded(address).then(|| base.join(address).ok());
    url.flatten().filter(has_host_of_usual_length)
}

fn has_host_of_usual_length(url: &Url) -> bool {
    url.host_str().is_none_or(|host| {
        let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
        host.len() <= HOST_BYTES_MAX
            && labels.all(|label| (1..=LABEL_BYTES_MAX).contains(&label.len()))
    })
}

fn is_bounded(address: &str) -> bool {
    // The parser trims these characters too. If they were not trimmed here, they could hide the authority.
    let address = address.trim_matches(|letter| letter <= ' ');
    authority(address).is_none_or(|text| text.len() <= AUTHORITY_BYTES_MAX)
        && !address.chars().any(char::is_control)
}

/// Returns the part of an address with credentials, host and port. The address may lack a scheme, and have slashes or
/// backslashes. `None` if it is only a path.
fn authority(address: &str) -> Option<&str> {
    let is_slash = |letter: char| matches!(letter, '/' | '\\');
    let is_end = |letter: char| is_slash(letter) || matches!(letter, '?' | '#');
    let after_scheme = match address.split_once(':') {
        Some((scheme, after)) if !scheme.contains(is_end) => after,
        _ if address
            .chars()
            .take(2)
            .filter(|letter| is_slash(*letter))
            .count()
            == 2 =>
        {
            address
        }
        _ => return None,
    };
    after_scheme
        .trim_start_matches(is_slash)
        .split(is_end)
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    mod policy {
        use super::*;

        fn policy() -> AddressPolicy {
            let sandbox = Some("http://127.0.0.1:8788".into());
            AddressPolicy::new(sandbox, Vec::new()).at_host(Some("127.0.0.1:8787"))
        }

        #[track_caller]
        fn check(address: &str, expected: Result<&str, AddressError>) {
            let url = policy().check(address);
            let checked = url.as_ref().map(Url::as_str).map_err(|error| *error);
            assert_eq!(checked, expected, "{address}");
        }

        #[track_caller]
        fn check_redirect(location: &str, expected: Result<&str, AddressError>) {
            let from = Url::parse("https://photos.example.com/a/b.jpg").unwrap();
            let url = policy().check_redirect(&from, location);
            let checked = url.as_ref().map(Url::as_str).map_err(|error| *error);
            assert_eq!(checked, expected, "{location}");
        }

        #[test]
        fn public_https_addresses_are_followed() {
            for address in [
                "https://upload.wikimedia.org/a.jpg",
                "https://somebody-else.workers.dev/a.jpg",
                "http://127.0.0.1:8788/photos/1.png",
            ] {
                check(address, Ok(address));
            }
            let without_port = Ok("https://photos.example.com/a.jpg?x=1");
            check("https://photos.example.com:443/a.jpg?x=1", without_port);
        }

        #[test]
        fn plain_http_is_tried_as_https() {
            let secure = Ok("https://photos.example.com/c.jpg");
            check("http://photos.example.com/c.jpg", secure);
            check("http://photos.example.com:80/c.jpg", secure);
            check_redirect("http://photos.example.com/c.jpg", secure);
            check_redirect("/c.jpg", secure);
            // A redirect from https to http of the same address would loop.
            let same = "http://photos.example.com/a/b.jpg";
            check_redirect(same, Err(AddressError::Scheme));
        }

        #[test]
        fn a_redirect_is_no_longer_than_an_address() {
            let location = format!("/{}", "x".repeat(ADDRESS_CHARS_MAX));
            check_redirect(&location, Err(AddressError::Unparsable));
            check_redirect("https://", Err(AddressError::Unparsable));
        }

        #[test]
        fn a_host_in_any_script_is_asked_as_browsers_do() {
            let host = "https://xn--bcher-kva.example/a.jpg";
            check("https://bücher.example/a.jpg", Ok(host));
            check("http://B%C3%9CCHER.example/a.jpg", Ok(host));
            check_redirect("//bücher.example/a.jpg", Ok(host));
            check(
                "https://p\u{3002}example/a.jpg",
                Ok("https://p.example/a.jpg"),
            );
            // Unicode's compatibility forms of digits and letters count as these digits and letters.
            check("https://１２７.0.0.1/", Err(AddressError::Literal));
            check("https://ｌocalhost/", Err(AddressError::PrivateName));
        }

        #[test]
        fn what_stands_for_no_host_is_not_asked() {
            for host in [
                "a.%E3%80%82P",
                "a\t.example",
                "xn--a.example",
                "a\u{fffd}.example",
            ] {
                check(
                    &format!("https://{host}/a.jpg"),
                    Err(AddressError::Unparsable),
                );
                check(&format!("https:/{host}"), Err(AddressError::Unparsable));
                check_redirect(&format!("//{host}?b"), Err(AddressError::Unparsable));
                check_redirect(&format!("\\\\{host}#b"), Err(AddressError::Unparsable));
            }
            let path = "https://photos.example.com/%C3%A9:%20.jpg";
            check("https://photos.example.com/\u{e9}:%20.jpg", Ok(path));
            check_redirect("/\u{e9}:%20.jpg", Ok(path));
        }

        #[test]
        fn each_refusal_says_why() {
            for (address, refusal) in [
                ("http://photos.example.com:443/", AddressError::Scheme),
                ("data:image/png;base64,AAAA", AddressError::Scheme),
                ("http://127.0.0.1:8789/", AddressError::Scheme),
                ("http://localhost:8788/", AddressError::Scheme),
                ("http://user@127.0.0.1:8788/", AddressError::UserInfo),
                ("https://photos.example.com:8443/", AddressError::Port),
                ("https://8.8.8.8/", AddressError::Literal),
                ("http://8.8.8.8/", AddressError::Literal),
                ("https://intranet/", AddressError::PrivateName),
                (
                    "http://127.0.0.1:8787/photos/1.png",
                    AddressError::OwnServer,
                ),
                ("not an address", AddressError::Unparsable),
            ] {
                check(address, Err(refusal));
            }
        }
    }

    mod networks {
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

    mod bounds {
        use super::*;

        #[track_caller]
        fn check(address: &str, expect: Option<&str>) {
            let url = parse(address);
            assert_eq!(url.as_ref().map(Url::as_str), expect, "{address}");
        }

        #[test]
        fn a_host_may_be_in_any_script() {
            check(
                "https://bücher.example/a.jpg",
                Some("https://xn--bcher-kva.example/a.jpg"),
            );
            check(
                "https://b%C3%BCcher.example/a.jpg",
                Some("https://xn--bcher-kva.example/a.jpg"),
            );
            check(
                "https://例え.テスト/",
                Some("https://xn--r8jz45g.xn--zckzah/"),
            );
            check(
                "https://пример.испытание/",
                Some("https://xn--e1afmkfd.xn--80akhbyknj4f/"),
            );
            check("https://ＡＢ.example/", Some("https://ab.example/"));
            // Only the host counts towards its limit, not what follows it.
            check(
                "https://a.example:8443/\u{e9}",
                Some("https://a.example:8443/%C3%A9"),
            );
            check("\n https://a.example ", Some("https://a.example/"));
        }

        #[test]
        fn what_is_no_host_is_none() {
            // These hosts were found by tests/fuzz.
            for host in [
                "Ab%ef.example",
                "A\u{fffd}.example",
                "a\t.example",
                "xWn--H\u{2002}",
                "xn--a.example",
                "a b.example",
                "a..example",
            ] {
                check(&format!("https://{host}/a"), None);
                check(&format!("https://{host}"), None);
            }
            check("degrees.example", None);
        }

        #[test]
        fn a_host_is_no_longer_than_hosts_are() {
            for host in ["a".repeat(64), "abc.".repeat(65), "ü".repeat(60)] {
                check(&format!("https://{host}.org"), None);
            }
            let host = ["a".repeat(63), "b".repeat(63)].join(".");
            assert!(parse(&format!("https://{host}.org:8443/")).is_some());
            let base = Url::parse("https://a.example/b/c").unwrap();
            assert_eq!(join(&base, &format!("//{}.org/", "a".repeat(64))), None);
            assert_eq!(
                join(&base, "d").map(String::from),
                Some("https://a.example/b/d".into())
            );
        }
    }
}
