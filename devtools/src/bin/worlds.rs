//! Counts the chains that the machine finds in a world: `cargo run --release -p devtools --bin worlds -- --help`.
//!
//! The exit code is 0, or 1 if a chain has an edge that no photo supports (unless a face was mistaken), or 2 if the
//! arguments or a world file cannot be read.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io;
    use std::io::Write as _;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use devtools::rehearsal::bench::{BenchTask, HELP, measure, parse};

    /// Does what the program's arguments say. Every failure prints one sentence.
    pub(super) fn main() -> ExitCode {
        match parse(std::env::args().skip(1)).and_then(run) {
            Ok(0) => ExitCode::SUCCESS,
            Ok(_) => ExitCode::from(1),
            Err(sentence) => {
                eprintln!("worlds: {sentence}");
                ExitCode::from(2)
            }
        }
    }

    /// Measures one world after the other, and returns the number of false edges.
    fn run(task: BenchTask) -> Result<usize, String> {
        let BenchTask::Measure {
            worlds,
            settings,
            json,
            skipped,
        } = task
        else {
            say(HELP);
            return Ok(0);
        };
        if let Some(skipped) = skipped {
            eprintln!("worlds: {skipped}");
        }
        let stopwatch = stopwatch();
        let mut false_edges = 0;
        for choice in worlds {
            let world = choice.load()?;
            let figures = measure(&choice.label(), &world, &settings, &stopwatch);
            say(&figures.to_string());
            if json {
                say(&format!("{}\n", figures.to_json()));
            }
            // The machine cannot detect a mistaken face, so a false edge caused by such a face is not a failure.
            false_edges += figures.false_edges - figures.false_edges_of_lookalikes;
        }
        Ok(false_edges)
    }

    fn say(text: &str) {
        // A failed write is ignored, because the exit code counts even if nobody reads the output.
        let _ = io::stdout().write_all(text.as_bytes());
    }

    /// Returns a stopwatch, which starts now.
    #[expect(
        clippy::disallowed_methods,
        reason = "a native program that measures how long the machine takes; no figure of the \
                  search depends on it"
    )]
    fn stopwatch() -> impl Fn() -> Duration {
        let begin = Instant::now();
        move || begin.elapsed()
    }
}

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    native::main()
}

/// WebAssembly has no files; the program only has to compile there.
#[cfg(target_arch = "wasm32")]
fn main() {}
