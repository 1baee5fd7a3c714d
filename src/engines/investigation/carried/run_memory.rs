//! What a run has of the memory, and what it gives to it. The memory never holds a run up: what it fails in costs
//! nothing but what it would have saved, and is told once.

use std::cell::{Cell, RefCell};

use crate::calls::Attempts;
use crate::domain::{
    Hit, MemoryNews, PeopleToRecall, PhotoToRemember, RecalledPhoto, RememberedAnswer,
    RememberedSearch, SearchToRemember, Sha256Digest,
};
use crate::effects::{Effects, MemoryDown, RememberedPhotos, WantedAnswers, WriteError, timeout};
use crate::engine::RunToCarry;
use crate::engines::investigation::machine::{Fetched, Recognised, Remembered};
use crate::engines::investigation::stored::InvestigationEngine;
use crate::sorted::SortedMap;

use super::kept_photo::KeptPhoto;

/// The longest time in which the memory answers, in milliseconds.
const ANSWER_MS_MAX: u64 = 1_000;
/// The longest time in which a run asks for remembered photos and searches, all questions together, in milliseconds.
const RECALLS_MS_MAX: u64 = 3_000;
/// The number of photos that are kept together.
const BATCH: usize = 10;
/// The most searches of a run that are answered by the memory: each may bring photos that are fetched for nothing. A
/// process that takes the run up counts anew.
const SEARCHES_MAX: u32 = 20;
/// The longest answer of an image search that is kept, in bytes.
const SEARCH_BYTES_MAX: usize = 200_000;
const TOO_LONG: &str = "it takes too long";
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The memory as one run uses it.
pub(super) struct RunMemory<'run, E> {
    effects: &'run E,
    wanted: Option<WantedAnswers>,
    keeps: bool,
    /// How long an image search's answer is used again, in milliseconds; 0 where none is.
    search_ms_max: u64,
    /// Whether it has failed in this run, so that it is not asked any more.
    is_down: Cell<bool>,
    /// The time that questions for remembered photos and searches have taken, in milliseconds.
    recalls_ms: Cell<u64>,
    /// The searches that the memory may still answer.
    searches_left: Cell<u32>,
    /// The photos that were recalled, by their addresses.
    recalled: RefCell<SortedMap<String, Sha256Digest>>,
    /// The price of one recognition, in billionths of a dollar.
    recognition_nano_usd: u64,
    news: RefCell<MemoryNews>,
}

impl<'run, E: Effects + RememberedPhotos> RunMemory<'run, E> {
    /// Makes the memory of a run that uses one, or does not.
    pub(super) fn new(effects: &'run E, run: &RunToCarry<'run, '_, InvestigationEngine>) -> Self {
        let (providers, is_used) = (run.providers, run.order.uses_memory());
        let began_ms = run.began.map_or_else(|| effects.now_ms(), |began| began.0);
        let memory = providers.memory.filter(|_| is_used);
        let days_ms = |days: u32| DAY_MS.saturating_mul(days.into());
        let searches = memory.filter(|_| run.order.uses_kept_searches());
        let search_ms_max = searches.map_or(0, |memory| days_ms(memory.search_days));
        let wanted = memory.map(|memory| WantedAnswers {
            recogniser: providers.recogniser.recogniser.id().to_owned(),
            since_ms: began_ms.saturating_sub(days_ms(memory.days)),
            searches_since_ms: began_ms.saturating_sub(search_ms_max),
            before_ms: began_ms,
        });
        Self {
            effects,
            wanted,
            keeps: memory.is_some_and(|memory| memory.keeps),
            search_ms_max,
            is_down: Cell::new(false),
            recalls_ms: Cell::new(0),
            searches_left: Cell::new(SEARCHES_MAX),
            recalled: RefCell::default(),
            recognition_nano_usd: providers.recogniser.nano_usd,
            news: RefCell::default(),
        }
    }

    fn wanted(&self) -> Option<&WantedAnswers> {
        self.wanted.as_ref().filter(|_| !self.is_down.get())
    }

