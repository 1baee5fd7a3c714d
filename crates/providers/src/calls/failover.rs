//! Failover in an ordered list of providers. A provider that fails is set aside and the next one is asked. The failed
//! one is asked again only if its failure may have passed.
//!
//! There is one list per role. Each run remembers the providers that it has set aside. They are journaled with the
//! answer that they delayed, so that a run that resumes after a crash does not ask them again. If the crash came before
//! that answer was journaled, they are asked once more.

use std::cell::RefCell;

use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

use domain::{Failure, FailureKind, Sha256Digest};
use kernel::{Answer, CommandId};
use platform::{Effects, WireRequest, WireResponse, WriteError};

use super::in_flight::Attempts;
use super::retry::{CallLimits, RetryOutcome, call};

/// How long a busy or unavailable provider is left alone if it gives no hint, in milliseconds.
const REST_MS: u64 = 30_000;

/// The most attempts with a provider if another one can be asked after it. A second attempt often helps; a third is
/// better spent on the next provider.
const ATTEMPTS_BEFORE_HAND_OVER: u32 = 2;
/// The longest pause, in milliseconds, before the second attempt with a provider that others follow.
const PAUSE_BEFORE_HAND_OVER_MS_MAX: u64 = 2_000;

/// The order in which providers are asked.
#[derive(Debug, PartialEq, Eq)]
pub struct AskingOrder {
    /// The order in which to ask, as indices into the list of providers.
    pub places: Vec<usize>,
    /// The number of providers at the beginning of `places` that may be asked now.
    pub usable: usize,
}

/// The providers set aside in this run.
#[derive(Debug, Default)]
pub struct Failover {
    /// The latest entry of each provider. A provider may be set aside several times.
    set_aside: RefCell<Vec<SetAside>>,
}

impl Failover {
    /// Restores the set-aside providers from the entries of the journal.
    pub fn restored<'run>(set_aside: impl Iterator<Item = &'run SetAside>) -> Self {
        let failover = Self::default();
        for one in set_aside {
            failover.note(one);
        }
        failover
    }

    /// Returns the order in which to ask the providers with these ids. First come those that may be asked now, then
    /// those that are set aside for a while, the one that may be asked soonest first. Those that are set aside for the
    /// rest of the run are omitted; but if no others are left, all are returned.
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

    /// Returns whether a provider may be asked: it was never set aside, or the time for which it was set aside is over.
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

    /// Sets a provider aside: for a while if its failure may pass, otherwise for the rest of the run. Returns a remark
    /// for viewers the first time, and `None` afterwards.
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
        // A name may begin with a capitalised article, which is lower-cased since the name stands inside a sentence
        // here.
        let next = next
            .strip_prefix("The ")
            .map_or_else(|| next.to_owned(), |name| format!("the {name}"));
        let remark = format!("{name} {what} ({detail}); {next} is asked from now on.");
        (row, is_first.then_some(remark))
    }

    /// Records a provider's latest entry. Returns whether it is the provider's first.
    fn note(&self, row: &SetAside) -> bool {
        let mut set_aside = self.set_aside.borrow_mut();
        let known = set_aside.len();
        set_aside.retain(|other| other.provider != row.provider);
        let is_first = set_aside.len() == known;
        set_aside.push(row.clone());
        is_first
    }
}

/// Returns whether a failure of this kind may pass within the run. If so, its provider is worth asking again.
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

/// A function that builds a provider's request, signed for a time in milliseconds since 1970.
type Build<'call> = Box<dyn Fn(u64) -> Built<'call> + 'call>;

/// A request that is being built.
type Built<'call> = LocalBoxFuture<'call, Result<WireRequest, Failure>>;

/// A function that reads a provider's answer, and returns the result and the cost in billionths of a dollar.
type Read<'call, T> = Box<dyn Fn(&WireResponse) -> (Result<T, Failure>, u64) + 'call>;

/// One provider of a list, and the functions with which it is asked.
pub struct Choice<'call, T> {
    /// The provider's id in the settings.
    pub id: &'static str,
    /// The provider's name for viewers.
    pub name: &'static str,
    /// The cost of an attempt whose answer never arrives, in billionths of a dollar.
    pub price_nano_usd: u64,
    /// The pace shared by all runs, in attempts per second; `None` if unlimited.
    pub per_second_max: Option<u32>,
    /// Builds the provider's request.
    pub build: Build<'call>,
    /// Reads the provider's answer.
    pub read: Read<'call, T>,
}

/// The providers for one question.
pub struct Choices<'call, T> {
    /// The providers that may be asked, in order.
    pub list: Vec<Choice<'call, T>>,
    /// The id and the name of the provider that already answered this question. It is not asked this question again,
    /// but it is asked later ones if no provider of the list is left.
    pub answered_by: Option<(&'static str, &'static str)>,
}

