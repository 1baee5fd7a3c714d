//! The changes of each variant to the original's pages.

mod moved;
mod redesign;
mod renamed;
mod style;

use super::html::Element;
use super::variant::Variant;
use super::words::Words;

/// Returns a page of a variant as HTML, from the original's head and body.
pub(super) fn written(variant: Variant, [head, body]: [Element; 2]) -> String {
    let body = changed(variant, body);
    let style = match variant {
        Variant::Redesign => style::redesign(),
        Variant::RenamedClasses => style::original(renamed::class),
        _ => style::original(str::to_owned),
    };
    let head = head.child(Element::plain("style").code(style));
    let language = Words::of(variant).language();
    let page = Element::plain("html").with("lang", language);
    format!("<!DOCTYPE html>\n{}\n", page.children([head, body]).html())
}

fn changed(variant: Variant, body: Element) -> Element {
    match variant {
        // German words are inserted when the page is made.
        Variant::Original | Variant::German => body,
        Variant::RenamedClasses => body.changed(&renamed::with_other_classes),
        Variant::MovedElements => body.changed(&moved::moved),
        Variant::OtherIds => body.changed(&renamed::with_other_ids),
        Variant::Redesign => body.changed(&redesign::redesigned),
    }
}
