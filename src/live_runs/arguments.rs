//! The arguments of the program `automata` that ask for measurements against a real browser.

/// The text of the help about measurements.
pub const LIVE_HELP: &str = "\
Drives a Chromium of this machine (CHROMIUM names another one), and measures what comes of it.

    automata --miniwob URL [--seeds NUMBER] [--only NAME] [--automata FOLDER] [--json]

    --miniwob URL    the folder of MiniWoB++'s pages; `node src/launch/benchmark-pages.mjs` serves and names it
    --seeds NUMBER   how many seeds each task has (10)
    --only NAME      this one alone
    --automata FOLDER  the automata (tests/automata/miniwob)
    --json           the last line is the figures as JSON
";

/// The measurement that the arguments ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveTask {
    /// What is measured.
    pub kind: LiveKind,
    /// The address of the pages; empty where they are the sandbox's own.
    pub site: String,
    /// How many seeds or pages are tried, where the arguments say it.
    pub count: Option<u32>,
    /// The name of the one that is tried alone.
    pub only: Option<String>,
    /// The folder of the automata, where the arguments say it.
    pub folder: Option<String>,
    /// Whether the figures are printed as JSON, too.
    pub json: bool,
}

/// The kinds of measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveKind {
    /// The tasks of `MiniWoB++`.
    Miniwob,
}

/// Reads the arguments. Returns `None` where they ask for no measurement; an error is one sentence.
pub fn parse_live(
    arguments: impl IntoIterator<Item = String>,
) -> Option<Result<LiveTask, String>> {
    let arguments: Vec<String> = arguments.into_iter().collect();
    let kind = arguments.iter().find_map(|argument| kind(argument))?;
    Some(parse(kind, arguments))
}

fn kind(argument: &str) -> Option<LiveKind> {
    match argument {
        "--miniwob" => Some(LiveKind::Miniwob),
        _ => None,
    }
}

fn parse(kind: LiveKind, arguments: Vec<String>) -> Result<LiveTask, String> {
    let mut task = LiveTask {
        kind,
        site: String::new(),
        count: None,
        only: None,
        folder: None,
        json: false,
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        if argument == "--json" {
            task.json = true;
            continue;
        }
        let mut given = || {
            let given = arguments.next();
            given.ok_or_else(|| format!("{argument} needs a value; --help tells which"))
        };
        match argument.as_str() {
            "--miniwob" => task.site = given()?,
            "--seeds" => {
                let number = given()?.parse().ok().filter(|number| *number > 0);
                let number = number.ok_or("--seeds needs a number from 1")?;
                task.count = Some(number);
            }
            "--only" => task.only = Some(given()?),
            "--automata" => task.folder = Some(given()?),
            other => return Err(format!("{other} is not known; --help tells what is")),
        }
    }
    Ok(task)
}
