//! Compares the automaton engine with recorded cases:
//! `cargo run --release -p devtools --bin automata -- --cases FOLDER [--json]`. With `--files`, it checks whether the
//! engine parses files of states.
//!
//! The exit code is 0, or 1 if a case differs or a file is refused, or 2 if the arguments or a file cannot be read.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io;
    use std::io::Write as _;
    use std::path::Path;
    use std::process::ExitCode;

    use devtools::automaton_cases::{
        AUTOMATA_HELP, AutomataTask, Case, CaseFile, parse_automata, read_files, run_cases,
    };
    use devtools::live_runs::{LIVE_HELP, measure, parse_live};
    use devtools::recorded_cases::json_files;

    /// Does what the program's arguments say. Every failure prints one sentence.
    pub(super) fn main() -> ExitCode {
        let arguments = || std::env::args().skip(1);
        let done = match parse_live(arguments()) {
            Some(task) => task.and_then(|task| measure(&task, &|line| say(&format!("{line}\n")))),
            None => parse_automata(arguments()).and_then(run),
        };
        match done {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(1),
            Err(sentence) => {
                eprintln!("automata: {sentence}");
                ExitCode::from(2)
            }
        }
    }

    /// Does the task. Returns whether all cases match, or all files parse.
    fn run(task: AutomataTask) -> Result<bool, String> {
        let (folder, json) = match task {
            AutomataTask::Help => {
                say(AUTOMATA_HELP);
                say("\n");
                say(LIVE_HELP);
                return Ok(true);
            }
            AutomataTask::Read { folder } => {
                let files = json_files(Path::new(&folder))?;
                let refused = read_files(&files, |line| say(&format!("{line}\n")));
                return Ok(refused == 0);
            }
            AutomataTask::Run { folder, json } => (folder, json),
        };
        let files = json_files(Path::new(&folder))?.into_iter();
        let cases: Vec<CaseFile> = files
            .map(|(name, text)| CaseFile {
                name,
                case: Case::from_json(&String::from_utf8_lossy(&text)),
            })
            .collect();
        let figures = run_cases(&cases, |difference| say(&format!("{difference}\n")));
        say(&figures.report(json));
        Ok(figures.different.is_empty())
    }

    fn say(text: &str) {
        // A failed write is ignored, because the exit code counts even if nobody reads the output.
        let _ = io::stdout().write_all(text.as_bytes());
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// WebAssembly has no files; the program only has to compile there.
#[cfg(target_arch = "wasm32")]
fn main() {}
