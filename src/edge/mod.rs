//! The Worker: the only room that knows the platform.
//!
//! The fetch handler parses a request and hands it to the run's own Durable Object, which conducts
//! the machine and streams. KV holds the run's documents for records and shared links.

mod description;
mod diary;
mod events;
mod handlers;
mod object;
mod platform;
mod records;
mod replies;
mod shelf;
mod starting;
mod transport;
mod waking;

use worker::{Context, Env, Request, Response, Result, event};

use crate::session::{Problem, Settings};

/// The KV namespace's binding.
const KV_BINDING: &str = "KV";
/// The run objects' binding.
const RUNS_BINDING: &str = "RUNS";
/// The static files' binding.
const ASSETS_BINDING: &str = "ASSETS";

/// A panic is told in the log before the isolate is made anew.
#[event(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Every request of the Worker.
#[event(fetch)]
async fn fetch(request: Request, env: Env, _context: Context) -> Result<Response> {
    match handlers::handle(request, &env).await {
        Ok(response) => Ok(response),
        Err(error) => {
            worker::console_error!("a request failed: {error}");
            replies::problem(&Problem::new(500, "Something went wrong here; try again."))
        }
    }
}

/// The operator's settings, from variables and secrets alike.
fn settings(env: &Env) -> Settings {
    Settings::read(|name| env.var(name).ok().map(|value| value.to_string()))
}
