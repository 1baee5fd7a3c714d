//! One Chromium for all concurrent tests, and helpers to drive it.

use std::cell::RefCell;
use std::env;
use std::process;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, Weak};

use cdp::{BrowserClient, DevTools as _, DevToolsSocket, DrivenBrowser, Incoming, Sharing};
use devtools::local_browsers::{Chromium, LocalDevTools, find_chromium};
use domain::Secret;
use domain::page::{
    ActionFailure, BrowserAddress, BrowserTerms, By, Done, ElementLocator, ElementTarget, Look,
    MouseButton, PageAction, Seen, TypedText, Viewport,
};
use platform::{Browser as _, Browsers as _};
use serde_json::{Value, json};
use settings::AddressPolicy;
use tokio::task::LocalSet;

use super::site::Site;

static SHARED: Mutex<Weak<Chromium>> = Mutex::new(Weak::new());
static STARTED: AtomicU32 = AtomicU32::new(0);

pub const MS_MAX: u64 = 20_000;

/// A browser for one test.
pub struct Bench {
    pub chromium: Arc<Chromium>,
    pub client: BrowserClient<LocalDevTools>,
    pub browser: DrivenBrowser<LocalDevTools>,
    pub address: BrowserAddress,
    pub terms: BrowserTerms,
}

/// Returns the terms for a test's browser.
pub fn terms(origins: &[&str]) -> BrowserTerms {
    BrowserTerms {
        accepts_questions: false,
        allows_web_rtc: false,
        allows_downloads: false,
        origins: origins.iter().map(|origin| (*origin).to_owned()).collect(),
        loads_from_elsewhere: false,
        viewport: Viewport {
            width: 800,
            height: 600,
        },
        language: "de-DE".to_owned(),
        time_zone: "Asia/Tokyo".to_owned(),
        secrets: Vec::new(),
    }
}

/// Returns a separate Chromium if the browser is the test's own, else the shared one.
fn chromium(sharing: Sharing) -> Option<Arc<Chromium>> {
    if sharing == Sharing::Own {
        return started();
    }
    let mut shared = SHARED
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner);
    if let Some(chromium) = shared.upgrade() {
        return Some(chromium);
    }
    let chromium = started()?;
    *shared = Arc::downgrade(&chromium);
    Some(chromium)
}

fn started() -> Option<Arc<Chromium>> {
    started_with(&[])
}

/// Returns a Chromium started with these additional arguments.
pub fn started_with(arguments: &[&str]) -> Option<Arc<Chromium>> {
    let Some(path) = find_chromium() else {
        println!("No Chromium was found: this test did nothing. Set CHROMIUM to one.");
        return None;
    };
    let number = STARTED.fetch_add(1, Ordering::Relaxed);
    let profile = format!("visual-degrees-browser-{}-{number}", process::id());
    let profile = env::temp_dir().join(profile);
    let chromium = Chromium::start_with(&path, profile, arguments).unwrap();
    Some(Arc::new(chromium))
}

/// Runs a test with a browser in its own context.
pub fn with_browser(terms: &BrowserTerms, test: impl AsyncFnOnce(&Bench)) {
    with_sharing(terms, Sharing::Shared, test);
}

/// Tests with a site of this one page.
pub fn with_page(html: &str, test: impl AsyncFnOnce(&Bench, &Site)) {
    let site = Site::of(html);
    with_browser(&terms(&[site.origin()]), async |bench| {
        test(bench, &site).await;
    });
}

pub fn with_sharing(terms: &BrowserTerms, sharing: Sharing, test: impl AsyncFnOnce(&Bench)) {
    if let Some(chromium) = chromium(sharing) {
        in_chromium(chromium, terms, sharing, None, test);
    }
}

/// Runs a test in this Chromium, with a policy for all requests if given.
pub fn in_chromium(
    chromium: Arc<Chromium>,
    terms: &BrowserTerms,
    sharing: Sharing,
    addresses: Option<AddressPolicy>,
    test: impl AsyncFnOnce(&Bench),
) {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    runtime.block_on(LocalSet::new().run_until(async {
        let devtools = LocalDevTools::new(&chromium.address(), sharing);
        let client = BrowserClient::new(devtools, addresses);
        let noted = RefCell::new(Vec::new());
        let note = |address: &BrowserAddress| {
            noted.borrow_mut().push(address.clone());
            Ok(())
        };
        let browser = client.begin_browser(terms, &note, MS_MAX).await.unwrap();
        let address = noted.borrow().last().unwrap().clone();
        let bench = Bench {
            chromium,
            client,
            browser,
            address,
            terms: terms.clone(),
        };
        test(&bench).await;
        bench.browser.end().await;
    }));
}

pub fn text(text: &str) -> TypedText {
    TypedText {
        text: text.into(),
        origins: None,
    }
}

pub fn pressing(key: TypedText) -> PageAction {
    PageAction::PressKey {
        key,
        target: None,
        hold_ms: 0,
        times: 1,
    }
}

pub fn target(selector: &str, timeout_ms: u64) -> ElementTarget {
    ElementTarget {
        locator: locator(By::CssSelector, selector),
        timeout_ms,
        is_scrolled_to: true,
        fallback: None,
    }
}

pub fn locator(by: By, selector: &str) -> ElementLocator {
    ElementLocator {
        by,
        selector: Secret::from(selector),
    }
}

impl Bench {
    pub async fn act(&self, action: &PageAction) -> Result<Done, ActionFailure> {
        self.browser.act(action, MS_MAX).await
    }

