//! Browsers over the `DevTools` protocol: starts a run's browser, resumes it, and closes it.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use domain::page::{BrowserAddress, BrowserTerms};
use futures::future::{Either, select};
use mask::Mask;
use platform::{AddressWriter, BrowserError, Browsers};
use serde_json::{Value, json};
use settings::AddressPolicy;

use crate::connection::{CallError, Command, Connection, DevTools, Sharing};
use crate::driven_browser::{self, DrivenBrowser};
use crate::guard::Guard;
use crate::page_events::PageEvents;
use crate::setup::{self, Network, Place, Preparation};
use crate::world::World;

/// The longest time, in milliseconds, for closing a browser that an earlier process has opened for the run.
const END_MS_MAX: u64 = 15_000;

/// A client of browsers over the `DevTools` protocol.
pub struct BrowserClient<D> {
    devtools: Rc<D>,
    addresses: Option<AddressPolicy>,
}

/// A connection to a browser in which the run's page is not known yet.
struct Connected<D: DevTools> {
    connection: Connection<D>,
    events: Rc<RefCell<PageEvents>>,
    guard: Rc<Guard>,
    mask: Rc<Mask>,
    network: Network,
}

impl<D: DevTools> BrowserClient<D> {
    /// Creates a client. With a policy, no page may request an address that the policy refuses, whatever the run's
    /// origins.
    pub fn new(devtools: D, addresses: Option<AddressPolicy>) -> Self {
        Self {
            devtools: Rc::new(devtools),
            addresses,
        }
    }

    /// Waits for a future, at most until `until_ms`.
    async fn within<T>(
        &self,
        until_ms: u64,
        what: &str,
        future: impl Future<Output = Result<T, String>>,
    ) -> Result<T, BrowserError> {
        let left_ms = until_ms.saturating_sub(self.devtools.now_ms());
        let sleep = std::pin::pin!(self.devtools.sleep(left_ms));
        match select(std::pin::pin!(future), sleep).await {
            Either::Left((outcome, _)) => outcome.map_err(BrowserError::Failed),
            Either::Right(_) => Err(BrowserError::Failed(format!("{what} took too long"))),
        }
    }

    async fn turn(&self, until_ms: u64) -> Result<Rc<D::Turn>, BrowserError> {
        let turn = async { Ok(Rc::new(self.devtools.take_turn().await)) };
        self.within(until_ms, "the wait for a free browser", turn)
            .await
    }

    async fn connect(
        &self,
        terms: &BrowserTerms,
        session: &str,
        until_ms: u64,
    ) -> Result<Connected<D>, BrowserError> {
        let connecting = self.devtools.connect(session);
        let socket = self
            .within(until_ms, "the connection to the browser", connecting)
            .await?;
        let guard = Rc::new(Guard::new(terms, self.addresses.clone()));
        let mask = Rc::new(Mask::new(&terms.secrets));
        let events = Rc::new(RefCell::new(PageEvents::new(
            guard.clone(),
            mask.clone(),
            terms,
        )));
        let listening = (events.clone(), self.devtools.clone());
        let listener = move |event| {
            let (events, devtools) = &listening;
            events.borrow_mut().take(&event, devtools.now_ms())
        };
        let connection = Connection::open(self.devtools.clone(), socket, Box::new(listener));
        let network = match self.devtools.sharing() {
            Sharing::Shared => Network::KeptIn,
            Sharing::Own => network(&connection, until_ms).await?,
        };
        events.borrow_mut().set_network(network);
        Ok(Connected {
            connection,
            events,
            guard,
            mask,
            network,
        })
    }

