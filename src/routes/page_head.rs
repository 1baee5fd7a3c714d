//! Rewrites the head of the page, which contains the title and what a link preview shows.

use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;
use url::{Url, form_urlencoded};

/// The end of the head in the page's file. The file is this project's own, so its tags are in lower case.
const HEAD_END: &str = "</head>";
const TITLE: (&str, &str) = ("<title>", "</title>");
/// The tag without which the page does not start the run in its address. `public/app.js` looks for it.
const MAY_START: &str = "<meta name=\"vd-link\" content=\"starts\">\n";
const DESCRIPTION: &str = "<meta name=\"description\"";

/// Returns the page with these words as its title and description. `address` is the page's own address, with scheme
/// and host.
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

/// Returns the page with the tag that makes it start the run in its address when it is opened. Without the tag, the
/// page fills in the form and waits.
#[must_use]
pub fn with_start(page: &str) -> String {
    page.replacen(HEAD_END, &format!("{MAY_START}{HEAD_END}"), 1)
}

/// Returns the text before and after the title.
fn around_title(head: &str) -> Option<(&str, &str)> {
    let (before, rest) = head.split_once(TITLE.0)?;
    let (_, after) = rest.split_once(TITLE.1)?;
    Some((before, without_line_end(before, after)))
}

/// Returns the text before and after the description.
fn around_description(head: &str) -> Option<(&str, &str)> {
    let (before, rest) = head.split_once(DESCRIPTION)?;
    // A `>` in a quoted value does not end the tag.
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

/// Returns the text after a part that was removed. Its line break is omitted if it would leave an empty line.
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

/// Escapes a text for an element or a quoted attribute.
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

/// The most characters of a name that are shown. Typed names have at most a hundred.
const NAME_CHARS_MAX: usize = 60;
/// The most characters of a name that are read, not counting leading spaces.
const READ_CHARS_MAX: usize = 4 * NAME_CHARS_MAX;
/// The most characters of the title, and of the description.
const TEXT_CHARS_MAX: usize = 300;
/// The longest address of a photo, in characters. Link previews would not load a longer one.
const IMAGE_CHARS_MAX: usize = 2_000;

/// The words in the page's head about a run, a chain or a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageWords {
    /// The title of the window and of the preview.
    pub title: String,
    /// The description, which is one sentence.
    pub description: String,
    /// The address of the photo of the chain's first connection, if there is a chain.
    pub image: Option<String>,
    /// The part of the address's query that identifies the page. It is empty or begins with `?`.
    pub query: String,
}

/// The part of a last event or a record that describes the chain.
#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    path: Vec<Value>,
    #[serde(default)]
    edges: Vec<Value>,
}

#[derive(Deserialize)]
struct SealedEvents<'file> {
    #[serde(borrow)]
    body: SealedBody<'file>,
}

#[derive(Deserialize)]
struct SealedBody<'file> {
    #[serde(borrow)]
    events: Vec<&'file RawValue>,
}

impl PageWords {
    /// Returns the words for a run, from its record or its last event.
    #[must_use]
    pub fn of_run(record: &Value) -> Self {
        let meta = |name: &str| record.get("meta")?.get(name)?.as_str();
        let ended_with = meta("endedWith");
        if ended_with == Some("final")
            && let Some(words) = Told::deserialize(record)
                .ok()
                .and_then(|told| Self::of_told(&told))
        {
            return words;
        }
        let name = |member| meta(member).map(clean_name);
        let names = name("personA").zip(name("personB"));
        let pair = names.filter(|(a, b)| !a.is_empty() && !b.is_empty());
        let (who, between) = match pair {
            Some((a, b)) => (format!("{a} to {b}"), format!("from {a} to {b}")),
            None => ("A search".to_owned(), "between two people".to_owned()),
        };
        let (how, description) = match ended_with {
            None => (
                "the search goes on",
                format!("Looks for a chain of people {between}, each link proven by a photo."),
            ),
            Some("no_path") => (
                "no chain found",
                format!(
                    "No chain of people {between} was found with what this search might spend."
                ),
            ),
            Some(_) => (
                "the search could not go on",
                format!("The search for a chain of people {between} could not be finished."),
            ),
        };
        Self::new(&format!("{who}: {how}"), &description, None)
    }

    /// Returns the words for a published chain, from its sealed file.
    #[must_use]
    pub fn of_chain(file: &str) -> Self {
        let read: Option<SealedEvents> = serde_json::from_str(file).ok();
        let last = read.and_then(|file| file.body.events.last().copied());
        let told = last.and_then(|event| serde_json::from_str(event.get()).ok());
        told.and_then(|told| Self::of_told(&told))
            .unwrap_or_else(|| {
                let description = "A chain of people, each link proven by a photo.";
                Self::new("A published chain", description, None)
            })
    }

