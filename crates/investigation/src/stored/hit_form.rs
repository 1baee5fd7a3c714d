//! The stored form of a search's result.

use serde::{Deserialize, Serialize};

use domain::{Credit, Hints, Hit};

use super::answer_limits::{HINTS_MAX, UnreadableForm, all_short, at_most};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct HitForm {
    image_url: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    original_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    thumbnail_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    context_url: Option<String>,
    title: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    author: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    license_url: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    description: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    categories: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    depicts: Vec<String>,
}

impl HitForm {
    pub(super) fn of(hit: &Hit) -> Self {
        let (credit, hints) = (hit.credit.clone(), hit.hints.clone());
        Self {
            image_url: hit.image_url.clone(),
            original_url: hit.original_url.clone(),
            thumbnail_url: hit.thumbnail_url.clone(),
            context_url: hit.context_url.clone(),
            title: hit.title.clone(),
            author: credit.author,
            license: credit.license,
            license_url: credit.license_url,
            description: hints.description,
            categories: hints.categories,
            depicts: hints.depicts,
        }
    }

    pub(super) fn read(self) -> Result<Hit, UnreadableForm> {
        let texts = [&self.image_url, &self.title].into_iter();
        let texts = texts.chain(&self.original_url).chain(&self.thumbnail_url);
        let texts = texts.chain(&self.context_url);
        let texts = texts.chain(&self.author).chain(&self.license);
        let texts = texts.chain(&self.license_url).chain(&self.description);
        all_short(texts, "a hit")?;
        let hints = |list: Vec<String>| {
            all_short(&list, "a hit")?;
            at_most(list, HINTS_MAX, "a hit")
        };
        Ok(Hit {
            image_url: self.image_url,
            original_url: self.original_url,
            thumbnail_url: self.thumbnail_url,
            context_url: self.context_url,
            title: self.title,
            credit: Credit {
                author: self.author,
                license: self.license,
                license_url: self.license_url,
            },
            hints: Hints {
                description: self.description,
                categories: hints(self.categories)?,
                depicts: hints(self.depicts)?,
            },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_provider_says_of_a_photo_is_kept() {
        let hit = Hit {
            image_url: "https://a.example/1.jpg".into(),
            title: "Both".into(),
            credit: Credit {
                author: Some("Ann".into()),
                license: Some("CC0".into()),
                license_url: Some("https://a.example/cc0".into()),
            },
            hints: Hints {
                description: Some("At a gala".into()),
                categories: vec!["Galas".into()],
                depicts: vec!["Q1".into()],
            },
            ..Hit::default()
        };
        let json = r#"{"imageUrl":"https://a.example/1.jpg","title":"Both","author":"Ann","license":"CC0","licenseUrl":"https://a.example/cc0","description":"At a gala","categories":["Galas"],"depicts":["Q1"]}"#;
        assert_eq!(serde_json::to_string(&HitForm::of(&hit)).unwrap(), json);
        let form: HitForm = serde_json::from_str(json).unwrap();
        assert_eq!(form.read(), Ok(hit));
        let many = HitForm {
            categories: vec![String::new(); HINTS_MAX + 1],
            ..serde_json::from_str(json).unwrap()
        };
        assert_eq!(many.read(), Err(UnreadableForm("a hit")));
    }
}
