//! The sandbox as a function from requests to replies, over all providers.

use std::collections::BTreeMap;
use std::sync::Arc;

use http::header::ACCESS_CONTROL_ALLOW_ORIGIN;
use http::{Method, Request};
use serde_json::{Value, json};

use super::call_log::{CallLog, RecordedCall};
use super::fault_plan::ProviderFault;
use super::mcp::ToolServers;
use super::options::{SandboxOptions, SearchEngine};
use super::providers::rekognition::RateLimit;
use super::providers::turnstile::TurnstileDesk;
use super::providers::{
    CommonFault, FilePages, ModelHabit, ParsedRequest, ProviderContext, Reply, SandboxProvider,
    SandboxRoute, brave, common_fault_reply, commons, gemini, google, images, mediawiki, openai,
    openverse, references, rekognition, serpapi, serper, wikidata, workers_ai,
};
use super::site::WebSite;
use super::world::{LiteralEngine, World};

/// The sandbox: all providers over one world.
///
/// Each request comes with its time of arrival, in milliseconds since 1970. The reply states how long to wait before it
/// is sent. There is no other input, so equal requests at equal times have equal replies.
#[derive(Clone, Debug)]
pub struct Sandbox {
    world: World,
    options: SandboxOptions,
    literal: Option<LiteralEngine>,
    file_pages: Arc<FilePages>,
    calls: CallLog,
    counts: BTreeMap<SandboxProvider, u64>,
    rate_limit: Option<RateLimit>,
    turnstile: TurnstileDesk,
    tools: ToolServers,
    site: WebSite,
    example: Option<(String, String)>,
}

impl Sandbox {
    /// Makes a sandbox that has not been called yet.
    #[must_use]
    pub fn new(world: World, options: SandboxOptions) -> Self {
        let example = world.example();
        Self::unasked(world, options, example, Arc::default())
    }

    /// Makes a sandbox with the same world and other options, which has not been called yet.
    #[must_use]
    pub fn unasked_with(&self, options: SandboxOptions) -> Self {
        let pages = if self.options.writes_pages_as(&options) {
            Arc::clone(&self.file_pages)
        } else {
            Arc::default()
        };
        Self::unasked(self.world.clone(), options, self.example.clone(), pages)
    }

    fn unasked(
        world: World,
        options: SandboxOptions,
        example: Option<(String, String)>,
        file_pages: Arc<FilePages>,
    ) -> Self {
        let is_literal = options.engine == SearchEngine::Literal;
        let context = context(&world, &options, None, &file_pages);
        let literal = is_literal.then(|| images::literal_engine(context));
        Self {
            world,
            literal,
            file_pages,
            rate_limit: options.recognitions_per_second_max.map(RateLimit::new),
            site: WebSite::new(
                &options.credentials.site_user,
                &options.credentials.site_password,
            ),
            options,
            turnstile: TurnstileDesk::default(),
            tools: ToolServers::default(),
            calls: CallLog::default(),
            counts: BTreeMap::new(),
            example,
        }
    }

    /// Returns the world from which all providers answer.
    #[must_use]
    pub fn world(&self) -> &World {
        &self.world
    }

    /// Returns the options of the sandbox.
    #[must_use]
    pub fn options(&self) -> &SandboxOptions {
        &self.options
    }

    /// Returns the names of [`World::example`], which was computed when the sandbox was made.
    #[must_use]
    pub fn example(&self) -> Option<&(String, String)> {
        self.example.as_ref()
    }

    /// Returns the latest calls, the oldest first.
    pub fn calls(&self) -> impl Iterator<Item = &RecordedCall> {
        self.calls.rows()
    }

