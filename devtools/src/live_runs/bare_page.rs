//! A page driven over the bare protocol, without an engine. It only waits for answers and for page loads.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use serde_json::{Value, json};

use cdp::{DevTools as _, DevToolsSocket as _, Incoming, Sharing};
use domain::page::BrowserAddress;

use crate::local_browsers::LocalDevTools;

/// The longest wait for an answer or a page load.
const ANSWER_MAX: Duration = Duration::from_secs(20);
/// The width and height of the page in pixels, equal to a run's defaults.
const VIEWPORT: (u32, u32) = (1_280, 800);

/// A page driven over the bare protocol.
#[derive(Debug)]
pub(super) struct BarePage {
    socket: <LocalDevTools as cdp::DevTools>::Socket,
    session: RefCell<String>,
    context: Option<String>,
    last_id: Cell<u64>,
    has_loaded: Cell<bool>,
}

impl BarePage {
    /// Opens a page in a new context of the browser at this address.
    pub(super) async fn open(browser: &str) -> Result<Self, String> {
        let devtools = LocalDevTools::new(browser, Sharing::Shared);
        let path = devtools.begin_session().await?;
        let mut page = Self::connected(&devtools, &path).await?;
        let context = page
            .call("Target.createBrowserContext", json!({}))
            .await
            .and_then(|made| text(&made, "browserContextId"))?;
        let params = json!({"url": "about:blank", "browserContextId": context});
        page.context = Some(context);
        let target = page.call("Target.createTarget", params).await;
        let target = target.and_then(|made| text(&made, "targetId"))?;
        page.attach(&target).await?;
        page.call("Page.enable", json!({})).await?;
        let (width, height) = VIEWPORT;
        let size =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        page.call("Emulation.setDeviceMetricsOverride", size)
            .await?;
        Ok(page)
    }

    /// Connects to the page that a run has opened.
    pub(super) async fn attached(browser: &str, address: &BrowserAddress) -> Result<Self, String> {
        let devtools = LocalDevTools::new(browser, Sharing::Shared);
        let page = Self::connected(&devtools, &address.session).await?;
        page.attach(address.target.as_deref().unwrap_or_default())
            .await?;
        Ok(page)
    }

    async fn connected(devtools: &LocalDevTools, path: &str) -> Result<Self, String> {
        Ok(Self {
            socket: devtools.connect(path).await?,
            session: RefCell::default(),
            context: None,
            last_id: Cell::new(0),
            has_loaded: Cell::new(false),
        })
    }

    async fn attach(&self, target: &str) -> Result<(), String> {
        let params = json!({"targetId": target, "flatten": true});
        let attached = self.call("Target.attachToTarget", params).await?;
        *self.session.borrow_mut() = text(&attached, "sessionId")?;
        Ok(())
    }

    /// Adds a script, which runs before all others in every document that the page loads from now on.
    pub(super) async fn begin_with(&self, script: &str) -> Result<(), String> {
        if script.is_empty() {
            return Ok(());
        }
        // The browser only runs such scripts while the page's domain is enabled.
        self.send("Page.enable", &json!({}))?;
        let params = json!({"source": script});
        self.call("Page.addScriptToEvaluateOnNewDocument", params)
            .await
            .map(drop)
    }

    /// Opens an address and waits until it is loaded.
    pub(super) async fn navigate(&self, url: &str) -> Result<(), String> {
        self.has_loaded.set(false);
        let answer = self.call("Page.navigate", json!({"url": url})).await?;
        if let Some(error) = answer.get("errorText").and_then(Value::as_str) {
            return Err(format!("{url} could not be opened: {error}"));
        }
        let loading = async {
            while !self.has_loaded.get() {
                self.next().await?;
            }
            Ok(())
        };
        let loaded = tokio::time::timeout(ANSWER_MAX, loading).await;
        loaded.unwrap_or_else(|_| Err(format!("{url} did not load in time")))
    }

    /// Evaluates an expression in the page.
    pub(super) async fn evaluate(&self, expression: &str) -> Result<Value, String> {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut answer = self.call("Runtime.evaluate", params).await?;
        if let Some(thrown) = answer.get("exceptionDetails") {
            return Err(format!("the page's script failed: {thrown}"));
        }
        let value = answer.pointer_mut("/result/value").map(Value::take);
        Ok(value.unwrap_or_default())
    }

    /// Sends all input events at once, and then waits for all answers.
    pub(super) async fn input(&self, method: &str, events: &[Value]) -> Result<(), String> {
        let mut last = None;
        for event in events {
            last = Some(self.send(method, event)?);
        }
        match last {
            Some(id) => self.answer(id, method).await.map(drop),
            None => Ok(()),
        }
    }

    /// Closes the page and its context.
    pub(super) async fn close(&self) -> Result<(), String> {
        self.session.borrow_mut().clear();
        let params = json!({"browserContextId": self.context});
        self.call("Target.disposeBrowserContext", params)
            .await
            .map(drop)
    }

    /// Sends a command and waits for its answer.
    pub(super) async fn call(&self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.send(method, &params)?;
        self.answer(id, method).await
    }

    fn send(&self, method: &str, params: &Value) -> Result<u64, String> {
        let id = self.last_id.get() + 1;
        self.last_id.set(id);
        let mut command = json!({"id": id, "method": method, "params": params});
        let session = self.session.borrow();
        if let Some(members) = command.as_object_mut()
            && !session.is_empty()
        {
            members.insert("sessionId".to_owned(), session.as_str().into());
        }
        let sent = self.socket.send(&command.to_string());
        sent.map_err(|_| "the connection is closed".to_owned())?;
        Ok(id)
    }

    async fn answer(&self, id: u64, method: &str) -> Result<Value, String> {
        let waiting = async {
            loop {
                match self.next().await? {
                    Incoming::Answer { id: of, outcome } if of == id => return outcome,
                    _ => {}
                }
            }
        };
        let answered = tokio::time::timeout(ANSWER_MAX, waiting).await;
        answered.unwrap_or_else(|_| Err(format!("{method} was not answered in time")))
    }

    async fn next(&self) -> Result<Incoming, String> {
        loop {
            let message = self.socket.next().await;
            let message = message.ok_or("the connection is closed")?;
            let Some(incoming) = Incoming::read(&message) else {
                continue;
            };
            if let Incoming::Event(event) = &incoming
                && event.method == "Page.loadEventFired"
            {
                self.has_loaded.set(true);
            }
            return Ok(incoming);
        }
    }
}

impl Drop for BarePage {
    fn drop(&mut self) {
        self.socket.close();
    }
}

fn text(value: &Value, name: &str) -> Result<String, String> {
    let text = value.get(name).and_then(Value::as_str);
    let text = text.ok_or_else(|| format!("the browser's answer has no {name}"))?;
    Ok(text.to_owned())
}
