//! The hosts under which this server itself is reached: nothing is fetched from there, or a photo's
//! address could start runs and read what only this server may.

use url::{Host, Url};

use crate::bounded_url;

/// The end of the platform's names. It gives each version of a Worker a name of its own:
/// `VERSION-NAME.ACCOUNT.workers.dev`.
const PLATFORM_SUFFIX: &str = ".workers.dev";

/// One host of this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHost {
    host: Host,
    /// The port, or `None` where any port of the host is this server's.
    port: Option<u16>,
}

impl OwnHost {
    /// Parses `example.org` or `127.0.0.1:8787`. Returns `None` where the text is no host.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = bounded_url::parse(&format!("https://{text}"))?;
        let is_host = url.path() == "/"
            && !text.ends_with('/')
            && url.username().is_empty()
            && url.password().is_none()
            && url.query().is_none()
            && url.fragment().is_none();
        Some(Self {
            host: spelled(&url).filter(|_| is_host)?,
            port: url.port(),
        })
    }

    /// Returns whether an address leads to this host.
    pub(crate) fn is_of(&self, url: &Url) -> bool {
        let is_port = self.port.is_none() || self.port == url.port_or_known_default();
        is_port && spelled(url).is_some_and(|host| host == self.host || self.is_version(&host))
    }

    /// Returns whether a host is that of one version of this Worker.
    fn is_version(&self, host: &Host) -> bool {
        match (&self.host, host) {
            (Host::Domain(own), Host::Domain(name)) if own.ends_with(PLATFORM_SUFFIX) => name
                .strip_suffix(own)
                .is_some_and(|before| before.ends_with('-')),
            _ => false,
        }
    }
}

/// Returns the host of an address as [`OwnHost::parse`] reads it, with the port that it names.
#[must_use]
pub fn host_and_port(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// Returns an address's host in one spelling.
fn spelled(url: &Url) -> Option<Host> {
    Some(match url.host()?.to_owned() {
        Host::Domain(name) => Host::Domain(name.trim_end_matches('.').to_ascii_lowercase()),
        literal => literal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(own: &str, address: &str, expected: bool) {
        let url = Url::parse(address).unwrap();
        let own = OwnHost::parse(own).unwrap();
        assert_eq!(own.is_of(&url), expected, "{address}");
    }

    #[test]
    fn a_host_is_known_in_every_spelling() {
        for address in [
            "https://degrees.example/",
            "http://DEGREES.example./a",
            "https://degrees.example:8443/",
            "https://degre%65s.example/",
            "ftp://degrees.example/",
            "https:\\\\degrees.example\\a",
        ] {
            check("Degrees.Example.", address, true);
        }
        check("degrees.example", "https://a.degrees.example/", false);
        check("degrees.example", "https://other-degrees.example/", false);
        check("127.0.0.1:8787", "http://2130706433:8787/", true);
        check("127.0.0.1:8787", "http://127.0.0.1:8788/", false);
        check("[::1]:8787", "http://[0:0:0:0:0:0:0:1]:8787/", true);
    }

    #[test]
    fn the_host_of_a_request_is_read_back() {
        for (address, host) in [
            ("https://degrees.example/runs?a=b", "degrees.example"),
            ("http://127.0.0.1:8787/runs", "127.0.0.1:8787"),
            ("http://[::1]:8787/", "[::1]:8787"),
        ] {
            let url = Url::parse(address).unwrap();
            assert_eq!(host_and_port(&url).as_deref(), Some(host));
            assert!(OwnHost::parse(host).unwrap().is_of(&url));
        }
    }

    #[test]
    fn versions_of_the_worker_are_the_worker() {
        let own = "degrees.me.workers.dev";
        check(own, "https://degrees.me.workers.dev/", true);
        check(own, "https://0a1b2c3d-degrees.me.workers.dev/", true);
        check(own, "https://photos.me.workers.dev/", false);
        check(own, "https://degrees.you.workers.dev/", false);
    }

    #[test]
    fn what_is_no_host_is_none() {
        for text in [
            "",
            "https://a.example",
            "a.example/",
            "a.example/b",
            "u@a.example",
            "a b",
        ] {
            assert_eq!(OwnHost::parse(text), None, "{text}");
        }
    }
}
