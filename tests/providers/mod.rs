//! What is sent to each provider, and what is read from everything that it may answer.

mod any;
mod commons;
mod gemini;
mod google;
mod rekognition;
mod shared;
