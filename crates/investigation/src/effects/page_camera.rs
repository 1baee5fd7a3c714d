//! Captures the pages that show a chain's photos, in a browser context of the run's own.

use url::Url;

use domain::page::{
    ActionFailure, BrowserAddress, BrowserGone, BrowserTerms, Look, PageAction, TypedText, Viewport,
};
use engine::RunContext;
use kernel::{CommandId, Millis};
use platform::{Browser as _, Browsers, Effects, RunBrowser, WriteError, timeout};
use providers::calls::{Attempts, CallResult};
use settings::AddressPolicy;

use crate::machine::{Answer, Captured, Outcome};
use crate::wire::{InvestigationEngine, InvestigationNote};

use super::Stop;
use super::photo_executor::KeptAnswer;

/// The media type of all captures.
const MEDIA_TYPE: &str = "image/jpeg";
/// The size of the window in which pages are captured, in CSS pixels.
const WINDOW: Viewport = Viewport {
    width: 1_280,
    height: 800,
};
/// The most times that a page is opened for one capture. If the browser is gone, the page is opened again, because an
/// earlier process's browser may have been closed.
const OPENINGS_MAX: u32 = 2;

/// Captures pages for one run.
pub struct PageCamera<'run, E: Browsers> {
    effects: &'run E,
    browser: RunBrowser<'run, E>,
    /// The policy for the addresses of pages; `None` if any address is allowed.
    addresses: Option<AddressPolicy>,
}

/// A page to open, and all pages that the run opens.
#[derive(Debug)]
pub struct PageToOpen<'command> {
    /// The address of the page.
    pub url: &'command str,
    /// The addresses of the run's pages.
    pub of_run: &'command [String],
    /// The longest time for the whole capture, in milliseconds.
    pub ms_max: u64,
}

impl<'run, E: Effects + Browsers> PageCamera<'run, E> {
    /// Creates the camera of a run, with the browser of an earlier process if the journal has one.
    pub fn new(effects: &'run E, run: &RunContext<'run, '_, InvestigationEngine>) -> Self {
        let known = match run.notes.last() {
            Some(InvestigationNote::Browser(address)) => Some(address.clone()),
            Some(InvestigationNote::Gone) | None => None,
        };
        let write = run.note;
        let note = move |address: Option<&BrowserAddress>| {
            write(match address {
                Some(address) => InvestigationNote::Browser(address.clone()),
                None => InvestigationNote::Gone,
            })
        };
        let settings = run.providers.browser.as_ref();
        let second_nano_usd = settings.map_or(0, |settings| settings.second_nano_usd);
        Self {
            effects,
            browser: RunBrowser::new(effects, second_nano_usd, known, Box::new(note)),
            // A browser on this machine is for development. Its pages are on this machine, too, so any address is
            // allowed.
            addresses: settings
                .filter(|settings| !settings.is_local())
                .map(|_| run.providers.addresses.clone()),
        }
    }

    /// Closes the run's browser, even if an earlier process opened it.
    pub async fn end(&self) {
        self.browser.end().await;
    }

    /// Opens a page and captures it for the command with this number. After a failure the browser is abandoned, so that
    /// the next page starts from a clean one.
    pub async fn capture(
        &self,
        command: CommandId,
        page: &PageToOpen<'_>,
        attempts: Attempts<'_>,
    ) -> Result<CallResult<Outcome, KeptAnswer>, WriteError> {
        let price = self.browser.price(page.ms_max);
        attempts.begin(price).await?;
        let taken = timeout(self.effects, page.ms_max, self.taken(page)).await;
        attempts.settle(price, self.browser.charge().min(price));
        let taken = taken.unwrap_or_else(|| {
            let ms = page.ms_max;
            Err(format!("the page was not there within {ms} ms").into())
        });
        let captured = match taken {
            Ok(captured) => Ok(captured),
            Err(stop) => {
                let words = stop.failure()?;
                self.browser.give_up().await?;
                Err(sentence(&words))
            }
        };
        let answer = Answer {
            command,
            attempts: attempts.made(),
            throttled: attempts.throttled(),
            nano_usd: attempts.nano_usd(),
            outcome: Outcome::Captured(captured),
            remarks: Vec::new(),
        };
        Ok(CallResult::with(answer, None))
    }

