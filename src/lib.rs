//! Visual Degrees finds a chain of people between two public figures, each two neighbours proven
//! by a photo in which both were recognised, and streams the search as it happens.
//!
//! The rooms, from the inside out; `tests/rooms` checks that imports follow these arrows:
//!
//! | room | what lives there | may use |
//! |---|---|---|
//! | [`domain`] | people, photos, sightings, edges, the evidence graph, limits | nothing |
//! | [`kernel`] | what every engine shares: outbox, allowances, time as a value | domain |
//! | [`investigation`] | the pure machine S0 to S7 | kernel, domain |
//! | [`providers`] | request builders and response readers | domain |
//! | [`events`] | notices to wire events to server-sent bytes | domain, kernel, investigation |
//! | [`store`] | keys and stored documents | domain, kernel, investigation, events |
//! | [`journal`] | what was asked, answered and told, to go on after a crash and to replay | domain, kernel, investigation, events |
//! | [`sealed`] | a run as one file that anyone can check, and its replay | domain, events, investigation, journal, store |
//! | [`session`] | parses a request, conducts a run | all above |
//! | `edge` | the Worker itself, the only room that knows the platform | session and all above |
//! | `rehearsal` | the machine against a world in memory (feature `sandbox`) | sandbox and all above |
//! | `sandbox` | the stand-in world (feature `sandbox`, never in the Worker) | nothing |

// Tests compare exact numbers on purpose and count small things.
#![cfg_attr(
    test,
    allow(
        clippy::cast_possible_truncation,
        clippy::float_cmp,
        clippy::needless_pass_by_value
    )
)]

pub mod collage;
pub mod domain;
pub mod events;
pub mod investigation;
pub mod journal;
pub mod kernel;
pub mod providers;
pub mod sealed;
pub mod session;
pub mod store;

#[cfg(all(target_arch = "wasm32", feature = "edge"))]
pub mod edge;

#[cfg(feature = "sandbox")]
pub mod rehearsal;
#[cfg(feature = "sandbox")]
pub mod sandbox;
