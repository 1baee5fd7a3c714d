//! The variants of the shop, which have the same content in another form.

/// A variant of the shop.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Variant {
    /// The original, for which automata are made.
    #[default]
    Original,
    /// All classes are renamed.
    RenamedClasses,
    /// Elements are reordered and wrapped.
    MovedElements,
    /// All ids are renamed.
    OtherIds,
    /// All texts are German.
    German,
    /// The tags and the order are different, and so are some words.
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

    /// Returns the variant with this [`name`](Self::name).
    pub(super) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|variant| variant.name() == name)
    }
}
