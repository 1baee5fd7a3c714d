//! Pages as trees of elements. A variant changes the tree before it is written as HTML.

/// An element of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Element {
    pub(super) tag: &'static str,
    pub(super) id: Option<String>,
    pub(super) classes: Vec<String>,
    pub(super) attributes: Vec<(&'static str, String)>,
    pub(super) children: Vec<Node>,
}

/// The content of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Node {
    Element(Element),
    Text(String),
    /// A script or a style sheet of the site, which is not escaped.
    Code(String),
}

/// The tags of elements that have no end tag.
const VOID: [&str; 5] = ["base", "br", "hr", "input", "meta"];

impl Element {
    /// Makes an element without classes.
    pub(super) fn plain(tag: &'static str) -> Self {
        Self {
            tag,
            id: None,
            classes: Vec::new(),
            attributes: Vec::new(),
            children: Vec::new(),
        }
    }

    /// Makes an element with this class. Variants recognise the element's role by it.
    pub(super) fn new(tag: &'static str, class: &'static str) -> Self {
        let mut element = Self::plain(tag);
        element.classes.push(class.to_owned());
        element
    }

    pub(super) fn id(mut self, id: &str) -> Self {
        self.id = Some(id.to_owned());
        self
    }

    pub(super) fn class(mut self, class: &str) -> Self {
        self.classes.push(class.to_owned());
        self
    }

    pub(super) fn with(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, value.into()));
        self
    }

    pub(super) fn text(mut self, text: impl Into<String>) -> Self {
        self.children.push(Node::Text(text.into()));
        self
    }

    pub(super) fn code(mut self, code: impl Into<String>) -> Self {
        self.children.push(Node::Code(code.into()));
        self
    }

    pub(super) fn child(mut self, child: Self) -> Self {
        self.children.push(Node::Element(child));
        self
    }

    pub(super) fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children
            .extend(children.into_iter().map(Node::Element));
        self
    }

    /// Returns whether the element has this role, which is its class in the original.
    pub(super) fn is(&self, role: &str) -> bool {
        self.classes.first().is_some_and(|class| class == role)
    }

    /// Applies a change to all descendants of the element, and then to the element itself.
    pub(super) fn changed(mut self, change: &impl Fn(Self) -> Self) -> Self {
        let children = std::mem::take(&mut self.children).into_iter();
        self.children = children
            .map(|child| match child {
                Node::Element(element) => Node::Element(element.changed(change)),
                other => other,
            })
            .collect();
        change(self)
    }

    /// Returns the element as HTML.
    pub(super) fn html(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        out.push('<');
        out.push_str(self.tag);
        let classes = (!self.classes.is_empty()).then(|| self.classes.join(" "));
        let named = [("id", self.id.as_ref()), ("class", classes.as_ref())];
        let named = named
            .into_iter()
            .filter_map(|(name, value)| Some((name, value?)));
        let others = self.attributes.iter().map(|(name, value)| (*name, value));
        for (name, value) in named.chain(others) {
            out.push(' ');
            out.push_str(name);
            out.push_str("=\"");
            out.push_str(&escaped(value));
            out.push('"');
        }
        out.push('>');
        if VOID.contains(&self.tag) {
            return;
        }
        for child in &self.children {
            match child {
                Node::Element(element) => element.write(out),
                Node::Text(text) => out.push_str(&escaped(text)),
                Node::Code(code) => out.push_str(code),
            }
        }
        out.push_str("</");
        out.push_str(self.tag);
        out.push('>');
    }
}

/// Escapes a text for use in an element or in a quoted attribute.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            letter => out.push(letter),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tree_is_written_and_what_is_said_in_it_is_no_html() {
        let field = Element::new("input", "field").id("q").with("value", "\"<");
        let page = Element::plain("main")
            .child(field)
            .text("a < b & c")
            .child(Element::plain("script").code("1 < 2"));
        assert_eq!(
            page.html(),
            "<main><input id=\"q\" class=\"field\" value=\"&quot;&lt;\">a &lt; b &amp; c<script>1 < 2</script></main>"
        );
    }

    #[test]
    fn a_change_reaches_every_element_from_within() {
        let page = Element::new("ul", "list").child(Element::new("li", "item").text("x"));
        let changed = page.changed(&|mut element| {
            element.tag = if element.is("item") { "b" } else { "p" };
            element
        });
        assert_eq!(
            changed.html(),
            "<p class=\"list\"><b class=\"item\">x</b></p>"
        );
    }
}
