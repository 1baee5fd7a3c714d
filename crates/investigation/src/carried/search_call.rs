//! One image search: the providers that may be asked, in order, and what one of them has answered to an earlier run.

use std::cell::RefCell;

use domain::{Failure, FoundHits, ListPage, SearchQuestion, SearchToRemember, Sha256Digest};
use platform::{Effects, RememberedPhotos, WireRequest, WireResponse, WriteError};
use providers::JSON_BYTES_MAX;
use providers::calls::{
    Asked, Attempts, CallLimits, CallResult, Choice, Choices, Failover, RetryOutcome, ask_in_order,
    charged, limits,
};
use settings::PricedSearch;

use crate::machine::{Command, Outcome};

use super::kept_photo::KeptAnswer;
use super::run_memory::RunMemory;
use super::run_photos::PhotoCallResult;

/// The longest time of one attempt, in milliseconds.
const SEARCH_MS_MAX: u64 = 10_000;

/// One search, and what it needs of its run.
pub(super) struct SearchCall<'call, 'run, E> {
    pub effects: &'run E,
    /// The image searches in the operator's order.
    pub searches: &'run [PricedSearch],
    pub failover: &'call Failover,
    pub memory: &'call RunMemory<'run, E>,
    pub question: &'call SearchQuestion,
    /// The number of hits that are wanted.
    pub count: u32,
    /// The image search that is meant, and the page of its list.
    pub part: &'call ListPage,
    /// The ids of those that were asked this question before.
    pub asked_before: &'call [String],
}

/// The question as one image search is asked it.
#[derive(Clone, Copy)]
struct AskedSearch<'call> {
    priced: &'call PricedSearch,
    question: &'call SearchQuestion,
    count: u32,
    page: u32,
}

impl AskedSearch<'_> {
    fn id(self) -> &'static str {
        self.priced.search.id()
    }

    fn request(self) -> Result<WireRequest, Failure> {
        (self.priced.search).request(self.question, self.count, self.page)
    }

    fn read(self, response: &WireResponse) -> Result<FoundHits, Failure> {
        let mut list = self.priced.search.read(self.question, response)?;
        // Some providers give as many hits as they have, however few are wanted.
        list.hits
            .truncate(usize::try_from(self.count).unwrap_or(usize::MAX));
        Ok(FoundHits {
            has_more: list.has_more(self.count),
            hits: list.hits,
            part: ListPage {
                source: Some(self.id().to_owned()),
                page: self.page,
            },
        })
    }

    /// Returns the digest under which the answer is kept, if the provider's terms allow that.
    fn digest(self) -> Option<Sha256Digest> {
        let request = self.priced.search.may_be_kept().then(|| self.request())?;
        let asked = format!("{} {}", self.id(), request.ok()?.uri());
        Some(Sha256Digest::of(asked.as_bytes()))
    }
}

