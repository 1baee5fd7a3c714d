//! Makes the redesign, which has other tags and classes, no ids, and another order.

use crate::site::html::{Element, Node};

/// The roles with the tag and the class that each has in the redesign. An element with any other role keeps its tag and
/// loses its class.
const ROLES: [(&str, &str, &str); 36] = [
    ("shop", "body", "app"),
    ("site-header", "aside", "hero"),
    ("shop-name", "a", "brand"),
    ("site-nav", "section", "menu"),
    ("nav-list", "div", "menu-entries"),
    ("nav-item", "span", "menu-entry"),
    ("nav-link", "a", "menu-link"),
    ("search-form", "form", "finder"),
    ("visitor", "div", "account"),
    ("visitor-name", "em", "account-name"),
    ("content", "div", "stage"),
    ("blocks", "article", "stage-inner"),
    ("page-title", "h2", "headline"),
    ("lead", "div", "copy"),
    ("product-list", "div", "cards"),
    ("product", "div", "card"),
    ("product-link", "a", "card-link"),
    ("product-price", "strong", "card-price"),
    ("product-count", "small", "counted"),
    ("product-text", "div", "copy"),
    ("basket-lines", "div", "cards"),
    ("basket-line", "div", "card"),
    ("basket-pieces", "b", "card-pieces"),
    ("basket-total", "div", "sum"),
    ("basket-empty", "div", "copy"),
    ("order-number", "div", "copy"),
    ("order-sum", "div", "sum"),
    ("done-text", "div", "copy"),
    ("field", "input", "entry"),
    ("button", "button", "act"),
    ("message", "div", "warning"),
    ("cookie-wall", "section", "veil"),
    ("cookie-title", "h3", "headline"),
    ("moving", "button", "moving"),
    ("covered", "div", "covered"),
    ("covering", "button", "covering"),
];

/// The roles that have another tag in the redesign, but no class.
const TAGS: [(&str, &str); 4] = [
    ("site-footer", "section"),
    ("review", "blockquote"),
    ("stock-text", "div"),
    ("nothing-found", "div"),
];

/// Returns the redesigned element. Fields lose their labels and have placeholders instead.
pub(super) fn redesigned(mut element: Element) -> Element {
    element.children = labelled(std::mem::take(&mut element.children));
    if element.is("site-header") || element.is("product") || element.is("visitor") {
        element.children.reverse();
    }
    if element.is("shop") {
        // The redesign has the header below the content.
        let is_header = |node: &Node| matches!(node, Node::Element(one) if one.tag == "aside");
        element.children.sort_by_key(is_header);
        element
            .children
            .sort_by_key(|node| matches!(node, Node::Element(one) if one.tag == "script"));
    }
    if element.is("button") {
        let inside = Element::new("span", "act-label");
        let children = std::mem::take(&mut element.children);
        let inside = Element { children, ..inside };
        element.children.push(Node::Element(inside));
    }
    let role = element.classes.first().cloned().unwrap_or_default();
    if let Some((_, tag)) = TAGS.iter().find(|(known, _)| *known == role) {
        element.tag = tag;
    }
    let renamed = element.classes.iter().filter_map(|class| {
        let row = ROLES.iter().find(|(known, _, _)| known == class)?;
        Some((row.1, row.2.to_owned()))
    });
    let renamed: Vec<_> = renamed.collect();
    if let Some((tag, _)) = renamed.first() {
        element.tag = tag;
    }
    element.classes = renamed.into_iter().map(|(_, class)| class).collect();
    element.id = None;
    element
}

/// Returns the children without labels. The text of each label becomes its field's placeholder.
fn labelled(children: Vec<Node>) -> Vec<Node> {
    let mut label: Option<String> = None;
    let mut kept = Vec::new();
    for child in children {
        match child {
            Node::Element(one) if one.tag == "label" => {
                label = one.children.iter().find_map(|node| match node {
                    Node::Text(text) => Some(text.clone()),
                    _ => None,
                });
            }
            Node::Element(one) if one.tag == "input" => {
                let one = match label.take() {
                    Some(text) => one.with("placeholder", text),
                    None => one,
                };
                kept.push(Node::Element(one));
            }
            other => kept.push(other),
        }
    }
    kept
}
