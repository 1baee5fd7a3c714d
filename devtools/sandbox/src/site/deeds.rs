//! The actions that the shop takes when a form is submitted.

use super::catalogue::{Product, product_of};
use super::sessions::Session;

/// The fields of a submitted form, in order.
pub(super) type Fields = [(String, String)];

/// The account that a visitor can log in to.
#[derive(Clone, Debug)]
pub(super) struct Account {
    pub(super) user: String,
    pub(super) password: String,
}

/// The outcome of a submitted form.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The shop executed the form, and redirects the visitor to this page.
    Done(String),
    WrongLogIn,
    /// The visitor must log in before the form can be executed.
    NotSignedIn,
    /// The shop refused the form for this reason.
    Refused(&'static str),
}

/// Executes a form. Returns the action's name for the log and the outcome, or `None` if the shop does not have this
/// form.
pub(super) fn act(
    address: &str,
    fields: &Fields,
    session: &mut Session,
    account: &Account,
    next_order: u64,
) -> Option<(&'static str, Outcome)> {
    let done = |what: &str| Outcome::Done(format!("done/{what}"));
    Some(match address {
        "consent" => ("consent", consent(session, fields)),
        "login" => ("log-in", log_in(session, fields, account)),
        "logout" => {
            session.is_signed_in = false;
            ("log-out", Outcome::Done(String::new()))
        }
        "basket" => ("add", with_product(fields, |product| add(session, product))),
        "removed" => {
            let remove = |product: &Product| remove(session, product);
            ("remove", with_product(fields, remove))
        }
        "saved" => ("save", with_product(fields, |_| done("saved"))),
        "order" => ("order", order(session, next_order)),
        "sale" => ("claim", done("sale")),
        "reviews" => ("review", done("reviews")),
        "prize" => ("voucher", done("prize")),
        "membership" => ("membership", done("membership")),
        _ => return None,
    })
}

/// Returns the value of the field with this name, or an empty text if there is none.
pub(super) fn field<'fields>(fields: &'fields Fields, name: &str) -> &'fields str {
    let found = fields.iter().find(|(known, _)| known == name);
    found.map_or("", |(_, value)| value.as_str())
}

fn consent(session: &mut Session, fields: &Fields) -> Outcome {
    session.has_answered_wall = true;
    let page = field(fields, "page");
    // The shop must not redirect to another site, so the page must be one of its own.
    let is_own = !page.starts_with(['/', '\\']) && !page.contains("..") && !page.contains(':');
    Outcome::Done(if is_own {
        page.to_owned()
    } else {
        String::new()
    })
}

fn log_in(session: &mut Session, fields: &Fields, account: &Account) -> Outcome {
    let is_right =
        field(fields, "user") == account.user && field(fields, "password") == account.password;
    if !is_right {
        return Outcome::WrongLogIn;
    }
    session.is_signed_in = true;
    Outcome::Done(String::new())
}

fn with_product(fields: &Fields, act: impl FnOnce(&Product) -> Outcome) -> Outcome {
    product_of(field(fields, "product")).map_or(
        Outcome::Refused("The shop does not have this product."),
        act,
    )
}

fn add(session: &mut Session, product: &Product) -> Outcome {
    if session.add(product) {
        Outcome::Done("basket".to_owned())
    } else {
        Outcome::Refused("There are too many pieces in the basket.")
    }
}

fn remove(session: &mut Session, product: &Product) -> Outcome {
    if session.remove(product) {
        Outcome::Done("basket".to_owned())
    } else {
        Outcome::Refused("The basket does not have this product.")
    }
}

fn order(session: &mut Session, number: u64) -> Outcome {
    if !session.is_signed_in {
        return Outcome::NotSignedIn;
    }
    match session.order(number) {
        Some(order) => Outcome::Done(format!("orders/{}", order.number)),
        None => Outcome::Refused("There is nothing to order."),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sent(address: &str, fields: &[(&str, &str)], session: &mut Session) -> Outcome {
        let account = Account {
            user: "u".to_owned(),
            password: "p".to_owned(),
        };
        let fields: Vec<_> = fields
            .iter()
            .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()))
            .collect();
        act(address, &fields, session, &account, 1_001).unwrap().1
    }

    #[test]
    fn only_the_right_word_signs_in() {
        let mut session = Session::default();
        for (user, password) in [("u", "x"), ("x", "p"), ("", "")] {
            let fields = [("user", user), ("password", password)];
            assert_eq!(sent("login", &fields, &mut session), Outcome::WrongLogIn);
        }
        assert!(!session.is_signed_in);
        sent("login", &[("user", "u"), ("password", "p")], &mut session);
        assert!(session.is_signed_in);
        sent("logout", &[], &mut session);
        assert!(!session.is_signed_in);
    }

    #[test]
    fn an_order_needs_a_visitor_who_is_signed_in_and_something_to_order() {
        let mut session = Session::default();
        let cup = [("product", "tea-cup")];
        sent("basket", &cup, &mut session);
        assert_eq!(sent("order", &[], &mut session), Outcome::NotSignedIn);
        session.is_signed_in = true;
        let done = Outcome::Done("orders/1001".to_owned());
        assert_eq!(sent("order", &[], &mut session), done);
        let refused = Outcome::Refused("There is nothing to order.");
        assert_eq!(sent("order", &[], &mut session), refused);
    }

    #[test]
    fn a_product_that_is_not_there_is_neither_added_nor_removed() {
        let mut session = Session::default();
        for address in ["basket", "removed", "saved"] {
            for fields in [&[("product", "boat")][..], &[]] {
                let outcome = sent(address, fields, &mut session);
                assert!(matches!(outcome, Outcome::Refused(_)), "{address}");
            }
        }
        assert_eq!(session.pieces(), 0);
    }

    #[test]
    fn the_wall_leads_to_a_page_of_the_shop_alone() {
        for (page, to) in [
            ("products?x=1", "products?x=1"),
            ("//other.example/", ""),
            ("/calls", ""),
            ("\\\\other.example", ""),
            ("https://other.example/", ""),
            ("../../calls", ""),
        ] {
            let outcome = sent("consent", &[("page", page)], &mut Session::default());
            assert_eq!(outcome, Outcome::Done(to.to_owned()), "{page}");
        }
    }
}
