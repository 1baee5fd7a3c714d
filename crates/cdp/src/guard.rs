//! Decides which addresses a run's page may request.

use url::Url;

use domain::page::{BrowserTerms, TypedText};
use settings::AddressPolicy;

/// The schemes of addresses that need no request, since their content is in the address or in the page.
const INNER_SCHEMES: [&str; 3] = ["data:", "blob:", "about:"];
/// The types of resources that pages may load from other origins, since they only affect how a page looks or works.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/tot/Network/#type-ResourceType>
const BESIDE: [&str; 4] = ["Image", "Stylesheet", "Font", "Script"];

/// Decides which addresses a run's page may request: those at the run's origins, except for private addresses if there
/// is a policy against them.
#[derive(Debug)]
pub(crate) struct Guard {
    origins: Vec<String>,
    loads_from_elsewhere: bool,
    addresses: Option<AddressPolicy>,
}

impl Guard {
    /// Creates the guard of a run.
    pub(crate) fn new(terms: &BrowserTerms, addresses: Option<AddressPolicy>) -> Self {
        let origins = terms.origins.iter().filter_map(|origin| origin_of(origin));
        Self {
            origins: origins.collect(),
            loads_from_elsewhere: terms.loads_from_elsewhere,
            addresses,
        }
    }

    /// Returns the origins that the run may request, as browsers write them.
    pub(crate) fn origins(&self) -> &[String] {
        &self.origins
    }

    /// Returns whether pages may load the resources of the types in `BESIDE` from other origins, too.
    pub(crate) fn loads_from_elsewhere(&self) -> bool {
        self.loads_from_elsewhere
    }

    /// Returns why an address must not be requested, in words that reveal no more than its origin; `None` if it may be
    /// requested.
    fn refusal(&self, address: &str) -> Option<String> {
        self.refusal_of(address, "")
    }

    /// Returns why a page must not request a resource of this type from an address, in the manner of [`Self::refusal`].
    pub(crate) fn refusal_of(&self, address: &str, resource: &str) -> Option<String> {
        let scheme = address.get(..8).unwrap_or(address).to_ascii_lowercase();
        if INNER_SCHEMES.iter().any(|inner| scheme.starts_with(inner)) {
            return None;
        }
        let Some(origin) = origin_of(address) else {
            let scheme: String = scheme.split(':').take(1).collect();
            return Some(format!(
                "an address of the scheme {scheme:?} is never opened"
            ));
        };
        let is_beside =
            || self.loads_from_elsewhere && BESIDE.contains(&resource) && is_plain_https(&origin);
        if !self.origins.contains(&origin) && !is_beside() {
            return Some(format!("{origin} is not among the run's origins"));
        }
        let policy = self.addresses.as_ref()?;
        let error = policy.check(&format!("{origin}/")).err()?;
        Some(format!("{origin} is not opened: {error}"))
    }

    /// Returns why an answer that came from this IP address must not be shown; `None` if it may. An answer without an
    /// IP address may be shown: the browser states none for a cached answer, which was checked when it arrived.
    pub(crate) fn refusal_of_answer(&self, address: &str, network_address: &str) -> Option<String> {
        let policy = self.addresses.as_ref()?;
        let origin = origin_of(address)?;
        let is_private = policy.is_private(&origin, network_address);
        is_private.then(|| format!("{origin} is at a private address"))
    }

    /// Returns why an action must not open an address; `None` if it may open it.
    pub(crate) fn refusal_to_open(&self, url: &TypedText) -> Option<String> {
        let address = url.text.reveal();
        let Some(origin) = origin_of(address) else {
            return Some(
                "only addresses that begin with http:// or https:// are opened".to_owned(),
            );
        };
        refusal_to_type(url, &origin).or_else(|| self.refusal(address))
    }
}

/// Returns why a text must not be typed into a page of this origin; `None` if it may be typed.
pub(crate) fn refusal_to_type(text: &TypedText, origin: &str) -> Option<String> {
    let origins = text.origins.as_ref()?;
    let is_theirs = |one: &String| origin_of(one).is_some_and(|one| one == origin);
    if origins.iter().any(is_theirs) {
        return None;
    }
    Some(format!("the text has a secret that is not for {origin}"))
}

/// Returns whether an origin uses `https` at its standard port, where the certificate proves the host's identity before
/// any request is sent.
fn is_plain_https(origin: &str) -> bool {
    let url = Url::parse(origin).ok();
    url.is_some_and(|url| url.scheme() == "https" && url.port().is_none())
}

