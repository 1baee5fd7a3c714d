//! Drives the browser of one run: looks at pages, executes actions, and charges what they cost.

use std::cell::{Cell, RefCell};

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Done, DownloadedFile, Look,
    PagePicture, PageView, Seen, StoredFile,
};
use domain::{Secret, Sha256Digest};
use engine::RunContext;
use mask::Mask;
use platform::{Browser, Browsers, Effects, RunBrowser, Stop, WriteError, timeout};
use providers::calls::Attempts;

use crate::machine::actions::BrowserAction;
use crate::machine::{Command, Looked, Outcome};
use crate::wire::{AutomatonEngine, AutomatonNote, AutomatonOrder, DialogAnswer};

use super::values::{TypedSecrets, Values, deed};

/// The longest time that a waiting run leaves its browser idle, in milliseconds. The platform closes a browser that has
/// been idle for a minute.
const IDLE_MS_MAX: u64 = 30_000;
/// The most items, and the most elements, that are stored of a page.
const ITEMS_MAX: usize = 1_000;
const ELEMENTS_MAX: usize = 300;
/// The message for viewers when pictures are no longer stored.
const WITHHELD: &str =
    "From here on no picture is kept: a secret was typed, and a page may show it in any form.";
const HAS_SECRET: &str = "the file was downloaded and is not kept: a secret is in it";
const NO_ROOM: &str =
    "the file was downloaded and is not kept: there is no room for it beside this run";
/// The most attempts at one look. A second attempt makes sense because the page may outlive a lost connection.
const LOOKS_MAX: u32 = 2;

/// Drives the browser of one run, and remembers the last page that it showed.
pub(super) struct Driver<'run, E: Browsers> {
    effects: &'run E,
    browser: RunBrowser<'run, E>,
    terms: BrowserTerms,
    secrets: TypedSecrets<'run>,
    /// The last look, and the view of the page that it returned.
    last: RefCell<Option<(Look, PageView)>>,
    /// Whether viewers were already informed that no more pictures are stored.
    has_told_withheld: Cell<bool>,
}

/// The outcome of a command, with the messages for viewers that came with it.
pub(super) struct Told {
    pub(super) outcome: Outcome,
    pub(super) remarks: Vec<String>,
}

impl From<Outcome> for Told {
    fn from(outcome: Outcome) -> Self {
        Self {
            outcome,
            remarks: Vec::new(),
        }
    }
}

impl<'run, E: Effects + Browsers> Driver<'run, E> {
    /// Returns a run's driver in the state that the run's journal records.
    pub(super) fn new(effects: &'run E, run: &RunContext<'run, '_, AutomatonEngine>) -> Self {
        let secrets = TypedSecrets::of(run, |name| effects.sent_secret(name));
        Self {
            effects,
            browser: own_browser(effects, run),
            terms: terms(run.order, secrets.values().secrets()),
            secrets,
            last: RefCell::default(),
            has_told_withheld: Cell::default(),
        }
    }

    /// Returns the values of the run's parameters.
    pub(super) fn values(&self) -> &Values {
        self.secrets.values()
    }

    /// Returns the mask that hides the run's secrets.
    pub(super) fn mask(&self) -> &Mask {
        self.secrets.mask()
    }

    /// Returns the cost of the open browser since it was last charged, in billionths of a dollar.
    pub(super) fn charge(&self) -> u64 {
        self.browser.charge()
    }

    /// Closes the browser at the end of the run.
    pub(super) async fn end(&self) {
        self.browser.end().await;
    }

    /// Looks at the page. Reconnects once if the connection is lost.
    pub(super) async fn look(
        &self,
        command: &Command,
        look: &Look,
        attempts: Attempts<'_>,
    ) -> Result<Told, WriteError> {
        let mut remarks = Vec::new();
        let look = &self.without_secret_picture(look, &mut remarks);
        let mut tries_left = command.attempts_max.min(LOOKS_MAX);
        let mut says = self.secrets.why_blind().unwrap_or_default();
        if !says.is_empty() {
            tries_left = 0;
        }
        while tries_left > 0 {
            tries_left -= 1;
            let was_known = self.browser.is_known();
            let seen = self.see(command, look, attempts, &mut remarks).await;
            match Stop::settle(seen)? {
                Ok(seen) => {
                    let outcome = self.taken_in(look, seen, &mut remarks).await?;
                    return Ok(Told { outcome, remarks });
                }
                Err(BrowserGone(why)) => says = why,
            }
            self.browser.disconnect();
            // An action may have been executed in the lost browser, so only the state machine may replace it. This look
            // fails.
            if was_known && !self.browser.is_known() {
                break;
            }
        }
        self.browser.give_up().await?;
        let outcome = Outcome::Looked(Err(BrowserGone(says)));
        Ok(Told { outcome, remarks })
    }

