//! Request and response headers: content types, crawlers, security headers.

/// The format of a response, for addresses that offer several formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseFormat {
    /// The page, for browsers.
    Html,
    /// One JSON document: the last event, or the record.
    Json,
    /// Server-sent events. This is the default.
    Stream,
}

impl ResponseFormat {
    /// Returns the format for an `Accept` header, which is the first supported type in it.
    #[must_use]
    pub fn of(accept: Option<&str>) -> Self {
        for part in accept.unwrap_or_default().split(',') {
            match part.split(';').next().unwrap_or_default().trim() {
                "text/html" => return Self::Html,
                "application/json" => return Self::Json,
                "text/event-stream" => return Self::Stream,
                _ => {}
            }
        }
        Self::Stream
    }
}

/// Returns whether a `Content-Type` is JSON, whatever its parameters.
#[must_use]
pub fn is_json(content_type: Option<&str>) -> bool {
    let kind = content_type.unwrap_or_default().split(';').next();
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Returns whether a browser only prefetches the address. A prefetch should not start a run.
#[must_use]
pub fn is_prefetch(header: impl Fn(&str) -> Option<String>) -> bool {
    ["sec-purpose", "purpose", "x-purpose", "x-moz"]
        .iter()
        .any(|name| {
            header(name).is_some_and(|value| {
                let value = value.to_ascii_lowercase();
                value.contains("prefetch") || value.contains("preview")
            })
        })
}

/// Substrings of robots' `User-Agent` headers, in lower case, each with its source.
const WORDS: [&str; 44] = [
    // Link previews in messages and posts.
    "slackbot",             // api.slack.com/robots; also Slackbot-LinkExpanding
    "slack-imgproxy",       // api.slack.com/robots
    "twitterbot",           // developer.x.com, Cards, "Getting started"
    "facebookexternalhit",  // developers.facebook.com, "Meta Web Crawlers"
    "facebookcatalog",      // the same
    "meta-externalagent",   // the same
    "meta-externalfetcher", // the same
    "whatsapp",             // faq.whatsapp.com, link previews; WhatsApp/2.x
    "telegrambot",          // core.telegram.org, link previews
    "discordbot",           // discord.com/developers/docs
    "linkedinbot",          // linkedin.com/help, "LinkedIn post inspector"
    "pinterestbot",         // help.pinterest.com, "Pinterest crawler"
    "redditbot",            // reddit.com, link previews
    "skypeuripreview",      // learn.microsoft.com, Skype and Teams previews
    "mastodon/",            // docs.joinmastodon.org, link previews
    "synapse (bot",         // matrix-org.github.io/synapse, url_preview_user_agent
    "iframely",             // iframely.com/docs/about
    "embedly",              // docs.embed.ly
    // Search engines and crawlers.
    "googlebot",             // developers.google.com/search/docs/crawling-indexing
    "googleother",           // the same
    "google-inspectiontool", // the same
    "storebot-google",       // the same
    "adsbot-google",         // the same
    "bingbot",               // bing.com/webmasters/help, "Which crawlers does Bing use?"
    "bingpreview",           // the same
    "adidxbot",              // the same
    "applebot",              // support.apple.com/119829
    "duckduckbot",           // duckduckgo.com/duckduckgo-help-pages, "DuckDuckBot"
    "yandex",                // yandex.com/support/webmaster, "Yandex robots"
    "baiduspider",           // help.baidu.com
    "petalbot",              // webmaster.petalsearch.com
    "gptbot",                // platform.openai.com/docs/bots
    "oai-searchbot",         // the same
    "claudebot",             // support.claude.com, crawling
    "perplexitybot",         // docs.perplexity.ai/guides/bots
    "ccbot",                 // commoncrawl.org/ccbot
    "amazonbot",             // developer.amazon.com/amazonbot
    "bytespider",            // bytespider is named in its own User-Agent
    "ahrefsbot",             // ahrefs.com/robot
    "semrushbot",            // semrush.com/bot
    // Monitors.
    "uptimerobot",       // uptimerobot.com/help/locations
    "pingdom",           // documentation.solarwinds.com, Pingdom.com_bot
    "statuscake",        // statuscake.com/kb
    "better uptime bot", // betterstack.com/docs/uptime
];

/// Returns whether a `User-Agent` belongs to a program that opens links by itself, such as a preview, a crawler or a
/// monitor.
#[must_use]
pub fn is_robot(agent: Option<&str>) -> bool {
    let agent = agent.unwrap_or_default().to_ascii_lowercase();
    WORDS.iter().any(|word| agent.contains(word))
}

/// The `Content-Security-Policy` except for `frame-ancestors`, which is a setting.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src * data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";
/// The value of `Strict-Transport-Security`. After a visit over https, browsers use only https for a year.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";
/// The browser features that are switched off, since the page uses none of them.
const PERMISSIONS_POLICY: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// Lets pages of other origins load this server's files, above all modules and styles. Pages that set
/// `Cross-Origin-Embedder-Policy` load only files that permit it by this header. CORS decides which pages may read the
/// files.
const CROSS_ORIGIN_RESOURCE_POLICY: &str = "cross-origin";

/// Keeps pages of other origins from controlling a window that they opened. They could otherwise navigate the window
/// from run to run. Frames are not affected.
const CROSS_ORIGIN_OPENER_POLICY: &str = "same-origin";

/// Returns the security headers. `frame_ancestors` is the setting of that name. `Strict-Transport-Security` is only
/// sent over https, as browsers ignore it over http (RFC 6797, 7.2).
#[must_use]
pub fn security_headers(frame_ancestors: &str, is_https: bool) -> Vec<(&'static str, String)> {
    let policy = format!("{CONTENT_SECURITY_POLICY}; frame-ancestors {frame_ancestors}");
    let mut headers = vec![
        ("content-security-policy", policy),
        ("permissions-policy", PERMISSIONS_POLICY.to_owned()),
        (
            "cross-origin-resource-policy",
            CROSS_ORIGIN_RESOURCE_POLICY.to_owned(),
        ),
        (
            "cross-origin-opener-policy",
            CROSS_ORIGIN_OPENER_POLICY.to_owned(),
        ),
        ("x-content-type-options", "nosniff".to_owned()),
        ("referrer-policy", "no-referrer".to_owned()),
    ];
    if is_https {
        let policy = STRICT_TRANSPORT_SECURITY.to_owned();
        headers.push(("strict-transport-security", policy));
    }
    headers
}

#[cfg(test)]
mod tests {
    use super::*;
    mod formats {
        use super::*;

        #[test]
        fn accept_headers_of_browsers_and_tools() {
            let chromium = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
            assert_eq!(ResponseFormat::of(Some(chromium)), ResponseFormat::Html);
            assert_eq!(ResponseFormat::of(Some("*/*")), ResponseFormat::Stream);
            assert_eq!(ResponseFormat::of(None), ResponseFormat::Stream);
            assert_eq!(
                ResponseFormat::of(Some("text/event-stream")),
                ResponseFormat::Stream
            );
            assert_eq!(
                ResponseFormat::of(Some("application/json; charset=utf-8")),
                ResponseFormat::Json
            );
        }

        #[test]
        fn json_is_known_by_its_media_type() {
            for json in ["application/json", "Application/JSON ; charset=utf-8"] {
                assert!(is_json(Some(json)), "{json}");
            }
            for other in [
                "",
                "application/jsonx",
                "application/json-seq",
                "text/plain",
            ] {
                assert!(!is_json(Some(other)), "{other}");
            }
            assert!(!is_json(None));
        }

        #[test]
        fn prefetches_are_seen() {
            let sent = |name: &'static str, value: &'static str| {
                is_prefetch(move |asked| (asked == name).then(|| value.to_owned()))
            };
            assert!(sent("sec-purpose", "prefetch;prerender"));
            assert!(sent("purpose", "prefetch"));
            assert!(sent("x-moz", "prefetch"));
            assert!(!sent("sec-purpose", ""));
            assert!(!sent("accept", "prefetch"));
        }
    }

    mod robots {
        use super::*;

        #[test]
        fn programs_that_open_every_link_are_known() {
            for agent in [
                "Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)",
                "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)",
                "WhatsApp/2.23.20.0",
                "TelegramBot (like TwitterBot)",
                "Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)",
                "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
                "Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)",
                "Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)",
                "Pingdom.com_bot_version_1.4_(http://www.pingdom.com/)",
                "Mozilla/5.0 AppleWebKit/537.36; compatible; GPTBot/1.2; +https://openai.com/gptbot",
            ] {
                assert!(is_robot(Some(agent)), "{agent}");
            }
        }

        #[test]
        fn people_and_their_tools_are_none() {
            for agent in [
                None,
                Some(""),
                Some("curl/8.14.1"),
                Some("node"),
                Some("python-requests/2.32"),
                Some("Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"),
                Some("Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/142.0 Safari/537.36"),
                Some(
                    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1",
                ),
            ] {
                assert!(!is_robot(agent), "{agent:?}");
            }
        }

        #[test]
        fn words_are_in_lower_case_and_once() {
            for (position, word) in WORDS.iter().enumerate() {
                assert_eq!(*word, word.to_ascii_lowercase());
                assert!(!WORDS[..position].contains(word), "{word}");
            }
        }
    }

    mod security_headers {
        use super::*;

        #[test]
        fn files_and_answers_carry_the_same_headers() {
            let file = include_str!("../../public/_headers");
            // The rules for single files follow an empty line.
            let (file, _) = file.split_once("\n\n").unwrap_or((file, ""));
            let lines = file.lines().filter_map(|line| line.trim().split_once(": "));
            let mut of_files: Vec<(String, String)> = lines
                .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
                .collect();
            let mut of_answers: Vec<(String, String)> = security_headers("'none'", true)
                .into_iter()
                .map(|(name, value)| (name.to_owned(), value))
                .collect();
            // Every page may read every file, as with `allowed_reader`.
            let everybodys = ("access-control-allow-origin".to_owned(), "*".to_owned());
            let open = of_files.iter().position(|header| *header == everybodys);
            of_files.remove(open.unwrap());
            of_files.sort();
            of_answers.sort();
            assert_eq!(of_files, of_answers);
        }

        #[test]
        fn over_plain_http_nothing_is_said_of_https() {
            let names = |is_https| {
                let headers = security_headers("'self'", is_https);
                headers.iter().any(|(name, _)| name.starts_with("strict-"))
            };
            assert!(names(true) && !names(false));
        }
    }
}
