//! Slows down callers who guess tokens, by counting wrong tokens in the isolate's memory.

use std::collections::BTreeMap;

/// The length of the window in which wrong tokens count, in milliseconds. It begins with the first wrong token.
const WINDOW_MS: u64 = 60_000;
/// The number of wrong tokens in one window after which a client's tokens are not checked.
const OF_CLIENT_MAX: u32 = 5;
/// The limit for a client that has sent the right token before, instead of [`OF_CLIENT_MAX`]. It is higher, so that
/// others behind the same address cannot easily lock that client out.
const OF_TRUSTED_MAX: u32 = 50;
/// The number of wrong tokens of all clients together in one window after which only trusted clients' tokens are
/// checked.
const OF_ALL_MAX: u32 = 50;
/// The most clients that are remembered as trusted. Beyond that, the client that has not sent the right token for the
/// longest time is forgotten.
const TRUSTED_MAX: usize = 16;

/// The number of wrong tokens since a window began.
#[derive(Debug, Clone, Copy, Default)]
struct Window {
    since_ms: u64,
    count: u32,
}

impl Window {
    fn is_open(&self, now_ms: u64) -> bool {
        self.count > 0 && now_ms.saturating_sub(self.since_ms) < WINDOW_MS
    }

    /// Returns the milliseconds until the window ends; `None` if it has ended or has fewer than `count_max` wrong
    /// tokens.
    fn left_ms(&self, count_max: u32, now_ms: u64) -> Option<u64> {
        let is_full = self.count >= count_max && self.is_open(now_ms);
        is_full.then(|| WINDOW_MS - now_ms.saturating_sub(self.since_ms))
    }

    fn add(&mut self, now_ms: u64) {
        if !self.is_open(now_ms) {
            *self = Self {
                since_ms: now_ms,
                count: 0,
            };
        }
        self.count = self.count.saturating_add(1);
    }
}

/// The wrong tokens of each client. At most `OF_ALL_MAX` clients are remembered, plus the trusted ones.
#[derive(Debug, Default)]
pub struct FailedTokens {
    clients: BTreeMap<String, Window>,
    all: Window,
    trusted: Vec<String>,
}

impl FailedTokens {
    /// Returns the seconds until this client's tokens are checked again; `None` if they are checked now.
    #[must_use]
    pub fn wait_s(&self, client: &str, now_ms: u64) -> Option<u64> {
        let is_trusted = self.trusted.iter().any(|trusted| trusted == client);
        let count_max = if is_trusted {
            OF_TRUSTED_MAX
        } else {
            OF_CLIENT_MAX
        };
        let own = self.clients.get(client);
        let own_ms = own.and_then(|window| window.left_ms(count_max, now_ms));
        let all_ms = self.all.left_ms(OF_ALL_MAX, now_ms);
        let left_ms = own_ms.max(all_ms.filter(|_| !is_trusted))?;
        Some(left_ms.div_ceil(1_000))
    }

    /// Records that this client sent a wrong token.
    pub fn note_wrong(&mut self, client: &str, now_ms: u64) {
        self.clients.retain(|_, window| window.is_open(now_ms));
        self.all.add(now_ms);
        let window = self.clients.entry(client.to_owned()).or_default();
        window.add(now_ms);
    }

    /// Records that this client sent the right token, so that others behind its address cannot easily lock it out.
    pub fn note_right(&mut self, client: &str) {
        self.trusted.retain(|trusted| trusted != client);
        if self.trusted.len() == TRUSTED_MAX {
            self.trusted.remove(0);
        }
        self.trusted.push(client.to_owned());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn after_five_wrong_tokens_a_client_waits_until_the_minute_is_over() {
        let mut failed = FailedTokens::default();
        for number in 0..OF_CLIENT_MAX {
            assert_eq!(failed.wait_s("a", 1_000), None, "{number}");
            failed.note_wrong("a", 1_000 + u64::from(number));
        }
        assert_eq!(failed.wait_s("a", 1_004), Some(60));
        assert_eq!(failed.wait_s("a", 60_999), Some(1));
        assert_eq!(failed.wait_s("a", 61_000), None);
        assert_eq!(failed.wait_s("b", 1_004), None, "others do not");
        failed.note_wrong("a", 61_000);
        assert_eq!(failed.wait_s("a", 61_000), None, "a new window begins");
    }

    #[test]
    fn many_clients_together_wait_and_who_is_known_does_not() {
        let mut failed = FailedTokens::default();
        failed.note_right("operator");
        for number in 0..OF_ALL_MAX {
            failed.note_wrong(&format!("client {number}"), 0);
        }
        assert_eq!(failed.wait_s("a new client", 30_000), Some(30));
        assert_eq!(failed.wait_s("operator", 30_000), None);
        assert_eq!(failed.wait_s("a new client", 60_000), None);
        for _ in 0..OF_TRUSTED_MAX {
            failed.note_wrong("operator", 60_000);
        }
        assert!(failed.wait_s("operator", 60_000).is_some(), "its own count");
    }

    #[test]
    fn wrong_tokens_of_others_behind_its_address_do_not_soon_lock_the_operator_out() {
        let mut failed = FailedTokens::default();
        failed.note_right("operator");
        for _ in 1..OF_TRUSTED_MAX {
            failed.note_wrong("operator", 0);
            assert_eq!(failed.wait_s("operator", 0), None);
        }
        failed.note_wrong("operator", 0);
        assert_eq!(
            failed.wait_s("operator", 0),
            Some(60),
            "guessing is slow all the same"
        );
    }

    #[test]
    fn what_is_remembered_is_bounded() {
        let mut failed = FailedTokens::default();
        for number in 0..100_000_u64 {
            let client = format!("client {number}");
            let now_ms = number * 10;
            if failed.wait_s(&client, now_ms).is_none() {
                failed.note_wrong(&client, now_ms);
            }
            failed.note_right(&client);
            assert!(failed.clients.len() <= 2 * OF_ALL_MAX as usize);
            assert!(failed.trusted.len() <= TRUSTED_MAX);
        }
    }
}