    pub async fn open(&self, url: &str) {
        let action = PageAction::Navigate { url: text(url) };
        self.act(&action).await.unwrap();
    }

    pub async fn click(&self, selector: &str) -> Result<Done, ActionFailure> {
        self.click_by(target(selector, 300)).await
    }

    pub async fn click_by(&self, target: ElementTarget) -> Result<Done, ActionFailure> {
        let action = PageAction::Click {
            target,
            button: MouseButton::Left,
            clicks: 1,
            percentage: 0.5,
        };
        self.act(&action).await
    }

    pub async fn type_into(&self, selector: &str, typed: TypedText) -> Result<Done, ActionFailure> {
        let action = PageAction::Type {
            target: target(selector, 300),
            text: typed,
            interval_ms: 0,
        };
        self.act(&action).await
    }

    pub async fn look(&self) -> Seen {
        self.look_for(&Look::default()).await
    }

    pub async fn look_for(&self, look: &Look) -> Seen {
        self.browser.look(look, MS_MAX).await.unwrap()
    }

    /// Opens a browser of another run, in its own context.
    pub async fn begin_another(
        &self,
        terms: &BrowserTerms,
    ) -> (DrivenBrowser<LocalDevTools>, BrowserAddress) {
        let noted = RefCell::new(None);
        let note = |address: &BrowserAddress| {
            *noted.borrow_mut() = Some(address.clone());
            Ok(())
        };
        let browser = self.client.begin_browser(terms, &note, MS_MAX).await;
        let address = noted.borrow().clone().unwrap();
        (browser.unwrap(), address)
    }

    pub fn now_ms() -> u64 {
        LocalDevTools::new("", Sharing::Shared).now_ms()
    }

    /// Evaluates an expression in the page over a separate connection. Elements are returned as tags and ids.
    pub async fn run(&self, expression: &str) -> String {
        let devtools = LocalDevTools::new(&self.chromium.address(), Sharing::Shared);
        let socket = devtools.connect(&self.address.session).await.unwrap();
        let attach = json!({"id": 1, "method": "Target.attachToTarget", "params": {
            "targetId": self.address.target, "flatten": true,
        }});
        let attached = exchange(&socket, &attach).await;
        let tags = "const [input, textarea, div, button] = ['input', 'textarea', 'div', 'button']\
            .map((tag) => document.querySelector(tag));";
        let expression = format!("(() => {{ {tags} return String({expression}); }})()");
        let run = json!({"id": 2, "method": "Runtime.evaluate", "sessionId": attached["sessionId"],
            "params": {"expression": expression, "returnByValue": true}});
        let value = exchange(&socket, &run).await;
        socket.close();
        value["result"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    /// Evaluates an expression in a new, unguarded page.
    pub async fn run_unguarded(&self, expression: &str) -> Value {
        let devtools = LocalDevTools::new(&self.chromium.address(), Sharing::Shared);
        let socket = devtools.connect(&self.address.session).await.unwrap();
        let create =
            json!({"id": 1, "method": "Target.createTarget", "params": {"url": "about:blank"}});
        let created = exchange(&socket, &create).await;
        let attach = json!({"id": 2, "method": "Target.attachToTarget", "params": {
            "targetId": created["targetId"], "flatten": true,
        }});
        let attached = exchange(&socket, &attach).await;
        let run = json!({"id": 3, "method": "Runtime.evaluate", "sessionId": attached["sessionId"],
            "params": {"expression": expression, "returnByValue": true}});
        let value = exchange(&socket, &run).await;
        socket.close();
        value["result"]["value"].clone()
    }

    /// Crashes the page's process.
    pub async fn crash(&self) {
        let devtools = LocalDevTools::new(&self.chromium.address(), Sharing::Shared);
        let socket = devtools.connect(&self.address.session).await.unwrap();
        let attach = json!({"id": 1, "method": "Target.attachToTarget", "params": {
            "targetId": self.address.target, "flatten": true,
        }});
        let attached = exchange(&socket, &attach).await;
        let crash = json!({"id": 2, "method": "Page.crash", "sessionId": attached["sessionId"]});
        socket.send(&crash.to_string()).unwrap();
        self.pause(500).await;
        socket.close();
    }

    /// Waits for this remark. Returns all remarks up to it.
    pub async fn wait_for_remark(&self, remark: &str) -> Vec<String> {
        let mut remarks = Vec::new();
        for _ in 0..150 {
            remarks.extend(self.browser.take_remarks());
            if remarks.iter().any(|one| one == remark) {
                return remarks;
            }
            self.pause(20).await;
        }
        panic!("nobody remarked {remark:?}: {remarks:?}");
    }

    pub async fn pause(&self, ms: u64) {
        tokio::time::sleep(std::time::Duration::from_millis(ms)).await;
    }

    /// Returns the visible texts.
    pub async fn texts(&self) -> Vec<String> {
        let items = self.look().await.view.signals.items.unwrap();
        items.into_iter().map(|item| item.text).collect()
    }
}

/// Sends a command and waits for its answer.
async fn exchange(socket: &impl DevToolsSocket, command: &Value) -> Value {
    socket.send(&command.to_string()).unwrap();
    loop {
        let message = socket.next().await.unwrap();
        if let Some(Incoming::Answer { id, outcome }) = Incoming::read(&message)
            && command["id"] == id
        {
            return outcome.unwrap();
        }
    }
}