    async fn taken(&self, page: &PageToOpen<'_>) -> Result<Captured, Stop<String>> {
        let addresses = self.addresses.as_ref();
        if let Some(why) = addresses.and_then(|addresses| refusal(addresses, page.url)) {
            return Err(why.into());
        }
        let terms = terms(page.of_run);
        let action = PageAction::Navigate {
            url: TypedText {
                text: page.url.into(),
                origins: None,
            },
        };
        let look = Look {
            wants_picture: true,
            ..Look::default()
        };
        let mut says = String::new();
        for _ in 0..OPENINGS_MAX {
            let browser = match self.browser.get(&terms, page.ms_max).await {
                Ok(browser) => browser,
                Err(stop) => {
                    says = stop.failure()?;
                    continue;
                }
            };
            let seen = match browser.act(&action, page.ms_max).await {
                Ok(_) => browser.look(&look, page.ms_max).await,
                Err(ActionFailure::BrowserGone(why)) => Err(BrowserGone(why)),
                Err(
                    ActionFailure::Failed(why)
                    | ActionFailure::Refused(why)
                    | ActionFailure::UnknownOutcome(why),
                ) => return Err(why.into()),
            };
            match seen {
                Ok(seen) => return self.kept(seen.picture.map(|picture| picture.jpeg)).await,
                Err(BrowserGone(why)) => says = why,
            }
            self.browser.disconnect();
        }
        Err(says.into())
    }

    /// Stores a capture with the run.
    async fn kept(&self, jpeg: Option<Vec<u8>>) -> Result<Captured, Stop<String>> {
        let Some(jpeg) = jpeg else {
            return Err("no picture of the page could be taken".to_owned().into());
        };
        let at = Millis(self.effects.now_ms());
        let digest = self.effects.digest(&jpeg).await;
        if !self.effects.keep_artifact(&digest, MEDIA_TYPE, &jpeg)? {
            let why = "this run has reached its limit of stored pictures";
            return Err(why.to_owned().into());
        }
        let size = imagesize::blob_size(&jpeg).ok();
        let pixels = |pixels: usize| u32::try_from(pixels).ok();
        Ok(Captured {
            digest,
            media_type: MEDIA_TYPE.to_owned(),
            size: size.and_then(|size| Some((pixels(size.width)?, pixels(size.height)?))),
            at,
        })
    }
}

/// Returns why a page of this address must not be opened; `None` if it may be opened.
fn refusal(addresses: &AddressPolicy, address: &str) -> Option<String> {
    match addresses.check(address) {
        // A page is opened only over https, because anybody on the network path can read and change what is sent
        // unencrypted.
        Ok(url) if Url::parse(address).is_ok_and(|asked| asked.scheme() == url.scheme()) => None,
        Ok(_) => Some("the page is not opened: its address is not https".to_owned()),
        Err(error) => Some(format!("the page is not opened: {error}")),
    }
}

/// Returns the terms for opening pages of these addresses. No login or secret is involved, so a page may load resources
/// from elsewhere.
fn terms(urls: &[String]) -> BrowserTerms {
    let mut origins: Vec<String> = Vec::new();
    for url in urls.iter().filter_map(|url| Url::parse(url).ok()) {
        // The `https` origin is allowed, too, because most pages exist only there, and `http` redirects to it.
        let mut secure = url.clone();
        let secure = secure.set_scheme("https").is_ok().then_some(secure);
        for url in std::iter::once(url).chain(secure) {
            let origin = url.origin().ascii_serialization();
            if !origins.contains(&origin) {
                origins.push(origin);
            }
        }
    }
    BrowserTerms {
        origins,
        loads_from_elsewhere: true,
        accepts_questions: false,
        allows_web_rtc: false,
        allows_downloads: false,
        viewport: WINDOW,
        language: "en-US".to_owned(),
        time_zone: "UTC".to_owned(),
        secrets: Vec::new(),
    }
}

/// Makes a sentence of English words from this program or the browser. It changes the case of ASCII letters only, since
/// full Unicode tables would enlarge the Worker.
fn sentence(words: &str) -> String {
    let mut letters = words.trim_end_matches('.').chars();
    let first = letters.next().map(|first| first.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_opened_by_https_alone_and_where_the_sandbox_is() {
        let addresses = AddressPolicy::new(Some("http://127.0.0.1:8787".to_owned()), Vec::new());
        for opened in [
            "https://photos.example/1",
            "HTTPS://photos.example/1",
            "http://127.0.0.1:8787/1",
        ] {
            assert_eq!(refusal(&addresses, opened), None, "{opened}");
        }
        for (address, words) in [
            ("http://photos.example/1", "not https"),
            ("HTTP://photos.example/1", "not https"),
            ("http://photos.example:81/1", "not https"),
            ("https://10.0.0.1/", "a number"),
            ("https://router.lan/", "private"),
        ] {
            let refusal = refusal(&addresses, address).unwrap_or_default();
            assert!(refusal.contains(words), "{address}: {refusal}");
        }
    }
}
