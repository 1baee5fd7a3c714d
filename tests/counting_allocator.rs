//! Counts the memory allocated by a thread, so that a test can bound a call's memory.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static HELD_BYTES: Cell<isize> = const { Cell::new(0) };
    static MOST_BYTES: Cell<isize> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count(bytes: isize) {
    // A thread that is ending has no counter any more.
    let _ = HELD_BYTES.try_with(|held| {
        held.set(held.get() + bytes);
        let _ = MOST_BYTES.try_with(|most| most.set(most.get().max(held.get())));
    });
}

// SAFETY: everything is delegated to the system's allocator; counting allocates nothing.
#[allow(unsafe_code)]
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed());
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed());
        unsafe { System.dealloc(pointer, layout) }
    }

    // Both blocks are held for a moment, as if the block had to be moved.
    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed());
        let moved = unsafe { System.realloc(pointer, layout, size) };
        count(-layout.size().cast_signed());
        moved
    }
}

/// Returns the result of a call, and the most bytes it held beyond those held before.
pub fn most_held<T>(call: impl FnOnce() -> T) -> (T, usize) {
    let before = HELD_BYTES.get();
    MOST_BYTES.set(before);
    let given = call();
    let most = MOST_BYTES.get() - before;
    (given, usize::try_from(most).unwrap_or_default())
}

#[test]
fn what_is_held_is_counted() {
    let (kept, most) = most_held(|| {
        drop(vec![0u8; 1_000_000]);
        vec![0u8; 10]
    });
    assert_eq!(kept.len(), 10);
    assert!((1_000_000..1_100_000).contains(&most), "{most}");
}
