//! When a page is worth looking at: once its navigation, its requests and its changes have ended, within limits.

/// How long a page must stay unchanged to be quiet, in milliseconds: a frame, in which browsers do what a page has asked
/// for at once.
const QUIET_MS: u64 = 17;
/// The longest wait for a page to load, in milliseconds.
const LOAD_MS_MAX: u64 = 5_000;
/// The longest wait, in milliseconds, for requests that began after an action, since the action may have caused them.
const REQUEST_MS_MAX: u64 = 2_000;
/// The longest wait for a page that keeps changing, in milliseconds.
const RESTLESS_MS_MAX: u64 = 1_000;
/// The most requests that are tracked at once.
const REQUESTS_MAX: usize = 200;
/// The pause between checks of a page that is loading, in milliseconds.
const LOADING_AGAIN_MS: u64 = 5;

/// What must end before a page is worth looking at: navigation, requests, changes. Times are in milliseconds since
/// 1970.
#[derive(Debug, Default)]
pub(crate) struct Settling {
    /// The time at which the last action on the page began.
    caused_ms: u64,
    /// The time since which the page has been loading; `None` if it is not.
    loading_since_ms: Option<u64>,
    requests: Vec<Request>,
    /// The time at which a navigation or a request last ended.
    ended_ms: u64,
}

#[derive(Debug)]
struct Request {
    id: String,
    since_ms: u64,
}

impl Settling {
    /// Notes that an action on the page begins.
    pub(crate) fn cause(&mut self, now_ms: u64) {
        self.caused_ms = now_ms;
        // Older requests have already been waited for, so they are no longer tracked.
        let is_new = |request: &Request| request.since_ms + REQUEST_MS_MAX > now_ms;
        self.requests.retain(is_new);
    }

    /// Notes that the page begins to load.
    pub(crate) fn begin_loading(&mut self, now_ms: u64) {
        self.loading_since_ms.get_or_insert(now_ms);
    }

    /// Notes that the page has navigated. Requests after that are waited for like those after an action.
    pub(crate) fn commit(&mut self, now_ms: u64) {
        self.requests.clear();
        self.caused_ms = now_ms;
    }

    /// Notes that the page has loaded.
    pub(crate) fn end_loading(&mut self, now_ms: u64) {
        if self.loading_since_ms.take().is_some() {
            self.ended_ms = now_ms;
        }
    }

    /// Notes that a request has begun on which the page's content may depend.
    pub(crate) fn begin_request(&mut self, id: &str, now_ms: u64) {
        if self.requests.len() < REQUESTS_MAX && !self.requests.iter().any(|one| one.id == id) {
            self.requests.push(Request {
                id: id.to_owned(),
                since_ms: now_ms,
            });
        }
    }

    /// Notes that a request ended.
    pub(crate) fn end_request(&mut self, id: &str, now_ms: u64) {
        let before = self.requests.len();
        self.requests.retain(|request| request.id != id);
        if self.requests.len() < before {
            self.ended_ms = now_ms;
        }
    }

    /// Returns how long the page must have been unchanged to be quiet, in milliseconds. It is 0 if the page keeps
    /// changing and is no longer waited for.
    pub(crate) fn quiet_ms(&self, now_ms: u64) -> u64 {
        let since_ms = self
            .caused_ms
            .max(self.loading_since_ms.unwrap_or_default());
        let is_patient = now_ms < since_ms.saturating_add(RESTLESS_MS_MAX);
        if is_patient { QUIET_MS } else { 0 }
    }

    /// Returns how many milliseconds to wait until the page is worth looking at; 0 if it is already.
    pub(crate) fn wait_ms(&self, now_ms: u64) -> u64 {
        let is_loading = self
            .loading_since_ms
            .is_some_and(|since_ms| now_ms < since_ms.saturating_add(LOAD_MS_MAX));
        let is_caused = now_ms < self.caused_ms.saturating_add(REQUEST_MS_MAX);
        let is_asking = |request: &Request| {
            now_ms < request.since_ms.saturating_add(REQUEST_MS_MAX) && is_caused
        };
        if is_loading || self.requests.iter().any(is_asking) {
            return LOADING_AGAIN_MS;
        }
        if self.quiet_ms(now_ms) == 0 {
            return 0;
        }
        let since_ms = self.caused_ms.max(self.ended_ms);
        since_ms.saturating_add(QUIET_MS).saturating_sub(now_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after_an_action() -> Settling {
        let mut settling = Settling::default();
        settling.cause(10_000);
        settling
    }

    #[test]
    fn a_page_that_nobody_opened_is_quiet_at_once() {
        let settling = Settling::default();
        assert_eq!(settling.wait_ms(10_000), 0);
        assert_eq!(settling.quiet_ms(10_000), 0);
    }

    #[test]
    fn after_an_action_the_page_has_a_moment() {
        let settling = after_an_action();
        assert_eq!(settling.wait_ms(10_000), QUIET_MS);
        assert_eq!(settling.wait_ms(10_010), QUIET_MS - 10);
        assert_eq!(settling.wait_ms(10_000 + QUIET_MS), 0);
        assert_eq!(settling.quiet_ms(10_999), QUIET_MS);
        assert_eq!(settling.quiet_ms(11_000), 0, "it changes again and again");
    }

    #[test]
    fn a_page_that_loads_is_waited_for_with_a_limit() {
        let mut settling = after_an_action();
        settling.begin_loading(10_020);
        settling.begin_loading(12_000);
        assert_eq!(settling.wait_ms(15_019), LOADING_AGAIN_MS);
        assert_eq!(settling.wait_ms(15_020), 0);
        settling.end_loading(10_500);
        assert_eq!(settling.wait_ms(10_510), QUIET_MS - 10);
        assert_eq!(settling.wait_ms(10_530), 0);
    }

    #[test]
    fn requests_of_an_action_are_waited_for_and_old_ones_are_not() {
        let mut settling = after_an_action();
        settling.begin_request("1", 10_010);
        assert_eq!(settling.wait_ms(10_100), LOADING_AGAIN_MS);
        assert_eq!(settling.wait_ms(12_000), 0, "it never ends");
        settling.end_request("1", 10_200);
        settling.end_request("2", 10_300);
        assert_eq!(settling.wait_ms(10_210), QUIET_MS - 10);
        let mut settling = after_an_action();
        settling.begin_request("1", 60_000);
        assert_eq!(settling.wait_ms(60_001), 0, "nothing was done for long");
        settling.cause(70_000);
        assert_eq!(settling.wait_ms(70_100), 0);
        settling.begin_request("2", 70_050);
        settling.commit(70_060);
        assert_eq!(
            settling.wait_ms(70_060),
            QUIET_MS,
            "the page is another one"
        );
        assert_eq!(settling.wait_ms(70_100), 0);
    }

    #[test]
    fn so_many_requests_are_watched() {
        let mut settling = after_an_action();
        for number in 0..1_000 {
            settling.begin_request(&number.to_string(), 10_000);
        }
        assert_eq!(settling.requests.len(), REQUESTS_MAX);
    }
}
