//! The headers of a request that starts a run, as the API's description has them.

use engine::Problem;
use engine::values::check_turnstile_token;

/// The longest idempotency key.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 200;

/// Checks whether an `Idempotency-Key` and a `Turnstile-Token`, where they are sent, can be ones.
pub fn check_start_headers(
    idempotency_key: Option<&str>,
    turnstile_token: Option<&str>,
) -> Result<(), Problem> {
    if let Some(key) = idempotency_key {
        let is_printable = key.bytes().all(|byte| matches!(byte, b' '..=b'~'));
        if !is_printable || !(1..=IDEMPOTENCY_KEY_CHARS_MAX).contains(&key.len()) {
            let detail = format!(
                "An Idempotency-Key must be 1 to {IDEMPOTENCY_KEY_CHARS_MAX} printable ASCII \
                 characters; a UUID is best."
            );
            return Err(Problem::new(400, detail));
        }
    }
    match turnstile_token {
        Some(token) => check_turnstile_token("Turnstile-Token", token),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(key: Option<&str>, token: Option<&str>, expected: Result<(), u16>) {
        let checked = check_start_headers(key, token).map_err(|problem| problem.status());
        assert_eq!(checked, expected, "{key:?}, {token:?}");
    }

    #[test]
    fn a_key_is_1_to_200_printable_characters_and_a_token_has_2048_at_most() {
        check(None, None, Ok(()));
        for key in ["0", "a b", "~", &"k".repeat(200)] {
            check(Some(key), None, Ok(()));
        }
        for key in ["", "é", "a\tb", "\u{7f}", &"k".repeat(201)] {
            check(Some(key), None, Err(400));
        }
        check(None, Some(""), Ok(()));
        check(None, Some(&"t".repeat(2_048)), Ok(()));
        check(None, Some(&"t".repeat(2_049)), Err(400));
    }
}
