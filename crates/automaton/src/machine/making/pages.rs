//! The pages that a run has seen, small enough to be kept, and enough to say whether a check holds there.

use std::collections::{BTreeSet, VecDeque};

use domain::page::Signals;

use crate::machine::matching::{compared_text, compared_url};
use crate::machine::states::{Check, CheckKind};

/// The most pages that are kept.
const PAGES_MAX: usize = 20;
/// The most forms of a page that changes by itself.
const FORMS_MAX: usize = 4;
/// The most elements of a page that are kept.
const ITEMS_MAX: usize = 4_000;

/// A page by the hashes of its address, its texts and its selectors. Two texts with one hash can only make
/// a trigger seem to hold where it does not, which refuses it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PageDigest {
    url: Option<u64>,
    texts: BTreeSet<u64>,
    selectors: BTreeSet<u64>,
}

impl PageDigest {
    pub fn of(signals: &Signals) -> Self {
        let mut this = Self {
            url: signals.url.as_deref().map(|url| hash(compared_url(url))),
            ..Self::default()
        };
        for item in signals.items.iter().flatten().take(ITEMS_MAX) {
            if !item.text.is_empty() {
                this.texts.insert(hash(&compared_text(&item.text)));
            }
            if !item.selector.is_empty() {
                this.selectors.insert(hash(&item.selector));
            }
        }
        this
    }

    /// Returns whether a check holds on the page. A check that the browser answers counts as holding: it
    /// tells no page from another here.
    pub fn holds(&self, check: &Check) -> bool {
        match check {
            Check::Query(_) => true,
            Check::Signal { value: None, .. } => false,
            Check::Signal {
                kind,
                value: Some(value),
            } => match kind {
                CheckKind::Url => self.url == Some(hash(compared_url(value))),
                CheckKind::Text => self.texts.contains(&hash(&compared_text(value))),
                CheckKind::Element => self.selectors.contains(&hash(value)),
                CheckKind::Unknown => false,
            },
        }
    }

    /// Returns whether all checks hold on the page.
    pub fn holds_all(&self, checks: &[Check]) -> bool {
        checks.iter().all(|check| self.holds(check))
    }
}

/// Returns the hash of a text: Fowler, Noll and Vo's 1a with 64 bits.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
    })
}

/// A page that was seen.
#[derive(Debug, Clone)]
struct Page {
    digest: PageDigest,
    /// The number of states that had run before.
    epoch: u32,
    /// The name of the state that the page passed, by its hash.
    owner: Option<u64>,
}

/// The last pages that a run has seen. A page is another one than the page of now where a state ran in
/// between, or where it passed a state.
#[derive(Debug, Clone, Default)]
pub struct Pages {
    pages: VecDeque<Page>,
    epoch: u32,
}

impl Pages {
    /// Notes a page, and the name of the state that it passes, if it passes one.
    pub fn note(&mut self, digest: PageDigest, owner: Option<&str>) {
        let (epoch, owner) = (self.epoch, owner.map(hash));
        let mut known = self.pages.iter_mut();
        let same = known.find(|page| page.epoch == epoch && page.digest == digest);
        if let Some(page) = same {
            page.owner = owner.or(page.owner);
            return;
        }
        let is_form = |page: &Page| page.epoch == epoch && page.owner == owner;
        let forms = self.pages.iter().filter(|page| is_form(page)).count();
        if forms >= FORMS_MAX
            && let Some(last) = self.pages.iter().rposition(is_form)
        {
            drop(self.pages.remove(last));
        }
        if self.pages.len() >= PAGES_MAX {
            drop(self.pages.pop_front());
        }
        self.pages.push_back(Page {
            digest,
            epoch,
            owner,
        });
    }

    /// Notes that a state has run: what is seen from here on is another page.
    pub fn leave(&mut self) {
        self.epoch = self.epoch.saturating_add(1);
    }

    /// Returns the pages other than the page of now, and other than those that passed the state of this
    /// name, which is made anew.
    pub fn others(&self, now: &PageDigest, own_name: Option<&str>) -> Vec<PageDigest> {
        let own = own_name.map(hash);
        let others = self.pages.iter().filter(|page| {
            let is_own = page.owner.is_some() && page.owner == own;
            let is_other = page.epoch != self.epoch || page.owner.is_some();
            is_other && !is_own && page.digest != *now
        });
        others.map(|page| page.digest.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::page::Item;

    fn page(url: &str, texts: &[&str]) -> PageDigest {
        let items = texts.iter().map(|text| Item {
            text: (*text).to_owned(),
            selector: format!("p.{text}"),
        });
        PageDigest::of(&Signals {
            url: Some(url.to_owned()),
            items: Some(items.collect()),
            found: Vec::new(),
        })
    }

    #[test]
    fn a_digest_says_which_checks_hold() {
        let digest = page("about:blank", &[" Sign  in ", "x"]);
        for (kind, value, holds) in [
            (CheckKind::Url, "chrome://newtab/", true),
            (CheckKind::Url, "u", false),
            (CheckKind::Text, "Sign in", true),
            (CheckKind::Text, "Sign", false),
            (CheckKind::Element, "p.x", true),
            (CheckKind::Element, "p", false),
            (CheckKind::Unknown, "x", false),
        ] {
            let check = Check::Signal {
                kind,
                value: Some(value.to_owned()),
            };
            assert_eq!(digest.holds(&check), holds, "{value}");
        }
    }

    #[test]
    fn pages_are_others_once_a_state_ran_or_where_they_passed_one() {
        let mut pages = Pages::default();
        let now = page("b", &[]);
        pages.note(page("a", &[]), None);
        pages.note(page("c", &[]), Some("C"));
        pages.note(now.clone(), None);
        assert_eq!(pages.others(&now, None), [page("c", &[])]);
        assert_eq!(pages.others(&now, Some("C")), []);
        pages.leave();
        pages.note(now.clone(), None);
        let others = [page("a", &[]), page("c", &[])];
        assert_eq!(pages.others(&now, None), others);
    }

    #[test]
    fn a_page_that_changes_by_itself_drives_no_other_one_out() {
        let mut pages = Pages::default();
        pages.note(page("a", &[]), Some("A"));
        pages.leave();
        for at in 0..200 {
            pages.note(page("clock", &[&at.to_string()]), None);
        }
        assert_eq!(pages.pages.len(), 1 + FORMS_MAX);
        let now = page("clock", &["199"]);
        assert_eq!(pages.others(&now, None), [page("a", &[])]);
        for _ in 0..50 {
            pages.leave();
            pages.note(now.clone(), Some("B"));
        }
        assert_eq!(pages.pages.len(), PAGES_MAX);
    }
}
