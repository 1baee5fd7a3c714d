//! Parses addresses of strangers, whose hosts may be in any script and are no longer than hosts are.

use url::Url;

/// The longest part of a host between dots (RFC 1035, section 2.3.4), once it is written in ASCII.
const LABEL_BYTES_MAX: usize = 63;
/// The longest host (RFC 1035, section 2.3.4).
const HOST_BYTES_MAX: usize = 253;
/// The longest host as it may be written: each byte percent-encoded, with a port behind it. The parser decodes longer
/// ones, which takes fifty times their bytes, before it can be seen how long they are.
const AUTHORITY_BYTES_MAX: usize = HOST_BYTES_MAX * 3 + 6;

/// Parses an address. Returns `None` where the text is none, its host is too long, or it has a control character: the
/// parser drops line breaks, wherever they are.
pub(crate) fn parse(address: &str) -> Option<Url> {
    let url = is_bounded(address).then(|| Url::parse(address).ok());
    url.flatten().filter(has_host_of_usual_length)
}

/// Parses an address that may be told relative to another, as [`parse`] does.
pub(crate) fn join(base: &Url, address: &str) -> Option<Url> {
    let url = is_bounded(address).then(|| base.join(address).ok());
    url.flatten().filter(has_host_of_usual_length)
}

fn has_host_of_usual_length(url: &Url) -> bool {
    url.host_str().is_none_or(|host| {
        let mut labels = host.strip_suffix('.').unwrap_or(host).split('.');
        host.len() <= HOST_BYTES_MAX
            && labels.all(|label| (1..=LABEL_BYTES_MAX).contains(&label.len()))
    })
}

fn is_bounded(address: &str) -> bool {
    // The parser trims these.
    let address = address.trim_matches(|letter| letter <= ' ');
    authority(address).is_none_or(|text| text.len() <= AUTHORITY_BYTES_MAX)
        && !address.chars().any(char::is_control)
}

/// Returns the host, and what belongs to it, of an address as it is written: with or without
/// scheme, after slashes of either kind. Returns `None` where there is only a path.
fn authority(address: &str) -> Option<&str> {
    let is_slash = |letter: char| matches!(letter, '/' | '\\');
    let is_end = |letter: char| is_slash(letter) || matches!(letter, '?' | '#');
    let after_scheme = match address.split_once(':') {
        Some((scheme, after)) if !scheme.contains(is_end) => after,
        _ if address
            .chars()
            .take(2)
            .filter(|letter| is_slash(*letter))
            .count()
            == 2 =>
        {
            address
        }
        _ => return None,
    };
    after_scheme
        .trim_start_matches(is_slash)
        .split(is_end)
        .next()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expect: Option<&str>) {
        let url = parse(address);
        assert_eq!(url.as_ref().map(Url::as_str), expect, "{address}");
    }

    #[test]
    fn a_host_may_be_in_any_script() {
        check(
            "https://bücher.example/a.jpg",
            Some("https://xn--bcher-kva.example/a.jpg"),
        );
        check(
            "https://b%C3%BCcher.example/a.jpg",
            Some("https://xn--bcher-kva.example/a.jpg"),
        );
        check(
            "https://例え.テスト/",
            Some("https://xn--r8jz45g.xn--zckzah/"),
        );
        check(
            "https://пример.испытание/",
            Some("https://xn--e1afmkfd.xn--80akhbyknj4f/"),
        );
        check("https://ＡＢ.example/", Some("https://ab.example/"));
        // What lies outside the host is no part of it.
        check(
            "https://a.example:8443/\u{e9}",
            Some("https://a.example:8443/%C3%A9"),
        );
        check("\n https://a.example ", Some("https://a.example/"));
    }

    #[test]
    fn what_is_no_host_is_none() {
        // tests/fuzz found these.
        for host in [
            "Ab%ef.example",
            "A\u{fffd}.example",
            "a\t.example",
            "xWn--H\u{2002}",
            "xn--a.example",
            "a b.example",
            "a..example",
        ] {
            check(&format!("https://{host}/a"), None);
            check(&format!("https://{host}"), None);
        }
        check("degrees.example", None);
    }

    #[test]
    fn a_host_is_no_longer_than_hosts_are() {
        for host in ["a".repeat(64), "abc.".repeat(65), "ü".repeat(60)] {
            check(&format!("https://{host}.org"), None);
        }
        let host = ["a".repeat(63), "b".repeat(63)].join(".");
        assert!(parse(&format!("https://{host}.org:8443/")).is_some());
        let base = Url::parse("https://a.example/b/c").unwrap();
        assert_eq!(join(&base, &format!("//{}.org/", "a".repeat(64))), None);
        assert_eq!(
            join(&base, "d").map(String::from),
            Some("https://a.example/b/d".into())
        );
    }
}
