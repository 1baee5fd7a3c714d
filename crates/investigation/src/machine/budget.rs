//! The budget of a run: calls, dollars and time. Each call is checked and charged before it is sent.
//!
//! The last recognitions of a budget share the remaining attempts, so that none waits for another. A photo that fails
//! temporarily after fewer attempts than usual is left for a later search; the third failure in a row ends the run.

use domain::{CallPrices, Failure, FailureKind, Limits, PAGE_MS_MAX, PAGE_OPENINGS_MAX, Provider};
use kernel::{Allowance, Millis};

use super::interface::{
    Action, ErrorCode, ErrorReport, FailedProvider, PhotoCounts, Reason, Spent,
};

/// The most attempts of one command. The conductor pauses between them.
pub const ATTEMPTS_MAX: u32 = 3;
/// The most attempts of a planner call. There are few, because the ranking can decide instead, and sooner.
const PLAN_ATTEMPTS_MAX: u32 = 2;
/// The largest number of throttled attempts of a run. They are limited although they cost nothing, because they burden
/// the provider.
const THROTTLED_MAX: u32 = 500;
/// The largest number of throttled attempts of one call.
const THROTTLED_MAX_OF_CALL: u32 = 100;
/// The number of consecutive unreadable answers after which the provider counts as down.
const UNREADABLE_IN_A_ROW_MAX: u32 = 3;

/// The budget of a run: what it has spent and may still spend, as of the last input.
//= spec Budgets
#[derive(Debug, Clone)]
pub struct Budget {
    searches: Allowance,
    recognitions: Allowance,
    planner_calls: Allowance,
    pages: Allowance,
    conversions: Allowance,
    throttled: u32,
    photos: PhotoCounts,
    money: Money,
    started: Millis,
    now: Millis,
    runtime_ms_max: u64,
    unreadable_searches_in_a_row: u32,
    unreadable_recognitions_in_a_row: u32,
}

impl Budget {
    pub fn new(limits: &Limits) -> Self {
        Self {
            searches: Allowance::new(limits.searches_max),
            recognitions: Allowance::new(limits.recognitions_max),
            planner_calls: Allowance::new(limits.planner_calls_max),
            pages: Allowance::new(PAGE_OPENINGS_MAX),
            conversions: Allowance::new(conversions_max(limits)),
            throttled: 0,
            photos: PhotoCounts::default(),
            money: Money::new(limits),
            started: Millis::default(),
            now: Millis::default(),
            runtime_ms_max: limits.runtime_ms_max,
            unreadable_searches_in_a_row: 0,
            unreadable_recognitions_in_a_row: 0,
        }
    }

    /// Starts the run's time.
    pub fn start(&mut self) {
        self.started = self.now;
    }

    /// Advances to the time of an input. Returns the milliseconds since the previous input. The platform's clock may
    /// step back, but the run's time does not.
    pub fn advance(&mut self, now: Millis) -> u64 {
        let before = self.now;
        self.now = before.max(now);
        self.now.since(before)
    }

    /// Excludes from the run's time a pause in which the run was not conducted.
    pub fn pause(&mut self, pause_ms: u64) {
        self.started = Millis(self.started.0.saturating_add(pause_ms));
    }

    /// Returns the time of the last input.
    pub fn now(&self) -> Millis {
        self.now
    }

    /// Returns the milliseconds of the run's time that are left.
    pub fn time_left_ms(&self) -> u64 {
        self.runtime_ms_max
            .saturating_sub(self.now.since(self.started))
    }

    /// Returns the longest time that a call of this kind may take now, in milliseconds.
    pub fn call_ms_max(&self, kind: Option<CallKind>) -> u64 {
        match kind {
            Some(CallKind::Page) => self.time_left_ms().min(PAGE_MS_MAX),
            _ => self.time_left_ms(),
        }
    }

    pub fn allowance(&self, kind: CallKind) -> Allowance {
        match kind {
            CallKind::Search => self.searches,
            CallKind::Recognition => self.recognitions,
            CallKind::Planner => self.planner_calls,
            CallKind::Page => self.pages,
            CallKind::Conversion => self.conversions,
        }
    }

