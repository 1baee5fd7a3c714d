//! Whole worlds: what the benchmark of chains measures, and what each plan connects in the
//! project's own world.

mod figures;
mod own_world;
