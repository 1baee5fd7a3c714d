//! Recognitions by earlier runs in a scene.

use domain::{
    CollageCheck, Hit, MemoryUse, PeopleToRecall, PhotoFailure, RecalledPerson, RecalledPhoto,
    RecognisedBy, RememberedAnswer, SidesToConnect,
};
use investigation::effects::{KnownPhotos, PhotoToFetch};
use investigation::machine::{Action, Answer, Command, Outcome, Remembered};

use super::looks::{digest, faces};
use super::scene::Scene;

/// Returns a query to the memory in words.
pub fn memory_words(action: &Action) -> String {
    match action {
        Action::Recall(asked) => {
            let people = asked.people.iter().map(|one| match &one.id {
                Some(id) => format!("{} ({id})", one.name),
                None => one.name.clone(),
            });
            let people: Vec<String> = people.collect();
            let toward = asked.toward.join(", ");
            format!("recall {} toward [{toward}]", people.join(" and "))
        }
        Action::Connect(asked) => {
            let [of_a, of_b] = asked.sides.each_ref().map(|side| {
                let people = side.iter();
                let people = people.map(|one| format!("{} after {}", one.person.name, one.hops));
                people.collect::<Vec<_>>().join(", ")
            });
            format!("connect [{of_a}] with [{of_b}]")
        }
        Action::FetchKnown { sides, place, .. } => {
            format!("fetch photo {place} of chain {}", sides.round)
        }
        Action::Lives(people) => {
            let people: Vec<String> = people.iter().map(ToString::to_string).collect();
            format!("ask for the lives of {}", people.join(" and "))
        }
        other => panic!("{other:?}"),
    }
}

impl Scene {
    /// An earlier run has recognised these people in a photo.
    pub fn remembers(mut self, photo: &'static str, faces: &'static str) -> Self {
        self.request.limits.memory = MemoryUse::On;
        self.remembered.insert(photo, faces);
        self
    }

    /// The photo's bytes differ from the remembered ones.
    pub fn changed(mut self, photo: &'static str) -> Self {
        self.changed.push(photo);
        self
    }

    /// Returns the collage check of a photo, whoever has recognised it.
    pub(super) fn check_of(&self, photo: &str) -> CollageCheck {
        self.checks.get(photo).copied().unwrap_or_default()
    }

    pub(super) fn answer_to(&self, photo: &str) -> Option<Box<Remembered>> {
        let shown = self.remembered.get(photo);
        let shown = shown.filter(|_| !self.changed.contains(&photo))?;
        let answer = RememberedAnswer {
            faces: faces(shown),
            by: RecognisedBy {
                recogniser: "rekognition".to_owned(),
                model: None,
            },
            candidates: None,
            at_ms: 1,
            body: None,
        };
        Some(Box::new(Remembered::new(answer, self.check_of(photo))))
    }

    pub(super) fn recalled(&self, asked: &PeopleToRecall) -> Vec<RecalledPhoto> {
        let is_asked = |person: &RecalledPerson| {
            let mut people = asked.people.iter();
            people.any(|one| one.name == person.name)
        };
        let photos = self.remembered.iter().map(|(photo, shown)| RecalledPhoto {
            digest: digest(photo),
            hit: Hit {
                image_url: (*photo).to_owned(),
                ..Hit::default()
            },
            people: faces(shown)
                .into_iter()
                .map(|face| RecalledPerson {
                    id: face.id,
                    name: face.name,
                    number: None,
                    confidence: face.confidence,
                })
                .collect(),
        });
        photos
            .filter(|photo| photo.people.iter().any(is_asked))
            .collect()
    }

    /// The run does not learn of a photo before its bytes have arrived.
    pub fn told_late(mut self) -> Self {
        self.request.limits.memory = MemoryUse::Shown;
        self
    }

    /// Answers a query to the memory. `fetch` answers the fetch of a photo by address.
    pub(super) fn answer_of_memory(
        &self,
        command: &Command,
        fetch: impl FnOnce(&Command) -> Answer,
    ) -> Answer {
        let outcome = match &command.action {
            Action::Recall(asked) => Outcome::Recalled(self.recalled(asked)),
            Action::Connect(sides) => Outcome::Connected(self.chain(sides).len()),
            Action::FetchKnown { sides, place, .. } => {
                let known = self.chain(sides)[*place].clone();
                let mut answer = fetch(&Command {
                    action: Action::Fetch {
                        image_url: known.hit.image_url.clone(),
                        original_url: None,
                        thumbnail_url: None,
                        may_convert: false,
                    },
                    ..command.clone()
                });
                if let Outcome::Fetched(Ok(fetched)) = &mut answer.outcome {
                    if let Some(remembered) = &mut fetched.remembered {
                        remembered.hit = Some(known.hit);
                    } else {
                        let why = "it is not the one any more that was recognised before";
                        let failure = PhotoFailure::Unreadable(why.into());
                        answer.outcome = Outcome::Fetched(Err(failure));
                    }
                }
                return answer;
            }
            other => panic!("{other:?}"),
        };
        Answer {
            command: command.id,
            attempts: self.attempts.min(command.attempts_max),
            throttled: 0,
            nano_usd: 1,
            outcome,
            remarks: Vec::new(),
        }
    }

    /// Returns the photos of a chain. The changed ones are known after the first.
    fn chain(&self, sides: &SidesToConnect) -> Vec<PhotoToFetch> {
        let mut known = KnownPhotos::default();
        while let Some(asked) = known.next_question(sides) {
            known.take(self.recalled(&asked));
        }
        for photo in self.changed.iter().filter(|_| sides.round > 0) {
            known.note_gone(&digest(photo));
        }
        known.chain(sides)
    }
}
