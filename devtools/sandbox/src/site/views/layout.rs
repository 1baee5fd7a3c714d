//! The parts that all pages share: the head, the navigation, the search, the footer and the cookie wall.

use crate::site::html::Element;

use super::view::{Content, View};

/// The links in the navigation, as pairs of the address and the text.
const LINKS: [(&str, &str); 8] = [
    ("products", "Products"),
    ("basket", "Basket"),
    ("arrivals", "New arrivals"),
    ("stock", "Stock report"),
    ("sale", "Flash sale"),
    ("reviews", "Reviews"),
    ("prize", "Voucher"),
    ("login", "Log in"),
];

/// A script that asks for confirmation before some forms are sent.
const QUESTIONS: &str = "for (const form of document.querySelectorAll('form[data-question]')) {
  form.addEventListener('submit', (event) => {
    if (!confirm(form.dataset.question)) event.preventDefault();
  });
}";

/// Returns the `head` of a page, without a style sheet, and its `body`.
pub(in crate::site) fn document(view: View<'_>, content: Content) -> [Element; 2] {
    let title = format!("{} - {}", content.title, view.words.say("The Lantern Shop"));
    let head = Element::plain("head").children([
        Element::plain("meta").with("charset", "utf-8"),
        Element::plain("meta")
            .with("name", "viewport")
            .with("content", "width=device-width"),
        // All links are relative to the shop, so that every variant has the same ones.
        Element::plain("base").with("href", view.base),
        Element::plain("title").text(title),
    ]);
    let blocks = Element::new("div", "blocks").children(content.blocks);
    let mut body = Element::new("body", "shop")
        .child(header(view))
        .child(Element::new("main", "content").child(blocks))
        .child(
            Element::new("footer", "site-footer")
                .child(view.paragraph("footer-text", "Nothing here is for sale.")),
        );
    if !view.session.has_answered_wall {
        body = body.child(wall(view));
    }
    body = body.child(Element::plain("script").code(QUESTIONS));
    let own = content
        .script
        .map(|code| Element::plain("script").code(code));
    [head, body.children(own)]
}

fn header(view: View<'_>) -> Element {
    let name = Element::new("a", "shop-name")
        .with("href", ".")
        .text(view.words.say("The Lantern Shop"));
    let is_offered = |address: &str| address != "login" || !view.session.is_signed_in;
    let links = LINKS.into_iter().filter(|(address, _)| is_offered(address));
    let links = links.map(|(address, text)| {
        let link = Element::new("a", "nav-link")
            .with("href", address)
            .text(view.words.say(text));
        Element::new("li", "nav-item").child(link)
    });
    let nav = Element::new("nav", "site-nav").child(Element::new("ul", "nav-list").children(links));
    let search = Element::new("form", "search-form")
        .with("method", "get")
        .with("action", "search")
        .children(view.field("search-text", "q", "search", "Search for"))
        .child(view.button("search-button", "Search"));
    let visitor = if view.session.is_signed_in {
        let user = view.words.fill("Signed in as {}", &[view.user]);
        let out = View::form("visitor-form", "logout").child(view.button("log-out", "Log out"));
        Element::new("div", "visitor").children([Element::new("p", "visitor-name").text(user), out])
    } else {
        Element::new("div", "visitor").child(view.paragraph("visitor-name", "Not signed in"))
    };
    Element::new("header", "site-header").children([name, nav, search, visitor])
}

/// Returns the cookie wall. It covers every page until the visitor has made a choice.
fn wall(view: View<'_>) -> Element {
    let choice = |id: &'static str, value: &str, text: &'static str| {
        view.button(id, text)
            .with("name", "choice")
            .with("value", value)
    };
    let form = View::form("cookie-form", "consent").children([
        View::hidden("page", view.page),
        choice("cookie-all", "all", "Accept all cookies"),
        choice("cookie-necessary", "necessary", "Only necessary cookies"),
    ]);
    let title = view.words.say("This shop uses cookies");
    let inside = Element::new("div", "cookie-box").children([
        Element::new("h2", "cookie-title").text(title.as_str()),
        view.paragraph("cookie-text", "One of them knows your basket."),
        form,
    ]);
    Element::new("div", "cookie-wall")
        .with("role", "dialog")
        .with("aria-label", title)
        .child(inside)
}
