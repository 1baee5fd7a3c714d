//! The pages of the shop as trees of elements, in the form of the original.

mod layout;
mod odd_pages;
mod shop_pages;
mod view;

pub(super) use layout::document;
pub(super) use odd_pages::{STOCK_MS, arrivals, prize, reviews, sale, stock};
pub(super) use shop_pages::{
    basket, done, done_words, home, log_in, missing, order, product, products, refused, search,
};
pub(super) use view::{Content, View};
