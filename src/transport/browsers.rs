//! Connections to browsers. These are the platform's browsers, by its binding, or a browser at an address.

use std::cell::RefCell;
use std::future::poll_fn;
use std::rc::Rc;

use cdp::{BrowserClient, DevTools, DevToolsSocket, Sharing, SocketClosed};
use futures::channel::mpsc;
use futures::future::LocalBoxFuture;
use futures::{SinkExt as _, StreamExt as _};
use serde_json::Value;
use settings::BrowserSettings;
use url::Url;
use worker::wasm_bindgen_futures::spawn_local;
use worker::{
    Env, Fetch, Fetcher, Headers, Method, Request, RequestInit, Response, WebSocket, WebsocketEvent,
};

use platform::BrowserError;
use platform::isolate::{Turn, Turns};

use super::bindings::{browser_binding, now_ms, settings, sleep};
use super::network::read_pieces;

/// The address for requests to the binding; its host is ignored. <https://developers.cloudflare.com/browser-rendering/>
const BINDING_ADDRESS: &str = "https://browser/v1/devtools/browser";
/// How long the platform keeps an idle browser open, in milliseconds. This is the longest time that it allows.
const KEEP_ALIVE_MS: u32 = 600_000;
/// The delay before a browser is requested again if the platform reports too many requests, in milliseconds.
const AGAIN_MS: u64 = 2_000;
/// The part of the platform's message by which a used-up daily quota of browsers is recognised.
const SPENT_WORDS: &str = "for today";
/// The HTTP status for too many requests.
const TOO_MANY: u16 = 429;
/// The session id of a browser if its configured address is already the address of its socket.
const PLAIN_SESSION: &str = "/";
/// The longest response about a browser's session, in bytes.
const ANSWER_BYTES_MAX: usize = 64 * 1024;
/// The most messages from a browser that wait to be read.
const MESSAGES_MAX: usize = 64;

thread_local! {
    /// The queue for the browsers of this isolate, with the number of browsers that may be open at once.
    static TURNS: RefCell<Option<(u32, Rc<Turns>)>> = const { RefCell::new(None) };
}

/// The operator's browsers.
pub(crate) struct EdgeDevTools {
    env: Env,
    settings: BrowserSettings,
}

/// A connection to a browser.
pub(crate) struct EdgeSocket {
    socket: WebSocket,
    messages: RefCell<mpsc::Receiver<String>>,
}

impl EdgeDevTools {
    pub(crate) fn new(env: &Env, settings: BrowserSettings) -> Self {
        Self {
            env: env.clone(),
            settings,
        }
    }

    fn binding(&self) -> Result<Fetcher, String> {
        let lack = || "this Worker has no binding BROWSER".to_owned();
        browser_binding(&self.env).ok_or_else(lack)
    }

    async fn begin_bound(&self) -> Result<String, String> {
        let address = format!("{BINDING_ADDRESS}?keep_alive={KEEP_ALIVE_MS}");
        loop {
            let request = request(&address, Method::Post, false)?;
            let fetched = self.binding()?.fetch_request(request).await;
            let answer = fetched.map_err(|error| unreachable_words(&error))?;
            let status = answer.status_code();
            let text = text_of(answer).await;
            if status == TOO_MANY && !text.contains(SPENT_WORDS) {
                sleep(AGAIN_MS).await;
                continue;
            }
            let body: Value = serde_json::from_str(&text).unwrap_or_default();
            let session = body.get("sessionId").and_then(Value::as_str);
            return session.map(str::to_owned).ok_or_else(|| {
                let says: String = text.chars().take(200).collect();
                format!("the platform gave no browser: {status} {says}")
            });
        }
    }

    /// Returns the path of the socket of the browser at an address.
    async fn begin_at(&self, address: &str) -> Result<String, String> {
        if address.starts_with("ws") {
            return Ok(PLAIN_SESSION.to_owned());
        }
        let version = format!("{}/json/version", address.trim_end_matches('/'));
        let request = request(&version, Method::Get, false)?;
        let fetched = Fetch::Request(request).send().await;
        let answer = fetched.map_err(|error| unreachable_words(&error))?;
        let body: Value = serde_json::from_str(&text_of(answer).await).unwrap_or_default();
        let socket = body.get("webSocketDebuggerUrl").and_then(Value::as_str);
        let path = socket.and_then(|socket| socket.get(socket.find("/devtools/")?..));
        let lack = || "no browser's DevTools answer at BROWSER_CDP".to_owned();
        path.map(str::to_owned).ok_or_else(lack)
    }
}

impl DevTools for EdgeDevTools {
    type Socket = EdgeSocket;
    type Turn = Turn;

    fn now_ms(&self) -> u64 {
        now_ms()
    }

    async fn sleep(&self, ms: u64) {
        sleep(ms).await;
    }

    fn spawn(&self, task: LocalBoxFuture<'static, ()>) {
        spawn_local(task);
    }