impl<E: Effects + RememberedPhotos> SearchCall<'_, '_, E> {
    /// Searches, unless an earlier run was given the answer. Fails where the journal cannot be written.
    pub(super) async fn execute(
        self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<PhotoCallResult, WriteError> {
        let result = |asked: Asked<Outcome>| {
            CallResult::of(command.id, asked, |outcome| {
                outcome.unwrap_or_else(|failure| Outcome::Searched(Err(failure)))
            })
        };
        let began_ms = self.effects.now_ms();
        let (asked, answered_by) = self.in_order();
        if let Some((asked, at_ms)) = self.remembered(&asked, command, attempts).await? {
            return Ok(result(asked).given_before(at_ms));
        }
        let kept = RefCell::new(None);
        let (call, to_keep) = (&self, &kept);
        let choices = asked.into_iter().map(|one| Choice {
            id: one.id(),
            name: one.priced.search.name(),
            price_nano_usd: one.priced.nano_usd,
            build: Box::new(move || one.request()),
            read: Box::new(move |response| {
                let found = one.read(response);
                // Somebody of whom nothing was found may be found tomorrow.
                if found.as_ref().is_ok_and(|found| !found.hits.is_empty()) {
                    to_keep.replace(call.worth_keeping(one, response));
                }
                let nano_usd = charged(&found, response, one.priced.nano_usd);
                (found.map(|found| Outcome::Searched(Ok(found))), nano_usd)
            }),
        });
        let choices = Choices {
            list: choices.collect(),
            answered_by,
        };
        let passed_ms = self.effects.now_ms().saturating_sub(began_ms);
        let limits = CallLimits {
            time_left_ms: command.time_left_ms.saturating_sub(passed_ms),
            ..limits(command, JSON_BYTES_MAX, SEARCH_MS_MAX)
        };
        let asked = ask_in_order(self.effects, self.failover, choices, limits, attempts).await?;
        let kept = kept.take().map(Box::new);
        Ok(result(asked).keeping(kept.map(KeptAnswer::Searched)))
    }

    /// Returns the image searches, with the one that is meant first, and the id and name of one that has answered. A
    /// page that is not the first is that one's; another is asked for the beginning of its own list, if it was not
    /// asked before.
    fn in_order(&self) -> (Vec<AskedSearch<'_>>, Option<(&'static str, &'static str)>) {
        let is_meant = |one: &&PricedSearch| Some(one.search.id()) == self.part.source.as_deref();
        let (meant, others): (Vec<_>, Vec<_>) = self.searches.iter().partition(is_meant);
        let was_asked = |one: &&PricedSearch| {
            let mut before = self.asked_before.iter();
            before.any(|id| *id == one.search.id())
        };
        let (known, others): (Vec<_>, Vec<_>) = others.into_iter().partition(was_asked);
        let asked = meant.into_iter().chain(others).map(|priced| AskedSearch {
            priced,
            question: self.question,
            count: self.count.min(priced.search.extent().hits_max),
            page: if is_meant(&priced) { self.part.page } else { 0 },
        });
        let now_ms = self.effects.now_ms();
        let may_ask = |one: &&&PricedSearch| self.failover.may_ask(one.search.id(), now_ms);
        let known = known.iter().find(may_ask);
        let known = known.map(|priced| (priced.search.id(), priced.search.name()));
        (asked.collect(), known)
    }

    /// Returns what the image search that is asked next has answered to an earlier run, and when, in milliseconds
    /// since 1970.
    async fn remembered(
        &self,
        asked: &[AskedSearch<'_>],
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<Option<(Asked<Outcome>, u64)>, WriteError> {
        let now_ms = self.effects.now_ms();
        let mut may_be_asked = asked
            .iter()
            .filter(|one| self.failover.may_ask(one.id(), now_ms));
        let Some(next) = may_be_asked.next().filter(|_| self.memory.uses_searches()) else {
            return Ok(None);
        };
        let Some(question) = next.digest() else {
            return Ok(None);
        };
        let answer = self
            .memory
            .search(&question, command.time_left_ms, attempts);
        let Some(answer) = answer.await else {
            return Ok(None);
        };
        let body = Sha256Digest::of(answer.body.as_bytes());
        let response = WireResponse::new(answer.body.into_bytes());
        // An answer that this version cannot read is asked for anew.
        let Ok(found) = attempts.read(|| next.read(&response))? else {
            return Ok(None);
        };
        let asked = Asked::of_one(
            next.id(),
            RetryOutcome {
                result: Ok(Outcome::Searched(Ok(found))),
                attempts: 0,
                throttled: 0,
                nano_usd: 0,
                body_digest: Some(body),
            },
        );
        Ok(Some((asked, answer.at_ms)))
    }

    fn worth_keeping(
        &self,
        asked: AskedSearch<'_>,
        response: &WireResponse,
    ) -> Option<SearchToRemember> {
        let question = self.memory.uses_searches().then(|| asked.digest())??;
        self.memory.search_worth_keeping(question, response.body())
    }
}