    /// Responds to a request that arrives at `now_ms`.
    pub fn respond(&mut self, request: Request<Vec<u8>>, now_ms: u64) -> Reply {
        let request = ParsedRequest::from(request);
        let reply = match request.route() {
            SandboxRoute::Provider(provider) => self.serve(provider, &request, now_ms),
            SandboxRoute::Page(photo) => images::page(self.context(), photo),
            SandboxRoute::Calls if request.method == Method::DELETE => {
                self.calls.clear();
                Reply::json(200, &json!([]))
            }
            SandboxRoute::Calls => Reply::json(200, &json!(self.calls().collect::<Vec<_>>())),
            SandboxRoute::Turnstile => self.turnstile.answer(&request, now_ms),
            SandboxRoute::Tools => self.tools.answer(&request),
            SandboxRoute::Site => self.site.answer(&request, now_ms),
            SandboxRoute::Health => Reply::json(200, &self.health()),
            SandboxRoute::Preflight => Reply::new(204, "text/plain", Vec::new())
                .with(ACCESS_CONTROL_ALLOW_ORIGIN, "*")
                .with_named(
                    "access-control-allow-methods",
                    "GET, HEAD, POST, DELETE, OPTIONS",
                )
                .with_named("access-control-allow-headers", "*"),
            SandboxRoute::Unknown => Reply::json(
                404,
                &json!({"error": {"code": 404,
                "message": format!("The sandbox has no {} {}.", request.method, request.path)}}),
            ),
        };
        if request.method == Method::HEAD {
            reply.head_only()
        } else {
            reply
        }
    }

    fn health(&self) -> Value {
        let example = self.example.as_ref().map(|(a, b)| json!({"a": a, "b": b}));
        json!({
            "status": "ok", "world": self.world.name, "people": self.world.people.len(),
            "photos": self.world.photos.len(), "example": example,
        })
    }

    fn serve(&mut self, provider: SandboxProvider, request: &ParsedRequest, now_ms: u64) -> Reply {
        let count = self.counts.entry(provider).or_insert(0);
        *count += 1;
        let fault = self.options.faults.at(provider, *count);
        let key = key_of(provider, request);
        let reply = match fault {
            None => self.answer(provider, request, now_ms),
            Some(fault) => self.fail(fault, provider, request, now_ms),
        };
        let reply = reply.later(self.options.latency.of(provider));
        let silent = fault == Some(ProviderFault::Common(CommonFault::Hang));
        let status = if silent {
            0
        } else {
            reply.response.status().as_u16()
        };
        self.calls.record(provider, key, status);
        reply
    }