    /// Creates a browser context and a page in it. The ids of both are stored in `address` before they are used, so
    /// that they can be closed after a crash.
    async fn begin_page(
        &self,
        terms: &BrowserTerms,
        address: &mut BrowserAddress,
        note: AddressWriter<'_>,
        until_ms: u64,
    ) -> Result<Connected<D>, BrowserError> {
        let connected = self.connect(terms, &address.session, until_ms).await?;
        let params = setup::context(&connected.guard, connected.network);
        let context = connected
            .ask(
                "Target.createBrowserContext",
                params,
                "browserContextId",
                until_ms,
            )
            .await?;
        address.context = Some(context.clone());
        note(address)?;
        let params = json!({"url": "about:blank", "browserContextId": context});
        let target = connected.ask("Target.createTarget", params, "targetId", until_ms);
        address.target = Some(target.await?);
        note(address)?;
        Ok(connected)
    }

    async fn begin_in(
        &self,
        terms: &BrowserTerms,
        address: &mut BrowserAddress,
        note: AddressWriter<'_>,
        until_ms: u64,
        turn: Rc<D::Turn>,
    ) -> Result<DrivenBrowser<D>, BrowserError> {
        note(address)?;
        let connected = self.begin_page(terms, address, note, until_ms).await?;
        let browser = connected.prepare(terms, address, until_ms, turn).await?;
        browser.events.borrow_mut().page.is_blank = true;
        Ok(browser)
    }
}

/// Returns how a provider's browser reaches the web. If the browser was started with a proxy, or does not say whether
/// it was, requests that bypass that proxy may fail.
///
/// Source: <https://chromedevtools.github.io/devtools-protocol/tot/SystemInfo/#method-getInfo>
async fn network<D: DevTools>(
    connection: &Connection<D>,
    until_ms: u64,
) -> Result<Network, BrowserError> {
    let command = Command::to_browser("SystemInfo.getInfo", json!({}));
    let info = match connection.call(command, until_ms).await {
        Ok(info) => info,
        Err(CallError::Refused(_)) => Value::Null,
        Err(error) => return Err(BrowserError::Failed(error.into_words())),
    };
    let started = info.get("commandLine").and_then(Value::as_str);
    let is_kept_in = started.is_some_and(|started| !started.contains("--proxy-"));
    Ok(if is_kept_in {
        Network::KeptIn
    } else {
        Network::Provided
    })
}

impl<D: DevTools> Connected<D> {
    /// Sends a command to the browser, and returns one member of its result.
    async fn ask(
        &self,
        method: &'static str,
        params: Value,
        name: &str,
        until_ms: u64,
    ) -> Result<String, BrowserError> {
        let command = Command::to_browser(method, params);
        let result = self
            .connection
            .call(command, until_ms)
            .await
            .map_err(|error| BrowserError::Failed(error.into_words()))?;
        let value = result.get(name).and_then(Value::as_str);
        value.map(str::to_owned).ok_or_else(|| {
            BrowserError::Failed(format!("the browser's answer to {method} has no {name}"))
        })
    }

    /// Prepares the run's page before any address is opened in it.
    async fn prepare(
        self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        until_ms: u64,
        turn: Rc<D::Turn>,
    ) -> Result<DrivenBrowser<D>, BrowserError> {
        let missing = || BrowserError::Failed("the run's page was not made yet".to_owned());
        let context = address.context.clone().ok_or_else(missing)?;
        let target = address.target.clone().ok_or_else(missing)?;
        let agent = self
            .ask("Browser.getVersion", json!({}), "userAgent", until_ms)
            .await?;
        let params = json!({"targetId": target, "flatten": true});
        let session = self.ask("Target.attachToTarget", params, "sessionId", until_ms);
        let place = Place {
            context,
            target,
            session: session.await?,
        };
        let preparation = Preparation::new(terms, &self.guard, self.network, agent, &place.target);
        let preparation = Rc::new(preparation);
        self.events
            .borrow_mut()
            .set_place(place.clone(), &address.tabs, preparation.clone());
        let sharing = self.connection.devtools().sharing();
        let steps = preparation.page(&place, terms, sharing);
        let is_needed: Vec<bool> = steps.iter().map(|step| step.is_needed).collect();
        let commands = steps.into_iter().map(|step| step.command).collect();
        let results = self.connection.call_all(commands, until_ms).await;
        for (result, is_needed) in results.into_iter().zip(is_needed) {
            match result {
                Err(CallError::Refused(_)) if !is_needed => {}
                Err(error) => return Err(BrowserError::Failed(error.into_words())),
                Ok(_) => {}
            }
        }
        Ok(DrivenBrowser {
            world: World::new(preparation.library.clone(), self.events.clone()),
            preparation,
            has_preloaded_script: Cell::default(),
            aimed: RefCell::default(),
            file: RefCell::default(),
            allows_downloads: terms.allows_downloads,
            connection: self.connection,
            events: self.events,
            guard: self.guard,
            mask: self.mask,
            context: place.context,
            viewport: terms.viewport,
            session: address.session.clone(),
            turn,
        })
    }
}

