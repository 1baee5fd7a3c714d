//! Providers that answer commands directly from a world. Their answers are as true as the sandbox's over the wire.

use std::cell::RefCell;
use std::collections::BTreeMap;

use domain::{
    CollageCheck, Confidence, Face, FaceBox, Failure, FailureKind, FoundHits, Hit, ListPage,
    PeopleToRecall, PhotoCopy, PhotoFailure, PhotoToRemember, Provenance, RecalledPhoto,
    RecognisedBy, RememberedAnswer, SearchQuestion, Sha256Digest, SidesToConnect,
};
use investigation::machine::{
    Action, Answer, Captured, Command, Fetched, Outcome, Recognised, Remembered,
};
use kernel::{CommandId, Millis};
use platform::WantedAnswers;
use sandbox::{ListRules, Listed, Rules, World};

use crate::in_memory::InMemoryPhotos;

use super::copied_photos::{CopiesSeen, fingerprint};
use super::known_chains::KnownChains;
use super::photo_judge::{FaceWithOwner, PhotoFiles, PhotoJudge};
use super::photo_search::PhotoSearch;
use super::rule_planner::{PlannerRule, RulePlanner};

/// If the shares cropped from a copy's sides add up to more than this, somebody is cut off.
const CUT_FOR_ONE: f64 = 0.25;

/// Returns a request for all remembered answers, whatever their age.
fn any_answer() -> WantedAnswers {
    WantedAnswers {
        recognisers: vec![String::new()],
        since_ms: 0,
        searches_since_ms: 0,
        before_ms: u64::MAX,
    }
}

/// Providers that answer commands from a world and never fail.
#[derive(Debug)]
pub struct WorldProviders<'world> {
    world: &'world World,
    rules: Rules,
    /// The photo of each fetch, kept until it is recognised.
    fetched: BTreeMap<CommandId, Listed>,
    lists: ListRules,
    copies: CopiesSeen,
    planner: RulePlanner<'world>,
    judge: Option<&'world dyn PhotoJudge>,
    files: Option<&'world dyn PhotoFiles>,
    search: PhotoSearch<'world>,
    /// The probability that a title names a person in its photo, and the probability that it names somebody who is not
    /// in it.
    captions: (f64, f64),
    memory: Option<&'world RefCell<InMemoryPhotos>>,
    /// The remembered chains that the machine knows only by their length.
    chains: KnownChains,
}

impl<'world> WorldProviders<'world> {
    /// Makes providers in their initial state; the planner names the first row of its table.
    #[must_use]
    pub fn new(world: &'world World, rules: Rules) -> Self {
        Self {
            world,
            rules,
            fetched: BTreeMap::new(),
            lists: ListRules::default(),
            copies: CopiesSeen::default(),
            planner: RulePlanner::new(world, PlannerRule::First),
            judge: None,
            files: None,
            search: PhotoSearch::Kind(world),
            captions: (0.0, 0.0),
            memory: None,
            chains: KnownChains::default(),
        }
    }

    /// Sets the probability that a title names a person in its photo, and the probability that it names somebody who is
    /// not in it. By default titles name nobody.
    #[must_use]
    pub fn captioned(mut self, captions: f64, lies: f64) -> Self {
        self.captions = (captions, lies);
        self
    }

    /// Sets a memory to use and fill; by default nothing is remembered.
    #[must_use]
    pub fn remembering(mut self, memory: &'world RefCell<InMemoryPhotos>) -> Self {
        self.memory = Some(memory);
        self
    }

    /// Sets the shares of hits that are copies of other photos, and of hits that show none of the wanted people. By
    /// default there are no such hits.
    #[must_use]
    pub fn listed_by(mut self, lists: ListRules) -> Self {
        self.lists = lists;
        self
    }

    /// Returns the number of fetched copies whose photo had been fetched before, and how many of these were recognised.
    #[must_use]
    pub fn copies(&self) -> (u32, u32) {
        (self.copies.hit, self.copies.paid)
    }

