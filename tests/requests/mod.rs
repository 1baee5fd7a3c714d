//! Which questions are accepted, from an address and from a body, and how others are refused.

mod body;
mod heavy;
mod meant_and_money;
mod names;
mod numbers;
mod options;
mod parts;
mod query;
mod question;
mod refusals;
