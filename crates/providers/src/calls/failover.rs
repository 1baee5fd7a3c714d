//! The choice of the provider of an ordered list that is asked: a provider that fails hands over to the
//! next, and is asked again only where that may help.
//!
//! There is one list for each role, and one memory for each run. What is set aside is written into the
//! journal with the answer that it made late, so that a run that goes on after a crash does not ask it
//! again. Only where the crash comes before that answer, it is asked once more.

use std::cell::RefCell;

use domain::{Failure, FailureKind};

use super::answer_source::SetAside;

/// How long a provider that is busy or down is left alone where it says nothing better, in
/// milliseconds.
const REST_MS: u64 = 30_000;

/// The order in which providers are asked.
#[derive(Debug, PartialEq, Eq)]
pub struct AskingOrder {
    /// The places of the providers in the list.
    pub places: Vec<usize>,
    /// The number of providers, from the first one on, that are not set aside.
    pub usable: usize,
}

/// The providers that are set aside in this run.
#[derive(Debug, Default)]
pub struct Failover {
    /// The last word about each provider, once for each.
    set_aside: RefCell<Vec<SetAside>>,
}

impl Failover {
    /// Returns what is set aside as far as the journal tells it.
    pub fn restored<'run>(set_aside: impl Iterator<Item = &'run SetAside>) -> Self {
        let failover = Self::default();
        for one in set_aside {
            failover.note(one);
        }
        failover
    }

    /// Returns the order in which the providers of these ids are asked now, by their places in the
    /// list. First come those that are not set aside, then those that time may have mended, the one
    /// that comes back soonest first. Where there is no other provider, all of them are asked.
    pub fn order(&self, ids: &[&'static str], now_ms: u64) -> AskingOrder {
        let set_aside = self.set_aside.borrow();
        let mut usable = Vec::new();
        let mut resting = Vec::new();
        for (place, id) in ids.iter().enumerate() {
            match set_aside.iter().find(|row| row.provider == *id) {
                None => usable.push(place),
                Some(SetAside { until_ms: None, .. }) => {}
                Some(SetAside {
                    until_ms: Some(until_ms),
                    ..
                }) if *until_ms <= now_ms => usable.push(place),
                Some(row) => resting.push((row.until_ms, place)),
            }
        }
        resting.sort();
        let mut order = AskingOrder {
            usable: usable.len(),
            places: usable,
        };
        order
            .places
            .extend(resting.into_iter().map(|(_, place)| place));
        if order.places.is_empty() {
            order.places.extend(0..ids.len());
        }
        order
    }

    /// Returns whether a provider is not set aside, or not any more.
    pub fn may_ask(&self, id: &str, now_ms: u64) -> bool {
        let set_aside = self.set_aside.borrow();
        let row = set_aside.iter().find(|row| row.provider == id);
        row.is_none_or(|row| row.until_ms.is_some_and(|until_ms| until_ms <= now_ms))
    }

    /// Returns whether a provider was ever set aside in this run.
    pub fn knows(&self, id: &str) -> bool {
        let set_aside = self.set_aside.borrow();
        set_aside.iter().any(|row| row.provider == id)
    }

    /// Sets a provider aside: for a while where its failure may pass, otherwise for the rest of the
    /// run. Returns the sentence about it for the first time only.
    pub fn set_aside(
        &self,
        (id, name): (&'static str, &'static str),
        next: &'static str,
        failure: &Failure,
        now_ms: u64,
    ) -> (SetAside, Option<String>) {
        let rest_ms = failure.retry_after_ms().unwrap_or(REST_MS).max(REST_MS);
        let until_ms = may_pass(failure.kind).then(|| now_ms.saturating_add(rest_ms));
        let row = SetAside {
            provider: id.to_owned(),
            until_ms,
        };
        let is_first = self.note(&row);
        let what = reason(failure.kind);
        let detail = failure.detail();
        // A name may begin with an article, as a sentence does.
        let next = next
            .strip_prefix("The ")
            .map_or_else(|| next.to_owned(), |name| format!("the {name}"));
        let remark = format!("{name} {what} ({detail}); {next} is asked from now on.");
        (row, is_first.then_some(remark))
    }

    /// Notes the last word about a provider. Returns whether it is the first one.
    fn note(&self, row: &SetAside) -> bool {
        let mut set_aside = self.set_aside.borrow_mut();
        let known = set_aside.len();
        set_aside.retain(|other| other.provider != row.provider);
        let is_first = set_aside.len() == known;
        set_aside.push(row.clone());
        is_first
    }
}

/// Returns whether the same provider may answer later within the run.
fn may_pass(kind: FailureKind) -> bool {
    kind.is_transient() || matches!(kind, FailureKind::Malformed | FailureKind::TooLarge)
}

fn reason(kind: FailureKind) -> &'static str {
    match kind {
        FailureKind::Throttled => "is asked too often",
        FailureKind::Quota => "has used up its quota",
        FailureKind::Closed => "is closed to this server's operator",
        FailureKind::Misconfigured => "does not accept this server's settings",
        FailureKind::Refused | FailureKind::BadImage | FailureKind::TooLarge => {
            "refused the request"
        }
        FailureKind::Malformed | FailureKind::MalformedHandedOver => "gave no readable answer",
        FailureKind::Down | FailureKind::HandedOver => "gives no usable answer",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const IDS: [&str; 3] = ["brave", "google", "commons"];

    fn set_aside(failover: &Failover, id: &'static str, failure: &Failure) -> Option<String> {
        failover.set_aside((id, "It"), "the next", failure, 1_000).1
    }

    #[track_caller]
    fn check_order(failover: &Failover, now_ms: u64, usable: &[usize], others: &[usize]) {
        let expected = AskingOrder {
            places: [usable, others].concat(),
            usable: usable.len(),
        };
        assert_eq!(failover.order(&IDS, now_ms), expected);
    }

    #[test]
    fn who_is_closed_is_never_asked_again_and_who_is_busy_after_a_while() {
        let failover = Failover::default();
        check_order(&failover, 1_000, &[0, 1, 2], &[]);
        let closed = Failure::new(FailureKind::Closed, "HTTP 403");
        let told = set_aside(&failover, "brave", &closed).unwrap();
        assert_eq!(
            told,
            "It is closed to this server's operator (HTTP 403); the next is asked from now on."
        );
        let busy = Failure::new(FailureKind::Throttled, "HTTP 429").after(Some(60_000));
        assert!(set_aside(&failover, "google", &busy).is_some());
        // A resting provider is asked where no other one answers.
        check_order(&failover, 60_999, &[2], &[1]);
        check_order(&failover, 61_000, &[1, 2], &[]);
        assert_eq!(set_aside(&failover, "google", &busy), None, "told once");
    }

    #[test]
    fn where_all_are_set_aside_those_whom_time_may_mend_are_asked() {
        let failover = Failover::default();
        for id in ["brave", "google"] {
            set_aside(&failover, id, &Failure::new(FailureKind::Quota, ""));
        }
        set_aside(&failover, "commons", &Failure::new(FailureKind::Down, ""));
        check_order(&failover, 1_001, &[], &[2]);
        set_aside(&failover, "commons", &Failure::new(FailureKind::Closed, ""));
        check_order(&failover, 1_001, &[], &[0, 1, 2]);
    }
}
