//! Published chains. A run's sealed file gets an address of its own and outlives the run. The address is the digest of
//! the file, so publishing an unchanged run again yields the same address.

use domain::Sha256Digest;
use engine::Problem;
use kernel::Millis;
use platform::events::timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::auth::CreatorKey;

/// The version of [`ChainMeta`].
const CHAIN_VERSION: u32 = 1;
const SECONDS_PER_DAY: u64 = 86_400;
/// The number of hexadecimal digits in a mark. Among a million digests, the chance that any two have the same mark is
/// one in thirty million.
const MARK_CHARS: usize = 16;
/// The most marks of one chain: KV stores 1,024 bytes of metadata with a file.
/// <https://developers.cloudflare.com/kv/platform/limits/>
const MARKS_MAX: usize = 40;
/// How many times one run may be published. Each publication costs the operator a write.
const TIMES_MAX: u32 = 20;

/// The body of the response to publishing a chain.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Publication {
    digest: String,
    chain: String,
    expires: String,
    #[serde(skip)]
    expires_s: u64,
}

impl Publication {
    /// Makes the publication of the file with this digest, which expires after this many days.
    #[must_use]
    pub fn new(digest: &Sha256Digest, now_ms: u64, days: u64) -> Self {
        let kept_s = days.saturating_mul(SECONDS_PER_DAY);
        let expires_s = (now_ms / 1_000).saturating_add(kept_s);
        Self {
            digest: digest.to_string(),
            chain: format!("/chains/{digest}"),
            expires: timestamp(Millis(expires_s.saturating_mul(1_000))),
            expires_s,
        }
    }

    /// Returns the chain's address without a host.
    #[must_use]
    pub fn address(&self) -> &str {
        &self.chain
    }

    /// Returns when the chain expires, in seconds since 1970.
    #[must_use]
    pub fn expires_s(&self) -> u64 {
        self.expires_s
    }
}

/// The metadata of a published file, which is needed after its run has expired.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainMeta {
    version: u32,
    /// The key of the run's creator; `None` for a run of an earlier version, which only the operator could publish.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub creator: Option<CreatorKey>,
    /// The [`mark`]s of the photos and people in the chain. `None` for a chain published by an earlier version, or with
    /// too many marks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    shows: Option<Vec<String>>,
}

impl ChainMeta {
    /// Makes the metadata for a run with this creator and this last event.
    #[must_use]
    pub fn new(creator: Option<CreatorKey>, last_event: Option<&str>) -> Self {
        Self {
            version: CHAIN_VERSION,
            creator,
            shows: marks_of(last_event.unwrap_or_default()),
        }
    }

    /// Returns whether the chain with this metadata has one of these [`mark`]s; `None` if its marks are unknown.
    #[must_use]
    pub fn shows(note: &Value, marks: &[String]) -> Option<bool> {
        let shown = note.get("shows")?.as_array()?;
        let is_meant = |shown: &Value| marks.iter().any(|mark| shown.as_str() == Some(mark));
        Some(shown.iter().any(is_meant))
    }
}

/// Returns a digest's mark, a prefix short enough for KV's metadata.
#[must_use]
pub fn mark(digest: &Sha256Digest) -> String {
    digest.as_str().chars().take(MARK_CHARS).collect()
}

/// Returns the mark of the person with this id.
#[must_use]
pub fn mark_of_person(id: &str) -> String {
    mark(&Sha256Digest::of(id.as_bytes()))
}

/// Returns the marks of the people and photos in a last event; `None` if there are too many. This program wrote the
/// event, so its ids and digests contain no JSON escapes.
fn marks_of(event: &str) -> Option<Vec<String>> {
    let mut marks: Vec<String> = Vec::new();
    for (member, is_digest) in [("\"sha256\":\"", true), ("\"id\":\"", false)] {
        for told in event.split(member).skip(1) {
            let value = told.split('"').next().unwrap_or_default();
            let mark = if is_digest {
                Sha256Digest::parse(value).as_ref().map(mark)
            } else {
                Some(mark_of_person(value))
            };
            if let Some(mark) = mark.filter(|mark| !marks.contains(mark)) {
                marks.push(mark);
            }
        }
    }
    (marks.len() <= MARKS_MAX).then_some(marks)
}

/// What a run's object records about the run's publications.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedFile {
    digest: String,
    times: u32,
    /// The digests of files that were published before and may still exist.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    earlier: Vec<String>,
}