    fn allowance_mut(&mut self, kind: CallKind) -> &mut Allowance {
        match kind {
            CallKind::Search => &mut self.searches,
            CallKind::Recognition => &mut self.recognitions,
            CallKind::Planner => &mut self.planner_calls,
            CallKind::Page => &mut self.pages,
            CallKind::Conversion => &mut self.conversions,
        }
    }

    /// Charges a call about to be sent, because the call is made even if its answer gets lost. Returns the call's limit
    /// of attempts. A recognition is one of `sharers` that share the remaining attempts.
    pub fn begin(&mut self, kind: CallKind, sharers: usize) -> u32 {
        let attempts_max = self.attempts_max(kind, sharers);
        self.allowance_mut(kind).begin(attempts_max);
        self.money.keep(kind, attempts_max);
        attempts_max
    }

    /// Settles a call that made `attempts` of at most `attempts_max` attempts.
    pub fn settle(&mut self, kind: CallKind, attempts_max: u32, attempts: u32) {
        let attempts = attempts.min(ATTEMPTS_MAX);
        self.allowance_mut(kind).settle(attempts_max, attempts);
        self.money.give_back(kind, attempts_max);
    }

    /// Settles a call whose answer was lost: its attempts are spent for nothing.
    pub fn settle_lost(&mut self, kind: CallKind, attempts_max: u32, attempts: u32) {
        let attempts = attempts.min(ATTEMPTS_MAX);
        self.allowance_mut(kind).settle_lost(attempts_max, attempts);
        self.money.give_back(kind, attempts_max);
    }

    /// Counts throttled attempts, which are not charged.
    pub fn count_throttled(&mut self, attempts: u32) {
        self.throttled = self.throttled.saturating_add(attempts);
    }

    /// Returns how many attempts of a call that is sent now may be throttled. Each concurrent call may use them all up.
    pub fn throttled_max(&self) -> u32 {
        (THROTTLED_MAX.saturating_sub(self.throttled)).min(THROTTLED_MAX_OF_CALL)
    }

    pub fn pay(&mut self, nano_usd: u64) {
        self.money.pay(nano_usd);
    }

    /// Returns why no call of this kind may be sent any more; `None` if one may be sent, now or later.
    pub fn refusal(&self, kind: CallKind) -> Option<Reason> {
        if self.time_left_ms() == 0 {
            return Some(Reason::RuntimeBudget);
        }
        if self.money.attempts(kind) == Some(0) {
            return Some(Reason::UsdBudget);
        }
        (self.allowance(kind).unspent() == 0).then(|| kind.reason())
    }

    /// Returns the number of affordable attempts of a kind that were not made, including those reserved for calls in
    /// flight.
    pub fn unspent(&self, kind: CallKind) -> u32 {
        let paid_for = self.money.attempts(kind).unwrap_or(u32::MAX);
        self.allowance(kind).unspent().min(paid_for)
    }

    /// Returns the number of attempts that a new call of a kind may take.
    pub fn left(&self, kind: CallKind) -> u32 {
        let paid_for = self.money.attempts_left(kind).unwrap_or(u32::MAX);
        self.allowance(kind).left().min(paid_for)
    }

    /// Returns the number of attempts that a new call of a kind could take had no answer been lost. Choices that depend
    /// on this number are the same after an interruption.
    pub fn left_but_for_losses(&self, kind: CallKind) -> u32 {
        let paid_for = self.money.attempts_left(kind).unwrap_or(u32::MAX);
        self.allowance(kind).left_but_for_losses().min(paid_for)
    }

    /// Returns whether a call of this kind may be sent. If the calls in flight leave fewer attempts than the new call
    /// may take, the new call waits for them.
    pub fn permission(&self, kind: CallKind) -> Permission {
        self.permission_shared(kind, 1)
    }

    /// Returns whether a recognition may be sent. It is one of `sharers`, the photos fetched or being fetched. They
    /// share the remaining attempts, so that the last photos of a budget do not wait for each other.
    pub fn permission_to_recognise(&self, sharers: usize) -> Permission {
        self.permission_shared(CallKind::Recognition, sharers)
    }

