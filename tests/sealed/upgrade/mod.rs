//! Runs begun by 0.3.0, with its files: this version resumes, shows, replays or refuses them, according to
//! `docs/operation.md` (After an upgrade).

mod refused;
mod replayed;
mod resumed;
mod shown;
mod stored;
