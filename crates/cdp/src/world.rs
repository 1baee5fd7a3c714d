//! Calls the page's script in a JavaScript world of its own, which the page can neither see nor change. Each navigation
//! creates that world anew.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use serde_json::{Value, json};

use crate::connection::{CallError, Command, Connection, DevTools};
use crate::page_events::PageEvents;

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
/// The browser's message for a frame that is gone, in the same words.
const LOST_FRAME: &str = "No frame for given id";
/// The name by which the browser forgets elements that were passed by reference.
const GROUP: &str = "visual-degrees-elements";
/// The most documents whose scripts are remembered.
const HANDLES_MAX: usize = 200;
/// The name of the JavaScript world in which the page's script runs.
pub(crate) const WORLD: &str = "visual-degrees";
/// The parts of the page's script, in order.
const SCRIPT: &str = concat!(
    include_str!("script/dom.js"),
    include_str!("script/trees.js"),
    include_str!("script/taken.js"),
    include_str!("script/frames.js"),
    include_str!("script/signals.js"),
    include_str!("script/finding.js"),
    include_str!("script/elements.js"),
    include_str!("script/effects.js"),
    include_str!("script/pointing.js"),
    include_str!("script/written.js"),
    include_str!("script/fields.js"),
    include_str!("script/choosing.js"),
    include_str!("script/typing.js"),
    include_str!("script/boxes.js"),
    include_str!("script/reading.js"),
    include_str!("script/files.js"),
    include_str!("script/roles.js"),
    include_str!("script/picture.js"),
    include_str!("script/look.js"),
);
/// Calls the function of the page's script that has this name, with one argument.
const CALL: &str = "function(name, argument) { return this[name](argument); }";

/// The expression of the script's object in a document that has run the script.
const KNOWN: &str = "Object.hasOwn(globalThis, 'visualDegrees') && visualDegrees.page === document ? visualDegrees : undefined";

/// Returns the page's script as an expression. Its value is an object of functions, which is created once per document: a
/// document may take over the window of the empty one before it.
/// `channel` is the name of the events by which the script in the page's own world tells it something.
pub(crate) fn library(channel: &str) -> String {
    let channel = Value::from(channel);
    // Each document parses the script, so comments and indents are left out.
    let lines = SCRIPT.lines().map(str::trim_start);
    let lines: Vec<&str> = lines.filter(|line| !line.starts_with("//")).collect();
    let script = lines.join("\n");
    format!(
        "(() => {{\nif ({KNOWN}) return visualDegrees;\nconst CHANNEL = {channel};\n{script}\n}})()"
    )
}

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

/// A document of the run's page: the page's own, or that of a frame in it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Frame {
    /// The frame's id in the protocol. That of the page's own frame is the id of its target.
    id: String,
    /// The document around the frame, and the number by which its script knows the frame; `None` for the page's own.
    around: Option<(Rc<Frame>, u64)>,
}

impl Frame {
    /// Returns the document around the frame, and the number by which its script knows the frame.
    pub(crate) fn around(&self) -> Option<&(Rc<Frame>, u64)> {
        self.around.as_ref()
    }

    /// Returns in how many frames the document is.
    pub(crate) fn depth(&self) -> usize {
        let around = self.around.as_ref();
        around.map_or(0, |(around, _)| around.depth().saturating_add(1))
    }
}

/// The JavaScript worlds of the page's script, one in each document.
pub(crate) struct World {
    library: String,
    events: Rc<RefCell<PageEvents>>,
    /// The script's objects, by the ids of the frames.
    handles: RefCell<BTreeMap<String, Handle>>,
}

/// The object of the script's functions in one document.
#[derive(Clone, Default)]
struct Handle {
    object: String,
    /// The id of the world, in which other objects are resolved.
    context: Value,
    navigations: u64,
    /// The ids of the frames in the document, by the numbers that the script has given them.
    frames: BTreeMap<u64, String>,
}

impl World {
    /// Creates the worlds of a run's pages. `library` is the expression of the page's script.
    pub(crate) fn new(library: String, events: Rc<RefCell<PageEvents>>) -> Self {
        Self {
            library,
            events,
            handles: RefCell::default(),
        }
    }

    /// Returns the page's own document.
    pub(crate) fn page(&self) -> Rc<Frame> {
        Rc::new(Frame {
            id: self.events.borrow().page.place.target.clone(),
            around: None,
        })
    }

