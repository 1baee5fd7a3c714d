//! Our signatures compared with known answers, AWS's own suite, and a verifier that shares no code.

mod aws_suite;
mod known_answers;
mod secrets;
mod signer;
mod verifier;
