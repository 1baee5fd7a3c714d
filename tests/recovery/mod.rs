//! Interrupted runs, and failing stores and providers: nothing paid is lost, nothing is paid twice, and viewers learn
//! the truth.

mod captures;
mod crashes;
mod example;
mod failures;
mod faults;
mod forgetting;
mod invariants;
mod poisoned;
mod races;
mod remembered;
mod remembered_searches;
mod shown;
mod viewers;
