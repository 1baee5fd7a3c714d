//! Says in one sentence, as a person would, what has become of a missing part of a page.

use domain::page::By;

use super::Gone;
use super::distance::{Features, Nearest, Selector};
use crate::machine::role_selector::RoleSelector;

/// The similarity from which the nearest part counts as the missing one, in thousandths.
const SAME_PERMILLE: u32 = 500;
/// The longest name or selector in the sentence, in characters.
const NAME_CHARS_MAX: usize = 100;
/// The attributes by which people know an element that has no text, in order.
const LABELS: [&str; 5] = ["aria-label", "placeholder", "title", "alt", "value"];
const TEXT: &str = "text";
const ELEMENT: &str = "element";

/// Returns the sentence. `nearest` is the part of the page that is most similar to the missing one.
pub(super) fn says(gone: &Gone, nearest: Option<&Nearest>) -> String {
    let was = Part::gone(gone);
    let Some(nearest) = nearest else {
        return format!("{was} is gone, and nothing on the page is like it.");
    };
    let is = Part::nearest(nearest);
    let is_same_kind = was.kind == is.kind || was.kind == TEXT || is.kind == ELEMENT;
    let is_near = nearest.likeness_permille >= SAME_PERMILLE;
    match (&was.name, &is.name) {
        (Some(old), Some(new)) if was.kind == TEXT && old == new => {
            format!("{was} is there, but not as the text of one element.")
        }
        (Some(old), Some(new)) if is_same_kind && old == new => {
            format!(
                "{was} is there, and found by another selector now: {}.",
                is.written
            )
        }
        _ if !is_near => format!(
            "{was} is gone. The nearest part of the page is {}.",
            is.lower()
        ),
        (Some(_), Some(new)) if was.kind == TEXT => format!("{was} reads \"{new}\" now."),
        (Some(_), Some(new)) if is_same_kind => format!("{was} is called \"{new}\" now."),
        (Some(old), Some(new)) if old == new => {
            let article = if is.kind == "option" { "an" } else { "a" };
            format!("{was} is {article} {} now.", is.kind)
        }
        _ => format!("{was} seems to be {} now.", is.lower()),
    }
}

/// A part of a page as a person would name it.
struct Part {
    kind: &'static str,
    /// The text or label; `None` if it has none.
    name: Option<String>,
    /// The selector.
    written: String,
}

impl Part {
    fn gone(gone: &Gone) -> Self {
        let written = cut(&gone.written);
        let kind = match gone.by {
            None | Some(By::Text) => TEXT,
            Some(By::Role) => {
                let read = RoleSelector::read(&gone.written);
                read.map_or(ELEMENT, |read| kind_of_role(read.role))
            }
            Some(By::LinkText | By::PartialLinkText) => "link",
            Some(_) => kind_of(&gone.features.selector),
        };
        Self {
            kind,
            name: name_of(&gone.features),
            written,
        }
    }

    fn nearest(nearest: &Nearest) -> Self {
        let features = Features {
            selector: Selector::read(&nearest.selector),
            text: nearest.text.clone(),
        };
        Self {
            kind: kind_of(&features.selector),
            name: name_of(&features),
            written: cut(&nearest.selector),
        }
    }

    fn lower(&self) -> String {
        match &self.name {
            Some(name) => format!("the {} \"{name}\"", self.kind),
            None => format!("the {} {}", self.kind, self.written),
        }
    }
}

impl std::fmt::Display for Part {
    /// Writes the part at the beginning of a sentence.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "T{}", self.lower().split_at(1).1)
    }
}

fn name_of(features: &Features) -> Option<String> {
    let labels = LABELS.iter().map(|name| features.selector.attribute(name));
    let mut names = std::iter::once(features.text.as_str()).chain(labels);
    names.find(|name| !name.trim().is_empty()).map(cut)
}

/// Returns the selector of the tag that usually has a role, as far as there is one.
pub(super) fn selector_of_role(role: &str) -> Selector {
    Selector::read(match role {
        "button" => "button",
        "link" => "a",
        "textbox" | "searchbox" | "spinbutton" | "slider" => "input",
        "checkbox" => "input[type=checkbox]",
        "radio" => "input[type=radio]",
        "combobox" | "listbox" => "select",
        _ => "",
    })
}

fn kind_of_role(role: &str) -> &'static str {
    match role {
        "heading" => "heading",
        "img" => "picture",
        "tab" => "tab",
        "option" => "option",
        "menuitem" => "menu item",
        "row" => "row",
        "cell" | "gridcell" => "cell",
        _ => kind_of(&selector_of_role(role)),
    }
}

fn kind_of(selector: &Selector) -> &'static str {
    let role = selector.attribute("role");
    if !role.is_empty() {
        return kind_of_role(role);
    }
    match (selector.tag.as_str(), selector.attribute("type")) {
        ("button" | "summary", _) | ("input", "submit" | "button" | "reset" | "image") => "button",
        ("a", _) => "link",
        ("input", "checkbox") => "box",
        ("input", "radio") => "radio button",
        ("input" | "textarea", _) => "field",
        ("select", _) => "list",
        ("option", _) => "option",
        ("h1" | "h2" | "h3" | "h4" | "h5" | "h6", _) => "heading",
        ("img", _) => "picture",
        _ => ELEMENT,
    }
}

fn cut(text: &str) -> String {
    text.trim().chars().take(NAME_CHARS_MAX).collect()
}
