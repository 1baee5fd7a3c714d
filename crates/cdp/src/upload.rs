//! Gives files to a page: to a field for files, to the field for which a button opens a file chooser, or to an element on
//! which files are dropped.

use domain::page::{ActionFailure, Done, ElementTarget, UploadedFile};
use serde_json::{Value, json};

use crate::actions::{failed, missing, script_failure};
use crate::aiming;
use crate::connection::{CallError, DevTools};
use crate::driven_browser::DrivenBrowser;
use crate::fields::word;
use crate::gestures::{self, Gesture};
use crate::look::ELEMENT_AGAIN_MS;
use crate::world::ScriptError;

/// How long the page has to open a file chooser after a click, in milliseconds.
const CHOOSER_MS_MAX: u64 = 1_000;
const CHOOSER_AGAIN_MS: u64 = 20;
const TAKEN_OUT: &str = "The page has taken the files out of their field.";
const NO_FIELD: &str = "the element is no field for files, takes none that are dropped, and opens no file chooser when \
                        it is clicked; nothing was uploaded";
const ELSEWHERE: &str =
    "the file chooser that opened is that of another frame than the element; nothing was uploaded";
const IGNORED: &str = "the files were dropped, and the page does not say that it took them";
const SINGLE: &str = "the field takes one file alone; nothing was uploaded";

/// Gives files to the element that a target finds, once it can have them.
pub(crate) async fn upload<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    files: &[UploadedFile],
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let is_field = aim(browser, target, files.len(), until_ms).await?;
    let content = files.iter().map(
        |file| json!({"name": file.name, "type": file.media_type, "base64": file.base64.reveal()}),
    );
    let content = json!({"files": content.collect::<Vec<_>>()});
    if is_field {
        return give(browser, &content, until_ms).await;
    }
    let is_taken_everywhere = match drop_files(browser, &content, until_ms).await? {
        Dropped::Taken => return Ok(Done::default()),
        Dropped::Refused => false,
        Dropped::TakenEverywhere => true,
    };
    browser.events.borrow_mut().chooser.await_one();
    let opened = open_chooser(browser, target, until_ms).await;
    let field = browser.events.borrow_mut().chooser.end();
    opened?;
    let frame = browser.aimed();
    // The browser's ids of nodes are those of one process.
    let session = browser.world.session(&frame);
    let is_elsewhere = |field: &ChooserField| field.session.as_ref() != Some(&session);
    if field.as_ref().is_some_and(is_elsewhere) {
        return Err(failed(ELSEWHERE));
    }
    let Some(field) = field else {
        let mut content = content;
        if let Some(members) = content.as_object_mut().filter(|_| is_taken_everywhere) {
            members.insert("isForced".to_owned(), true.into());
            drop_files(browser, &content, until_ms).await?;
            return Ok(Done::default());
        }
        return Err(failed(NO_FIELD));
    };
    let learnt = browser.world.tell_node(
        &browser.connection,
        &frame,
        "learnReceiver",
        field.node,
        until_ms,
    );
    learnt.await.map_err(once)?;
    give(browser, &content, until_ms).await
}

/// What a page says to files that are dragged over an element.
enum Dropped {
    /// It takes them there, and they were dropped.
    Taken,
    /// It takes none there.
    Refused,
    /// It would take them wherever they are, as pages do that keep the browser from opening them. They were not dropped.
    TakenEverywhere,
}

async fn drop_files<D: DevTools>(
    browser: &DrivenBrowser<D>,
    content: &Value,
    until_ms: u64,
) -> Result<Dropped, ActionFailure> {
    let dropped = browser.call_once("dropFiles", content, until_ms).await;
    match word(&dropped.map_err(once)?, "state") {
        "given" => Ok(Dropped::Taken),
        "refused" => Ok(Dropped::Refused),
        "everywhere" => Ok(Dropped::TakenEverywhere),
        "ignored" => Err(ActionFailure::UnknownOutcome(IGNORED.to_owned())),
        _ => Err(failed("the element is gone; nothing was uploaded")),
    }
}