    /// Returns the words for the address of a published chain if the file stored there is not that chain.
    #[must_use]
    pub fn of_forged_chain() -> Self {
        let description = "What stands at this address is not the chain that was published here. Do not believe it.";
        Self::new("Do not believe this", description, None)
    }

    /// Returns the words for a question that has not been started, from the query `a=..&b=..`; `None` unless the query
    /// names both people.
    #[must_use]
    pub fn of_question(query: &str) -> Option<Self> {
        let named = |wanted: &str| {
            let mut pairs = form_urlencoded::parse(query.as_bytes());
            let (_, name) = pairs.find(|(key, _)| key == wanted)?;
            Some(clean_name(&name)).filter(|name| !name.is_empty())
        };
        let (a, b) = (named("a")?, named("b")?);
        let description =
            format!("Looks for a chain of people from {a} to {b}, each link proven by a photo.");
        let mut query = form_urlencoded::Serializer::new(String::new());
        let asked = query.append_pair("a", &a).append_pair("b", &b).finish();
        Some(Self {
            query: format!("?{asked}"),
            ..Self::new(&format!("{a} to {b}"), &description, None)
        })
    }

    /// Returns the words for a chain; `None` if there is no chain.
    fn of_told(told: &Told) -> Option<Self> {
        let names = told.path.iter().map(|person| {
            let name = person.get("name").and_then(Value::as_str);
            clean_name(name.unwrap_or_default())
        });
        let names: Vec<String> = names.collect();
        let (a, b) = (names.first()?, names.last()?);
        let links = names.len().checked_sub(1).filter(|links| *links > 0)?;
        let in_links = if links == 1 {
            "1 link".to_owned()
        } else {
            format!("{links} links")
        };
        let description = format!("Each link proven by a photo: {}.", names.join(" – "));
        let first_edge = told.edges.first();
        let photo = first_edge.and_then(|edge| edge.get("evidence")?.get(0)?.get("imageUrl"));
        let image = photo.and_then(Value::as_str).and_then(https_address);
        let title = format!("{a} to {b} in {in_links}");
        Some(Self::new(&title, &description, image))
    }

    fn new(title: &str, description: &str, image: Option<String>) -> Self {
        Self {
            title: format!("{} · Visual Degrees", cut(title, TEXT_CHARS_MAX)),
            description: cut(description, TEXT_CHARS_MAX),
            image,
            query: String::new(),
        }
    }
}

