//! The second engine: graphs, walks, tasks.

mod ai_step;
mod cases;
mod checks;
mod comparing;
mod dialects;
mod limits;
mod reading;
mod recorded;
mod resolution;
mod resumed;
mod sizes;
pub mod table;
mod transcripts;