    fn permission_shared(&self, kind: CallKind, sharers: usize) -> Permission {
        let under_way = self.allowance(kind).under_way();
        let wanted = self.attempts_wanted(kind, sharers);
        let left = self.left(kind);
        match self.refusal(kind) {
            Some(reason) => Permission::Refused(reason),
            None if left == 0 || (under_way > 0 && left < wanted) => Permission::Later,
            None => Permission::Granted,
        }
    }

    /// Returns the limit of attempts for a call of this kind that is sent now. A recognition is one of `sharers` that
    /// share the remaining attempts.
    fn attempts_max(&self, kind: CallKind, sharers: usize) -> u32 {
        self.left(kind).min(self.attempts_wanted(kind, sharers))
    }

    fn attempts_wanted(&self, kind: CallKind, sharers: usize) -> u32 {
        let sharers = u32::try_from(sharers.max(1)).unwrap_or(u32::MAX);
        match kind {
            CallKind::Recognition => (self.left(kind) / sharers).clamp(1, ATTEMPTS_MAX),
            CallKind::Search => ATTEMPTS_MAX,
            CallKind::Planner => PLAN_ATTEMPTS_MAX,
            CallKind::Page | CallKind::Conversion => 1,
        }
    }

    /// Returns whether the next photo may be converted after it is fetched.
    pub fn may_convert(&self) -> bool {
        self.refusal(CallKind::Conversion).is_none() && self.left(CallKind::Conversion) > 0
    }

    /// Notes a readable answer to a search.
    pub fn note_readable_search(&mut self) {
        self.unreadable_searches_in_a_row = 0;
    }

    /// Notes an unreadable answer, which proves nothing. Returns whether it is the third in a row, so that the run
    /// ends.
    pub fn note_unreadable_answer(&mut self, provider: Provider) -> bool {
        let count = match provider {
            Provider::Search => &mut self.unreadable_searches_in_a_row,
            Provider::Recogniser => &mut self.unreadable_recognitions_in_a_row,
            Provider::Planner => return false,
        };
        *count += 1;
        *count >= UNREADABLE_IN_A_ROW_MAX
    }

    /// Notes a readable answer of the recogniser.
    pub fn note_readable_recognition(&mut self) {
        self.unreadable_recognitions_in_a_row = 0;
    }

    /// Notes how many different photos all searches have found.
    pub fn note_found_photos(&mut self, photos: usize) {
        self.photos.found = u32::try_from(photos).unwrap_or(u32::MAX);
    }

    /// Counts a photo that was recognised, by this run or an earlier one.
    pub fn count_recognised_photo(&mut self, is_vetoed: bool) {
        self.photos.looked += 1;
        self.photos.vetoed += u32::from(is_vetoed);
    }

    /// Counts photos that need not be recognised, because they prove nothing.
    pub fn count_rejected_photos(&mut self, photos: usize) {
        let photos = u32::try_from(photos).unwrap_or(u32::MAX);
        self.photos.rejected = self.photos.rejected.saturating_add(photos);
    }

    /// Counts a recognised photo whose answer was remembered.
    pub fn count_remembered_photo(&mut self) {
        self.photos.remembered += 1;
    }

    /// Counts a photo that could not be fetched.
    pub fn count_unfetchable_photo(&mut self) {
        self.photos.unfetchable += 1;
    }

    /// Counts a photo whose bytes the recogniser does not accept.
    pub fn count_unreadable_photo(&mut self) {
        self.photos.unreadable += 1;
    }

    /// Counts a known photo that was reused, or a copy of one.
    pub fn count_repeated_photo(&mut self, is_copy: bool) {
        self.photos.repeated += 1;
        self.photos.copies += u32::from(is_copy);
    }

    /// Counts found photos that no search looks at.
    pub fn count_left_photos(&mut self, photos: usize) {
        let photos = u32::try_from(photos).unwrap_or(u32::MAX);
        self.photos.left = self.photos.left.saturating_add(photos);
    }

