//! Runs that are interrupted, and stores and providers that fail: nothing paid is lost, nothing is
//! paid twice, and the viewer is told the truth.

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