    /// Returns the look, without its picture if a secret was used: a page may show the secret in forms that cannot be
    /// masked, such as grouped, drawn, transliterated or partial.
    fn without_secret_picture(&self, look: &Look, remarks: &mut Vec<String>) -> Look {
        let is_withheld = look.wants_picture && self.secrets.has_typed();
        if is_withheld && !self.has_told_withheld.replace(true) {
            remarks.push(WITHHELD.to_owned());
        }
        Look {
            wants_picture: look.wants_picture && !is_withheld,
            ..look.clone()
        }
    }

    async fn see(
        &self,
        command: &Command,
        look: &Look,
        attempts: Attempts<'_>,
        remarks: &mut Vec<String>,
    ) -> Result<Seen, Stop<BrowserGone>> {
        let ms_max = command.time_left_ms;
        let price = self.browser.price(ms_max);
        attempts.begin(price).await?;
        let seeing = async {
            let browser = self.browser.get(&self.terms, ms_max).await;
            let browser = browser.map_err(|stop| stop.map(BrowserGone))?;
            let seen = browser.look(look, ms_max).await;
            remarks.extend(browser.take_remarks());
            seen.map_err(Stop::Failed)
        };
        let seen = timeout(self.effects, ms_max, seeing).await;
        attempts.settle(price, self.browser.charge());
        self.browser.note_moved()?;
        seen.unwrap_or_else(|| {
            // The remarks that the browser made before the timeout are still reported.
            let browser = self.browser.opened();
            remarks.extend(browser.iter().flat_map(|browser| browser.take_remarks()));
            Err(Stop::Failed(late(ms_max)))
        })
    }

    /// Truncates the view of a page to the limits, and stores its picture.
    async fn taken_in(
        &self,
        look: &Look,
        seen: Seen,
        remarks: &mut Vec<String>,
    ) -> Result<Outcome, WriteError> {
        let Seen { mut view, picture } = seen;
        if let Some(items) = &mut view.signals.items {
            items.truncate(ITEMS_MAX);
        }
        view.elements.truncate(ELEMENTS_MAX);
        let seen = Some((look.clone(), view.clone()));
        if *self.last.borrow() == seen {
            return Ok(Outcome::Unchanged);
        }
        let picture = match picture {
            Some(picture) => self.kept(&picture, remarks).await?,
            None => None,
        };
        *self.last.borrow_mut() = seen;
        Ok(Outcome::Looked(Ok(Looked { view, picture })))
    }

