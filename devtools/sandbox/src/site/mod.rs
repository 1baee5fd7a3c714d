//! A web site for automata: a shop with log-in, search, list, detail, basket and order, and pages that are slow,
//! moving, deceptive or covered.
//!
//! Each path `/site/v0/` to `/site/v5/` is the same shop in another variant; `/site/shop/` is the published variant.
//! `PUT /site/published` publishes another variant, as a release does. `GET /site/log` lists everything done in the
//! shop, in order; `DELETE` resets the shop.
//!
//! `/site/letter/` is a page whose parts are in a shadow tree and in a frame.
//!
//! The pages of `hostile` do what no page should. They also try to reach the same server under its other name. There
//! the canary records these attempts; `GET /site/canary` returns the record.

mod action_log;
mod address;
mod canary;
mod catalogue;
mod deeds;
mod hostile;
mod html;
mod letter;
mod looks;
mod sessions;
mod variant;
mod views;
mod web_site;
mod words;

pub(crate) use web_site::WebSite;