/// Waits for the element, and for a field that is enabled. Returns whether it is a field for files.
async fn aim<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    count: usize,
    until_ms: u64,
) -> Result<bool, ActionFailure> {
    let end_ms = browser.now_ms().saturating_add(target.timeout_ms);
    let locator = &target.locator;
    let wish =
        json!({"by": locator.by.as_str(), "selector": locator.selector.reveal(), "count": count});
    loop {
        let found = aiming::find(browser, "aimFiles", locator, wish.clone(), until_ms).await?;
        let told = |name: &str| found.get(name).and_then(Value::as_str);
        if let Some(words) = told("words") {
            return Err(failed(&format!("{words}; nothing was uploaded")));
        }
        let lack = told("lack").map(str::to_owned);
        let is_found = word(&found, "state") == "found";
        if is_found && lack.is_none() {
            return Ok(found.get("isField") == Some(&Value::Bool(true)));
        }
        let next_ms = browser.now_ms().saturating_add(ELEMENT_AGAIN_MS);
        if next_ms > end_ms || next_ms >= until_ms {
            return Err(match lack {
                Some(words) => failed(&format!("{words}; nothing was uploaded")),
                None => missing(target.timeout_ms),
            });
        }
        browser.connection.devtools().sleep(ELEMENT_AGAIN_MS).await;
    }
}

/// Puts the files into the field that the page's script knows.
async fn give<D: DevTools>(
    browser: &DrivenBrowser<D>,
    content: &Value,
    until_ms: u64,
) -> Result<Done, ActionFailure> {
    let given = browser.call_once("giveFiles", content, until_ms).await;
    let given = match given {
        Ok(given) => given,
        // A page may go on by itself once it has its files.
        Err(ScriptError::Call(CallError::Refused(words))) if words.contains("destroyed") => {
            return Ok(Done::default());
        }
        Err(error) => return Err(once(error)),
    };
    match word(&given, "state") {
        "given" => {}
        "single" => return Err(failed(SINGLE)),
        "other" => return Err(failed("the field holds other files by now")),
        _ => return Err(failed("the field is gone; nothing was uploaded")),
    }
    if given.get("held").and_then(Value::as_u64) == Some(0) {
        browser.events.borrow_mut().remarks.add(TAKEN_OUT);
    }
    Ok(Done::default())
}

/// Clicks the element, and waits until the page opens a file chooser or has had the time for it.
async fn open_chooser<D: DevTools>(
    browser: &DrivenBrowser<D>,
    target: &ElementTarget,
    until_ms: u64,
) -> Result<(), ActionFailure> {
    gestures::perform(browser, target, 0.5, Gesture::LEFT_CLICK, until_ms).await?;
    let end_ms = browser
        .now_ms()
        .saturating_add(CHOOSER_MS_MAX)
        .min(until_ms);
    while !browser.events.borrow().chooser.has_opened() && browser.now_ms() < end_ms {
        browser.connection.devtools().sleep(CHOOSER_AGAIN_MS).await;
    }
    Ok(())
}

/// Converts the failure of a call that may have given the files.
fn once(error: ScriptError) -> ActionFailure {
    match error {
        ScriptError::Call(CallError::Refused(_)) => {
            failed("the page became another one before it had the files")
        }
        ScriptError::Call(_) => ActionFailure::UnknownOutcome(error.into_words()),
        ScriptError::Thrown => script_failure(error),
    }
}

/// The file chooser that a page opens while an action waits for one.
#[derive(Debug, Default)]
pub(crate) struct Chooser {
    is_awaited: bool,
    /// The field for which it was opened.
    field: Option<ChooserField>,
}

/// The field for which a page has opened a file chooser.
#[derive(Debug)]
struct ChooserField {
    /// The browser's id of the field.
    node: u64,
    /// The session in which the id is valid.
    session: Option<String>,
}

impl Chooser {
    fn await_one(&mut self) {
        *self = Self {
            is_awaited: true,
            field: None,
        };
    }

    /// Notes the field of a chooser, and the session that tells of it. Returns whether an action waits for it.
    pub(crate) fn open(&mut self, node: Option<u64>, session: Option<&str>) -> bool {
        if self.is_awaited {
            self.field = node.map(|node| ChooserField {
                node,
                session: session.map(str::to_owned),
            });
        }
        self.is_awaited
    }

    fn has_opened(&self) -> bool {
        self.field.is_some()
    }

    fn end(&mut self) -> Option<ChooserField> {
        std::mem::take(self).field
    }
}
