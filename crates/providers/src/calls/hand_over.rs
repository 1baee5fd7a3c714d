//! Puts one question to the providers of a role, in order, until one answers.

use domain::{Failure, FailureKind};
use platform::{Effects, WireRequest, WireResponse, WriteError};

use super::answer_source::SetAside;
use super::attempts::Attempts;
use super::failover::Failover;
use super::retry::{CallLimits, RetryOutcome, call};

/// The most attempts with a provider that may hand over: a second attempt often helps, a third one
/// is better spent with the next provider.
const ATTEMPTS_BEFORE_HAND_OVER: u32 = 2;
/// The longest pause before such a second attempt, in milliseconds.
const PAUSE_BEFORE_HAND_OVER_MS_MAX: u64 = 2_000;

/// The function that builds a request.
type Build<'call> = Box<dyn Fn() -> Result<WireRequest, Failure> + 'call>;
/// The function that reads an answer, and gives what it cost in billionths of a dollar.
type Read<'call, T> = Box<dyn Fn(&WireResponse) -> (Result<T, Failure>, u64) + 'call>;

/// One provider that may be asked, and how.
pub struct Choice<'call, T> {
    /// The provider's id, as it is set.
    pub id: &'static str,
    /// The provider's name, as viewers are told it.
    pub name: &'static str,
    /// The cost of an attempt whose answer never comes, in billionths of a dollar.
    pub price_nano_usd: u64,
    /// The function that builds the provider's request.
    pub build: Build<'call>,
    /// The function that reads the provider's answer.
    pub read: Read<'call, T>,
}

/// The providers that may be asked one question.
pub struct Choices<'call, T> {
    /// The providers in their order.
    pub list: Vec<Choice<'call, T>>,
    /// The id and the name of a provider that may be asked and was asked this question before. It is
    /// not asked it again, but what comes next is its to answer where nobody of the list is left.
    pub answered_by: Option<(&'static str, &'static str)>,
}

impl<'call, T> From<Vec<Choice<'call, T>>> for Choices<'call, T> {
    /// Makes the providers of a question that nobody has answered.
    fn from(list: Vec<Choice<'call, T>>) -> Self {
        Self {
            list,
            answered_by: None,
        }
    }
}

impl<T> Choices<'_, T> {
    /// Returns the name of another provider that failed only for a while.
    fn resting(&self, choice: &Choice<'_, T>, set_aside: &[SetAside]) -> Option<&'static str> {
        let is_resting = |other: &&Choice<'_, T>| {
            let mut rows = set_aside.iter();
            other.id != choice.id
                && rows.any(|row| row.provider == other.id && row.until_ms.is_some())
        };
        let resting = self.list.iter().find(is_resting);
        resting.map(|other| other.name)
    }
}

/// The result of asking the providers of a role.
pub struct Asked<T> {
    /// The result of the provider that was asked last, with the attempts and costs of all.
    pub called: RetryOutcome<T>,
    /// The id of the provider that was asked last.
    pub provider: Option<&'static str>,
    /// The providers that were set aside.
    pub set_aside: Vec<SetAside>,
    /// The remarks that viewers are told of it.
    pub remarks: Vec<String>,
}

