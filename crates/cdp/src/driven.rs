//! A browser that is driven for one run.

use std::cell::RefCell;
use std::rc::Rc;

use serde_json::{Value, json};

use domain::page::{BrowserGone, BrowserTerms, Viewport};
use mask::Mask;

use crate::connection::{CallError, Connection};
use crate::devtools::DevTools;
use crate::guard::Guard;
use crate::message::Command;
use crate::page_events::PageEvents;
use crate::place::Place;
use crate::setup;
use crate::world::{ScriptError, World};

/// How long ending may take, in milliseconds.
const END_MS_MAX: u64 = 5_000;
/// How often, and how soon again, what went with another connection is set.
const TAKE_OVER_MAX: u32 = 20;
const TAKE_OVER_AGAIN_MS: u64 = 25;
/// How soon it is seen again whether a page is gone, in milliseconds.
const LEAVE_AGAIN_MS: u64 = 5;

/// A browser that is driven for one run.
pub struct DrivenBrowser<D: DevTools> {
    pub(crate) connection: Connection<D>,
    pub(crate) events: Rc<RefCell<PageEvents>>,
    pub(crate) world: World,
    pub(crate) guard: Rc<Guard>,
    pub(crate) mask: Rc<Mask>,
    pub(crate) place: Place,
    pub(crate) viewport: Viewport,
    /// The id of the provider's session.
    pub(crate) session: String,
    /// The place among all browsers, which is free for others once nobody has it.
    pub(crate) turn: Rc<D::Turn>,
}

impl<D: DevTools> DrivenBrowser<D> {
    pub(crate) fn now_ms(&self) -> u64 {
        self.connection.devtools().now_ms()
    }

    /// Sends a command to the page.
    pub(crate) async fn command(
        &self,
        method: &'static str,
        params: Value,
        until_ms: u64,
    ) -> Result<Value, CallError> {
        let command = Command::to_page(&self.place.session, method, params);
        self.connection.call(command, until_ms).await
    }

    /// Calls a function of the page's script.
    pub(crate) async fn script(
        &self,
        name: &str,
        argument: &Value,
        until_ms: u64,
    ) -> Result<Value, ScriptError> {
        self.world
            .call(&self.connection, name, argument, until_ms)
            .await
    }

    /// Returns the middle of the viewport.
    pub(crate) fn middle(&self) -> (f64, f64) {
        let half = |pixels: u32| f64::from(pixels) / 2.0;
        (half(self.viewport.width), half(self.viewport.height))
    }

    /// Waits until a page is gone that must not be looked at. Fails where that takes until `until_ms`.
    pub(crate) async fn wait_until_left(&self, until_ms: u64) -> Result<(), BrowserGone> {
        loop {
            if let Some(words) = self.events.borrow().refused_pages.leaving() {
                if self.now_ms().saturating_add(LEAVE_AGAIN_MS) >= until_ms {
                    return Err(BrowserGone(words.to_owned()));
                }
            } else {
                return Ok(());
            }
            self.connection.devtools().sleep(LEAVE_AGAIN_MS).await;
        }
    }

    /// Goes on alone where another connection has guarded the page, too: that one is closed, and what goes with
    /// it is set again.
    pub(crate) async fn take_over(&self, terms: &BrowserTerms, lost: &Self, until_ms: u64) {
        lost.connection.close();
        for _ in 0..TAKE_OVER_MAX {
            let settings = setup::settings(&self.place, terms);
            let results = self.connection.call_all(settings, until_ms).await;
            if !matches!(results.first(), Some(Err(CallError::Refused(_)))) {
                return;
            }
            self.connection.devtools().sleep(TAKE_OVER_AGAIN_MS).await;
        }
    }

    /// Takes down that something is done to the page now.
    pub(crate) fn note_cause(&self) {
        let now_ms = self.now_ms();
        self.events.borrow_mut().settling.cause(now_ms);
    }
}

/// Closes a page and its context, which the browser does where the page itself hangs, too.
pub(crate) async fn close<D: DevTools>(
    connection: &Connection<D>,
    target: Option<&str>,
    context: Option<&str>,
) {
    let until_ms = connection.devtools().now_ms().saturating_add(END_MS_MAX);
    let target = target.map(|target| ("Target.closeTarget", json!({"targetId": target})));
    let context = context.map(|context| {
        (
            "Target.disposeBrowserContext",
            json!({"browserContextId": context}),
        )
    });
    let commands = target.into_iter().chain(context);
    let commands = commands.map(|(method, params)| Command::to_browser(method, params));
    // What cannot be closed any more is gone.
    connection.call_all(commands.collect(), until_ms).await;
}