    /// Sets the planner's rule.
    #[must_use]
    pub fn planned_by(mut self, rule: PlannerRule) -> Self {
        self.planner = RulePlanner::new(self.world, rule);
        self
    }

    /// Sets the image searches; the default is [`PhotoSearch::Kind`].
    #[must_use]
    pub fn searched_by(mut self, search: PhotoSearch<'world>) -> Self {
        self.search = search;
        self
    }

    /// Sets a judge of files and pixels; by default no photo is drawn or rejected by them.
    #[must_use]
    pub fn judged_by(mut self, judge: &'world dyn PhotoJudge) -> Self {
        self.judge = Some(judge);
        self
    }

    /// Sets the files of photos. By default the recogniser accepts every file.
    #[must_use]
    pub fn filed_by(mut self, files: &'world dyn PhotoFiles) -> Self {
        self.files = Some(files);
        self
    }

    /// Returns the answer to a command, after a single attempt.
    pub fn answer(&mut self, command: &Command) -> Answer {
        let outcome = match &command.action {
            Action::Search {
                question,
                count,
                part,
                ..
            } => Ok(self.search(question, *count, part)).into(),
            Action::Fetch { image_url, .. } => Outcome::Fetched(self.fetch(command.id, image_url)),
            Action::Recognise { fetched_by } => Outcome::Recognised(self.recognise(*fetched_by)),
            Action::Plan(question) => Outcome::Planned(Ok(self.planner.answer(question))),
            Action::Capture { url } => Outcome::Captured(Ok(picture_of(url))),
            Action::FetchKnown { sides, place, .. } => {
                Outcome::Fetched(self.fetch_known(command.id, sides, *place))
            }
            Action::Lives(_) => Outcome::Lives(Vec::new()),
            Action::Recall(people) => Outcome::Recalled(self.recall(people)),
            Action::Connect(sides) => Outcome::Connected(self.connect(sides)),
        };
        Answer {
            command: command.id,
            attempts: u32::from(!matches!(
                command.action,
                Action::Recall(_) | Action::Connect(_)
            )),
            throttled: 0,
            nano_usd: 1_000_000,
            outcome,
            remarks: Vec::new(),
        }
    }

    fn search(&self, question: &SearchQuestion, count: u32, part: &ListPage) -> FoundHits {
        let size = |number| usize::try_from(number).unwrap_or(usize::MAX);
        let id = part.source.as_deref().unwrap_or_default();
        let source = id.parse().unwrap_or(0);
        let start = size(part.page).saturating_mul(size(count));
        let count = size(count);
        let (listed, has_more) = if self.lists.is_plain() {
            let (found, has_more) = (self.search).find(source, question, start, count);
            let listed = found.into_iter().map(|photo| Listed { photo, copy: 0 });
            (listed.collect(), has_more)
        } else {
            let (found, has_more) = (self.search).find(source, question, 0, start + count);
            let text = question.text();
            let mut listed = self
                .world
                .listed(&text, &found, (start, count + 1), self.lists);
            let is_full = listed.len() > count;
            listed.truncate(count);
            (listed, has_more || is_full)
        };
        FoundHits {
            hits: listed.into_iter().map(|one| self.hit(one)).collect(),
            part: part.clone(),
            has_more,
        }
    }

    fn hit(&self, listed: Listed) -> Hit {
        let photo = listed.photo;
        let (captions, lies) = self.captions;
        let title = if captions > 0.0 || lies > 0.0 {
            self.world.caption_of(photo, captions, lies, self.rules)
        } else {
            match self.world.telling_words(photo, self.rules) {
                Some(words) => format!("Photo {photo} {}", words.title),
                None => format!("Photo {photo}"),
            }
        };
        Hit {
            title,
            ..hit(listed)
        }
    }

