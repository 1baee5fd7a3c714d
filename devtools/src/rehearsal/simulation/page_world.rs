//! Simulated pages: what each shows, where its clicks lead, and what was done on it.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use domain::page::{ActionFailure, Area, Done, Item, PageAction, PageElement, PageView, Signals};

/// The pages of a simulated web.
#[derive(Debug, Clone, Default)]
pub struct PageWorld {
    pages: BTreeMap<String, WorldPage>,
}

#[derive(Debug, Clone, Default)]
struct WorldPage {
    items: Vec<Item>,
    /// The addresses to which clicks lead, by selector.
    links: BTreeMap<String, String>,
}

/// A page open in a context.
#[derive(Debug, Clone)]
struct OpenPage {
    context: String,
    url: String,
}

/// The open pages of a [`PageWorld`], and the actions on all of its pages.
#[derive(Debug, Default)]
pub(super) struct OpenPages {
    world: PageWorld,
    targets: RefCell<BTreeMap<String, OpenPage>>,
    begun: RefCell<u32>,
    deeds: RefCell<Vec<String>>,
    /// The number of connections to each open page.
    guards: RefCell<BTreeMap<String, u32>>,
    left_alone: Cell<u32>,
}

impl PageWorld {
    /// Adds a page. Each item is a text and a selector, in the order of the page.
    #[must_use]
    pub fn with_page(mut self, url: &str, items: &[(&str, &str)]) -> Self {
        let items = items.iter().map(|(text, selector)| Item {
            text: (*text).to_owned(),
            selector: (*selector).to_owned(),
        });
        self.pages.entry(url.to_owned()).or_default().items = items.collect();
        self
    }

    /// Makes a click on an element lead to another page.
    #[must_use]
    pub fn with_link(mut self, url: &str, selector: &str, to: &str) -> Self {
        let page = self.pages.entry(url.to_owned()).or_default();
        page.links.insert(selector.to_owned(), to.to_owned());
        self
    }

    fn page(&self, url: &str) -> WorldPage {
        self.pages.get(url).cloned().unwrap_or_default()
    }
}

impl OpenPages {
    pub(super) fn new(world: PageWorld) -> Self {
        Self {
            world,
            ..Self::default()
        }
    }

    /// Makes a context, and returns its id.
    pub(super) fn make_context(&self) -> String {
        format!("c{}", self.next_number())
    }

    /// Opens an empty page in a context, and returns the target's id.
    pub(super) fn open(&self, context: &str) -> String {
        let target = format!("t{}", self.next_number());
        let page = OpenPage {
            context: context.to_owned(),
            url: "about:blank".to_owned(),
        };
        self.targets.borrow_mut().insert(target.clone(), page);
        target
    }

    fn next_number(&self) -> u32 {
        let mut begun = self.begun.borrow_mut();
        *begun += 1;
        *begun
    }

    fn url(&self, target: &str) -> Option<String> {
        let targets = self.targets.borrow();
        targets.get(target).map(|page| page.url.clone())
    }

    /// Records a new connection to a page.
    pub(super) fn begin_guard(&self, target: &str) {
        let mut guards = self.guards.borrow_mut();
        *guards.entry(target.to_owned()).or_default() += 1;
    }

    /// Records the end of a connection.
    pub(super) fn end_guard(&self, target: &str) {
        let mut guards = self.guards.borrow_mut();
        let guards = guards.entry(target.to_owned()).or_default();
        *guards = guards.saturating_sub(1);
        if *guards == 0 && self.has(target) {
            self.left_alone.set(self.left_alone.get() + 1);
        }
    }

    /// Returns how often an open page lost its last connection.
    pub(super) fn left_alone(&self) -> u32 {
        self.left_alone.get()
    }

    /// Returns whether a page is open.
    pub(super) fn has(&self, target: &str) -> bool {
        self.targets.borrow().contains_key(target)
    }

    /// Closes a context with its pages.
    pub(super) fn close(&self, context: &str) {
        self.targets
            .borrow_mut()
            .retain(|_, page| page.context != context);
    }

    /// Closes all pages, like a crashing browser.
    pub(super) fn close_all(&self) {
        self.targets.borrow_mut().clear();
    }

    /// Returns whether no page was ever opened.
    pub(super) fn is_unused(&self) -> bool {
        *self.begun.borrow() == 0
    }

    /// Returns the number of pages that are open.
    pub(super) fn count(&self) -> usize {
        self.targets.borrow().len()
    }

    /// Returns the actions on all pages, in order.
    pub(super) fn deeds(&self) -> Vec<String> {
        self.deeds.borrow().clone()
    }

    /// Returns the view of a page, or `None` if it is closed.
    pub(super) fn view(&self, target: &str) -> Option<PageView> {
        let url = self.url(target)?;
        let items = self.world.page(&url).items;
        let elements = items.iter().map(|item| PageElement {
            selector: item.selector.clone(),
            named: None,
            tag: "button".to_owned(),
            role: String::new(),
            text: item.text.clone(),
            area: BOX,
        });
        let elements = elements.collect();
        Some(PageView {
            elements,
            signals: Signals {
                title: format!("Title of {url}"),
                url: Some(url),
                items: Some(items),
                is_cut: false,
                found: Vec::new(),
                unanswered: Vec::new(),
            },
        })
    }

    /// Executes an action on a page.
    pub(super) fn act(&self, target: &str, action: &PageAction) -> Result<Done, ActionFailure> {
        let gone = || ActionFailure::BrowserGone("The page is closed.".to_owned());
        let url = self.url(target).ok_or_else(gone)?;
        let page = self.world.page(&url);
        let find = |selector: &str| {
            let found = page.items.iter().any(|item| item.selector == selector);
            let says = || ActionFailure::Failed("There is no such element.".to_owned());
            found.then_some(()).ok_or_else(says)
        };
        let (deed, next) = match action {
            PageAction::Navigate { url } => {
                let to = url.text.reveal();
                (format!("navigate {to}"), Some(to.to_owned()))
            }
            PageAction::Click { target, .. } => {
                let selector = target.locator.selector.reveal();
                find(selector)?;
                (
                    format!("click {selector}"),
                    page.links.get(selector).cloned(),
                )
            }
            PageAction::Type { target, text, .. } => {
                let selector = target.locator.selector.reveal();
                find(selector)?;
                (format!("type {selector} {}", text.text.reveal()), None)
            }
            PageAction::PressKey { key, .. } => (format!("press {}", key.text.reveal()), None),
            PageAction::Scroll { .. } | PageAction::ScrollTo { .. } => ("scroll".to_owned(), None),
            PageAction::Hover { .. }
            | PageAction::Drag { .. }
            | PageAction::Select { .. }
            | PageAction::Check { .. }
            | PageAction::Upload { .. }
            | PageAction::Download { .. }
            | PageAction::GoBack
            | PageAction::SwitchTo { .. }
            | PageAction::Extract { .. } => {
                let says = "This world has no such action.".to_owned();
                return Err(ActionFailure::Failed(says));
            }
        };
        self.deeds.borrow_mut().push(format!("{url} {deed}"));
        if let Some(next) = next
            && let Some(page) = self.targets.borrow_mut().get_mut(target)
        {
            page.url = next;
        }
        Ok(Done::at(BOX.point(0.5)))
    }
}

/// The box of every element.
const BOX: Area = Area {
    x: 10.0,
    y: 10.0,
    width: 100.0,
    height: 20.0,
};
