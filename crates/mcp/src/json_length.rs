//! The length of a value as a JSON text, without writing the text.

use std::io;

use serde_json::Value;

/// Returns the bytes of a value as JSON.
pub(crate) fn json_length(value: &Value) -> usize {
    let mut counter = Counter(0);
    // Counting cannot fail.
    let _ = serde_json::to_writer(&mut counter, value);
    counter.0
}

struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.saturating_add(bytes.len());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_text_is_as_long_as_it_is_written() {
        for value in [json!(null), json!({"a": [1, 2.5, "é\n", true]}), json!("")] {
            assert_eq!(json_length(&value), value.to_string().len());
        }
    }
}
