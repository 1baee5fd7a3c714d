//! The documents that the operator stores for the engines, in KV.

use domain::{RunToken, Sha256Digest};
use engine::store::{Keys, interrupted_meta, record};
use engine::{Problem, StoredDocuments, Tools};
use futures::StreamExt as _;
use serde_json::Value;
use settings::{Settings, SharedAccess};
use worker::{Env, KvStore, Request, Response, SqlStorage};

use crate::engines::{EngineName, with_engine};
use crate::routes::{StoredCall, no_such_address};

use super::environment::{self, sleep};
use super::failure::{Failure, Result};
use super::object::LiveRun;
use super::replies::{self, bounded_body};
use super::{artifact_table, auth};

/// The most that the platform keeps beside a key, in bytes.
const ABOUT_BYTES_MAX: usize = 1_024;
/// The number of keys that the platform lists at once.
const LISTED_MAX: u64 = 1_000;

/// Answers a request for an address that begins with this path.
pub(super) async fn stored_document(
    request: &mut Request,
    env: &Env,
    settings: &Settings,
    path: &str,
    call: StoredCall,
) -> Result<Response> {
    let mut all = EngineName::stored_documents().map(|(_, documents)| documents);
    let Some(documents) = all.find(|documents| documents.path == path) else {
        return Err(no_such_address().into());
    };
    let place = Place {
        env,
        settings,
        documents,
    };
    match call {
        StoredCall::List => place.list(request).await,
        StoredCall::Show(name) => place.show(request, &name).await,
        StoredCall::Store(name) => place.store(request, &name).await,
        StoredCall::Remove(name) => place.remove(request, &name).await,
    }
}

/// Reads the document of this name. Returns `None` where there is none.
pub(super) async fn read_body(
    env: &Env,
    documents: &StoredDocuments,
    name: &str,
) -> worker::Result<Option<Value>> {
    let text = read_key(env, &documents.key(name)).await?;
    Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
}

/// Returns whether a sender may see the documents of one kind, who is the operator or not.
pub(super) fn is_shown_to(
    documents: &StoredDocuments,
    settings: &Settings,
    is_operator: bool,
) -> bool {
    is_operator || settings.shared_access(documents.variable) != SharedAccess::Operator
}

/// Returns the names of the documents of one kind, each with what its check told of it.
pub(super) async fn listed(
    env: &Env,
    documents: &StoredDocuments,
) -> worker::Result<Vec<(String, Option<Value>)>> {
    let prefix = documents.key_prefix;
    let kv = environment::kv_documents(env)?;
    let listed = kv.list().prefix(prefix.to_owned()).limit(LISTED_MAX);
    let listed = listed.execute().await?;
    let named = listed.keys.into_iter().filter_map(|key| {
        let name = key.name.strip_prefix(prefix)?.to_owned();
        Some((name, key.metadata))
    });
    Ok(named.collect())
}

/// Reads the document of this key, as JSON. Returns `None` where there is none.
pub(super) async fn read_key(env: &Env, key: &str) -> worker::Result<Option<String>> {
    Ok(environment::kv_documents(env)?.get(key).text().await?)
}

/// The place of the documents of one kind.
struct Place<'request> {
    env: &'request Env,
    settings: &'request Settings,
    documents: StoredDocuments,
}

