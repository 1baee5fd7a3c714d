//! Providers that answer commands from a world, as truthfully as the sandbox does over the wire.

use std::collections::BTreeMap;

use crate::domain::{
    Confidence, Face, FaceBox, Failure, FailureKind, FoundHits, Hit, ListPage, PhotoCopy,
    PhotoFailure, SearchQuestion, Sha256Digest,
};
use crate::engines::investigation::machine::{
    Action, Answer, Captured, Command, Fetched, Outcome, Recognised,
};
use crate::kernel::{CommandId, Millis};
use crate::sandbox::{Rules, World};

use super::photo_judge::{FaceWithOwner, PhotoJudge};
use super::photo_search::PhotoSearch;
use super::rule_planner::{PlannerRule, RulePlanner};

/// Providers that answer commands from a world, without failures.
#[derive(Debug)]
pub struct WorldProviders<'world> {
    world: &'world World,
    rules: Rules,
    /// The number of the photo that each fetch brought, kept until it is recognised.
    fetched: BTreeMap<CommandId, usize>,
    planner: RulePlanner<'world>,
    judge: Option<&'world dyn PhotoJudge>,
    search: PhotoSearch<'world>,
    /// The probabilities that a photo's title names somebody who is shown, and somebody who is not.
    captions: (f64, f64),
}

impl<'world> WorldProviders<'world> {
    /// Makes providers that have fetched nothing yet; the planner names the first row of its table.
    #[must_use]
    pub fn new(world: &'world World, rules: Rules) -> Self {
        Self {
            world,
            rules,
            fetched: BTreeMap::new(),
            planner: RulePlanner::new(world, PlannerRule::First),
            judge: None,
            search: PhotoSearch::Kind(world),
            captions: (0.0, 0.0),
        }
    }

    /// Sets the probabilities that a photo's title names somebody who is shown, and somebody who is
    /// not; without them titles name nobody.
    #[must_use]
    pub fn captioned(mut self, captions: f64, lies: f64) -> Self {
        self.captions = (captions, lies);
        self
    }

    /// Sets a planner that chooses by this rule.
    #[must_use]
    pub fn planned_by(mut self, rule: PlannerRule) -> Self {
        self.planner = RulePlanner::new(self.world, rule);
        self
    }

    /// Sets the image searches; without them there is one, which is kind.
    #[must_use]
    pub fn searched_by(mut self, search: PhotoSearch<'world>) -> Self {
        self.search = search;
        self
    }

    /// Sets a judge of pixels; without one, no photo is drawn and nothing speaks against any.
    #[must_use]
    pub fn judged_by(mut self, judge: &'world dyn PhotoJudge) -> Self {
        self.judge = Some(judge);
        self
    }

    /// Returns the answer of providers that never fail, at one attempt each.
    pub fn answer(&mut self, command: &Command) -> Answer {
        let outcome = match &command.action {
            Action::Search {
                question,
                count,
                part,
                ..
            } => Outcome::Searched(Ok(self.search(question, *count, part))),
            Action::Fetch { image_url, .. } => Outcome::Fetched(self.fetch(command.id, image_url)),
            Action::Recognise { fetched_by } => Outcome::Recognised(self.recognise(*fetched_by)),
            Action::Plan(question) => Outcome::Planned(Ok(self.planner.answer(question))),
            Action::Capture { url } => Outcome::Captured(Ok(picture_of(url))),
        };
        Answer {
            command: command.id,
            attempts: 1,
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
        let (found, has_more) = (self.search).find(source, question, start, size(count));
        FoundHits {
            hits: found.into_iter().map(|photo| self.hit(photo)).collect(),
            part: part.clone(),
            has_more,
        }
    }

    fn hit(&self, photo: usize) -> Hit {
        let (captions, lies) = self.captions;
        let title = if captions > 0.0 || lies > 0.0 {
            self.world.caption_of(photo, captions, lies)
        } else {
            format!("Photo {photo}")
        };
        Hit {
            title,
            ..hit(photo)
        }
    }

    fn fetch(&mut self, command: CommandId, url: &str) -> Result<Fetched, PhotoFailure> {
        let photo = photo_number(url)
            .ok_or_else(|| PhotoFailure::Unfetchable("its host answered HTTP 404".into()))?;
        self.fetched.insert(command, photo);
        let digest = Sha256Digest::of(photo.to_string().as_bytes());
        Ok(Fetched {
            digest,
            copy: PhotoCopy::Image,
        })
    }

    fn recognise(&mut self, fetched_by: CommandId) -> Result<Recognised, Failure> {
        let missing = || Failure::new(FailureKind::BadImage, "no such photo was fetched");
        let photo = self.fetched.remove(&fetched_by).ok_or_else(missing)?;
        let seen = self
            .world
            .recognise(photo, self.rules)
            .into_iter()
            .filter(|seen| !seen.missed);
        let faces = seen.filter_map(|seen| {
            let person = self.world.people.get(seen.person)?;
            let face = Face {
                id: person.id.clone(),
                name: person.name.clone(),
                confidence: Confidence::clamped(seen.match_confidence),
                face_box: FaceBox {
                    left: 0.25,
                    top: 0.25,
                    width: 0.5,
                    height: 0.5,
                },
                urls: person.wikidata.clone().into_iter().collect(),
            };
            Some(FaceWithOwner {
                owner: seen.owner,
                face,
            })
        });
        Ok(match self.judge {
            Some(judge) => judge.judge(photo, faces.collect()),
            None => faces.map(|seen| seen.face).collect::<Vec<_>>().into(),
        })
    }
}

/// Returns a picture of a page, which differs by the page's address.
fn picture_of(url: &str) -> Captured {
    Captured {
        digest: Sha256Digest::of(url.as_bytes()),
        media_type: "image/jpeg".to_owned(),
        size: Some((1_280, 800)),
        at: Millis::default(),
    }
}

fn hit(photo: usize) -> Hit {
    Hit {
        image_url: format!("https://photos.example/{photo}.jpg"),
        thumbnail_url: Some(format!("https://photos.example/thumbnails/{photo}.jpg")),
        context_url: Some(format!("https://photos.example/pages/{photo}")),
        ..Hit::default()
    }
}

/// Returns the number of a photo by its address.
pub(in crate::rehearsal) fn photo_number(url: &str) -> Option<usize> {
    url.strip_prefix("https://photos.example/")?
        .strip_suffix(".jpg")?
        .parse()
        .ok()
}
