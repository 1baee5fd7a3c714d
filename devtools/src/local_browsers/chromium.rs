//! A local Chromium, started headless.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use std::{env, fs, io, thread};

/// The names under which a Chromium or Chrome is installed, as in `scripts/chromium.mjs`.
const NAMES: [&str; 6] = [
    "chrome-headless-shell",
    "chromium-headless-shell",
    "google-chrome",
    "google-chrome-stable",
    "chromium",
    "chromium-browser",
];
/// The command for Debian's headless shell, and the browser behind it. The command is a script that only waits for the
/// browser, so killing it would not end the browser.
const DEBIAN_SHELL: [&str; 2] = [
    "/usr/bin/chromium-headless-shell",
    "/usr/lib/chromium/chromium-headless-shell",
];
const ARGUMENTS: [&str; 13] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    // Without this, WebRTC could send packets past the proxy of a page's context.
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--remote-debugging-address=127.0.0.1",
    // The browser chooses a free port and writes it to a file.
    "--remote-debugging-port=0",
    "--window-size=800,600",
    // Without these, pages take a browser without a window for one without a mouse, and show what is made for touch.
    "--blink-settings=primaryPointerType=4,availablePointerTypes=4,primaryHoverType=2,availableHoverTypes=2",
];
/// The largest number of attempts to read the file with the port, and the pause after each attempt.
const LOOKS_MAX: u32 = 600;
const LOOK_AGAIN: Duration = Duration::from_millis(50);

/// A running Chromium with its own profile. Dropping it kills the browser and deletes the profile.
#[derive(Debug)]
pub struct Chromium {
    process: Child,
    profile: PathBuf,
    port: u16,
}

/// Returns the path of a local Chromium or Chrome: the one in `CHROMIUM`, or an installed one.
#[must_use]
pub fn find_chromium() -> Option<PathBuf> {
    let folders = env::var_os("PATH").unwrap_or_default();
    let on_path = |name: &str| {
        let mut paths = env::split_paths(&folders).map(|folder| folder.join(name));
        paths.find(|path| path.is_file())
    };
    let found = match env::var("CHROMIUM") {
        Ok(named) => on_path(&named).or_else(|| Some(named.into())),
        Err(_) => NAMES.iter().find_map(|name| on_path(name)),
    };
    found.map(program_of)
}

/// Returns the program behind a command that is known to be a script, or else the command itself.
fn program_of(command: PathBuf) -> PathBuf {
    let [script, program] = DEBIAN_SHELL.map(Path::new);
    // A folder may have two names, so paths are compared in their canonical form.
    if fs::canonicalize(&command).is_ok_and(|path| path == script) && program.is_file() {
        return program.to_owned();
    }
    command
}

impl Chromium {
    /// Starts a browser, and waits until it accepts connections.
    pub fn start(path: &Path, profile: PathBuf) -> io::Result<Self> {
        Self::start_with(path, profile, &[])
    }

    /// Starts a browser with additional arguments, which override the usual ones.
    pub fn start_with(path: &Path, profile: PathBuf, more: &[&str]) -> io::Result<Self> {
        fs::create_dir_all(&profile)?;
        let process = Command::new(path)
            .args(ARGUMENTS)
            .args(more)
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let mut chromium = Self {
            process,
            profile,
            port: 0,
        };
        chromium.port = chromium.wait_for_port()?;
        Ok(chromium)
    }

    /// Returns the address for driving the browser.
    #[must_use]
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    fn wait_for_port(&mut self) -> io::Result<u16> {
        let file = self.profile.join("DevToolsActivePort");
        for _ in 0..LOOKS_MAX {
            let text = fs::read_to_string(&file).unwrap_or_default();
            // The port is in the first of the file's two lines.
            if let Some((port, _)) = text.split_once('\n')
                && let Ok(port) = port.trim().parse()
            {
                return Ok(port);
            }
            if let Some(status) = self.process.try_wait()? {
                let words = format!("the browser ended as soon as it began: {status}");
                return Err(io::Error::other(words));
            }
            thread::sleep(LOOK_AGAIN);
        }
        Err(io::Error::other("the browser told no port in time"))
    }
}

impl Drop for Chromium {
    fn drop(&mut self) {
        // Errors are ignored: the browser may already have ended, and a leftover profile is only a temporary file.
        let _ = self.process.kill();
        let _ = self.process.wait();
        let _ = fs::remove_dir_all(&self.profile);
    }
}
