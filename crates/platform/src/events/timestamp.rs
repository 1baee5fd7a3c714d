//! The times in events.

use time::OffsetDateTime;

use kernel::Millis;

/// Writes a time as RFC 3339 in UTC, with milliseconds.
#[must_use]
pub fn timestamp(at: Millis) -> String {
    // A clock beyond the year 9999 is told as the epoch rather than not at all.
    let time = OffsetDateTime::from_unix_timestamp_nanos(i128::from(at.0) * 1_000_000);
    let time = time.unwrap_or(OffsetDateTime::UNIX_EPOCH);
    let (date, (hour, minute, second, millisecond)) = (time.date(), time.to_hms_milli());
    let (year, month, day) = (date.year(), u8::from(date.month()), date.day());
    // The crate's own formatting would make the Worker 4 kB larger, compressed.
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}.{millisecond:03}Z")
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
