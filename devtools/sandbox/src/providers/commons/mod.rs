//! Wikimedia Commons: the search for files, and the files themselves.

mod faults;
mod file;
mod file_host;
mod file_pages;
mod image_info;
mod metadata;
mod search;
mod subject;
mod templates;

pub(crate) use faults::{
    CommonsFault, FileHostFault, file_reply as file_fault_reply, reply as fault_reply,
};
pub(crate) use file_host::{answer as file_answer, photo_asked_for};
pub(crate) use file_pages::FilePages;
pub(crate) use search::answer;