impl<D: DevTools> Browsers for BrowserClient<D> {
    type Browser = DrivenBrowser<D>;

    async fn begin_browser(
        &self,
        terms: &BrowserTerms,
        note: AddressWriter<'_>,
        ms_max: u64,
    ) -> Result<DrivenBrowser<D>, BrowserError> {
        let until_ms = self.devtools.now_ms().saturating_add(ms_max);
        let turn = self.turn(until_ms).await?;
        let beginning = self.devtools.begin_session();
        let session = self.within(until_ms, "the beginning of a browser", beginning);
        let mut address = BrowserAddress {
            session: session.await?,
            context: None,
            target: None,
            tabs: Vec::new(),
        };
        let begun = self
            .begin_in(terms, &mut address, note, until_ms, turn)
            .await;
        if begun.is_err() {
            self.end_browser(&address).await;
        }
        begun
    }

    async fn attach_browser(
        &self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        lost: Option<&DrivenBrowser<D>>,
        ms_max: u64,
    ) -> Result<DrivenBrowser<D>, BrowserError> {
        let until_ms = self.devtools.now_ms().saturating_add(ms_max);
        let turn = match lost {
            Some(lost) => lost.turn.clone(),
            None => self.turn(until_ms).await?,
        };
        let connected = self.connect(terms, &address.session, until_ms).await?;
        let target = address.target.as_deref().unwrap_or_default();
        let command = Command::to_browser("Target.getTargetInfo", json!({"targetId": target}));
        let info = connected
            .connection
            .call(command, until_ms)
            .await
            .map_err(|error| BrowserError::Failed(error.into_words()))?;
        let context = info.pointer("/targetInfo/browserContextId");
        if context.and_then(Value::as_str) != address.context.as_deref() {
            let words = "the run's page is in another context by now";
            return Err(BrowserError::Failed(words.to_owned()));
        }
        let attached = connected.prepare(terms, address, until_ms, turn).await?;
        if let Some(lost) = lost {
            attached.take_over(terms, lost, until_ms).await;
        }
        Ok(attached)
    }

    async fn end_browser(&self, address: &BrowserAddress) {
        let until_ms = self.devtools.now_ms().saturating_add(END_MS_MAX);
        let connecting = self.devtools.connect(&address.session);
        let socket = self.within(until_ms, "the connection to the browser", connecting);
        if let Ok(socket) = socket.await {
            let listener = Box::new(|_| crate::connection::Reaction::default());
            let connection = Connection::open(self.devtools.clone(), socket, listener);
            let mut targets = address.tabs.clone();
            targets.extend(address.target.clone());
            driven_browser::close(&connection, &targets, address.context.as_deref()).await;
        }
        if self.devtools.sharing() == Sharing::Own {
            let end = async {
                self.devtools.end_session(&address.session).await;
                Ok(())
            };
            // If the session cannot be ended now, it times out by itself. So a failure is ignored.
            let _ = self.within(until_ms, "the end of a browser", end).await;
        }
    }
}
