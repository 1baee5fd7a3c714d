//! The front servers of the wikis and their files, which check clients and refuse some.
//!
//! They follow mediawiki.org, `Wikimedia_APIs/Access_policy` and `Wikimedia_APIs/Rate_limits`.

use super::super::reply::Reply;
use super::super::request::ParsedRequest;

/// Refuses a request whose `User-Agent` does not identify the client.
pub(super) fn refuse_unidentified(request: &ParsedRequest) -> Result<(), Box<Reply>> {
    let agent = request.header("user-agent").unwrap_or_default();
    if is_identified(agent) {
        Ok(())
    } else {
        Err(Box::new(missing_agent()))
    }
}

/// Like [`refuse_unidentified`], but for requests for files. Browsers are admitted as well, because any web page may
/// show files of Commons.
pub(in crate::providers) fn refuse_unidentified_but_browsers(
    request: &ParsedRequest,
) -> Result<(), Box<Reply>> {
    let agent = request.header("user-agent").unwrap_or_default();
    if is_browser(agent) {
        Ok(())
    } else {
        refuse_unidentified(request)
    }
}

pub(in crate::providers) fn missing_agent() -> Reply {
    let text = "Please set a user-agent and respect our robot policy https://w.wiki/4wJS. See also T400119.\n";
    Reply::new(403, "text/plain; charset=utf-8", text.as_bytes().to_vec())
}

/// Returns an error page of the front servers. The request does not reach the wikis.
pub(super) fn page(status: u16, reason: &str) -> Reply {
    Reply::html(
        status,
        &format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Wikimedia Error</title>\n<h1>Error</h1>\n<p>{reason}</p>\n<p>If you report this error to the Wikimedia System Administrators, please include the details below.</p>\n<p><code>Error: {status}, {reason} at Sat, 21 Nov 2026 10:00:00 GMT</code></p>\n</html>\n"
        ),
    )
}

/// Returns whether a `User-Agent` has the form `client/version (contact) ...`, with a mail address, a web address or a
/// user page as the contact.
fn is_identified(agent: &str) -> bool {
    let Some((product, rest)) = agent.trim().split_once(' ') else {
        return false;
    };
    let is_versioned = product
        .split_once('/')
        .is_some_and(|(client, version)| !client.is_empty() && !version.is_empty());
    let contact = rest
        .split_once('(')
        .and_then(|(_, rest)| rest.split_once(')'))
        .map_or("", |(contact, _)| contact);
    is_versioned && contact.split([' ', ';', ',']).any(is_contact)
}

/// Returns whether a `User-Agent` begins like that of a browser, `Mozilla/5.0 (system) engine (...) browser/version`.
fn is_browser(agent: &str) -> bool {
    agent
        .strip_prefix("Mozilla/5.0 (")
        .and_then(|rest| rest.split_once(") "))
        .is_some_and(|(_, engine)| {
            engine.starts_with("AppleWebKit/") || engine.starts_with("Gecko/")
        })
}

fn is_contact(word: &str) -> bool {
    let is_page = |scheme: &str| {
        word.strip_prefix(scheme)
            .is_some_and(|rest| rest.contains('.'))
    };
    let is_mail = word
        .strip_prefix("mailto:")
        .unwrap_or(word)
        .split_once('@')
        .is_some_and(|(who, host)| !who.is_empty() && host.contains('.'));
    let is_user = word
        .split_once("User:")
        .or_else(|| word.split_once("user:"))
        .is_some_and(|(_, name)| !name.is_empty());
    is_mail || is_page("http://") || is_page("https://") || is_user
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agent_needs_a_version_and_a_contact() {
        for (agent, expect) in [
            ("degrees/1.0 (mail@example.org)", true),
            (
                "degrees/1.0 (https://example.org/about; mail@example.org) worker/0.8",
                true,
            ),
            ("degrees/1.0 (http://example.org)", true),
            ("degrees/1.0 (w:en:User:Example)", true),
            ("degrees/1.0 (User:Example) lib/2", true),
            ("", false),
            ("degrees/1.0", false),
            ("degrees (mail@example.org)", false),
            ("degrees/ (mail@example.org)", false),
            ("degrees/1.0 ()", false),
            ("degrees/1.0 (contact us)", false),
            ("degrees/1.0 mail@example.org", false),
            ("degrees/1.0 (mail@)", false),
            ("degrees/1.0 (https://)", false),
            ("Mozilla/5.0 (X11; Linux x86_64)", false),
        ] {
            assert_eq!(is_identified(agent), expect, "{agent}");
        }
    }

    #[test]
    fn a_browser_says_its_engine() {
        for (agent, expect) in [
            (
                "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) \
                 HeadlessChrome/142.0.0.0 Safari/537.36",
                true,
            ),
            (
                "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0",
                true,
            ),
            ("Mozilla/5.0 (X11; Linux x86_64)", false),
            ("Mozilla/5.0 (compatible; bot/1.0)", false),
            ("curl/8", false),
            ("", false),
        ] {
            assert_eq!(is_browser(agent), expect, "{agent}");
        }
    }
}
