//! A simulated browser: a function from commands to reactions.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::rc::Rc;

use cdp::{BrowserClient, DevTools, DevToolsSocket, DrivenBrowser, Sharing, SocketClosed};
use domain::page::{BrowserAddress, BrowserTerms, Viewport};
use futures::future::LocalBoxFuture;
use platform::Browsers as _;
use serde_json::{Value, json};
use tokio::sync::Notify;
use tokio::task::{LocalSet, spawn_local};
use tokio::time::{Duration, Instant};

/// The reaction to a command.
pub enum Does {
    /// It answers with this result.
    Answers(Value),
    /// It refuses with these words.
    Refuses(&'static str),
    /// It never answers.
    Nothing,
    /// The connection closes without an answer.
    Closes,
    /// It sends these messages unchanged, except that `ID` becomes the command's number.
    Says(Vec<String>),
}

type Script = Box<dyn Fn(&str, &Value) -> Option<Does>>;

/// The whole browser.
pub struct Scripted {
    script: Script,
    sharing: Sharing,
    /// `METHOD` and the arguments of each command, and other actions.
    pub log: Rc<RefCell<Vec<String>>>,
    began: Instant,
}

pub struct ScriptedSocket {
    script: Rc<Scripted>,
    incoming: RefCell<VecDeque<String>>,
    is_closed: Cell<bool>,
    news: Notify,
}

/// The browser, shared by the client and the test.
#[derive(Clone)]
pub struct Shared(pub Rc<Scripted>);

impl DevTools for Shared {
    type Socket = ScriptedSocket;
    type Turn = ();

    fn now_ms(&self) -> u64 {
        let passed_ms = self.0.began.elapsed().as_millis();
        1_000_000 + u64::try_from(passed_ms).unwrap()
    }

    async fn sleep(&self, ms: u64) {
        tokio::time::sleep(Duration::from_millis(ms)).await;
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        spawn_local(task);
    }

    fn sharing(&self) -> Sharing {
        self.0.sharing
    }

    async fn take_turn(&self) {
        self.0.note("turn");
    }

    async fn begin_session(&self) -> Result<String, String> {
        self.0.note("begin");
        match (self.0.script)("begin", &Value::Null) {
            Some(Does::Nothing) => std::future::pending().await,
            Some(Does::Refuses(words)) => Err(words.to_owned()),
            _ => Ok("S1".to_owned()),
        }
    }

    async fn connect(&self, session: &str) -> Result<ScriptedSocket, String> {
        self.0.note(&format!("connect {session}"));
        match (self.0.script)("connect", &Value::Null) {
            Some(Does::Nothing) => std::future::pending().await,
            Some(Does::Refuses(words)) => Err(words.to_owned()),
            _ => Ok(ScriptedSocket {
                script: self.0.clone(),
                incoming: RefCell::default(),
                is_closed: Cell::new(false),
                news: Notify::new(),
            }),
        }
    }

    async fn end_session(&self, session: &str) {
        self.0.note(&format!("end {session}"));
    }
}

impl DevToolsSocket for ScriptedSocket {
    fn send(&self, message: &str) -> Result<(), SocketClosed> {
        if self.is_closed.get() {
            return Err(SocketClosed);
        }
        let command: Value = serde_json::from_str(message).unwrap();
        let method = command["method"].as_str().unwrap();
        let place = if command.get("sessionId").is_some() {
            "page "
        } else {
            ""
        };
        self.script
            .note(&format!("{place}{method} {}", command["params"]));
        let id = &command["id"];
        let does = (self.script.script)(method, &command["params"]);
        let does = does.unwrap_or_else(|| Does::Answers(usual(method, &command["params"])));
        let mut incoming = self.incoming.borrow_mut();
        match does {
            Does::Answers(result) => {
                incoming.push_back(json!({"id": id, "result": result}).to_string());
            }
            Does::Refuses(words) => {
                incoming.push_back(
                    json!({"id": id, "error": {"code": -32000, "message": words}}).to_string(),
                );
            }
            Does::Nothing => {}
            Does::Closes => self.is_closed.set(true),
            Does::Says(messages) => {
                incoming.extend(
                    messages
                        .iter()
                        .map(|one| one.replace("ID", &id.to_string())),
                );
            }
        }
        drop(incoming);
        self.news.notify_one();
        Ok(())
    }

    async fn next(&self) -> Option<String> {
        loop {
            if let Some(message) = self.incoming.borrow_mut().pop_front() {
                return Some(message);
            }
            if self.is_closed.get() {
                return None;
            }
            self.news.notified().await;
        }
    }