    fn fetch(&mut self, command: CommandId, url: &str) -> Result<Fetched, PhotoFailure> {
        let listed = listed_at(url)
            .ok_or_else(|| PhotoFailure::Unfetchable("its host answered HTTP 404".into()))?;
        let files = self.files.filter(|_| listed.copy == 0);
        let sent = match files.and_then(|files| files.is_converted(listed.photo)) {
            None => None,
            Some(true) => Some(Sha256Digest::of(format!("{}.jpg", listed.photo).as_bytes())),
            Some(false) => return Err(PhotoFailure::Unreadable("it is a broken WebP".into())),
        };
        self.fetched.insert(command, listed);
        let digest = match listed {
            Listed { photo, copy: 0 } => Sha256Digest::of(photo.to_string().as_bytes()),
            Listed { photo, copy } => Sha256Digest::of(format!("{photo}.{copy}").as_bytes()),
        };
        let has_pixels = self.lists.copies > 0.0;
        self.copies.note_fetched(listed);
        let remembered = self.remembered(&digest, listed);
        Ok(Fetched {
            provenance: (self.judge).map_or_else(Provenance::default, |judge| {
                // A copy says what the photo says, as where a site keeps it.
                judge.provenance(listed.photo)
            }),
            remembered,
            digest,
            sent,
            fingerprint: has_pixels.then(|| fingerprint(listed)),
            copy: PhotoCopy::Image,
        })
    }

    /// Returns a photo of the world as the memory stores it after a recognition.
    #[must_use]
    pub fn recognised_photo(&self, photo: usize) -> PhotoToRemember {
        let listed = Listed { photo, copy: 0 };
        let recognised = self.seen_in(listed);
        PhotoToRemember {
            digest: Sha256Digest::of(photo.to_string().as_bytes()),
            hit: self.hit(listed),
            taken: None,
            answer: RememberedAnswer {
                faces: recognised.faces,
                by: RecognisedBy {
                    recogniser: String::new(),
                    model: None,
                },
                candidates: None,
                at_ms: 0,
                body: None,
            },
            is_vetoed: recognised.collage_check.veto().is_some(),
        }
    }

    /// Stores the recogniser's answer about a paid photo, if there is a memory.
    pub fn remember(&self, hit: &Hit, fetched: &Fetched, recognised: &Recognised) {
        if let Some(memory) = self.memory {
            memory.borrow_mut().remember(vec![PhotoToRemember {
                digest: fetched.digest.clone(),
                hit: hit.clone(),
                taken: None,
                answer: RememberedAnswer {
                    faces: recognised.faces.clone(),
                    by: RecognisedBy {
                        recogniser: String::new(),
                        model: None,
                    },
                    candidates: None,
                    at_ms: 0,
                    body: None,
                },
                is_vetoed: recognised.collage_check.veto().is_some(),
            }]);
        }
    }

    fn recall(&self, people: &PeopleToRecall) -> Vec<RecalledPhoto> {
        let memory = self.memory.map(RefCell::borrow);
        memory.map_or_else(Vec::new, |memory| memory.recall(people, &any_answer()))
    }

    fn connect(&mut self, sides: &SidesToConnect) -> usize {
        let mut chains = std::mem::take(&mut self.chains);
        let photos = chains.connect(sides, |people| self.recall(people));
        self.chains = chains;
        photos
    }

    fn fetch_known(
        &mut self,
        command: CommandId,
        sides: &SidesToConnect,
        place: usize,
    ) -> Result<Fetched, PhotoFailure> {
        let gone = || PhotoFailure::Unfetchable("it is remembered no more".into());
        let photo = self.chains.photo(sides, place).ok_or_else(gone)?;
        let fetched = self.fetch(command, &photo.hit.image_url)?;
        let another = || PhotoFailure::Unreadable("it is another one".into());
        self.chains.told(photo, fetched).ok_or_else(another)
    }