impl<'call, T> From<Vec<Choice<'call, T>>> for Choices<'call, T> {
    /// Makes the list of providers for a question that nobody has answered yet.
    fn from(list: Vec<Choice<'call, T>>) -> Self {
        Self {
            list,
            answered_by: None,
        }
    }
}

impl<T> Choices<'_, T> {
    /// Returns the name of a provider other than this one that is set aside only for a while.
    fn resting(&self, choice: &Choice<'_, T>, set_aside: &[SetAside]) -> Option<&'static str> {
        let is_resting = |other: &&Choice<'_, T>| {
            let mut rows = set_aside.iter();
            other.id != choice.id
                && rows.any(|row| row.provider == other.id && row.until_ms.is_some())
        };
        let resting = self.list.iter().find(is_resting);
        resting.map(|other| other.name)
    }

    /// Returns the ids of all providers except this one, including the provider that already answered.
    fn ids_but(&self, id: &str) -> impl Iterator<Item = &'static str> {
        self.list
            .iter()
            .map(|choice| choice.id)
            .filter(move |other| *other != id)
            .chain(self.answered_by.map(|(id, _)| id))
    }
}

/// The result of asking the providers of a role.
pub struct Asked<T> {
    /// The result of the last provider that was asked, with the attempts and costs of all.
    pub called: RetryOutcome<T>,
    /// The id of the provider that was asked last; `None` if nobody was asked.
    pub provider: Option<&'static str>,
    /// The providers that were set aside during this call.
    pub set_aside: Vec<SetAside>,
    /// The remarks for viewers about providers that were set aside.
    pub remarks: Vec<String>,
}

impl<T> Asked<T> {
    /// Makes the result of a call for which no provider was asked.
    fn nobody(kind: FailureKind, why: &str) -> Self {
        Self {
            called: RetryOutcome::not_sent(Failure::new(kind, why)),
            provider: None,
            set_aside: Vec::new(),
            remarks: Vec::new(),
        }
    }

    /// Makes the result of a role that has only this provider.
    pub fn of_one(provider: &'static str, mut called: RetryOutcome<T>) -> Self {
        called.result = called.result.map_err(|failure| failure.of(provider));
        Self {
            called,
            provider: Some(provider),
            set_aside: Vec::new(),
            remarks: Vec::new(),
        }
    }
}

/// Asks the providers in order. A provider that is closed, refuses, is out of quota, busy or down is set aside, and the
/// next one is asked with the remaining attempts. The last provider that is not set aside gets all attempts and pauses,
/// as if it were alone.
///
/// The call fails as "handed over", which means that it is to be made again with the next provider, in two cases: no
/// attempts remain, or the last provider fails and an earlier one was only busy.
///
/// An answer that cannot be read ends the call, since it was paid for. It counts as a failure of the role only if no
/// other provider may be asked from then on.
pub async fn ask_in_order<E: Effects, T>(
    effects: &E,
    failover: &Failover,
    choices: Choices<'_, T>,
    of_all: CallLimits,
    attempts: Attempts<'_>,
) -> Result<Asked<T>, WriteError> {
    let deadline_ms = effects.now_ms().saturating_add(of_all.time_left_ms);
    let ids: Vec<&'static str> = choices.list.iter().map(|choice| choice.id).collect();
    let order = failover.order(&ids, effects.now_ms());
    let mut places = (order.places.iter()).filter_map(|place| choices.list.get(*place));
    let mut next = places.next();
    // If all providers are set aside, each is asked once more before the call fails.
    let is_last_chance = order.usable == 0;
    let mut others = if is_last_chance {
        order.places.len()
    } else {
        order.usable
    };
    if is_last_chance && choices.answered_by.is_some() {
        let why = "every provider that has not answered yet is set aside";
        return Ok(Asked::nobody(FailureKind::HandedOver, why));
    }
    let round = Round {
        failover,
        choices: &choices,
        attempts,
        attempts_max: of_all.attempts_max,
        is_last_chance,
        deadline_ms,
    };
    let mut asked = Asked::nobody(FailureKind::Misconfigured, "no provider is configured");
    while let Some(choice) = next {
        next = places.next();
        others = others.saturating_sub(1);
        let before = (attempts.made(), attempts.throttled());
        let limits = CallLimits {
            price_nano_usd: choice.price_nano_usd,
            provider: (choice.id, choice.name),
            per_second_max: choice.per_second_max,
            time_left_ms: deadline_ms.saturating_sub(effects.now_ms()),
            ..limits_of_one(
                of_all,
                &attempts,
                (others, is_last_chance),
                failover.knows(choice.id),
            )
        };
        let is_needed = others == 0 || is_last_chance;
        let may_ask = || is_needed || failover.may_ask(choice.id, effects.now_ms());
        asked.called = call(
            effects,
            limits,
            attempts,
            may_ask,
            |now_ms| (choice.build)(now_ms),
            &choice.read,
        )
        .await?;
        asked.provider = Some(choice.id);
        asked.called.result = asked.called.result.map_err(|failure| failure.of(choice.id));
        let turn = Turn {
            choice,
            next: next.map(|next| next.name),
            others,
            before,
        };
        if !round.hands_over(&turn, &mut asked, effects.now_ms()) {
            break;
        }
    }
    Ok(asked)
}

