//! The browsers of a run's object.

use worker::Env;

use cdp::{BrowserClient, DrivenBrowser};
use domain::page::{BrowserAddress, BrowserTerms};
use platform::{AddressWriter, BrowserError, Browsers};

use super::devtools::EdgeDevTools;
use super::environment::settings;
use super::platform::Platform;

/// Returns the operator's browsers.
fn client(env: &Env) -> Result<BrowserClient<EdgeDevTools>, BrowserError> {
    let lack = || BrowserError::Gone("this server's operator has set no browser".to_owned());
    let providers = settings(env).providers.map_err(|_| lack())?;
    let browser = providers.browser.ok_or_else(lack)?;
    // A browser on this machine is one of development, whose pages are on this machine, too.
    let addresses = (!browser.is_local()).then_some(providers.addresses);
    Ok(BrowserClient::new(
        EdgeDevTools::new(env, browser),
        addresses,
    ))
}

impl Browsers for Platform {
    type Browser = DrivenBrowser<EdgeDevTools>;

    async fn begin_browser(
        &self,
        terms: &BrowserTerms,
        note: AddressWriter<'_>,
        ms_max: u64,
    ) -> Result<Self::Browser, BrowserError> {
        client(self.env())?.begin_browser(terms, note, ms_max).await
    }

    async fn attach_browser(
        &self,
        terms: &BrowserTerms,
        address: &BrowserAddress,
        lost: Option<&Self::Browser>,
        ms_max: u64,
    ) -> Result<Self::Browser, BrowserError> {
        client(self.env())?
            .attach_browser(terms, address, lost, ms_max)
            .await
    }

    async fn end_browser(&self, address: &BrowserAddress) {
        if let Ok(client) = client(self.env()) {
            client.end_browser(address).await;
        }
    }
}
