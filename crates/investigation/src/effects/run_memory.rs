//! What a run uses of the memory of earlier runs, and what it adds to it. If the memory fails, the run only pays for
//! what the memory would have saved; the failure is reported once. A run waits only briefly for hints, but longer for
//! an answer that it would otherwise pay for again.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use futures::lock::Mutex;

use domain::{
    Candidate, Making, MemoryNews, PeopleToRecall, PhotoToRemember, RecalledPhoto,
    RememberedAnswer, RememberedSearch, SearchToRemember, Sha256Digest, SidesToConnect,
    somebody_twice_beside_two, two_in_one_face,
};
use engine::RunContext;
use platform::{Effects, MemoryDown, RememberedPhotos, WantedAnswers, WriteError, timeout};
use providers::calls::Attempts;
use settings::PricedRecogniser;

use crate::machine::{Fetched, Recognised, Remembered};
use crate::wire::InvestigationEngine;

use super::known_photos::{KnownPhotos, PhotoToFetch};
use super::photo_executor::FoundPhoto;
use super::photo_executor::KeptPhoto;

/// The longest wait for a recognition that an earlier run stored for the same bytes, in milliseconds. If none arrives,
/// a recognition is paid for.
const LOOKUP_MS_MAX: u64 = 10_000;
/// The number of consecutive lookups without an answer after which lookups pause for [`RECOVERY_MS`]. Lookups run
/// concurrently, so the waits of ten lookups take about as long as two.
const LOOKUPS_FAILED_MAX: u32 = 10;
/// The pause after a failure of the memory, in milliseconds. It is long enough for a memory that is slow for a minute
/// to recover.
const RECOVERY_MS: u64 = 60_000;
/// The most attempts of a request that the database refuses. The next constant is the pause between them, in
/// milliseconds.
const ATTEMPTS: u32 = 2;
const PAUSE_MS: u64 = 200;
/// The longest total time of a run's requests for remembered photos and searches, in milliseconds.
const RECALLS_MS_MAX: u64 = 3_000;
/// The number of photos stored together.
const BATCH: usize = 10;
/// The most searches of a run that the memory answers. It is limited because each answer may bring photos that are
/// fetched for nothing. A process that takes over the run starts counting from 0.
const SEARCHES_MAX: u32 = 20;
/// The longest answer of an image search that is stored, in bytes.
const SEARCH_BYTES_MAX: usize = 200_000;
const TOO_LONG: &str = "it takes too long";
const DAY_MS: u64 = 24 * 60 * 60 * 1_000;

/// The sides to connect, and the photos of the chain that was found between them. Without a chain, there are no photos.
type KnownChain = (SidesToConnect, Vec<PhotoToFetch>);

/// Which remembered answers of recognisers a run reuses.
#[derive(Debug, Clone, Copy)]
pub(super) enum AnswersToReuse<'call> {
    /// Every answer. It names somebody whom the run wants, even if it does not name everybody.
    All,
    /// The answers of recognisers that looked for all of these people.
    About(&'call [Candidate]),
}

impl AnswersToReuse<'_> {
    fn include(self, answer: &RememberedAnswer) -> bool {
        match (self, &answer.candidates) {
            (Self::All, _) | (_, None) => true,
            (Self::About(people), Some(looked_for)) => {
                people.iter().all(|one| looked_for.contains(one))
            }
        }
    }
}

/// The memory, as far as one run uses it.
pub(super) struct RunMemory<'run, E> {
    effects: &'run E,
    wanted: Option<WantedAnswers>,
    keeps: bool,
    recognisers: &'run [PricedRecogniser],
    /// How long an image search's answer may be reused, in milliseconds; 0 if never.
    search_ms_max: u64,
    /// Whether a failure was already reported to viewers.
    has_failed: Cell<bool>,
    /// The time until which no remembered photos and searches are requested, in milliseconds since 1970. A failure sets
    /// it.
    recalls_paused_until_ms: Cell<u64>,
    /// The number of consecutive lookups that failed. After too many failures, lookups pause until the time in the next
    /// field, in milliseconds since 1970.
    lookups_failed: Cell<u32>,
    lookups_paused_until_ms: Cell<u64>,
    /// The total time of requests for remembered photos and searches, in milliseconds.
    recalls_ms: Cell<u64>,
    /// The number of searches that the memory may still answer.
    searches_left: Cell<u32>,
    /// The remembered photos that the machine is not allowed to know yet. The next field holds the chains that were
    /// found among them.
    known: RefCell<KnownPhotos>,
    chains: RefCell<Vec<KnownChain>>,
    /// A lock that is held while a chain is looked for, because each question depends on the answers to the previous
    /// ones.
    connecting: Mutex<()>,
    /// The digests of recalled photos, by address.
    recalled: RefCell<BTreeMap<String, Sha256Digest>>,
    news: RefCell<MemoryNews>,
}

