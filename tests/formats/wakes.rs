//! What a journal reveals about processes that ended.

use engine::journal::{rebuild, wakes_without_answer};
use investigation::machine::Input;
use kernel::{CommandId, Millis};

use crate::search_forms::Entry;

use super::journal::{answer_entry, entries, search};

#[test]
fn an_answer_that_was_read_when_the_process_ended_is_known() {
    let woken = Entry::Woken { now: 1 };
    let start = Entry::input(&Input::Start, Millis(1));
    let intent = Entry::intent(CommandId(1), 1, &search(), 0);
    let reading = Entry::Reading {
        command: CommandId(1),
    };
    let ended = |list: &[&Entry]| {
        let list: Vec<Entry> = list.iter().copied().cloned().collect();
        let rebuilt = rebuild(entries(&list)).unwrap();
        let suspects = rebuilt.suspects();
        (suspects.under_way().len(), suspects.ended_a_process().len())
    };
    assert_eq!(ended(&[&start, &intent]), (1, 0));
    assert_eq!(ended(&[&start, &intent, &woken, &reading]), (1, 1));
    assert_eq!(ended(&[&start, &intent, &woken, &reading, &woken]), (1, 1));
    // Anything after it in the same process shows that the process survived.
    let written = Entry::Written { sequence: 1 };
    assert_eq!(
        ended(&[&start, &intent, &reading, &written, &woken]),
        (1, 0)
    );
    let read = Entry::Read {
        command: CommandId(1),
    };
    assert_eq!(ended(&[&start, &intent, &reading, &read]), (1, 0));
    let answered = answer_entry();
    assert_eq!(
        ended(&[&start, &intent, &reading, &answered, &woken]),
        (0, 0)
    );
}

#[test]
fn wakes_count_since_the_last_answer() {
    let woken = Entry::Woken { now: 1 };
    let answered = answer_entry();
    assert_eq!(wakes_without_answer(&[woken.clone(), answered, woken]), 1);
}
