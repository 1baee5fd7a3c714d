//! The JSON of what a run has spent, and may spend.

use serde::Serialize;

use domain::Limits;

use crate::machine::Spent;

/// The spending of a run: calls, time, dollars, and the outcomes of its photos.
#[derive(Debug, Clone, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SpentJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    #[serde(skip_serializing_if = "is_zero")]
    throttled_calls: u32,
    runtime_ms: u64,
    usd: f64,
    photos: PhotosJson,
}

#[derive(Debug, Clone, Serialize)]
struct PhotosJson {
    looked: u32,
    unfetchable: u32,
    unreadable: u32,
    repeated: u32,
    #[serde(skip_serializing_if = "is_zero")]
    copies: u32,
    #[serde(skip_serializing_if = "is_zero")]
    remembered: u32,
    #[serde(skip_serializing_if = "is_zero")]
    left: u32,
    vetoed: u32,
}

impl SpentJson {
    /// Makes the JSON of a run's spending.
    #[must_use]
    pub fn new(spent: &Spent) -> Self {
        Self {
            search_calls: spent.search_calls,
            rekognition_calls: spent.recognition_calls,
            llm_calls: spent.planner_calls,
            throttled_calls: spent.throttled_calls,
            runtime_ms: spent.runtime_ms,
            usd: spent.nano_usd as f64 / 1e9,
            photos: PhotosJson {
                looked: spent.photos.looked,
                unfetchable: spent.photos.unfetchable,
                unreadable: spent.photos.unreadable,
                repeated: spent.photos.repeated,
                copies: spent.photos.copies,
                remembered: spent.photos.remembered,
                left: spent.photos.left,
                vetoed: spent.photos.vetoed,
            },
        }
    }
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// The limits against which the spending is checked.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct BudgetJson {
    search_calls: u32,
    rekognition_calls: u32,
    llm_calls: u32,
    runtime_ms: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    usd: Option<f64>,
}

impl BudgetJson {
    pub(super) fn new(limits: &Limits) -> Self {
        Self {
            search_calls: limits.searches_max,
            rekognition_calls: limits.recognitions_max,
            llm_calls: limits.planner_calls_max,
            runtime_ms: limits.runtime_ms_max,
            usd: limits.nano_usd_max.map(|nano_usd| nano_usd as f64 / 1e9),
        }
    }
}