impl<'run, E: Effects + RememberedPhotos> RunMemory<'run, E> {
    /// Creates a run's access to the memory. It stays unused if the run's order says so.
    pub(super) fn new(effects: &'run E, run: &RunContext<'run, '_, InvestigationEngine>) -> Self {
        let (providers, is_used) = (run.providers, run.order.uses_memory());
        let began_ms = run.began.map_or_else(|| effects.now_ms(), |began| began.0);
        let memory = providers.memory.filter(|_| is_used);
        let days_ms = |days: u32| DAY_MS.saturating_mul(days.into());
        let searches = memory.filter(|_| run.order.uses_kept_searches());
        let search_ms_max = searches.map_or(0, |memory| days_ms(memory.search_days));
        let recognisers = providers.recognisers.iter();
        let recognisers = recognisers.map(|priced| priced.recogniser.id().to_owned());
        let wanted = memory.map(|memory| WantedAnswers {
            recognisers: recognisers.collect(),
            since_ms: began_ms.saturating_sub(days_ms(memory.days)),
            searches_since_ms: began_ms.saturating_sub(search_ms_max),
            before_ms: began_ms,
        });
        let keeps = memory.is_some_and(|memory| memory.keeps);
        Self {
            effects,
            wanted,
            keeps,
            recognisers: &providers.recognisers,
            search_ms_max,
            has_failed: Cell::new(false),
            recalls_paused_until_ms: Cell::new(0),
            lookups_failed: Cell::new(0),
            lookups_paused_until_ms: Cell::new(0),
            recalls_ms: Cell::new(0),
            searches_left: Cell::new(SEARCHES_MAX),
            known: RefCell::default(),
            chains: RefCell::default(),
            connecting: Mutex::default(),
            recalled: RefCell::default(),
            news: RefCell::default(),
        }
    }

    fn wanted(&self) -> Option<&WantedAnswers> {
        let is_asked = self.effects.now_ms() >= self.recalls_paused_until_ms.get();
        self.wanted.as_ref().filter(|_| is_asked)
    }

    /// Waits for the memory's answer. Returns the reason if the request fails.
    async fn ask<T>(
        &self,
        ask: impl AsyncFn() -> Result<T, MemoryDown>,
        ms_max: u64,
    ) -> Result<T, MemoryDown> {
        let deadline_ms = self.effects.now_ms().saturating_add(ms_max);
        let mut attempt = 1;
        loop {
            let left_ms = deadline_ms.saturating_sub(self.effects.now_ms());
            match timeout(self.effects, left_ms, ask()).await {
                Some(Ok(answer)) => return Ok(answer),
                Some(Err(down)) if attempt == ATTEMPTS => return Err(down),
                Some(Err(_)) => self.effects.sleep(PAUSE_MS).await,
                None => return Err(MemoryDown(TOO_LONG.to_owned())),
            }
            attempt += 1;
        }
    }