    /// Subtracts photos from those left, because they are looked at after all.
    pub fn count_taken_up_photos(&mut self, photos: usize) {
        let photos = u32::try_from(photos).unwrap_or(u32::MAX);
        self.photos.left = self.photos.left.saturating_sub(photos);
    }

    /// Returns the number of photos recognised so far.
    pub fn photos_looked(&self) -> u32 {
        self.photos.looked
    }

    /// Returns the number of photos that could not be fetched or read so far.
    pub fn photos_unread(&self) -> u32 {
        self.photos.unfetchable + self.photos.unreadable
    }

    /// Returns what was spent. Each call in flight counts as one attempt.
    pub fn spent(&self) -> Spent {
        Spent {
            search_calls: self.searches.spent(),
            recognition_calls: self.recognitions.spent(),
            planner_calls: self.planner_calls.spent(),
            throttled_calls: self.throttled,
            runtime_ms: self.now.since(self.started),
            nano_usd: self.money.paid(),
            photos: self.photos,
        }
    }
}

/// Returns how many photos a run may have converted: as many as it may have recognised.
fn conversions_max(limits: &Limits) -> u32 {
    if limits.converts_photos {
        limits.recognitions_max
    } else {
        0
    }
}

/// The budget that pays for a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CallKind {
    Search,
    Recognition,
    Planner,
    Page,
    Conversion,
}

impl CallKind {
    /// Returns the budget that pays for an action; `None` for fetching a photo unconverted and for requests to Wikidata
    /// and the memory, which are free.
    pub fn of(action: &Action) -> Option<Self> {
        match action {
            Action::Search { .. } => Some(Self::Search),
            Action::Recognise { .. } => Some(Self::Recognition),
            Action::Plan(_) => Some(Self::Planner),
            Action::Capture { .. } => Some(Self::Page),
            Action::Fetch {
                may_convert: true, ..
            }
            | Action::FetchKnown {
                may_convert: true, ..
            } => Some(Self::Conversion),
            Action::Fetch { .. }
            | Action::FetchKnown { .. }
            | Action::Lives(_)
            | Action::Recall(_)
            | Action::Connect(_) => None,
        }
    }

    /// Returns the reason for which a run ends when this budget is used up. The budgets for planner, pages and
    /// conversions do not end a run.
    pub fn reason(self) -> Reason {
        match self {
            Self::Search | Self::Planner | Self::Page => Reason::SearchBudget,
            Self::Recognition | Self::Conversion => Reason::RecognitionBudget,
        }
    }
}

/// The permission to send a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Permission {
    /// The call may be sent now.
    Granted,
    /// The call may be sent when other calls of its kind are answered, because the remaining attempts are reserved for
    /// them.
    Later,
    /// The call may never be sent.
    Refused(Reason),
}

/// The cost of a run so far, and its limit, in billionths of a dollar. The highest possible cost of each call in flight
/// is reserved, so that all calls together never exceed the limit.
#[derive(Debug, Clone)]
struct Money {
    paid: u64,
    kept: u64,
    limit: Option<u64>,
    prices: CallPrices,
}

impl Money {
    pub fn new(limits: &Limits) -> Self {
        Self {
            paid: 0,
            kept: 0,
            limit: limits.nano_usd_max,
            prices: limits.prices,
        }
    }

    pub fn paid(&self) -> u64 {
        self.paid
    }

    pub fn pay(&mut self, nano_usd: u64) {
        self.paid = self.paid.saturating_add(nano_usd);
    }

    /// Reserves the highest possible cost of a call with this many attempts.
    pub fn keep(&mut self, kind: CallKind, attempts_max: u32) {
        self.kept = self.kept.saturating_add(self.most(kind, attempts_max));
    }

    /// Releases the amount that was reserved for a finished call, which had at most this many attempts.
    pub fn give_back(&mut self, kind: CallKind, attempts_max: u32) {
        self.kept = self.kept.saturating_sub(self.most(kind, attempts_max));
    }

    /// Returns how many attempts of a kind would be affordable if no call were in flight; `None` if unlimited.
    pub fn attempts(&self, kind: CallKind) -> Option<u32> {
        self.affordable(kind, self.limit?.saturating_sub(self.paid))
    }

