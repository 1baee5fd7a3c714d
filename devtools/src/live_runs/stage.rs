//! The things that all runs of a measurement share: a local browser, the operator's settings, and models.

use std::cell::RefCell;
use std::net::TcpStream;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{env, process};

use sandbox::{Sandbox, SandboxOptions, World};
use settings::{Caps, Providers};

use crate::local_browsers::{Chromium, find_chromium};
use crate::rehearsal::sandbox_settings;

/// The number of stages made in this process, so that each browser gets a profile of its own.
static STARTED: AtomicU32 = AtomicU32::new(0);

/// A world of one photo, because a sandbox needs a world.
const WORLD: &str = r#"{"name": "Small", "source": "written for measurements", "license": "CC0-1.0",
    "photos": [["Ann", "Bob"]]}"#;

/// The things that all runs of a measurement share.
pub(super) struct Stage {
    chromium: Chromium,
    pub(super) models: Rc<RefCell<Sandbox>>,
    pub(super) providers: Providers,
    pub(super) caps: Caps,
}

/// Makes a sandbox that simulates the models or the shop.
pub(super) fn sandbox(options: SandboxOptions) -> Result<Sandbox, String> {
    let world = World::parse(WORLD).map_err(|error| error.to_string())?;
    Ok(Sandbox::new(world, options))
}

impl Stage {
    /// Starts a local Chromium. `settings` are used besides those for the sandbox.
    pub(super) fn start(settings: &[(&str, &str)]) -> Result<Self, String> {
        let path = find_chromium();
        let path = path.ok_or("no Chromium was found: set CHROMIUM to one")?;
        let number = STARTED.fetch_add(1, Ordering::Relaxed);
        let profile = format!("visual-degrees-live-{}-{number}", process::id());
        let chromium = Chromium::start(&path, env::temp_dir().join(profile));
        let chromium = chromium.map_err(|error| error.to_string())?;
        let sandbox = sandbox(SandboxOptions::default())?;
        let address = chromium.address();
        let mut all = vec![("BROWSER_CDP", address.as_str())];
        all.extend(settings);
        let settings = sandbox_settings(sandbox.options(), &all);
        let providers = settings.providers.map_err(|missing| missing.join(", "))?;
        Ok(Self {
            chromium,
            models: Rc::new(RefCell::new(sandbox)),
            providers,
            caps: settings.caps,
        })
    }

    /// Returns whether the browser still responds.
    pub(super) fn is_alive(&self) -> bool {
        let address = self.chromium.address();
        let host = address.trim_start_matches("http://");
        TcpStream::connect(host).is_ok()
    }

    /// Returns the address of the browser.
    pub(super) fn browser(&self) -> String {
        self.chromium.address()
    }
}
