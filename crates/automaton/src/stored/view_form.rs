//! The stored form of a page as it was seen.

use serde::{Deserialize, Serialize};

use domain::Sha256Digest;
use domain::page::{Area, Item, PageElement, PageView, Signals};

use crate::machine::Looked;

/// The stored form of a [`Looked`].
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct LookedForm {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    url: Option<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    title: String,
    /// The text and the selector of each item; none where the page's script failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    items: Option<Vec<(String, String)>>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    found: Vec<usize>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    elements: Vec<ElementForm>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct ElementForm {
    selector: String,
    tag: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    role: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
    /// The left, the top, the width and the height of its box.
    area: [f64; 4],
}

impl LookedForm {
    pub(super) fn of(looked: &Looked) -> Self {
        let PageView {
            signals,
            title,
            elements,
        } = &looked.view;
        let items = signals.items.as_ref().map(|items| {
            let items = items.iter();
            items
                .map(|item| (item.text.clone(), item.selector.clone()))
                .collect()
        });
        Self {
            url: signals.url.clone(),
            title: title.clone(),
            items,
            found: signals.found.clone(),
            elements: elements.iter().map(ElementForm::of).collect(),
            picture: looked.picture.as_ref().map(ToString::to_string),
        }
    }

    /// Reads the page back. Returns `None` where its picture's digest is none.
    pub(super) fn read(self) -> Option<Looked> {
        let items = self.items.map(|items| {
            let items = items.into_iter();
            items.map(|(text, selector)| Item { text, selector })
        });
        let picture = match self.picture {
            Some(digest) => Some(Sha256Digest::parse(&digest)?),
            None => None,
        };
        Some(Looked {
            view: PageView {
                signals: Signals {
                    url: self.url,
                    items: items.map(Iterator::collect),
                    found: self.found,
                },
                title: self.title,
                elements: self.elements.into_iter().map(ElementForm::read).collect(),
            },
            picture,
        })
    }
}

impl ElementForm {
    fn of(element: &PageElement) -> Self {
        let Area {
            x,
            y,
            width,
            height,
        } = element.area;
        Self {
            selector: element.selector.clone(),
            tag: element.tag.clone(),
            role: element.role.clone(),
            text: element.text.clone(),
            area: [x, y, width, height],
        }
    }

    fn read(self) -> PageElement {
        let [x, y, width, height] = self.area;
        PageElement {
            selector: self.selector,
            tag: self.tag,
            role: self.role,
            text: self.text,
            area: Area {
                x,
                y,
                width,
                height,
            },
        }
    }
}
