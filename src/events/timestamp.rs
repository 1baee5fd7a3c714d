//! The times in events.

use time::OffsetDateTime;
use time::format_description::StaticFormatDescription;
use time::macros::format_description;

use crate::kernel::Millis;

/// Writes a time as RFC 3339 in UTC, with milliseconds.
#[must_use]
pub fn timestamp(at: Millis) -> String {
    const FORMAT: StaticFormatDescription =
        format_description!("[year]-[month]-[day]T[hour]:[minute]:[second].[subsecond digits:3]Z");
    // A clock beyond the year 9999 is told as the epoch rather than not at all.
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000)
        .ok()
        .and_then(|time| time.format(FORMAT).ok())
        .unwrap_or_else(|| "1970-01-01T00:00:00.000Z".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn timestamps_are_rfc_3339_in_utc_with_milliseconds() {
        assert_eq!(timestamp(Millis(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(
            timestamp(Millis(1_795_255_200_007)),
            "2026-11-21T10:00:00.007Z"
        );
        assert_eq!(timestamp(Millis(u64::MAX)), "1970-01-01T00:00:00.000Z");
    }
}
