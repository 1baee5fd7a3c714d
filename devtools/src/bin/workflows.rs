//! Compares the workflow engine with the original one:
//! `cargo run --release -p devtools --bin workflows -- --cases FOLDER [--json]`. With `--speed`, it measures the engine
//! instead.
//!
//! The exit code is 0, or 1 if a case differs or a file contains no case, or 2 if the arguments or a file cannot be
//! read.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io;
    use std::io::Write as _;
    use std::path::Path;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use devtools::recorded_cases::json_files;
    use devtools::workflow_cases::{
        CASES_HELP, Case, CaseFile, CasesTask, measure_engine, parse_cases, run_cases,
    };

    /// Does what the program's arguments say. Every failure prints one sentence.
    pub(super) fn main() -> ExitCode {
        match parse_cases(std::env::args().skip(1)).and_then(run) {
            Ok(true) => ExitCode::SUCCESS,
            Ok(false) => ExitCode::from(1),
            Err(sentence) => {
                eprintln!("workflows: {sentence}");
                ExitCode::from(2)
            }
        }
    }

    /// Does the task. Returns whether all cases match.
    fn run(task: CasesTask) -> Result<bool, String> {
        let (folder, json) = match task {
            CasesTask::Help => {
                say(CASES_HELP);
                return Ok(true);
            }
            CasesTask::Speed => {
                say(&measure_engine(&stopwatch()));
                return Ok(true);
            }
            CasesTask::Run { folder, json } => (folder, json),
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

    /// Returns a stopwatch, which starts now.
    #[expect(
        clippy::disallowed_methods,
        reason = "a native program that measures how long the machine takes; no case depends on it"
    )]
    fn stopwatch() -> impl Fn() -> Duration {
        let begin = Instant::now();
        move || begin.elapsed()
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
