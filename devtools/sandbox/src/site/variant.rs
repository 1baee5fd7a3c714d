//! The variants of the site: the same content, made otherwise.

/// A variant of the site.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Variant {
    /// The site as it was first.
    #[default]
    Original,
    /// Every class has another name.
    RenamedClasses,
    /// Elements stand in another order, with others around them.
    MovedElements,
    /// Every id is another.
    OtherIds,
    /// Every text is German.
    German,
    /// Other tags, another order, some other words.
    Redesign,
}

impl Variant {
    /// All variants, the original first.
    pub(super) const ALL: [Self; 6] = [
        Self::Original,
        Self::RenamedClasses,
        Self::MovedElements,
        Self::OtherIds,
        Self::German,
        Self::Redesign,
    ];

    /// Returns the name in addresses and in the log.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Original => "v0",
            Self::RenamedClasses => "v1",
            Self::MovedElements => "v2",
            Self::OtherIds => "v3",
            Self::German => "v4",
            Self::Redesign => "v5",
        }
    }

    /// Returns the variant of that [`name`](Self::name).
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}
