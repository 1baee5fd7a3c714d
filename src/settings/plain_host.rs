//! Decides which addresses the parser may be asked about: those whose host is plain ASCII. The
//! parser has no tables for other letters, nor for those that are percent-encoded; in a debug build
//! they make it panic.

use url::Url;

/// The longest part of a host between dots (RFC 1035, section 2.3.4). The parser decodes longer
/// ones, which takes fifty times their bytes, before it refuses them.
const LABEL_BYTES_MAX: usize = 63;
/// The longest host, with a port behind it.
const AUTHORITY_BYTES_MAX: usize = 253 + 6;

/// Parses an address with a plain host. Returns `None` where the text is no address.
pub(super) fn parse(address: &str) -> Option<Url> {
    is_host_plain(address)
        .then(|| Url::parse(address).ok())
        .flatten()
}

/// Returns whether the host of an address, with or without scheme, is plain ASCII and no longer
/// than hosts are, and no character of the whole is a control: the parser drops line breaks,
/// wherever they are.
pub(super) fn is_host_plain(address: &str) -> bool {
    let is_plain = |text: &str| {
        let mut labels = text.split(['.', ':', '@']);
        text.len() <= AUTHORITY_BYTES_MAX
            && labels.all(|label| label.len() <= LABEL_BYTES_MAX)
            && text
                .bytes()
                .all(|byte| byte.is_ascii_graphic() && byte != b'%')
    };
    // The parser trims these spaces, too; it takes others for letters of the host.
    let address = address.trim_matches(|letter| letter <= ' ');
    authority(address).is_none_or(is_plain) && !address.chars().any(char::is_control)
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

    #[test]
    fn the_parser_is_asked_only_about_plain_hosts() {
        // tests/fuzz found these: a large letter beside one that the parser has no table for.
        for host in [
            "Ab%ef.example",
            "A\u{fffd}.example",
            "a\t.example",
            "xWn--H\u{2002}",
        ] {
            assert_eq!(parse(&format!("https://{host}/a")), None, "{host}");
            assert_eq!(parse(&format!("https://{host}")), None, "{host}");
        }
        for host in ["a".repeat(64), "abc.".repeat(65)] {
            assert_eq!(parse(&format!("https://{host}.org")), None, "{host}");
        }
        let host = ["a".repeat(63), "b".repeat(63)].join(".");
        assert!(parse(&format!("https://{host}.org:8443/")).is_some());
        // Outside the host such letters do not matter.
        for address in [
            "https://A.example/%ef",
            "https://a.example:8443/\u{e9}",
            "\n https://a.example ",
        ] {
            assert!(parse(address).is_some(), "{address}");
        }
        assert_eq!(parse("degrees.example"), None);
    }
}
