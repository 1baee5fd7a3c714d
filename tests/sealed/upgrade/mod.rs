//! Runs that 0.3.0 began, with the files that it wrote: this version resumes, shows, replays or refuses
//! them, as `docs/operation.md` says (After an upgrade).

mod refused;
mod replayed;
mod resumed;
mod shown;
mod stored;
