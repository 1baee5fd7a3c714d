//! Headers that tell a browser what a page of this server may do. `public/_headers` says the same
//! for the files that are served without the Worker.

/// The policy without the sources that may show a page in a frame.
const CONTENT_SECURITY_POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
     img-src * data:; connect-src 'self'; frame-src 'self'; form-action 'self'; base-uri 'none'";
/// The time for which a browser asks by https only what it once reached by https: a year.
const STRICT_TRANSPORT_SECURITY: &str = "max-age=31536000";
/// The permissions of a browser that are switched off, since the page needs none of them.
const PERMISSIONS_POLICY: &str = "camera=(), geolocation=(), microphone=(), payment=(), usb=()";

/// The value with which pages of other origins may load what is here, modules and styles above all,
/// also where they ask everything that they load to say so (`Cross-Origin-Embedder-Policy`). CORS
/// says which pages may read it.
const CROSS_ORIGIN_RESOURCE_POLICY: &str = "cross-origin";

/// The value with which no page of another origin keeps a hand on a window that it has opened: it
/// could lead that from run to run. A page in a frame is not touched by it.
const CROSS_ORIGIN_OPENER_POLICY: &str = "same-origin";

/// Returns the headers and their values. `frame_ancestors` is the setting of that name. Over plain
/// http a browser has to ignore `Strict-Transport-Security` (RFC 6797, 7.2), and it is not sent.
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

    #[test]
    fn files_and_answers_carry_the_same_headers() {
        let file = include_str!("../../public/_headers");
        // The rules of single files come after an empty line.
        let (file, _) = file.split_once("\n\n").unwrap_or((file, ""));
        let lines = file.lines().filter_map(|line| line.trim().split_once(": "));
        let mut of_files: Vec<(String, String)> = lines
            .map(|(name, value)| (name.to_ascii_lowercase(), value.to_owned()))
            .collect();
        let mut of_answers: Vec<(String, String)> = security_headers("'none'", true)
            .into_iter()
            .map(|(name, value)| (name.to_owned(), value))
            .collect();
        // Every page may read every file, as `allowed_reader` says of an answer that only reads.
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
