//! Stored forms that the outcomes of several engines have in common, in JSON and back without loss.

mod failure_form;
mod reply_form;
mod result_form;

pub use failure_form::FailureForm;
pub use reply_form::ReplyForm;
pub use result_form::ResultForm;