    /// Returns how many attempts of a kind are affordable with the money that is not reserved for calls in flight;
    /// `None` if unlimited.
    pub fn attempts_left(&self, kind: CallKind) -> Option<u32> {
        let left = self.limit?.saturating_sub(self.paid);
        self.affordable(kind, left.saturating_sub(self.kept))
    }

    fn affordable(&self, kind: CallKind, nano_usd: u64) -> Option<u32> {
        let attempts = nano_usd.checked_div(self.price(kind))?;
        Some(u32::try_from(attempts).unwrap_or(u32::MAX))
    }

    fn most(&self, kind: CallKind, attempts_max: u32) -> u64 {
        if self.limit.is_none() {
            return 0;
        }
        self.price(kind).saturating_mul(u64::from(attempts_max))
    }

    fn price(&self, kind: CallKind) -> u64 {
        match kind {
            CallKind::Search => self.prices.search_nano_usd_max,
            CallKind::Recognition => self.prices.recognition_nano_usd_max,
            CallKind::Planner => self.prices.planner_nano_usd_max,
            CallKind::Page => self.prices.page_nano_usd_max,
            CallKind::Conversion => self.prices.conversion_nano_usd_max,
        }
    }
}

/// The reason why a run cannot go on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunError {
    code: ErrorCode,
    provider: Option<FailedProvider>,
    message: String,
}

impl RunError {
    /// Returns the error for a provider that stays down, refuses, or is closed.
    pub fn of_provider(provider: Provider, failure: &Failure) -> Self {
        let code = error_code(failure.kind);
        Self {
            code,
            provider: Some(FailedProvider {
                role: provider,
                id: failure.provider().map(str::to_owned),
            }),
            message: message(provider, code, failure.detail()),
        }
    }

    /// Returns the error for a mistake in this program, which is reported as such.
    pub fn internal(what: &str) -> Self {
        Self {
            code: ErrorCode::Internal,
            provider: None,
            message: format!("Something went wrong here: {what}."),
        }
    }

    /// Returns the error as reported, with all that was spent.
    pub fn report(&self, spent: Spent) -> ErrorReport {
        ErrorReport {
            code: self.code,
            provider: self.provider.clone(),
            message: self.message.clone(),
            spent,
        }
    }
}

fn error_code(kind: FailureKind) -> ErrorCode {
    match kind {
        FailureKind::Throttled => ErrorCode::ProviderThrottled,
        FailureKind::Quota => ErrorCode::ProviderQuota,
        FailureKind::Closed => ErrorCode::ProviderClosed,
        FailureKind::Misconfigured => ErrorCode::Misconfigured,
        FailureKind::Refused | FailureKind::BadImage => ErrorCode::ProviderRefused,
        FailureKind::Malformed
        | FailureKind::TooLarge
        | FailureKind::Down
        | FailureKind::HandedOver
        | FailureKind::MalformedHandedOver => ErrorCode::ProviderDown,
    }
}

