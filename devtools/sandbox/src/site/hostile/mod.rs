//! 300 hostile pages, generated from their numbers: `/site/hostile/0` to `/site/hostile/299`. Each has an honest
//! target, a field and the button "Continue", and the hostile behaviour of its kinds. `GET /site/hostile` lists the
//! kinds of each page.

mod answers;
mod burdens;
mod copies;
mod dialogs;
mod fakes;
mod ground;
mod hostility;
mod kinds;
mod leaks;
mod leaving;
mod nested;
mod orders;
mod page;
mod windows;

pub(super) use answers::{HostilePart, list};
