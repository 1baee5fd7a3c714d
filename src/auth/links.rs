//! Decides which links to the page start their run without a click.

use settings::Settings;

use super::access::{Caller, allows};

/// Returns whether the page may start the run in its address as soon as it is opened. The navigation's headers decide
/// this, because browsers set them and pages cannot forge them.
///
/// `Sec-Fetch-Site` allows it for a typed address, a bookmark or a link in another program (`none`), and for links on
/// this server's own pages (`same-origin`). A link on another page waits for a click, whatever redirects it goes
/// through, unless the operator listed the page's origin. Over plain http, browsers send no `Sec-Fetch-Site`, except to
/// this machine. Then only a `Referer` with this server's origin or a listed one allows it.
#[must_use]
pub fn may_link_start(settings: &Settings, caller: &Caller) -> bool {
    if settings.starts_every_link {
        return true;
    }
    match (caller.fetch_site.as_deref(), caller.referring_origin()) {
        (_, Some(origin)) if origin != caller.own_origin => allows(settings, &origin),
        (Some("none" | "same-origin"), _) | (None, Some(_)) => true,
        _ => allows(settings, ""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::access::tests::settings;

    const OWN: &str = "https://degrees.example";
    const OTHER: &str = "https://other.example/page?x=1";

    fn starts(pairs: &[(&str, &str)], fetch_site: Option<&str>, referrer: Option<&str>) -> bool {
        let caller = Caller {
            fetch_site: fetch_site.map(str::to_owned),
            referrer: referrer.map(str::to_owned),
            own_origin: OWN.to_owned(),
            ..Caller::default()
        };
        may_link_start(&settings(pairs), &caller)
    }

    /// The ways to open a link, and whether each starts the link's run.
    const OPENED: [(Option<&str>, Option<&str>, bool); 14] = [
        // The address was typed, or the link is a bookmark or in another program.
        (Some("none"), None, true),
        (
            Some("none"),
            Some("android-app://com.example.messages/"),
            true,
        ),
        // The link is on a page of this server.
        (Some("same-origin"), None, true),
        (
            Some("same-origin"),
            Some("https://degrees.example/atlas"),
            true,
        ),
        (None, Some("https://degrees.example/"), true),
        // The link is on another site, or on another port or name of this host.
        (Some("cross-site"), None, false),
        (Some("cross-site"), Some(OTHER), false),
        (Some("same-site"), None, false),
        (Some("cross-site"), Some("https://degrees.example/"), false),
        (Some("none"), Some(OTHER), false),
        (None, Some(OTHER), false),
        (None, Some("https://degrees.example:8443/"), false),
        // The browser sends no `Sec-Fetch-Site`, or an unknown value.
        (None, None, false),
        (Some("nearby"), None, false),
    ];

    #[test]
    fn a_link_starts_where_a_person_opened_it_and_waits_where_another_page_did() {
        for (fetch_site, referrer, expected) in OPENED {
            let found = starts(&[("PUBLIC", "1")], fetch_site, referrer);
            assert_eq!(found, expected, "{fetch_site:?} {referrer:?}");
        }
    }

    #[test]
    fn the_operator_may_have_every_link_start() {
        for settings in [[("LINKS_START", "1")], [("ALLOWED_ORIGINS", "*")]] {
            for (fetch_site, referrer, _) in OPENED {
                let found = starts(&settings, fetch_site, referrer);
                assert!(found, "{settings:?} {fetch_site:?} {referrer:?}");
            }
        }
        assert!(!starts(&[("LINKS_START", "0")], Some("cross-site"), None));
    }

    #[test]
    fn a_page_that_may_start_runs_may_lead_to_one() {
        let named = [("ALLOWED_ORIGINS", "https://a.example,https://other.example")];
        assert!(starts(&named, Some("cross-site"), Some(OTHER)));
        // Only a link on a page of a listed origin starts its run.
        assert!(!starts(&named, Some("cross-site"), None));
        assert!(!starts(
            &named,
            Some("cross-site"),
            Some("https://b.example/")
        ));
    }
}