impl<T> Asked<T> {
    /// Returns the result of asking the only provider of a role.
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

/// Asks the providers in order. A provider that is closed, refuses, is out of quota, busy or down is
/// set aside, and the next one is asked with the attempts that are left. Where no attempt is left,
/// the call fails as handed over, to be made again with the next provider; so it does where the last
/// one fails and an earlier one was only busy. The last one that is not set aside has all attempts
/// and pauses, as if it were alone.
///
/// An answer that cannot be read ends the call, since it was paid for. It counts against the part
/// that its provider plays only where no other provider may be asked from then on.
pub async fn ask_in_order<E: Effects, T>(
    effects: &E,
    failover: &Failover,
    choices: Choices<'_, T>,
    of_all: CallLimits,
    attempts: Attempts<'_>,
) -> Result<Asked<T>, WriteError> {
    let deadline_ms = effects.now_ms().saturating_add(of_all.time_left_ms);
    let answered_by = choices.answered_by;
    let ids: Vec<&'static str> = choices.list.iter().map(|choice| choice.id).collect();
    let order = failover.order(&ids, effects.now_ms());
    let mut places = (order.places.iter()).filter_map(|place| choices.list.get(*place));
    let mut next = places.next();
    // Each provider has a last chance where all are set aside.
    let is_last_chance = order.usable == 0;
    let mut others = if is_last_chance {
        order.places.len()
    } else {
        order.usable
    };
    let none = Failure::new(FailureKind::Misconfigured, "no provider is configured");
    let mut asked = Asked {
        called: RetryOutcome::not_sent(none),
        provider: None,
        set_aside: Vec::new(),
        remarks: Vec::new(),
    };
    if is_last_chance && answered_by.is_some() {
        let why = "who has not answered yet is set aside";
        asked.called = RetryOutcome::not_sent(Failure::new(FailureKind::HandedOver, why));
        return Ok(asked);
    }
    while let Some(choice) = next {
        next = places.next();
        others = others.saturating_sub(1);
        let (made_before, throttled_before) = (attempts.made(), attempts.throttled());
        let limits = CallLimits {
            price_nano_usd: choice.price_nano_usd,
            provider: (choice.id, choice.name),
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
        let build = |_| (choice.build)();
        asked.called = call(effects, limits, attempts, may_ask, build, &choice.read).await?;
        asked.provider = Some(choice.id);
        asked.called.result = asked.called.result.map_err(|failure| failure.of(choice.id));
        let now_ms = effects.now_ms();
        let Err(failure) = &mut asked.called.result else {
            break;
        };
        let is_malformed = failure.kind == FailureKind::Malformed;
        // A failure that comes with the end of the run's time is no provider's fault.
        if failure.kind == FailureKind::BadImage || now_ms >= deadline_ms {
            break;
        }
        let is_over = attempts.made() >= of_all.attempts_max;
        let is_short = made_before > 0 && others == 0 && is_over;
        if is_short && !is_last_chance && failure.kind.is_transient() {
            // The provider had only the attempts that others left over: it is asked again, with all
            // of them.
            failure.kind = FailureKind::HandedOver;
            break;
        }
        let after = match next {
            Some(next) => Some(next.name),
            None if is_last_chance => None,
            None => {
                let resting = choices.resting(choice, &asked.set_aside);
                let resting = resting.filter(|_| !is_malformed);
                resting.or(answered_by.map(|(_, name)| name))
            }
        };
        let Some(after) = after else {
            break;
        };
        // A provider that all runs leave alone for a while was not asked at all.
        let is_asked = (made_before, throttled_before) != (attempts.made(), attempts.throttled());
        if is_asked || failure.kind != FailureKind::Throttled {
            let (row, remark) =
                failover.set_aside((choice.id, choice.name), after, failure, now_ms);
            asked.set_aside.push(row);
            asked.remarks.extend(remark);
        }
        // The answer was paid for, readable or not: asking another provider for it would pay twice.
        // What comes next is another provider's to answer, if there is one that may be asked.
        if is_malformed {
            let others = ids.iter().copied().filter(|id| *id != choice.id);
            let mut others = others.chain(answered_by.map(|(id, _)| id));
            if others.any(|id| failover.may_ask(id, now_ms)) {
                failure.kind = FailureKind::MalformedHandedOver;
            }
            break;
        }
        if is_over || next.is_none() {
            if !is_last_chance {
                failure.kind = FailureKind::HandedOver;
            }
            break;
        }
    }
    Ok(asked)
}

/// Returns the limits of one provider. Where others may be asked after it, one attempt is left for
/// each of them as far as there are enough. A provider that comes back from a rest has one attempt.
/// Its last chance has the whole pause.
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