    fn context(&self) -> ProviderContext<'_> {
        context(
            &self.world,
            &self.options,
            self.literal.as_ref(),
            &self.file_pages,
        )
    }

    fn answer(&mut self, provider: SandboxProvider, request: &ParsedRequest, now_ms: u64) -> Reply {
        self.answer_with(provider, request, now_ms, self.options.model_habit)
    }

    fn answer_with(
        &mut self,
        provider: SandboxProvider,
        request: &ParsedRequest,
        now_ms: u64,
        model_habit: Option<ModelHabit>,
    ) -> Reply {
        let context = ProviderContext {
            model_habit,
            ..context(
                &self.world,
                &self.options,
                self.literal.as_ref(),
                &self.file_pages,
            )
        };
        match provider {
            SandboxProvider::Google => google::answer(context, request),
            SandboxProvider::Image if request.path.starts_with("/commons/") => {
                commons::file_answer(context, request)
            }
            SandboxProvider::Image => images::answer(context, request),
            SandboxProvider::Rekognition => {
                rekognition::answer(context, self.rate_limit.as_mut(), request, now_ms)
            }
            SandboxProvider::Gemini => gemini::answer(context, request),
            SandboxProvider::WorkersAi => workers_ai::answer(context, request),
            SandboxProvider::OpenAi => openai::answer(context, request),
            SandboxProvider::Commons => commons::answer(context, request),
            SandboxProvider::Brave => brave::answer(context, request),
            SandboxProvider::Openverse => openverse::answer(context, request),
            SandboxProvider::SerpApi => serpapi::answer(context, request),
            SandboxProvider::Serper => serper::answer(context, request),
            SandboxProvider::Wikidata => wikidata::answer(context, request),
            SandboxProvider::References => references::answer(context, request),
        }
    }

    fn fail(
        &mut self,
        fault: ProviderFault,
        provider: SandboxProvider,
        request: &ParsedRequest,
        now_ms: u64,
    ) -> Reply {
        match fault {
            ProviderFault::Common(fault) => {
                common_fault_reply(fault, provider, || self.answer(provider, request, now_ms))
            }
            ProviderFault::Echo(fault) => fault.reply(request),
            ProviderFault::Habit(habit) => self.answer_with(provider, request, now_ms, Some(habit)),
            ProviderFault::Google(fault) => google::fault_reply(fault),
            ProviderFault::Rekognition(fault) => {
                rekognition::fault_reply(fault, &rekognition::request_id(request, now_ms))
            }
            ProviderFault::Gemini(fault) => gemini::fault_reply(self.context(), fault, request),
            ProviderFault::WorkersAi(fault) => {
                workers_ai::fault_reply(self.context(), fault, request)
            }
            ProviderFault::OpenAi(fault) => openai::fault_reply(self.context(), fault, request),
            ProviderFault::Image(fault) => {
                let photo = images::photo_asked_for(&request.path)
                    .or_else(|| commons::photo_asked_for(self.context(), &request.path));
                images::faulty(self.context(), request, photo, fault)
            }
            ProviderFault::FileHost(fault) => commons::file_fault_reply(fault),
            ProviderFault::Commons(fault) => commons::fault_reply(self.context(), fault, request),
            ProviderFault::MediaWiki(fault) => {
                let site = if provider == SandboxProvider::Wikidata {
                    mediawiki::Site::Wikidata
                } else {
                    mediawiki::Site::Commons
                };
                mediawiki::fault_reply(fault, site, request)
            }
            ProviderFault::Brave(fault) => brave::fault_reply(fault),
            ProviderFault::Openverse(fault) => openverse::fault_reply(fault),
            ProviderFault::SerpApi(fault) => serpapi::fault_reply(fault),
            ProviderFault::Serper(fault) => serper::fault_reply(fault),
            ProviderFault::References(fault) => references::fault_reply(fault),
        }
    }
}

fn context<'sandbox>(
    world: &'sandbox World,
    options: &'sandbox SandboxOptions,
    literal: Option<&'sandbox LiteralEngine>,
    file_pages: &'sandbox FilePages,
) -> ProviderContext<'sandbox> {
    ProviderContext {
        world,
        rules: options.rules,
        literal,
        file_pages,
        captions: options.captions,
        lies: options.lies,
        lists: options.lists,
        webp: options.webp,
        injected: options.injected,
        origin: &options.origin,
        credentials: &options.credentials,
        bad_images: options.bad_images,
        magnification: options.magnification,
        model_habit: options.model_habit,
    }
}

/// Returns the key under which the call log counts a call.
fn key_of(provider: SandboxProvider, request: &ParsedRequest) -> String {
    match provider {
        SandboxProvider::Google
        | SandboxProvider::Brave
        | SandboxProvider::Openverse
        | SandboxProvider::SerpApi => request.parameter("q").unwrap_or_default().to_owned(),
        SandboxProvider::Commons => {
            let text = request.parameter("gsrsearch");
            text.unwrap_or_default().to_owned()
        }
        SandboxProvider::Serper => serper::query_of(request),
        SandboxProvider::Wikidata => wikidata::query_of(request),
        SandboxProvider::Image => request.address(),
        SandboxProvider::Rekognition => rekognition::image_digest(request),
        SandboxProvider::References => references::photo_digest(request),
        SandboxProvider::Gemini | SandboxProvider::WorkersAi | SandboxProvider::OpenAi => {
            rekognition::sigv4::sha256_hex(&request.body)
        }
    }
}

#[cfg(test)]
mod tests;
