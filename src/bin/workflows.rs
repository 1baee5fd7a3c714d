//! Checks whether the workflow engine does what the original does: `cargo run --release --features
//! sandbox --bin workflows -- --cases FOLDER [--json]`; and how fast it is: `--speed`.
//!
//! The program ends with 0, with 1 where a case differs or a file holds none, and with 2 where the
//! arguments or a file cannot be read.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::fs;
    use std::io;
    use std::io::Write as _;
    use std::path::Path;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use visual_degrees::engines::workflow::cases::{
        CASES_HELP, Case, CaseFile, CasesTask, measure_engine, parse_cases, run_cases,
    };

    /// Does what the arguments say. Every failure is one sentence.
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

    /// Returns whether every case came out as it is recorded.
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
        let cases = read(Path::new(&folder))?;
        let figures = run_cases(&cases, |difference| say(&format!("{difference}\n")));
        say(&format!(
            "{} of {} cases are equal\n",
            figures.equal, figures.cases
        ));
        if json {
            say(&format!("{}\n", figures.to_json()));
        }
        Ok(figures.different.is_empty())
    }

    /// Reads every case of a folder, by the names of their files.
    fn read(folder: &Path) -> Result<Vec<CaseFile>, String> {
        let of_file =
            |path: &Path, why: &dyn std::fmt::Display| format!("{}: {why}", path.display());
        let files = fs::read_dir(folder).map_err(|error| of_file(folder, &error))?;
        let mut paths = Vec::new();
        for file in files {
            let path = file.map_err(|error| of_file(folder, &error))?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "json")
            {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            return Err(format!("{} holds no .json file", folder.display()));
        }
        paths.sort();
        let cases = paths.iter().map(|path| {
            let json = fs::read_to_string(path).map_err(|error| of_file(path, &error))?;
            let name = path.file_stem().unwrap_or_default();
            Ok(CaseFile {
                name: name.to_string_lossy().into_owned(),
                case: Case::from_json(&json),
            })
        });
        cases.collect()
    }

    /// Returns the time since now.
    #[expect(
        clippy::disallowed_methods,
        reason = "a native program that measures how long the machine takes; no case depends on it"
    )]
    fn stopwatch() -> impl Fn() -> Duration {
        let begin = Instant::now();
        move || begin.elapsed()
    }

    fn say(text: &str) {
        // Nobody may read any more: the exit code still tells.
        let _ = io::stdout().write_all(text.as_bytes());
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// The program is native; it only has to compile there.
#[cfg(target_arch = "wasm32")]
fn main() {}
