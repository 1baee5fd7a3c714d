//! The image hosts: photos, thumbnails, and the pages that show them.

mod caption;
mod caption_forms;
mod described;
mod faults;
mod files;
mod hosts;
mod proxies;
mod spellings;

pub(crate) use caption::{caption, escaped, file_caption, literal_engine, named};
pub(crate) use described::described;
#[cfg(test)]
pub(crate) use faults::image_fault;
pub(crate) use faults::{ImageFault, OVERSIZE_BYTES};
pub(crate) use files::{drawn, missing, padded};
pub(crate) use hosts::{answer, faulty, page, photo_asked_for};
pub(crate) use proxies::{brave_copy, is_proxied, openverse_copy, openverse_id};
