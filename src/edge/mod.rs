//! The Worker: the only module that knows the platform.
//!
//! The fetch handler parses a request and hands it to the run's own Durable Object, which conducts
//! the machine and streams. KV holds the run's documents for records and shared links.

mod ai_binding;
mod alarm;
mod artifact_table;
mod atlas;
mod atlas_reading;
mod browsers;
mod budget;
mod budget_object;
mod call_watching;
mod chains;
mod child_runs;
mod clock;
mod deletion;
mod description;
mod devtools;
mod digest;
mod door;
mod environment;
mod event_table;
mod fencing;
mod fork_source;
mod handlers;
mod health;
mod idempotency_keys;
mod images_binding;
mod incoming;
mod journal_table;
mod json_table;
mod live_run;
mod memory;
mod object;
mod page;
mod people;
mod photo_database;
mod platform;
mod records;
mod remembered_photos;
mod replies;
mod run_beginning;
mod run_creation;
mod run_documents;
mod run_keys;
mod run_log;
mod run_objects;
mod sealing;
mod settling;
mod stored_documents;
mod tombstones;
mod tool_calls;
mod tool_list;
mod tool_server;
mod tool_sessions;
mod trace_archive;
mod transport;
mod viewing;
mod worker_network;

use worker::{Context, Env, Request, Response, Result, event};

use engine::Problem;

/// Has a panic written into the log before the isolate is made anew.
#[event(start)]
fn start() {
    console_error_panic_hook::set_once();
}

/// Answers every request of the Worker.
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
