//! The pages of a shop: front, log-in, lists, product, basket, order.

use crate::site::catalogue::{PRODUCTS, Product};
use crate::site::html::Element;
use crate::site::sessions::Order;

use super::view::{Content, View};

pub(in crate::site) fn home(view: View<'_>) -> Content {
    Content::headed(view.words.say("Welcome to the shop"))
        .block(view.paragraph("lead", "Look around, fill your basket, and order."))
        .block(view.paragraph("lead", "Nobody sends you anything."))
}

/// Returns the page with the log-in form. If `was_wrong`, it has a message about the failed attempt.
pub(in crate::site) fn log_in(view: View<'_>, was_wrong: bool) -> Content {
    let wrong = was_wrong.then(|| {
        view.paragraph("message", "The user name or the password is wrong.")
            .with("role", "alert")
    });
    let form = View::form("login-form", "login")
        .children(view.field("user-name", "user", "text", "User name"))
        .children(view.field("password", "password", "password", "Password"))
        .child(view.button("log-in", "Log in"));
    Content::headed(view.words.say("Log in to your account"))
        .blocks(wrong)
        .block(form)
}

pub(in crate::site) fn products(view: View<'_>) -> Content {
    let all: Vec<_> = PRODUCTS.iter().collect();
    Content::headed(view.words.say("All products")).blocks(list(view, &all))
}

/// Returns the page with search results. The names of products are matched in the variant's language, their slugs in
/// every language.
pub(in crate::site) fn search(view: View<'_>, text: &str) -> Content {
    let wanted = text.trim().to_lowercase();
    let is_found = |product: &&Product| {
        let name = view.words.say(product.name).to_lowercase();
        let slug = product.slug.replace('-', " ");
        !wanted.is_empty() && (name.contains(&wanted) || slug.contains(&wanted))
    };
    let found: Vec<_> = PRODUCTS.iter().filter(is_found).collect();
    let content = Content::headed(view.words.fill("Results for {}", &[text.trim()]));
    if found.is_empty() {
        return content.block(view.paragraph("nothing-found", "Nothing was found."));
    }
    content.blocks(list(view, &found))
}

fn list(view: View<'_>, products: &[&Product]) -> [Element; 2] {
    let count = products.len().to_string();
    let count = view.words.fill("{} products", &[&count]);
    let entries = products.iter().map(|product| view.product(product));
    [
        Element::new("p", "product-count").text(count),
        Element::new("ul", "product-list").children(entries),
    ]
}

pub(in crate::site) fn product(view: View<'_>, product: &Product) -> Content {
    let add = View::form("add-form", "basket")
        .child(View::hidden("product", product.slug))
        .child(view.button("add-to-basket", "Add to basket"));
    let save = View::form("save-form", "saved")
        .child(View::hidden("product", product.slug))
        .child(view.button("save-for-later", "Save for later"));
    Content::headed(view.words.say(product.name))
        .block(Element::new("p", "product-price").text(view.words.price(product.price_cents)))
        .block(view.paragraph("product-text", "Made to last, and sent within two days."))
        .block(add)
        .block(save)
}

pub(in crate::site) fn basket(view: View<'_>) -> Content {
    let content = Content::headed(view.words.say("Your basket"));
    if view.session.pieces() == 0 {
        return content.block(view.paragraph("basket-empty", "Your basket is empty."));
    }
    let lines = view.session.basket().map(|(product, pieces)| {
        let link = Element::new("a", "product-link")
            .with("href", format!("products/{}", product.slug))
            .text(view.words.say(product.name));
        let pieces = view.words.fill("{} pieces", &[&pieces.to_string()]);
        let remove = View::form("remove-form", "removed")
            .child(View::hidden("product", product.slug))
            .child(
                Element::new("button", "button")
                    .class("button-small")
                    .with("type", "submit")
                    .text(view.words.say("Remove")),
            );
        Element::new("li", "basket-line")
            .with("data-id", product.slug)
            .children([
                link,
                Element::new("span", "basket-pieces").text(pieces),
                remove,
            ])
    });
    let pieces = view.session.pieces().to_string();
    let total = view.words.price(view.session.total_cents());
    let question = view
        .words
        .fill("Order {} pieces for {}?", &[&pieces, &total]);
    let order = View::form("order-form", "order")
        .with("data-question", question)
        .child(view.button("order-now", "Order now"));
    content
        .block(Element::new("ul", "basket-lines").children(lines))
        .block(Element::new("p", "basket-total").text(view.words.fill("Total: {}", &[&total])))
        .block(order)
}

pub(in crate::site) fn order(view: View<'_>, order: Order) -> Content {
    let number = order.number.to_string();
    let number = view.words.fill("Your order has the number {}.", &[&number]);
    let pieces = order.pieces.to_string();
    let total = view.words.price(order.total_cents);
    let sum = view.words.fill("{} pieces for {}", &[&pieces, &total]);
    Content::headed(view.words.say("Thank you for your order"))
        .block(Element::new("p", "order-number").text(number))
        .block(Element::new("p", "order-sum").text(sum))
}

/// Returns the message that confirms an action; `None` if there is none.
pub(in crate::site) fn done_words(what: &str) -> Option<&'static str> {
    Some(match what {
        "saved" => "The product was saved for later.",
        "sale" => "The discount is yours.",
        "reviews" => "Your review was sent.",
        "prize" => "The voucher is yours.",
        "membership" => "You ordered a year of membership.",
        _ => return None,
    })
}

pub(in crate::site) fn done(view: View<'_>, says: &'static str) -> Content {
    Content::headed(view.words.say("Done")).block(view.paragraph("done-text", says))
}

pub(in crate::site) fn missing(view: View<'_>) -> Content {
    Content::headed(view.words.say("There is no such page"))
        .block(view.paragraph("lead", "The shop has moved it, or never had it."))
}

/// Returns the page that says why an action was refused.
pub(in crate::site) fn refused(view: View<'_>, says: &'static str) -> Content {
    Content::headed(view.words.say("That cannot be done"))
        .block(view.paragraph("message", says).with("role", "alert"))
}