impl PublishedFile {
    /// Returns the file's digest, if it is well formed.
    #[must_use]
    pub fn digest(&self) -> Option<Sha256Digest> {
        Sha256Digest::parse(&self.digest)
    }

    /// Returns the digests of earlier files that were not removed yet.
    #[must_use]
    pub fn earlier(&self) -> Vec<Sha256Digest> {
        let digests = self.earlier.iter();
        digests
            .filter_map(|digest| Sha256Digest::parse(digest))
            .collect()
    }

    /// Returns the digests of all files of the run that may still exist.
    #[must_use]
    pub fn all(&self) -> Vec<Sha256Digest> {
        self.earlier().into_iter().chain(self.digest()).collect()
    }

    /// Returns the record after an earlier file was removed.
    #[must_use]
    pub fn without(mut self, removed: &Sha256Digest) -> Self {
        self.earlier.retain(|digest| digest != removed.as_str());
        self
    }

    /// Returns the record after one more publication. The refusal is a 409 if the run was published too often.
    /// Earlier files are listed until they are removed.
    pub fn again(earlier: Option<&Self>, digest: &Sha256Digest) -> Result<Self, Problem> {
        let times = earlier.map_or(0, |earlier| earlier.times);
        if times >= TIMES_MAX {
            let detail = format!(
                "This run's chain was published {TIMES_MAX} times, the most that a run may; it stays \
                 as long as it was told last."
            );
            return Err(Problem::new(409, detail));
        }
        let mut before = earlier.map_or_else(Vec::new, |earlier| earlier.earlier.clone());
        before.extend(earlier.map(|earlier| earlier.digest.clone()));
        before.retain(|before| before != digest.as_str());
        Ok(Self {
            digest: digest.to_string(),
            times: times + 1,
            earlier: before,
        })
    }
}

/// Checks that the run has a chain to publish and that this server publishes chains. `last_event` is the run's newest
/// event.
pub fn check_publishable(
    is_ended: bool,
    last_event: Option<&str>,
    publish_days: u64,
) -> Result<(), Problem> {
    if publish_days == 0 {
        let detail = "Publishing is switched off on this server: the operator has set \
                      PUBLISH_DAYS=0. Save the run's file, GET /runs/{run}/sealed, and send that.";
        return Err(Problem::new(403, detail));
    }
    if !is_ended {
        let detail = "The run still goes on; publish its chain after its last event.";
        return Err(Problem::new(409, detail));
    }
    let last = last_event.and_then(|json| serde_json::from_str(json).ok());
    if last.is_none_or(|last: LastEvent| last.kind != "final") {
        let detail = "This run found no chain, so there is none to publish. Its file is at GET \
                      /runs/{run}/sealed; a fork of the run with more to spend may find one.";
        return Err(Problem::new(409, detail));
    }
    Ok(())
}

#[derive(Deserialize)]
struct LastEvent {
    #[serde(rename = "type")]
    kind: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::auth::run_secret;

    fn digest() -> Sha256Digest {
        Sha256Digest::new([0xAB; 32])
    }

    #[test]
    fn what_is_told_is_where_and_until_when() {
        let publication = Publication::new(&digest(), 1_795_255_200_007, 30);
        let hex = "ab".repeat(32);
        let json = format!(
            r#"{{"digest":"{hex}","chain":"/chains/{hex}","expires":"2026-12-21T10:00:00.000Z"}}"#
        );
        assert_eq!(serde_json::to_string(&publication).unwrap(), json);
        assert_eq!(publication.expires_s(), 1_795_255_200 + 30 * 86_400);
        assert_eq!(publication.address(), format!("/chains/{hex}"));
    }

