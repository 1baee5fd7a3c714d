//! Parses a request and conducts a run: the machine's commands are carried out here, by whatever
//! [`Effects`] the platform gives.

mod ask_once;
mod byte_semaphore;
mod calls;
mod child_runs;
mod collage_check;
mod conductor;
mod creator;
mod daily_budget;
mod doctor;
mod effects;
mod idempotency;
mod identifiers;
mod notify;
mod pace;
mod paces;
mod page_head;
mod page_words;
mod people;
mod photo_pool;
mod publication;
mod request;
mod run_object;
mod run_summary;
mod run_trace;
mod settings;
mod stream;
mod tools;
mod turnstile;
mod workflow_effects;
mod workflow_request;

pub use calls::{IMAGE_SIDE_PIXELS_MIN, REDIRECTS_MAX, check_photo};
pub use collage_check::collage_veto;
pub use conductor::{ConductOutcome, RecordLimits, SavedRun, conduct, conduct_workflow};
pub use creator::{
    CreatorKey, CreatorsAction, Requester, check_creator, creators_only, run_secret,
};
pub use daily_budget::{
    Amount, BudgetCall, BudgetReport, Claim, DailyBudget, DueReservation, GRANT_MS_MAX, Quantity,
    Refusal, Release, ReserveAnswer, RunAccount, Settlement, client_digest,
};
pub use doctor::{Diagnosis, diagnose};
pub use effects::{Effects, IncomingBody, Network, TransportError, WriteError};
pub use idempotency::{IdempotencyKey, KeyAnswer, KeyClaim, KeyRecord, KeyUse};
pub use identifiers::{EventId, RunToken, TokenError};
pub use paces::Paces;
pub use page_head::with_head;
pub use page_words::PageWords;
pub use people::{SuggestionPace, people_text, suggest_people};
pub use photo_pool::{HeldPhoto, IMAGE_BYTES_MAX, PhotoPool};
pub use publication::{ChainMeta, Publication, PublishedFile, check_publishable};
pub use request::{
    Absence, BODY_BYTES_MAX, Caller, CreateRequest, FailedTokens, ForkRequest, Problem,
    ResponseFormat, Route, RunRequest, allowed_reader, check_start_headers, client_of, is_json,
    is_operator, is_prefetch, is_reading, is_robot, may_ask, may_look_deep, may_replay, may_start,
    may_store, no_such_address, no_such_chain, no_such_run, run_is_over, security_headers,
    workflow_name,
};
pub use run_object::{
    ArtifactFrame, ChildDeletion, CreateAnswer, Creation, DeletedRun, DeletionCount, Fork,
    ForkSource, HeldBudget, LiveRunCall, Opening, Remainder, RunObjectCall, Starter, children_of,
    opening, spent_of,
};
pub use run_summary::{ResourceUsage, RunSummary, Unended};
pub use run_trace::{TRACE_CONTENT_TYPE, trace_archive, workflow_record};
pub use settings::{
    Access, AddressError, AddressPolicy, Caps, OwnHost, OwnNames, PricedPlanner, PricedRecogniser,
    PricedSearch, Providers, Settings, StartLimits, TurnstileSettings, WorkflowAccess,
    host_and_port,
};
pub use stream::{EventLog, StopSwitch};
pub use tools::converse;
pub use turnstile::{Visitor, check_visitor};
pub use workflow_effects::{ChildRefusal, WorkflowEffects};
pub use workflow_request::{
    WORKFLOW_BODY_BYTES_MAX, WantedGraph, WorkflowFork, WorkflowRequest, check_stored_workflow,
    is_about_workflow, may_start_workflow,
};
