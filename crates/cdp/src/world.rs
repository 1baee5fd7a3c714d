//! Calls the page's script in a JavaScript world of its own, which the page can neither see nor change. Each navigation
//! creates that world anew.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::connection::{CallError, Command, Connection, DevTools};
use crate::page_events::PageEvents;
use crate::setup::Place;

/// The message for a page that navigates too often to answer.
const RESTLESS: &str = "the page became another one again and again before it could answer";
/// The most attempts of a call that is interrupted by navigations.
const ATTEMPTS_MAX: u32 = 20;
/// The pause before the next attempt of an interrupted call, in milliseconds.
const PAUSE_MS: u64 = 15;
/// The browser's messages for a call in a document that was replaced. They are compared as texts, since these errors
/// have no codes.
const LOST: [&str; 6] = [
    "Cannot find context",
    "context was destroyed",
    "Could not find object",
    "navigated or closed",
    "No frame for given id",
    "Internal error",
];
/// The name of the JavaScript world in which the page's script runs.
pub(crate) const WORLD: &str = "visual-degrees";
/// The page's script. Its value is an object of functions, which is created once per document.
pub(crate) const LIBRARY: &str = concat!(
    "(() => {\nif (Object.hasOwn(globalThis, 'visualDegrees')) return globalThis.visualDegrees;\n",
    include_str!("script/dom.js"),
    include_str!("script/signals.js"),
    include_str!("script/finding.js"),
    include_str!("script/elements.js"),
    include_str!("script/pointing.js"),
    include_str!("script/written.js"),
    include_str!("script/fields.js"),
    include_str!("script/choosing.js"),
    include_str!("script/typing.js"),
    include_str!("script/picture.js"),
    include_str!("script/look.js"),
    "})()"
);
/// Calls the function of the page's script that has this name, with one argument.
const CALL: &str = "function(name, argument) { return this[name](argument); }";

/// The reason why a function of the page's script returned no value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ScriptError {
    /// The function threw an error on this page.
    Thrown,
    /// The command that calls the function failed.
    Call(CallError),
}

impl ScriptError {
    /// Returns the reason in words.
    pub(crate) fn into_words(self) -> String {
        match self {
            Self::Thrown => "the page's script failed".to_owned(),
            Self::Call(error) => error.into_words(),
        }
    }
}

/// The JavaScript world of the page's script, in whichever document the page has.
pub(crate) struct World {
    place: Place,
    events: Rc<RefCell<PageEvents>>,
    handle: RefCell<Option<Handle>>,
}

/// The object of the script's functions in one document.
#[derive(Clone)]
struct Handle {
    object: String,
    navigations: u64,
}

impl World {
    /// Creates the world of a page.
    pub(crate) fn new(place: Place, events: Rc<RefCell<PageEvents>>) -> Self {
        Self {
            place,
            events,
            handle: RefCell::default(),
        }
    }

    /// Calls a function of the script that may be repeated. If the page navigates meanwhile, the function is called
    /// again in the new document.
    pub(crate) async fn call<D: DevTools>(
        &self,
        connection: &Connection<D>,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        let mut attempt = 1;
        loop {
            match self.call_once(connection, name, argument, until_ms).await {
                Err(ScriptError::Call(CallError::Refused(words))) if is_lost(&words) => {}
                outcome => return outcome,
            }
            *self.handle.borrow_mut() = None;
            let is_late = connection.devtools().now_ms() + PAUSE_MS >= until_ms;
            if attempt >= ATTEMPTS_MAX || is_late {
                // The browser's own words would not help a viewer, so they are replaced.
                return Err(ScriptError::Call(CallError::Unanswered(
                    RESTLESS.to_owned(),
                )));
            }
            attempt += 1;
            connection.devtools().sleep(PAUSE_MS).await;
        }
    }

    /// Calls a function of the script in the document of the previous call. Fails if the page has navigated since.
    pub(crate) async fn call_once<D: DevTools>(
        &self,
        connection: &Connection<D>,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        let object = self.object(connection, until_ms).await?;
        let params = json!({
            "functionDeclaration": CALL,
            "objectId": object,
            "arguments": [{"value": name}, {"value": argument}],
            "returnByValue": true,
        });
        let command = self.command("Runtime.callFunctionOn", params);
        let mut answer = connection
            .call(command, until_ms)
            .await
            .map_err(ScriptError::Call)?;
        if answer.get("exceptionDetails").is_some() {
            return Err(ScriptError::Thrown);
        }
        let value = answer.pointer_mut("/result/value");
        Ok(value.map(Value::take).unwrap_or_default())
    }

    /// Returns the script's object in the current document.
    async fn object<D: DevTools>(
        &self,
        connection: &Connection<D>,
        until_ms: u64,
    ) -> Result<String, ScriptError> {
        let navigations = self.events.borrow().navigations();
        if let Some(handle) = &*self.handle.borrow()
            && handle.navigations == navigations
        {
            return Ok(handle.object.clone());
        }
        let params = json!({"frameId": self.place.target, "worldName": WORLD});
        let command = self.command("Page.createIsolatedWorld", params);
        let world = connection
            .call(command, until_ms)
            .await
            .map_err(ScriptError::Call)?;
        let context = world.get("executionContextId").cloned();
        let params = json!({"expression": LIBRARY, "contextId": context});
        let command = self.command("Runtime.evaluate", params);
        let answer = connection
            .call(command, until_ms)
            .await
            .map_err(ScriptError::Call)?;
        let object = answer.pointer("/result/objectId").and_then(Value::as_str);
        // After a navigation, the number of the context may mean another context, so the object is not used.
        if self.events.borrow().navigations() != navigations {
            let words = "Cannot find context".to_owned();
            return Err(ScriptError::Call(CallError::Refused(words)));
        }
        let object = object.ok_or(ScriptError::Thrown)?.to_owned();
        *self.handle.borrow_mut() = Some(Handle {
            object: object.clone(),
            navigations,
        });
        Ok(object)
    }

    fn command(&self, method: &'static str, params: Value) -> Command {
        Command::to_page(&self.place.session, method, params)
    }
}

fn is_lost(words: &str) -> bool {
    LOST.iter().any(|lost| words.contains(lost))
}
