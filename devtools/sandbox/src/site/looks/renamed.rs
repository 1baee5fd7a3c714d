//! Renames classes and ids.

use crate::hash::hash;
use crate::site::html::Element;

/// The attributes whose values are ids.
const ID_ATTRIBUTES: [&str; 3] = ["for", "aria-labelledby", "aria-describedby"];

/// Returns the new name of a class, which looks like one from a CSS bundler.
pub(super) fn class(name: &str) -> String {
    format!("css-{:06x}", short("class", name))
}

fn id(name: &str) -> String {
    format!("n-{:06x}", short("id", name))
}

fn short(kind: &str, name: &str) -> u64 {
    hash(&[kind.into(), name.into()]) & 0x00ff_ffff
}

/// Returns the element with new names for its classes.
pub(super) fn with_other_classes(mut element: Element) -> Element {
    for name in &mut element.classes {
        *name = class(name);
    }
    element
}

/// Returns the element with new names for its own id and for the ids of other elements to which it refers.
pub(super) fn with_other_ids(mut element: Element) -> Element {
    element.id = element.id.map(|name| id(&name));
    for (name, value) in &mut element.attributes {
        if ID_ATTRIBUTES.contains(name) {
            *value = id(value);
        }
    }
    element
}
