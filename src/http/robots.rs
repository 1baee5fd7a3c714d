//! Finds programs that open every address that they see, so that nobody's link costs a run.

/// Words of their `User-Agent` headers, in lower case, each with the page that names it.
const WORDS: [&str; 44] = [
    // Previews of links in messages and posts.
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
    // Search engines and collectors of text.
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

/// Returns whether a `User-Agent` is that of a program that looks at links by itself: a preview, a
/// crawler or a monitor.
#[must_use]
pub fn is_robot(agent: Option<&str>) -> bool {
    let agent = agent.unwrap_or_default().to_ascii_lowercase();
    WORDS.iter().any(|word| agent.contains(word))
}

#[cfg(test)]
mod tests {
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
