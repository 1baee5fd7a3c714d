//! The documents that the operator stores for the engines, in KV.

use serde_json::Value;
use worker::{Env, Request, Response, Result};

use engine::{Problem, StoredDocuments};
use settings::{Settings, SharedAccess};

use crate::engines::EngineName;
use crate::http::{StoredCall, no_such_address};

use super::incoming::bounded_body;
use super::{door, environment, replies};

/// The most that the platform keeps beside a key, in bytes.
const ABOUT_BYTES_MAX: usize = 1_024;
/// The number of keys that the platform lists at once.
const LISTED_MAX: u64 = 1_000;

/// Answers a request for an address that begins with this path.
pub(super) async fn answer(
    request: &mut Request,
    env: &Env,
    settings: &Settings,
    path: &str,
    call: StoredCall,
) -> Result<Response> {
    let mut all = EngineName::stored_documents().map(|(_, documents)| documents);
    let Some(documents) = all.find(|documents| documents.path == path) else {
        return replies::problem(&no_such_address());
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
pub(super) async fn read(
    env: &Env,
    documents: &StoredDocuments,
    name: &str,
) -> Result<Option<Value>> {
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
) -> Result<Vec<(String, Option<Value>)>> {
    let prefix = documents.key_prefix;
    let kv = environment::documents(env)?;
    let listed = kv.list().prefix(prefix.to_owned()).limit(LISTED_MAX);
    let listed = listed.execute().await?;
    let named = listed.keys.into_iter().filter_map(|key| {
        let name = key.name.strip_prefix(prefix)?.to_owned();
        Some((name, key.metadata))
    });
    Ok(named.collect())
}

/// Reads the document of this key, as JSON. Returns `None` where there is none.
pub(super) async fn read_key(env: &Env, key: &str) -> Result<Option<String>> {
    Ok(environment::documents(env)?.get(key).text().await?)
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
            read(self.env, &self.documents, name).await?
        } else {
            None
        };
        match document {
            Some(document) => replies::json(&document),
            None => replies::problem(&self.no_such_document(name)),
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
        if let Err(problem) = door::check_store(request, self.settings, noun)? {
            return replies::problem(&problem);
        }
        let Some(body) = bounded_body(request, bytes_max).await? else {
            let detail = format!("The {noun} is over {bytes_max} bytes.");
            return replies::problem(&Problem::new(413, detail));
        };
        let about = match check(&body) {
            Ok(about) => about,
            Err(problem) => return replies::problem(&problem),
        };
        if about.to_string().len() > ABOUT_BYTES_MAX {
            let detail = format!(
                "What is listed of the {noun} (its description, and the names of its parameters) is over \
                 {ABOUT_BYTES_MAX} bytes."
            );
            return replies::problem(&Problem::new(409, detail));
        }
        let text = String::from_utf8_lossy(&body).into_owned();
        let kv = environment::documents(self.env)?;
        let put = kv.put(&self.documents.key(name), text)?;
        put.metadata(about)?.execute().await?;
        Ok(Response::empty()?.with_status(204))
    }

    /// Removes a document, for the operator alone.
    async fn remove(&self, request: &Request, name: &str) -> Result<Response> {
        if let Err(problem) = door::check_store(request, self.settings, self.documents.noun)? {
            return replies::problem(&problem);
        }
        let kv = environment::documents(self.env)?;
        kv.delete(&self.documents.key(name)).await?;
        Ok(Response::empty()?.with_status(204))
    }

    /// Returns whether the sender may see the documents: a sender who may start none of them is
    /// told of none.
    fn is_shown(&self, request: &Request) -> Result<bool> {
        if is_shown_to(&self.documents, self.settings, false) {
            return Ok(true);
        }
        Ok(door::check_operator(request, self.settings)? == Ok(true))
    }

    fn no_such_document(&self, name: &str) -> Problem {
        let StoredDocuments { noun, path, .. } = self.documents;
        let detail = format!("There is no stored {noun} {name}; GET /{path} lists them.");
        Problem::new(404, detail)
    }
}