/// Returns a name on one line, without characters that would change the direction of the text around it.
fn clean_name(name: &str) -> String {
    let turns = |character: &char| {
        matches!(
            character,
            '\u{061C}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
    };
    let plain = name.chars().filter(|character| !turns(character));
    let plain = plain.map(|character| {
        if character.is_control() {
            ' '
        } else {
            character
        }
    });
    // The number of characters that are read is bounded, because the name may be very long.
    let begun = plain.skip_while(|character| character.is_whitespace());
    let plain: String = begun.take(READ_CHARS_MAX).collect();
    let words: Vec<&str> = plain.split_whitespace().collect();
    cut(&words.join(" "), NAME_CHARS_MAX)
}

/// Cuts a text to this many characters. If something was cut, the last character is `…`.
fn cut(text: &str, chars_max: usize) -> String {
    if text.chars().nth(chars_max).is_none() {
        return text.to_owned();
    }
    let kept: String = text.chars().take(chars_max.saturating_sub(1)).collect();
    format!("{}…", kept.trim_end())
}

/// Returns the normalised address; `None` if it is not a plain https address.
fn https_address(text: &str) -> Option<String> {
    if text.len() > IMAGE_CHARS_MAX {
        return None;
    }
    let url = Url::parse(text).ok()?;
    let is_plain = url.scheme() == "https" && url.has_host() && url.username().is_empty();
    let address = String::from(url);
    (is_plain && address.len() <= IMAGE_CHARS_MAX).then_some(address)
}

#[cfg(test)]
mod tests {
    use super::*;
    mod page_head {
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
            // An unclosed tag is left as it is.
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

    mod page_words {
        use super::*;
        use serde_json::json;

        fn chain(names: &[&str], photo: &str) -> Value {
            let path: Vec<Value> = names.iter().map(|name| json!({"name": name})).collect();
            json!({
                "meta": {"endedWith": "final", "personA": "typed", "personB": "typed, too"},
                "path": path,
                "edges": [{"evidence": [{"imageUrl": photo}, {"imageUrl": "https://x.example/2"}]}],
            })
        }

        #[test]
        fn a_chain_is_told_with_its_people_and_its_first_photo() {
            let photo = "https://photos.example/1.jpg?x=1&y=2";
            let words = PageWords::of_run(&chain(&["Ann", "Xia", "Yve", "Bob"], photo));
            assert_eq!(words.title, "Ann to Bob in 3 links · Visual Degrees");
            let expected = "Each link proven by a photo: Ann – Xia – Yve – Bob.";
            assert_eq!(words.description, expected);
            assert_eq!(words.image.as_deref(), Some(photo));
            let short = PageWords::of_run(&chain(&["Ann", "Bob"], photo));
            assert_eq!(short.title, "Ann to Bob in 1 link · Visual Degrees");
            // The words for a published chain are those of its run.
            let event = chain(&["Ann", "Bob"], photo);
            let file = json!({"body": {"events": [{"type": "status"}, event]}, "digest": "x"});
            assert_eq!(PageWords::of_chain(&file.to_string()), short);
            let none = PageWords::of_chain("{}");
            assert_eq!(none.title, "A published chain · Visual Degrees");
        }

        #[track_caller]
        fn check(meta: &Value, title: &str, description: &str) {
            let words = PageWords::of_run(&json!({"meta": meta, "path": [{"name": "Ann"}]}));
            assert_eq!(words.title, format!("{title} · Visual Degrees"));
            assert!(
                words.description.contains(description),
                "{}",
                words.description
            );
            assert_eq!(words.image, None);
        }

        #[test]
        fn a_run_without_a_chain_is_told_as_it_is() {
            let meta =
                |ended: Value| json!({"endedWith": ended, "personA": "Ann", "personB": "Bob"});
            check(
                &meta(Value::Null),
                "Ann to Bob: the search goes on",
                "Looks for",
            );
            let none = "No chain of people from Ann to Bob was found";
            check(&meta(json!("no_path")), "Ann to Bob: no chain found", none);
            let broken = "Ann to Bob: the search could not go on";
            check(&meta(json!("error")), broken, "could not be finished");
            // The names are unknown until the first document is written.
            check(
                &json!({"endedWith": null}),
                "A search: the search goes on",
                "between two people",
            );
            check(&meta(json!("final")), broken, "could not be finished");
        }

        #[test]
        fn a_question_is_told_with_its_names_and_no_other_part_of_its_address() {
            let words = PageWords::of_question("b=Bob+Ray&a=%20Ann%0ALee&polish=3").unwrap();
            assert_eq!(words.title, "Ann Lee to Bob Ray · Visual Degrees");
            assert_eq!(words.query, "?a=Ann+Lee&b=Bob+Ray");
            for nobody in ["", "a=Ann", "a=Ann&b=%E2%80%AE", "a=&b=Bob"] {
                assert_eq!(PageWords::of_question(nobody), None, "{nobody}");
            }
        }

        #[test]
        fn names_turn_nothing_around_and_are_cut_between_characters() {
            assert_eq!(
                clean_name("\u{202E}Ann\u{2066} \t Lee\u{200F}\0"),
                "Ann Lee"
            );
            assert_eq!(clean_name("אבא"), "אבא");
            let long = clean_name(&"é".repeat(100));
            assert_eq!(long, format!("{}…", "é".repeat(NAME_CHARS_MAX - 1)));
            assert_eq!(
                clean_name(&"é".repeat(NAME_CHARS_MAX)).chars().count(),
                NAME_CHARS_MAX
            );
            let long = "x".repeat(100);
            let words = PageWords::of_run(&chain(&[long.as_str(); 7], "https://x.example/1"));
            assert_eq!(words.description.chars().count(), TEXT_CHARS_MAX);
            assert!(words.description.ends_with('…'));
        }

        #[test]
        fn only_an_https_address_is_a_photo() {
            let image = |photo: &str| PageWords::of_run(&chain(&["Ann", "Bob"], photo)).image;
            for wrong in [
                "http://x.example/1",
                "javascript:alert(1)",
                "data:image/png;base64,AA",
                "//x.example/1",
                "https://",
                "https://somebody@x.example/1",
                &format!("https://x.example/{}", "x".repeat(2_000)),
                &format!("https://x.example/{}", "é".repeat(900)),
            ] {
                assert_eq!(image(wrong), None, "{wrong}");
            }
            let quoted = image("https://x.example/\"><script>").unwrap();
            assert_eq!(quoted, "https://x.example/%22%3E%3Cscript%3E");
        }
    }
}
