//! The hosts and names of this server.
//!
//! Nothing is fetched from them. Otherwise a photo's address could start runs and read what is reserved for this
//! server.
//!
//! The host name of a web page can be made to lead to this machine after the page was loaded (DNS rebinding). The page
//! then has the same origin as a server here. If the server is reachable only from this machine, a request for a name
//! other than the server's own comes from such a page and is refused.

use url::{Host, Url};

use crate::address_policy;

/// The suffix of the platform's host names. Each version of a Worker has its own:
/// `VERSION-NAME.ACCOUNT.workers.dev`.
const PLATFORM_SUFFIX: &str = ".workers.dev";

/// One host of this server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OwnHost {
    host: Host,
    /// The port; `None` if the host belongs to this server at all ports.
    port: Option<u16>,
}

impl OwnHost {
    /// Parses a host with or without port, like `example.org` or `127.0.0.1:8787`.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = address_policy::parse(&format!("https://{text}"))?;
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

    /// Returns whether an address leads to this host of the server.
    pub(crate) fn is_of(&self, url: &Url) -> bool {
        let is_port = self.port.is_none() || self.port == url.port_or_known_default();
        is_port && spelled(url).is_some_and(|host| host == self.host || self.is_version(&host))
    }

    /// Returns whether a host belongs to a version of this Worker, which is this server too.
    fn is_version(&self, host: &Host) -> bool {
        match (&self.host, host) {
            (Host::Domain(own), Host::Domain(name)) if own.ends_with(PLATFORM_SUFFIX) => name
                .strip_suffix(own)
                .is_some_and(|before| before.ends_with('-')),
            _ => false,
        }
    }
}

/// Returns the host of an address, normalised as in [`OwnHost::parse`], with its port if it has one.
#[must_use]
pub fn host_and_port(url: &Url) -> Option<String> {
    let host = url.host_str()?;
    Some(match url.port() {
        Some(port) => format!("{host}:{port}"),
        None => host.to_owned(),
    })
}

/// Returns an address's host in the form in which hosts are compared.
fn spelled(url: &Url) -> Option<Host> {
    Some(match url.host()?.to_owned() {
        Host::Domain(name) => Host::Domain(name.trim_end_matches('.').to_ascii_lowercase()),
        literal => literal,
    })
}

/// The names of this server.
#[derive(Debug, Clone, Default)]
pub struct OwnNames {
    is_loopback_only: bool,
    others: Vec<OwnHost>,
}

impl OwnNames {
    /// Makes the names of a server. `others` are the names that the operator configured besides the built-in ones.
    pub(crate) fn new(is_loopback_only: bool, others: Vec<OwnHost>) -> Self {
        Self {
            is_loopback_only,
            others,
        }
    }

    /// Returns whether the server is reachable only from this machine.
    #[must_use]
    pub fn is_loopback_only(&self) -> bool {
        self.is_loopback_only
    }

    /// Returns whether the server answers requests for this address.
    #[must_use]
    pub fn answer_to(&self, url: &Url) -> bool {
        !self.is_loopback_only || is_loopback(url) || self.others.iter().any(|own| own.is_of(url))
    }
}

/// Returns whether a name always leads to this machine, independently of name servers (RFC 6761, section 6.3).
fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Domain(name)) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.to_canonical().is_loopback(),
        None => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    mod own_host {
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
        fn a_host_may_be_in_any_script() {
            for (host, punycode) in [
                ("münchen.example", "xn--mnchen-3ya.example"),
                ("例え.テスト", "xn--r8jz45g.xn--zckzah"),
                ("пример.испытание", "xn--e1afmkfd.xn--80akhbyknj4f"),
                ("مثال.إختبار", "xn--mgbh0fb.xn--kgbechtv"),
                ("उदाहरण.परीक्षा", "xn--p1b6ci4b4b3a.xn--11b5bs3a9aj6g"),
            ] {
                let url = Url::parse(&format!("https://{host}:8443/")).unwrap();
                assert_eq!(host_and_port(&url), Some(format!("{punycode}:8443")));
                assert_eq!(OwnHost::parse(host), OwnHost::parse(punycode));
                check(host, &format!("https://{punycode}/"), true);
            }
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

    mod own_names {
        use super::*;

        #[track_caller]
        fn check(names: &OwnNames, address: &str, expected: bool) {
            let url = Url::parse(address).unwrap();
            assert_eq!(names.answer_to(&url), expected, "{address}");
        }

        #[test]
        fn a_server_on_loopback_answers_to_loopback_names_and_the_operators() {
            let others =
                ["degrees.test", "192.168.7.7:8787"].map(|host| OwnHost::parse(host).unwrap());
            let names = OwnNames::new(true, others.to_vec());
            for own in [
                "http://localhost:8787/",
                "http://LOCALHOST./",
                "http://degrees.localhost:8787/",
                "http://127.0.0.1:8787/",
                "http://127.1.2.3/",
                "http://[::1]:8787/",
                "http://[::ffff:127.0.0.1]:8787/",
                "http://degrees.test:8787/",
                "http://192.168.7.7:8787/",
            ] {
                check(&names, own, true);
            }
            for foreign in [
                "http://evil.example:8787/",
                "http://localhost.evil.example:8787/",
                "http://127.0.0.1.evil.example/",
                "http://evil-localhost/",
                "http://192.168.7.7:8788/",
                "http://0.0.0.0:8787/",
                "http://10.0.0.1:8787/",
                "http://[::]:8787/",
            ] {
                check(&names, foreign, false);
            }
        }

        #[test]
        fn a_server_that_is_reached_from_elsewhere_answers_to_every_name() {
            check(&OwnNames::default(), "https://degrees.example/", true);
        }
    }
}
