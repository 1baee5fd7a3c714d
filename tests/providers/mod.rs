//! What is sent to each provider, and how all its answers are parsed.

mod any;
mod brave;
mod commons;
mod commons_replies;
mod gemini;
mod google;
mod heavy;
mod openai;
mod openai_limits;
mod openverse;
mod pages;
mod planners;
mod references;
mod rekognition;
mod search_table;
mod searches;
mod serpapi;
mod serper;
mod shapes;
mod shared;
mod wikidata;
mod workers_ai;
