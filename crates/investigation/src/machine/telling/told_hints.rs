//! The hints that are told: links whose photos are looked at because words beside them say whom they show.

use crate::machine::interface::PersonRef;

/// The most hints that are told at the same time. The oldest go first.
const TOLD_MAX: usize = 20;

/// The hints that viewers see, until somebody has looked at their photos.
#[derive(Debug, Clone, Default)]
pub struct ToldHints {
    /// Each hint with the address of its photo, the oldest first.
    hints: Vec<(String, [PersonRef; 2])>,
    /// Whether they have changed since they were told.
    are_changed: bool,
}

impl ToldHints {
    /// Adds the hint that the photo at an address shows these two.
    pub fn add(&mut self, url: String, two: [PersonRef; 2]) {
        self.hints.retain(|(known, _)| *known != url);
        self.hints.push((url, two));
        let over = self.hints.len().saturating_sub(TOLD_MAX);
        self.hints.drain(..over);
        self.are_changed = true;
    }

    /// Takes a hint away, since its photo was looked at or is lost: it is proven, or false.
    pub fn remove(&mut self, url: &str) {
        let before = self.hints.len();
        self.hints.retain(|(known, _)| known != url);
        self.are_changed |= self.hints.len() != before;
    }

    /// Takes all hints away, since nobody follows them any more.
    pub fn clear(&mut self) {
        self.are_changed |= !self.hints.is_empty();
        self.hints.clear();
    }

    /// Returns all hints where they have changed since this was last asked.
    pub fn take_changed(&mut self) -> Option<Vec<[PersonRef; 2]>> {
        if !std::mem::take(&mut self.are_changed) {
            return None;
        }
        Some(self.hints.iter().map(|(_, two)| two.clone()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two(names: &str) -> [PersonRef; 2] {
        let (one, other) = names.split_once(' ').unwrap();
        [one, other].map(|name| PersonRef {
            id: format!("name:{name}"),
            name: name.to_owned(),
        })
    }

    #[test]
    fn hints_are_told_when_they_change_and_are_gone_when_their_photos_were_seen() {
        let mut hints = ToldHints::default();
        assert_eq!(hints.take_changed(), None);
        hints.add("1".into(), two("Ann Bob"));
        hints.add("2".into(), two("Bob Cleo"));
        assert_eq!(
            hints.take_changed(),
            Some(vec![two("Ann Bob"), two("Bob Cleo")])
        );
        hints.remove("3");
        assert_eq!(hints.take_changed(), None, "no hint rests on it");
        hints.remove("1");
        assert_eq!(hints.take_changed(), Some(vec![two("Bob Cleo")]));
        hints.clear();
        assert_eq!(hints.take_changed(), Some(Vec::new()));
        hints.clear();
        assert_eq!(hints.take_changed(), None);
    }

    #[test]
    fn the_oldest_go_where_there_are_too_many() {
        let mut hints = ToldHints::default();
        for photo in 0..=TOLD_MAX {
            hints.add(photo.to_string(), two(&format!("Ann {photo}")));
        }
        let told = hints.take_changed().unwrap();
        assert_eq!(told.len(), TOLD_MAX);
        assert_eq!(told[0], two("Ann 1"));
    }
}