impl Place<'_> {
    async fn list(&self, request: &Request) -> Result<Response> {
        let list = self.documents.list;
        if !self.is_shown(request)? {
            return replies::json(&list(Vec::new(), self.settings, false));
        }
        let named = listed(self.env, &self.documents).await?;
        replies::json(&list(named, self.settings, true))
    }

    /// Answers with the document as it was stored.
    async fn show(&self, request: &Request, name: &str) -> Result<Response> {
        let document = if self.is_shown(request)? {
            read_body(self.env, &self.documents, name).await?
        } else {
            None
        };
        match document {
            Some(document) => replies::json(&document),
            None => Err(self.no_such_document(name).into()),
        }
    }

    /// Stores a document in place of an earlier one, for the operator alone.
    async fn store(&self, request: &mut Request, name: &str) -> Result<Response> {
        let StoredDocuments {
            noun,
            bytes_max,
            check,
            ..
        } = self.documents;
        auth::check_store(request, self.settings, noun)?;
        let Some(body) = bounded_body(request, bytes_max).await? else {
            let detail = format!("The {noun} is over {bytes_max} bytes.");
            return Err(Problem::new(413, detail).into());
        };
        let about = check(&body)?;
        if about.to_string().len() > ABOUT_BYTES_MAX {
            let detail = format!(
                "What is listed of the {noun} (its description, and the names of its parameters) is over \
                 {ABOUT_BYTES_MAX} bytes."
            );
            return Err(Problem::new(409, detail).into());
        }
        let text = String::from_utf8_lossy(&body).into_owned();
        let kv = environment::kv_documents(self.env)?;
        let put = kv.put(&self.documents.key(name), text)?;
        put.metadata(about)?.execute().await?;
        Ok(Response::empty()?.with_status(204))
    }

    /// Removes a document, for the operator alone.
    async fn remove(&self, request: &Request, name: &str) -> Result<Response> {
        auth::check_store(request, self.settings, self.documents.noun)?;
        let kv = environment::kv_documents(self.env)?;
        kv.delete(&self.documents.key(name)).await?;
        Ok(Response::empty()?.with_status(204))
    }

    /// Returns whether the sender may see the documents: a sender who may start none of them is
    /// told of none.
    fn is_shown(&self, request: &Request) -> Result<bool> {
        if is_shown_to(&self.documents, self.settings, false) {
            return Ok(true);
        }
        match auth::check_operator(request, self.settings) {
            Err(Failure::Refused(_)) => Ok(false),
            is_operator => is_operator,
        }
    }

    fn no_such_document(&self, name: &str) -> Problem {
        let StoredDocuments { noun, path, .. } = self.documents;
        let detail = format!("There is no stored {noun} {name}; GET /{path} lists them.");
        Problem::new(404, detail)
    }
}

/// Reads the record. Returns `None` where KV has none of its documents. A store that fails is an
/// error, never a record with holes.
pub(super) async fn read(env: &Env, run: &RunToken) -> worker::Result<Option<Value>> {
    let kv = environment::kv_documents(env)?;
    let keys = Keys::new(run.session(), run.run());
    // Meta is written last: what it tells of the run's end holds for all that is read after it.
    let meta_key = keys.plain("meta");
    let Some(meta) = kv.get(&meta_key).text().await? else {
        return Ok(None);
    };
    // A run has 40 documents or hardly more: one page lists them all.
    let listed = kv.list().prefix(keys.prefix().to_owned()).execute().await?;
    let others = listed.keys.into_iter().filter(|key| key.name != meta_key);
    let reads = others.map(|key| {
        let kv = &kv;
        async move {
            let text = kv.get(&key.name).text().await?;
            Ok(text.map(|text| (key.name, text)))
        }
    });
    let read: worker::Result<Vec<Option<(String, String)>>> =
        futures::future::join_all(reads).await.into_iter().collect();
    // A document may have expired since the list was made.
    let mut documents: Vec<(String, String)> = read?.into_iter().flatten().collect();
    documents.push((meta_key, meta));
    Ok(record(&run.to_string(), &keys, &documents))
}

/// Removes every document of a run that KV lists now.
pub(super) async fn remove(env: &Env, run: &RunToken) -> worker::Result<()> {
    let kv = environment::kv_documents(env)?;
    let keys = Keys::new(run.session(), run.run());
    let listed = kv.list().prefix(keys.prefix().to_owned()).execute().await?;
    let removals = listed.keys.iter().map(|key| kv.delete(&key.name));
    for removed in futures::future::join_all(removals).await {
        removed?;
    }
    Ok(())
}