/// The values that stay the same while the providers are asked one question.
struct Round<'round, 'call, T> {
    failover: &'round Failover,
    choices: &'round Choices<'call, T>,
    attempts: Attempts<'round>,
    attempts_max: u32,
    /// Whether all providers are set aside. If so, each is asked once more as a last chance.
    is_last_chance: bool,
    deadline_ms: u64,
}

/// One provider that was just asked, and its place among the others.
struct Turn<'round, 'call, T> {
    choice: &'round Choice<'call, T>,
    /// The name of the provider to ask after this one; `None` if there is none.
    next: Option<&'static str>,
    /// The number of providers that may be asked after this one.
    others: usize,
    /// The numbers of attempts and of throttled attempts that the call had made before it asked this provider.
    before: (u32, u32),
}

impl<T> Round<'_, '_, T> {
    /// Returns whether to ask the next provider. Sets the failed one aside if another one may answer, and marks its
    /// failure as handed over if no attempt remains.
    fn hands_over(&self, turn: &Turn<'_, '_, T>, asked: &mut Asked<T>, now_ms: u64) -> bool {
        let Err(failure) = &mut asked.called.result else {
            return false;
        };
        // A failure at the end of the run's time is not the provider's fault.
        if now_ms >= self.deadline_ms {
            return false;
        }
        if failure.kind == FailureKind::BadImage {
            // The image is at fault and not the provider. Another one may be able to read it.
            return self.attempts.made() < self.attempts_max && turn.next.is_some();
        }
        let is_malformed = failure.kind == FailureKind::Malformed;
        let is_over = self.attempts.made() >= self.attempts_max;
        let is_short = turn.before.0 > 0 && turn.others == 0 && is_over;
        if is_short && !self.is_last_chance && failure.kind.is_transient() {
            // The provider had only the attempts that earlier providers left over, so the call is made again with its
            // full number of attempts.
            failure.kind = FailureKind::HandedOver;
            return false;
        }
        let Some(after) = self.after(turn, &asked.set_aside, is_malformed) else {
            return false;
        };
        // If no attempt was counted, all runs were pausing for this provider, so it was not asked at all.
        let is_asked = turn.before != (self.attempts.made(), self.attempts.throttled());
        if is_asked || failure.kind != FailureKind::Throttled {
            let provider = (turn.choice.id, turn.choice.name);
            let (row, remark) = self.failover.set_aside(provider, after, failure, now_ms);
            asked.set_aside.push(row);
            asked.remarks.extend(remark);
        }
        // The answer was paid for, readable or not, so asking another provider would mean paying twice. Only later
        // questions go to another provider, if there is one.
        if is_malformed {
            let mut others = self.choices.ids_but(turn.choice.id);
            if others.any(|id| self.failover.may_ask(id, now_ms)) {
                failure.kind = FailureKind::MalformedHandedOver;
            }
            return false;
        }
        let goes_on = !is_over && turn.next.is_some();
        if !goes_on && !self.is_last_chance {
            failure.kind = FailureKind::HandedOver;
        }
        goes_on
    }

    /// Returns the name of the provider that may answer instead of this one.
    fn after(
        &self,
        turn: &Turn<'_, '_, T>,
        set_aside: &[SetAside],
        is_malformed: bool,
    ) -> Option<&'static str> {
        if turn.next.is_some() || self.is_last_chance {
            return turn.next;
        }
        let resting = self.choices.resting(turn.choice, set_aside);
        let answered_by = self.choices.answered_by.map(|(_, name)| name);
        resting.filter(|_| !is_malformed).or(answered_by)
    }
}

/// Returns the limits for one provider. They are those of the whole call if no other provider follows. Otherwise one
/// attempt is reserved for each of the others as far as possible, a provider that was set aside before gets one
/// attempt, and pauses are shorter unless this is the last chance.
fn limits_of_one(
    of_all: CallLimits,
    attempts: &Attempts<'_>,
    (others, is_last_chance): (usize, bool),
    is_back: bool,
) -> CallLimits {
    if others == 0 {
        return of_all;
    }
    let others = u32::try_from(others).unwrap_or(u32::MAX);
    let made = attempts.made();
    let left = of_all.attempts_max.saturating_sub(made);
    let most = if is_back {
        1
    } else {
        ATTEMPTS_BEFORE_HAND_OVER
    };
    let allowed = left.saturating_sub(others).clamp(1, most);
    CallLimits {
        attempts_max: made.saturating_add(allowed),
        throttled_max: (attempts.throttled().saturating_add(most)).min(of_all.throttled_max),
        is_waited_for: false,
        pause_ms_max: if is_last_chance {
            of_all.pause_ms_max
        } else {
            of_all.pause_ms_max.min(PAUSE_BEFORE_HAND_OVER_MS_MAX)
        },
        ..of_all
    }
}