    /// Returns the document in a frame that the script in the document around it knows by a number.
    pub(crate) async fn inside<D: DevTools>(
        &self,
        connection: &Connection<D>,
        around: &Rc<Frame>,
        number: u64,
        until_ms: u64,
    ) -> Result<Rc<Frame>, ScriptError> {
        let frame = |id: String| {
            Rc::new(Frame {
                id,
                around: Some((around.clone(), number)),
            })
        };
        let known = self.handles.borrow().get(&around.id).cloned();
        if let Some(id) = known.and_then(|handle| handle.frames.get(&number).cloned()) {
            return Ok(frame(id));
        }
        let object = self.object(connection, around, until_ms).await?;
        let params = json!({
            "functionDeclaration": CALL, "objectId": object, "objectGroup": GROUP,
            "arguments": [{"value": "frameElement"}, {"value": number}],
        });
        let command = self.command(around, "Runtime.callFunctionOn", params);
        let found = connection.call(command, until_ms).await;
        let found = found.map_err(ScriptError::Call)?;
        let element = found.pointer("/result/objectId").and_then(Value::as_str);
        let lost = || ScriptError::Call(CallError::Refused(LOST_FRAME.to_owned()));
        let params = json!({"objectId": element.ok_or_else(lost)?});
        let command = self.command(around, "DOM.describeNode", params);
        let described = connection.call(command, until_ms).await;
        self.release(connection, around);
        let described = described.map_err(ScriptError::Call)?;
        let id = described.pointer("/node/frameId").and_then(Value::as_str);
        let id = id.ok_or_else(lost)?.to_owned();
        if let Some(handle) = self.handles.borrow_mut().get_mut(&around.id) {
            handle.frames.insert(number, id.clone());
        }
        Ok(frame(id))
    }

    /// Lets the browser forget the elements that were passed by reference.
    fn release<D: DevTools>(&self, connection: &Connection<D>, frame: &Frame) {
        let params = json!({"objectGroup": GROUP});
        connection.post(&self.command(frame, "Runtime.releaseObjectGroup", params));
    }

    /// Tells the script the closed shadow roots of the elements about which it asks the browser. Returns whether there was
    /// one.
    pub(crate) async fn reveal<D: DevTools>(
        &self,
        connection: &Connection<D>,
        frame: &Frame,
        until_ms: u64,
    ) -> Result<bool, ScriptError> {
        let revealed = self.reveal_referred(connection, frame, until_ms).await;
        self.release(connection, frame);
        revealed
    }

    async fn reveal_referred<D: DevTools>(
        &self,
        connection: &Connection<D>,
        frame: &Frame,
        until_ms: u64,
    ) -> Result<bool, ScriptError> {
        let object = self.object(connection, frame, until_ms).await?;
        let handle = self.handles.borrow().get(&frame.id).cloned();
        let context = handle.map(|handle| handle.context).unwrap_or_default();
        let ask = async |method, params| {
            let command = self.command(frame, method, params);
            let answer = connection.call(command, until_ms).await;
            answer.map_err(ScriptError::Call)
        };
        let params = json!({
            "functionDeclaration": CALL, "objectId": object, "objectGroup": GROUP,
            "arguments": [{"value": "takeHosts"}],
        });
        let hosts = ask("Runtime.callFunctionOn", params).await?;
        let params = json!({
            "objectId": hosts.pointer("/result/objectId"), "ownProperties": true,
        });
        let members = ask("Runtime.getProperties", params).await?;
        let members = members.get("result").and_then(Value::as_array);
        let hosts = members.into_iter().flatten();
        let describing = hosts
            .filter_map(|member| member.pointer("/value/objectId"))
            .map(|id| self.command(frame, "DOM.describeNode", json!({"objectId": id})))
            .collect();
        let mut was_found = false;
        for described in connection.call_all(describing, until_ms).await {
            let described = described.map_err(ScriptError::Call)?;
            let roots = described.pointer("/node/shadowRoots");
            let roots = roots.and_then(Value::as_array).into_iter().flatten();
            for root in roots {
                if root.get("shadowRootType").and_then(Value::as_str) != Some("closed") {
                    continue;
                }
                let params = json!({
                    "backendNodeId": root.get("backendNodeId"), "executionContextId": context,
                    "objectGroup": GROUP,
                });
                let root = ask("DOM.resolveNode", params).await?;
                let params = json!({
                    "functionDeclaration": CALL, "objectId": object,
                    "arguments": [{"value": "learnRoot"}, {"objectId": root.pointer("/object/objectId")}],
                });
                ask("Runtime.callFunctionOn", params).await?;
                was_found = true;
            }
        }
        Ok(was_found)
    }

