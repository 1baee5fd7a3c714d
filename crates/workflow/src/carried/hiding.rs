//! The one place where a workflow's answers lose the secrets with which its servers are asked, before anything is told
//! or kept of them.

use mask::Mask;

use crate::machine::{
    Answer, AutomateEnd, Block, ChildEnd, ChildFailure, Outcome, ToolFailure, ToolResult,
};

/// The most characters that are told of what a server says of a failure.
const WORDS_CHARS_MAX: usize = 2_000;

/// Takes the secrets out of every text of an answer.
pub(super) fn hide_in_answer(mask: &Mask, answer: &mut Answer) {
    match &mut answer.outcome {
        Outcome::Called(Ok(result)) => hide_in_result(mask, result),
        Outcome::Called(Err(failure)) | Outcome::Listed(Err(failure)) => {
            let (ToolFailure::Refused(says)
            | ToolFailure::NotSent(says)
            | ToolFailure::UnknownOutcome(says)) = failure;
            mask.shorten([says], WORDS_CHARS_MAX, "");
        }
        Outcome::Listed(Ok(tools)) => {
            for tool in tools {
                mask.hide_in([&mut tool.name, &mut tool.description]);
                mask.hide_in_json(&mut tool.schema);
            }
        }
        Outcome::Chatted(result) => mask.hide_in_reply(result),
        Outcome::Investigated(Ok(ChildEnd { path, message, .. })) => {
            mask.hide_in(path.iter_mut().chain([message]));
        }
        Outcome::Automated(Ok(AutomateEnd { value, message, .. })) => {
            mask.hide_in_json(value);
            mask.hide_in([message]);
        }
        Outcome::Investigated(Err(ChildFailure { message, .. }))
        | Outcome::Automated(Err(ChildFailure { message, .. })) => mask.hide_in([message]),
        Outcome::Waited => {}
    }
    mask.hide_in(&mut answer.remarks);
}

fn hide_in_result(mask: &Mask, result: &mut ToolResult) {
    let texts = result.blocks.iter_mut().filter_map(|block| match block {
        Block::Text(text) => Some(text),
        _ => None,
    });
    mask.hide_in(texts);
    for block in &mut result.blocks {
        if let Block::Other(value) = block {
            mask.hide_in_json(value);
        }
    }
    if let Some(structured) = &mut result.structured {
        mask.hide_in_json(structured);
    }
}
