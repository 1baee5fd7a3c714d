//! The role of the planner, and the providers that play it.

use std::fmt;
use std::rc::Rc;

use domain::chat::{ChatQuestion, ChatReply};
use domain::{Failure, PlanAnswer, PlanQuestion};
use platform::{WireRequest, WireResponse};

use crate::chat::Images;
use crate::gemini::{self, GeminiSettings};
use crate::openai::{self, OpenAiSettings};
use crate::planning::Usage;
use crate::workers_ai::{self, WorkersAiBinding, WorkersAiSettings};
use crate::{gemini_chat, openai_chat, workers_ai_chat};

/// A language model that says whom to try next.
pub trait Planner: fmt::Debug {
    /// Returns the id under which the provider is set, stored and metered: `gemini`.
    fn id(&self) -> &'static str;

    /// Returns the name under which people know the provider.
    fn name(&self) -> &'static str;

    /// Asks whom to try next.
    fn request(&self, question: &PlanQuestion) -> Result<WireRequest, Failure>;

    /// Reads the plan and its usage, which is returned also where the plan cannot be read.
    fn read(&self, response: &WireResponse) -> (Result<PlanAnswer, Failure>, Usage);

    /// Asks for the next turn of a conversation in which tools may be called.
    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure>;

    /// Reads that turn and its usage, which is returned also where the turn cannot be read.
    fn read_chat(
        &self,
        question: &ChatQuestion,
        response: &WireResponse,
    ) -> (Result<ChatReply, Failure>, Usage);

    /// Returns the planner with another model of its service.
    fn with_model(&self, model: &str) -> Rc<dyn Planner>;

    /// Returns what the operator should know of the model, as a sentence, if there is anything.
    fn remark(&self) -> Option<String> {
        None
    }

    /// Asks next to nothing, to see whether it works.
    fn probe(&self) -> Result<WireRequest, Failure>;

    /// Reads the answer to [`Self::probe`]: any text will do.
    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure>;
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

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        gemini_chat::request(self, question, images)
    }

    fn read_chat(
        &self,
        question: &ChatQuestion,
        response: &WireResponse,
    ) -> (Result<ChatReply, Failure>, Usage) {
        gemini_chat::read(question, response, &self.model)
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
            ..self.clone()
        })
    }

    fn remark(&self) -> Option<String> {
        let (model, answers) = (&self.model, gemini::replacement(&self.model)?);
        Some(format!(
            "From 2026-12-01 on Google answers with {answers} where {model} is asked for, and bills that: \
             name {answers} in the setting, or another model."
        ))
    }

    fn probe(&self) -> Result<WireRequest, Failure> {
        gemini::probe(self)
    }

    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        gemini::read_probe(response)
    }
}

impl Planner for OpenAiSettings {
    fn id(&self) -> &'static str {
        "openai"
    }

    fn name(&self) -> &'static str {
        "The OpenAI-compatible model"
    }

    fn request(&self, question: &PlanQuestion) -> Result<WireRequest, Failure> {
        openai::request(self, question)
    }

    fn read(&self, response: &WireResponse) -> (Result<PlanAnswer, Failure>, Usage) {
        openai::read(response)
    }

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        openai_chat::request(self, question, images)
    }

    fn read_chat(
        &self,
        question: &ChatQuestion,
        response: &WireResponse,
    ) -> (Result<ChatReply, Failure>, Usage) {
        openai_chat::read(question, response, &self.model)
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
            ..self.clone()
        })
    }

    fn probe(&self) -> Result<WireRequest, Failure> {
        openai::probe(self)
    }

    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        openai::read_probe(response)
    }
}

impl Planner for WorkersAiSettings {
    fn id(&self) -> &'static str {
        "workers-ai"
    }

    fn name(&self) -> &'static str {
        "Workers AI"
    }

    fn request(&self, question: &PlanQuestion) -> Result<WireRequest, Failure> {
        workers_ai::request(self, question)
    }

    fn read(&self, response: &WireResponse) -> (Result<PlanAnswer, Failure>, Usage) {
        workers_ai::read(response)
    }

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        workers_ai_chat::request(self, question, images)
    }

    fn read_chat(
        &self,
        question: &ChatQuestion,
        response: &WireResponse,
    ) -> (Result<ChatReply, Failure>, Usage) {
        workers_ai_chat::read(question, response, &self.model)
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
            ..self.clone()
        })
    }

    fn probe(&self) -> Result<WireRequest, Failure> {
        workers_ai::probe(self)
    }

    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        workers_ai::read_probe(response)
    }
}

impl Planner for WorkersAiBinding {
    fn id(&self) -> &'static str {
        "workers-ai"
    }

    fn name(&self) -> &'static str {
        "Workers AI"
    }

    fn request(&self, question: &PlanQuestion) -> Result<WireRequest, Failure> {
        self.run(workers_ai::inputs(question))
    }

    fn read(&self, response: &WireResponse) -> (Result<PlanAnswer, Failure>, Usage) {
        workers_ai::read(response)
    }

    fn chat(&self, question: &ChatQuestion, images: &Images) -> Result<WireRequest, Failure> {
        self.run(workers_ai_chat::inputs(question, images)?)
    }

    fn read_chat(
        &self,
        question: &ChatQuestion,
        response: &WireResponse,
    ) -> (Result<ChatReply, Failure>, Usage) {
        workers_ai_chat::read(question, response, &self.model)
    }

    fn with_model(&self, model: &str) -> Rc<dyn Planner> {
        Rc::new(Self {
            model: model.to_owned(),
        })
    }

    fn probe(&self) -> Result<WireRequest, Failure> {
        self.run(workers_ai::probe_inputs())
    }

    fn read_probe(&self, response: &WireResponse) -> Result<(), Failure> {
        workers_ai::read_probe(response)
    }
}
