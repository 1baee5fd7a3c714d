//! The veto on drawn pictures: collages are rejected, genuine photos are not.
//!
//! The table of all kinds, and the milliseconds for a megapixel:
//! `cargo test --release --test all -- --ignored --nocapture table`, and
//! the same with `milliseconds`. The table's environment variables: `COUNT` pictures of each kind
//! (40 if not given, about a minute; 200 for the whole table), from seed `FROM` on (0), of the
//! kinds with `KIND` in their names (all), as `Inset` or `Honest`.

mod encodings;
mod figures;
mod files;
mod kinds;
mod pictures;
