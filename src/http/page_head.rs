//! The page with a head of its own: what it is called, and what the preview of a link to it shows.

use super::page_words::PageWords;

/// The tag where the head ends. The page is a file of this project: its tags are in lower case.
const HEAD_END: &str = "</head>";
const TITLE: (&str, &str) = ("<title>", "</title>");
/// What the page reads before it starts the run of its address; `public/app.js` looks for it.
const MAY_START: &str = "<meta name=\"vd-link\" content=\"starts\">\n";
const DESCRIPTION: &str = "<meta name=\"description\"";

/// Returns the page with these words in its head, in place of its own title and description.
/// `address` is its own, with scheme and host.
#[must_use]
pub fn with_head(page: &str, words: &PageWords, address: &str) -> String {
    let Some((head, body)) = page.split_once(HEAD_END) else {
        return page.to_owned();
    };
    let (before, rest) = around_title(head).unwrap_or((head, ""));
    let (first, second) = match around_description(before) {
        Some((first, second)) => (first, format!("{second}{rest}")),
        None => match around_description(rest) {
            Some((middle, last)) => (before, format!("{middle}{last}")),
            None => (before, rest.to_owned()),
        },
    };
    let own = tags(words, address);
    format!("{first}{second}{own}{HEAD_END}{body}")
}

/// Returns the page, told to start the run of its address as soon as it is opened. Without that it
/// fills its form in and waits.
#[must_use]
pub fn with_start(page: &str) -> String {
    page.replacen(HEAD_END, &format!("{MAY_START}{HEAD_END}"), 1)
}

/// Returns what stands before the title and after it.
fn around_title(head: &str) -> Option<(&str, &str)> {
    let (before, rest) = head.split_once(TITLE.0)?;
    let (_, after) = rest.split_once(TITLE.1)?;
    Some((before, without_line_end(before, after)))
}

/// Returns what stands before the description and after it.
fn around_description(head: &str) -> Option<(&str, &str)> {
    let (before, rest) = head.split_once(DESCRIPTION)?;
    // A `>` in a quoted value ends no tag.
    let mut quote = None;
    let (end, _) = rest.char_indices().find(|(_, character)| {
        match (quote, character) {
            (None, '>') => return true,
            (None, '"' | '\'') => quote = Some(*character),
            (Some(open), close) if open == *close => quote = None,
            _ => {}
        }
        false
    })?;
    let after = rest.get(end..)?.strip_prefix('>')?;
    Some((before, without_line_end(before, after)))
}

/// Returns the text after something that was removed, so that the removal leaves no empty line.
fn without_line_end<'text>(before: &str, after: &'text str) -> &'text str {
    match after.strip_prefix('\n') {
        Some(next) if before.ends_with('\n') => next,
        _ => after,
    }
}

fn tags(words: &PageWords, address: &str) -> String {
    let meta = |kind: &str, name: &str, content: &str| {
        format!(
            "<meta {kind}=\"{name}\" content=\"{}\">\n",
            escaped(content)
        )
    };
    let card = match words.image {
        Some(_) => "summary_large_image",
        None => "summary",
    };
    let mut tags = [
        format!("<title>{}</title>\n", escaped(&words.title)),
        meta("name", "description", &words.description),
        meta("property", "og:title", &words.title),
        meta("property", "og:description", &words.description),
        meta("property", "og:type", "website"),
        meta("property", "og:url", address),
        meta("name", "twitter:card", card),
    ]
    .concat();
    if let Some(image) = &words.image {
        tags.push_str(&meta("property", "og:image", image));
    }
    tags
}

/// Returns a text as that of an element or of a quoted attribute.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for character in text.chars() {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_page_is_told_to_start_in_its_head() {
        let page = with_start("<head>\n<link>\n</head>\n<body></head></body>");
        let expected = "<head>\n<link>\n<meta name=\"vd-link\" content=\"starts\">\n</head>\n<body></head></body>";
        assert_eq!(page, expected);
        let script = include_str!("../../public/app.js");
        assert!(script.contains("meta[name=vd-link][content=starts]"));
    }

    const ADDRESS: &str = "https://degrees.example/runs/s.r";

    fn words(title: &str, image: Option<&str>) -> PageWords {
        PageWords {
            title: title.to_owned(),
            description: "Each link & photo.".to_owned(),
            image: image.map(str::to_owned),
            query: String::new(),
        }
    }

    #[test]
    fn the_head_has_the_words_and_the_rest_is_as_it_was() {
        let page = "<head>\n<meta charset=\"utf-8\">\n<meta name=\"description\"\n  content=\"a > b\n c\">\n\
                    <title>Home</title>\n<link>\n</head>\n<body><title>x</title></body>";
        let expected = "<head>\n<meta charset=\"utf-8\">\n<link>\n<title>Ann to Bob</title>\n\
            <meta name=\"description\" content=\"Each link &amp; photo.\">\n\
            <meta property=\"og:title\" content=\"Ann to Bob\">\n\
            <meta property=\"og:description\" content=\"Each link &amp; photo.\">\n\
            <meta property=\"og:type\" content=\"website\">\n\
            <meta property=\"og:url\" content=\"https://degrees.example/runs/s.r\">\n\
            <meta name=\"twitter:card\" content=\"summary_large_image\">\n\
            <meta property=\"og:image\" content=\"https://x.example/?a=1&amp;b=2\">\n\
            </head>\n<body><title>x</title></body>";
        let words = words("Ann to Bob", Some("https://x.example/?a=1&b=2"));
        assert_eq!(with_head(page, &words, ADDRESS), expected);
    }

    #[test]
    fn a_head_without_one_or_the_other_gets_them_all_the_same() {
        let words = words("Ann to Bob", None);
        let own = tags(&words, ADDRESS);
        assert!(
            own.contains("\"summary\"") && !own.contains("og:image"),
            "{own}"
        );
        for head in [
            "",
            "<title>x</title>",
            "<meta name=\"description\" content='it\"s'>",
            "<title>x</title><meta name=\"description\" content=\"x\">",
            "<meta name=\"description\" content=\"x\"><title>x</title>",
        ] {
            let page = format!("<head>{head}</head><p>");
            let expected = format!("<head>{own}</head><p>");
            assert_eq!(with_head(&page, &words, ADDRESS), expected, "{head}");
        }
        // A tag that is not closed is left as it is.
        for head in ["<title>x", "<meta name=\"description\" content=\"x>"] {
            let page = format!("<head>{head}</head><p>");
            let expected = format!("<head>{head}{own}</head><p>");
            assert_eq!(with_head(&page, &words, ADDRESS), expected, "{head}");
        }
        assert_eq!(with_head("<p>no head", &words, ADDRESS), "<p>no head");
    }

    #[test]
    fn what_strangers_call_themselves_stays_text() {
        let name = "\"><script>alert('1')</script>&lt;";
        let page = with_head("<head></head>", &words(name, None), ADDRESS);
        assert!(
            !page.contains("<script") && !page.contains("alert('"),
            "{page}"
        );
        let text = "&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;lt;";
        assert!(page.contains(&format!("<title>{text}</title>")));
        assert!(page.contains(&format!("og:title\" content=\"{text}\"")));
    }

    #[test]
    fn the_page_has_one_title_and_one_description_of_each_run() {
        let page = include_str!("../../public/index.html");
        let own = with_head(page, &words("Ann to Bob", None), ADDRESS);
        for once in ["<title>", DESCRIPTION, HEAD_END, "og:title"] {
            assert_eq!(own.matches(once).count(), 1, "{once}");
        }
        assert!(own.len() > page.len() && own.contains("<script type=\"module\""));
    }
}
