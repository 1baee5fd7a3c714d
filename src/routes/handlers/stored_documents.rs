//! The documents that the operator stores for the engines.

use engine::{Problem, StoredDocuments};
use settings::{Settings, SharedAccess};
use worker::{Env, Request, Response};

use crate::auth::callers;
use crate::engines::EngineName;
use crate::problems::no_such_address;
use crate::routes::StoredCall;
use crate::storage::documents::{listed, read_body};
use crate::transport::bindings;
use crate::transport::failure::{Failure, Result};
use crate::transport::replies::{self, bounded_body};

/// The most metadata that KV stores with one key, in bytes.
const ABOUT_BYTES_MAX: usize = 1_024;

/// Handles a request for stored documents, whose address begins with `path`.
pub(crate) async fn stored_document(
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

/// Returns whether a caller may see the documents of one kind.
pub(crate) fn is_shown_to(
    documents: &StoredDocuments,
    settings: &Settings,
    is_operator: bool,
) -> bool {
    is_operator || settings.shared_access(documents.variable) != SharedAccess::Operator
}

/// The documents of one kind, for one request.
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

    /// Responds with the document as it was stored.
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

    /// Stores a document, replacing an earlier one, for the operator only.
    async fn store(&self, request: &mut Request, name: &str) -> Result<Response> {
        let StoredDocuments {
            noun,
            bytes_max,
            check,
            ..
        } = self.documents;
        callers::check_store(request, self.settings, noun)?;
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
        let kv = bindings::kv_documents(self.env)?;
        let put = kv.put(&self.documents.key(name), text)?;
        put.metadata(about)?.execute().await?;
        Ok(Response::empty()?.with_status(204))
    }

    /// Deletes a document, for the operator only.
    async fn remove(&self, request: &Request, name: &str) -> Result<Response> {
        callers::check_store(request, self.settings, self.documents.noun)?;
        let kv = bindings::kv_documents(self.env)?;
        kv.delete(&self.documents.key(name)).await?;
        Ok(Response::empty()?.with_status(204))
    }

    /// Returns whether the sender may see the documents, which is the case if the sender may start runs from them.
    fn is_shown(&self, request: &Request) -> Result<bool> {
        if is_shown_to(&self.documents, self.settings, false) {
            return Ok(true);
        }
        match callers::check_operator(request, self.settings) {
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
