//! Counts the chains that the search finds in a world: `cargo run --release -p devtools --bin worlds -- --help`.
//!
//! The exit code is 0, 1 if an edge was found that no photo supports (other than by a mistaken face), and 2 if the
//! arguments or a world file cannot be read.

#[cfg(not(target_arch = "wasm32"))]
mod native {
    use std::io;
    use std::io::Write as _;
    use std::process::ExitCode;
    use std::time::{Duration, Instant};

    use devtools::rehearsal::bench::{BenchTask, HELP, measure, parse};

    /// Executes the arguments. Every failure is one sentence.
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
            // A photo cannot reveal a mistaken face: such edges are counted separately.
            false_edges += figures.false_edges - figures.false_edges_of_lookalikes;
        }
        Ok(false_edges)
    }

    fn say(text: &str) {
        // If nobody reads the output, the exit code still counts.
        let _ = io::stdout().write_all(text.as_bytes());
    }

    /// Returns the time since now.
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

/// The benchmark is native; this only has to compile.
#[cfg(target_arch = "wasm32")]
fn main() {}
