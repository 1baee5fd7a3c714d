//! The visitors of the shop, identified by a cookie.

use std::collections::{BTreeMap, VecDeque};

use crate::hash::hash;

use super::catalogue::{PRODUCTS, Product};

/// The most sessions at a time; beyond that the oldest is dropped.
const SESSIONS_MAX: usize = 256;
/// The most pieces of a product that a basket may hold.
pub(super) const PIECES_MAX: u32 = 99;
/// The number of orders that a session remembers; beyond that the oldest is dropped.
const ORDERS_MAX: usize = 50;
/// The name of the session cookie.
const COOKIE: &str = "site_session";

/// An order that a visitor has placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Order {
    pub(super) number: u64,
    pub(super) pieces: u32,
    pub(super) total_cents: u32,
}

/// The session of a visitor.
#[derive(Clone, Debug, Default)]
pub(super) struct Session {
    pub(super) has_answered_wall: bool,
    pub(super) is_signed_in: bool,
    /// The number of pieces of each product, by slug.
    basket: BTreeMap<&'static str, u32>,
    orders: VecDeque<Order>,
}

impl Session {
    /// Adds a piece of a product to the basket. Returns false if the basket already has [`PIECES_MAX`].
    pub(super) fn add(&mut self, product: &Product) -> bool {
        let pieces = self.basket.entry(product.slug).or_insert(0);
        let has_room = *pieces < PIECES_MAX;
        *pieces += u32::from(has_room);
        has_room
    }

    /// Removes all pieces of a product from the basket. Returns false if there were none.
    pub(super) fn remove(&mut self, product: &Product) -> bool {
        self.basket.remove(product.slug).is_some()
    }

    /// Returns the content of the basket, in the order of the shop's products.
    pub(super) fn basket(&self) -> impl Iterator<Item = (&'static Product, u32)> {
        PRODUCTS
            .iter()
            .filter_map(|product| Some((product, *self.basket.get(product.slug)?)))
    }

    pub(super) fn pieces(&self) -> u32 {
        self.basket.values().sum()
    }

    pub(super) fn total_cents(&self) -> u32 {
        let costs = self
            .basket()
            .map(|(product, pieces)| product.price_cents * pieces);
        costs.sum()
    }

    /// Turns the basket into an order and empties it. Returns `None` if the basket is already empty.
    pub(super) fn order(&mut self, number: u64) -> Option<Order> {
        let order = Order {
            number,
            pieces: self.pieces(),
            total_cents: self.total_cents(),
        };
        if order.pieces == 0 {
            return None;
        }
        self.basket.clear();
        if self.orders.len() == ORDERS_MAX {
            self.orders.pop_front();
        }
        self.orders.push_back(order);
        Some(order)
    }

    /// Returns the visitor's order with this number, if it exists.
    pub(super) fn order_of(&self, number: u64) -> Option<Order> {
        let mut orders = self.orders.iter();
        orders.find(|order| order.number == number).copied()
    }
}

/// The sessions of all visitors, by their numbers, which begin with 1.
#[derive(Clone, Debug, Default)]
pub(super) struct Sessions {
    sessions: BTreeMap<u64, Session>,
    begun: u64,
}

impl Sessions {
    /// Returns the number of the session in a `Cookie` header, or begins a session. The second value is the
    /// `Set-Cookie` header if a session was begun.
    pub(super) fn of(&mut self, cookies: Option<&str>) -> (u64, Option<String>) {
        let named = cookies.and_then(session_cookie);
        let known = named.and_then(|named| {
            let mut numbers = self.sessions.keys().copied();
            numbers.find(|number| id_of(*number) == named)
        });
        if let Some(number) = known {
            return (number, None);
        }
        self.begun += 1;
        if self.sessions.len() == SESSIONS_MAX {
            self.sessions.pop_first();
        }
        self.sessions.insert(self.begun, Session::default());
        let id = id_of(self.begun);
        let header = format!("{COOKIE}={id}; Path=/site/; HttpOnly; SameSite=Lax");
        (self.begun, Some(header))
    }

    /// Forgets all sessions. The numbering continues, so that no old cookie is valid for a new session.
    pub(super) fn forget(&mut self) {
        self.sessions.clear();
    }

    /// Returns the session with this number, which must come from [`of`](Self::of).
    pub(super) fn get_mut(&mut self, number: u64) -> &mut Session {
        self.sessions.entry(number).or_default()
    }
}

fn session_cookie(header: &str) -> Option<&str> {
    let mut pairs = header.split(';').filter_map(|pair| pair.split_once('='));
    let found = pairs.find(|(name, _)| name.trim() == COOKIE);
    found.map(|(_, value)| value.trim())
}

fn id_of(number: u64) -> String {
    format!(
        "{:016x}",
        hash(&["session of the site".into(), number.into()])
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cookie(header: &str) -> &str {
        header.split_once(';').unwrap().0
    }

    #[test]
    fn a_visitor_is_known_by_the_cookie_alone() {
        let mut sessions = Sessions::default();
        let (one, header) = sessions.of(None);
        let header = header.unwrap();
        let both = format!("other=1; {}", cookie(&header));
        assert_eq!(sessions.of(Some(&both)), (one, None));
        let (two, _) = sessions.of(Some("site_session=0000000000000000"));
        assert_ne!(one, two);
    }

    #[test]
    fn sessions_are_bounded_and_the_oldest_goes() {
        let mut sessions = Sessions::default();
        let first = sessions.of(None).1.unwrap();
        for _ in 0..SESSIONS_MAX {
            sessions.of(None);
        }
        assert_eq!(sessions.sessions.len(), SESSIONS_MAX);
        assert!(sessions.of(Some(cookie(&first))).1.is_some());
    }

    #[test]
    fn a_basket_counts_to_its_bound_and_an_order_empties_it() {
        let mut session = Session::default();
        let (lamp, cup) = (&PRODUCTS[0], &PRODUCTS[4]);
        assert!(session.add(lamp) && session.add(cup) && session.add(lamp));
        assert_eq!((session.pieces(), session.total_cents()), (3, 10_490));
        assert!(session.remove(cup) && !session.remove(cup));
        for _ in 2..PIECES_MAX {
            assert!(session.add(lamp));
        }
        assert!(!session.add(lamp));
        let order = session.order(1_001).unwrap();
        assert_eq!((order.pieces, session.pieces()), (PIECES_MAX, 0));
        assert_eq!(session.order(1_002), None);
        assert_eq!(session.order_of(1_001), Some(order));
        for number in 0..=ORDERS_MAX as u64 {
            session.add(cup);
            session.order(2_000 + number);
        }
        assert_eq!(session.order_of(1_001), None);
    }
}
