//! What earlier runs had recognised, in a scene.

use visual_degrees::domain::{
    CollageCheck, Hit, MemoryUse, PeopleToRecall, RecalledPerson, RecalledPhoto, RememberedAnswer,
};
use visual_degrees::engines::investigation::machine::Remembered;

use super::looks::{digest, faces};
use super::scene::Scene;

/// Says whose photos are recalled.
pub fn recall_words(asked: &PeopleToRecall) -> String {
    let people = asked.people.iter().map(|one| match &one.id {
        Some(id) => format!("{} ({id})", one.name),
        None => one.name.clone(),
    });
    let people: Vec<String> = people.collect();
    let toward = asked.toward.join(", ");
    format!("recall {} toward [{toward}]", people.join(" and "))
}

impl Scene {
    /// An earlier run had recognised these people in a photo.
    pub fn remembers(mut self, photo: &'static str, faces: &'static str) -> Self {
        self.request.limits.memory = MemoryUse::On;
        self.remembered.insert(photo, faces);
        self
    }

    /// The photo has other bytes than those that are remembered.
    pub fn changed(mut self, photo: &'static str) -> Self {
        self.changed.push(photo);
        self
    }

    /// What a photo's pixels are to say, whoever has recognised it.
    pub(super) fn check_of(&self, photo: &str) -> CollageCheck {
        self.checks.get(photo).copied().unwrap_or_default()
    }

    pub(super) fn answer_to(&self, photo: &str) -> Option<Box<Remembered>> {
        let shown = self.remembered.get(photo);
        let shown = shown.filter(|_| !self.changed.contains(&photo))?;
        Some(Box::new(Remembered {
            answer: RememberedAnswer {
                faces: faces(shown),
                recogniser: "rekognition".to_owned(),
                at_ms: 1,
                body: None,
            },
            collage_check: self.check_of(photo),
        }))
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
                    confidence: face.confidence,
                })
                .collect(),
        });
        photos
            .filter(|photo| photo.people.iter().any(is_asked))
            .collect()
    }
}