/// A provider that is set aside, in the form in which it is journaled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SetAside {
    /// The provider's id in the settings.
    pub provider: String,
    /// The time until which the provider is not asked, in milliseconds since 1970; `None` for the rest of the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until_ms: Option<u64>,
}

/// Where an answer came from. The default names no provider.
#[derive(Debug, Clone, Default)]
pub struct AnswerSource {
    /// The id of the provider that answered, or that was asked last; `None` if the answer came from a photo's host.
    pub provider: Option<String>,
    /// The providers that were asked before the answer and were set aside.
    pub set_aside: Vec<SetAside>,
    /// SHA-256 of the provider's raw body; `None` if there was none.
    pub body: Option<Sha256Digest>,
    /// Whether the answer is inherited from the run that was forked. If so, nothing was sent.
    pub is_reused: bool,
    /// The time at which the provider gave the answer to another run, in milliseconds since 1970; `None` if the answer
    /// does not come from the memory.
    pub given_ms: Option<u64>,
}

/// The result of a command, and the value to store that came with the answer, if any.
#[derive(Debug)]
pub struct CallResult<Outcome, Kept> {
    answer: Answer<Outcome>,
    source: AnswerSource,
    kept: Option<Kept>,
}

impl<Outcome, Kept> CallResult<Outcome, Kept> {
    /// Makes the result of a command that the forked run has already answered. Nothing is sent.
    pub fn reused(command: CommandId, outcome: Outcome) -> Self {
        let source = AnswerSource {
            is_reused: true,
            ..AnswerSource::default()
        };
        Self::unsent(command, outcome, source)
    }

    /// Makes the result of a call that is given up because the program ended twice while reading its answer.
    pub fn passed_over(command: CommandId, outcome: Outcome) -> Self {
        Self::unsent(command, outcome, AnswerSource::default())
    }

    fn unsent(command: CommandId, outcome: Outcome, source: AnswerSource) -> Self {
        Self {
            answer: Answer {
                command,
                attempts: 0,
                throttled: 0,
                nano_usd: 0,
                outcome,
                remarks: Vec::new(),
            },
            source,
            kept: None,
        }
    }

    /// Returns the answer in the form that the machine receives.
    pub fn answer(&self) -> &Answer<Outcome> {
        &self.answer
    }

    /// Returns the source of the answer.
    pub fn source(&self) -> &AnswerSource {
        &self.source
    }

    /// Returns this result with another answer.
    #[must_use]
    pub fn changed(mut self, change: impl FnOnce(&mut Answer<Outcome>)) -> Self {
        change(&mut self.answer);
        self
    }

    /// Splits the result into its answer and the value to store, if any.
    pub fn into_parts(self) -> (Answer<Outcome>, Option<Kept>) {
        (self.answer, self.kept)
    }

    /// Returns this result with a value to store.
    #[must_use]
    pub fn keeping(self, kept: Option<Kept>) -> Self {
        Self { kept, ..self }
    }

    /// Marks the result as a remembered answer that a provider gave to another run at this time, in milliseconds since
    /// 1970.
    #[must_use]
    pub fn given_before(mut self, at_ms: u64) -> Self {
        self.source.given_ms = Some(at_ms);
        self
    }

    /// Makes the result from an answer, and from the value to store, if any.
    pub fn with(answer: Answer<Outcome>, kept: Option<Kept>) -> Self {
        Self {
            answer,
            source: AnswerSource::default(),
            kept,
        }
    }

    /// Makes the result from what the providers of a role returned.
    pub fn of<T>(
        command: CommandId,
        asked: Asked<T>,
        outcome: fn(Result<T, Failure>) -> Outcome,
    ) -> Self {
        let called = asked.called;
        Self {
            answer: Answer {
                command,
                attempts: called.attempts,
                throttled: called.throttled,
                nano_usd: called.nano_usd,
                outcome: outcome(called.result),
                remarks: asked.remarks,
            },
            source: AnswerSource {
                provider: asked.provider.map(str::to_owned),
                set_aside: asked.set_aside,
                body: called.body_digest,
                ..AnswerSource::default()
            },
            kept: None,
        }
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
        // A provider that is set aside for a while is asked if no other one is available.
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
