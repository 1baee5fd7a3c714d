//! Makes the pages of each variant from the pages of the original.

mod moved;
mod redesign;
mod renamed;
mod style;

use super::html::Element;
use super::variant::Variant;
use super::words::Words;

/// Returns a page of a variant as HTML. The elements are the head and the body of the original's page.
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
        // The page already has German words, which were inserted when it was made.
        Variant::Original | Variant::German => body,
        Variant::RenamedClasses => body.changed(&renamed::with_other_classes),
        Variant::MovedElements => body.changed(&moved::moved),
        Variant::OtherIds => body.changed(&renamed::with_other_ids),
        Variant::Redesign => body.changed(&redesign::redesigned),
    }
}
