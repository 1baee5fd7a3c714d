//! The arguments of the program `automata` for measurements with a real browser.

/// The part of the help text that is about measurements.
pub const LIVE_HELP: &str = "\
Drives a Chromium of this machine (CHROMIUM names another one), and measures what comes of it.

    automata --miniwob URL | --todomvc URL | --shop | --kills | --hostile | --pages | --copies
             [--count NUMBER] [--only NAME] [--automata PATH] [--deeds FILE] [--json]

    --miniwob URL    the folder of MiniWoB++'s pages; `node scripts/benchmark-pages.mjs` serves and names it
    --todomvc URL    the folder of TodoMVC's apps, served by the same program
    --shop           the sandbox's shop, with the automaton of its first variant on each of them
    --kills          a run of 30 clicks, whose process is killed at each of them and taken up by another
    --hostile        the sandbox's hostile pages
    --pages          small pages, each with a comment that says what must come of its actions
    --copies         random pages that copy a typed secret in random ways
    --count NUMBER   how many seeds a task has (10), or how many apps, clicks or pages are tried (all)
    --only NAME      this task, app, variant or page alone
    --automata PATH  the automata (tests/automata/miniwob, todomvc.json, shop.json, pages)
    --deeds FILE     writes what was done in MiniWoB++'s tasks, for `npm run bench:automata`
    --json           the last line is the figures as JSON
";

/// A measurement to make.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LiveTask {
    /// What is measured.
    pub kind: LiveKind,
    /// The address of the pages; empty for the pages of the sandbox.
    pub site: String,
    /// The number of seeds or pages; `None` for all.
    pub count: Option<u32>,
    /// The name of the only task, app or page to measure; `None` for all.
    pub only: Option<String>,
    /// The folder or file with the automata; `None` for the default.
    pub folder: Option<String>,
    /// The file that the deeds are written to; `None` for none.
    pub deeds: Option<String>,
    /// Whether to print the figures as JSON besides the text.
    pub json: bool,
}

/// The kinds of measurements.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LiveKind {
    /// The tasks of `MiniWoB++`.
    Miniwob,
    /// The apps of `TodoMVC`.
    Todomvc,
    /// The sandbox's shop in its variants.
    Shop,
    /// A run that is killed at each of its clicks.
    Kills,
    /// The sandbox's hostile pages.
    Hostile,
    /// Small pages on which automata once misbehaved.
    Pages,
    /// Random pages that copy a typed secret.
    Copies,
}

/// Parses the program's arguments. Returns `None` if they do not request a measurement. The error is one sentence.
pub fn parse_live(arguments: impl IntoIterator<Item = String>) -> Option<Result<LiveTask, String>> {
    let arguments: Vec<String> = arguments.into_iter().collect();
    let kind = arguments.iter().find_map(|argument| kind(argument))?;
    Some(parse(kind, arguments))
}

fn kind(argument: &str) -> Option<LiveKind> {
    match argument {
        "--miniwob" => Some(LiveKind::Miniwob),
        "--todomvc" => Some(LiveKind::Todomvc),
        "--shop" => Some(LiveKind::Shop),
        "--kills" => Some(LiveKind::Kills),
        "--hostile" => Some(LiveKind::Hostile),
        "--pages" => Some(LiveKind::Pages),
        "--copies" => Some(LiveKind::Copies),
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
        deeds: None,
        json: false,
    };
    let mut arguments = arguments.into_iter();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--json" => {
                task.json = true;
                continue;
            }
            "--shop" | "--kills" | "--hostile" | "--pages" | "--copies" => continue,
            _ => {}
        }
        let mut given = || {
            let given = arguments.next();
            given.ok_or_else(|| format!("{argument} needs a value; --help tells which"))
        };
        match argument.as_str() {
            "--miniwob" | "--todomvc" => task.site = given()?,
            "--count" => {
                let number = given()?.parse().ok().filter(|number| *number > 0);
                let number = number.ok_or("--count needs a number from 1")?;
                task.count = Some(number);
            }
            "--only" => task.only = Some(given()?),
            "--automata" => task.folder = Some(given()?),
            "--deeds" if kind == LiveKind::Miniwob => task.deeds = Some(given()?),
            other => return Err(format!("{other} is not known; --help tells what is")),
        }
    }
    Ok(task)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(arguments: &[&str]) -> Option<Result<LiveTask, String>> {
        parse_live(arguments.iter().map(ToString::to_string))
    }

    #[test]
    fn arguments_are_read_or_refused() {
        assert_eq!(parsed(&["--cases", "a"]), None);
        let task = parsed(&["--miniwob", "http://a/", "--count", "3", "--json"]);
        let task = task.unwrap().unwrap();
        assert_eq!(
            (task.kind, task.site.as_str()),
            (LiveKind::Miniwob, "http://a/")
        );
        assert_eq!((task.count, task.json), (Some(3), true));
        let task = parsed(&["--shop", "--only", "v3"]).unwrap().unwrap();
        assert_eq!(
            (task.kind, task.only.as_deref()),
            (LiveKind::Shop, Some("v3"))
        );
        for wrong in [
            &["--miniwob"][..],
            &["--kills", "--count", "0"],
            &["--hostile", "--cases"],
            &["--shop", "--deeds", "a"],
        ] {
            assert!(parsed(wrong).unwrap().is_err(), "{wrong:?}");
        }
    }
}
