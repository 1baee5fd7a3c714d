//! Which photo addresses may be fetched: https on public names, nothing private, nothing literal.

use std::fmt;

use url::{Host, Url};

/// The longest address that is followed.
const ADDRESS_CHARS_MAX: usize = 2_048;

/// Which addresses may be fetched.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AddressPolicy {
    /// One origin that is allowed whatever it is: the sandbox's.
    pub allowed_origin: Option<String>,
}

/// Why an address is not followed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressError {
    /// Not an address, or far too long.
    Unparsable,
    /// Not https.
    Scheme,
    /// A user name or password in it.
    UserInfo,
    /// A port of its own.
    Port,
    /// A number instead of a name.
    Literal,
    /// A name of a private network or of no network.
    PrivateName,
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
        })
    }
}

/// Names that never lead to a public host (RFC 6761, RFC 6762, RFC 8375, and common habits).
const PRIVATE_SUFFIXES: [&str; 12] = [
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
];

impl AddressPolicy {
    /// Checks an address before it is fetched, and each redirect's target again.
    pub fn check(&self, address: &str) -> Result<Url, AddressError> {
        if address.len() > ADDRESS_CHARS_MAX {
            return Err(AddressError::Unparsable);
        }
        let url = Url::parse(address).map_err(|_| AddressError::Unparsable)?;
        self.check_url(&url)?;
        Ok(url)
    }

    /// The same for an address that is parsed already.
    pub fn check_url(&self, url: &Url) -> Result<(), AddressError> {
        if !url.username().is_empty() || url.password().is_some() {
            return Err(AddressError::UserInfo);
        }
        let is_allowed = self
            .allowed_origin
            .as_ref()
            .is_some_and(|allowed| *allowed == url.origin().ascii_serialization());
        if is_allowed {
            return Ok(());
        }
        if url.scheme() != "https" {
            return Err(AddressError::Scheme);
        }
        // The scheme's own port is no port of its own.
        if url.port().is_some() {
            return Err(AddressError::Port);
        }
        match url.host() {
            Some(Host::Domain(name)) if is_public(name) => Ok(()),
            Some(Host::Domain(_)) => Err(AddressError::PrivateName),
            // The parser has turned decimal, octal and short forms into plain IPv4 by now.
            Some(Host::Ipv4(_) | Host::Ipv6(_)) => Err(AddressError::Literal),
            None => Err(AddressError::Unparsable),
        }
    }
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

    #[track_caller]
    fn check(address: &str, expected: Result<(), AddressError>) {
        let policy = AddressPolicy {
            allowed_origin: Some("http://127.0.0.1:8788".into()),
        };
        assert_eq!(policy.check(address).map(|_| ()), expected, "{address}");
    }

    #[test]
    fn public_https_addresses_are_followed() {
        check("https://upload.wikimedia.org/a.jpg", Ok(()));
        check("https://photos.example.com:443/a.jpg?x=1", Ok(()));
        check("http://127.0.0.1:8788/photos/1.png", Ok(()));
    }

    #[test]
    fn everything_else_is_not() {
        check("http://photos.example.com/a.jpg", Err(AddressError::Scheme));
        check("x-raw-image:///abc", Err(AddressError::Scheme));
        check("file:///etc/passwd", Err(AddressError::Scheme));
        check("data:image/png;base64,AAAA", Err(AddressError::Scheme));
        check(
            "https://user@photos.example.com/",
            Err(AddressError::UserInfo),
        );
        check("http://user@127.0.0.1:8788/", Err(AddressError::UserInfo));
        check("https://photos.example.com:8443/", Err(AddressError::Port));
        check("https://127.0.0.1/a.jpg", Err(AddressError::Literal));
        check("https://2130706433/", Err(AddressError::Literal));
        check("https://0x7f.1/", Err(AddressError::Literal));
        check("https://[::1]/", Err(AddressError::Literal));
        check("https://[::ffff:10.0.0.1]/", Err(AddressError::Literal));
        check("https://8.8.8.8/", Err(AddressError::Literal));
        check("https://localhost/", Err(AddressError::PrivateName));
        check("https://printer.local/", Err(AddressError::PrivateName));
        check(
            "https://metadata.google.internal./",
            Err(AddressError::PrivateName),
        );
        check("https://intranet/", Err(AddressError::PrivateName));
        check("https://LOCALHOST./", Err(AddressError::PrivateName));
        check("http://127.0.0.1:8789/", Err(AddressError::Scheme));
        check("http://localhost:8788/", Err(AddressError::Scheme));
        check("not an address", Err(AddressError::Unparsable));
        check(
            &format!("https://a.example/{}", "x".repeat(3_000)),
            Err(AddressError::Unparsable),
        );
    }
}
