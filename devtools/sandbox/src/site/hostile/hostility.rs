//! The kinds of hostility. A kind adds content to a page, and may change the responses.
//!
//! Their texts contain placeholders: `@HERE@` is the path of the page, `@FOREIGN@` and `@THIRD@` are addresses of the
//! canary at two other origins, `@SOCKET@` is `@FOREIGN@` for a WebSocket.

/// A kind of hostility, of which a page has one or two.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hostility {
    pub(super) name: &'static str,
    /// HTML for the page's head.
    pub(super) head: &'static str,
    /// HTML that precedes the page's honest target.
    pub(super) html: &'static str,
    /// A script that runs after the page is loaded.
    pub(super) script: &'static str,
    pub(super) twist: Twist,
}

/// How a kind changes the responses of its page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Twist {
    None,
    /// The page redirects to this address.
    Moved(&'static str),
    /// The page has this additional header: a name and a value.
    Header(&'static str, &'static str),
    /// The body of the page is sent in small pieces.
    Dripping,
    /// The target's form redirects to this address, with this status.
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
