//! The context in which a page is made, and the content of a page.

use crate::site::catalogue::Product;
use crate::site::html::Element;
use crate::site::sessions::Session;
use crate::site::words::Words;

/// The context of a page: who sees it, and in which variant.
#[derive(Clone, Copy, Debug)]
pub(in crate::site) struct View<'shown> {
    pub(in crate::site) words: Words,
    pub(in crate::site) session: &'shown Session,
    /// The path of the shop, with a trailing slash.
    pub(in crate::site) base: &'shown str,
    /// The path of the page below that of the shop, with its query.
    pub(in crate::site) page: &'shown str,
    /// The name of the user who can log in, which the log-in page shows.
    pub(in crate::site) user: &'shown str,
}

/// The content of a page, without the parts that all pages share.
#[derive(Clone, Debug)]
pub(in crate::site) struct Content {
    pub(in crate::site) title: String,
    pub(in crate::site) blocks: Vec<Element>,
    /// A script that only this page has.
    pub(in crate::site) script: Option<&'static str>,
}

impl Content {
    /// Makes content that begins with its title as a heading.
    pub(in crate::site) fn headed(title: String) -> Self {
        let heading = Element::new("h1", "page-title").text(title.as_str());
        Self {
            title,
            blocks: vec![heading],
            script: None,
        }
    }

    pub(in crate::site) fn block(mut self, block: Element) -> Self {
        self.blocks.push(block);
        self
    }

    pub(in crate::site) fn blocks(mut self, blocks: impl IntoIterator<Item = Element>) -> Self {
        self.blocks.extend(blocks);
        self
    }

    pub(in crate::site) fn script(mut self, script: &'static str) -> Self {
        self.script = Some(script);
        self
    }
}

impl View<'_> {
    /// Makes a paragraph with this role.
    pub(super) fn paragraph(&self, role: &'static str, text: &'static str) -> Element {
        Element::new("p", role).text(self.words.say(text))
    }

    /// Makes a submit button.
    pub(super) fn button(&self, id: &'static str, text: &'static str) -> Element {
        Element::new("button", "button")
            .id(id)
            .with("type", "submit")
            .text(self.words.say(text))
    }

    /// Makes a form that requests an action of the shop.
    pub(super) fn form(role: &'static str, action: &'static str) -> Element {
        Element::new("form", role)
            .with("method", "post")
            .with("action", action)
    }

    /// Makes a field that follows its label.
    pub(super) fn field(
        &self,
        id: &'static str,
        name: &'static str,
        kind: &'static str,
        label: &'static str,
    ) -> [Element; 2] {
        let label = Element::new("label", "field-label")
            .with("for", id)
            .text(self.words.say(label));
        let field = Element::new("input", "field")
            .id(id)
            .with("name", name)
            .with("type", kind)
            .with("autocomplete", "off");
        [label, field]
    }

    /// Makes a hidden field.
    pub(super) fn hidden(name: &'static str, value: &str) -> Element {
        Element::plain("input")
            .with("type", "hidden")
            .with("name", name)
            .with("value", value)
    }

    /// Makes an entry of a product list.
    pub(super) fn product(&self, product: &Product) -> Element {
        let link = Element::new("a", "product-link")
            .with("href", format!("products/{}", product.slug))
            .text(self.words.say(product.name));
        let price =
            Element::new("span", "product-price").text(self.words.price(product.price_cents));
        Element::new("li", "product")
            .with("data-id", product.slug)
            .children([link, price])
    }
}
