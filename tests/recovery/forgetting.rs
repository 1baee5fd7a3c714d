//! When a recalled photo counts as failed, so that it is forgotten after three days: if it is deleted or has changed,
//! and never if this server could not process it.

use devtools::in_memory::InMemoryPhotos;
use devtools::rehearsal::ProcessEnd;
use domain::MemoryUse;

use super::example::Example;
use super::remembered::{example, known};

/// Returns the number of photos that failed in a run.
fn failed(example: &Example) -> usize {
    let simulation = example.simulation(Vec::new());
    assert_eq!(simulation.conduct_to_end(), Ok(ProcessEnd::Done));
    let memory = simulation.memory();
    let photos = memory.photos();
    photos
        .filter(|photo| memory.failed_days(&photo.digest) > 0)
        .count()
}

#[test]
fn a_photo_fails_where_it_is_gone_or_another_and_not_where_we_do() {
    let memory = known(usize::MAX);
    for memory_use in [MemoryUse::On, MemoryUse::Shown] {
        let mut wrong = Vec::new();
        for (fault, expected) in [
            ("not-found", true),
            ("gone-410", true),
            ("raw-link", true),
            ("html", true),
            ("redirect-html", true),
            ("truncated", true),
            ("tiny", true),
            ("zero-bytes", true),
            ("gif", true),
            ("avif", true),
            ("webp", true),
            ("forbidden", false),
            ("forbidden-hotlink", false),
            ("oversize", false),
            ("oversize-declared", false),
            ("slow-drip", false),
            ("redirect", false),
            ("redirect-maze", false),
        ] {
            let mut example = example(memory.clone());
            example.request.limits.memory = memory_use;
            example.image_fault = Some(fault);
            let failed = failed(&example);
            if (failed > 0) != expected {
                wrong.push(format!("{fault}: {failed} photos failed"));
            }
        }
        assert!(wrong.is_empty(), "{memory_use:?}: {wrong:?}");
    }
}

#[test]
fn a_photo_that_was_converted_once_is_not_forgotten_where_nothing_converts_any_more() {
    let mut example = example(InMemoryPhotos::default());
    example.converts = true;
    example.request.limits.converts_photos = true;
    let simulation = example.simulation(Vec::new());
    assert_eq!(simulation.conduct_to_end(), Ok(ProcessEnd::Done));
    let mut memory = InMemoryPhotos::default();
    let kept = simulation.memory();
    memory.remember(
        (kept.photos().cloned())
            .map(|mut photo| {
                photo.answer.at_ms -= 86_400_000;
                photo
            })
            .collect(),
    );
    assert!(!memory.is_empty());
    example.memory = Some(memory);
    example.converts = false;
    example.request.limits.converts_photos = false;
    example.image_fault = Some("oversize-declared");
    assert_eq!(failed(&example), 0);
}