/// Returns the origin of an address, as browsers write it; `None` if it is not a web address.
pub(crate) fn origin_of(address: &str) -> Option<String> {
    let url = Url::parse(address).ok()?;
    let is_web = matches!(url.scheme(), "http" | "https");
    is_web.then(|| url.origin().ascii_serialization())
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::page::Viewport;

    fn guard(origins: &[&str], addresses: Option<AddressPolicy>) -> Guard {
        let terms = BrowserTerms {
            accepts_questions: false,
            allows_web_rtc: false,
            allows_downloads: false,
            origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
            loads_from_elsewhere: false,
            viewport: Viewport {
                width: 800,
                height: 600,
            },
            language: "en-US".to_owned(),
            time_zone: "UTC".to_owned(),
            secrets: Vec::new(),
        };
        Guard::new(&terms, addresses)
    }

    #[test]
    fn only_the_runs_origins_are_asked() {
        let guard = guard(&["https://shop.example", "http://127.0.0.1:8080/"], None);
        for allowed in [
            "https://shop.example/a?b",
            "https://SHOP.example:443/",
            "http://127.0.0.1:8080/x",
            "data:text/html,x",
            "blob:https://shop.example/1",
            "about:blank",
        ] {
            assert_eq!(guard.refusal(allowed), None, "{allowed}");
        }
        for (address, named) in [
            ("http://shop.example/", "http://shop.example"),
            ("https://evil.example/?secret", "https://evil.example"),
            ("http://127.0.0.1:8081/", "http://127.0.0.1:8081"),
            ("https://shop.example@evil.example/", "https://evil.example"),
            ("file:///etc/passwd", "\"file\""),
            ("ftp://shop.example/", "\"ftp\""),
            ("chrome://settings", "\"chrome\""),
            ("javascript:alert(1)", "\"javascri"),
            ("", "scheme"),
        ] {
            let refusal = guard.refusal(address).unwrap_or_default();
            assert!(refusal.contains(named), "{address}: {refusal}");
            assert!(!refusal.contains("secret") && !refusal.contains("passwd"));
        }
    }

    #[test]
    fn private_addresses_are_refused_by_the_policy_for_photos() {
        let origins = [
            "http://127.0.0.1:8080",
            "https://shop.example",
            "http://router.lan",
        ];
        let guard = guard(&origins, Some(AddressPolicy::default()));
        assert_eq!(guard.refusal("https://shop.example/"), None);
        assert!(guard.refusal("http://127.0.0.1:8080/").is_some());
        assert!(
            guard
                .refusal("http://router.lan/")
                .unwrap()
                .contains("private")
        );
    }

    #[test]
    fn answers_from_private_addresses_are_refused_by_the_policy() {
        let addresses = AddressPolicy::new(Some("http://127.0.0.1:8080".to_owned()), Vec::new());
        let shop = "https://shop.example/a?secret";
        let guarded = guard(&["https://shop.example"], Some(addresses));
        for (at, is_refused) in [
            ("10.0.0.1", true),
            ("[::1]", true),
            ("93.184.215.14", false),
            ("", false),
        ] {
            let refusal = guarded.refusal_of_answer(shop, at);
            assert_eq!(refusal.is_some(), is_refused, "{at}");
            assert!(!refusal.unwrap_or_default().contains("secret"));
        }
        for address in ["http://127.0.0.1:8080/x", "data:text/html,x"] {
            assert_eq!(guarded.refusal_of_answer(address, "127.0.0.1"), None);
        }
        let guard = guard(&["https://shop.example"], None);
        assert_eq!(guard.refusal_of_answer(shop, "10.0.0.1"), None);
    }

    #[test]
    fn a_page_may_be_let_load_what_it_is_drawn_with_from_elsewhere() {
        let mut guard = guard(&["http://photos.example"], Some(AddressPolicy::default()));
        let picture = "https://cdn.example/a.png";
        assert!(guard.refusal_of(picture, "Image").is_some());
        guard.loads_from_elsewhere = true;
        for resource in BESIDE {
            assert_eq!(guard.refusal_of(picture, resource), None, "{resource}");
        }
        for resource in ["Document", "XHR", "Fetch", "Ping", "WebSocket", "Media", ""] {
            assert!(guard.refusal_of(picture, resource).is_some(), "{resource}");
        }
        for address in [
            "http://cdn.example/a.png",
            "https://cdn.example:8443/a.png",
            "https://router.lan/a.png",
            "https://10.0.0.1/a.png",
            "https://169.254.169.254/a.png",
        ] {
            assert!(guard.refusal_of(address, "Image").is_some(), "{address}");
        }
        let own = "http://photos.example/api";
        assert_eq!(guard.refusal_of(own, "XHR"), None);
    }

    #[test]
    fn a_secret_goes_to_its_origins_alone() {
        let guard = guard(&["https://shop.example", "https://other.example"], None);
        let url = |text: &str, origins: Option<&[&str]>| TypedText {
            text: text.into(),
            origins: origins.map(|all| all.iter().map(|one| (*one).to_owned()).collect()),
        };
        let shop: &[&str] = &["https://shop.example"];
        assert_eq!(
            guard.refusal_to_open(&url("https://shop.example/?k=v", Some(shop))),
            None
        );
        assert_eq!(
            guard.refusal_to_open(&url("https://other.example/", None)),
            None
        );
        let refusal = guard.refusal_to_open(&url("https://other.example/?k=v", Some(shop)));
        assert!(refusal.unwrap().contains("not for https://other.example"));
        for scheme in [
            "about:blank",
            "data:text/html,x",
            "file:///x",
            "shop.example",
        ] {
            assert!(
                guard
                    .refusal_to_open(&url(scheme, None))
                    .unwrap()
                    .contains("http://")
            );
        }
    }
}