/// Returns the sentence that says who failed, how, and whether trying later helps.
fn message(provider: Provider, code: ErrorCode, detail: &str) -> String {
    let who = match provider {
        Provider::Search => "The image search",
        Provider::Recogniser => "The recogniser",
        Provider::Planner => "The planner",
    };
    let what = match code {
        ErrorCode::ProviderThrottled => "is asked too often at the moment; try again in a minute",
        ErrorCode::ProviderQuota => "has used up its quota; try again when it is renewed",
        ErrorCode::ProviderClosed => "is closed to this server's operator; trying again won't help",
        ErrorCode::ProviderRefused => "refused the request; trying again won't help",
        ErrorCode::ProviderDown => "gives no usable answer at the moment; try again later",
        ErrorCode::Misconfigured => "does not accept this server's settings; its operator must act",
        ErrorCode::Internal => "met an error of ours",
    };
    format!("{who} {what} ({detail}).")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_comes_before_the_count() {
        let limits = Limits {
            searches_max: 1,
            runtime_ms_max: 100,
            ..Limits::default()
        };
        let mut budget = Budget::new(&limits);
        budget.advance(Millis(1_000));
        budget.start();
        let at = |budget: &Budget, now| Budget {
            now: Millis(now),
            ..budget.clone()
        };
        let search = |budget: &Budget, now| at(budget, now).permission(CallKind::Search);
        let refused = Permission::Refused;
        assert_eq!(search(&budget, 1_099), Permission::Granted);
        assert_eq!(search(&budget, 1_100), refused(Reason::RuntimeBudget));
        assert_eq!(budget.begin(CallKind::Search, 1), 1);
        assert_eq!(search(&budget, 1_050), refused(Reason::SearchBudget));
        assert_eq!(
            at(&budget, 1_050).permission(CallKind::Recognition),
            Permission::Granted
        );
    }

    #[test]
    fn the_time_of_a_run_neither_steps_back_nor_counts_a_pause() {
        let limits = Limits {
            runtime_ms_max: 100,
            ..Limits::default()
        };
        let mut budget = Budget::new(&limits);
        budget.advance(Millis(1_000));
        budget.start();
        assert_eq!(budget.advance(Millis(900)), 0);
        assert_eq!(budget.time_left_ms(), 100);
        let pause_ms = budget.advance(Millis(1_060));
        budget.pause(pause_ms);
        assert_eq!((pause_ms, budget.time_left_ms()), (60, 100));
    }

    /// Checks how many attempts each of `photos` fetched photos has when `left` attempts are left.
    fn check_shares(left: u32, photos: usize, expect: &[u32]) {
        let limits = Limits {
            recognitions_max: left,
            ..Limits::default()
        };
        let mut budget = Budget::new(&limits);
        budget.advance(Millis(1));
        let mut begun = Vec::new();
        for sharers in (1..=photos).rev() {
            if budget.permission_to_recognise(sharers) == Permission::Granted {
                begun.push(budget.begin(CallKind::Recognition, sharers));
            }
        }
        assert_eq!(begun, expect);
    }

    #[test]
    fn the_last_photos_share_what_is_left_and_do_not_wait_for_each_other() {
        check_shares(100, 5, &[3, 3, 3, 3, 3]);
        check_shares(12, 5, &[2, 2, 2, 3, 3]);
        check_shares(5, 5, &[1, 1, 1, 1, 1]);
        check_shares(3, 5, &[1, 1, 1]);
        check_shares(2, 1, &[2]);
    }

    #[test]
    fn the_last_attempts_are_not_shared_by_calls_at_the_same_time() {
        let limits = Limits {
            searches_max: 5,
            ..Limits::default()
        };
        let mut budget = Budget::new(&limits);
        budget.advance(Millis(1));
        assert_eq!(budget.begin(CallKind::Search, 1), 3);
        assert_eq!(budget.permission(CallKind::Search), Permission::Later);
        budget.settle(CallKind::Search, 3, 3);
        assert_eq!(budget.permission(CallKind::Search), Permission::Granted);
    }

    #[test]
    fn what_calls_under_way_may_cost_is_kept_for_them() {
        let limits = Limits {
            nano_usd_max: Some(10),
            prices: CallPrices {
                search_nano_usd_max: 5,
                recognition_nano_usd_max: 1,
                ..CallPrices::default()
            },
            ..Limits::default()
        };
        let mut money = Money::new(&limits);
        let left = |money: &Money| {
            let kinds = [CallKind::Search, CallKind::Recognition, CallKind::Planner];
            kinds.map(|kind| money.attempts_left(kind))
        };
        assert_eq!(left(&money), [Some(2), Some(10), None]);
        money.keep(CallKind::Search, 1);
        money.keep(CallKind::Recognition, 3);
        assert_eq!(left(&money), [Some(0), Some(2), None]);
        assert_eq!(money.attempts(CallKind::Search), Some(2));
        money.give_back(CallKind::Recognition, 3);
        money.pay(1);
        assert_eq!(left(&money), [Some(0), Some(4), None]);
        money.give_back(CallKind::Search, 1);
        assert_eq!(left(&money), [Some(1), Some(9), None]);
        assert_eq!(
            Money::new(&Limits::default()).attempts(CallKind::Search),
            None
        );
    }
}