    fn remembered(&self, digest: &Sha256Digest, listed: Listed) -> Option<Box<Remembered>> {
        let answer = self.memory?.borrow().answer(digest, &any_answer())?;
        // The memory does not store the verdict on the pixels, so they are judged again.
        let collage_check =
            (self.judge).map_or(CollageCheck::Passed, |_| self.seen_in(listed).collage_check);
        Some(Box::new(Remembered::new(answer, collage_check)))
    }

    fn recognise(&mut self, fetched_by: CommandId) -> Result<Recognised, Failure> {
        let missing = || Failure::new(FailureKind::BadImage, "no such photo was fetched");
        let listed = self.fetched.remove(&fetched_by).ok_or_else(missing)?;
        self.copies.note_recognised(listed);
        Ok(self.seen_in(listed))
    }

    /// Returns what the recogniser sees in a photo or a copy, with the objections to it.
    fn seen_in(&self, listed: Listed) -> Recognised {
        let photo = listed.photo;
        let seen = self.world.recognise(photo, self.rules).into_iter();
        let seen = seen.filter(|seen| !seen.missed);
        // If much of a copy is cropped, somebody in it is cut off.
        let is_cut = listed.cut().iter().sum::<f64>() > CUT_FOR_ONE;
        let people = self.world.people_shown(photo, self.rules).len();
        let people = people.saturating_sub(usize::from(is_cut));
        let seen = seen.take(people.max(1));
        let faces = seen.enumerate().filter_map(|(place, seen)| {
            let person = self.world.people.get(seen.person)?;
            let face = Face {
                id: person.id.clone(),
                name: person.name.clone(),
                confidence: Confidence::clamped(seen.match_confidence),
                face_box: beside_each_other(place),
                urls: person.wikidata.clone().into_iter().collect(),
                portrait: None,
            };
            Some(FaceWithOwner {
                owner: seen.owner,
                face,
            })
        });
        match self.judge {
            Some(judge) => judge.judge(photo, faces.collect()),
            None => faces.map(|seen| seen.face).collect::<Vec<_>>().into(),
        }
    }
}

/// Returns a made-up picture of a page, different for each address.
fn picture_of(url: &str) -> Captured {
    Captured {
        digest: Sha256Digest::of(url.as_bytes()),
        media_type: "image/jpeg".to_owned(),
        size: Some((1_280, 800)),
        at: Millis::default(),
    }
}

fn hit(Listed { photo, copy }: Listed) -> Hit {
    let image_url = match copy {
        0 => format!("https://photos.example/{photo}.jpg"),
        copy => format!("https://photos.example/{photo}.{copy}.jpg"),
    };
    Hit {
        image_url,
        thumbnail_url: Some(format!("https://photos.example/thumbnails/{photo}.jpg")),
        context_url: Some(format!("https://photos.example/pages/{photo}")),
        ..Hit::default()
    }
}

/// Returns the photo or copy that is at an address; `None` if none is.
fn listed_at(url: &str) -> Option<Listed> {
    let name = url.strip_prefix("https://photos.example/")?;
    let name = name.strip_suffix(".jpg")?;
    let (photo, copy) = name.split_once('.').unwrap_or((name, "0"));
    Some(Listed {
        photo: photo.parse().ok()?,
        copy: copy.parse().ok()?,
    })
}

/// Returns the number of the photo at an address, also if the address is that of a copy.
pub(in crate::rehearsal) fn photo_number(url: &str) -> Option<usize> {
    listed_at(url).map(|listed| listed.photo)
}

/// Returns the box of a face by its position in the row of faces.
fn beside_each_other(place: usize) -> FaceBox {
    const A_ROW: usize = 8;
    let part = |number: usize| number as f64 / A_ROW as f64;
    FaceBox::of_sides([part(place % A_ROW), part(place / A_ROW % A_ROW), 0.1, 0.1])
}
