//! The numbers that describe a face in an answer.

use serde_json::{Value, json};

use crate::hash::{hash, unit};
use crate::picture::{Label, LabelledFace};

/// Makes the numbers of a face from its photo and its person, with as many digits as in real answers.
pub(super) struct Features<'a> {
    face: &'a LabelledFace,
    seed: u64,
}

const EMOTIONS: [&str; 8] = [
    "HAPPY",
    "CALM",
    "SURPRISED",
    "CONFUSED",
    "DISGUSTED",
    "ANGRY",
    "FEAR",
    "SAD",
];
/// Each landmark's name, with its position in fractions of the face's box.
const LANDMARKS: [(&str, f64, f64); 5] = [
    ("eyeLeft", 0.3, 0.49),
    ("eyeRight", 0.7, 0.49),
    ("mouthLeft", 0.36, 0.78),
    ("mouthRight", 0.64, 0.78),
    ("nose", 0.5, 0.65),
];

impl<'a> Features<'a> {
    pub(super) fn new(label: &Label, face: &'a LabelledFace) -> Self {
        Self {
            face,
            seed: hash(&["face".into(), label.photo.into(), face.person.into()]),
        }
    }

    fn draw(&self, what: &str, low: f64, high: f64) -> f64 {
        low + (high - low) * unit(hash(&[what.into(), self.seed.into()]))
    }

    /// Returns the members of a `ComparedFace`, which both known and unknown faces have.
    pub(super) fn compared(&self) -> Value {
        let face = self.face;
        let landmarks: Vec<Value> = LANDMARKS
            .iter()
            .map(|(kind, x, y)| {
                let jitter = self.draw(kind, -0.01, 0.01);
                json!({"Type": kind, "X": face.left + face.width * (x + jitter),
                    "Y": face.top + face.height * (y - jitter)})
            })
            .collect();
        json!({
            "BoundingBox": {
                "Width": face.width + self.draw("width", 0.0, 1e-6),
                "Height": face.height + self.draw("height", 0.0, 1e-6),
                "Left": face.left + self.draw("left", 0.0, 1e-6),
                "Top": face.top + self.draw("top", 0.0, 1e-6),
            },
            "Confidence": self.draw("confidence", 99.5, 100.0),
            "Landmarks": landmarks,
            "Pose": {"Roll": self.draw("roll", -9.0, 9.0), "Yaw": self.draw("yaw", -30.0, 30.0),
                "Pitch": self.draw("pitch", -12.0, 12.0)},
            "Quality": {"Brightness": self.draw("brightness", 55.0, 95.0),
                "Sharpness": self.draw("sharpness", 26.0, 99.0)},
        })
    }

    /// Returns a confidence for each emotion, in percent. Their sum is below 100.
    pub(super) fn emotions(&self) -> Value {
        let happy = self.draw("happy", 60.0, 99.0);
        let mut rest = 100.0 - happy;
        let list = EMOTIONS.iter().enumerate().map(|(number, kind)| {
            let confidence = if number == 0 {
                happy
            } else {
                rest * self.draw(kind, 0.1, 0.6)
            };
            rest -= if number == 0 { 0.0 } else { confidence };
            json!({"Type": kind, "Confidence": confidence})
        });
        list.collect()
    }

    pub(super) fn smile(&self) -> Value {
        json!({"Value": true, "Confidence": self.draw("smile", 75.0, 99.9)})
    }
}
