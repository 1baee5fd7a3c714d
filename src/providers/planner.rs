//! The role of the planner, and who plays it.

use std::fmt;

use crate::domain::{Failure, PlanAnswer, PlanQuestion};

use super::gemini::{self, GeminiSettings, Usage};
use super::wire::{WireRequest, WireResponse};

/// A language model that says whom to try next.
pub trait Planner: fmt::Debug {
    /// As it is set, stored and metered: `gemini`.
    fn id(&self) -> &'static str;

    /// As people know it.
    fn name(&self) -> &'static str;

    /// Asks whom to try next.
    fn request(&self, question: &PlanQuestion) -> Result<WireRequest, Failure>;

    /// Reads the plan, and what it used; that is told also of a plan that cannot be read.
    fn read(&self, response: &WireResponse) -> (Result<PlanAnswer, Failure>, Usage);
}

impl Planner for GeminiSettings {
    fn id(&self) -> &'static str {
        "gemini"
    }

    fn name(&self) -> &'static str {
        "Gemini"
    }

    fn request(&self, question: &PlanQuestion) -> Result<WireRequest, Failure> {
        gemini::request(self, question)
    }

    fn read(&self, response: &WireResponse) -> (Result<PlanAnswer, Failure>, Usage) {
        gemini::read(response)
    }
}
