//! Server-sent events as they come in, in pieces of any size.
//!
//! //= WHATWG HTML, 9.2.6 Interpreting an event stream

/// One event of a stream.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SseEvent {
    /// The event's id, where the stream has given one so far.
    pub id: Option<String>,
    /// The event's data, with its lines joined by line feeds. An event that only primes the stream
    /// has no data.
    pub data: String,
}

/// A reader of the events of a stream, which also keeps what is needed to ask for the stream again
/// where it breaks.
#[derive(Debug, Clone, Default)]
pub struct SseReader {
    /// The bytes of a line that has not ended.
    line: Vec<u8>,
    /// Whether the last byte was a carriage return: a line feed after it ends no line.
    is_after_return: bool,
    is_begun: bool,
    data: Vec<u8>,
    has_fields: bool,
    id: Option<String>,
    retry_ms: Option<u64>,
    bytes_max: usize,
}

/// The error that an event is longer than it may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooLong;

/// The longest id that is kept, in bytes.
const ID_BYTES_MAX: usize = 1_024;

impl SseReader {
    /// Makes a reader of events of which none may be longer than this.
    #[must_use]
    pub fn new(bytes_max: usize) -> Self {
        Self {
            bytes_max,
            ..Self::default()
        }
    }

    /// Returns the id of the last event that had one.
    #[must_use]
    pub fn last_event_id(&self) -> Option<&str> {
        self.id.as_deref()
    }

    /// Returns how long to wait before the stream is asked for again, in milliseconds, if the
    /// stream said so.
    #[must_use]
    pub fn retry_ms(&self) -> Option<u64> {
        self.retry_ms
    }

    /// Takes the next bytes, and returns the events that they complete.
    pub fn take(&mut self, bytes: &[u8]) -> Result<Vec<SseEvent>, TooLong> {
        let mut events = Vec::new();
        for byte in bytes {
            let is_second = std::mem::replace(&mut self.is_after_return, *byte == b'\r');
            match byte {
                b'\n' if is_second => {}
                b'\n' | b'\r' => events.extend(self.end_line()),
                byte => {
                    if self.line.len() + self.data.len() >= self.bytes_max {
                        return Err(TooLong);
                    }
                    self.line.push(*byte);
                }
            }
        }
        Ok(events)
    }

    fn end_line(&mut self) -> Option<SseEvent> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.is_begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            return self.dispatch();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = match colon {
            Some(at) => line.split_at(at),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b":").unwrap_or(value);
        self.field(field, value.strip_prefix(b" ").unwrap_or(value));
        None
    }

    fn field(&mut self, field: &[u8], value: &[u8]) {
        match field {
            b"data" => {
                self.has_fields = true;
                self.data.extend_from_slice(value);
                self.data.push(b'\n');
            }
            b"id" if value.len() <= ID_BYTES_MAX && !value.contains(&0) => {
                self.has_fields = true;
                let id = String::from_utf8_lossy(value).into_owned();
                self.id = Some(id).filter(|id| !id.is_empty());
            }
            b"retry" => {
                let digits = std::str::from_utf8(value).ok();
                let digits = digits.filter(|text| text.bytes().all(|byte| byte.is_ascii_digit()));
                self.retry_ms = digits.and_then(|text| text.parse().ok()).or(self.retry_ms);
            }
            _ => {}
        }
    }

    fn dispatch(&mut self) -> Option<SseEvent> {
        let mut data = std::mem::take(&mut self.data);
        data.pop();
        std::mem::take(&mut self.has_fields).then(|| SseEvent {
            id: self.id.clone(),
            data: String::from_utf8_lossy(&data).into_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn event(id: Option<&str>, data: &str) -> SseEvent {
        SseEvent {
            id: id.map(str::to_owned),
            data: data.to_owned(),
        }
    }

    #[test]
    fn events_are_the_same_in_pieces_of_any_size() {
        let stream = "\u{feff}: hello\r\nid: 1\r\ndata:\r\nretry: 500\r\n\r\nevent: message\rdata: a\rdata:b\r\rid: 2\ndata: {\"x\": \"é\"}\n\nretry: soon\n\ndata: cut";
        let expected = [
            event(Some("1"), ""),
            event(Some("1"), "a\nb"),
            event(Some("2"), "{\"x\": \"é\"}"),
        ];
        for size in [1, 2, 3, 7, stream.len()] {
            let mut reader = SseReader::new(1_000);
            let mut events = Vec::new();
            for piece in stream.as_bytes().chunks(size) {
                events.extend(reader.take(piece).unwrap());
            }
            assert_eq!(events, expected, "pieces of {size}");
            assert_eq!(reader.retry_ms(), Some(500));
            assert_eq!(reader.last_event_id(), Some("2"));
        }
    }

    #[test]
    fn an_event_is_bounded() {
        let mut reader = SseReader::new(10);
        assert_eq!(reader.take(b"data: 12345678"), Err(TooLong));
        let mut reader = SseReader::new(10);
        assert!(reader.take(b"data: 1\n\ndata: 2\n\n").is_ok());
    }
}
