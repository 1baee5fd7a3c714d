//! Starts runs: who may, what is asked for, and under which token.

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use worker::{Request, Result};

use crate::domain::PhotoDigest;
use crate::journal::{Answered, Order};
use crate::session::{
    Asked, BODY_BYTES_MAX, Caller, Creation, Fork, ForkWish, Problem, Reservation, RunToken, Wish,
    may_start,
};

use super::RUNS_BINDING;
use super::handlers::{Call, header};

/// The longest idempotency key.
const IDEMPOTENCY_KEY_CHARS_MAX: usize = 200;

/// What is asked for, or why not.
type Accepted<T> = std::result::Result<T, Problem>;

/// What a run's object gives for a fork of it.
#[derive(Debug, Deserialize)]
struct Kept {
    order: Order,
    answers: Vec<Answered>,
}

impl Call<'_> {
    /// Reads a body.
    pub(super) async fn wish_of_body(&self, request: &mut Request) -> Result<Accepted<Wish>> {
        let content_type = header(request, "content-type").unwrap_or_default();
        if !content_type.starts_with("application/json") {
            return Ok(Err(Problem::new(415, "Send the body as application/json.")));
        }
        let Some(body) = bounded_body(request, BODY_BYTES_MAX).await? else {
            let detail = format!("The body is over {BODY_BYTES_MAX} bytes.");
            return Ok(Err(Problem::new(413, detail)));
        };
        Ok(Wish::from_body(&body, &self.settings.caps))
    }

    /// Starts the run that is asked for, or finds the one that its idempotency key started.
    pub(super) async fn start(&self, request: &Request, wish: Wish) -> Result<Accepted<RunToken>> {
        if let Err(problem) = self.check_caller(request)? {
            return Ok(Err(problem));
        }
        let (asked, fork) = match wish {
            Wish::New(asked) => (asked, None),
            Wish::Fork(wish) => match self.fork(wish).await? {
                Ok((asked, fork)) => (asked, Some(fork)),
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let run = match new_token(asked.session.as_deref()) {
            Ok(run) => run,
            Err(problem) => return Ok(Err(problem)),
        };
        let reservation = Reservation {
            run: run.to_string(),
            order: Order::new(&asked.request),
            forked_from: fork.as_ref().map(|fork| fork.run.clone()),
        };
        let run = match header(request, "idempotency-key") {
            None => run,
            Some(key) => match self.reserve(&key, &reservation).await? {
                Ok(run) => run,
                Err(problem) => return Ok(Err(problem)),
            },
        };
        let creation = Creation {
            run: run.to_string(),
            order: reservation.order,
            fork,
        };
        let created = self
            .post(&self.stub(&run)?, "https://run/create", &creation)
            .await?;
        if created.status_code() != 200 {
            return Ok(Err(Problem::new(
                500,
                "The run could not be started; try again.",
            )));
        }
        Ok(Ok(run))
    }

    fn check_caller(&self, request: &Request) -> Result<Accepted<()>> {
        if self.settings.providers.is_err() {
            let missing = self.settings.missing();
            return Ok(Err(Problem::missing_settings(&missing)));
        }
        let caller = Caller {
            authorization: header(request, "authorization"),
            origin: header(request, "origin"),
            fetch_site: header(request, "sec-fetch-site"),
            own_origin: request.url()?.origin().ascii_serialization(),
        };
        Ok(may_start(self.settings, &caller))
    }

    /// The question and the answers of the run that is forked.
    async fn fork(&self, wish: ForkWish) -> Result<Accepted<(Asked, Fork)>> {
        let run = wish.run().to_string();
        let mut kept = self
            .stub(wish.run())?
            .fetch_with_str("https://run/answers")
            .await?;
        if kept.status_code() != 200 {
            let detail = "The run to fork is not here any more, or never was; runs are kept for a \
                          while only. Start the pair anew.";
            return Ok(Err(Problem::new(404, detail)));
        }
        let kept: Kept = serde_json::from_str(&kept.text().await?)?;
        let Ok(forked) = kept.order.request() else {
            let detail = "The run to fork was made by another version; start the pair anew.";
            return Ok(Err(Problem::new(409, detail)));
        };
        let fork = Fork {
            run,
            answers: kept.answers,
        };
        Ok(wish
            .resolve(forked, &self.settings.caps)
            .map(|asked| (asked, fork)))
    }

    async fn reserve(&self, key: &str, wanted: &Reservation) -> Result<Accepted<RunToken>> {
        if key.is_empty() || key.chars().count() > IDEMPOTENCY_KEY_CHARS_MAX {
            let detail = format!(
                "An Idempotency-Key has 1 to {IDEMPOTENCY_KEY_CHARS_MAX} characters; a UUID is best."
            );
            return Ok(Err(Problem::new(400, detail)));
        }
        let digest = PhotoDigest::new(Sha256::digest(key.as_bytes()).into());
        let stub = self
            .env
            .durable_object(RUNS_BINDING)?
            .get_by_name(&format!("key:{digest}"))?;
        let kept = self
            .post(&stub, "https://key/reserve", wanted)
            .await?
            .text()
            .await?;
        let kept: Reservation = serde_json::from_str(&kept)?;
        if kept.order != wanted.order || kept.forked_from != wanted.forked_from {
            let detail = "This Idempotency-Key started a run with another body; use a new key.";
            return Ok(Err(Problem::new(422, detail)));
        }
        Ok(RunToken::parse(&kept.run).map_err(|_| Problem::new(500, "A kept run is unreadable.")))
    }
}

fn new_token(session: Option<&str>) -> Accepted<RunToken> {
    let mut random = [0; 24];
    getrandom::fill(&mut random)
        .map_err(|_| Problem::new(500, "No randomness for a run id; try again."))?;
    RunToken::new(session, random).map_err(|error| Problem::field("session", error))
}

/// The body, or none where it is over `bytes_max`; reading stops there.
pub(super) async fn bounded_body(
    request: &mut Request,
    bytes_max: usize,
) -> Result<Option<Vec<u8>>> {
    use futures::StreamExt as _;
    let mut body = Vec::new();
    let Ok(mut chunks) = request.stream() else {
        return Ok(Some(body));
    };
    while let Some(chunk) = chunks.next().await {
        body.extend_from_slice(&chunk?);
        if body.len() > bytes_max {
            return Ok(None);
        }
    }
    Ok(Some(body))
}
