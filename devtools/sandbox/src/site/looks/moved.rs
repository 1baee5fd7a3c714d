//! Reorders elements and wraps them in others.

use crate::site::html::{Element, Node};

/// The roles of elements whose children are reversed.
const REVERSED: [&str; 5] = [
    "shop",
    "site-header",
    "blocks",
    "cookie-box",
    "product-list",
];
/// The tags of elements that are wrapped.
const WRAPPED: [&str; 5] = ["button", "input", "form", "h1", "ul"];

/// Returns the element with its children reordered and wrapped.
pub(super) fn moved(mut element: Element) -> Element {
    let mut children = std::mem::take(&mut element.children);
    if REVERSED.iter().any(|role| element.is(role)) {
        children.reverse();
        // Scripts stay last, because a script must follow the elements that it uses.
        children.sort_by_key(is_script);
    }
    element.children = children.into_iter().map(wrapped).collect();
    element
}

fn is_script(node: &Node) -> bool {
    matches!(node, Node::Element(element) if element.tag == "script")
}

fn wrapped(node: Node) -> Node {
    match node {
        Node::Element(element) if WRAPPED.contains(&element.tag) => {
            let around = match element.tag {
                "button" | "input" => Element::plain("span").child(element),
                _ => Element::plain("div").child(Element::plain("div").child(element)),
            };
            Node::Element(around)
        }
        other => other,
    }
}
