//! Tells how much memory the program has in this isolate.

/// The size of a page of WebAssembly's memory.
const PAGE_BYTES: u64 = 65_536;

/// Returns the bytes of the program's memory. It grows and never shrinks, so this is the most that
/// was needed at once.
pub(super) fn bytes() -> u64 {
    let pages = core::arch::wasm32::memory_size(0);
    u64::try_from(pages).unwrap_or_default() * PAGE_BYTES
}
