//! What is sent to each provider, and what is read from everything that it may answer.

mod any;
mod gemini;
mod google;
mod openai;
mod planners;
mod rekognition;
mod shared;
mod workers_ai;