    #[test]
    fn stored_formats_unchanged_and_read_back() {
        let secret = run_secret([7; 32]);
        let photo = digest();
        let last = format!(
            r#"{{"path":[{{"id":"c1"}},{{"id":"c2"}}],"edges":[{{"evidence":[{{"sha256":"{photo}"}},{{}}]}}]}}"#
        );
        let meta = ChainMeta::new(Some(CreatorKey::of(&secret)), Some(&last));
        let of_secret = Sha256Digest::of(secret.reveal().as_bytes());
        let (c1, c2) = (mark_of_person("c1"), mark_of_person("c2"));
        let json = format!(
            r#"{{"version":1,"creator":{{"digest":"{of_secret}"}},"shows":["abababababababab","{c1}","{c2}"]}}"#
        );
        assert_eq!(serde_json::to_string(&meta).unwrap(), json);
        assert_eq!(serde_json::from_str::<ChainMeta>(&json).unwrap(), meta);
        let note = serde_json::to_value(&meta).unwrap();
        let shows = |id: &str| ChainMeta::shows(&note, &[mark_of_person(id)]);
        assert_eq!((shows("c2"), shows("c3")), (Some(true), Some(false)));
        let nobodys = ChainMeta::new(None, Some("{}"));
        let json = r#"{"version":1,"shows":[]}"#;
        assert_eq!(serde_json::to_string(&nobodys).unwrap(), json);
        let earlier = serde_json::json!({"version": 1});
        assert_eq!(ChainMeta::shows(&earlier, &[c1]), None);
        let once = PublishedFile::again(None, &digest()).unwrap();
        let json = format!(r#"{{"digest":"{}","times":1}}"#, digest());
        assert_eq!(serde_json::to_string(&once).unwrap(), json);
        let read: PublishedFile = serde_json::from_str(&json).unwrap();
        assert_eq!(read.digest(), Some(digest()));
        let other = Sha256Digest::new([1; 32]);
        let again = PublishedFile::again(Some(&read), &other).unwrap();
        let json = format!(
            r#"{{"digest":"{other}","times":2,"earlier":["{}"]}}"#,
            digest()
        );
        assert_eq!(serde_json::to_string(&again).unwrap(), json);
        assert_eq!(serde_json::from_str::<PublishedFile>(&json).unwrap(), again);
    }

    /// Publishes and deletes, once for each combination of store operations that fail. Files that exist must always be
    /// recorded, so that a deletion leaves none behind.
    #[test]
    fn no_published_file_is_forgotten_whatever_fails() {
        for failures in 0_u32..1 << 10 {
            let mut store = std::collections::BTreeSet::new();
            let mut operations = 0_u32;
            let mut works = || {
                operations += 1;
                failures & (1 << (operations - 1)) == 0
            };
            let mut published: Option<PublishedFile> = None;
            for file in [1_u8, 1, 2, 3, 2] {
                let digest = Sha256Digest::new([file; 32]);
                let mut next = PublishedFile::again(published.as_ref(), &digest).unwrap();
                published = Some(next.clone());
                let mut all_removed = true;
                for earlier in next.earlier() {
                    if works() {
                        store.remove(&earlier);
                        next = next.without(&earlier);
                        published = Some(next.clone());
                    } else {
                        all_removed = false;
                    }
                }
                if all_removed && works() {
                    store.insert(digest);
                }
                let remembered = published.as_ref().unwrap().all();
                assert!(
                    store.iter().all(|file| remembered.contains(file)),
                    "{failures:b}"
                );
            }
        }
    }

    #[test]
    fn a_run_is_published_again_but_not_for_ever() {
        let mut published = None;
        for times in 1..=TIMES_MAX {
            let again = PublishedFile::again(published.as_ref(), &digest()).unwrap();
            assert_eq!(again.times, times);
            published = Some(again);
        }
        let refused = PublishedFile::again(published.as_ref(), &digest()).unwrap_err();
        assert_eq!(refused.status(), 409);
    }

    #[track_caller]
    fn check(is_ended: bool, last_event: Option<&str>, days: u64, refused: Option<(u16, &str)>) {
        let problem = check_publishable(is_ended, last_event, days).err();
        assert_eq!(
            problem.as_ref().map(Problem::status),
            refused.map(|(status, _)| status)
        );
        if let (Some(problem), Some((_, words))) = (problem, refused) {
            assert!(problem.detail().contains(words), "{}", problem.detail());
        }
    }

    #[test]
    fn only_an_ended_run_with_a_chain_is_published() {
        let found = Some(r#"{"type":"final","path":[]}"#);
        check(true, found, 30, None);
        check(true, found, 0, Some((403, "PUBLISH_DAYS=0")));
        check(false, found, 30, Some((409, "still goes on")));
        for other in [
            None,
            Some(r#"{"type":"no_path"}"#),
            Some(r#"{"type":"error"}"#),
            Some("no JSON"),
        ] {
            check(true, other, 30, Some((409, "found no chain")));
        }
    }
}