    /// Waits for the memory's answer. Returns `None` where it fails.
    async fn ask<T>(
        &self,
        asked: impl Future<Output = Result<T, MemoryDown>>,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<T> {
        match timeout(self.effects, ms_max.min(ANSWER_MS_MAX), asked).await {
            Some(Ok(answer)) => return Some(answer),
            Some(Err(MemoryDown(why))) => self.give_up(&why, attempts),
            None => self.give_up(TOO_LONG, attempts),
        }
        None
    }

    /// Waits for the memory's answer, and counts the time against what all such questions may take together.
    async fn ask_in_all<T>(
        &self,
        asked: impl Future<Output = Result<T, MemoryDown>>,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<T> {
        let began_ms = self.effects.now_ms();
        let answer = self.ask(asked, ms_max, attempts).await;
        let took_ms = self.effects.now_ms().saturating_sub(began_ms);
        let all_ms = self.recalls_ms.get().saturating_add(took_ms);
        self.recalls_ms.set(all_ms);
        if all_ms >= RECALLS_MS_MAX {
            self.give_up(TOO_LONG, attempts);
        }
        answer
    }

    /// Asks for nothing more in this run, and says why, once.
    fn give_up(&self, why: &str, attempts: Attempts<'_>) {
        if !self.is_down.replace(true) {
            attempts.tell_once(format!(
                "What earlier runs have recognised cannot be had ({why}); the search goes on without it."
            ));
        }
    }

    /// Returns what is remembered of these people.
    pub(super) async fn recall(
        &self,
        people: &PeopleToRecall,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Vec<RecalledPhoto> {
        let Some(wanted) = self.wanted() else {
            return Vec::new();
        };
        let recalled = self.ask_in_all(self.effects.recall(people, wanted), ms_max, attempts);
        let recalled = recalled.await.unwrap_or_default();
        let photos = recalled.iter();
        let photos = photos.map(|photo| (photo.hit.image_url.clone(), photo.digest.clone()));
        self.recalled.borrow_mut().extend(photos);
        recalled
    }

    /// Returns a photo with the remembered answer to its bytes, where there is one. What its pixels say against it
    /// is found anew.
    pub(super) async fn with_answer(
        &self,
        (fetched, photo): (Fetched, KeptPhoto),
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Result<(Fetched, KeptPhoto), WriteError> {
        let Some(answer) = self.answer(&fetched.digest, ms_max, attempts).await else {
            return Ok((fetched, photo));
        };
        let collage_check = attempts.read(|| {
            let effects = self.effects;
            effects.collage_check(photo.bytes(), photo.picture(), &answer.faces)
        })?;
        if collage_check.veto().is_some() {
            self.news.borrow_mut().vetoed.push(fetched.digest.clone());
        }
        let remembered = Some(Box::new(Remembered {
            answer,
            collage_check,
        }));
        let fetched = Fetched {
            remembered,
            ..fetched
        };
        Ok((fetched, photo))
    }

    async fn answer(
        &self,
        digest: &Sha256Digest,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<RememberedAnswer> {
        let wanted = self.wanted()?;
        let asked = self.effects.remembered_answer(digest, wanted);
        self.ask(asked, ms_max, attempts).await.flatten()
    }

    /// Returns whether answers of image searches are used and kept now.
    pub(super) fn uses_searches(&self) -> bool {
        self.wanted().is_some() && self.search_ms_max > 0
    }

    /// Returns the remembered answer of an image search to a request.
    pub(super) async fn search(
        &self,
        question: &Sha256Digest,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<RememberedSearch> {
        let wanted = self.wanted().filter(|_| self.searches_left.get() > 0)?;
        let asked = (self.effects).remembered_search(question, wanted);
        let answer = self.ask_in_all(asked, ms_max, attempts).await.flatten();
        if answer.is_some() {
            // Others may have been answered meanwhile.
            let left = self.searches_left.get();
            self.searches_left.set(left.saturating_sub(1));
        }
        answer
    }

    /// Makes what is worth remembering of an image search's answer, where the run keeps anything. An answer with a
    /// warning may be a part of what there is: MediaWiki tells so of a search that took too long.
    pub(super) fn search_worth_keeping(
        &self,
        question: Sha256Digest,
        body: &[u8],
    ) -> Option<SearchToRemember> {
        let body = str::from_utf8(body).ok()?;
        let is_whole = !body.contains("\"warnings\"");
        let is_kept = self.keeps && is_whole && body.len() <= SEARCH_BYTES_MAX;
        let at_ms = self.effects.now_ms();
        is_kept.then(|| SearchToRemember {
            question,
            until_ms: at_ms.saturating_add(self.search_ms_max),
            answer: RememberedSearch {
                at_ms,
                body: body.to_owned(),
            },
        })
    }

    /// Keeps an image search's answer that is in the journal. It goes at once, since it is long.
    pub(super) fn keep_search(&self, search: SearchToRemember) {
        self.effects.remember(MemoryNews {
            search: Some(search),
            ..MemoryNews::default()
        });
    }

    /// Makes what is worth remembering of a photo that was recognised now, where the run keeps anything.
    pub(super) fn worth_keeping(
        &self,
        photo: Option<(Hit, Sha256Digest)>,
        recognised: &Recognised,
        body: Option<&Sha256Digest>,
    ) -> Option<PhotoToRemember> {
        let asked = self.wanted.as_ref().filter(|_| self.keeps)?;
        let (hit, digest) = photo?;
        Some(PhotoToRemember {
            digest,
            hit,
            answer: RememberedAnswer {
                faces: recognised.faces.clone(),
                recogniser: asked.recogniser.clone(),
                at_ms: self.effects.now_ms(),
                body: body.cloned(),
            },
            is_vetoed: recognised.collage_check.veto().is_some(),
        })
    }

    /// Notes what came from an address, if that of a recalled photo: the digest of its bytes, or `None` where it is gone.
    pub(super) fn note_fetched(&self, address: &str, fetched: Option<&Sha256Digest>) {
        let recalled = self.recalled.borrow();
        let Some(known) = recalled.get(address).filter(|_| self.keeps) else {
            return;
        };
        let mut news = self.news.borrow_mut();
        if fetched == Some(known) {
            news.came.push(known.clone());
        } else {
            news.failed.push(known.clone());
        }
    }

    /// Notes that a remembered answer is in the journal, and takes the place of one that would have been paid for.
    pub(super) fn note_saved(&self) {
        let mut news = self.news.borrow_mut();
        news.saved_recognitions += 1;
        news.saved_nano_usd += self.recognition_nano_usd;
    }

    /// Keeps a photo whose answer is in the journal, together with others.
    pub(super) fn keep(&self, photo: PhotoToRemember) {
        let photos = {
            let mut news = self.news.borrow_mut();
            news.photos.push(photo);
            news.photos.len()
        };
        if photos >= BATCH {
            self.tell();
        }
    }

    /// Tells the memory what it has not been told yet.
    pub(super) fn tell(&self) {
        let news = self.news.take();
        if self.keeps && news != MemoryNews::default() {
            self.effects.remember(MemoryNews {
                day: self.effects.now_ms() / DAY_MS,
                ..news
            });
        }
    }
}
