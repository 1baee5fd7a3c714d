//! The recogniser's limit of requests per second.

/// A token bucket that holds the requests of one second and refills continuously.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RateLimit {
    per_second: f64,
    tokens: f64,
    /// The time of the last refill; `None` before the first request.
    filled_ms: Option<u64>,
}

impl RateLimit {
    pub(crate) fn new(per_second: u32) -> Self {
        let size = f64::from(per_second);
        Self {
            per_second: size,
            tokens: size,
            filled_ms: None,
        }
    }

    /// Takes a token for a request at this time. Returns false if no token is left; the request must then be refused.
    pub(super) fn admits(&mut self, now_ms: u64) -> bool {
        let filled_ms = self.filled_ms.unwrap_or(now_ms);
        let passed_s = now_ms.saturating_sub(filled_ms) as f64 / 1_000.0;
        self.tokens = (self.tokens + passed_s * self.per_second).min(self.per_second);
        self.filled_ms = Some(filled_ms.max(now_ms));
        let is_admitted = self.tokens >= 1.0;
        if is_admitted {
            self.tokens -= 1.0;
        }
        is_admitted
    }
}
