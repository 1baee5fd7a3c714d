//! Wikimedia Commons: the search for files, and the files themselves.

mod faults;
mod file;
mod file_host;
mod image_info;
mod metadata;
mod search;
mod subject;

pub(in crate::sandbox) use faults::{
    CommonsFault, FileHostFault, file_reply as file_fault_reply, reply as fault_reply,
};
pub(in crate::sandbox) use file_host::{answer as file_answer, photo_asked_for};
pub(in crate::sandbox) use search::answer;
