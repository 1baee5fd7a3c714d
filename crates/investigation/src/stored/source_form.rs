//! The stored form of an image search that a run may ask.

use serde::{Deserialize, Serialize};

use domain::{HITS_MAX, PAGES_MAX, SearchSource};
use engine::{OrderError, whole_number};

/// The longest id or name, in bytes.
const NAME_BYTES_MAX: usize = 64;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SourceForm {
    id: String,
    name: String,
    #[serde(deserialize_with = "whole_number")]
    hits: u32,
    #[serde(deserialize_with = "whole_number")]
    pages: u32,
    #[serde(
        default,
        skip_serializing_if = "is_free",
        deserialize_with = "whole_number"
    )]
    price: u64,
}

// The function takes a reference because Serde gives one.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_free(price: &u64) -> bool {
    *price == 0
}

impl SourceForm {
    pub(super) fn of(source: &SearchSource) -> Self {
        Self {
            id: source.id.clone(),
            name: source.name.clone(),
            hits: source.hits_max,
            pages: source.pages_max,
            price: source.nano_usd,
        }
    }

    pub(super) fn read(&self) -> Result<SearchSource, OrderError> {
        let is_short = |text: &String| (1..=NAME_BYTES_MAX).contains(&text.len());
        let is_sound = is_short(&self.id)
            && is_short(&self.name)
            && (1..=HITS_MAX).contains(&self.hits)
            && (1..=PAGES_MAX).contains(&self.pages);
        if !is_sound {
            return Err(OrderError::Part("an image search"));
        }
        Ok(SearchSource {
            id: self.id.clone(),
            name: self.name.clone(),
            hits_max: self.hits,
            pages_max: self.pages,
            nano_usd: self.price,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_search_is_read_back_as_it_was_kept_and_within_bounds() {
        let source = SearchSource {
            id: "commons".into(),
            name: "Wikimedia Commons".into(),
            hits_max: 50,
            pages_max: 20,
            nano_usd: 0,
        };
        let json = r#"{"id":"commons","name":"Wikimedia Commons","hits":50,"pages":20}"#;
        assert_eq!(
            serde_json::to_string(&SourceForm::of(&source)).unwrap(),
            json
        );
        let form: SourceForm = serde_json::from_str(json).unwrap();
        assert_eq!(form.read(), Ok(source));
        for wrong in [
            r#"{"id":"","name":"n","hits":50,"pages":20}"#,
            r#"{"id":"c","name":"n","hits":0,"pages":20}"#,
            r#"{"id":"c","name":"n","hits":201,"pages":20}"#,
            r#"{"id":"c","name":"n","hits":50,"pages":0}"#,
        ] {
            let form: SourceForm = serde_json::from_str(wrong).unwrap();
            assert!(form.read().is_err(), "{wrong}");
        }
    }
}