/// Notes in a run's meta document that it was interrupted.
pub(super) async fn note_interruption(
    kv: &KvStore,
    run: &RunToken,
    event: &str,
    time_to_live_s: u64,
) -> worker::Result<()> {
    let key = Keys::new(run.session(), run.run()).plain("meta");
    let Some(meta) = kv.get(&key).text().await? else {
        return Ok(());
    };
    if let Some(meta) = interrupted_meta(&meta, event) {
        let put = kv.put(&key, meta)?;
        put.expiration_ttl(time_to_live_s).execute().await?;
    }
    Ok(())
}

/// Answers with the document of this name of the run as it is by now.
pub(super) fn run_document(live: &LiveRun, name: &str) -> Result<Response> {
    let document = with_engine!(live.opened().engine(), E => made::<E>(live, name));
    replies::json(&document.ok_or_else(no_such_address)?)
}

fn made<E: Tools>(live: &LiveRun, name: &str) -> Option<Value> {
    let document = E::RUN_DOCUMENT.filter(|document| document.name == name)?;
    let opened = live.opened().as_engine::<E>()?;
    Some((document.make)(&opened, &live.log().jsons()))
}

/// Answers with bytes that are kept beside the run.
pub(super) fn artifact(sql: &SqlStorage, digest: &Sha256Digest) -> Result<Response> {
    let (kind, bytes) = artifact_table::find(sql, digest)?.ok_or_else(no_such_address)?;
    replies::artifact(bytes, &kind)
}

/// The archive's content type.
const CONTENT_TYPE: &str = "application/x-tar";

/// Answers with the archive of the run as it is by now.
pub(super) fn trace(sql: &SqlStorage, live: &LiveRun) -> Result<Response> {
    let bytes = with_engine!(live.opened().engine(), E => archive::<E>(sql, live))?;
    let name = format!("{}.trace.tar", live.opened().run());
    replies::download_bytes(bytes, CONTENT_TYPE, &name)
}

fn archive<E: Tools>(sql: &SqlStorage, live: &LiveRun) -> Result<Vec<u8>, Problem> {
    let Some(opened) = live.opened().as_engine::<E>() else {
        return Err(Problem::new(500, "The run's order cannot be read."));
    };
    let artifact = |digest: &_| artifact_table::get(sql, digest).ok().flatten();
    E::trace(&opened, &live.log().jsons(), &artifact)
}

/// Streams the events after this one, or gives those that there are; 204 where the run has ended and
/// nothing comes after it.
pub(super) fn view(live: &LiveRun, after: u32, waits: bool) -> Result<Response> {
    if live.log().is_ended() && after >= live.log().len() {
        return Ok(Response::empty()?.with_status(204));
    }
    if !waits {
        return replies::events(live.log().so_far(after));
    }
    let has_expired = {
        let live = live.clone();
        move || live.has_expired()
    };
    let stream = live.log().clone().view(after, sleep, has_expired);
    replies::event_stream(stream.map(Ok))
}

/// Answers with the last event, once it is there.
pub(super) async fn last(live: &LiveRun) -> Result<Response> {
    if let Some(json) = live.log().last().await {
        return replies::json_text(&json);
    }
    let detail = "The run's events can't be kept at the moment; ask for it again.";
    Err(Problem::new(503, detail).into())
}

/// Answers with what is known of a run whose documents are not in KV yet, or not any more.
pub(super) fn outlined(live: &LiveRun) -> Result<Response> {
    with_engine!(live.opened().engine(), E => match live.opened().as_engine::<E>() {
        Some(opened) => {
            let is_ended = live.log().is_ended();
            replies::json(&E::outline(&opened, &live.log().jsons(), is_ended))
        }
        None => Ok(Response::error("its order cannot be read", 500)?),
    })
}
