//! The names under which this server answers.
//!
//! A web page may have its own name lead to this machine after it was loaded (DNS rebinding), and is
//! then of the same origin as a server here. Where only this machine reaches the server, a request for
//! any other name comes from such a page.

use url::{Host, Url};

use crate::own_host::OwnHost;

/// The names that are this server's.
#[derive(Debug, Clone, Default)]
pub struct OwnNames {
    is_loopback_only: bool,
    others: Vec<OwnHost>,
}

impl OwnNames {
    /// Makes the names of a server that listens on loopback only, or everywhere; `others` are the
    /// operator's.
    pub(crate) fn new(is_loopback_only: bool, others: Vec<OwnHost>) -> Self {
        Self {
            is_loopback_only,
            others,
        }
    }

    /// Returns whether this machine alone reaches the server.
    #[must_use]
    pub fn is_loopback_only(&self) -> bool {
        self.is_loopback_only
    }

    /// Returns whether a request for this address is answered.
    #[must_use]
    pub fn answer_to(&self, url: &Url) -> bool {
        !self.is_loopback_only || is_loopback(url) || self.others.iter().any(|own| own.is_of(url))
    }
}

/// Returns whether a name leads to this machine whatever a name server says (RFC 6761, section
/// 6.3).
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

    #[track_caller]
    fn check(names: &OwnNames, address: &str, expected: bool) {
        let url = Url::parse(address).unwrap();
        assert_eq!(names.answer_to(&url), expected, "{address}");
    }

    #[test]
    fn a_server_on_loopback_answers_to_loopback_names_and_the_operators() {
        let others = ["degrees.test", "192.168.7.7:8787"];
        let others = others.map(|host| OwnHost::parse(host).unwrap());
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
