//! The stored form of what an image search found.

use serde::{Deserialize, Serialize};

use domain::{FoundHits, Hit, ListPage, PAGES_MAX};

use super::answer_limits::{HITS_KEPT_MAX, UnreadableForm, all_short, at_most};
use super::hit_form::HitForm;

/// The hits, with the image search that gave them, the page of its list, and whether that goes on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct FoundForm {
    hits: Vec<HitForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    source: Option<String>,
    #[serde(default, skip_serializing_if = "is_first")]
    page: u32,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    has_more: bool,
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
pub(super) fn is_first(page: &u32) -> bool {
    *page == 0
}

/// Reads hits back, of which there are no more than a page may have.
pub(super) fn read_hits(hits: Vec<HitForm>) -> Result<Vec<Hit>, UnreadableForm> {
    let hits = at_most(hits, HITS_KEPT_MAX, "its hits")?;
    hits.into_iter().map(HitForm::read).collect()
}

impl FoundForm {
    pub(super) fn of(found: &FoundHits) -> Self {
        Self {
            hits: found.hits.iter().map(HitForm::of).collect(),
            source: found.part.source.clone(),
            page: found.part.page,
            has_more: found.has_more,
        }
    }

    pub(super) fn read(self) -> Result<FoundHits, UnreadableForm> {
        all_short(&self.source, "an image search")?;
        if self.page >= PAGES_MAX {
            return Err(UnreadableForm("a page of a list"));
        }
        Ok(FoundHits {
            hits: read_hits(self.hits)?,
            part: ListPage {
                source: self.source,
                page: self.page,
            },
            has_more: self.has_more,
        })
    }
}