    /// Stores a downloaded file, unless a secret is found in it or there is no room for it.
    async fn with_file(
        &self,
        done: Done,
        file: DownloadedFile,
    ) -> Result<Result<Done, ActionFailure>, WriteError> {
        let DownloadedFile {
            name,
            media_type,
            bytes,
        } = file;
        let mask = self.secrets.mask();
        // Each letter of a text in UTF-16 may have a zero beside it.
        let narrow: Vec<u8> = bytes.iter().copied().filter(|byte| *byte != 0).collect();
        if mask.is_in_file(&bytes) || mask.is_in_file(&narrow) {
            return Ok(Err(ActionFailure::Failed(HAS_SECRET.to_owned())));
        }
        let media_type = mask.hide(&media_type);
        let digest = self.effects.digest(&bytes).await;
        if !self.effects.keep_artifact(&digest, &media_type, &bytes)? {
            return Ok(Err(ActionFailure::Failed(NO_ROOM.to_owned())));
        }
        let file = StoredFile {
            name,
            media_type,
            bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX),
            digest,
        };
        Ok(Ok(Done {
            file: Some(file),
            ..done
        }))
    }

    async fn kept(
        &self,
        picture: &PagePicture,
        remarks: &mut Vec<String>,
    ) -> Result<Option<Sha256Digest>, WriteError> {
        let digest = self.effects.digest(&picture.jpeg).await;
        if self
            .effects
            .keep_artifact(&digest, "image/jpeg", &picture.jpeg)?
        {
            return Ok(Some(digest));
        }
        remarks.push("There is no room for more pictures of pages beside this run.".to_owned());
        Ok(None)
    }

    pub(super) async fn act(
        &self,
        command: &Command,
        action: &BrowserAction,
        attempts: Attempts<'_>,
    ) -> Result<Told, WriteError> {
        *self.last.borrow_mut() = None;
        let refused = |says: String| {
            let says = format!("{}.", says.trim_end_matches('.'));
            Outcome::Acted(Err(ActionFailure::Refused(says)))
        };
        if let Some(says) = self.secrets.why_blind() {
            return Ok(refused(says).into());
        }
        let deed = match deed(action, self.secrets.values(), self.effects.now_ms()) {
            Ok(deed) => deed,
            Err(says) => return Ok(refused(says).into()),
        };
        let ms_max = command.time_left_ms;
        let browser = match self.browser.get(&self.terms, ms_max).await {
            Ok(browser) => browser,
            Err(stop) => {
                let gone = ActionFailure::BrowserGone(stop.failure()?);
                return Ok(Outcome::Acted(Err(gone)).into());
            }
        };
        self.secrets.note_typed(&deed.secrets)?;
        let price = self.browser.price(ms_max);
        attempts.begin(price).await?;
        let acted = timeout(self.effects, ms_max, browser.act(&deed.action, ms_max)).await;
        attempts.settle(price, self.browser.charge());
        let acted = acted.unwrap_or_else(|| {
            let BrowserGone(says) = late(ms_max);
            Err(ActionFailure::UnknownOutcome(says))
        });
        self.browser.note_moved()?;
        let acted = match acted {
            Err(ActionFailure::UnknownOutcome(_)) => {
                self.browser.disconnect();
                acted
            }
            Err(ActionFailure::BrowserGone(_)) => {
                self.browser.give_up().await?;
                acted
            }
            Ok(done) => match browser.take_file() {
                Some(file) => self.with_file(done, file).await?,
                None => Ok(done),
            },
            Err(_) => acted,
        };
        Ok(Told {
            outcome: Outcome::Acted(acted),
            remarks: browser.take_remarks(),
        })
    }

    pub(super) async fn reload(
        &self,
        command: &Command,
        attempts: Attempts<'_>,
    ) -> Result<Told, WriteError> {
        *self.last.borrow_mut() = None;
        let ms_max = command.time_left_ms;
        let browser = match self.browser.get(&self.terms, ms_max).await {
            Ok(browser) => browser,
            Err(stop) => {
                let gone = BrowserGone(stop.failure()?);
                return Ok(Outcome::Reloaded(Err(gone)).into());
            }
        };
        let price = self.browser.price(ms_max);
        attempts.begin(price).await?;
        let reloaded = timeout(self.effects, ms_max, browser.reload(ms_max)).await;
        attempts.settle(price, self.browser.charge());
        let reloaded = reloaded.unwrap_or_else(|| Err(late(ms_max)));
        if reloaded.is_err() {
            self.browser.give_up().await?;
        }
        Ok(Told {
            outcome: Outcome::Reloaded(reloaded),
            remarks: browser.take_remarks(),
        })
    }

    pub(super) async fn wait(&self, ms: u64) {
        let mut left_ms = ms;
        while left_ms > 0 {
            let part_ms = left_ms.min(IDLE_MS_MAX);
            self.effects.sleep(part_ms).await;
            left_ms -= part_ms;
            if left_ms > 0
                && let Some(browser) = self.browser.opened()
            {
                browser.keep_alive().await;
            }
        }
    }
}

fn late(ms_max: u64) -> BrowserGone {
    BrowserGone(format!("The browser did not answer within {ms_max} ms."))
}

/// Returns the browser of a run, at the address that the run's journal records, if any.
fn own_browser<'run, E: Effects + Browsers>(
    effects: &'run E,
    run: &RunContext<'run, '_, AutomatonEngine>,
) -> RunBrowser<'run, E> {
    let known = run.notes.iter().fold(None, |known, note| match note {
        AutomatonNote::Browser(address) => Some(address.clone()),
        AutomatonNote::Gone => None,
        AutomatonNote::Child { .. } | AutomatonNote::Typed { .. } => known,
    });
    let write = run.note;
    let note = move |address: Option<&BrowserAddress>| {
        write(match address {
            Some(address) => AutomatonNote::Browser(address.clone()),
            None => AutomatonNote::Gone,
        })
    };
    let settings = run.providers.browser.as_ref();
    let second_nano_usd = settings.map_or(0, |settings| settings.second_nano_usd);
    RunBrowser::new(effects, second_nano_usd, known, Box::new(note))
}

/// Returns the terms under which the run's browser is opened.
fn terms(order: &AutomatonOrder, secrets: Vec<Secret>) -> BrowserTerms {
    let browser = &order.browser;
    BrowserTerms {
        origins: order.origins.clone(),
        loads_from_elsewhere: false,
        accepts_questions: browser.dialogs == DialogAnswer::Accept,
        allows_web_rtc: browser.web_rtc,
        allows_downloads: browser.downloads,
        viewport: browser.viewport(),
        language: browser.language.clone(),
        time_zone: browser.time_zone.clone(),
        secrets,
    }
}
