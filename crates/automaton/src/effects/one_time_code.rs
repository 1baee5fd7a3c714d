//! The codes for two-factor sign-in that apps show, made from a kept secret.

use domain::Secret;
use totp_rs::{Algorithm, Builder, Secret as Key};
use url::Url;

/// The longest time for which a code is valid, in seconds.
const PERIOD_SECONDS_MAX: u64 = 3_600;

/// Returns the code of this moment. `secret` is a key in base32, in groups or not, or an `otpauth://totp/` address as in
/// the pictures that apps scan. Returns `None` if it is neither.
///
/// Sources: RFC 6238; <https://github.com/google/google-authenticator/wiki/Key-Uri-Format>
pub(super) fn one_time_code(secret: &Secret, now_ms: u64) -> Option<String> {
    let text = secret.reveal().trim();
    let builder = if text.starts_with("otpauth:") {
        of_address(&Url::parse(text).ok()?)?
    } else {
        Builder::new().with_secret(key(text)?)
    };
    let totp = builder.build_noncompliant();
    Some(totp.generate(now_ms / 1_000).to_string())
}

fn of_address(url: &Url) -> Option<Builder> {
    if url.host_str() != Some("totp") {
        return None;
    }
    let mut builder = Builder::new();
    let mut has_key = false;
    for (name, value) in url.query_pairs() {
        builder = match &*name {
            "secret" => {
                has_key = true;
                builder.with_secret(key(&value)?)
            }
            "digits" => {
                let digits = value.parse().ok()?;
                builder.with_digits(Some(digits).filter(|digits| (6..=8).contains(digits))?)
            }
            "period" => {
                let seconds = value.parse().ok()?;
                let known = 1..=PERIOD_SECONDS_MAX;
                builder.with_step_duration(Some(seconds).filter(|it| known.contains(it))?)
            }
            "algorithm" => builder.with_algorithm(match value.to_ascii_uppercase().as_str() {
                "SHA1" => Algorithm::SHA1,
                "SHA256" => Algorithm::SHA256,
                "SHA512" => Algorithm::SHA512,
                _ => return None,
            }),
            _ => builder,
        };
    }
    has_key.then_some(builder)
}

/// Reads a key in base32. Sites show it in groups, in either case, with or without `=` at its end.
fn key(text: &str) -> Option<Key> {
    let digits: String = text
        .chars()
        .filter(|digit| !matches!(digit, ' ' | '-' | '='))
        .map(|digit| digit.to_ascii_uppercase())
        .collect();
    let key = Key::try_from_base32(&digits).ok()?;
    (!digits.is_empty()).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The key of the examples in RFC 6238, which is the text "12345678901234567890".
    const KEY: &str = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ";

    #[test]
    fn codes_are_those_of_the_examples_of_the_standard() {
        let address = format!("otpauth://totp/Shop:ada?secret={KEY}&digits=8&issuer=Shop");
        for (seconds, code) in [
            (59, "94287082"),
            (1_111_111_109, "07081804"),
            (1_111_111_111, "14050471"),
            (1_234_567_890, "89005924"),
            (2_000_000_000, "69279037"),
            (20_000_000_000, "65353130"),
        ] {
            let now_ms = seconds * 1_000 + 999;
            let long = one_time_code(&address.as_str().into(), now_ms);
            assert_eq!(long.as_deref(), Some(code));
            let short = one_time_code(&KEY.into(), now_ms);
            assert_eq!(short.as_deref(), code.get(2..));
        }
    }

    #[test]
    fn keys_are_read_as_sites_show_them() {
        let expected = one_time_code(&KEY.into(), 0);
        for shown in [
            "gezd gnbv gy3t qojq gezd gnbv gy3t qojq",
            "GEZD-GNBV-GY3T-QOJQ-GEZD-GNBV-GY3T-QOJQ",
            " GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ==== ",
            "otpauth://totp/x?secret=gezdgnbvgy3tqojqgezdgnbvgy3tqojq",
        ] {
            assert_eq!(one_time_code(&shown.into(), 0), expected, "{shown}");
        }
        assert!(
            one_time_code(&"JBSWY3DPEHPK3PXP".into(), 0).is_some(),
            "80 bits"
        );
    }

    #[test]
    fn what_is_no_key_has_no_code() {
        for text in [
            "",
            "not base32!",
            "otpauth://hotp/x?secret=GEZDGNBV",
            "otpauth://totp/x",
            "otpauth://totp/x?secret=GEZDGNBV&period=0",
            "otpauth://totp/x?secret=GEZDGNBV&digits=20",
            "otpauth://totp/x?secret=GEZDGNBV&algorithm=MD5",
        ] {
            assert_eq!(one_time_code(&text.into(), 0), None, "{text}");
        }
    }
}
