//! The ways in which selectors are read.

/// The way in which a selector is read, as browsers' drivers name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum By {
    /// The selector is one of CSS.
    CssSelector,
    /// The selector is an `XPath` expression.
    XPath,
    /// The selector is an element's id.
    Id,
    /// The selector is an element's attribute `name`.
    Name,
    /// The selector is the name of a tag.
    TagName,
    /// The selector is a class.
    ClassName,
    /// The selector is the whole text of a link.
    LinkText,
    /// The selector is a part of the text of a link.
    PartialLinkText,
}

impl By {
    const ALL: [Self; 8] = [
        Self::CssSelector,
        Self::XPath,
        Self::Id,
        Self::Name,
        Self::TagName,
        Self::ClassName,
        Self::LinkText,
        Self::PartialLinkText,
    ];

    /// Returns the way as it is written.
    #[must_use]
    pub fn as_str(self) -> &'static str {
        match self {
            Self::CssSelector => "css selector",
            Self::XPath => "xpath",
            Self::Id => "id",
            Self::Name => "name",
            Self::TagName => "tag name",
            Self::ClassName => "class name",
            Self::LinkText => "link text",
            Self::PartialLinkText => "partial link text",
        }
    }

    /// Returns the way of this name. Returns `None` where there is none.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|by| by.as_str() == name)
    }
}