    fn close(&self) {
        self.is_closed.set(true);
        self.script.note("close");
        self.news.notify_one();
    }
}

impl Scripted {
    fn note(&self, line: &str) {
        self.log.borrow_mut().push(line.to_owned());
    }
}

/// Returns the answer of a browser with a quiet, empty page.
fn usual(method: &str, params: &Value) -> Value {
    match method {
        "Target.createBrowserContext" => json!({"browserContextId": "C1"}),
        "Target.createTarget" => json!({"targetId": "T1"}),
        "Target.getTargetInfo" => {
            json!({"targetInfo": {"targetId": "T1", "type": "page", "browserContextId": "C1"}})
        }
        "Target.attachToTarget" => json!({"sessionId": "P1"}),
        "SystemInfo.getInfo" => json!({"commandLine": "chrome --headless"}),
        "Browser.getVersion" => json!({"userAgent": "Agent/1"}),
        "Page.createIsolatedWorld" => json!({"executionContextId": 7}),
        "Runtime.evaluate" => json!({"result": {"type": "object", "objectId": "O1"}}),
        "Runtime.callFunctionOn" => json!({"result": {"value": called(params)}}),
        "Page.navigate" => json!({"frameId": "T1"}),
        "Page.captureScreenshot" => json!({"data": "/9j/"}),
        _ => json!({}),
    }
}

/// Returns the answer of the page's script.
fn called(params: &Value) -> Value {
    match params["arguments"][0]["value"].as_str().unwrap() {
        "look" => {
            json!({"quiet": 1000, "url": "https://shop.example/", "title": "Shop", "items": [], "found": [], "elements": []})
        }
        "aim" | "ready" => {
            json!({"state": "found", "x": 10, "y": 20, "left": 0, "top": 100, "inView": true, "hasBox": true, "above": null})
        }
        "show" => json!({"state": "found", "x": 10, "y": 20, "inView": true}),
        "released" => json!({"came": "pressed", "isFrame": false}),
        "aimField" => {
            json!({"state": "found", "x": 10, "y": 20, "way": "keys", "isOwn": true, "refusal": null})
        }
        "focused" => json!({"state": "field", "origin": "https://shop.example", "way": "keys"}),
        "insert" => json!({"state": "typed"}),
        "held" => json!({"state": "same"}),
        "inspect" => json!({"values": [], "shown": ""}),
        "cover" | "uncover" => json!(true),
        _ => Value::Null,
    }
}

/// Returns the function of the page's script that a command calls.
pub fn function(method: &str, params: &Value) -> String {
    let name = params["arguments"][0]["value"].as_str();
    name.filter(|_| method == "Runtime.callFunctionOn")
        .unwrap_or_default()
        .to_owned()
}

pub fn terms() -> BrowserTerms {
    BrowserTerms {
        accepts_questions: false,
        allows_web_rtc: false,
        allows_downloads: false,
        origins: vec![
            "https://shop.example".to_owned(),
            "http://127.0.0.1:8080".to_owned(),
        ],
        loads_from_elsewhere: false,
        viewport: Viewport {
            width: 800,
            height: 600,
        },
        language: "en-US".to_owned(),
        time_zone: "Europe/Berlin".to_owned(),
        secrets: vec!["hunter2".into()],
    }
}

/// Returns a client of a browser with its usual answers, except for those in the script.
pub fn client(
    sharing: Sharing,
    script: impl Fn(&str, &Value) -> Option<Does> + 'static,
) -> (BrowserClient<Shared>, Rc<RefCell<Vec<String>>>) {
    let log = Rc::<RefCell<Vec<String>>>::default();
    let scripted = Scripted {
        script: Box::new(script),
        sharing,
        log: log.clone(),
        began: Instant::now(),
    };
    (BrowserClient::new(Shared(Rc::new(scripted)), None), log)
}

/// Runs a test in virtual time.
pub fn in_virtual_time(test: impl Future<Output = ()>) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).build().unwrap();
    runtime.block_on(LocalSet::new().run_until(test));
}

/// Opens a browser, and clears the log.
pub async fn begun(
    script: impl Fn(&str, &Value) -> Option<Does> + 'static,
) -> (DrivenBrowser<Shared>, Rc<RefCell<Vec<String>>>) {
    let (client, log) = client(Sharing::Own, script);
    let note = |_: &BrowserAddress| Ok(());
    let browser = client.begin_browser(&terms(), &note, 10_000).await.unwrap();
    // The consequences of opening are over.
    tokio::time::sleep(Duration::from_mins(1)).await;
    log.borrow_mut().clear();
    (browser, log)
}