    /// Calls a function of the script with a node that the browser knows by an id.
    pub(crate) async fn tell_node<D: DevTools>(
        &self,
        connection: &Connection<D>,
        frame: &Frame,
        name: &str,
        node: u64,
        until_ms: u64,
    ) -> Result<(), ScriptError> {
        let object = self.object(connection, frame, until_ms).await?;
        let handle = self.handles.borrow().get(&frame.id).cloned();
        let context = handle.map(|handle| handle.context).unwrap_or_default();
        let params = json!({
            "backendNodeId": node, "executionContextId": context, "objectGroup": GROUP,
        });
        let command = self.command(frame, "DOM.resolveNode", params);
        let told = match connection.call(command, until_ms).await {
            Ok(node) => {
                let params = json!({
                    "functionDeclaration": CALL, "objectId": object,
                    "arguments": [{"value": name}, {"objectId": node.pointer("/object/objectId")}],
                });
                let command = self.command(frame, "Runtime.callFunctionOn", params);
                connection.call(command, until_ms).await
            }
            Err(error) => Err(error),
        };
        self.release(connection, frame);
        told.map(drop).map_err(ScriptError::Call)
    }

    /// Calls a function of the script that may be repeated. If the document is replaced meanwhile, the function is called
    /// again in the new one.
    pub(crate) async fn call<D: DevTools>(
        &self,
        connection: &Connection<D>,
        frame: &Frame,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        let mut attempt = 1;
        loop {
            match self
                .call_once(connection, frame, name, argument, until_ms)
                .await
            {
                Err(ScriptError::Call(CallError::Refused(words))) if is_lost(&words) => {}
                outcome => return outcome,
            }
            self.handles.borrow_mut().remove(&frame.id);
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

    /// Calls a function of the script in the document of the previous call. Fails if the document was replaced since.
    pub(crate) async fn call_once<D: DevTools>(
        &self,
        connection: &Connection<D>,
        frame: &Frame,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        let object = self.object(connection, frame, until_ms).await?;
        let params = json!({
            "functionDeclaration": CALL,
            "objectId": object,
            "arguments": [{"value": name}, {"value": argument}],
            "returnByValue": true,
            "awaitPromise": true,
        });
        let command = self.command(frame, "Runtime.callFunctionOn", params);
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

    /// Returns the script's object in the current document of a frame.
    async fn object<D: DevTools>(
        &self,
        connection: &Connection<D>,
        frame: &Frame,
        until_ms: u64,
    ) -> Result<String, ScriptError> {
        let navigations = self.navigations(frame);
        if let Some(handle) = self.handles.borrow().get(&frame.id)
            && handle.navigations == navigations
        {
            return Ok(handle.object.clone());
        }
        let params = json!({"frameId": frame.id, "worldName": WORLD});
        let command = self.command(frame, "Page.createIsolatedWorld", params);
        let world = connection
            .call(command, until_ms)
            .await
            .map_err(ScriptError::Call)?;
        let context = world.get("executionContextId").cloned();
        let mut object = None;
        // Most documents have run the script at their beginning, so that it need not be sent again.
        for expression in [KNOWN, &self.library] {
            let params = json!({"expression": expression, "contextId": &context});
            let command = self.command(frame, "Runtime.evaluate", params);
            let answer = connection.call(command, until_ms).await;
            let answer = answer.map_err(ScriptError::Call)?;
            let id = answer.pointer("/result/objectId").and_then(Value::as_str);
            object = id.map(str::to_owned);
            if object.is_some() {
                break;
            }
        }
        // After a navigation, the number of the context may mean another context, so the object is not used.
        if self.navigations(frame) != navigations {
            let words = "Cannot find context".to_owned();
            return Err(ScriptError::Call(CallError::Refused(words)));
        }
        let object = object.ok_or(ScriptError::Thrown)?;
        let handle = Handle {
            object: object.clone(),
            context: context.unwrap_or_default(),
            navigations,
            frames: BTreeMap::new(),
        };
        let mut handles = self.handles.borrow_mut();
        if handles.len() >= HANDLES_MAX {
            handles.clear();
        }
        handles.insert(frame.id.clone(), handle);
        Ok(object)
    }

    fn navigations(&self, frame: &Frame) -> u64 {
        self.events.borrow().page.navigations(&frame.id)
    }

    /// Returns a command to the process of a document.
    fn command(&self, frame: &Frame, method: &'static str, params: Value) -> Command {
        Command::to_page(&self.session(frame), method, params)
    }

    /// Returns the session of the process of a document.
    pub(crate) fn session(&self, frame: &Frame) -> String {
        let page = &self.events.borrow().page;
        let mut frames = std::iter::successors(Some(frame), |frame| {
            frame.around.as_ref().map(|(around, _)| &**around)
        });
        let own = frames.find_map(|frame| page.session_of(&frame.id));
        own.unwrap_or(&page.place.session).to_owned()
    }
}

fn is_lost(words: &str) -> bool {
    LOST.iter().any(|lost| words.contains(lost))
}
