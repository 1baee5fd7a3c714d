//! The forms in which requests come and answers are wanted.

/// The form of an answer, where an address has several.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ResponseFormat {
    /// The page, for a browser's address bar.
    Html,
    /// One JSON document: the last event, or the record.
    Json,
    /// Server-sent events, also where the client names none of these forms.
    Stream,
}

impl ResponseFormat {
    /// Returns the form that an `Accept` header asks for: the first of the kinds that it names.
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

/// Returns whether a `Content-Type` is JSON's, whatever its parameters are.
#[must_use]
pub fn is_json(content_type: Option<&str>) -> bool {
    let kind = content_type.unwrap_or_default().split(';').next();
    kind.is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"))
}

/// Returns whether a browser only fetches ahead what its user may never look at.
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

#[cfg(test)]
mod tests {
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