    fn sharing(&self) -> Sharing {
        match self.settings.address {
            None => Sharing::Own,
            Some(_) => Sharing::Shared,
        }
    }

    async fn take_turn(&self) -> Turn {
        let places = self.settings.browsers_max;
        let turns = TURNS.with(|turns| {
            let mut turns = turns.borrow_mut();
            let known = turns.as_ref().filter(|(known, _)| *known == places);
            let known = known.map(|(_, turns)| turns.clone());
            known.unwrap_or_else(|| {
                let made = Rc::new(Turns::new(places.try_into().unwrap_or(usize::MAX)));
                *turns = Some((places, made.clone()));
                made
            })
        });
        turns.take(&async |ms| sleep(ms).await).await
    }

    async fn begin_session(&self) -> Result<String, String> {
        match &self.settings.address {
            None => self.begin_bound().await,
            Some(address) => self.begin_at(address).await,
        }
    }

    async fn connect(&self, session: &str) -> Result<EdgeSocket, String> {
        let answer = match &self.settings.address {
            None => {
                let address = format!("{BINDING_ADDRESS}/{session}");
                let request = request(&address, Method::Get, true)?;
                self.binding()?.fetch_request(request).await
            }
            Some(address) => {
                let address = match session {
                    PLAIN_SESSION => address.clone(),
                    path => format!("{}{path}", address.trim_end_matches('/')),
                };
                let address =
                    address.replacen("ws", "http", usize::from(address.starts_with("ws")));
                Fetch::Request(request(&address, Method::Get, true)?)
                    .send()
                    .await
            }
        };
        let answer = answer.map_err(|error| unreachable_words(&error))?;
        EdgeSocket::of(answer)
    }

    async fn end_session(&self, session: &str) {
        let address = format!("{BINDING_ADDRESS}/{session}");
        if let (Ok(binding), Ok(request)) =
            (self.binding(), request(&address, Method::Delete, false))
        {
            // A session that cannot be closed is ended by the platform once it is idle.
            let _ = binding.fetch_request(request).await;
        }
    }
}

impl EdgeSocket {
    fn of(answer: Response) -> Result<Self, String> {
        let status = answer.status_code();
        let lack = || format!("the browser takes no connection: {status}");
        let socket = answer.websocket().ok_or_else(lack)?;
        socket.accept().map_err(|error| unreachable_words(&error))?;
        let (mut sender, receiver) = mpsc::channel(MESSAGES_MAX);
        let reading = socket.clone();
        spawn_local(async move {
            let Ok(mut events) = reading.events() else {
                return;
            };
            while let Some(Ok(WebsocketEvent::Message(message))) = events.next().await {
                let Some(text) = message.text() else { continue };
                if sender.send(text).await.is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            socket,
            messages: RefCell::new(receiver),
        })
    }
}

impl DevToolsSocket for EdgeSocket {
    fn send(&self, message: &str) -> Result<(), SocketClosed> {
        let sent = self.socket.send_with_str(message);
        sent.map_err(|_| SocketClosed)
    }

    async fn next(&self) -> Option<String> {
        poll_fn(|context| self.messages.borrow_mut().poll_next_unpin(context)).await
    }

    fn close(&self) {
        // Closing a closed connection fails, which does not matter.
        let _ = self.socket.close(Some(1_000), Some("done"));
    }
}

/// Returns the text of a short response; an empty text if the response is too long or breaks off.
async fn text_of(answer: Response) -> String {
    let body = read_pieces(answer, ANSWER_BYTES_MAX).await;
    String::from_utf8(body.unwrap_or_default()).unwrap_or_default()
}

fn request(address: &str, method: Method, upgrades: bool) -> Result<Request, String> {
    let url = Url::parse(address).map_err(|_| "the browser's address is not a URL".to_owned())?;
    let headers = Headers::new();
    let mut init = RequestInit::new();
    if upgrades {
        let set = headers.set("upgrade", "websocket");
        set.map_err(|error| unreachable_words(&error))?;
    }
    init.with_method(method).with_headers(headers);
    Request::new_with_init(url.as_str(), &init).map_err(|error| unreachable_words(&error))
}

fn unreachable_words(error: &worker::Error) -> String {
    let says: String = error.to_string().chars().take(200).collect();
    format!("the browser cannot be reached: {says}")
}

/// Returns the client for the operator's browsers.
pub(crate) fn client(env: &Env) -> Result<BrowserClient<EdgeDevTools>, BrowserError> {
    let lack = || BrowserError::Failed("this server's operator has set no browser".to_owned());
    let providers = settings(env).providers.map_err(|_| lack())?;
    let browser = providers.browser.ok_or_else(lack)?;
    // A browser on this machine is for development. Its pages are on this machine too, so addresses are not checked.
    let addresses = (!browser.is_local()).then_some(providers.addresses);
    Ok(BrowserClient::new(
        EdgeDevTools::new(env, browser),
        addresses,
    ))
}
