//! Decides which photo addresses may be fetched: https on public names, nothing private, nothing
//! literal, and nothing of this server itself.

use std::fmt;

use url::{Host, Url};

use crate::own_host::OwnHost;
use crate::{bounded_url, network_address};

/// The longest address that is followed.
const ADDRESS_CHARS_MAX: usize = 2_048;

/// The rules for which addresses may be fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    allowed_origin: Option<String>,
    own_hosts: Vec<OwnHost>,
}

/// The reason why an address is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressError {
    /// The text is no address, or far too long.
    Unparsable,
    /// The scheme is neither https nor one that may be tried as https.
    Scheme,
    /// The address has a user name or a password in it.
    UserInfo,
    /// The address has a port of its own.
    Port,
    /// The host is a number instead of a name.
    Literal,
    /// The host is a name of a private network or of no network.
    PrivateName,
    /// The host is this server itself.
    OwnServer,
}

impl fmt::Display for AddressError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Unparsable => "its address cannot be read",
            Self::Scheme => "its address is not https",
            Self::UserInfo => "its address carries a user name",
            Self::Port => "its address names a port",
            Self::Literal => "its address is a number, not a name",
            Self::PrivateName => "its address is private",
            Self::OwnServer => "its address is this server",
        })
    }
}

/// The names that never lead to a public host (RFC 6761, RFC 6762, RFC 8375, RFC 9476, and common
/// habits).
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

impl AddressPolicy {
    /// Makes a policy. `allowed_origin` is allowed whatever it is: it is the sandbox's. `own_hosts`
    /// are this server's own.
    #[must_use]
    pub fn new(allowed_origin: Option<String>, own_hosts: Vec<OwnHost>) -> Self {
        Self {
            allowed_origin,
            own_hosts,
        }
    }

    /// Returns the policy of a server that is reached at this host, too: `example.org`, or
    /// `127.0.0.1:8787`.
    #[must_use]
    pub fn at_host(mut self, host: Option<&str>) -> Self {
        self.own_hosts.extend(host.and_then(OwnHost::parse));
        self
    }

    /// Returns the address to fetch for one that was found. `http` becomes `https`: nothing is
    /// fetched in the clear.
    pub fn check(&self, address: &str) -> Result<Url, AddressError> {
        check_length(address)?;
        self.permitted(bounded_url::parse(address).ok_or(AddressError::Unparsable)?)
    }

    /// Returns the address to fetch for the target of a redirect, by the rules of [`Self::check`].
    pub fn check_redirect(&self, from: &Url, location: &str) -> Result<Url, AddressError> {
        check_length(location)?;
        let target = bounded_url::join(from, location).ok_or(AddressError::Unparsable)?;
        let is_plain = target.scheme() == "http";
        let target = self.permitted(target)?;
        // The host wants to be asked in the clear. Asked by https, it would only say so again.
        if is_plain && target == *from {
            return Err(AddressError::Scheme);
        }
        Ok(target)
    }

    /// Returns whether what an origin answered came from a private network: a name that anybody may register
    /// leads wherever its owner says. `network_address` is where the answer came from, as browsers write it.
    #[must_use]
    pub fn is_private(&self, origin: &str, network_address: &str) -> bool {
        self.allowed_origin.as_deref() != Some(origin)
            && network_address::is_private(network_address)
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
        // The scheme's own port does not count as a port of its own.
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
            // The parser has turned decimal, octal and short forms into plain IPv4 by now.
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(AddressError::Literal),
            None => Err(AddressError::Unparsable),
        }
    }
}

/// Refuses an address that is far too long.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn policy() -> AddressPolicy {
        let sandbox = Some("http://127.0.0.1:8788".into());
        AddressPolicy::new(sandbox, Vec::new()).at_host(Some("127.0.0.1:8787"))
    }

    #[track_caller]
    fn check(address: &str, expected: Result<&str, AddressError>) {
        let checked = policy().check(address);
        let checked = checked.as_ref().map(Url::as_str).map_err(|error| *error);
        assert_eq!(checked, expected, "{address}");
    }

    #[track_caller]
    fn check_redirect(location: &str, expected: Result<&str, AddressError>) {
        let from = Url::parse("https://photos.example.com/a/b.jpg").unwrap();
        let checked = policy().check_redirect(&from, location);
        let checked = checked.as_ref().map(Url::as_str).map_err(|error| *error);
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
        // The redirect would go round in a circle.
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
        // What stands for a number or a private name is one.
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