    /// Waits for the memory's answer. All requests that the run makes through this function together take at most
    /// [`RECALLS_MS_MAX`]. Returns `None` if the request fails. After a failure, such requests pause for a while; once
    /// the total time is used up, no more are made.
    async fn ask_in_all<T>(
        &self,
        ask: impl AsyncFn() -> Result<T, MemoryDown>,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<T> {
        let began_ms = self.effects.now_ms();
        let left_ms = RECALLS_MS_MAX.saturating_sub(self.recalls_ms.get());
        let answer = self.ask(ask, ms_max.min(left_ms)).await;
        let took_ms = self.effects.now_ms().saturating_sub(began_ms);
        let all_ms = self.recalls_ms.get().saturating_add(took_ms);
        self.recalls_ms.set(all_ms);
        let pause_ms = if all_ms >= RECALLS_MS_MAX {
            u64::MAX
        } else {
            RECOVERY_MS
        };
        let why = match &answer {
            Err(MemoryDown(why)) => why,
            Ok(_) if pause_ms == u64::MAX => TOO_LONG,
            Ok(_) => return answer.ok(),
        };
        let until_ms = self.effects.now_ms().saturating_add(pause_ms);
        self.recalls_paused_until_ms.set(until_ms);
        self.tell_of_failure(why, attempts);
        answer.ok()
    }

    /// Reports once why the memory is not used.
    fn tell_of_failure(&self, why: &str, attempts: Attempts<'_>) {
        if !self.has_failed.replace(true) {
            attempts.tell_once(format!(
                "What earlier runs have recognised cannot be asked for ({why}); the search goes on without it, and \
                 looks up the photos that it finds."
            ));
        }
    }

    /// Returns the remembered photos of these people.
    pub(super) async fn recall(
        &self,
        people: &PeopleToRecall,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Vec<RecalledPhoto> {
        let Some(wanted) = self.wanted() else {
            return Vec::new();
        };
        let recalled = self
            .ask_in_all(
                async || self.effects.recall(people, wanted).await,
                ms_max,
                attempts,
            )
            .await
            .unwrap_or_default();
        // If the machine is allowed to know recalled photos, they are fetched by address, so their digests are kept by
        // address.
        let photos = recalled
            .iter()
            .map(|photo| (photo.hit.image_url.clone(), photo.digest.clone()));
        self.recalled.borrow_mut().extend(photos);
        recalled
    }

    /// Looks up whether an earlier run stored a recognition for the photo's bytes. If so, adds it to the photo, after
    /// checking again whether the photo is a collage.
    pub(super) async fn with_answer(
        &self,
        (fetched, photo): (Fetched, KeptPhoto),
        reused: AnswersToReuse<'_>,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Result<(Fetched, KeptPhoto), WriteError> {
        let answer = self.answer(&fetched.digest, ms_max, attempts).await;
        let Some(answer) = answer.filter(|answer| reused.include(answer)) else {
            return Ok((fetched, photo));
        };
        let collage_check = attempts.read(|| {
            let effects = self.effects;
            effects.collage_check(photo.bytes(), photo.picture(), &answer.faces)
        })?;
        let making = fetched.provenance.making.as_ref();
        if collage_check.veto().is_some() || making.is_some_and(Making::rejects) {
            self.note_vetoed(&fetched.digest);
        }
        let remembered = Some(Box::new(Remembered::new(answer, collage_check)));
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
        let is_asked = self.effects.now_ms() >= self.lookups_paused_until_ms.get();
        let wanted = self.wanted.as_ref().filter(|_| is_asked)?;
        let ask = async || self.effects.remembered_answer(digest, wanted).await;
        match self.ask(ask, ms_max.min(LOOKUP_MS_MAX)).await {
            Ok(answer) => {
                self.lookups_failed.set(0);
                answer
            }
            Err(MemoryDown(why)) => {
                let failed = self.lookups_failed.get() + 1;
                self.lookups_failed.set(failed);
                if failed >= LOOKUPS_FAILED_MAX {
                    let until_ms = self.effects.now_ms().saturating_add(RECOVERY_MS);
                    self.lookups_paused_until_ms.set(until_ms);
                }
                self.tell_of_failure(&why, attempts);
                None
            }
        }
    }

    /// Returns whether answers of image searches are reused and stored now.
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
        let ask = async || self.effects.remembered_search(question, wanted).await;
        let answer = self.ask_in_all(ask, ms_max, attempts).await.flatten();
        if answer.is_some() {
            // The number is read again, because concurrent searches may have been answered meanwhile.
            let left = self.searches_left.get();
            self.searches_left.set(left.saturating_sub(1));
        }
        answer
    }

    /// Returns what to store of an image search's answer, if the run stores anything. An answer with a warning is not
    /// stored, because it may be incomplete: MediaWiki warns if a search took too long.
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

    /// Stores an image search's answer that is in the journal. It is stored at once, because it is too long to be kept
    /// in memory.
    pub(super) fn keep_search(&self, search: SearchToRemember) {
        self.effects.remember(MemoryNews {
            search: Some(search),
            ..MemoryNews::default()
        });
    }

    /// Returns what to store of a photo recognised now, if the run stores anything.
    pub(super) fn worth_keeping(
        &self,
        photo: Option<FoundPhoto>,
        recognised: &Recognised,
        candidates: Vec<Candidate>,
        body: Option<&Sha256Digest>,
    ) -> Option<PhotoToRemember> {
        let by = recognised.by.as_ref().filter(|_| self.keeps)?;
        let priced = self.recogniser(&by.recogniser)?;
        let is_vetoed = stored_veto(recognised)?;
        let FoundPhoto { hit, digest, taken } = photo?;
        Some(PhotoToRemember {
            digest,
            hit,
            taken,
            answer: RememberedAnswer {
                faces: recognised.faces.clone(),
                by: by.clone(),
                candidates: (priced.recogniser.needs_candidates()).then_some(candidates),
                at_ms: self.effects.now_ms(),
                body: body.cloned(),
            },
            is_vetoed,
        })
    }

    /// Returns the digest of the photo that was recalled with this address.
    pub(super) fn recalled_digest(&self, address: &str) -> Option<Sha256Digest> {
        self.recalled.borrow().get(address).cloned()
    }

    /// Notes the outcome of fetching a recalled photo. `is_same` says whether its bytes are unchanged; it is false if
    /// the photo was deleted.
    pub(super) fn note_come(&self, known: &Sha256Digest, is_same: bool) {
        if !is_same {
            self.note_missed(known);
        }
        if self.keeps {
            let mut news = self.news.borrow_mut();
            let noted = if is_same {
                &mut news.came
            } else {
                &mut news.failed
            };
            noted.push(known.clone());
        }
    }

    /// Notes that a remembered photo proves nothing, so that no other run uses it.
    pub(super) fn note_vetoed(&self, known: &Sha256Digest) {
        self.news.borrow_mut().vetoed.push(known.clone());
    }

    /// Notes that this run could not use a recalled photo.
    pub(super) fn note_missed(&self, known: &Sha256Digest) {
        self.known.borrow_mut().note_gone(known);
    }

    /// Notes that a remembered recognition is in the journal. It has saved the price of one recognition.
    pub(super) fn note_saved(&self, recogniser: &str) {
        let price = self.recogniser(recogniser).map(|priced| priced.nano_usd);
        let mut news = self.news.borrow_mut();
        news.saved_recognitions += 1;
        news.saved_nano_usd += price.unwrap_or_default();
    }

    fn recogniser(&self, id: &str) -> Option<&PricedRecogniser> {
        let mut all = self.recognisers.iter();
        all.find(|priced| priced.recogniser.id() == id)
    }

    /// Stores a photo whose answer is in the journal, in batches.
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

    /// Sends to the memory all that was noted for it and not sent yet.
    pub(super) fn tell(&self) {
        let news = self.news.take();
        if self.keeps && news != MemoryNews::default() {
            self.effects.remember(MemoryNews {
                day: self.effects.now_ms() / DAY_MS,
                ..news
            });
        }
    }

    /// Returns how many remembered photos make a chain between these sides; 0 if no chain is found.
    pub async fn connect(
        &self,
        sides: &SidesToConnect,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> usize {
        let _connecting = self.connecting.lock().await;
        if let Some(chain) = self.chain_of(sides) {
            return chain.len();
        }
        for _ in 0..KnownPhotos::questions_for(sides) {
            let asked = self.known.borrow_mut().next_question(sides);
            let (Some(wanted), Some(asked)) = (self.wanted(), asked) else {
                break;
            };
            let recalled = self
                .ask_in_all(
                    async || self.effects.recall(&asked, wanted).await,
                    ms_max,
                    attempts,
                )
                .await
                .unwrap_or_default();
            self.known.borrow_mut().take(recalled);
        }
        let chain = self.known.borrow().chain(sides);
        let photos = chain.len();
        self.chains.borrow_mut().push((sides.clone(), chain));
        photos
    }

    /// Returns the photo at this place of the chain between these sides. If another process found the chain, looks for
    /// it again.
    pub async fn photo_of(
        &self,
        sides: &SidesToConnect,
        place: usize,
        ms_max: u64,
        attempts: Attempts<'_>,
    ) -> Option<PhotoToFetch> {
        self.connect(sides, ms_max, attempts).await;
        self.chain_of(sides)?.get(place).cloned()
    }

    fn chain_of(&self, sides: &SidesToConnect) -> Option<Vec<PhotoToFetch>> {
        let chains = self.chains.borrow();
        let (_, chain) = chains.iter().find(|(asked, _)| asked == sides)?;
        Some(chain.clone())
    }
}

/// Returns whether a recognised photo is stored as one that proves nothing; `None` if it is not stored at all. Other
/// runs would take a stored photo without a veto for one that passed, so a photo that could not be judged is not stored.
fn stored_veto(recognised: &Recognised) -> Option<bool> {
    let check = recognised.collage_check;
    let faces = &recognised.faces;
    let contradict_each_other = two_in_one_face(faces) || somebody_twice_beside_two(faces);
    let is_vetoed = check.veto().is_some() || contradict_each_other;
    check.unjudged().is_none().then_some(is_vetoed)
}

#[cfg(test)]
mod tests {
    use domain::{CollageCheck, Unjudged, Veto};

    use super::*;

    #[test]
    fn a_photo_that_could_not_be_judged_is_not_stored() {
        let stored = |collage_check| {
            let faces = Vec::new();
            stored_veto(&Recognised {
                faces,
                collage_check,
                by: None,
            })
        };
        assert_eq!(stored(CollageCheck::Passed), Some(false));
        assert_eq!(stored(CollageCheck::Doubtful), Some(false));
        for veto in Veto::ALL {
            assert_eq!(stored(CollageCheck::Vetoed(*veto)), Some(true));
        }
        for why in Unjudged::ALL {
            assert_eq!(stored(CollageCheck::NotJudged(*why)), None);
        }
    }
}
