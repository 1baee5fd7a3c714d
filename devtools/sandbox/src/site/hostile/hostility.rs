//! A kind of hostility: what it adds to a page, and how it changes its responses.
//!
//! Texts contain placeholders: `@HERE@` is the path of the page, `@FOREIGN@` and `@THIRD@` are addresses of the canary
//! at two other origins, `@SOCKET@` is the first of these for a WebSocket.

/// A kind of hostility.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hostility {
    pub(super) name: &'static str,
    /// HTML for the page's head.
    pub(super) head: &'static str,
    /// HTML before the target.
    pub(super) html: &'static str,
    /// A script that runs after the page is loaded.
    pub(super) script: &'static str,
    pub(super) twist: Twist,
}

/// How the responses of a page differ from those of a normal one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    None,
    /// The page itself redirects.
    Moved(&'static str),
    /// The page has this additional header.
    Header(&'static str, &'static str),
    /// The body of the page is sent in small pieces.
    Dripping,
    /// The target's form redirects there, with this status.
    Onward(u16, &'static str),
}

impl Hostility {
    const fn of(name: &'static str) -> Self {
        Self {
            name,
            head: "",
            html: "",
            script: "",
            twist: Twist::None,
        }
    }

    pub(super) const fn head(name: &'static str, head: &'static str) -> Self {
        Self {
            head,
            ..Self::of(name)
        }
    }

    pub(super) const fn html(name: &'static str, html: &'static str) -> Self {
        Self {
            html,
            ..Self::of(name)
        }
    }

    pub(super) const fn script(name: &'static str, script: &'static str) -> Self {
        Self {
            script,
            ..Self::of(name)
        }
    }

    pub(super) const fn both(name: &'static str, html: &'static str, script: &'static str) -> Self {
        Self {
            html,
            script,
            ..Self::of(name)
        }
    }

    pub(super) const fn twist(name: &'static str, twist: Twist) -> Self {
        Self {
            twist,
            ..Self::of(name)
        }
    }
}
