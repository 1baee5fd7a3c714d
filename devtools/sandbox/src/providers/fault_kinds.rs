//! The macro that declares the kinds of a provider's faults.

/// Declares an enum of faults, with the name that each has in a fault file.
macro_rules! fault_kinds {
    ($(#[$note:meta])* $visible:vis enum $kind:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)+ }) => {
        $(#[$note])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        $visible enum $kind { $($(#[$about])* $variant,)+ }

        impl $kind {
            /// All kinds with their names.
            pub(crate) const ALL: &[(&'static str, Self)] = &[$(($name, Self::$variant),)+];

            /// Returns the kind with this name, if it exists.
            pub(crate) fn named(name: &str) -> Option<Self> {
                Self::ALL.iter().find(|(known, _)| *known == name).map(|(_, kind)| *kind)
            }
        }
    };
}
pub(crate) use fault_kinds;
