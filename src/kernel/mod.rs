//! What every engine shares: an outbox, allowances, time as a value. Knows no engine.

mod allowance;
mod outbox;
mod time;

pub use allowance::Allowance;
pub use outbox::Outbox;
pub use time::Millis;
